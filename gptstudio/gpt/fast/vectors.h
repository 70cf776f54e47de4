/* Vectors of floats as wide as the registers of the target processor. */

#include <stdint.h>
#include <string.h>
#ifdef __FMA__
#include <immintrin.h>
#endif

#ifdef __AVX512F__
#define WIDE 16
#elif defined(__AVX__)
#define WIDE 8
#else
#define WIDE 4
#endif

#define ALWAYS static inline __attribute__((always_inline))
#define TO_WHOLE 12582912.f /* 1.5 * 2^23: adding it to a small float leaves the nearest integer in the low bits */
#define WHOLE_ZERO 0x4b400000

typedef float Floats __attribute__((vector_size(4 * WIDE), aligned(4)));
typedef uint32_t Words __attribute__((vector_size(4 * WIDE)));
typedef uint16_t Halves __attribute__((vector_size(2 * WIDE), aligned(2)));

/* Returns the next WIDE floats: the first `left` are read, and zeros follow if there are fewer. */
static inline Floats vector(const float *from, int64_t left) {
    Floats made = {0};
    if (left >= WIDE) return *(const Floats *)from;
    memcpy(&made, from, left * sizeof *from);
    return made;
}

/* Returns the sum of all elements: one half is added to the other until one element is left. */
ALWAYS float total(Floats all) {
#if defined(__AVX512F__)
    return _mm512_reduce_add_ps((__m512)all);
#else
    for (int half = WIDE / 2; half; half /= 2)
        for (int j = 0; j < half; j++) all[j] += all[j + half];
    return all[0];
#endif
}

/* Returns sum + one * other. A compiler may otherwise round the product first in one loop but not in another (GCC 13
   does in dependent sums, for speed), and a text would depend on the texts decoded with it. */
ALWAYS Floats plus_product(Floats sum, Floats one, Floats other) {
#if defined(__AVX512F__)
    return (Floats)_mm512_fmadd_ps((__m512)one, (__m512)other, (__m512)sum);
#elif defined(__FMA__)
    return (Floats)_mm256_fmadd_ps((__m256)one, (__m256)other, (__m256)sum);
#else
    return sum + one * other;
#endif
}

#define GRAIN (1 << 15)

/* Returns the number of threads, at most `threads`, for a computation of `values` values: one more for each GRAIN. For
   fewer values, a thread gains next to nothing, and beside busy programs all others wait until it has its turn. */
ALWAYS int threads_for(int64_t threads, int64_t values) {
    const int64_t most = 1 + values / GRAIN;
    return (int)(most < threads ? most : threads);
}

enum { FP32, BF16 };

/* Returns WIDE values from index `at` on: the first `left` are read, and `rest` replaces any others. */
ALWAYS Floats values_at(int64_t kind, const void *values, int64_t at, int64_t left, float rest) {
    if (kind == FP32 && left >= WIDE) return *(const Floats *)((const float *)values + at);
    Halves halves;
    if (kind == BF16 && left >= WIDE) {
        halves = *(const Halves *)((const uint16_t *)values + at);
        return (Floats)(__builtin_convertvector(halves, Words) << 16);
    }
    Floats made = rest - (Floats){0};
    for (int64_t j = 0; j < left; j++) {
        if (kind == FP32)
            made[j] = ((const float *)values)[at + j];
        else {
            uint32_t bits = (uint32_t)((const uint16_t *)values)[at + j] << 16;
            memcpy((char *)&made + 4 * j, &bits, sizeof bits);
        }
    }
    return made;
}

ALWAYS Floats larger(Floats one, Floats other) {
    const Words is_one = (Words)(one > other);
    return (Floats)(((Words)one & is_one) | ((Words)other & ~is_one));
}

/* Rounds to the nearest bf16, with ties to even. */
ALWAYS Halves to_bf16(Floats values) {
    Words bits = (Words)values;
    return __builtin_convertvector((bits + 0x7fff + (bits >> 16 & 1)) >> 16, Halves);
}

ALWAYS void put(int64_t kind, void *values, int64_t at, int64_t left, Floats made) {
    const Halves halves = kind == BF16 ? to_bf16(made) : (Halves){0};
    if (left >= WIDE && kind == FP32)
        *(Floats *)((float *)values + at) = made;
    else if (left >= WIDE)
        *(Halves *)((uint16_t *)values + at) = halves;
    else if (kind == FP32)
        memcpy((float *)values + at, &made, left * sizeof(float));
    else
        memcpy((uint16_t *)values + at, &halves, left * sizeof(uint16_t));
}

/* Returns e^x for x <= 0, within two units in the last place; zero for x < -87. x = n log 2 + r, e^r by its series. */
ALWAYS Floats exponential(Floats x) {
    const Words tiny = (Words)(x < -87.f);
    const Floats moved = plus_product(TO_WHOLE - (Floats){0}, x, 1.44269504f - (Floats){0});
    const Floats n = moved - TO_WHOLE;
    Floats r = plus_product(x, n, -0.693359375f - (Floats){0});
    r = plus_product(r, n, 2.12194440e-4f - (Floats){0});
    Floats sum = 1.f / 5040 - (Floats){0};
    sum = plus_product(1.f / 720 - (Floats){0}, sum, r);
    sum = plus_product(1.f / 120 - (Floats){0}, sum, r);
    sum = plus_product(1.f / 24 - (Floats){0}, sum, r);
    sum = plus_product(1.f / 6 - (Floats){0}, sum, r);
    sum = plus_product(0.5f - (Floats){0}, sum, r);
    sum = plus_product(1.f - (Floats){0}, sum, r);
    sum = plus_product(1.f - (Floats){0}, sum, r);
    const Floats power = (Floats)(((Words)moved - WHOLE_ZERO + 127) << 23); /* 2^n */
    return (Floats)((Words)(sum * power) & ~tiny);
}

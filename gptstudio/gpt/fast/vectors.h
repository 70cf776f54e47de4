/* Vectors of floats as wide as the registers of the processor that this is compiled for. */

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
#define TO_WHOLE 12582912.f /* 1.5 * 2^23: added to a float near zero, it leaves the nearest whole number in the low bits */
#define WHOLE_ZERO 0x4b400000

typedef float Floats __attribute__((vector_size(4 * WIDE), aligned(4)));
typedef uint32_t Words __attribute__((vector_size(4 * WIDE)));
typedef uint16_t Halves __attribute__((vector_size(2 * WIDE), aligned(2)));

/* The next WIDE floats, of which `left` are there. */
static inline Floats vector(const float *from, int64_t left) {
    Floats made = {0};
    if (left >= WIDE) return *(const Floats *)from;
    memcpy(&made, from, left * sizeof *from);
    return made;
}

/* The sum of all: one half is added to the other until one is left. */
ALWAYS float total(Floats all) {
#if defined(__AVX512F__)
    return _mm512_reduce_add_ps((__m512)all);
#else
    for (int half = WIDE / 2; half; half /= 2)
        for (int j = 0; j < half; j++) all[j] += all[j + half];
    return all[0];
#endif
}

/* A sum with a product added. Left to itself, a compiler rounds the product first in one loop and not in another (GCC 13
   in sums that wait for each other, to be quicker), and a text would depend on what is decoded beside it. */
ALWAYS Floats plus_product(Floats sum, Floats one, Floats other) {
#if defined(__AVX512F__)
    return (Floats)_mm512_fmadd_ps((__m512)one, (__m512)other, (__m512)sum);
#elif defined(__FMA__)
    return (Floats)_mm256_fmadd_ps((__m256)one, (__m256)other, (__m256)sum);
#else
    return sum + one * other;
#endif
}

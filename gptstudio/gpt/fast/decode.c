/* Decoding step of GPT-2 on a CPU: from one or more new tokens of each of B texts to the logits of the next tokens.

   The time per token is the time to read the weights, so each matrix is read once, in order, by all threads together,
   and everything between two products stays in the cache. The function is that of gptstudio/gpt/model.py in evaluation
   mode; native_model.py fills the structures below. Letters as in model.py: B texts, T new tokens of each, R = B T rows,
   D width, H heads, C context.

   The order of all sums is independent of the number of threads and of the division of work, so results are
   reproducible bit for bit. "Fast math" is not used: NaN and infinity propagate, and the processor's settings are not
   changed. */

#include <math.h>

#include "vectors.h"

#define AT_ONCE (2 * WIDE)
/* TILE_OUTS rows of float or bf16 weights and TILE_ROWS rows of inputs are multiplied while in registers; with a single
   row of inputs, FP32_OUTS or BF16_OUTS rows of weights. */
#ifdef __AVX512F__
#define TILE_OUTS 3
#define TILE_ROWS 8
#define FP32_OUTS 12
#define BF16_OUTS 1
#else
#define TILE_OUTS 2
#define TILE_ROWS 4
#define FP32_OUTS 8
#define BF16_OUTS 2
#endif
#define TILE (TILE_OUTS * TILE_ROWS)
#define INT8_OUTS 2 /* TILE_OUTS for int8 weights */
#define INT8_ROWS 4 /* TILE_ROWS for int8 weights */
#define KEYS 4 /* number of keys that are multiplied with a query at a time */
#define ROWS 48 /* number of outputs that a thread computes at a time: a multiple of TILE_OUTS, FP32_OUTS and INT8_OUTS */
#define PART 1024 /* number of int16 products that can be summed in int32: 1024 * 127 * 16383 fits */
#define LARGEST 16383
#define L2 2 /* prefetched to the second cache: in the first, they would replace the inputs */
#ifdef __AVX512F__
#define AHEAD 6144 /* number of bytes between the weights that are multiplied and those that are prefetched */
#define MULTIPLIES_BF16 __builtin_cpu_supports("avx512bf16")
#else
#define MULTIPLIES_BF16 0
#endif

enum { INT8 = BF16 + 1, HALF }; /* HALF: bf16 weights and inputs */

typedef struct {
    const void *weight; /* (outs, ins): float, bf16 or int8 */
    const float *scale; /* (outs): of int8 weights */
    const float *bias;  /* (outs), or none */
    int64_t outs, ins, kind;
} Matrix;

typedef struct {
    Matrix query, key, value, gather, widen, narrow;
    const float *scale1, *shift1, *scale2, *shift2;
} Block;

typedef struct {
    const float *tokens, *positions, *scale, *shift, *mean; /* mean: (D), subtracted from the output layer, or none */
    const Block *blocks;
    Matrix head;
    int64_t width, heads, layers, context;
    float eps;
} Model;

/* Working memory of a thread: the inputs of a product as float and rounded. */
typedef struct {
    float *x;         /* (R, 4D) */
    int16_t *rounded; /* (R, 4D): integers or bf16 */
    float *step;      /* (R): x is about rounded * step if these are integers */
    float *scores;    /* (C) */
} Own;

typedef int16_t Shorts __attribute__((vector_size(2 * WIDE)));

/* WIDE weights from `at` on, as floats. */
ALWAYS Floats weights_at(int64_t kind, const void *weights, int64_t at) {
    if (kind == FP32) return *(const Floats *)((const float *)weights + at);
    return (Floats)(__builtin_convertvector(*(const Halves *)((const uint16_t *)weights + at), Words) << 16);
}

/* The same near the end of a row with `left` weights left. */
ALWAYS Floats last_weights(int64_t kind, const void *weights, int64_t at, int64_t left) {
    if (kind == FP32) return vector((const float *)weights + at, left);
    Halves made = {0};
    memcpy(&made, (const uint16_t *)weights + at, (left < WIDE ? left : WIDE) * sizeof(uint16_t));
    return weights_at(kind, &made, 0);
}

/* Sums of each of `count` vectors; with AVX-512 of four at a time, in the same order for each. */
ALWAYS void totals(const Floats *sums, int count, float *out) {
#ifdef __AVX512F__
    const __m512 none = _mm512_setzero_ps();
    for (int k = 0; k < count; k += 4) {
        const __m512 a = (__m512)sums[k], b = count > k + 1 ? (__m512)sums[k + 1] : none;
        const __m512 c = count > k + 2 ? (__m512)sums[k + 2] : none, d = count > k + 3 ? (__m512)sums[k + 3] : none;
        const __m512d left = (__m512d)(_mm512_unpacklo_ps(a, b) + _mm512_unpackhi_ps(a, b));
        const __m512d right = (__m512d)(_mm512_unpacklo_ps(c, d) + _mm512_unpackhi_ps(c, d));
        const __m512 each = (__m512)_mm512_unpacklo_pd(left, right) + (__m512)_mm512_unpackhi_pd(left, right);
        const __m256 half = _mm512_castps512_ps256(each) + (__m256)_mm512_extractf64x4_pd((__m512d)each, 1);
        const __m128 four = _mm256_castps256_ps128(half) + _mm256_extractf128_ps(half, 1);
        for (int j = 0; j < 4 && j < count - k; j++) out[k + j] = four[j];
    }
#else
    for (int k = 0; k < count; k++) out[k] = total(sums[k]);
#endif
}

/* Products of `outs` rows of weights (n), float or bf16, with each of `rows` rows of inputs (n): out[r * outs + o]. */
ALWAYS void dots(int64_t kind, const void *weights, const float *x, int64_t n, int outs, int rows, float *out) {
    const int64_t size = kind == FP32 ? 4 : 2, whole = n - n % AT_ONCE;
    const int prefetch = rows > 1 || (kind == BF16 && outs > 1); /* without it, the processor reads ahead better */
    Floats sums[TILE] = {0};
    for (int64_t i = 0; i < whole; i += AT_ONCE)
        for (int j = 0; j < AT_ONCE; j += WIDE) {
            Floats each[TILE_OUTS];
            for (int o = 0; o < outs; o++) {
                if (prefetch && size * j % 64 == 0) /* the weights of the next call; beyond the end it does no harm */
                    __builtin_prefetch((const char *)weights + size * ((outs + o) * n + i + j), 0, L2);
                const Floats own = weights_at(kind, weights, o * n + i + j);
                if (rows > 1)
                    each[o] = own;
                else
                    sums[o] = plus_product(sums[o], own, *(const Floats *)(x + i + j));
            }
            for (int r = 0; rows > 1 && r < rows; r++) { /* each row of inputs is read once for all outputs */
                const Floats inputs = *(const Floats *)(x + r * n + i + j);
                for (int o = 0; o < outs; o++) sums[r * outs + o] = plus_product(sums[r * outs + o], each[o], inputs);
            }
        }
    for (int64_t i = whole; i < n; i += WIDE)
        for (int k = 0; k < outs * rows; k++) {
            Floats each = last_weights(kind, weights, k % outs * n + i, n - i);
            sums[k] = plus_product(sums[k], each, vector(x + k / outs * n + i, n - i));
        }
    totals(sums, outs * rows, out);
}

/* The same for int8 weights and int16 inputs. */
ALWAYS void dots_int8(const int8_t *w, const int16_t *x, int64_t n, int outs, int rows, float *out) {
    for (int k = 0; k < outs * rows; k++) out[k] = 0;
    for (int64_t i = 0; i < outs * n; i += 64) __builtin_prefetch(w + 2 * n + i, 0, L2); /* weights of the next call */
    for (int64_t begin = 0; begin < n; begin += PART) {
        const int64_t end = begin + PART < n ? begin + PART : n;
        int32_t a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0; /* an array would be in memory, not in registers */
#define TIMES(r, o) (int32_t)(int16_t)w[(o) * n + i] * (int32_t)x[(r) * n + i]
        if (outs * rows == INT8_OUTS * INT8_ROWS)
            for (int64_t i = begin; i < end; i++) {
                a += TIMES(0, 0), b += TIMES(0, 1), c += TIMES(1, 0), d += TIMES(1, 1);
                e += TIMES(2, 0), f += TIMES(2, 1), g += TIMES(3, 0), h += TIMES(3, 1);
            }
        else if (rows > 1)
            for (int64_t i = begin; i < end; i++) a += TIMES(0, 0), b += TIMES(1, 0), c += TIMES(2, 0), d += TIMES(3, 0);
        else
            for (int64_t i = begin; i < end; i++) a += TIMES(0, 0);
#undef TIMES
        const int32_t parts[INT8_OUTS * INT8_ROWS] = {a, b, c, d, e, f, g, h};
        for (int k = 0; k < outs * rows; k++) out[k] += (float)parts[k];
    }
}

#ifdef __AVX512F__
#define IN_BF16 __attribute__((target("avx512bf16")))
#define VNNI __attribute__((target("avx512vnni")))

/* Products of a row of bf16 weights (n) with each of `rows` rows of bf16 inputs. A single row of weights is read at a
   time: the products take less time than the reading, and three rows are slower to read. */
IN_BF16 ALWAYS void dots_half(const uint16_t *w, const uint16_t *x, int64_t n, int rows, float *out) {
    Floats sums[TILE_ROWS] = {0};
    for (int64_t i = 0; i < n; i += 2 * WIDE) {
        const __mmask32 mask = n - i < 2 * WIDE ? (1u << (n - i)) - 1 : ~0u;
        const __m512i weights = _mm512_maskz_loadu_epi16(mask, w + i);
        if (rows > 1) __builtin_prefetch((const char *)(w + i) + AHEAD, 0, L2);
#pragma GCC unroll 8
        for (int r = 0; r < rows; r++) {
            const __m512i inputs = _mm512_maskz_loadu_epi16(mask, x + r * n + i);
            sums[r] = (Floats)_mm512_dpbf16_ps((__m512)sums[r], (__m512bh)weights, (__m512bh)inputs);
        }
    }
    totals(sums, rows, out);
}

static IN_BF16 void dots_bf16(const uint16_t *w, const uint16_t *x, int64_t n, int rows, float *out) {
    if (rows == 1) dots_half(w, x, n, 1, out);
    if (rows == 4) dots_half(w, x, n, 4, out);
    if (rows == TILE_ROWS) dots_half(w, x, n, TILE_ROWS, out);
}

static IN_BF16 void round_to_bf16(const float *x, int64_t n, int16_t *out) {
    for (int64_t i = 0; i < n; i += WIDE) {
        const __m256i each = (__m256i)_mm512_cvtneps_pbh((__m512)vector(x + i, n - i));
        memcpy(out + i, &each, (n - i < WIDE ? n - i : WIDE) * sizeof *out);
    }
}

/* Adds the products of 32 weights and inputs from index `at` on, or of those that `mask` selects. */
VNNI ALWAYS void add_products(
    const int8_t *w, const int16_t *x, int64_t n, int64_t at, __mmask32 mask, __m512i sums[TILE_ROWS][INT8_OUTS]) {
    __m512i weights[INT8_OUTS];
#pragma GCC unroll 2
    for (int o = 0; o < INT8_OUTS; o++) {
        __builtin_prefetch(w + o * n + at + AHEAD, 0, L2);
        weights[o] = _mm512_cvtepi8_epi16(_mm256_maskz_loadu_epi8(mask, w + o * n + at));
    }
#pragma GCC unroll 8
    for (int r = 0; r < TILE_ROWS; r++) {
        const __m512i inputs = _mm512_maskz_loadu_epi16(mask, x + r * n + at);
#pragma GCC unroll 2
        for (int o = 0; o < INT8_OUTS; o++) sums[r][o] = _mm512_dpwssd_epi32(sums[r][o], weights[o], inputs);
    }
}

/* `dots_int8` of INT8_OUTS and TILE_ROWS rows, with the instruction for sums of products of int16. */
static VNNI void dots_vnni(const int8_t *w, const int16_t *x, int64_t n, float *out) {
    for (int k = 0; k < TILE_ROWS * INT8_OUTS; k++) out[k] = 0;
    for (int64_t begin = 0, i; begin < n; begin += PART) {
        const int64_t end = begin + PART < n ? begin + PART : n;
        __m512i sums[TILE_ROWS][INT8_OUTS] = {0};
        for (i = begin; i + 32 <= end; i += 32) add_products(w, x, n, i, ~0u, sums);
        if (i < end) add_products(w, x, n, i, (1u << (end - i)) - 1, sums);
        for (int r = 0; r < TILE_ROWS; r++)
            for (int o = 0; o < INT8_OUTS; o++) out[r * INT8_OUTS + o] += (float)_mm512_reduce_add_epi32(sums[r][o]);
    }
}
#endif

ALWAYS void dots_of(
    int64_t kind, const Matrix *m, const Own *own, int64_t o, int64_t row, int outs, int rows, float *out) {
    const int64_t n = m->ins, at = o * n;
#ifdef __AVX512F__
    if (kind == HALF) {
        dots_bf16((const uint16_t *)m->weight + at, (const uint16_t *)own->rounded + row * n, n, rows, out);
        return;
    }
#endif
    if (kind != INT8) {
        dots(kind, (const char *)m->weight + at * (kind == FP32 ? 4 : 2), own->x + row * n, n, outs, rows, out);
        return;
    }
    const int8_t *w = (const int8_t *)m->weight + at;
    const int16_t *x = own->rounded + row * n;
#ifdef __AVX512F__
    if (outs == INT8_OUTS && rows == TILE_ROWS && __builtin_cpu_supports("avx512vnni"))
        dots_vnni(w, x, n, out);
    else
#endif
        for (int r = 0; r < rows; r += INT8_ROWS)
            dots_int8(w, x + r * n, n, outs, rows < INT8_ROWS ? rows : INT8_ROWS, out + r * outs);
    for (int k = 0; k < outs * rows; k++) out[k] *= m->scale[o + k % outs] * own->step[row + k / outs];
}

/* Computes `product` for weights of a kind: `tile` outputs at a time with several rows of inputs, `alone` with one. */
ALWAYS void product_of(
    int64_t kind, int tile, int alone, const Matrix *m, const Own *own, int64_t rows, int64_t begin, int64_t end,
    const float *before, float *out) {
    for (int64_t row = 0, count; row < rows; row += count) {
        count = rows - row >= TILE_ROWS ? TILE_ROWS : rows - row >= 4 ? 4 : 1;
        for (int64_t o = begin, outs; o < end; o += outs) {
            float sums[TILE];
            outs = count > 1 ? tile : alone;
            if (end - o < outs) outs = 1;
            if (count == 1)
                dots_of(kind, m, own, o, row, outs > 1 ? alone : 1, 1, sums);
            else if (outs > 1)
                count == 4 ? dots_of(kind, m, own, o, row, tile, 4, sums)
                           : dots_of(kind, m, own, o, row, tile, TILE_ROWS, sums);
            else
                count == 4 ? dots_of(kind, m, own, o, row, 1, 4, sums)
                           : dots_of(kind, m, own, o, row, 1, TILE_ROWS, sums);
            for (int r = 0; r < count; r++)
                for (int k = 0; k < outs; k++) {
                    int64_t at = (row + r) * m->outs + o + k;
                    float sum = sums[r * outs + k] + (m->bias ? m->bias[o + k] : 0);
                    out[at] = before ? before[at] + sum : sum;
                }
        }
    }
}

/* Computes the outputs from `begin` to `end` of a product for each row of inputs, adds `before`, and writes them to
   `out` (R, outs). These weights stay in the cache while all rows are multiplied by them. Float weights are read from
   several places of the memory at a time for a single row of inputs, which is faster there. */
static void product(
    const Matrix *m, const Own *own, int64_t rows, int64_t begin, int64_t end, const float *before, float *out) {
    if (m->kind == FP32)
        product_of(FP32, TILE_OUTS, FP32_OUTS, m, own, rows, begin, end, before, out);
    else if (m->kind == BF16 && MULTIPLIES_BF16)
        product_of(HALF, 1, 1, m, own, rows, begin, end, before, out);
    else if (m->kind == BF16)
        product_of(BF16, TILE_OUTS, BF16_OUTS, m, own, rows, begin, end, before, out);
    else
        product_of(INT8, INT8_OUTS, 1, m, own, rows, begin, end, before, out);
}

/* Rounds the inputs of a product with int8 weights to 15 bits of the largest one: if an input is not finite, the step
   is NaN, and so are all outputs. Rounds those of bf16 weights to bf16 if the processor multiplies bf16. */
static void round_inputs(Own *own, int64_t kind, int64_t rows, int64_t n) {
#ifdef __AVX512F__
    if (kind == BF16 && MULTIPLIES_BF16) round_to_bf16(own->x, rows * n, own->rounded);
#endif
    if (kind != INT8) return;
    for (int64_t row = 0; row < rows; row++) {
        const float *x = own->x + row * n;
        uint32_t most_bits = 0; /* bits of the absolute values, which compare as integers like the floats */
        for (int64_t i = 0; i < n; i++) {
            uint32_t bits;
            memcpy(&bits, x + i, sizeof bits);
            bits &= 0x7fffffff;
            most_bits = bits > most_bits ? bits : most_bits;
        }
        float most;
        memcpy(&most, &most_bits, sizeof most);
        float times = most > 0 && isfinite(most) ? LARGEST / most : 0;
        own->step[row] = isfinite(most) ? most / LARGEST : NAN;
        for (int64_t i = 0; i < n; i += WIDE) {
            Floats rounded = vector(x + i, n - i) * times + TO_WHOLE;
            Shorts whole = __builtin_convertvector((Words)rounded - WHOLE_ZERO, Shorts);
            memcpy(own->rounded + row * n + i, &whole, (n - i < WIDE ? n - i : WIDE) * sizeof(int16_t));
        }
    }
}

/* Sum of (x - from)^power. */
static float sum_of(const float *x, float from, int power, int64_t n) {
    Floats sums = {0};
    int64_t i = 0;
    for (; i + AT_ONCE <= n; i += AT_ONCE)
        for (int j = 0; j < AT_ONCE; j += WIDE) {
            Floats each = *(const Floats *)(x + i + j) - from;
            sums += power == 2 ? each * each : each;
        }
    float rest = 0;
    for (; i < n; i++) rest += power == 2 ? (x[i] - from) * (x[i] - from) : x[i] - from;
    return total(sums) + rest;
}

/* Copies the inputs of a product, (R, n), from rows `apart` floats apart; normalises each if there is a scale. */
static void take_inputs(
    Own *own, const float *from, int64_t apart, int64_t rows, int64_t n, const float *scale, const float *shift,
    float eps) {
    for (int64_t row = 0; row < rows; row++) {
        const float *x = from + row * apart;
        float *out = own->x + row * n;
        if (!scale) {
            memcpy(out, x, n * sizeof *out);
            continue;
        }
        float mean = sum_of(x, 0, 1, n) / n, inverse = 1 / sqrtf(sum_of(x, mean, 2, n) / n + eps);
        for (int64_t i = 0; i < n; i++) out[i] = (x[i] - mean) * inverse * scale[i] + shift[i];
    }
}

/* e^x for x <= 0 with a relative error of 2e-7, as 2^whole * 2^rest, the latter from its Taylor series; clamped at
   x = -87. */
static inline Floats exp_below_zero(Floats x) {
    Words low = (Words)(x < -87.f);
    x = (Floats)(((Words)x & ~low) | ((Words)(x * 0 - 87) & low));
    Floats turns = x * 1.44269504f, whole = turns + TO_WHOLE, rest = (turns - (whole - TO_WHOLE)) * 0.693147181f;
    Floats power = 1 + rest * (1 + rest * (1.f / 2 + rest * (1.f / 6 + rest * (1.f / 24 + rest * (1.f / 120 + rest / 720)))));
    return power * (Floats)(((Words)whole << 23) + 0x3f800000);
}

/* GELU in the tanh approximation of GPT-2: x times the logistic function of u. */
static void gelu(float *x, int64_t n) {
    for (int64_t i = 0; i < n; i += WIDE) {
        Floats each = vector(x + i, n - i), u = 1.5957691216f * (each + 0.044715f * each * each * each);
        Words negative = (Words)(u < 0.f);
        Floats e = exp_below_zero((Floats)((Words)u | 0x80000000));
        Floats above = (Floats)(((Words)e & negative) | ((Words)(e * 0 + 1) & ~negative));
        each *= above / (1 + e);
        memcpy(x + i, &each, (n - i < WIDE ? n - i : WIDE) * sizeof *x);
    }
}

/* Average of n values, `apart` floats apart, with these weights and their sum: `count` vectors of it. */
ALWAYS void average(
    const float *weights, const float *values, int64_t n, int64_t apart, int count, float sum, float *out) {
    Floats sums[64 / WIDE] = {0};
    for (int64_t t = 0; t < n; t++)
        for (int j = 0; j < count; j++) sums[j] += weights[t] * *(const Floats *)(values + t * apart + j * WIDE);
    for (int j = 0; j < count; j++) *(Floats *)(out + j * WIDE) = sums[j] / sum;
}

/* Attention of one head: query (d), keys and values (n, d) -> (d). */
static void attend(
    const float *query, const float *keys, const float *values, float *scores, int64_t n, int64_t d, float *out) {
    float scale = 1 / sqrtf((float)d), most = -INFINITY, sum = 0;
    int64_t t = 0, i = 0;
    for (; t + KEYS <= n; t += KEYS) dots(FP32, keys + t * d, query, d, KEYS, 1, scores + t);
    for (; t < n; t++) dots(FP32, keys + t * d, query, d, 1, 1, scores + t);
    for (t = 0; t < n; t++) {
        scores[t] *= scale;
        most = scores[t] > most ? scores[t] : most;
    }
    for (t = 0; t < n; t += WIDE) {
        Floats each = exp_below_zero(vector(scores + t, n - t) - most);
        memcpy(scores + t, &each, (n - t < WIDE ? n - t : WIDE) * sizeof *scores);
    }
    sum = sum_of(scores, 0, 1, n);
    for (; i + 64 <= d; i += 64) average(scores, values + i, n, d, 64 / WIDE, sum, out + i);
    for (; i + AT_ONCE <= d; i += AT_ONCE) average(scores, values + i, n, d, 2, sum, out + i);
    for (; i < d; i++) {
        out[i] = 0;
        for (t = 0; t < n; t++) out[i] += scores[t] * values[t * d + i];
        out[i] /= sum;
    }
}

/* Instruction level of this processor (x86-64 psABI) for which there may be a library: 4, 3, or 0 for any processor. */
int gpt2_level(void) {
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512cd"))
        return 4;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2")) return 3;
#endif
    return 0;
}

/* Working memory of each thread in bytes. */
static int64_t own_bytes(int64_t width, int64_t context, int64_t rows) {
    int64_t bytes = rows * 4 * width * (sizeof(float) + sizeof(int16_t)) + (rows + context) * sizeof(float);
    return (bytes / 64 + 5) * 64;
}

/* Working memory of gpt2_step in bytes. */
int64_t gpt2_memory(int64_t width, int64_t context, int64_t rows, int64_t threads) {
    return rows * 9 * width * sizeof(float) + threads * own_bytes(width, context, rows) + 1024;
}

static char *take(char **memory, int64_t bytes) {
    char *taken = *memory;
    *memory += (bytes + 63) / 64 * 64;
    return taken;
}

static inline int64_t least(int64_t one, int64_t other) { return one < other ? one : other; }

/* ids (B, T): new tokens, from position `start` of each text on. keys, values: for each layer (B, H, C, D/H), filled up
   to
   `start`; T more are written. logits: (B, wanted, vocabulary) after the last `wanted` new tokens: 0, 1 or T. */
void gpt2_step(
    const Model *model, const int64_t *ids, int64_t batch, int64_t tokens, int64_t start, float *const *keys,
    float *const *values, int64_t wanted, float *logits, char *memory, int64_t threads) {
    const int64_t R = batch * tokens, D = model->width, H = model->heads, d = D / H, C = model->context;
    const int64_t outs = batch * wanted, V = model->head.outs;
    float *x = (float *)take(&memory, R * D * sizeof(float)); /* residual stream */
    float *queries = (float *)take(&memory, R * D * sizeof(float));
    float *new_keys = (float *)take(&memory, R * D * sizeof(float));
    float *new_values = (float *)take(&memory, R * D * sizeof(float));
    float *context = (float *)take(&memory, R * D * sizeof(float));
    float *hidden = (float *)take(&memory, R * 4 * D * sizeof(float));
    for (int64_t row = 0; row < R; row++)
        for (int64_t i = 0; i < D; i++)
            x[row * D + i] = model->tokens[ids[row] * D + i] + model->positions[(start + row % tokens) * D + i];

#pragma omp parallel num_threads(threads_for(threads, R * D * (12 * model->layers * D + V)))
    {
        int number = 0;
#ifdef _OPENMP
        extern int omp_get_thread_num(void);
        number = omp_get_thread_num();
#endif
        char *mine = memory + number * own_bytes(D, C, R);
        Own own;
        own.x = (float *)take(&mine, R * 4 * D * sizeof(float));
        own.rounded = (int16_t *)take(&mine, R * 4 * D * sizeof(int16_t));
        own.step = (float *)take(&mine, R * sizeof(float));
        own.scores = (float *)mine;
        for (int64_t l = 0; l < model->layers; l++) {
            const Block *block = model->blocks + l;
            const Matrix *three[] = {&block->query, &block->key, &block->value};
            float *projected[] = {queries, new_keys, new_values};
            take_inputs(&own, x, D, R, D, block->scale1, block->shift1, model->eps);
            round_inputs(&own, block->query.kind, R, D);
#pragma omp for schedule(dynamic)
            for (int64_t n = 0; n < 3 * ((D + ROWS - 1) / ROWS); n++) {
                int64_t part = n % 3, begin = n / 3 * ROWS;
                product(three[part], &own, R, begin, least(begin + ROWS, D), 0, projected[part]);
            }
#pragma omp for schedule(dynamic)
            for (int64_t n = 0; n < batch * H; n++) {
                float *past_keys = keys[l] + n * C * d, *past_values = values[l] + n * C * d;
                for (int64_t t = 0; t < tokens; t++) {
                    int64_t at = (n / H * tokens + t) * D + n % H * d;
                    memcpy(past_keys + (start + t) * d, new_keys + at, d * sizeof(float));
                    memcpy(past_values + (start + t) * d, new_values + at, d * sizeof(float));
                    attend(queries + at, past_keys, past_values, own.scores, start + t + 1, d, context + at);
                }
            }
            take_inputs(&own, context, D, R, D, 0, 0, 0);
            round_inputs(&own, block->gather.kind, R, D);
#pragma omp for schedule(dynamic)
            for (int64_t begin = 0; begin < D; begin += ROWS)
                product(&block->gather, &own, R, begin, least(begin + ROWS, D), x, x);
            take_inputs(&own, x, D, R, D, block->scale2, block->shift2, model->eps);
            round_inputs(&own, block->widen.kind, R, D);
#pragma omp for schedule(dynamic)
            for (int64_t begin = 0; begin < 4 * D; begin += ROWS) {
                int64_t end = least(begin + ROWS, 4 * D);
                product(&block->widen, &own, R, begin, end, 0, hidden);
                for (int64_t row = 0; row < R; row++) gelu(hidden + row * 4 * D + begin, end - begin);
            }
            take_inputs(&own, hidden, 4 * D, R, 4 * D, 0, 0, 0);
            round_inputs(&own, block->narrow.kind, R, 4 * D);
#pragma omp for schedule(dynamic)
            for (int64_t begin = 0; begin < D; begin += ROWS)
                product(&block->narrow, &own, R, begin, least(begin + ROWS, D), x, x);
        }
        const float *from = wanted == 1 ? x + (tokens - 1) * D : x;
        take_inputs(&own, from, wanted == 1 ? tokens * D : D, outs, D, model->scale, model->shift, model->eps);
        round_inputs(&own, model->head.kind, outs, D);
#pragma omp for schedule(dynamic, 8)
        for (int64_t begin = 0; begin < V; begin += ROWS)
            product(&model->head, &own, outs, begin, least(begin + ROWS, V), 0, logits);
        if (model->mean)
#pragma omp for
            for (int64_t row = 0; row < outs; row++) {
                float offset;
                dots(FP32, model->mean, own.x + row * D, D, 1, 1, &offset);
                for (int64_t o = 0; o < V; o++) logits[row * V + o] += offset;
            }
    }
}

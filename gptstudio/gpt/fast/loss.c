/* Cross-entropy of tokens against the whole vocabulary, and its gradients, with products in bf16. Logits stay in the
   cache until they are normalised within their block of words, and the gradient of the logits is computed just before
   the products that read it. For processors with vector instructions for bf16 but without a matrix unit (AMX);
   kernels.py implements the same function in torch.

   The order of all sums is independent of the number of threads. NaN and infinity propagate. */

#include <float.h>
#include <math.h>
#include <omp.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "vectors.h"

#define COLUMNS 64 /* columns of a tile: four vectors */
#define ROWS 6     /* rows of a tile: 24 vectors of sums, of 32 registers */
#define WORDS 96   /* rows of the output layer in a block */
#define PARTS 16   /* parts of the words, each with its own sum for the gradient of x */

typedef struct {
    const uint16_t *x;      /* (rows, width) */
    const uint16_t *words;  /* (count, width) */
    const int64_t *targets; /* (rows) */
    float *losses;          /* (rows) */
    float *grad_x;          /* (rows, width), or none; both gradients are of the sum of the losses times `scale` */
    float *grad_words;      /* (count, width), or none; with `add`, the gradient is added */
    uint16_t *shares;       /* (count, padded): exp(logit - largest of its block); none without gradients */
    uint32_t *x_columns;    /* (padded / 64, width / 2, 64) pairs of x */
    uint32_t *x_rows;       /* (width / 64, padded / 2, 64) pairs of x */
    float *largest, *sums;  /* (blocks, padded) */
    float *parts;           /* (PARTS, padded, width) */
    double *squares;        /* (PARTS): the sum of these is that of the squares of grad_words */
    int64_t rows, padded, width, count, add, threads;
    float scale;
} Loss;

/* True if this is compiled for AVX-512, and the processor has AVX512_BF16 but not AMX_BF16. */
int gpt2_multiplies_bf16(void) {
#if defined(__AVX512F__)
    unsigned a, b, c, d, a1;
    return __get_cpuid_count(7, 1, &a1, &b, &c, &d) && a1 >> 5 & 1 && __get_cpuid_count(7, 0, &a, &b, &c, &d) && !(d >> 22 & 1);
#else
    return 0;
#endif
}

/* Sizes of `largest` and of `sums`, of `parts`, and of the working memory of a thread, in values of 32 bits. */
void gpt2_linear_loss_sizes(int64_t padded, int64_t width, int64_t count, int64_t *sizes) {
    sizes[0] = (count + WORDS - 1) / WORDS * padded;
    sizes[1] = PARTS * padded * width;
    sizes[2] = WORDS * padded + WORDS / 2 * width;
}

#if defined(__AVX512F__)

#define HALF __attribute__((target("avx512bf16")))

enum { STORE, ADD, STREAM };

ALWAYS int64_t least(int64_t one, int64_t other) {
    return one < other ? one : other;
}

/* out (rows, 64) = one (rows, 2 pairs) x other (2 pairs, 64), or added to it. The two values of a pair are adjacent. In
   `one`, `step` is the distance of pairs and `apart` that of rows; in `other`, each pair has 64 columns. The sum of the
   squares of the result is added to `squares`, unless this is none. */
HALF ALWAYS void tile_of(
    const int rows, const int how, const uint32_t *one, int64_t apart, int64_t step, const uint32_t *other, int64_t pairs,
    float *out, int64_t out_apart, double *squares) {
    __m512 sums[ROWS][4];
#pragma GCC unroll 6
    for (int r = 0; r < rows; r++)
#pragma GCC unroll 4
        for (int c = 0; c < 4; c++)
            sums[r][c] = how == ADD ? _mm512_loadu_ps(out + r * out_apart + 16 * c) : _mm512_setzero_ps();
    for (int64_t k = 0; k < pairs; k++) {
        __m512i columns[4];
#pragma GCC unroll 4
        for (int c = 0; c < 4; c++) columns[c] = _mm512_loadu_si512(other + COLUMNS * k + 16 * c);
#pragma GCC unroll 6
        for (int r = 0; r < rows; r++) {
            const __m512i pair = _mm512_set1_epi32((int)one[r * apart + k * step]);
#pragma GCC unroll 4
            for (int c = 0; c < 4; c++) sums[r][c] = _mm512_dpbf16_ps(sums[r][c], (__m512bh)pair, (__m512bh)columns[c]);
        }
    }
#pragma GCC unroll 6
    for (int r = 0; r < rows; r++)
#pragma GCC unroll 4
        for (int c = 0; c < 4; c++) {
            float *at = out + r * out_apart + 16 * c;
            if (how == STREAM)
                _mm512_stream_ps(at, sums[r][c]);
            else
                _mm512_storeu_ps(at, sums[r][c]);
        }
    if (!squares) return;
    __m512 each[4] = {_mm512_setzero_ps(), _mm512_setzero_ps(), _mm512_setzero_ps(), _mm512_setzero_ps()};
#pragma GCC unroll 6
    for (int r = 0; r < rows; r++)
#pragma GCC unroll 4
        for (int c = 0; c < 4; c++) each[c] = _mm512_fmadd_ps(sums[r][c], sums[r][c], each[c]);
    *squares += _mm512_reduce_add_ps(_mm512_add_ps(_mm512_add_ps(each[0], each[1]), _mm512_add_ps(each[2], each[3])));
}

#define TILES(HOW) \
    for (; rows >= ROWS; rows -= ROWS, one += ROWS * apart, out += ROWS * out_apart) { \
        tile_of(ROWS, HOW, one, apart, step, other, pairs, out, out_apart, squares); \
        for (int64_t line = 0; line < lines; line++, ahead += 64) _mm_prefetch(ahead, _MM_HINT_T1); \
    } \
    switch (rows) { \
        case 5: tile_of(5, HOW, one, apart, step, other, pairs, out, out_apart, squares); break; \
        case 4: tile_of(4, HOW, one, apart, step, other, pairs, out, out_apart, squares); break; \
        case 3: tile_of(3, HOW, one, apart, step, other, pairs, out, out_apart, squares); break; \
        case 2: tile_of(2, HOW, one, apart, step, other, pairs, out, out_apart, squares); break; \
        case 1: tile_of(1, HOW, one, apart, step, other, pairs, out, out_apart, squares); break; \
    }

/* The same for any number of rows; meanwhile `bytes` bytes at `next`, which are needed next, are prefetched. */
static HALF void product(
    int how, int64_t rows, const uint32_t *one, int64_t apart, int64_t step, const uint32_t *other, int64_t pairs, float *out,
    int64_t out_apart, double *squares, const void *next, int64_t bytes) {
    const int64_t lines = bytes / 64 / (rows / ROWS + 1) + 1;
    const char *ahead = next;
    if (how == STORE) {
        TILES(STORE)
    } else if (how == ADD) {
        TILES(ADD)
    } else {
        TILES(STREAM)
    }
}

/* e^x for x <= 0 with a relative error of about 2e-7, clamped at x = -87: x = n log 2 + r, and e^r by its series. */
HALF ALWAYS __m512 power(__m512 x) {
    x = _mm512_max_ps(_mm512_set1_ps(-87), x); /* returns the second operand if it is NaN */
    const __m512 n = _mm512_roundscale_ps(_mm512_mul_ps(x, _mm512_set1_ps(1.44269504f)), 8);
    const __m512 r = _mm512_fnmadd_ps(n, _mm512_set1_ps(0.693147181f), x);
    __m512 sum = _mm512_set1_ps(1.f / 720);
    sum = _mm512_fmadd_ps(sum, r, _mm512_set1_ps(1.f / 120));
    sum = _mm512_fmadd_ps(sum, r, _mm512_set1_ps(1.f / 24));
    sum = _mm512_fmadd_ps(sum, r, _mm512_set1_ps(1.f / 6));
    sum = _mm512_fmadd_ps(sum, r, _mm512_set1_ps(0.5f));
    sum = _mm512_fmadd_ps(sum, r, _mm512_set1_ps(1));
    sum = _mm512_fmadd_ps(sum, r, _mm512_set1_ps(1));
    return _mm512_scalef_ps(sum, n);
}

HALF ALWAYS __m512 from_bf16(__m256i halves) {
    return (__m512)_mm512_slli_epi32(_mm512_cvtepu16_epi32(halves), 16);
}

/* Two rows (width) of bf16 as pairs, in panels of 64 columns that are `apart` pairs apart; zeros where a row is missing. */
static void pair_up(const uint16_t *even, const uint16_t *odd, int64_t width, uint32_t *out, int64_t apart) {
    for (int64_t i = 0; i < width; i += 16) {
        const Words low = even ? __builtin_convertvector(*(const Halves *)(even + i), Words) : (Words){0};
        const Words high = odd ? __builtin_convertvector(*(const Halves *)(odd + i), Words) : (Words){0};
        _mm512_storeu_si512(out + i / COLUMNS * apart + i % COLUMNS, (__m512i)(low | high << 16));
    }
}

/* Computes the logits of a block of words for all tokens; from them, for each token, the largest and the sum of
   exp(logit - largest), and `shares`; for tokens with a target in the block, `losses` = -logit of the target. */
static HALF void forward(const Loss *p, int64_t block) {
    float logits[WORDS * COLUMNS];
    const int64_t first = block * WORDS, words = least(WORDS, p->count - first);
    const int64_t share = WORDS * p->width / (p->padded / COLUMNS); /* of the next block, for each panel */
    for (int64_t from = 0; from < p->padded; from += COLUMNS) {
        product(
            STORE, words, (const uint32_t *)p->words + first * p->width / 2, p->width / 2, 1,
            p->x_columns + from * p->width / 2, p->width / 2, logits, COLUMNS, 0,
            p->words + (first + WORDS) * p->width + from / COLUMNS * share, 2 * share);
        for (int64_t n = 0; n < COLUMNS; n += 16) {
            __m512 largest = _mm512_set1_ps(-FLT_MAX), sum = _mm512_setzero_ps();
            for (int64_t w = 0; w < words; w++) largest = _mm512_max_ps(_mm512_loadu_ps(logits + w * COLUMNS + n), largest);
            for (int64_t w = 0; w < words; w++) {
                const __m512 share = power(_mm512_sub_ps(_mm512_loadu_ps(logits + w * COLUMNS + n), largest));
                sum = _mm512_add_ps(sum, share);
                uint16_t *at = p->shares + (first + w) * p->padded + from + n;
                if (p->shares) _mm256_storeu_si256((__m256i *)at, (__m256i)_mm512_cvtneps_pbh(share));
            }
            _mm512_storeu_ps(p->largest + block * p->padded + from + n, largest);
            _mm512_storeu_ps(p->sums + block * p->padded + from + n, sum);
        }
        for (int64_t n = from; n < least(from + COLUMNS, p->rows); n++) {
            const int64_t word = p->targets[n] - first;
            if (word >= 0 && word < words) p->losses[n] = -logits[word * COLUMNS + n - from];
        }
    }
}

/* Combines the largest and the sums of all blocks to the losses, and writes the factor of each block's shares to
   `largest`. */
static void put_together(const Loss *p, int64_t blocks, int64_t n) {
    Floats largest = -FLT_MAX - (Floats){0}, sum = {0};
    for (int64_t b = 0; b < blocks; b++) largest = larger(*(Floats *)(p->largest + b * p->padded + n), largest);
    for (int64_t b = 0; b < blocks; b++) {
        Floats *of_block = (Floats *)(p->largest + b * p->padded + n);
        *of_block = exponential(*of_block - largest);
        sum += *(Floats *)(p->sums + b * p->padded + n) * *of_block;
    }
    Floats by = p->scale / sum;
    for (int j = 0; j < 16; j++)
        if (n + j < p->rows)
            p->losses[n + j] += logf(sum[j]) + largest[j];
        else
            by[j] = 0;
    for (int64_t b = 0; b < blocks; b++) *(Floats *)(p->largest + b * p->padded + n) *= by;
}

/* Computes the gradient of a block's words from the gradient of its logits, and adds to `grad_x` (padded, width). */
static HALF void backward(
    const Loss *p, int64_t block, uint16_t *rows, uint32_t *pairs, uint32_t *words, float *grad_x, double *squares) {
    const int64_t first = block * WORDS, count = least(WORDS, p->count - first);
    const float *by = p->largest + block * p->padded;
    if (count % 2) memset(rows + count * p->padded, 0, p->padded * sizeof *rows);
    for (int64_t w = 0; w < count; w++)
        for (int64_t n = 0; n < p->padded; n += 16) {
            const __m256i of_block = _mm256_loadu_si256((const __m256i *)(p->shares + (first + w) * p->padded + n));
            const __m512 grad = _mm512_mul_ps(from_bf16(of_block), _mm512_loadu_ps(by + n));
            _mm256_storeu_si256((__m256i *)(rows + w * p->padded + n), (__m256i)_mm512_cvtneps_pbh(grad));
        }
    for (int64_t n = 0; n < p->rows; n++) {
        const int64_t word = p->targets[n] - first;
        if (word >= 0 && word < count) put(BF16, rows, word * p->padded + n, 1, expm1f(-p->losses[n]) * p->scale - (Floats){0});
    }
    const int how = p->add ? ADD : (uintptr_t)p->grad_words % 64 ? STORE : STREAM;
    for (int64_t at = 0; p->grad_words && at < p->width; at += COLUMNS)
        product(
            how, count, (const uint32_t *)rows, p->padded / 2, 1, p->x_rows + at * p->padded / 2, p->padded / 2,
            p->grad_words + first * p->width + at, p->width, squares,
            p->words + (first + WORDS) * p->width + at * WORDS, 2 * COLUMNS * WORDS);
    if (!grad_x) return;
    const int64_t twos = (count + 1) / 2, share = WORDS * p->padded / (p->width / COLUMNS);
    for (int64_t k = 0; k < twos; k++) {
        const uint16_t *each = p->words + (first + 2 * k) * p->width, *next = 2 * k + 1 < count ? each + p->width : 0;
        pair_up(each, next, p->width, words + COLUMNS * k, COLUMNS * twos);
        pair_up(rows + 2 * k * p->padded, rows + (2 * k + 1) * p->padded, p->padded, pairs + k * p->padded, COLUMNS);
    }
    for (int64_t at = 0; at < p->width; at += COLUMNS)
        product(ADD, p->rows, pairs, 1, p->padded, words + at * twos, twos, grad_x + at, p->width, 0,
            p->shares + (first + WORDS) * p->padded + at / COLUMNS * share, 2 * share);
}

/* Computes the gradients of all words of one part, and its contribution to the gradient of x. */
static void backward_part(const Loss *p, int64_t blocks, int64_t part, uint32_t *scratch) {
    float *grad_x = p->grad_x ? p->parts + part * p->padded * p->width : 0;
    if (grad_x) memset(grad_x, 0, p->padded * p->width * sizeof *grad_x);
    p->squares[part] = 0;
    uint16_t *rows = (uint16_t *)scratch; /* (WORDS, padded), followed by its pairs and the pairs of the words */
    uint32_t *pairs = scratch + WORDS / 2 * p->padded, *words = pairs + WORDS / 2 * p->padded;
    for (int64_t block = part * blocks / PARTS; block < (part + 1) * blocks / PARTS; block++)
        backward(p, block, rows, pairs, words, grad_x, p->squares + part);
}

void gpt2_linear_loss(const Loss *p, uint32_t *scratch) {
    int64_t sizes[3];
    gpt2_linear_loss_sizes(p->padded, p->width, p->count, sizes);
    const int64_t blocks = sizes[0] / p->padded;
#pragma omp parallel num_threads(threads_for(p->threads, p->rows * p->count))
    {
        uint32_t *own = scratch + omp_get_thread_num() * sizes[2];
#pragma omp for schedule(static)
        for (int64_t n = 0; n < p->padded; n += 2) {
            const uint16_t *even = n < p->rows ? p->x + n * p->width : 0, *odd = n + 1 < p->rows ? even + p->width : 0;
            pair_up(even, odd, p->width, p->x_rows + COLUMNS * (n / 2), COLUMNS * (p->padded / 2));
            uint32_t *columns = p->x_columns + n / COLUMNS * COLUMNS * p->width / 2 + n % COLUMNS;
            for (int64_t k = 0; k < p->width / 2; k++) {
                columns[COLUMNS * k] = even ? ((const uint32_t *)even)[k] : 0;
                columns[COLUMNS * k + 1] = odd ? ((const uint32_t *)odd)[k] : 0;
            }
        }
#pragma omp for schedule(dynamic)
        for (int64_t block = 0; block < blocks; block++) forward(p, block);
#pragma omp for schedule(static)
        for (int64_t n = 0; n < p->padded; n += 16) put_together(p, blocks, n);
        if (p->shares) {
#pragma omp for schedule(dynamic)
            for (int64_t part = 0; part < PARTS; part++) backward_part(p, blocks, part, own);
        }
        if (p->grad_x) {
#pragma omp for schedule(static)
            for (int64_t n = 0; n < p->rows; n++)
                for (int64_t i = n * p->width; i < (n + 1) * p->width; i += 16) {
                    Floats sum = {0};
                    for (int64_t part = 0; part < PARTS; part++)
                        sum += *(const Floats *)(p->parts + part * p->padded * p->width + i);
                    *(Floats *)(p->grad_x + i) = sum;
                }
        }
    }
}

#else

void gpt2_linear_loss(const Loss *p, uint32_t *scratch) {
    (void)p, (void)scratch;
}

#endif

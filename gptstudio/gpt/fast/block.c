/* Transformer block for training: everything between its products with weights, in few passes over memory.
   native_block.py calls these functions. Activations are float32 or bf16 (`kind`); input and output of a block are
   float32. Letters as in model.py; rows are the N = B * T tokens.

   The order of all sums is independent of the number of threads: sums over all tokens are computed for parts of PART
   tokens first. */

#include <math.h>
#include <omp.h>

#include "vectors.h"

#define PART 16
#define BLOCK 32 /* number of queries whose attention is computed at once */
#define TALL 4   /* TALL rows and BROAD vectors of a product are in registers */
#define BROAD 2

typedef int16_t Shorts __attribute__((vector_size(2 * WIDE), aligned(2)));
typedef int32_t Ints __attribute__((vector_size(4 * WIDE)));

/* Dropout: a value is kept if its 16 random bits are not below `least`, and then multiplied by `by`. */
typedef struct {
    const int16_t *bits; /* none: all values are kept */
    int32_t least;
    float by;
} Dropout;

/* WIDE factors of dropout from `at` on: `by` or zero. */
ALWAYS Floats factors(const Dropout *drop, int64_t at, int64_t left) {
    if (!drop->bits) return 1.f - (Floats){0};
    Shorts bits = {0};
    if (left >= WIDE)
        bits = *(const Shorts *)(drop->bits + at);
    else
        memcpy(&bits, drop->bits + at, left * sizeof(int16_t));
    const Ints is_kept = __builtin_convertvector(bits, Ints) >= drop->least;
    return (Floats)((Words)is_kept & (Words)(drop->by - (Floats){0}));
}

typedef struct {
    int64_t kind, rows, width, threads;
} Shape;

/* sums = inputs + dropout(added + bias), then norm = (sums - mean) / deviation * scale + shift, row by row. Without
   `added`, only the norm of the inputs; without `norm`, only the sums. `stats`: mean and 1 / deviation of each row. */
void gpt2_add_norm(
    const Shape *shape, const float *inputs, const void *added, const float *bias, const Dropout *drop, float *sums,
    const float *scale, const float *shift, void *norm, float *stats) {
    const int64_t kind = shape->kind, width = shape->width;
#pragma omp parallel for num_threads(threads_for(shape->threads, shape->rows * width)) schedule(static)
    for (int64_t row = 0; row < shape->rows; row++) {
        const int64_t from = row * width;
        const float *values = inputs + from;
        if (added) {
            for (int64_t i = 0; i < width; i += WIDE) {
                const int64_t at = from + i, left = width - i;
                const Floats each = values_at(kind, added, at, left, 0) + vector(bias + i, left);
                put(FP32, sums, at, left, plus_product(vector(inputs + at, left), each, factors(drop, at, left)));
            }
            values = sums + from;
        }
        if (!norm) continue;
        Floats sum = {0}, squares = {0};
        for (int64_t i = 0; i < width; i += WIDE) sum += vector(values + i, width - i);
        const float mean = total(sum) / (float)width;
        for (int64_t i = 0; i < width; i += WIDE) {
            const Floats each = values_at(FP32, values, i, width - i, mean) - mean;
            squares = plus_product(squares, each, each);
        }
        const float by = 1 / sqrtf(total(squares) / (float)width + 1e-5f);
        for (int64_t i = 0; i < width; i += WIDE) {
            const int64_t left = width - i;
            const Floats each = (vector(values + i, left) - mean) * by;
            put(kind, norm, from + i, left, plus_product(vector(shift + i, left), each, vector(scale + i, left)));
        }
        stats[2 * row] = mean;
        stats[2 * row + 1] = by;
    }
}

/* Sums `count` rows of `width` columns, (count, width), to one row. */
static void add_up(const float *parts, int64_t count, int64_t width, int64_t threads, float *sums) {
#pragma omp parallel for num_threads(threads_for(threads, count * width)) schedule(static)
    for (int64_t i = 0; i < width; i += WIDE) {
        Floats sum = {0};
        for (int64_t part = 0; part < count; part++) sum += vector(parts + part * width + i, width - i);
        put(FP32, sums, i, width - i, sum);
    }
}

ALWAYS void add_to(float *sums, int64_t at, int64_t left, Floats each) {
    put(FP32, sums, at, left, vector(sums + at, left) + each);
}

/* Backward pass of gpt2_add_norm. `grad` is the gradient of the sums; with `grad_norm`, the gradient through the norm
   is
   added and the result written to `grad_sums`. With `grad_added`, the gradient of `added` is this, multiplied by the
   factors of dropout. `grad_vectors` (3, width): gradients of scale, shift and bias; parts: (rows / PART, 3, width). */
void gpt2_add_norm_backward(
    const Shape *shape, const float *grad, const void *grad_norm, const float *sums, const float *stats,
    const float *scale, float *grad_sums, const Dropout *drop, void *grad_added, float *parts, float *grad_vectors) {
    const int64_t kind = shape->kind, width = shape->width, count = (shape->rows + PART - 1) / PART;
#pragma omp parallel for num_threads(threads_for(shape->threads, shape->rows * width)) schedule(static)
    for (int64_t part = 0; part < count; part++) {
        float *own = parts + part * 3 * width;
        memset(own, 0, 3 * width * sizeof *own);
        const int64_t end = part * PART + PART < shape->rows ? part * PART + PART : shape->rows;
        for (int64_t row = part * PART; row < end; row++) {
            const int64_t from = row * width;
            const float *of_sums = grad + from;
            if (grad_norm) {
                const float mean = stats[2 * row], by = stats[2 * row + 1];
                Floats means = {0}, slopes = {0};
                for (int64_t i = 0; i < width; i += WIDE) {
                    const int64_t at = from + i, left = width - i;
                    const Floats each = (vector(sums + at, left) - mean) * by;
                    const Floats g = values_at(kind, grad_norm, at, left, 0);
                    add_to(own, i, left, g * each);
                    add_to(own, width + i, left, g);
                    means += g * vector(scale + i, left);
                    slopes = plus_product(slopes, g * vector(scale + i, left), each);
                }
                const float mean_grad = total(means) / (float)width, slope = total(slopes) / (float)width;
                for (int64_t i = 0; i < width; i += WIDE) {
                    const int64_t at = from + i, left = width - i;
                    const Floats each = (vector(sums + at, left) - mean) * by;
                    const Floats g = values_at(kind, grad_norm, at, left, 0) * vector(scale + i, left);
                    put(FP32, grad_sums, at, left, vector(grad + at, left) + (g - mean_grad - each * slope) * by);
                }
                of_sums = grad_sums + from;
            }
            if (!grad_added) continue;
            for (int64_t i = 0; i < width; i += WIDE) {
                const int64_t left = width - i;
                const Floats each = vector(of_sums + i, left) * factors(drop, from + i, left);
                put(kind, grad_added, from + i, left, each);
                add_to(own, 2 * width + i, left, each);
            }
        }
    }
    add_up(parts, count, 3 * width, shape->threads, grad_vectors);
}

#define TWICE_ROOT 1.5957691216f /* 2 sqrt(2 / pi) */
#define CUBIC 0.044715f

/* 1 / (1 + e^-t) with t = 2 sqrt(2 / pi) (x + 0.044715 x^3); GELU (tanh approximation) is x times this. */
ALWAYS Floats gate(Floats x) {
    const Floats t = x * TWICE_ROOT * (1.f + CUBIC * x * x);
    const Words is_negative = (Words)(t < 0.f);
    const Floats power = exponential((Floats)((Words)t | 0x80000000));
    const Floats top = (Floats)((is_negative & (Words)power) | (~is_negative & (Words)(1.f - (Floats){0})));
    return top / (1.f + power);
}

/* inputs += bias, then outputs = GELU(inputs); both are (rows, width) and may be the same memory. */
void gpt2_gelu(const Shape *shape, void *inputs, const float *bias, void *outputs) {
    const int64_t kind = shape->kind, width = shape->width;
#pragma omp parallel for num_threads(threads_for(shape->threads, shape->rows * width)) schedule(static)
    for (int64_t row = 0; row < shape->rows; row++)
        for (int64_t i = 0; i < width; i += WIDE) {
            const int64_t at = row * width + i, left = width - i;
            const Floats x = values_at(kind, inputs, at, left, 0) + vector(bias + i, left);
            put(kind, inputs, at, left, x);
            put(kind, outputs, at, left, x * gate(x));
        }
}

/* Replaces the gradient of GELU's outputs by the gradient of its inputs; grad_bias (width); parts: (rows / PART,
   width). */
void gpt2_gelu_backward(const Shape *shape, const void *inputs, void *grad, float *parts, float *grad_bias) {
    const int64_t kind = shape->kind, width = shape->width, count = (shape->rows + PART - 1) / PART;
#pragma omp parallel for num_threads(threads_for(shape->threads, shape->rows * width)) schedule(static)
    for (int64_t part = 0; part < count; part++) {
        float *own = parts + part * width;
        memset(own, 0, width * sizeof *own);
        const int64_t end = part * PART + PART < shape->rows ? part * PART + PART : shape->rows;
        for (int64_t row = part * PART; row < end; row++)
            for (int64_t i = 0; i < width; i += WIDE) {
                const int64_t at = row * width + i, left = width - i;
                const Floats x = values_at(kind, inputs, at, left, 0), share = gate(x);
                const Floats slope = TWICE_ROOT * (1.f + 3 * CUBIC * x * x);
                const Floats each = values_at(kind, grad, at, left, 0) * (share + x * share * (1.f - share) * slope);
                put(kind, grad, at, left, each);
                add_to(own, i, left, each);
            }
    }
    add_up(parts, count, width, shape->threads, grad_bias);
}

/* Tile of a product, `tall` rows by `broad` vectors: out = a b, or out += a b with `adds`. */
ALWAYS void tile(
    float *out, int64_t out_row, const float *a, int64_t a_row, int64_t a_column, const float *b, int64_t b_row,
    int64_t depth, int adds, const int tall, const int broad) {
    Floats sums[TALL][BROAD];
    for (int i = 0; i < tall; i++)
        for (int j = 0; j < broad; j++) sums[i][j] = adds ? *(const Floats *)(out + i * out_row + j * WIDE) : (Floats){0};
    for (int64_t k = 0; k < depth; k++)
        for (int i = 0; i < tall; i++)
            for (int j = 0; j < broad; j++)
                sums[i][j] = plus_product(
                    sums[i][j], a[i * a_row + k * a_column] - (Floats){0}, *(const Floats *)(b + k * b_row + j * WIDE));
    for (int i = 0; i < tall; i++)
        for (int j = 0; j < broad; j++) *(Floats *)(out + i * out_row + j * WIDE) = sums[i][j];
}

/* out (rows, columns) = a (rows, depth) b (depth, columns), or out += a b with `adds`; columns: a multiple of WIDE. */
static void multiply(
    float *out, int64_t out_row, const float *a, int64_t a_row, int64_t a_column, const float *b, int64_t b_row,
    int64_t rows, int64_t columns, int64_t depth, int adds) {
    for (int64_t j = 0; j < columns;) {
        const int is_broad = columns - j >= BROAD * WIDE;
        for (int64_t i = 0; i < rows;) {
            float *to = out + i * out_row + j;
            const float *from = a + i * a_row, *with = b + j;
            const int is_tall = rows - i >= TALL;
            if (is_tall && is_broad)
                tile(to, out_row, from, a_row, a_column, with, b_row, depth, adds, TALL, BROAD);
            else if (is_tall)
                tile(to, out_row, from, a_row, a_column, with, b_row, depth, adds, TALL, 1);
            else if (is_broad)
                tile(to, out_row, from, a_row, a_column, with, b_row, depth, adds, 1, BROAD);
            else
                tile(to, out_row, from, a_row, a_column, with, b_row, depth, adds, 1, 1);
            i += is_tall ? TALL : 1;
        }
        j += is_broad ? BROAD * WIDE : WIDE;
    }
}

typedef struct {
    int64_t kind, batch, tokens, heads, dim, threads;
} Heads;

ALWAYS int64_t padded(int64_t length) { return (length + WIDE - 1) / WIDE * WIDE; }

/* Copies the vectors of one head, multiplied by `by`: (tokens, dim), with rows padded with zeros. */
static void take(const Heads *h, const void *from, int64_t row, int64_t tokens, float by, float *to) {
    const int64_t wide = padded(h->dim);
    for (int64_t t = 0; t < tokens; t++)
        for (int64_t i = 0; i < h->dim; i += WIDE)
            *(Floats *)(to + t * wide + i) = values_at(h->kind, from, t * row + i, h->dim - i, 0) * by;
}

static void store(const Heads *h, const float *from, float by, int64_t row, int64_t tokens, void *to) {
    const int64_t wide = padded(h->dim);
    for (int64_t t = 0; t < tokens; t++)
        for (int64_t i = 0; i < h->dim; i += WIDE)
            put(h->kind, to, t * row + i, h->dim - i, *(const Floats *)(from + t * wide + i) * by);
}

/* (tokens, dim) -> (dim, tokens), both with padded rows. */
static void transpose(const Heads *h, const float *from, float *to) {
    const int64_t wide = padded(h->dim), across = padded(h->tokens);
    for (int64_t i = 0; i < h->dim; i++)
        for (int64_t t = 0; t < h->tokens; t++) to[i * across + t] = from[t * wide + i];
}

/* Mask of the WIDE column numbers from `j` on that are not above `last`. */
ALWAYS Words up_to(int64_t j, int64_t last) {
    Ints columns;
    for (int i = 0; i < WIDE; i++) columns[i] = (int32_t)(j + i);
    return (Words)(columns <= (int32_t)last);
}

ALWAYS const char *moved(int64_t kind, const void *from, int64_t values) {
    return (const char *)from + values * (kind == FP32 ? 4 : 2);
}

/* Number of floats that a thread needs for gpt2_attention and its backward pass. */
int64_t gpt2_attention_scratch(const Heads *h) {
    const int64_t wide = padded(h->dim), across = padded(h->tokens);
    return 4 * h->tokens * wide + wide * across + BLOCK * (2 * across + 3 * wide);
}

/* Causal attention: queries, keys and values of all heads, qkv (N, 3D), -> out (N, D). If given, `weights` (B, H, T, T)
   gets the attention weights, negated where dropped; it is not written above the diagonal. */
void gpt2_attention(const Heads *h, const void *qkv, const Dropout *drop, void *weights, void *out, float *scratch) {
    const int64_t T = h->tokens, dim = h->dim, D = h->heads * dim, wide = padded(dim), across = padded(T);
    const float scale = 1 / sqrtf((float)dim);
#pragma omp parallel num_threads(threads_for(h->threads, h->batch * h->heads * T * T))
    {
        float *keys = scratch + omp_get_thread_num() * gpt2_attention_scratch(h);
        float *values = keys + T * wide, *turned = values + T * wide, *queries = turned + wide * across;
        float *made = queries + BLOCK * wide, *scores = made + BLOCK * wide;
#pragma omp for schedule(dynamic)
        for (int64_t n = 0; n < h->batch * h->heads; n++) {
            const char *own = moved(h->kind, qkv, n / h->heads * T * 3 * D + n % h->heads * dim);
            take(h, moved(h->kind, own, D), 3 * D, T, 1, keys);
            take(h, moved(h->kind, own, 2 * D), 3 * D, T, 1, values);
            transpose(h, keys, turned);
            for (int64_t first = 0; first < T; first += BLOCK) {
                const int64_t rows = first + BLOCK < T ? BLOCK : T - first, seen = first + rows;
                take(h, moved(h->kind, own, first * 3 * D), 3 * D, rows, scale, queries);
                multiply(scores, across, queries, wide, 1, turned, across, rows, padded(seen), dim, 0);
                for (int64_t i = 0; i < rows; i++) {
                    float *row = scores + i * across;
                    const int64_t last = first + i, place = (n * T + last) * T;
                    Floats most = -INFINITY - (Floats){0}, sums = {0};
                    for (int64_t j = 0; j < padded(seen); j += WIDE) {
                        const Words is_seen = up_to(j, last);
                        const Words away = ~is_seen & (Words)(-INFINITY - (Floats){0});
                        const Floats each = (Floats)(((Words)*(Floats *)(row + j) & is_seen) | away);
                        *(Floats *)(row + j) = each;
                        most = larger(each, most);
                    }
                    float largest = most[0];
                    for (int j = 1; j < WIDE; j++) largest = most[j] > largest ? most[j] : largest;
                    for (int64_t j = 0; j < padded(seen); j += WIDE) {
                        const Floats each = exponential(*(Floats *)(row + j) - largest);
                        *(Floats *)(row + j) = each;
                        sums += each;
                    }
                    const float share = 1 / total(sums);
                    for (int64_t j = 0; j < padded(seen); j += WIDE) {
                        const int64_t left = last + 1 - j;
                        const Floats each = *(Floats *)(row + j) * share;
                        if (left <= 0) continue; /* zero already */
                        const Floats by = factors(drop, place + j, left);
                        const Words is_away = (Words)(by == 0.f) & 0x80000000;
                        if (weights) put(h->kind, weights, place + j, left, (Floats)((Words)each | is_away));
                        *(Floats *)(row + j) = each * by;
                    }
                }
                multiply(made, wide, scores, across, 1, values, wide, rows, wide, seen, 0);
                store(h, made, 1, D, rows, (void *)moved(h->kind, out, (n / h->heads * T + first) * D + n % h->heads * dim));
            }
        }
    }
}

/* Backward pass of gpt2_attention: gradient of qkv (N, 3D) from the gradient of the output (N, D). */
void gpt2_attention_backward(
    const Heads *h, const void *qkv, const void *weights, float by, const void *grad, void *grad_qkv, float *scratch) {
    const int64_t T = h->tokens, dim = h->dim, D = h->heads * dim, wide = padded(dim), across = padded(T);
    const float scale = 1 / sqrtf((float)dim);
#pragma omp parallel num_threads(threads_for(h->threads, h->batch * h->heads * T * T))
    {
        float *keys = scratch + omp_get_thread_num() * gpt2_attention_scratch(h);
        float *values = keys + T * wide, *of_keys = values + T * wide, *of_values = of_keys + T * wide;
        float *turned = of_values + T * wide, *queries = turned + wide * across, *given = queries + BLOCK * wide;
        float *made = given + BLOCK * wide, *shares = made + BLOCK * wide, *scores = shares + BLOCK * across;
#pragma omp for schedule(dynamic)
        for (int64_t n = 0; n < h->batch * h->heads; n++) {
            const int64_t begin = n / h->heads * T, of_head = n % h->heads * dim;
            const char *own = moved(h->kind, qkv, begin * 3 * D + of_head);
            char *to = (char *)moved(h->kind, grad_qkv, begin * 3 * D + of_head);
            take(h, moved(h->kind, own, D), 3 * D, T, 1, keys);
            take(h, moved(h->kind, own, 2 * D), 3 * D, T, 1, values);
            transpose(h, values, turned);
            memset(of_keys, 0, 2 * T * wide * sizeof *of_keys);
            for (int64_t first = 0; first < T; first += BLOCK) {
                const int64_t rows = first + BLOCK < T ? BLOCK : T - first, seen = first + rows;
                take(h, moved(h->kind, own, first * 3 * D), 3 * D, rows, scale, queries);
                take(h, moved(h->kind, grad, (begin + first) * D + of_head), D, rows, 1, given);
                multiply(scores, across, given, wide, 1, turned, across, rows, padded(seen), dim, 0);
                for (int64_t i = 0; i < rows; i++) {
                    float *of_row = scores + i * across, *share = shares + i * across;
                    const int64_t last = first + i, place = (n * T + last) * T;
                    Floats sums = {0};
                    for (int64_t j = 0; j < padded(seen); j += WIDE) {
                        const int64_t left = last + 1 - j;
                        Floats signed_ = {0}, each = {0};
                        if (left > 0) {
                            const Words is_seen = up_to(j, last);
                            signed_ = values_at(h->kind, weights, place + j, left, 0);
                            signed_ = (Floats)((Words)signed_ & is_seen);
                            const Words is_kept = ~(Words)((Ints)signed_ < 0) & is_seen;
                            each = (Floats)((Words)(*(Floats *)(of_row + j) * by) & is_kept);
                            *(Floats *)(share + j) = (Floats)((Words)(signed_ * by) & is_kept);
                            signed_ = (Floats)((Words)signed_ & 0x7fffffff);
                        } else
                            *(Floats *)(share + j) = (Floats){0};
                        sums = plus_product(sums, signed_, each);
                        *(Floats *)(of_row + j) = each;
                    }
                    const float mean = total(sums);
                    for (int64_t j = 0; j <= last; j += WIDE) {
                        Floats p = values_at(h->kind, weights, place + j, last + 1 - j, 0);
                        p = (Floats)((Words)p & up_to(j, last) & 0x7fffffff);
                        *(Floats *)(of_row + j) = p * (*(Floats *)(of_row + j) - mean);
                    }
                }
                multiply(made, wide, scores, across, 1, keys, wide, rows, wide, seen, 0);
                store(h, made, scale, 3 * D, rows, (void *)moved(h->kind, to, first * 3 * D));
                multiply(of_keys, wide, scores, 1, across, queries, wide, seen, wide, rows, 1);
                multiply(of_values, wide, shares, 1, across, given, wide, seen, wide, rows, 1);
            }
            store(h, of_keys, 1, 3 * D, T, (void *)moved(h->kind, to, D));
            store(h, of_values, 1, 3 * D, T, (void *)moved(h->kind, to, 2 * D));
        }
    }
}

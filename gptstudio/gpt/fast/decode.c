/* One decoding step of GPT-2 on a processor: one new token of each of B texts in, the logits of the next one out.

   The time of a token is the time to read the weights, so each matrix is read once, in order, by all threads together,
   and everything between two products stays in the cache. Same function as gptstudio/gpt/model.py in evaluation mode;
   see native.py, which fills the structures below. Letters as in model.py: B texts, D width, H heads, C context.

   Each sum is added up in an order that depends neither on the number of threads nor on how the work is divided, so the
   same texts give the same bits. Nothing here is "fast math": what is no number stays so, and the processor's settings
   are left alone. */

#include <math.h>
#include <stdint.h>
#include <string.h>

#ifdef __AVX512F__
#define WIDE 16
#elif defined(__AVX__)
#define WIDE 8
#else
#define WIDE 4
#endif
#define SUMS 4 /* vectors of partial sums of WIDE floats each, so that additions need not wait for each other */
#define AT_ONCE (WIDE * SUMS)
#define ROWS 32    /* outputs that a thread takes at a time */
#define PART 1024  /* int16 products that can be added up in int32: 1024 * 127 * 16383 fits */
#define LARGEST 16383

enum { FP32, BF16, INT8 };

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
    const float *tokens, *positions, *scale, *shift, *mean; /* mean: (D), what was taken out of the output layer, or none */
    const Block *blocks;
    Matrix head;
    int64_t width, heads, layers, context;
    float eps;
} Model;

/* What one thread needs for itself: the inputs of a product, as float and as whole numbers. */
typedef struct {
    float *x;       /* (B, 4D) */
    int16_t *whole; /* (B, 4D) */
    float *step;    /* (B): x is about whole * step */
    float *scores;  /* (C) */
} Own;

typedef float Floats __attribute__((vector_size(4 * WIDE), aligned(4)));
typedef uint32_t Words __attribute__((vector_size(4 * WIDE)));
typedef uint16_t Halves __attribute__((vector_size(2 * WIDE), aligned(2)));
typedef int16_t Shorts __attribute__((vector_size(2 * WIDE)));

#define TO_WHOLE 12582912.f /* 1.5 * 2^23: added to a float near zero, it leaves the nearest whole number in the low bits */
#define WHOLE_ZERO 0x4b400000

/* The next WIDE floats, of which `left` are there. */
static inline Floats vector(const float *from, int64_t left) {
    Floats made = {0};
    if (left >= WIDE) return *(const Floats *)from;
    memcpy(&made, from, left * sizeof *from);
    return made;
}

static inline float total(const Floats *sums) {
    Floats all = (sums[0] + sums[1]) + (sums[2] + sums[3]);
    float one = 0, other = 0;
    for (int j = 0; j < WIDE; j += 2) one += all[j], other += all[j + 1];
    return one + other;
}

static float dot_fp32(const float *w, const float *x, int64_t n) {
    Floats sums[SUMS] = {0};
    int64_t i = 0;
    for (; i + AT_ONCE <= n; i += AT_ONCE)
        for (int j = 0; j < SUMS; j++) sums[j] += *(const Floats *)(w + i + j * WIDE) * *(const Floats *)(x + i + j * WIDE);
    float rest = 0;
    for (; i < n; i++) rest += w[i] * x[i];
    return total(sums) + rest;
}

static inline float of_bf16(uint16_t half) {
    uint32_t bits = (uint32_t)half << 16;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static float dot_bf16(const uint16_t *w, const float *x, int64_t n) {
    Floats sums[SUMS] = {0};
    int64_t i = 0;
    for (; i + AT_ONCE <= n; i += AT_ONCE)
        for (int j = 0; j < SUMS; j++) {
            Words bits = __builtin_convertvector(*(const Halves *)(w + i + j * WIDE), Words) << 16;
            sums[j] += (Floats)bits * *(const Floats *)(x + i + j * WIDE);
        }
    float rest = 0;
    for (; i < n; i++) rest += of_bf16(w[i]) * x[i];
    return total(sums) + rest;
}

static float dot_int8(const int8_t *w, const int16_t *x, int64_t n) {
    float sum = 0;
    for (int64_t begin = 0; begin < n; begin += PART) {
        int64_t end = begin + PART < n ? begin + PART : n;
        int32_t part = 0;
        for (int64_t i = begin; i < end; i++) part += (int32_t)(int16_t)w[i] * (int32_t)x[i];
        sum += (float)part;
    }
    return sum;
}

/* The outputs from `begin` to `end` of a product for each of B inputs, to `out` (B, outs), added to `before`. */
static void product(
    const Matrix *m, const Own *own, int64_t batch, int64_t begin, int64_t end, const float *before, float *out) {
    for (int64_t o = begin; o < end; o++)
        for (int64_t b = 0; b < batch; b++) {
            float sum;
            if (m->kind == FP32)
                sum = dot_fp32((const float *)m->weight + o * m->ins, own->x + b * m->ins, m->ins);
            else if (m->kind == BF16)
                sum = dot_bf16((const uint16_t *)m->weight + o * m->ins, own->x + b * m->ins, m->ins);
            else
                sum = dot_int8((const int8_t *)m->weight + o * m->ins, own->whole + b * m->ins, m->ins) *
                      m->scale[o] * own->step[b];
            sum += m->bias ? m->bias[o] : 0;
            out[b * m->outs + o] = before ? before[b * m->outs + o] + sum : sum;
        }
}

/* Whole numbers for a product with int8 weights: 15 bits of the largest input. If one is no number, none is: the step
   is not. */
static void round_inputs(Own *own, int64_t batch, int64_t n) {
    for (int64_t b = 0; b < batch; b++) {
        const float *x = own->x + b * n;
        uint32_t most_bits = 0; /* of the absolute values, which as whole numbers are in the same order */
        for (int64_t i = 0; i < n; i++) {
            uint32_t bits;
            memcpy(&bits, x + i, sizeof bits);
            bits &= 0x7fffffff;
            most_bits = bits > most_bits ? bits : most_bits;
        }
        float most;
        memcpy(&most, &most_bits, sizeof most);
        float times = most > 0 && isfinite(most) ? LARGEST / most : 0;
        own->step[b] = isfinite(most) ? most / LARGEST : NAN;
        for (int64_t i = 0; i < n; i += WIDE) {
            Floats rounded = vector(x + i, n - i) * times + TO_WHOLE;
            Shorts whole = __builtin_convertvector((Words)rounded - WHOLE_ZERO, Shorts);
            memcpy(own->whole + b * n + i, &whole, (n - i < WIDE ? n - i : WIDE) * sizeof(int16_t));
        }
    }
}

/* The sum of (x - from)^power. */
static float sum_of(const float *x, float from, int power, int64_t n) {
    Floats sums[SUMS] = {0};
    int64_t i = 0;
    for (; i + AT_ONCE <= n; i += AT_ONCE)
        for (int j = 0; j < SUMS; j++) {
            Floats each = *(const Floats *)(x + i + j * WIDE) - from;
            sums[j] += power == 2 ? each * each : each;
        }
    float rest = 0;
    for (; i < n; i++) rest += power == 2 ? (x[i] - from) * (x[i] - from) : x[i] - from;
    return total(sums) + rest;
}

/* Inputs of a product: (B, n), each normalised where there is a scale. */
static void take_inputs(
    Own *own, const float *from, int64_t batch, int64_t n, const float *scale, const float *shift, float eps) {
    for (int64_t b = 0; b < batch; b++) {
        const float *x = from + b * n;
        float *out = own->x + b * n;
        if (!scale) {
            memcpy(out, x, n * sizeof *out);
            continue;
        }
        float mean = sum_of(x, 0, 1, n) / n, inverse = 1 / sqrtf(sum_of(x, mean, 2, n) / n + eps);
        for (int64_t i = 0; i < n; i++) out[i] = (x[i] - mean) * inverse * scale[i] + shift[i];
    }
}

/* e^x to 2e-7 of itself for x <= 0, as 2^whole * 2^rest, the second from its Taylor series; e^-87 below that. */
static inline Floats exp_below_zero(Floats x) {
    Words low = (Words)(x < -87.f);
    x = (Floats)(((Words)x & ~low) | ((Words)(x * 0 - 87) & low));
    Floats turns = x * 1.44269504f, whole = turns + TO_WHOLE, rest = (turns - (whole - TO_WHOLE)) * 0.693147181f;
    Floats power = 1 + rest * (1 + rest * (1.f / 2 + rest * (1.f / 6 + rest * (1.f / 24 + rest * (1.f / 120 + rest / 720)))));
    return power * (Floats)(((Words)whole << 23) + 0x3f800000);
}

/* GELU with the tanh, as GPT-2 has it: x times the logistic function of u. */
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

/* Attention of one head: query (d), keys and values (n, d) -> (d). */
static void attend(
    const float *query, const float *keys, const float *values, float *scores, int64_t n, int64_t d, float *out) {
    float scale = 1 / sqrtf((float)d), most = -INFINITY, sum = 0;
    for (int64_t t = 0; t < n; t++) {
        scores[t] = dot_fp32(query, keys + t * d, d) * scale;
        most = scores[t] > most ? scores[t] : most;
    }
    for (int64_t t = 0; t < n; t += WIDE) {
        Floats each = exp_below_zero(vector(scores + t, n - t) - most);
        memcpy(scores + t, &each, (n - t < WIDE ? n - t : WIDE) * sizeof *scores);
    }
    sum = sum_of(scores, 0, 1, n);
    memset(out, 0, d * sizeof *out);
    for (int64_t t = 0; t < n; t++) {
        float share = scores[t] / sum;
        for (int64_t i = 0; i < d; i++) out[i] += share * values[t * d + i];
    }
}

/* Level of the instructions of this processor for which decode.c is compiled too (x86-64 psABI): 4, 3 or, for any, 0. */
int gpt2_level(void) {
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512cd"))
        return 4;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2")) return 3;
#endif
    return 0;
}

/* Bytes of working memory for gpt2_step. */
int64_t gpt2_memory(int64_t width, int64_t context, int64_t batch, int64_t threads) {
    int64_t own = batch * 4 * width * (sizeof(float) + sizeof(int16_t)) + (batch + context + 64) * sizeof(float);
    return batch * 9 * width * sizeof(float) + threads * (own + 256) + 1024;
}

static char *take(char **memory, int64_t bytes) {
    char *taken = *memory;
    *memory += (bytes + 63) / 64 * 64;
    return taken;
}

/* ids (B): the new tokens, at position `start` of each text. keys, values: for each layer (B, H, C, D/H), of which
   `start` are there; one more is written. logits: (B, vocabulary). */
void gpt2_step(
    const Model *model, const int64_t *ids, int64_t batch, int64_t start, float *const *keys, float *const *values,
    float *logits, char *memory, int64_t threads) {
    const int64_t D = model->width, H = model->heads, d = D / H, C = model->context;
    float *x = (float *)take(&memory, batch * D * sizeof(float));           /* residual stream */
    float *queries = (float *)take(&memory, batch * D * sizeof(float));
    float *new_keys = (float *)take(&memory, batch * D * sizeof(float));
    float *new_values = (float *)take(&memory, batch * D * sizeof(float));
    float *context = (float *)take(&memory, batch * D * sizeof(float));
    float *hidden = (float *)take(&memory, batch * 4 * D * sizeof(float));
    int64_t each = (batch * 4 * D * (sizeof(float) + sizeof(int16_t)) + (batch + C + 64) * sizeof(float) + 192) / 64 * 64;
    for (int64_t b = 0; b < batch; b++)
        for (int64_t i = 0; i < D; i++) x[b * D + i] = model->tokens[ids[b] * D + i] + model->positions[start * D + i];

#pragma omp parallel num_threads((int)threads)
    {
        int number = 0;
#ifdef _OPENMP
        extern int omp_get_thread_num(void);
        number = omp_get_thread_num();
#endif
        char *mine = memory + number * each;
        Own own;
        own.x = (float *)take(&mine, batch * 4 * D * sizeof(float));
        own.whole = (int16_t *)take(&mine, batch * 4 * D * sizeof(int16_t));
        own.step = (float *)take(&mine, batch * sizeof(float));
        own.scores = (float *)mine;
        for (int64_t l = 0; l < model->layers; l++) {
            const Block *block = model->blocks + l;
            const Matrix *three[] = {&block->query, &block->key, &block->value};
            float *outs[] = {queries, new_keys, new_values};
            take_inputs(&own, x, batch, D, block->scale1, block->shift1, model->eps);
            if (block->query.kind == INT8) round_inputs(&own, batch, D);
#pragma omp for schedule(dynamic)
            for (int64_t n = 0; n < 3 * ((D + ROWS - 1) / ROWS); n++) {
                int64_t part = n % 3, begin = n / 3 * ROWS, end = begin + ROWS < D ? begin + ROWS : D;
                product(three[part], &own, batch, begin, end, 0, outs[part]);
            }
#pragma omp for schedule(dynamic)
            for (int64_t n = 0; n < batch * H; n++) {
                float *past_keys = keys[l] + n * C * d, *past_values = values[l] + n * C * d;
                memcpy(past_keys + start * d, new_keys + n * d, d * sizeof(float));
                memcpy(past_values + start * d, new_values + n * d, d * sizeof(float));
                attend(queries + n * d, past_keys, past_values, own.scores, start + 1, d, context + n * d);
            }
            take_inputs(&own, context, batch, D, 0, 0, 0);
            if (block->gather.kind == INT8) round_inputs(&own, batch, D);
#pragma omp for schedule(dynamic)
            for (int64_t begin = 0; begin < D; begin += ROWS)
                product(&block->gather, &own, batch, begin, begin + ROWS < D ? begin + ROWS : D, x, x);
            take_inputs(&own, x, batch, D, block->scale2, block->shift2, model->eps);
            if (block->widen.kind == INT8) round_inputs(&own, batch, D);
#pragma omp for schedule(dynamic)
            for (int64_t begin = 0; begin < 4 * D; begin += ROWS) {
                int64_t end = begin + ROWS < 4 * D ? begin + ROWS : 4 * D;
                product(&block->widen, &own, batch, begin, end, 0, hidden);
                for (int64_t b = 0; b < batch; b++) gelu(hidden + b * 4 * D + begin, end - begin);
            }
            take_inputs(&own, hidden, batch, 4 * D, 0, 0, 0);
            if (block->narrow.kind == INT8) round_inputs(&own, batch, 4 * D);
#pragma omp for schedule(dynamic)
            for (int64_t begin = 0; begin < D; begin += ROWS)
                product(&block->narrow, &own, batch, begin, begin + ROWS < D ? begin + ROWS : D, x, x);
        }
        take_inputs(&own, x, batch, D, model->scale, model->shift, model->eps);
        if (model->head.kind == INT8) round_inputs(&own, batch, D);
        const int64_t V = model->head.outs;
#pragma omp for schedule(dynamic, 8)
        for (int64_t begin = 0; begin < V; begin += ROWS) {
            int64_t end = begin + ROWS < V ? begin + ROWS : V;
            product(&model->head, &own, batch, begin, end, 0, logits);
        }
        if (model->mean)
#pragma omp for
            for (int64_t b = 0; b < batch; b++) {
                float offset = dot_fp32(model->mean, own.x + b * D, D);
                for (int64_t o = 0; o < V; o++) logits[b * V + o] += offset;
            }
    }
}

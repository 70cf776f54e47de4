/* Memory-bound parts of a training step, in one pass each: the loss and its gradient from logits, the norm of the
   gradients, and AdamW's update. kernels.py and gptstudio/training/optimizer.py call them, and implement the same
   functions in torch.

   The order of all sums is independent of the number of threads. NaN and infinity propagate. */

#include <math.h>

#include "vectors.h"

#define PART 32768 /* number of values that a thread processes at a time */

/* Loss of a row of logits; with `gradient`, overwrites them with its gradient: the softmax, minus 1 at the target. */
ALWAYS float loss_of(int64_t kind, void *logits, int64_t words, int64_t target, int64_t gradient) {
    Floats most = -INFINITY - (Floats){0};
    for (int64_t i = 0; i < words; i += WIDE) {
        const Floats each = values_at(kind, logits, i, words - i, -INFINITY);
        most = larger(each, most);
    }
    float largest = most[0];
    for (int j = 1; j < WIDE; j++) largest = most[j] > largest ? most[j] : largest;
    const float at_target = values_at(kind, logits, target, 1, 0)[0];
    Floats sums[2] = {{0}, {0}};
    for (int64_t i = 0, n = 0; i < words; i += WIDE, n++)
        sums[n & 1] += exponential(values_at(kind, logits, i, words - i, -INFINITY) - largest);
    const float sum = total(sums[0] + sums[1]);
    if (gradient) {
        const float share = 1 / sum;
        for (int64_t i = 0; i < words; i += WIDE)
            put(kind, logits, i, words - i, exponential(values_at(kind, logits, i, words - i, -INFINITY) - largest) * share);
        put(kind, logits, target, 1, expf(at_target - largest) * share - 1 - (Floats){0});
    }
    return logf(sum) + largest - at_target;
}

/* logits (rows, words) and targets (rows) -> losses (rows). */
void gpt2_losses(
    int64_t kind, void *logits, const int64_t *targets, float *losses, int64_t rows, int64_t words, int64_t gradient,
    int64_t threads) {
#pragma omp parallel for num_threads(threads_for(threads, rows * words)) schedule(dynamic)
    for (int64_t row = 0; row < rows; row++) {
        if (kind == FP32)
            losses[row] = loss_of(FP32, (float *)logits + row * words, words, targets[row], gradient);
        else
            losses[row] = loss_of(BF16, (uint16_t *)logits + row * words, words, targets[row], gradient);
    }
}

/* Sum of the squares of `count` values, computed in parts of PART values. */
double gpt2_squares(const float *values, int64_t count, double *parts, int64_t threads) {
    const int64_t many = (count + PART - 1) / PART;
#pragma omp parallel for num_threads(threads_for(threads, count)) schedule(static)
    for (int64_t part = 0; part < many; part++) {
        const int64_t end = part * PART + PART < count ? part * PART + PART : count;
        double sum = 0;
        for (int64_t from = part * PART; from < end; from += 32 * WIDE) {
            Floats sums = {0};
            const int64_t to = from + 32 * WIDE < end ? from + 32 * WIDE : end;
            for (int64_t i = from; i < to; i += WIDE) {
                const Floats each = vector(values + i, to - i);
                sums = plus_product(sums, each, each);
            }
            sum += total(sums);
        }
        parts[part] = sum;
    }
    double sum = 0;
    for (int64_t part = 0; part < many; part++) sum += parts[part];
    return sum;
}

ALWAYS Floats root(Floats values) {
#if defined(__AVX512F__)
    return (Floats)_mm512_sqrt_ps((__m512)values);
#elif defined(__FMA__)
    return (Floats)_mm256_sqrt_ps((__m256)values);
#else
    for (int j = 0; j < WIDE; j++) values[j] = sqrtf(values[j]);
    return values;
#endif
}

typedef struct {
    float *weight, *mean, *square; /* (rows, width): the parameter and its two moments */
    uint16_t *half;                /* (rows, width): the updated parameter in bf16, or none */
    const float *grad;             /* (rows, width), or (count, width) of the rows `touched`, in order */
    const int64_t *touched;        /* (count), or none: all rows */
    uint8_t *moved;                /* (rows), or none: 0 for a row whose moments are all zero */
    int64_t rows, width, count;
    float step, keep, new1, beta2, new2, by, eps; /* rate / (1 - beta1^t), 1 - rate * decay, 1 - beta1, beta2,
                                                     1 - beta2, 1 / sqrt(1 - beta2^t) and epsilon, after t steps */
} Parameter;

static void update(const Parameter *p, int64_t begin, int64_t count, const float *grad) {
    for (int64_t i = 0; i < count; i += WIDE) {
        const int64_t at = begin + i, left = count - i;
        const Floats g = grad ? vector(grad + i, left) : (Floats){0};
        Floats m = vector(p->mean + at, left), v = vector(p->square + at, left), w = vector(p->weight + at, left);
        m = plus_product(m, g - m, p->new1 - (Floats){0});
        v = plus_product(v * p->beta2, g * p->new2, g);
        const Floats slope = plus_product(p->eps - (Floats){0}, root(v), p->by - (Floats){0});
        w = plus_product(m * -p->step / slope, w, p->keep - (Floats){0});
        put(FP32, p->mean, at, left, m);
        put(FP32, p->square, at, left, v);
        put(FP32, p->weight, at, left, w);
        if (p->half) put(BF16, p->half, at, left, w);
    }
}

/* Update of a row whose moments and gradient are zero: only weight decay. */
static void decay(const Parameter *p, int64_t begin, int64_t count) {
    for (int64_t i = 0; i < count; i += WIDE) {
        const Floats w = vector(p->weight + begin + i, count - i) * p->keep;
        put(FP32, p->weight, begin + i, count - i, w);
        if (p->half) put(BF16, p->half, begin + i, count - i, w);
    }
}

/* Index of the first of the sorted `touched` that is not below `row`. */
static int64_t first_at(const Parameter *p, int64_t row) {
    int64_t low = 0, high = p->count;
    while (low < high) {
        const int64_t middle = (low + high) / 2;
        if (p->touched[middle] < row)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* A step of AdamW (Loshchilov and Hutter, 2019) for several parameters. */
void gpt2_adamw(const Parameter *parameters, int64_t count, int64_t threads) {
    for (int64_t n = 0; n < count; n++) {
        const Parameter *p = parameters + n;
        if (!p->touched) {
            const int64_t values = p->rows * p->width;
#pragma omp parallel for num_threads(threads_for(threads, values)) schedule(static)
            for (int64_t begin = 0; begin < values; begin += PART)
                update(p, begin, begin + PART < values ? PART : values - begin, p->grad + begin);
            continue;
        }
        const int64_t at_once = PART / p->width > 0 ? PART / p->width : 1;
#pragma omp parallel for num_threads(threads_for(threads, p->rows * p->width)) schedule(static)
        for (int64_t begin = 0; begin < p->rows; begin += at_once) {
            const int64_t end = begin + at_once < p->rows ? begin + at_once : p->rows;
            int64_t next = first_at(p, begin);
            for (int64_t row = begin; row < end; row++) {
                const int is_touched = next < p->count && p->touched[next] == row;
                if (!is_touched && p->moved && !p->moved[row]) {
                    decay(p, row * p->width, p->width);
                    continue;
                }
                update(p, row * p->width, p->width, is_touched ? p->grad + next * p->width : 0);
                if (p->moved) p->moved[row] = 1;
                next += is_touched;
            }
        }
    }
}

/*
 * minplus_bench - how near the closure comes to what this machine can do at all.
 *
 * Usage: minplus_bench [N [ROUNDS]]     a matrix of N rows, 2048; medians of 5 rounds
 *
 * Prints `name seconds`, for every kernel that this processor has:
 *   peak_KERNEL       N^3 times an addition and a minimum of its width, registers only
 *   closure_KERNEL    the closure in one thread; and peak/closure, a fraction
 *   closure_KERNEL_2  in two threads
 * and plain, the triple loop as the compiler makes it.  Seconds are of processor time where there
 * is one thread, and by the clock where there are two.
 */
#include "graph/closure.h"
#include "matrix.h"

#include <stdio.h>
#include <string.h>

enum { ROUNDS_MAX = 99 };

struct bench {
    size_t n, rounds;
    const int64_t *matrix;
    int64_t *closed;
};

#if defined __x86_64__ && defined __GNUC__

/* Ten accumulators, each with an addition and a minimum of its own a turn. */
static void turn_avx512(uint64_t turns)
{
    __asm__ volatile("1:\n\t"
                     ".irp to, 0,1,2,3,4,5,6,7,8,9\n\t"
                     "vpaddq %%zmm28, %%zmm29, %%zmm30\n\t"
                     "vpminsq %%zmm30, %%zmm\\to, %%zmm\\to\n\t"
                     ".endr\n\t"
                     "dec %0\n\t"
                     "jnz 1b\n\t"
                     "vzeroupper"
                     : "+r"(turns)
                     :
                     : "cc", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8",
                       "xmm9");
}

static void turn_avx2(uint64_t turns)
{
    __asm__ volatile("1:\n\t"
                     ".irp to, 0,1,2,3,4,5,6,7,8,9\n\t"
                     "vpaddq %%ymm12, %%ymm13, %%ymm14\n\t"
                     "vpcmpgtq %%ymm14, %%ymm\\to, %%ymm15\n\t"
                     "vpblendvb %%ymm15, %%ymm14, %%ymm\\to, %%ymm\\to\n\t"
                     ".endr\n\t"
                     "dec %0\n\t"
                     "jnz 1b\n\t"
                     "vzeroupper"
                     : "+r"(turns)
                     :
                     : "cc", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8",
                       "xmm9", "xmm14", "xmm15");
}

static void turn_portable(uint64_t turns)
{
    __asm__ volatile("1:\n\t"
                     ".irp to, 8,9,10,11,12,13,14,15\n\t"
                     "lea (%%rcx,%%rdx), %%rax\n\t"
                     "cmp %%r\\to, %%rax\n\t"
                     "cmovl %%rax, %%r\\to\n\t"
                     ".endr\n\t"
                     "dec %0\n\t"
                     "jnz 1b"
                     : "+D"(turns)
                     :
                     : "cc", "rax", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15");
}

static const struct peak {
    void (*turn)(uint64_t turns);
    double walks; /* a turn */
} peaks[KERNEL_KINDS] = {
    [KERNEL_PORTABLE] = {turn_portable, 8},
    [KERNEL_AVX2] = {turn_avx2, 40},
    [KERNEL_AVX512] = {turn_avx512, 80},
};

static double time_peak(enum kernel_kind kind, double walks)
{
    enum { PART = 16 };
    double begin = bench_now(CLOCK_PROCESS_CPUTIME_ID);
    peaks[kind].turn((uint64_t)(walks / PART / peaks[kind].walks) + 1);
    return PART * (bench_now(CLOCK_PROCESS_CPUTIME_ID) - begin);
}

#else

static double time_peak(enum kernel_kind kind, double walks)
{
    (void)kind;
    (void)walks;
    return 0;
}

#endif

static double time_closure(const struct bench *b, const struct kernel *kernel, unsigned nthreads)
{
    clockid_t clock = nthreads == 1 ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC;
    csy_error error;
    memcpy(b->closed, b->matrix, b->n * b->n * sizeof *b->closed);
    double begin = bench_now(clock);
    if (closure_make_by(kernel, kernel->block, b->closed, b->n, nthreads, NULL, &error)) {
        fprintf(stderr, "minplus_bench: %s\n", error.text);
        exit(1);
    }
    return bench_now(clock) - begin;
}

static double time_plain(const struct bench *b)
{
    size_t n = b->n;
    memcpy(b->closed, b->matrix, n * n * sizeof *b->closed);
    double begin = bench_now(CLOCK_PROCESS_CPUTIME_ID);
    for (size_t k = 0; k < n; k++) {
        for (size_t s = 0; s < n; s++) {
            int64_t first = b->closed[s * n + k];
            const int64_t *through = b->closed + k * n;
            int64_t *restrict row = b->closed + s * n;
            for (size_t t = 0; t < n && s != k; t++)
                row[t] = first + through[t] < row[t] ? first + through[t] : row[t];
        }
    }
    return bench_now(CLOCK_PROCESS_CPUTIME_ID) - begin;
}

static void measure(const struct bench *b, enum kernel_kind kind)
{
    const struct kernel *kernel = kernel_of(kind);
    double peak[ROUNDS_MAX], one[ROUNDS_MAX], two[ROUNDS_MAX];
    double walks = (double)b->n * (double)b->n * (double)b->n;
    for (size_t i = 0; i < b->rounds; i++) {
        peak[i] = time_peak(kind, walks);
        one[i] = time_closure(b, kernel, 1);
        two[i] = time_closure(b, kernel, 2);
    }
    double best = bench_median(peak, b->rounds), single = bench_median(one, b->rounds);
    printf("peak_%s %.4f\n", kernel->name, best);
    printf("closure_%s %.4f\n", kernel->name, single);
    printf("peak/closure_%s %.2f\n", kernel->name, best / single);
    printf("closure_%s_2 %.4f\n", kernel->name, bench_median(two, b->rounds));
}

int main(int argc, char **argv)
{
    struct bench b = {.n = argc > 1 ? strtoul(argv[1], NULL, 10) : 2048,
                      .rounds = argc > 2 ? strtoul(argv[2], NULL, 10) : 5};
    if (argc > 3 || b.n < 1 || b.n > 1 << 15 || b.rounds < 1 || b.rounds > ROUNDS_MAX) {
        fprintf(stderr, "usage: minplus_bench [N [ROUNDS]]\n");
        return 2;
    }
    int64_t *matrix = malloc(b.n * b.n * sizeof *matrix);
    b.matrix = matrix;
    b.closed = malloc(b.n * b.n * sizeof *b.closed);
    if (!matrix || !b.closed || !bench_fill(matrix, b.n)) {
        fprintf(stderr, "minplus_bench: no memory\n");
        return 1;
    }
    for (int kind = 0; kind < KERNEL_KINDS; kind++)
        if (kernel_of((enum kernel_kind)kind))
            measure(&b, (enum kernel_kind)kind);
    printf("plain %.4f\n", time_plain(&b));
    free(matrix);
    free(b.closed);
    return 0;
}

/* The matrix that the benchmarks of the closure close, and how they measure. */
#ifndef BENCH_MATRIX_H
#define BENCH_MATRIX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

static uint64_t bench_state = 88172645463325252u;

/* 0 to limit - 1 */
static inline int64_t bench_draw(int64_t limit)
{
    bench_state ^= bench_state << 13;
    bench_state ^= bench_state >> 7;
    bench_state ^= bench_state << 17;
    return (int64_t)(bench_state % (uint64_t)limit);
}

/* Edges between all vertices, about half of them negative and no cycle; false on no memory. */
static inline bool bench_fill(int64_t *m, size_t n)
{
    int64_t *potential = (int64_t *)malloc(n * sizeof *potential);
    for (size_t s = 0; potential && s < n; s++)
        potential[s] = bench_draw(1000000);
    for (size_t i = 0; potential && i < n * n; i++)
        m[i] = i / n == i % n ? 0 : potential[i % n] - potential[i / n] + bench_draw(100000);
    free(potential);
    return potential != NULL;
}

/* Seconds; those of CLOCK_PROCESS_CPUTIME_ID leave out what other programs took. */
static inline double bench_now(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline int bench_compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sorts the seconds. */
static inline double bench_median(double *seconds, size_t n)
{
    qsort(seconds, n, sizeof *seconds, bench_compare);
    return seconds[n / 2];
}

#endif

/*
 * Loops of OpenMP, for loops_test.py.  It prints what it did: lines of a name and numbers.
 */
#include <omp.h>
#include <stdint.h>
#include <stdio.h>

enum { THREADS = 3, N = 60, ROWS = 12 };

static uint64_t sum;
static int rows[ROWS + 1];

static void work(long i)
{
    volatile long spin = 0;
    for (long k = 0; k < 100 * (i % 7); k++)
        spin += k;
}

int main(void)
{
    omp_set_num_threads(THREADS);
    omp_set_schedule(omp_sched_dynamic, 7);
    /* Scheduled loops within one region. */
#pragma omp parallel
    {
#pragma omp for schedule(dynamic, 4)
        for (long i = 0; i < N; i++)
            work(i);
#pragma omp for schedule(guided) nowait
        for (long i = N; i > 0; i -= 2)
            work(i);
#pragma omp for schedule(runtime)
        for (unsigned long long i = 0; i < N; i++)
            work((long)i);
#pragma omp barrier
#pragma omp critical(adding)
        sum += 1;
    }
    /* A loop that is the region. */
#pragma omp parallel for schedule(dynamic) reduction(+ : sum)
    for (long i = 0; i < N; i++)
        sum += (uint64_t)i;
        /* A static one, which calls nothing. */
#pragma omp parallel for schedule(static) reduction(+ : sum)
    for (long i = 0; i < N; i++)
        sum += (uint64_t)i;
        /* Each row after the one before. */
#pragma omp parallel for ordered(1) schedule(static, 1)
    for (long i = 1; i <= ROWS; i++) {
#pragma omp ordered depend(sink : i - 1)
        rows[i] = rows[i - 1] + 1;
#pragma omp ordered depend(source)
    }
#pragma omp parallel for ordered schedule(dynamic)
    for (long i = 0; i < ROWS; i++) {
#pragma omp ordered
        rows[0] += 1;
    }
    printf("sum %llu\nlast %d\nordered %d\n", (unsigned long long)sum, rows[ROWS], rows[0]);
    return 0;
}

/* How long one event takes: the best of many short batches, so that other load does not count. */
#ifndef BENCH_RECORD_BENCH_H
#define BENCH_RECORD_BENCH_H

#include <stdint.h>
#include <stdio.h>
#include <time.h>

enum { BATCH = 500, BATCHES = 4000, NS_PER_S = 1000000000 };

static inline double ns_of(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec * NS_PER_S + (double)t.tv_nsec;
}

/* Print the best ns of one EVENT among batches, and the CPU time of the process for one in all. */
#define MEASURE(name, EVENT)                                                                       \
    do {                                                                                           \
        double best = NS_PER_S, cpu = ns_of(CLOCK_PROCESS_CPUTIME_ID);                             \
        for (int batch_ = 0; batch_ < BATCHES; batch_++) {                                         \
            double from_ = ns_of(CLOCK_MONOTONIC);                                                 \
            for (uint64_t i = 0; i < BATCH; i++) {                                                 \
                EVENT;                                                                             \
            }                                                                                      \
            double took_ = (ns_of(CLOCK_MONOTONIC) - from_) / BATCH;                               \
            best = took_ < best ? took_ : best;                                                    \
        }                                                                                          \
        cpu = (ns_of(CLOCK_PROCESS_CPUTIME_ID) - cpu) / BATCH / BATCHES;                           \
        printf("%s %.3f\n%s_cpu %.3f\n", name, best, name, cpu);                                   \
    } while (0)

#endif

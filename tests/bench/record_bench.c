/*
 * What the recorder's events cost, under CELLTRACE.
 *
 *   record_bench            beside reading the clock
 *   record_bench THREADS    in so many threads at once: CPU time of an event, of them and in all
 */
#include "record_bench.h"

#include "recorder/clock.h"

#include <cellsync/celltrace.h>

#include <pthread.h>
#include <stdlib.h>

bool clock_is_hardware; /* as the recorder's own, which is not to be seen */

enum { EVENTS = 4000000, THREADS_MOST = 64 };

struct worker {
    pthread_t thread;
    ct_type type;
    uint64_t events;
    double cpu_ns;
};

static void *work(void *argument)
{
    struct worker *worker = argument;
    double from = ns_of(CLOCK_THREAD_CPUTIME_ID);
    for (uint64_t i = 0; i < worker->events; i++)
        ct_mark1(worker->type, i);
    worker->cpu_ns = ns_of(CLOCK_THREAD_CPUTIME_ID) - from;
    return NULL;
}

static int measure_threads(ct_type type, unsigned n)
{
    static struct worker workers[THREADS_MOST];
    double all = ns_of(CLOCK_PROCESS_CPUTIME_ID), own = 0;
    if (n < 1 || n > THREADS_MOST)
        return 1;
    for (unsigned i = 0; i < n; i++) {
        workers[i] = (struct worker){.type = type, .events = EVENTS / n};
        if (pthread_create(&workers[i].thread, NULL, work, &workers[i]))
            return 1;
    }
    for (unsigned i = 0; i < n; i++) {
        pthread_join(workers[i].thread, NULL);
        own += workers[i].cpu_ns;
    }
    all = ns_of(CLOCK_PROCESS_CPUTIME_ID) - all;
    printf("own %.3f\nall %.3f\n", own / EVENTS, all / EVENTS);
    return 0;
}

int main(int argc, char **argv)
{
    volatile uint64_t sink;
    ct_type mark = ct_define("bench", "MARK", CT_MARK, "n");
    ct_type five = ct_define("bench", "FIVE", CT_INTERVAL, "a b c d e");
    if (argc == 2)
        return measure_threads(mark, (unsigned)strtoul(argv[1], NULL, 10));
#if defined(__x86_64__) || defined(__aarch64__)
    clock_is_hardware = true;
#endif
    MEASURE("clock", sink = clock_now());
    (void)sink;
    MEASURE("event", ct_mark1(mark, i));
    MEASURE("interval", ct_interval5(five, ct_now(), i, i, i, i, i));
    ct_stop();
    MEASURE("off", ct_mark1(mark, i));
    ct_start();
    return 0;
}

/*
 * live_demo - threads of this machine, recorded as if they were the SPE contexts of a Cell.
 *
 * Usage: live_demo [OPTION]... NAME      writes NAME.pex, NAME.trace and NAME.csv, the true offsets
 *
 *   --workload=mutex|queue|barrier   what the contexts do with one another and with the PPE (mutex)
 *   --workload=advised               they wait for what cellsync advises: see advised.h
 *   --contexts=N  --spes=N           threads that stand for contexts (8), which share SPEs (3)
 *   --rounds=N                       how often each does it (50)
 *   --load=N                         threads besides that keep cores busy (0)
 *   --stamp=in-place|before          when the clock is read; see recorder.h (in-place)
 *   --buffers=shared|thread          one for all, or each thread gathers blocks (shared): the trace
 *                                    is NAME.blocks.csv then
 *   --block=N                        of so many records (16)
 *   --clock=cpu|system               the counter of the CPU if it can be trusted (cpu)
 *   --hz=N                           ticks per second of the timebase (79800000)
 *   --random=N                       draws the clocks
 *
 * What waits gives up its SPE for that time; a stay ends after two rounds in any case.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "advised.h"

enum { CONTEXTS_MAX = 64, LOADS_MAX = 64, QUEUE_ROOM = 4, ROUNDS_PER_STAY = 2, WORK_MAX = 10000 };

/* Items pass from the PPE to the context that takes them; 0 is the last that a context gets. */
struct queue {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    uint64_t items[QUEUE_ROOM];
    uint64_t put, got;
};

struct demo {
    const struct workload *workload;
    unsigned contexts, spes, rounds, loads;
    uint64_t hz, random;
    enum stamping stamping;
    bool by_thread;
    unsigned block;
    bool system_clock;

    struct recorder *recorder;
    struct spes pool;
    pthread_mutex_t mutex;
    struct queue queue;
    struct advised advised;
    const char *name; /* of the files */
    bool failed;
    pthread_barrier_t barrier;
    uint32_t tid; /* of the PPE */
    uint64_t sum; /* what the mutex protects */
    atomic_bool done;
};

struct worker {
    struct demo *demo;
    struct context context;
    pthread_t thread;
};

static void ppe_event(struct demo *demo, struct event event)
{
    recorder_ppe(demo->recorder, demo->tid, &event);
}

/* Computing, for up to some microseconds. */
static void work(struct context *c)
{
    for (uint64_t n = context_draw(c, WORK_MAX); n > 0; n--)
        context_draw(c, 2);
}

/* --- mutex: all add to one sum, the PPE too
 * ---------------------------------------------------- */

static void spe_lock(struct context *c, pthread_mutex_t *mutex)
{
    uint64_t begin = recorder_now(c->recorder);
    bool miss = pthread_mutex_trylock(mutex) != 0;
    if (miss) {
        context_out(c);
        pthread_mutex_lock(mutex);
        context_in(c);
    }
    context_event(c, (struct event){MUTEX_LOCK, begin, 2, {1, miss}});
}

static void spe_unlock(struct context *c, pthread_mutex_t *mutex)
{
    context_event(c, (struct event){MUTEX_UNLOCK, 0, 1, {1}});
    pthread_mutex_unlock(mutex);
}

static void mutex_spe(struct demo *demo, struct context *c)
{
    for (unsigned i = 0; i < demo->rounds; i++) {
        spe_lock(c, &demo->mutex);
        demo->sum++;
        work(c);
        spe_unlock(c, &demo->mutex);
        work(c);
        if ((i + 1) % ROUNDS_PER_STAY == 0)
            context_yield(c);
    }
}

static void mutex_ppe(struct demo *demo)
{
    for (unsigned i = 0; i < demo->rounds; i++) {
        uint64_t begin = recorder_now(demo->recorder);
        bool miss = pthread_mutex_trylock(&demo->mutex) != 0;
        if (miss)
            pthread_mutex_lock(&demo->mutex);
        ppe_event(demo, (struct event){MUTEX_LOCK, begin, 2, {1, miss}});
        demo->sum++;
        ppe_event(demo, (struct event){MUTEX_UNLOCK, 0, 1, {1}});
        pthread_mutex_unlock(&demo->mutex);
    }
}

/* --- queue: the PPE hands out items
 * ------------------------------------------------------------ */

static void queue_put(struct queue *queue, uint64_t item)
{
    pthread_mutex_lock(&queue->mutex);
    while (queue->put - queue->got == QUEUE_ROOM)
        pthread_cond_wait(&queue->changed, &queue->mutex);
    queue->items[queue->put++ % QUEUE_ROOM] = item;
    pthread_cond_broadcast(&queue->changed);
    pthread_mutex_unlock(&queue->mutex);
}

/* False: there was none, and waiting was not wanted. */
static bool queue_get(struct queue *queue, bool wait, uint64_t *item)
{
    pthread_mutex_lock(&queue->mutex);
    while (wait && queue->put == queue->got)
        pthread_cond_wait(&queue->changed, &queue->mutex);
    bool any = queue->put != queue->got;
    if (any)
        *item = queue->items[queue->got++ % QUEUE_ROOM];
    pthread_cond_broadcast(&queue->changed);
    pthread_mutex_unlock(&queue->mutex);
    return any;
}

static uint64_t spe_get(struct context *c, struct queue *queue)
{
    uint64_t item = 0, begin = recorder_now(c->recorder);
    if (!queue_get(queue, false, &item)) {
        context_out(c);
        queue_get(queue, true, &item);
        context_in(c);
    }
    context_event(c, (struct event){QUEUE_GET, begin, 1, {item}});
    return item;
}

static void queue_spe(struct demo *demo, struct context *c)
{
    for (unsigned i = 1; spe_get(c, &demo->queue) != 0; i++) {
        work(c);
        if (i % ROUNDS_PER_STAY == 0)
            context_yield(c);
    }
}

static void ppe_put(struct demo *demo, uint64_t item)
{
    ppe_event(demo, (struct event){QUEUE_PUT, 0, 1, {item}});
    queue_put(&demo->queue, item);
}

static void queue_ppe(struct demo *demo)
{
    for (uint64_t item = (uint64_t)demo->contexts * demo->rounds; item > 0; item--)
        ppe_put(demo, item);
    for (unsigned i = 0; i < demo->contexts; i++)
        ppe_put(demo, 0);
}

/* --- barrier: all contexts wait for each other
 * ------------------------------------------------- */

static void barrier_spe(struct demo *demo, struct context *c)
{
    for (uint64_t round = 0; round < demo->rounds; round++) {
        work(c);
        context_event(c, (struct event){BARRIER_ENTER, 0, 1, {round}});
        context_out(c);
        pthread_barrier_wait(&demo->barrier);
        context_in(c);
        context_event(c, (struct event){BARRIER_LEAVE, 0, 1, {round}});
    }
}

static void barrier_ppe(struct demo *demo)
{
    (void)demo;
}

/* --- advised: a record of each at first, then what is advised
 * ---------------------------------- */

static void advised_contexts(struct demo *demo, struct context *c)
{
    context_event(c, (struct event){QUEUE_GET, 0, 1, {0}});
    advised_spe(&demo->advised, c);
}

static void advised_main(struct demo *demo)
{
    demo->failed = !advised_ppe(&demo->advised, demo->recorder, demo->tid, demo->hz, demo->contexts,
                                demo->name);
}

/* --- running it
 * -------------------------------------------------------------------------------- */

static const struct workload {
    const char *name;
    void (*spe)(struct demo *, struct context *);
    void (*ppe)(struct demo *);
} workloads[] = {
    {"mutex", mutex_spe, mutex_ppe},
    {"queue", queue_spe, queue_ppe},
    {"barrier", barrier_spe, barrier_ppe},
    {"advised", advised_contexts, advised_main},
};

static void *worker_main(void *argument)
{
    struct worker *worker = argument;
    pthread_barrier_wait(&worker->demo->barrier); /* so that all want an SPE at once */
    context_in(&worker->context);
    worker->demo->workload->spe(worker->demo, &worker->context);
    context_out(&worker->context);
    return NULL;
}

static void *load_main(void *argument)
{
    struct demo *demo = argument;
    while (!atomic_load_explicit(&demo->done, memory_order_relaxed))
        ;
    return NULL;
}

static void start(pthread_t *thread, void *(*run)(void *), void *argument)
{
    int error = pthread_create(thread, NULL, run, argument);
    if (error) {
        fprintf(stderr, "live_demo: no thread: %s\n", strerror(error));
        exit(1);
    }
}

static void run_workers(struct demo *demo, struct worker *workers)
{
    ppe_event(demo, (struct event){.id = TRACE_START});
    for (uint32_t i = 0; i < demo->contexts; i++) {
        ppe_event(demo, (struct event){SPE_THREAD_START, 0, 1, {i + 1}});
        workers[i].demo = demo;
        context_init(&workers[i].context, &demo->pool, demo->recorder, i + 1, demo->tid,
                     demo->random);
        start(&workers[i].thread, worker_main, &workers[i]);
    }
    demo->workload->ppe(demo);
    for (uint32_t i = 0; i < demo->contexts; i++) {
        pthread_join(workers[i].thread, NULL);
        ppe_event(demo, (struct event){SPE_THREAD_STOP, 0, 1, {i + 1}});
    }
    ppe_event(demo, (struct event){.id = TRACE_STOP});
}

static void run(struct demo *demo, struct worker *workers)
{
    pthread_t loads[LOADS_MAX];
    spes_init(&demo->pool, demo->spes);
    advised_init(&demo->advised);
    pthread_mutex_init(&demo->mutex, NULL);
    pthread_mutex_init(&demo->queue.mutex, NULL);
    pthread_cond_init(&demo->queue.changed, NULL);
    pthread_barrier_init(&demo->barrier, NULL, demo->contexts);
    for (unsigned i = 0; i < demo->loads; i++)
        start(&loads[i], load_main, demo);
    run_workers(demo, workers);
    atomic_store(&demo->done, true);
    for (unsigned i = 0; i < demo->loads; i++)
        pthread_join(loads[i], NULL);
    pthread_barrier_destroy(&demo->barrier);
    pthread_cond_destroy(&demo->queue.changed);
    pthread_mutex_destroy(&demo->queue.mutex);
    pthread_mutex_destroy(&demo->mutex);
    advised_fini(&demo->advised);
    spes_fini(&demo->pool);
}

static bool save_truth(const struct demo *demo, const struct worker *workers, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s.csv", name);
    FILE *file = fopen(path, "w");
    if (!file)
        return false;
    fprintf(file, "thread,offset\nppe,0\n");
    for (unsigned i = 0; i < demo->contexts; i++)
        context_write_truth(&workers[i].context, file);
    bool good = !ferror(file);
    return fclose(file) == 0 && good;
}

static int save(const struct demo *demo, const struct worker *workers, const char *name)
{
    struct recorder_summary s = recorder_summary(demo->recorder);
    if (demo->failed) {
        fprintf(stderr, "live_demo: no plan, or no file\n");
        return 1;
    }
    if (s.lost > 0) {
        fprintf(stderr, "live_demo: %" PRIu64 " records were lost\n", s.lost);
        return 1;
    }
    if (!recorder_save(demo->recorder, name, demo->workload->name) ||
        !save_truth(demo, workers, name)) {
        fprintf(stderr, "live_demo: cannot write %s: %s\n", name, strerror(errno));
        return 1;
    }
    printf("%" PRIu64 " records, %" PRIu64 " switches; %s; at most %" PRIu64
           " ticks from a stamp to its place\n",
           s.records, s.switches, s.clock, s.lag_ticks);
    return 0;
}

/* --- options
 * ----------------------------------------------------------------------------------- */

static int usage(const char *what)
{
    fprintf(stderr, "live_demo: %s; see the head of demo.c\n", what);
    return 2;
}

static int out_of_memory(void)
{
    fprintf(stderr, "live_demo: out of memory\n");
    return 1;
}

/* The place of a word in a list that NULL ends; exits if it is not there. */
static unsigned choice(const char *word, const char *const *words)
{
    unsigned i = 0;
    while (words[i] && strcmp(words[i], word) != 0)
        i++;
    if (!words[i])
        exit(usage(word));
    return i;
}

static uint64_t number(const char *text, uint64_t least, uint64_t most)
{
    char *end;
    errno = 0;
    uint64_t value = strtoull(text, &end, 10);
    if (errno || end == text || *end || value < least || value > most)
        exit(usage(text));
    return value;
}

static void take_option(struct demo *demo, int option, const char *value)
{
    static const char *const names[] = {"mutex", "queue", "barrier", "advised", NULL};
    static const char *const stampings[] = {"in-place", "before", NULL};
    static const char *const clocks[] = {"cpu", "system", NULL};
    static const char *const buffers[] = {"shared", "thread", NULL};
    switch (option) {
    case 'w':
        demo->workload = &workloads[choice(value, names)];
        break;
    case 'c':
        demo->contexts = (unsigned)number(value, 1, CONTEXTS_MAX);
        break;
    case 's':
        demo->spes = (unsigned)number(value, 1, SPES_MAX);
        break;
    case 'r':
        demo->rounds = (unsigned)number(value, 1, 1000000);
        break;
    case 'l':
        demo->loads = (unsigned)number(value, 0, LOADS_MAX);
        break;
    case 't':
        demo->stamping = choice(value, stampings) ? STAMP_BEFORE : STAMP_IN_PLACE;
        break;
    case 'b':
        demo->by_thread = choice(value, buffers) != 0;
        break;
    case 'g':
        demo->block = (unsigned)number(value, 1, 65536);
        break;
    case 'k':
        demo->system_clock = choice(value, clocks) != 0;
        break;
    case 'h':
        demo->hz = number(value, 1, 1000000000);
        break;
    case 'n':
        demo->random = number(value, 0, UINT64_MAX);
        break;
    default:
        exit(usage("unknown option"));
    }
}

int main(int argc, char **argv)
{
    static const struct option options[] = {
        {"workload", required_argument, NULL, 'w'}, {"contexts", required_argument, NULL, 'c'},
        {"spes", required_argument, NULL, 's'},     {"rounds", required_argument, NULL, 'r'},
        {"load", required_argument, NULL, 'l'},     {"stamp", required_argument, NULL, 't'},
        {"clock", required_argument, NULL, 'k'},    {"hz", required_argument, NULL, 'h'},
        {"random", required_argument, NULL, 'n'},   {"buffers", required_argument, NULL, 'b'},
        {"block", required_argument, NULL, 'g'},    {NULL, 0, NULL, 0},
    };
    static struct worker workers[CONTEXTS_MAX];
    struct demo demo = {.workload = workloads, .contexts = 8, .spes = 3, .rounds = 50, .block = 16};
    demo.hz = 79800000;
    demo.tid = (uint32_t)getpid();
    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;)
        take_option(&demo, option, optarg);
    if (optind != argc - 1)
        return usage("one NAME is wanted");
    demo.name = argv[optind];

    demo.recorder = recorder_new(demo.hz, demo.stamping, !demo.system_clock);
    if (!demo.recorder ||
        (demo.by_thread && !recorder_gather(demo.recorder, demo.contexts, demo.block)))
        return out_of_memory();
    if (!demo.by_thread && !recorder_share(demo.recorder, demo.name)) {
        fprintf(stderr, "live_demo: cannot write %s: %s\n", demo.name, strerror(errno));
        return 1;
    }
    run(&demo, workers);
    recorder_finish(demo.recorder);
    int status = save(&demo, workers, argv[optind]);
    for (unsigned i = 0; i < demo.contexts; i++)
        context_fini(&workers[i].context);
    recorder_free(demo.recorder);
    return status;
}

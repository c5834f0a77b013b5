/* Records OpenMP programs with a runtime that reports to tools through OMPT, such as LLVM's.
 * Declarations follow the specification (OpenMP 5.0, chapter 4). */
#include "recorder/hooks/loops.h"
#include "recorder/session.h"

enum ompt_callback {
    ON_PARALLEL_BEGIN = 3,
    ON_PARALLEL_END = 4,
    ON_IMPLICIT_TASK = 7,
    ON_SYNC_REGION_WAIT = 16,
    ON_MUTEX_RELEASED = 17,
    ON_DEPENDENCES = 18,
    ON_WORK = 20,
    ON_MUTEX_ACQUIRE = 26,
    ON_MUTEX_ACQUIRED = 27
};

enum {
    SCOPE_BEGIN = 1,
    SYNC_TASKWAIT = 5, /* SYNC_TASKWAIT, SYNC_TASKGROUP, and SYNC_REDUCTION are not barriers. */
    SYNC_TASKGROUP = 6,
    SYNC_REDUCTION = 7,
    SYNC_PARALLEL = 9, /* the barrier at the end of a region */
    SYNC_IMPLICIT = 2,
    WORK_LOOP = 1,
    WORK_LOOP_STATIC = 10, /* first of the four kinds of loops, up to WORK_LOOP_OTHER */
    WORK_LOOP_OTHER = 13,
    MUTEX_CRITICAL = 5,
    MUTEX_ORDERED = 7,
    TASK_INITIAL = 1,
    DEPENDENCE_SOURCE = 5,
    DEPENDENCE_SINK = 6
};

union ompt_data {
    uint64_t value;
    void *pointer;
};

struct ompt_dependence {
    union ompt_data variable;
    int type;
};

typedef void (*ompt_function)(void);
typedef ompt_function (*ompt_lookup)(const char *name);
typedef int (*ompt_set_callback)(int event, ompt_function callback);

struct ompt_tool {
    int (*initialize)(ompt_lookup lookup, int device, union ompt_data *data);
    void (*finalize)(union ompt_data *data);
    union ompt_data data;
};

/* The deepest nesting of regions that is recorded. */
enum { DEPTH_MOST = 16 };

/* The calling thread's part of a parallel region. */
struct part {
    uint64_t begin, function, number, loops, loop_begin, iterations;
};

static _Thread_local struct {
    unsigned depth;
    struct part parts[DEPTH_MOST];
    uint64_t barrier_begin, mutex_begin;
} where __attribute__((tls_model("initial-exec")));

/* Returns the part that the thread entered last, or NULL if none or if it is nested too deeply. */
static struct part *innermost(void)
{
    return where.depth > 0 && where.depth <= DEPTH_MOST ? &where.parts[where.depth - 1] : NULL;
}

static bool records(void)
{
    return event_wanted(&loops_by_ompt);
}

/* A parallel region: time of its begin, address of its call, and number of requested threads. */
struct region {
    uint64_t begin, call;
    unsigned threads;
};

/* The nested regions that the calling thread has begun; the same thread ends them. */
static _Thread_local struct {
    unsigned depth;
    struct region regions[DEPTH_MOST];
} begun __attribute__((tls_model("initial-exec")));

static void on_parallel_begin(union ompt_data *task, const void *frame, union ompt_data *parallel,
                              unsigned threads, int flags, const void *call)
{
    (void)task, (void)frame, (void)flags;
    unsigned depth = begun.depth++;
    parallel->value = (uint64_t)(uintptr_t)call;
    if (depth < DEPTH_MOST)
        begun.regions[depth] = (struct region){clock_now(), parallel->value, threads};
}

static void on_parallel_end(const union ompt_data *parallel, const union ompt_data *task, int flags,
                            const void *call)
{
    (void)parallel, (void)task, (void)flags, (void)call;
    unsigned depth = begun.depth > 0 ? --begun.depth : DEPTH_MOST;
    if (depth >= DEPTH_MOST || !records())
        return;
    const struct region *region = &begun.regions[depth];
    const uint64_t values[] = {region->call, region->threads};
    loops_event(LOOP_PARALLEL, region->begin, values, 2);
}

/* End the part of the calling thread when its work is done and it waits for other threads. Does
 * nothing if the part has already ended. */
static void end_part(void)
{
    struct part *part = innermost();
    if (!part || !part->begin)
        return;
    uint64_t begin = part->begin;
    const uint64_t values[] = {part->function, part->number, part->loops};
    part->begin = 0;
    if (records())
        loops_event(LOOP_TASK, begin, values, 3);
}

static void on_implicit_task(int endpoint, const union ompt_data *parallel, union ompt_data *task,
                             unsigned threads, unsigned number, int flags)
{
    (void)task, (void)threads;
    if (flags & TASK_INITIAL)
        return;
    if (endpoint == SCOPE_BEGIN) {
        if (where.depth++ < DEPTH_MOST)
            where.parts[where.depth - 1] = (struct part){
                .begin = clock_now(), .function = parallel ? parallel->value : 0, .number = number};
        return;
    }
    end_part();
    where.depth -= where.depth > 0;
}

static void on_work(int kind, int endpoint, const union ompt_data *parallel,
                    const union ompt_data *task, uint64_t iterations, const void *call)
{
    (void)parallel, (void)task, (void)call;
    bool scheduled = kind >= WORK_LOOP_STATIC && kind <= WORK_LOOP_OTHER;
    struct part *part = innermost();
    if ((kind != WORK_LOOP && !scheduled) || !part)
        return;
    if (endpoint == SCOPE_BEGIN) {
        part->loops++;
        part->loop_begin = clock_now();
        part->iterations = iterations;
    } else if (records()) {
        unsigned schedule = scheduled ? (unsigned)kind - WORK_LOOP_STATIC + SCHEDULE_STATIC
                                      : (unsigned)SCHEDULE_UNKNOWN;
        const uint64_t values[] = {part->iterations, schedule};
        loops_event(LOOP_LOOP, part->loop_begin, values, 2);
    }
}

static void on_wait(int kind, int endpoint, const union ompt_data *parallel,
                    const union ompt_data *task, const void *call)
{
    (void)parallel, (void)task;
    if (kind == SYNC_TASKWAIT || kind == SYNC_TASKGROUP || kind == SYNC_REDUCTION)
        return;
    /* Between regions, the threads of the runtime wait in the barrier at the end of the last
     * region. Older versions of LLVM report this barrier as an implicit one without a return
     * address. */
    if (kind == SYNC_PARALLEL || (kind == SYNC_IMPLICIT && !call)) {
        end_part();
        return;
    }
    if (endpoint == SCOPE_BEGIN)
        where.barrier_begin = clock_now();
    else if (records() && where.barrier_begin)
        loops_event(LOOP_BARRIER, where.barrier_begin, NULL, 0);
}

static void on_acquire(int kind, unsigned hint, unsigned implementation, uint64_t lock,
                       const void *call)
{
    (void)kind, (void)hint, (void)implementation, (void)lock, (void)call;
    where.mutex_begin = clock_now();
}

static void on_acquired(int kind, uint64_t lock, const void *call)
{
    (void)call;
    if (records() && where.mutex_begin && kind == MUTEX_CRITICAL)
        loops_event(LOOP_CRITICAL, where.mutex_begin, &lock, 1);
    if (records() && where.mutex_begin && kind == MUTEX_ORDERED)
        loops_event(LOOP_ORDERED, where.mutex_begin, NULL, 0);
}

static void on_released(int kind, uint64_t lock, const void *call)
{
    (void)call;
    if (records() && kind == MUTEX_CRITICAL)
        loops_event(LOOP_CRITICAL_END, 0, &lock, 1);
    if (records() && kind == MUTEX_ORDERED)
        loops_event(LOOP_ORDERED_END, 0, NULL, 0);
}

/* Record waits and posts of doacross loops. The runtime reports only the end of a wait, so the
 * event begins and ends there. */
static void on_dependences(const union ompt_data *task, const struct ompt_dependence *of, int n)
{
    (void)task;
    if (n < 1 || !records())
        return;
    const uint64_t values[] = {of[0].variable.value};
    if (of[0].type == DEPENDENCE_SOURCE)
        loops_event(LOOP_ADVANCE, 0, values, 1);
    else if (of[0].type == DEPENDENCE_SINK)
        loops_event(LOOP_AWAIT, clock_now(), values, 1);
}

static int initialize(ompt_lookup lookup, int device, union ompt_data *data)
{
    static const struct {
        int event;
        ompt_function callback;
    } events[] = {{ON_PARALLEL_BEGIN, (ompt_function)on_parallel_begin},
                  {ON_PARALLEL_END, (ompt_function)on_parallel_end},
                  {ON_IMPLICIT_TASK, (ompt_function)on_implicit_task},
                  {ON_SYNC_REGION_WAIT, (ompt_function)on_wait},
                  {ON_MUTEX_RELEASED, (ompt_function)on_released},
                  {ON_DEPENDENCES, (ompt_function)on_dependences},
                  {ON_WORK, (ompt_function)on_work},
                  {ON_MUTEX_ACQUIRE, (ompt_function)on_acquire},
                  {ON_MUTEX_ACQUIRED, (ompt_function)on_acquired}};
    (void)device, (void)data;
    ompt_set_callback set = (ompt_set_callback)lookup("ompt_set_callback");
    for (size_t i = 0; set && i < sizeof events / sizeof *events; i++)
        set(events[i].event, events[i].callback);
    return set != NULL;
}

static void finalize(union ompt_data *data)
{
    (void)data;
}

/* The runtime calls ompt_start_tool once, to find a tool. */
HOOK struct ompt_tool *loops_start_tool(unsigned version,
                                        const char *runtime) __asm__("ompt_start_tool");

struct ompt_tool *loops_start_tool(unsigned version, const char *runtime)
{
    static struct ompt_tool tool = {.initialize = initialize, .finalize = finalize};
    (void)version, (void)runtime;
    if (!loops_begin())
        return NULL;
    atomic_store(&loops_by_ompt, true);
    atomic_store(&loops_by_gomp, false); /* LLVM's runtime contains GCC's functions, too */
    return &tool;
}

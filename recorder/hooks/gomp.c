/* Records OpenMP programs of GCC: replaces the functions of its runtime that compiled code calls.
 *
 * A loop with a static schedule and no chunk size calls no function until the barrier at its end,
 * so only the barrier is recorded. */
#include "recorder/hooks/loops.h"
#include "recorder/real.h"

#include <stdarg.h>

#define HOOK __attribute__((visibility("default")))

typedef unsigned long long ull;

/* The calling thread's position in its part of a region. */
static _Thread_local struct {
    bool in_loop, in_chunk;
    unsigned loops; /* counted so far */
    enum loop_schedule schedule;
    uint64_t iterations, begin;
    uint64_t chunk_begin, from, to;
} part __attribute__((tls_model("initial-exec")));

static bool records(void)
{
    return loops_record(&loops_by_gomp);
}

static void end_chunk(void)
{
    const uint64_t values[] = {part.from, part.to};
    if (part.in_chunk)
        loops_event(LOOP_CHUNK, part.chunk_begin, values, 2);
    part.in_chunk = false;
}

static void begin_loop(uint64_t iterations, enum loop_schedule schedule)
{
    part.in_loop = true;
    part.loops++;
    part.iterations = iterations;
    part.schedule = schedule;
    part.begin = clock_now();
}

static void end_loop(void)
{
    const uint64_t values[] = {part.iterations, part.schedule};
    end_chunk();
    if (part.in_loop)
        loops_event(LOOP_LOOP, part.begin, values, 2);
    part.in_loop = false;
}

/* Begin a chunk if the runtime assigned iterations (`given`); otherwise no chunk is open. */
static bool begin_chunk(bool given, uint64_t from, uint64_t to)
{
    part.in_chunk = given;
    part.from = from;
    part.to = to;
    part.chunk_begin = given ? clock_now() : 0;
    return given;
}

static uint64_t count(long from, long to, long step)
{
    uint64_t span = step > 0 ? (uint64_t)to - (uint64_t)from : (uint64_t)from - (uint64_t)to;
    uint64_t each = step > 0 ? (uint64_t)step : -(uint64_t)step;
    bool none = step > 0 ? from >= to : from <= to;
    return none || each == 0 ? 0 : (span - 1) / each + 1;
}

static uint64_t count_ull(bool up, ull from, ull to, ull step)
{
    ull span = up ? to - from : from - to, each = up ? step : -step;
    bool none = up ? from >= to : from <= to;
    return none || each == 0 ? 0 : (span - 1) / each + 1;
}

/* --- Loops ---------------------------------------------------------------------------------- */

#define CHUNKED(LOOP)                                                                              \
    LOOP(static, SCHEDULE_STATIC)                                                                  \
    LOOP(dynamic, SCHEDULE_DYNAMIC)                                                                \
    LOOP(guided, SCHEDULE_GUIDED)                                                                  \
    LOOP(nonmonotonic_dynamic, SCHEDULE_DYNAMIC)                                                   \
    LOOP(nonmonotonic_guided, SCHEDULE_GUIDED)                                                     \
    LOOP(ordered_static, SCHEDULE_STATIC)                                                          \
    LOOP(ordered_dynamic, SCHEDULE_DYNAMIC)                                                        \
    LOOP(ordered_guided, SCHEDULE_GUIDED)

#define UNCHUNKED(LOOP)                                                                            \
    LOOP(runtime)                                                                                  \
    LOOP(nonmonotonic_runtime)                                                                     \
    LOOP(maybe_nonmonotonic_runtime)                                                               \
    LOOP(ordered_runtime)

/* NAME(parameters), which the linker knows as GOMP_NAME. Parameters include their parentheses:
 * NOLINTBEGIN(bugprone-macro-parentheses) */
#define WRAP(type, name, parameters)                                                               \
    REAL(type, GOMP_##name, parameters)                                                            \
    HOOK type gomp_##name parameters __asm__("GOMP_" #name);                                       \
    type gomp_##name parameters

#define LOOP_NEXT(name)                                                                            \
    WRAP(bool, loop_##name##_next, (long *from, long *to))                                         \
    {                                                                                              \
        end_chunk();                                                                               \
        bool given = real_GOMP_loop_##name##_next()(from, to);                                     \
        return records() ? begin_chunk(given, (uint64_t)*from, (uint64_t)*to) : given;             \
    }                                                                                              \
    WRAP(bool, loop_ull_##name##_next, (ull * from, ull * to))                                     \
    {                                                                                              \
        end_chunk();                                                                               \
        bool given = real_GOMP_loop_ull_##name##_next()(from, to);                                 \
        return records() ? begin_chunk(given, *from, *to) : given;                                 \
    }

#define LOOP_START(name, schedule)                                                                 \
    WRAP(bool, loop_##name##_start,                                                                \
         (long from, long to, long step, long chunk, long *first, long *end))                      \
    {                                                                                              \
        if (!records())                                                                            \
            return real_GOMP_loop_##name##_start()(from, to, step, chunk, first, end);             \
        begin_loop(count(from, to, step), schedule);                                               \
        bool given = real_GOMP_loop_##name##_start()(from, to, step, chunk, first, end);           \
        return begin_chunk(given, (uint64_t)*first, (uint64_t)*end);                               \
    }                                                                                              \
    WRAP(bool, loop_ull_##name##_start,                                                            \
         (bool up, ull from, ull to, ull step, ull chunk, ull *first, ull *end))                   \
    {                                                                                              \
        if (!records())                                                                            \
            return real_GOMP_loop_ull_##name##_start()(up, from, to, step, chunk, first, end);     \
        begin_loop(count_ull(up, from, to, step), schedule);                                       \
        bool given = real_GOMP_loop_ull_##name##_start()(up, from, to, step, chunk, first, end);   \
        return begin_chunk(given, *first, *end);                                                   \
    }                                                                                              \
    LOOP_NEXT(name)

#define LOOP_START_UNCHUNKED(name)                                                                 \
    WRAP(bool, loop_##name##_start, (long from, long to, long step, long *first, long *end))       \
    {                                                                                              \
        if (!records())                                                                            \
            return real_GOMP_loop_##name##_start()(from, to, step, first, end);                    \
        begin_loop(count(from, to, step), SCHEDULE_RUNTIME);                                       \
        bool given = real_GOMP_loop_##name##_start()(from, to, step, first, end);                  \
        return begin_chunk(given, (uint64_t)*first, (uint64_t)*end);                               \
    }                                                                                              \
    WRAP(bool, loop_ull_##name##_start,                                                            \
         (bool up, ull from, ull to, ull step, ull *first, ull *end))                              \
    {                                                                                              \
        if (!records())                                                                            \
            return real_GOMP_loop_ull_##name##_start()(up, from, to, step, first, end);            \
        begin_loop(count_ull(up, from, to, step), SCHEDULE_RUNTIME);                               \
        bool given = real_GOMP_loop_ull_##name##_start()(up, from, to, step, first, end);          \
        return begin_chunk(given, *first, *end);                                                   \
    }                                                                                              \
    LOOP_NEXT(name)

CHUNKED(LOOP_START)
UNCHUNKED(LOOP_START_UNCHUNKED)

WRAP(void, loop_end_nowait, (void))
{
    end_loop();
    real_GOMP_loop_end_nowait()();
}

static void barrier(void (*wait)(void))
{
    bool is_recorded = records();
    uint64_t begin = is_recorded ? clock_now() : 0;
    wait();
    if (is_recorded)
        loops_event(LOOP_BARRIER, begin, NULL, 0);
}

WRAP(void, loop_end, (void))
{
    end_loop();
    barrier(real_GOMP_loop_end());
}

WRAP(void, barrier, (void))
{
    barrier(real_GOMP_barrier());
}

/* --- Regions -------------------------------------------------------------------------------- */

struct region {
    void (*function)(void *);
    void *data;
    bool is_loop;
    uint64_t iterations;
    enum loop_schedule schedule;
};

/* The number of the calling thread in its team. */
static uint64_t thread_number(void)
{
    static _Atomic(int (*)(void)) known;
    union {
        void *symbol;
        int (*function)(void);
    } found = {.function = atomic_load_explicit(&known, memory_order_relaxed)};
    if (!found.function) {
        found.symbol = real_symbol("omp_get_thread_num");
        atomic_store_explicit(&known, found.function, memory_order_relaxed);
    }
    return (uint64_t)found.function();
}

/* Run a thread's part of a region, and record it. Regions may be nested: save the outer part. */
static void run_part(void *argument)
{
    const struct region region = *(const struct region *)argument;
    __typeof__(part) outer = part;
    memset(&part, 0, sizeof part);
    uint64_t begin = clock_now();
    if (region.is_loop)
        begin_loop(region.iterations, region.schedule);
    region.function(region.data);
    end_loop();
    const uint64_t values[] = {(uint64_t)(uintptr_t)region.function, thread_number(), part.loops};
    part = outer;
    loops_event(LOOP_TASK, begin, values, 3);
}

static void end_region(const struct region *region, uint64_t begin, unsigned threads)
{
    const uint64_t values[] = {(uint64_t)(uintptr_t)region->function, threads};
    loops_event(LOOP_PARALLEL, begin, values, 2);
}

WRAP(void, parallel, (void (*function)(void *), void *data, unsigned threads, unsigned flags))
{
    struct region region = {.function = function, .data = data};
    if (!records()) {
        real_GOMP_parallel()(function, data, threads, flags);
        return;
    }
    uint64_t begin = clock_now();
    real_GOMP_parallel()(run_part, &region, threads, flags);
    end_region(&region, begin, threads);
}

WRAP(unsigned, parallel_reductions,
     (void (*function)(void *), void *data, unsigned threads, unsigned flags))
{
    struct region region = {.function = function, .data = data};
    if (!records())
        return real_GOMP_parallel_reductions()(function, data, threads, flags);
    /* run_part cannot be passed: the runtime reads the reductions from the data of the function. */
    uint64_t begin = clock_now();
    unsigned result = real_GOMP_parallel_reductions()(function, data, threads, flags);
    end_region(&region, begin, threads);
    return result;
}

WRAP(void, parallel_sections,
     (void (*function)(void *), void *data, unsigned threads, unsigned sections, unsigned flags))
{
    struct region region = {.function = function, .data = data};
    if (!records()) {
        real_GOMP_parallel_sections()(function, data, threads, sections, flags);
        return;
    }
    uint64_t begin = clock_now();
    real_GOMP_parallel_sections()(run_part, &region, threads, sections, flags);
    end_region(&region, begin, threads);
}

#define PARALLEL_LOOP(name, how)                                                                   \
    WRAP(void, parallel_loop_##name,                                                               \
         (void (*function)(void *), void *data, unsigned threads, long from, long to, long step,   \
          long chunk, unsigned flags))                                                             \
    {                                                                                              \
        struct region region = {function, data, true, count(from, to, step), how};                 \
        bool is_recorded = records();                                                              \
        uint64_t begin = clock_now();                                                              \
        real_GOMP_parallel_loop_##name()(is_recorded ? run_part : function,                        \
                                         is_recorded ? &region : data, threads, from, to, step,    \
                                         chunk, flags);                                            \
        if (is_recorded)                                                                           \
            end_region(&region, begin, threads);                                                   \
    }

#define PARALLEL_LOOP_UNCHUNKED(name)                                                              \
    WRAP(void, parallel_loop_##name,                                                               \
         (void (*function)(void *), void *data, unsigned threads, long from, long to, long step,   \
          unsigned flags))                                                                         \
    {                                                                                              \
        struct region region = {function, data, true, count(from, to, step), SCHEDULE_RUNTIME};    \
        bool is_recorded = records();                                                              \
        uint64_t begin = clock_now();                                                              \
        real_GOMP_parallel_loop_##name()(is_recorded ? run_part : function,                        \
                                         is_recorded ? &region : data, threads, from, to, step,    \
                                         flags);                                                   \
        if (is_recorded)                                                                           \
            end_region(&region, begin, threads);                                                   \
    }

PARALLEL_LOOP(static, SCHEDULE_STATIC)
PARALLEL_LOOP(dynamic, SCHEDULE_DYNAMIC)
PARALLEL_LOOP(guided, SCHEDULE_GUIDED)
PARALLEL_LOOP(nonmonotonic_dynamic, SCHEDULE_DYNAMIC)
PARALLEL_LOOP(nonmonotonic_guided, SCHEDULE_GUIDED)
PARALLEL_LOOP_UNCHUNKED(runtime)
PARALLEL_LOOP_UNCHUNKED(nonmonotonic_runtime)
PARALLEL_LOOP_UNCHUNKED(maybe_nonmonotonic_runtime)

/* --- Critical, ordered, doacross ------------------------------------------------------------ */

#define LOCKED(name, enter, leave, parameters, arguments, event, n, lock)                          \
    WRAP(void, name##enter, parameters)                                                            \
    {                                                                                              \
        bool is_recorded = records();                                                              \
        const uint64_t values[] = {(uint64_t)(uintptr_t)(lock)};                                   \
        uint64_t begin = is_recorded ? clock_now() : 0;                                            \
        real_GOMP_##name##enter() arguments;                                                       \
        if (is_recorded)                                                                           \
            loops_event(event, begin, values, n);                                                  \
    }                                                                                              \
    WRAP(void, name##leave, parameters)                                                            \
    {                                                                                              \
        const uint64_t values[] = {(uint64_t)(uintptr_t)(lock)};                                   \
        if (records())                                                                             \
            loops_event(event##_END, 0, values, n);                                                \
        real_GOMP_##name##leave() arguments;                                                       \
    }

LOCKED(critical, _start, _end, (void), (), LOOP_CRITICAL, 1, NULL)
LOCKED(critical_name, _start, _end, (void **lock), (lock), LOOP_CRITICAL, 1, lock)
LOCKED(ordered, _start, _end, (void), (), LOOP_ORDERED, 0, NULL)

#define DOACROSS(name, type, schedule)                                                             \
    WRAP(bool, name, (unsigned n, type *counts, type chunk, type *first, type *end))               \
    {                                                                                              \
        if (records())                                                                             \
            begin_loop((uint64_t)counts[0], schedule);                                             \
        bool given = real_GOMP_##name()(n, counts, chunk, first, end);                             \
        return records() ? begin_chunk(given, (uint64_t)*first, (uint64_t)*end) : given;           \
    }

#define DOACROSS_UNCHUNKED(name, type)                                                             \
    WRAP(bool, name, (unsigned n, type *counts, type *first, type *end))                           \
    {                                                                                              \
        if (records())                                                                             \
            begin_loop((uint64_t)counts[0], SCHEDULE_RUNTIME);                                     \
        bool given = real_GOMP_##name()(n, counts, first, end);                                    \
        return records() ? begin_chunk(given, (uint64_t)*first, (uint64_t)*end) : given;           \
    }

DOACROSS(loop_doacross_static_start, long, SCHEDULE_STATIC)
DOACROSS(loop_doacross_dynamic_start, long, SCHEDULE_DYNAMIC)
DOACROSS(loop_doacross_guided_start, long, SCHEDULE_GUIDED)
DOACROSS_UNCHUNKED(loop_doacross_runtime_start, long)
DOACROSS(loop_ull_doacross_static_start, ull, SCHEDULE_STATIC)
DOACROSS(loop_ull_doacross_dynamic_start, ull, SCHEDULE_DYNAMIC)
DOACROSS(loop_ull_doacross_guided_start, ull, SCHEDULE_GUIDED)
DOACROSS_UNCHUNKED(loop_ull_doacross_runtime_start, ull)

/* Only the runtime knows how many loops are nested. Some of the counts passed on may not exist. */
enum { COUNTS_MOST = 16 };

#define COUNTS_16(c)                                                                               \
    (c)[0], (c)[1], (c)[2], (c)[3], (c)[4], (c)[5], (c)[6], (c)[7], (c)[8], (c)[9], (c)[10],       \
        (c)[11], (c)[12], (c)[13], (c)[14], (c)[15]

#define ADVANCE_AWAIT(post, await, type)                                                           \
    WRAP(void, post, (type * counts))                                                              \
    {                                                                                              \
        const uint64_t values[] = {(uint64_t)counts[0]};                                           \
        if (records())                                                                             \
            loops_event(LOOP_ADVANCE, 0, values, 1);                                               \
        real_GOMP_##post()(counts);                                                                \
    }                                                                                              \
    WRAP(void, await, (type first, ...))                                                           \
    {                                                                                              \
        type counts[COUNTS_MOST] = {first};                                                        \
        va_list rest;                                                                              \
        va_start(rest, first);                                                                     \
        for (unsigned i = 1; i < COUNTS_MOST; i++)                                                 \
            counts[i] = va_arg(rest, type);                                                        \
        va_end(rest);                                                                              \
        const uint64_t values[] = {(uint64_t)first};                                               \
        bool is_recorded = records();                                                              \
        uint64_t begin = is_recorded ? clock_now() : 0;                                            \
        real_GOMP_##await()(COUNTS_16(counts));                                                    \
        if (is_recorded)                                                                           \
            loops_event(LOOP_AWAIT, begin, values, 1);                                             \
    }

/* The list has been begun. NOLINTBEGIN(clang-analyzer-valist.Uninitialized) */
ADVANCE_AWAIT(doacross_post, doacross_wait, long)
ADVANCE_AWAIT(doacross_ull_post, doacross_ull_wait, ull)
/* NOLINTEND(clang-analyzer-valist.Uninitialized) */
/* NOLINTEND(bugprone-macro-parentheses) */

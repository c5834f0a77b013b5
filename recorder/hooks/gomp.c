/* Records OpenMP programs of GCC: replaces the functions of its runtime that compiled code calls.
 *
 * A loop with a static schedule and no chunk size calls no function until the barrier at its end,
 * so only the barrier is recorded. */
#include "recorder/hooks/loops.h"
#include "recorder/real.h"
#include "recorder/session.h"

#include <stdarg.h>

typedef unsigned long long ull;

/* The state of the calling thread in its part of a parallel region. */
static _Thread_local struct {
    bool in_loop, in_chunk;
    unsigned loops;
    enum loop_schedule schedule;
    uint64_t iterations, begin;
    uint64_t chunk_begin, from, to;
} part __attribute__((tls_model("initial-exec")));

static bool records(void)
{
    return event_wanted(&loops_by_gomp);
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

/* Begin a chunk of iterations if the runtime assigned one (`given`). Otherwise note that no chunk
 * is open. Returns `given`. */
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

/* NAME(parameters), which the linker knows as GOMP_NAME. Parameters include their parentheses:
 * NOLINTBEGIN(bugprone-macro-parentheses) */
#define WRAP(type, name, parameters)                                                               \
    REAL(type, GOMP_##name, parameters)                                                            \
    HOOK type gomp_##name parameters __asm__("GOMP_" #name);                                       \
    type gomp_##name parameters

/* Defines a function that starts a loop, and one that gets the next chunk. */
#define STARTS(name, parameters, arguments, iterations, schedule)                                  \
    WRAP(bool, name, parameters)                                                                   \
    {                                                                                              \
        if (!records())                                                                            \
            return real_GOMP_##name() arguments;                                                   \
        begin_loop(iterations, schedule);                                                          \
        bool given = real_GOMP_##name() arguments;                                                 \
        return begin_chunk(given, (uint64_t)*first, (uint64_t)*end);                               \
    }
#define NEXT(name, type)                                                                           \
    WRAP(bool, name, (type * from, type * to))                                                     \
    {                                                                                              \
        end_chunk();                                                                               \
        bool given = real_GOMP_##name()(from, to);                                                 \
        return records() ? begin_chunk(given, (uint64_t)*from, (uint64_t)*to) : given;             \
    }

/* Functions that start loops of the kind CHUNKED have the parameter `chunk`; those of the kind
 * UNCHUNKED do not. */
#define CHUNKED_TAKES(type) type chunk,
#define CHUNKED_GIVES chunk,
#define UNCHUNKED_TAKES(type)
#define UNCHUNKED_GIVES

/* clang-format off */
#define LOOP(name, schedule, kind)                                                                 \
    STARTS(loop_##name##_start,                                                                    \
           (long from, long to, long step, kind##_TAKES(long) long *first, long *end),             \
           (from, to, step, kind##_GIVES first, end), count(from, to, step), schedule)             \
    NEXT(loop_##name##_next, long)                                                                 \
    STARTS(loop_ull_##name##_start,                                                                \
           (bool up, ull from, ull to, ull step, kind##_TAKES(ull) ull *first, ull *end),          \
           (up, from, to, step, kind##_GIVES first, end), count_ull(up, from, to, step), schedule) \
    NEXT(loop_ull_##name##_next, ull)
/* clang-format on */

LOOP(static, SCHEDULE_STATIC, CHUNKED)
LOOP(dynamic, SCHEDULE_DYNAMIC, CHUNKED)
LOOP(guided, SCHEDULE_GUIDED, CHUNKED)
LOOP(nonmonotonic_dynamic, SCHEDULE_DYNAMIC, CHUNKED)
LOOP(nonmonotonic_guided, SCHEDULE_GUIDED, CHUNKED)
LOOP(ordered_static, SCHEDULE_STATIC, CHUNKED)
LOOP(ordered_dynamic, SCHEDULE_DYNAMIC, CHUNKED)
LOOP(ordered_guided, SCHEDULE_GUIDED, CHUNKED)
LOOP(runtime, SCHEDULE_RUNTIME, UNCHUNKED)
LOOP(nonmonotonic_runtime, SCHEDULE_RUNTIME, UNCHUNKED)
LOOP(maybe_nonmonotonic_runtime, SCHEDULE_RUNTIME, UNCHUNKED)
LOOP(ordered_runtime, SCHEDULE_RUNTIME, UNCHUNKED)

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

REAL(int, omp_get_thread_num, (void))

/* Run and record the part of a thread in a region. Regions may be nested, so the outer part is
 * saved. */
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
    const uint64_t values[] = {(uint64_t)(uintptr_t)region.function,
                               (uint64_t)real_omp_get_thread_num()(), part.loops};
    part = outer;
    loops_event(LOOP_TASK, begin, values, 3);
}

static void end_region(const struct region *region, uint64_t begin, unsigned threads)
{
    const uint64_t values[] = {(uint64_t)(uintptr_t)region->function, threads};
    loops_event(LOOP_PARALLEL, begin, values, 2);
}

WRAP(unsigned, parallel_reductions,
     (void (*function)(void *), void *data, unsigned threads, unsigned flags))
{
    struct region region = {.function = function, .data = data};
    if (!records())
        return real_GOMP_parallel_reductions()(function, data, threads, flags);
    /* The runtime reads the reductions from `data`, so pass `function` and `data` themselves. */
    uint64_t begin = clock_now();
    unsigned result = real_GOMP_parallel_reductions()(function, data, threads, flags);
    end_region(&region, begin, threads);
    return result;
}

/* clang-format off */
/* The body of a parallel region. The last arguments are those that follow `threads`. */
#define PARALLEL(name, is_loop, iterations, schedule, ...)                                         \
    {                                                                                              \
        struct region region = {function, data, is_loop, iterations, schedule};                    \
        bool is_recorded = records();                                                              \
        uint64_t begin = clock_now();                                                              \
        real_GOMP_##name()(is_recorded ? run_part : function, is_recorded ? &region : data,        \
                           threads, __VA_ARGS__);                                                  \
        if (is_recorded)                                                                           \
            end_region(&region, begin, threads);                                                   \
    }
#define PARALLEL_LOOP(name, schedule, kind)                                                        \
    WRAP(void, parallel_loop_##name,                                                               \
         (void (*function)(void *), void *data, unsigned threads, long from, long to, long step,   \
          kind##_TAKES(long) unsigned flags))                                                      \
    PARALLEL(parallel_loop_##name, true, count(from, to, step), schedule, from, to, step,          \
             kind##_GIVES flags)
/* clang-format on */

WRAP(void, parallel, (void (*function)(void *), void *data, unsigned threads, unsigned flags))
PARALLEL(parallel, false, 0, SCHEDULE_UNKNOWN, flags)
WRAP(void, parallel_sections,
     (void (*function)(void *), void *data, unsigned threads, unsigned sections, unsigned flags))
PARALLEL(parallel_sections, false, 0, SCHEDULE_UNKNOWN, sections, flags)
PARALLEL_LOOP(static, SCHEDULE_STATIC, CHUNKED)
PARALLEL_LOOP(dynamic, SCHEDULE_DYNAMIC, CHUNKED)
PARALLEL_LOOP(guided, SCHEDULE_GUIDED, CHUNKED)
PARALLEL_LOOP(nonmonotonic_dynamic, SCHEDULE_DYNAMIC, CHUNKED)
PARALLEL_LOOP(nonmonotonic_guided, SCHEDULE_GUIDED, CHUNKED)
PARALLEL_LOOP(runtime, SCHEDULE_RUNTIME, UNCHUNKED)
PARALLEL_LOOP(nonmonotonic_runtime, SCHEDULE_RUNTIME, UNCHUNKED)
PARALLEL_LOOP(maybe_nonmonotonic_runtime, SCHEDULE_RUNTIME, UNCHUNKED)

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

/* clang-format off */
#define DOACROSS(name, type, schedule, kind)                                                       \
    STARTS(name, (unsigned n, type *counts, kind##_TAKES(type) type *first, type *end),            \
           (n, counts, kind##_GIVES first, end), (uint64_t)counts[0], schedule)
/* clang-format on */

DOACROSS(loop_doacross_static_start, long, SCHEDULE_STATIC, CHUNKED)
DOACROSS(loop_doacross_dynamic_start, long, SCHEDULE_DYNAMIC, CHUNKED)
DOACROSS(loop_doacross_guided_start, long, SCHEDULE_GUIDED, CHUNKED)
DOACROSS(loop_doacross_runtime_start, long, SCHEDULE_RUNTIME, UNCHUNKED)
DOACROSS(loop_ull_doacross_static_start, ull, SCHEDULE_STATIC, CHUNKED)
DOACROSS(loop_ull_doacross_dynamic_start, ull, SCHEDULE_DYNAMIC, CHUNKED)
DOACROSS(loop_ull_doacross_guided_start, ull, SCHEDULE_GUIDED, CHUNKED)
DOACROSS(loop_ull_doacross_runtime_start, ull, SCHEDULE_RUNTIME, UNCHUNKED)

/* A doacross loop has one count for each of its nested loops, but only the runtime knows their
 * number. The hook always passes on COUNTS_MOST counts, of which some may not exist. */
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

/* va_start has initialized the list. NOLINTBEGIN(clang-analyzer-valist.Uninitialized) */
ADVANCE_AWAIT(doacross_post, doacross_wait, long)
ADVANCE_AWAIT(doacross_ull_post, doacross_ull_wait, ull)
/* NOLINTEND(clang-analyzer-valist.Uninitialized) */
/* NOLINTEND(bugprone-macro-parentheses) */

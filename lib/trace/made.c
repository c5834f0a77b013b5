/* A trace in memory. The calling program adds events to it. */
#include "base/array.h"
#include "base/ascii.h"
#include "base/error.h"
#include "base/put.h"
#include "base/texts.h"
#include "trace/trace.h"

#include <stdlib.h>

enum { THREADS_MAX = INT32_MAX };

struct made_thread {
    char *name;  /* name of the thread; `clock` is in the same memory, after the NUL */
    char *clock; /* name of the clock, or "" if the thread has its own clock */
    size_t name_size, clock_size;
};

struct made_event {
    int64_t time_ticks, begin_ticks;
    unsigned thread : 31, interval : 1;
    uint32_t name; /* index in made.names, or NO_TEXT */
};

struct made {
    struct made_thread *threads;
    size_t nthreads, threads_capacity;
    struct made_event *events;
    size_t nevents, events_capacity;
    struct texts names;
};

struct reading {
    struct made *made;
    size_t next; /* index of the next event */
};

static struct made *made_of(const struct csy_trace *trace)
{
    return ((const struct reading *)trace->state)->made;
}

static csy_status rewind_made(struct csy_trace *trace, csy_error *error)
{
    struct reading *reading = trace->state;
    (void)error;
    reading->next = 0;
    return CSY_OK;
}

static csy_status next_made(struct csy_trace *trace, struct event *event, bool *more,
                            csy_error *error)
{
    struct reading *reading = trace->state;
    const struct made *made = reading->made;
    (void)error;
    *more = reading->next < made->nevents;
    if (!*more)
        return CSY_OK;
    const struct made_event *e = &made->events[reading->next];
    const struct made_thread *thread = &made->threads[e->thread];
    const struct text_item *name = e->name == NO_TEXT ? NULL : &made->names.items[e->name];
    event->place = reading->next++;
    event->stamp = (struct named_stamp){
        .thread = thread->name,
        .thread_size = thread->name_size,
        .clock = thread->clock,
        .clock_size = thread->clock_size,
        .time_ticks = e->time_ticks,
        .interval = e->interval,
        .begin_ticks = e->begin_ticks,
    };
    event->name = name ? made->names.bytes + name->at : "";
    event->name_size = name ? name->size : 0;
    return CSY_OK;
}

static void close_made(struct csy_trace *trace)
{
    if (!trace->state)
        return;
    struct made *made = made_of(trace);
    for (size_t i = 0; i < made->nthreads; i++)
        free(made->threads[i].name);
    FREE_ALL(made->threads, made->events);
    texts_fini(&made->names);
    FREE_ALL(made, trace->state);
}

static csy_status fork_made(const struct csy_trace *trace, struct csy_trace *fork, csy_error *error)
{
    struct reading *reading = fork->state = malloc(sizeof *reading);
    if (!reading)
        return error_memory(error);
    *reading = (struct reading){.made = made_of(trace)};
    return CSY_OK;
}

static void join_made(struct csy_trace *fork)
{
    free(fork->state);
}

static void progress(const struct csy_trace *trace, uint64_t *done, uint64_t *total)
{
    const struct reading *reading = trace->state;
    const struct made *made = reading->made;
    *done = (uint64_t)reading->next * sizeof *made->events;
    *total = (uint64_t)made->nevents * sizeof *made->events;
}

static const struct source source_made = {
    .format = CSY_FORMAT_AUTO,
    .written_as = CSY_FORMAT_CSV,
    .title = "a trace made in memory",
    .place = "event",
    .rewind = rewind_made,
    .next = next_made,
    .close = close_made,
    .fork = fork_made,
    .join = join_made,
    .progress = progress,
};

csy_status csy_trace_new(const char *name, uint64_t timebase_hz, csy_trace **out, csy_error *error)
{
    if (timebase_hz == 0 || timebase_hz > INT64_MAX)
        return error_set(error, CSY_USAGE, "%s: the timebase must be from 1 to 2^63-1 Hz", name);
    csy_trace *trace;
    csy_status status = trace_allocate(name, &trace, error);
    if (status)
        return status;
    trace->source = &source_made;
    trace->timebase_hz = timebase_hz;
    struct reading *reading = malloc(sizeof *reading);
    struct made *made = calloc(1, sizeof *made);
    if (!reading || !made) {
        FREE_ALL(reading, made);
        csy_trace_free(trace);
        return error_memory(error);
    }
    *reading = (struct reading){.made = made};
    trace->state = reading;
    *out = trace;
    return CSY_OK;
}

static csy_status refuse_others(const csy_trace *trace, csy_error *error)
{
    return trace->source == &source_made
               ? CSY_OK
               : error_set(error, CSY_USAGE,
                           "%s: events can be added only to a trace made by csy_trace_new",
                           trace->name);
}

/* Report that memory ran out, with a hint if the memory limit is the reason. */
static csy_status refuse_room(const csy_trace *trace, size_t count, size_t size, csy_error *error)
{
    csy_status status =
        error_check_memory(2 * (uint128)count * size, trace->name, "events in memory", error);
    return status ? status : error_memory(error);
}

csy_status csy_trace_add_thread(csy_trace *trace, const char *name, const char *clock, size_t *out,
                                csy_error *error)
{
    struct made_thread thread;
    csy_status status = refuse_others(trace, error);
    if (status)
        return status;
    struct made *made = made_of(trace);
    /* Strip blanks, as readers of CSV do. */
    const csy_text called = ascii_trim(name), by = ascii_trim(clock);
    if (called.size == 0)
        return error_set(error, CSY_USAGE, "%s: a thread needs a name", trace->name);
    if (made->nthreads == THREADS_MAX ||
        !ARRAY_RESERVE(made->threads, made->threads_capacity, made->nthreads + 1))
        return refuse_room(trace, made->nthreads, sizeof *made->threads, error);
    thread = (struct made_thread){malloc(called.size + by.size + 2), NULL, called.size, by.size};
    if (!thread.name)
        return error_memory(error);
    thread.clock = put_bytes(thread.name, called.bytes, called.size) + 1;
    thread.clock[-1] = *put_bytes(thread.clock, by.bytes, by.size) = 0;
    *out = made->nthreads;
    made->threads[made->nthreads++] = thread;
    return CSY_OK;
}

csy_status csy_trace_add(csy_trace *trace, const csy_new_event *events, size_t n, csy_error *error)
{
    csy_status status = refuse_others(trace, error);
    if (status)
        return status;
    struct made *made = made_of(trace);
    if (n > SIZE_MAX - made->nevents ||
        !ARRAY_RESERVE(made->events, made->events_capacity, made->nevents + n))
        return refuse_room(trace, made->events_capacity, sizeof *made->events, error);
    bool begins = false;
    for (size_t i = 0; i < n; i++) {
        const csy_new_event *event = &events[i];
        size_t at = made->nevents + i;
        const csy_text name = ascii_trim(event->name);
        struct made_event *out = &made->events[at];
        if (event->thread >= made->nthreads)
            return error_set(error, CSY_USAGE,
                             "%s: event %zu: no thread has the index %zu; the number of threads is "
                             "%zu",
                             trace->name, at, event->thread, made->nthreads);
        if (event->interval && event->begin_ticks > event->time_ticks)
            return error_set(error, CSY_INPUT, "%s: event %zu: the begin is after the time",
                             trace->name, at);
        *out = (struct made_event){.time_ticks = event->time_ticks,
                                   .begin_ticks =
                                       event->interval ? event->begin_ticks : event->time_ticks,
                                   .thread = (unsigned)event->thread & THREADS_MAX,
                                   .interval = event->interval,
                                   .name = NO_TEXT};
        if (name.size > UINT32_MAX || (name.size > 0 && made->names.count >= NO_TEXT))
            return error_set(error, CSY_INPUT, "%s: the names of events are too many or too long",
                             trace->name);
        if (name.size > 0 && !texts_find(&made->names, name.bytes, name.size, &out->name, NULL))
            return refuse_room(trace, made->names.bytes_capacity, 1, error);
        begins |= event->interval;
    }
    made->nevents += n; /* if one event is invalid, no event is added */
    trace->has_begins |= begins;
    return CSY_OK;
}

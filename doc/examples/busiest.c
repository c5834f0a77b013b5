/* Two places in one trace: the stretch of a millisecond in which most events began to be written,
 * found by a place that goes ahead and one that follows, and what its first event was. */
#include <cellsync/cellsync.h>
#include <inttypes.h>
#include <stdio.h>

struct stretch {
    uint64_t first, events;
};

/* The events from `back` on are less than `length` ticks before `front`, in the order of the
 * buffer. */
static csy_status find_busiest(csy_events *front, csy_events *back, int64_t length,
                               struct stretch *out, csy_error *error)
{
    csy_event last, first;
    bool more;
    csy_status status = csy_events_next(back, &first, &more, error);
    while (!status) {
        status = csy_events_next(front, &last, &more, error);
        if (status || !more)
            break;
        while (!status && last.global_ticks - first.global_ticks >= length)
            status = csy_events_next(back, &first, &more, error);
        if (last.record + 1 - first.record > out->events)
            *out = (struct stretch){first.record, last.record + 1 - first.record};
    }
    return status;
}

/* Go back to where it began. */
static csy_status print(csy_events *events, const csy_sync *sync, const struct stretch *stretch,
                        csy_error *error)
{
    csy_decoded event;
    size_t got;
    csy_status status = csy_events_seek(events, stretch->first, error);
    if (!status)
        status = csy_events_read(events, &event, 1, &got, error);
    if (!status)
        printf("%" PRIu64 " events from record %" PRIu64 ", %.*s of %s at %" PRId64 "\n",
               stretch->events, event.record, (int)event.name_size, event.name,
               csy_sync_thread(sync, event.thread)->name, event.global_ticks);
    return status;
}

int main(int argc, char **argv)
{
    csy_error error = {.text = "usage: busiest TRACE"};
    csy_trace *trace = NULL;
    csy_sync *sync = NULL;
    csy_events *front = NULL, *back = NULL;
    struct stretch busiest = {0};
    csy_status status = argc == 2 ? csy_trace_open(argv[1], NULL, &trace, &error) : CSY_USAGE;
    if (!status)
        status = csy_trace_synchronize(trace, NULL, &sync, &error);
    if (!status)
        status = csy_events_open(sync, &front, &error);
    if (!status)
        status = csy_events_open(sync, &back, &error);
    if (!status)
        status = find_busiest(front, back, (int64_t)csy_trace_timebase_hz(trace) / 1000, &busiest,
                              &error);
    if (!status)
        status = print(back, sync, &busiest, &error);
    if (status)
        fprintf(stderr, "busiest: %s\n", error.text);
    csy_events_free(front);
    csy_events_free(back);
    csy_sync_free(sync);
    csy_trace_free(trace);
    return status != CSY_OK;
}

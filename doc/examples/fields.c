/* Decoded events in batches: how many there are of each kind, how long those take that are
 * intervals, and what the first field of the last one was. */
#include <cellsync/cellsync.h>
#include <inttypes.h>
#include <stdio.h>

enum { KINDS = 65536, BATCH = 1024 };

static struct kind {
    uint64_t events, intervals;
    int64_t ticks;
    char name[32];
    uint64_t first_field;
    size_t nfields;
} kinds[KINDS];

static void count(const csy_decoded *event)
{
    struct kind *kind = &kinds[event->id];
    if (kind->events++ == 0)
        snprintf(kind->name, sizeof kind->name, "%.*s", (int)event->name_size,
                 event->name_size ? event->name : "");
    kind->intervals += event->interval;
    kind->ticks += event->global_ticks - event->global_begin_ticks;
    kind->nfields = event->nfields;
    if (event->values && event->nfields > 0)
        kind->first_field = event->values[0];
}

static csy_status read_events(csy_events *events, csy_error *error)
{
    static csy_decoded batch[BATCH];
    size_t got;
    for (;;) {
        csy_status status = csy_events_read(events, batch, BATCH, &got, error);
        for (size_t i = 0; i < got; i++) /* whose pointers hold until the next batch */
            count(&batch[i]);
        if (status || got == 0)
            return status;
    }
}

static void print(csy_events *events, unsigned id)
{
    const struct kind *kind = &kinds[id];
    printf("0x%04x %s: %" PRIu64 " events, %" PRIu64 " intervals of %" PRId64 " ticks", id,
           kind->name, kind->events, kind->intervals, kind->ticks);
    if (kind->nfields > 0)
        printf(", last %s %" PRIu64, csy_events_field_name(events, id, 0), kind->first_field);
    printf("\n");
}

int main(int argc, char **argv)
{
    csy_error error = {.text = "usage: fields TRACE"};
    csy_trace *trace = NULL;
    csy_sync *sync = NULL;
    csy_events *events = NULL;
    csy_status status = argc == 2 ? csy_trace_open(argv[1], NULL, &trace, &error) : CSY_USAGE;
    if (!status)
        status = csy_trace_synchronize(trace, NULL, &sync, &error);
    if (!status)
        status = csy_events_open(sync, &events, &error);
    if (!status)
        status = read_events(events, &error);
    for (unsigned id = 0; !status && id < KINDS; id++)
        if (kinds[id].events > 0)
            print(events, id);
    if (status)
        fprintf(stderr, "fields: %s\n", error.text);
    csy_events_free(events);
    csy_sync_free(sync);
    csy_trace_free(trace);
    return status != CSY_OK;
}

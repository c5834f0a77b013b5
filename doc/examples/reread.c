/* A synchronized trace read as one: its offsets, and its first events in global time. */
#include <cellsync/cellsync.h>
#include <inttypes.h>
#include <stdio.h>

static csy_status print(const csy_sync *sync, csy_error *error)
{
    csy_decoded first[4];
    size_t got = 0;
    csy_events *events;
    csy_status status = csy_events_open(sync, &events, error);
    if (status)
        return status;
    status = csy_events_read(events, first, 4, &got, error);
    for (size_t i = 0; i < got; i++)
        printf("%" PRId64 " %s %.*s\n", first[i].global_ticks,
               csy_sync_thread(sync, first[i].thread)->name, (int)first[i].name_size,
               first[i].name_size ? first[i].name : "");
    csy_events_free(events);
    return status;
}

/* It says itself what it was synchronized with. */
static csy_status look_at(csy_trace *trace, csy_error *error)
{
    csy_sync *sync;
    csy_status status = csy_trace_read_solution(trace, &sync, error);
    if (status)
        return status;
    for (size_t t = 0; t < csy_sync_nthreads(sync); t++)
        printf("%s %" PRId64 "%s\n", csy_sync_thread(sync, t)->name,
               csy_sync_thread(sync, t)->offset_ticks,
               t == csy_sync_reference(sync) ? " (reference)" : "");
    status = print(sync, error);
    csy_sync_free(sync);
    return status;
}

int main(int argc, char **argv)
{
    csy_error error = {.text = "usage: reread SYNCHRONIZED-TRACE"};
    csy_trace *trace = NULL;
    csy_status status = argc == 2 ? csy_trace_open(argv[1], NULL, &trace, &error) : CSY_USAGE;
    if (!status)
        status = look_at(trace, &error);
    if (status)
        fprintf(stderr, "reread: %s\n", error.text);
    csy_trace_free(trace);
    return status != CSY_OK;
}

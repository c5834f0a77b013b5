/* A trace without a file: two threads with clocks of their own pass a ball through one buffer, and
 * the order in which their events came there tells how far apart the clocks are. */
#include <cellsync/cellsync.h>
#include <inttypes.h>
#include <stdio.h>

static int fail(const csy_error *error)
{
    fprintf(stderr, "made: %s\n", error->text);
    return 1;
}

/* As the buffer got them, 10 us apart; the clock of `right` is 5000 us ahead. */
static csy_status add_events(csy_trace *trace, csy_error *error)
{
    size_t left, right;
    csy_status status = csy_trace_add_thread(trace, "left", NULL, &left, error);
    if (!status)
        status = csy_trace_add_thread(trace, "right", NULL, &right, error);
    for (int64_t i = 0; !status && i < 100; i++) {
        const csy_new_event events[] = {
            {.thread = left, .time_ticks = 20 * i, .name = "throw"},
            {.thread = right,
             .time_ticks = 20 * i + 5010,
             .interval = true, /* it waited since then */
             .begin_ticks = 20 * i + 4996,
             .name = "catch"},
        };
        status = csy_trace_add(trace, events, 2, error);
    }
    return status;
}

int main(int argc, char **argv)
{
    csy_error error;
    csy_options *options = NULL;
    csy_trace *trace;
    csy_sync *sync = NULL;

    if (csy_trace_new("ball", 1000000, &trace, &error) != CSY_OK)
        return fail(&error);
    csy_status status = add_events(trace, &error);
    if (!status)
        status = csy_options_new(&options, &error);
    if (!status)
        status = csy_options_set_reference(options, "left", &error);
    if (!status)
        status = csy_trace_synchronize(trace, options, &sync, &error);
    for (size_t t = 0; !status && t < csy_sync_nthreads(sync); t++) {
        const csy_thread *thread = csy_sync_thread(sync, t);
        printf("%s %" PRId64 " (%" PRId64 " to %" PRId64 ")\n", thread->name, thread->offset_ticks,
               thread->earliest_ticks, thread->latest_ticks);
    }
    if (!status && argc > 1) /* .csv, .json or, as a folder, .ctf */
        status = csy_sync_write_trace(sync, argv[1], NULL, &error);
    csy_options_free(options);
    csy_sync_free(sync);
    csy_trace_free(trace);
    return status == CSY_OK ? 0 : fail(&error);
}

/* The offset of each thread of a trace, and how far off it can be. */
#include <cellsync/cellsync.h>
#include <inttypes.h>
#include <stdio.h>

static int fail(const csy_error *error)
{
    fprintf(stderr, "offsets: %s\n", error->text);
    return 1;
}

static void print_offset(const csy_thread *thread)
{
    printf("%s %" PRId64, thread->name, thread->offset_ticks);
    if (thread->earliest_ticks == INT64_MIN || thread->latest_ticks == INT64_MAX)
        printf(" unbounded\n");
    else
        printf(" -%" PRId64 " +%" PRId64 "\n", thread->offset_ticks - thread->earliest_ticks,
               thread->latest_ticks - thread->offset_ticks);
}

int main(int argc, char **argv)
{
    csy_error error;
    csy_trace *trace;
    csy_sync *sync = NULL;

    if (argc != 2) {
        fprintf(stderr, "usage: offsets TRACE\n");
        return 2;
    }
    if (csy_trace_open(argv[1], NULL, &trace, &error) != CSY_OK)
        return fail(&error);
    csy_status status = csy_trace_synchronize(trace, NULL, &sync, &error);
    if (status == CSY_OK)
        for (size_t t = 0; t < csy_sync_nthreads(sync); t++)
            print_offset(csy_sync_thread(sync, t));
    csy_sync_free(sync);
    csy_trace_free(trace);
    return status == CSY_OK ? 0 : fail(&error);
}

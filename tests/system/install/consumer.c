/*
 * A program outside the tree, built by install_test.sh against an installed cellsync: it takes the
 * public header as it stands, one include and no option but pkg-config's, and does one whole job.
 *
 *   consumer TRACE.csv  prints "NAME OFFSET" for every thread
 */
#include <cellsync/cellsync.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static int fail(const csy_error *error)
{
    fprintf(stderr, "consumer: %s\n", error->text);
    return 1;
}

static void print_offsets(const csy_sync *sync)
{
    for (size_t i = 0; i < csy_sync_nthreads(sync); i++) {
        const csy_thread *thread = csy_sync_thread(sync, i);
        printf("%s %" PRId64 "\n", thread->name, thread->offset_ticks);
    }
}

int main(int argc, char **argv)
{
    csy_error error;
    csy_options *options;
    csy_trace *trace;
    csy_sync *sync;

    if (argc != 2) {
        fprintf(stderr, "usage: consumer TRACE.csv\n");
        return 2;
    }
    if (strcmp(csy_version(), CSY_VERSION) != 0) {
        fprintf(stderr, "consumer: the header is %s, the library %s\n", CSY_VERSION, csy_version());
        return 1;
    }
    if (csy_options_new(&options, &error) != CSY_OK)
        return fail(&error);
    if (csy_options_set_relax(options, (csy_relax)1000, &error) != CSY_USAGE) {
        fprintf(stderr, "consumer: a value of a later version is not refused\n");
        return 1;
    }
    if (csy_options_set_alpha(options, (csy_fraction){1, 2}, &error) != CSY_OK)
        return fail(&error);
    if (csy_trace_open(argv[1], NULL, &trace, &error) != CSY_OK)
        return fail(&error);
    if (csy_trace_synchronize(trace, options, &sync, &error) != CSY_OK) {
        csy_trace_free(trace);
        return fail(&error);
    }
    print_offsets(sync);
    csy_options_free(options);
    csy_sync_free(sync);
    csy_trace_free(trace);
    return 0;
}

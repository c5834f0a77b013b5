/* The main program of pdtsim(1). */
#include "simulator/options.h"
#include "simulator/session.h"
#include "tool/descriptors.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <string.h>

#define SECOND_NS 1000000000

enum { EXIT_GOOD = 0, EXIT_TROUBLE = 1, EXIT_USAGE = 2 };

/* If a run has more records than this, a message recommends --events. */
enum { MANY_RECORDS = 100000 };

static int simulate(const struct options *options)
{
    struct session_result result = {0};
    csy_error error = {0};
    bool cluster = options->workload.cluster.kind != CLUSTER_NONE;
    if ((cluster ? cluster_run : session_run)(options, &result, &error)) {
        fprintf(stderr, "pdtsim: %s\n", error.text);
        return EXIT_TROUBLE;
    }
    if (options->verbose || options->tracing.kind_given)
        fprintf(stderr, "pdtsim: the program ran for %" PRId64 ".%09" PRId64 " s\n",
                result.run_ns / SECOND_NS, result.run_ns % SECOND_NS);
    if (options->verbose && options->tracing.block > 0) {
        const struct tracing_cost *cost = &result.cost;
        int64_t bytes = options->tracing.block * SPE_RECORD_BYTES *
                        (options->tracing.flush == FLUSH_DOUBLE ? 2 : 1);
        fprintf(stderr,
                "pdtsim: %" PRIu64 " records in %" PRIu64 " flushes, %" PRIu64 " pauses of %" PRId64
                ".%09" PRId64 " s\npdtsim: %" PRId64
                " bytes of local store of each context, %.2f records a byte\n",
                cost->records, cost->flushes, cost->pauses, result.pause_ns / SECOND_NS,
                result.pause_ns % SECOND_NS, bytes,
                (double)cost->records / (double)(bytes * (int64_t)options->ncontexts));
    }
    if (options->verbose && cluster)
        fprintf(stderr,
                "pdtsim: %" PRIu64 " records of %" PRIu64 " ranks, pauses of %" PRId64 ".%09" PRId64
                " s\n",
                result.records, result.intervals, result.pause_ns / SECOND_NS,
                result.pause_ns % SECOND_NS);
    else if (options->verbose)
        fprintf(stderr,
                "pdtsim: %" PRIu64 " records, %" PRIu64 " live intervals, %" PRIu64
                " switch records\n",
                result.records, result.intervals, result.switches);
    else if (result.records > MANY_RECORDS && options->events == 0)
        fprintf(stderr,
                "pdtsim: %" PRIu64 " records, as many as the rounds of the workload make: "
                "--events=N makes fewer\n",
                result.records);
    if (options->verbose && options->advice)
        fprintf(stderr, "pdtsim: %" PRIu64 " of the records were advised\n", result.probed);
    return EXIT_GOOD;
}

int main(int argc, char **argv)
{
    struct options options;
    if (!descriptors_occupy())
        return EXIT_TROUBLE;
    signal(SIGXFSZ, SIG_IGN); /* writing beyond a quota becomes an error */
    signal(SIGPIPE, SIG_IGN);
    enum command_action action = options_read(argc, argv, &options);
    if (action == COMMAND_USAGE)
        return EXIT_USAGE;
    if (action == COMMAND_RUN)
        return simulate(&options);
    if (action == COMMAND_VERSION)
        printf("pdtsim %s\n", CSY_VERSION);
    else
        options_print_help();
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "pdtsim: standard output: %s\n", strerror(errno));
        return EXIT_TROUBLE;
    }
    return EXIT_GOOD;
}

/* A message tells what is wrong, how often, and what follows for the user. */
#include "cli/messages.h"

#include "tool/show.h"

#include <inttypes.h>
#include <string.h>

bool messages_explained(const struct cli_options *options)
{
    return options->report && !options->table && options->report_format != CSY_REPORT_CSV &&
           options->report_format != CSY_REPORT_TEX;
}

/* What took longer than it usually does. */
static void say_cost(const struct cli_options *options, const csy_sync *sync)
{
    if (options->solving.verbose && csy_sync_summary(sync)->quadratic)
        fprintf(stderr, "cellsync: the statistics took time quadratic in the number of threads: "
                        "none of them has records throughout\n");
}

static void warn_of_figures(const struct cli_options *options, const csy_sync *sync)
{
    uint64_t steps = csy_sync_summary(sync)->uncomputed_steps;
    if (options->report && steps)
        messages_warn(&options->solving,
                      "figures over all pairs are not computed: they would take %" PRIu64
                      " steps; --statistics=all computes them",
                      steps);
}

/* A report that grows with the square of the threads is only written when it is asked for. */
static void warn_of_pairs(const struct cli_options *options, const csy_sync *sync)
{
    const csy_summary *summary = csy_sync_summary(sync);
    if (options->solving.choices.method == CSY_METHOD_BHH && options->report && !options->table &&
        options_lists_pairs(options->report_format) && !options->pairs &&
        csy_sync_nthreads(sync) > CSY_PAIRS_ALL_THREADS_MAX) {
        bool partial = csy_sync_matched(sync) != NULL;
        char listed[32] = "those";
        if (!partial || !summary->met_uncomputed)
            snprintf(listed, sizeof listed, "the %" PRIu64,
                     partial ? summary->met.pairs : summary->live.pairs);
        messages_warn(&options->solving,
                      "of %" PRIu64 " pairs of %ss the report lists only %s that %s (see --pairs)",
                      summary->pairs, messages_clock_word(sync), listed,
                      partial ? "have a constraint of their own" : "are live together");
    }
}

/* A CSV whose rows would be taken for those of one buffer. */
static void warn_of_header(const struct cli_options *options, const csy_sync *sync)
{
    if (options->output && options->written.csv_header == CSY_CSV_BARE && csy_sync_matched(sync))
        messages_warn(&options->solving,
                      "without comments the output does not say that its order is "
                      "partial: it would be read as that of one buffer");
}

/* All bounds of many threads would be drawn over each other. */
static void warn_of_graph(const struct cli_options *options, const csy_sync *sync)
{
    size_t n = csy_sync_nthreads(sync);
    if (options->graph && options->graph_of == CSY_GRAPH_BOUNDS &&
        n > CSY_GRAPH_ALL_BOUNDS_THREADS_MAX && n <= CSY_GRAPH_BOUNDS_THREADS_MAX)
        messages_warn(&options->solving,
                      "of %" PRIu64
                      " bounds the graph shows those of a minimum spanning tree only: all of "
                      "them are drawn for up to %d %ss",
                      csy_sync_summary(sync)->pairs, CSY_GRAPH_ALL_BOUNDS_THREADS_MAX,
                      messages_clock_word(sync));
}

void messages_of_loss(const struct cli_options *options, const char *path)
{
    char shown[MESSAGE_NAME_BYTES];
    if (strcmp(path, "-") == 0 || !csy_has_attributes(path))
        return;
    csy_escape(shown, sizeof shown, path);
    messages_warn(&options->solving,
                  "the access control list and attributes of the old %s are lost",
                  show_name(shown, stderr));
}

void messages_of_outputs(const struct cli_options *options, const csy_sync *sync)
{
    messages_of_solution(&options->solving, sync,
                         messages_explained(options) ? "see why in the report"
                                                     : "a text report says why");
    warn_of_figures(options, sync);
    warn_of_pairs(options, sync);
    warn_of_header(options, sync);
    warn_of_graph(options, sync);
    say_cost(options, sync);
}

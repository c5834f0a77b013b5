/* cellsync(1): options -> library -> messages and exit status. */
#include "cli/explain.h"
#include "cli/memory.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/quit.h"
#include "cli/sandbox.h"
#include "cli/settings.h"
#include "cli/show.h"
#include "tool/descriptors.h"
#include "tool/usage.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { ESCAPED_BYTES = 128 };

#ifdef HAVE_MALLOPT
#include <malloc.h>

/* As glibc begins; of itself it would keep ever more of what is freed. */
enum { TRIM_BYTES = 128 * 1024 };
#endif

enum { STACK_BYTES = 2 << 20 };

enum { EXIT_GOOD = 0, EXIT_TROUBLE = 1, EXIT_USAGE = 2, EXIT_INFEASIBLE = 3 };

static bool sandboxed;

static int exit_code(csy_status status)
{
    return status == CSY_OK           ? EXIT_GOOD
           : status == CSY_USAGE      ? EXIT_USAGE
           : status == CSY_INFEASIBLE ? EXIT_INFEASIBLE
                                      : EXIT_TROUBLE;
}

static void warn(const struct cli_options *options, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void warn(const struct cli_options *options, const char *format, ...)
{
    va_list args;
    if (options->quiet)
        return;
    va_start(args, format);
    char trace[ESCAPED_BYTES], text[2048];
    csy_escape(trace, sizeof trace, options->trace);
    /* Begun above: NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized) */
    (void)vsnprintf(text, sizeof text, format, args);
    fprintf(stderr, "cellsync: warning: %s: %s\n", cli_show(trace, stderr), cli_show(text, stderr));
    va_end(args);
}

/* Say what has failed; whoever reads from a pipe no longer, as head(1), knows. */
static void tell_failure(const csy_error *error)
{
    csy_error shown = *error;
    if (error->status != CSY_IO || !cli_quit_pipe_broke())
        fprintf(stderr, "cellsync: %s\n", cli_show(shown.text, stderr));
}

static const char *plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

/* What has an offset: a clock where threads share some, else the thread whose own it is. */
static const char *clock_word(const csy_sync *sync)
{
    return csy_sync_ntracks(sync) > csy_sync_nthreads(sync) ? "clock" : "thread";
}

/* Everything about the clocks and switches that the user should not have to look for. */
static void warn_of_clocks(const struct cli_options *options, const csy_sync *sync)
{
    const csy_clock_report *clock = csy_sync_clock_report(sync);
    if (clock->lost_outs)
        warn(options, "%" PRIu64 " context switch%s missing in the trace: SPE_SWITCH_OUT",
             clock->lost_outs, clock->lost_outs == 1 ? " is" : "es are");
    if (clock->lost_ins)
        warn(options, "%" PRIu64 " context switch%s missing in the trace: SPE_SWITCH_IN",
             clock->lost_ins, clock->lost_ins == 1 ? " is" : "es are");
    if (clock->stragglers && !clock->notifier)
        warn(options,
             "%" PRIu64 " record%s between a switch out and the next switch in: each is a "
             "live interval of its own",
             clock->stragglers, plural(clock->stragglers));
    if (clock->splits)
        warn(options, "%" PRIu64 " live interval%s split where a decrementer had been written%s",
             clock->splits, clock->splits == 1 ? " was" : "s were",
             options->solve.unwrap == CSY_UNWRAP_STRICT ? " or whole wraps could hide" : "");
    if (clock->assumed)
        warn(options,
             "%" PRIu64 " gap%s could hide whole wraps of a decrementer; it is assumed that "
             "none slept that long unseen",
             clock->assumed, plural(clock->assumed));
}

static void warn_of_cut(const struct cli_options *options, const csy_sync *sync)
{
    const csy_cut *cut = csy_sync_cut(sync);
    if (cut)
        warn(options, "salvaged %" PRIu64 " whole record%s; the trace is cut off: %s", cut->records,
             plural(cut->records), cut->text);
}

/* Whether a report is written that says why delta is above 0. */
static bool explains(const struct cli_options *options)
{
    return options->report && !options->table && options->report_format != CSY_REPORT_CSV &&
           options->report_format != CSY_REPORT_TEX;
}

static void warn_of_solution(const struct cli_options *options, const csy_sync *sync)
{
    const csy_summary *summary = csy_sync_summary(sync);
    const csy_imprecision *imprecision = csy_sync_imprecision(sync);
    if (summary->unbounded_threads && csy_sync_method(sync) != CSY_METHOD_BHH)
        warn(options, "no messages connect %zu %s%s to the rest: %s where the rest does",
             summary->unbounded_threads, clock_word(sync), plural(summary->unbounded_threads),
             summary->unbounded_threads == 1 ? "it begins" : "they begin");
    else if (summary->unbounded_threads && csy_sync_matched(sync))
        warn(options, "%zu %s%s not bounded to the reference on both sides: nothing orders %s so",
             summary->unbounded_threads, clock_word(sync),
             summary->unbounded_threads == 1 ? " is" : "s are",
             summary->unbounded_threads == 1 ? "it" : "them");
    else if (summary->unbounded_threads)
        warn(options,
             "%zu %s%s unbounded on one side: no record of theirs on that side of the "
             "reference's",
             summary->unbounded_threads, clock_word(sync),
             summary->unbounded_threads == 1 ? " is" : "s are");
    if (imprecision->adjacent_steps_back && imprecision->relax == CSY_RELAX_PAPER)
        warn(options,
             "%" PRIu64 " record%s below the record just before of the same thread; the paper's "
             "relaxation leaves that as it is",
             imprecision->adjacent_steps_back,
             imprecision->adjacent_steps_back == 1 ? " is" : "s are");
    const csy_damage *damage = csy_sync_damage(sync);
    if (csy_sync_method(sync) != CSY_METHOD_BHH && imprecision->inversions)
        warn(options,
             "global time goes down at %" PRIu64 " record%s, by up to %" PRId64
             " ticks: the method does not keep the order",
             imprecision->inversions, plural(imprecision->inversions),
             imprecision->largest_inversion_ticks);
    if (damage && damage->damaged)
        warn(options,
             "%" PRIu64 " of %" PRIu64 " distances between records of one thread are not those of "
             "its clock, by up to %" PRId64 " ticks: the method damages them",
             damage->damaged, damage->mean.pairs, damage->worst_ticks);
    const csy_dropped *dropped = csy_sync_dropped(sync);
    if (dropped->asked && dropped->count == 0)
        warn(options, "no record is left out: nothing contradicts the clocks");
    if (options->report && summary->uncomputed_steps)
        warn(options,
             "figures over all pairs are not computed: they would take %" PRIu64
             " steps; --statistics=all computes them",
             summary->uncomputed_steps);
    char text[CSY_WARNING_TEXT_MAX];
    if (csy_sync_dropped_warning(sync, text))
        warn(options, "%s", text);
    if (csy_sync_order_warning(sync, text))
        warn(options, "%s", text);
    if (csy_sync_delta_warning(sync, text))
        warn(options, "%s; %s", text,
             explains(options) ? "see why in the report" : "a text report says why");
    else if (imprecision->beyond_unwrapping)
        warn(options, "delta is so large that unwrapping may have taken imprecision for written "
                      "decrementers");
}

static void print_edge(const csy_trace *trace, const csy_sync *sync, const csy_witness_edge *edge)
{
    const char *place = csy_trace_place_name(trace);
    char s[ESCAPED_BYTES], t[ESCAPED_BYTES];
    csy_escape(s, sizeof s, csy_sync_thread(sync, edge->s)->name);
    csy_escape(t, sizeof t, csy_sync_thread(sync, edge->t)->name);
    cli_show(s, stderr);
    cli_show(t, stderr);
    fprintf(stderr,
            "cellsync:   record %" PRIu64 " (%s %" PRIu64 ") of %s at %" PRId64
            " stands before record %" PRIu64 " (%s %" PRIu64 ") of %s at %" PRId64
            ": g[%s] - g[%s] <= %" PRId64 "\n",
            edge->record_s, place, edge->place_s, s, edge->time_s, edge->record_t, place,
            edge->place_t, t, edge->time_t, s, t, edge->weight_ticks);
}

static void print_witness(const csy_trace *trace, const csy_sync *sync)
{
    const csy_witness *witness = csy_sync_witness(sync);
    if (!witness)
        return;
    fprintf(stderr, "cellsync: witness: a cycle of %zu constraint%s, together %" PRId64 " ticks\n",
            witness->length, plural(witness->length), witness->weight_ticks);
    for (size_t i = 0; i < witness->length; i++)
        print_edge(trace, sync, &witness->edges[i]);
}

/* standard: what "-" stands for. */
static void say(const struct cli_options *options, const char *what, const char *name,
                const char *standard)
{
    char shown[ESCAPED_BYTES];
    csy_escape(shown, sizeof shown, strcmp(name, "-") == 0 ? standard : name);
    cli_show(shown, stderr);
    if (options->verbose)
        fprintf(stderr, "cellsync: %s %s\n", what, shown);
}

/* Whoever types at a terminal may not know that it is read. */
static void say_waiting(const struct cli_options *options)
{
    if (!options->quiet && strcmp(options->trace, "-") == 0 && isatty(STDIN_FILENO))
        fprintf(stderr, "cellsync: reading a trace from standard input, which is a terminal; "
                        "end it by Ctrl-D, or give up by Ctrl-C\n");
}

/* What took longer than it usually does. */
static void say_cost(const struct cli_options *options, const csy_sync *sync)
{
    if (options->verbose && csy_sync_summary(sync)->quadratic)
        fprintf(stderr, "cellsync: the statistics took time quadratic in the number of threads: "
                        "none of them has records throughout\n");
}

/* A report that grows with the square of the threads is only written when it is asked for. */
static void warn_of_pairs(const struct cli_options *options, const csy_sync *sync)
{
    const csy_summary *summary = csy_sync_summary(sync);
    if (options->solve.method == CSY_METHOD_BHH && options->report && !options->table &&
        options_lists_pairs(options->report_format) && !options->pairs &&
        csy_sync_nthreads(sync) > CSY_PAIRS_ALL_THREADS_MAX)
        warn(options,
             "of %" PRIu64 " pairs of %ss the report lists only the %" PRIu64
             " that are live together (see --pairs)",
             summary->pairs, clock_word(sync), summary->live.pairs);
}

/* All bounds of many threads would be drawn over each other. */
static void warn_of_graph(const struct cli_options *options, const csy_sync *sync)
{
    size_t n = csy_sync_nthreads(sync);
    if (options->graph && options->graph_of == CSY_GRAPH_BOUNDS &&
        n > CSY_GRAPH_ALL_BOUNDS_THREADS_MAX && n <= CSY_GRAPH_BOUNDS_THREADS_MAX)
        warn(options,
             "of %" PRIu64 " bounds the graph shows those of a minimum spanning tree only: all of "
             "them are drawn for up to %d %ss",
             csy_sync_summary(sync)->pairs, CSY_GRAPH_ALL_BOUNDS_THREADS_MAX, clock_word(sync));
}

/* What is about to be replaced loses what cannot be given to the new file. */
static void warn_of_loss(const struct cli_options *options, const char *path)
{
    char shown[ESCAPED_BYTES];
    if (strcmp(path, "-") == 0 || !csy_has_attributes(path))
        return;
    csy_escape(shown, sizeof shown, path);
    warn(options, "the access control list and attributes of the old %s are lost",
         cli_show(shown, stderr));
}

/* All but a table, which is of several traces. */
static csy_status write_outputs(const struct cli_options *options, struct cli_progress *progress,
                                csy_trace *trace, csy_sync *sync, const csy_output *output,
                                csy_error *error)
{
    csy_status status = CSY_OK;
    if (options->explain)
        status = cli_explain(trace, sync, options->explain, progress, error);
    if (!status && options->graph) {
        say(options, "writing", options->graph, "standard output");
        warn_of_loss(options, options->graph);
        cli_progress_yield(progress, options->graph);
        status = csy_sync_write_graph(sync, options->graph, options->graph_of, error);
        cli_progress_clear(progress);
    }
    if (!status && options->figures) {
        say(options, "writing", options->figures, "standard output");
        cli_progress_yield(progress, options->figures);
        status = csy_sync_write_figures(sync, options->figures, error);
        cli_progress_clear(progress);
    }
    if (!status && options->output) {
        say(options, "writing", options->output, "standard output");
        warn_of_loss(options, options->output);
        cli_progress_yield(progress, options->output);
        status = csy_sync_write_trace(sync, options->output, output, error);
        cli_progress_clear(progress);
        if (!status && (options->written.window || options->written.only) &&
            csy_trace_written(trace) == 0)
            warn(options, "--window and --only leave no record to be written");
    }
    if (!status && options->report && !options->table) {
        say(options, "writing", options->report, "standard output");
        warn_of_loss(options, options->report);
        cli_progress_yield(progress, options->report);
        status = csy_sync_write_report(sync, options->report, options->report_format,
                                       options->pairs, error);
        cli_progress_clear(progress);
    }
    return status;
}

/* None of the outputs is a file of the trace, or another output. */
static csy_status check_outputs(const struct cli_options *options, const csy_trace *trace,
                                const csy_options *solving, const csy_output *output,
                                csy_error *error)
{
    csy_output *one_file;
    csy_status status = csy_output_new(&one_file, error);
    if (status)
        return status;
    status = csy_output_set_format(one_file, CSY_FORMAT_CSV, error);
    if (!status)
        status = csy_trace_check_outputs(trace, solving, options->output, output, options->report,
                                         error);
    if (!status && options->graph)
        status =
            csy_trace_check_outputs(trace, NULL, options->output, output, options->graph, error);
    if (!status && options->graph)
        status =
            csy_trace_check_outputs(trace, NULL, options->graph, one_file, options->report, error);
    const char *others[] = {options->output, options->report, options->graph};
    for (size_t i = 0; options->figures && i < sizeof others / sizeof *others && !status; i++)
        status = csy_trace_check_outputs(trace, NULL, others[i], i ? one_file : output,
                                         options->figures, error);
    if (!status && options->figures)
        status = csy_check_figures(options->figures, error);
    csy_output_free(one_file);
    return status;
}

/* What the trace's file says of itself. */
static void warn_of_file(const struct cli_options *options, const csy_trace *trace)
{
    for (size_t i = 0; csy_trace_warning(trace, i); i++)
        warn(options, "%s", csy_trace_warning(trace, i));
}

static csy_status open_trace(const struct cli_options *options, csy_trace **out, csy_error *error)
{
    csy_input *input;
    csy_status status = settings_input(options, &input, error);
    if (status)
        return status;
    status = csy_trace_open(options->trace, input, out, error);
    csy_input_free(input);
    return status;
}

static csy_status synchronize(const struct cli_options *options, struct cli_progress *progress,
                              csy_table *table, csy_error *error)
{
    csy_trace *trace = NULL;
    csy_sync *sync = NULL;
    csy_options *solving = NULL;
    csy_output *output = NULL;
    say(options, "reading", options->trace, "standard input");
    say_waiting(options);
    csy_status status = open_trace(options, &trace, error);
    bool denied = status == CSY_IO && sandboxed && strstr(error->text, strerror(EACCES));
    if (!status)
        status = settings_solving(options, csy_trace_timebase_hz(trace), &solving, error);
    if (!status)
        status = settings_output(options, &output, error);
    if (!status)
        status = check_outputs(options, trace, solving, output, error);
    if (!status) {
        warn_of_file(options, trace);
        csy_trace_set_workers(trace, options->workers);
        csy_trace_set_progress(trace, cli_progress_show, progress);
        csy_trace_set_salvage(trace, options->salvage);
    }
    if (!status && csy_trace_is_synchronized(trace))
        warn(options, "it is synchronized already: global times are made anew from local ones, "
                      "and replaced");
    if (!status)
        status = csy_trace_synchronize(trace, solving, &sync, error);
    cli_progress_clear(progress);
    if (sync) {
        warn_of_cut(options, sync);
        warn_of_clocks(options, sync);
    }
    if (!status) {
        warn_of_solution(options, sync);
        warn_of_pairs(options, sync);
        warn_of_graph(options, sync);
        say_cost(options, sync);
        status = write_outputs(options, progress, trace, sync, output, error);
        if (!status && table)
            status = csy_table_add(table, sync, error);
    }
    if (status)
        tell_failure(error);
    if (denied)
        fputs("cellsync: only what lies below the folder of TRACE may be read; see --no-sandbox\n",
              stderr);
    if (status == CSY_INFEASIBLE)
        print_witness(trace, sync);
    csy_output_free(output);
    csy_options_free(solving);
    csy_sync_free(sync);
    csy_trace_free(trace);
    return status;
}

/* Every trace is tried, so that all that is wrong is said at once; a table lacks none or is not
 * written. */
static csy_status tabulate(struct cli_options *options, struct cli_progress *progress,
                           csy_error *error)
{
    csy_table *table = NULL;
    csy_status status = csy_table_new(options->report, options->report_format, &table, error);
    if (status)
        tell_failure(error);
    if (table)
        csy_table_set_unit(table, options->unit);
    for (size_t i = 0; table && i < options->ntraces; i++) {
        options->trace = options->traces[i];
        csy_status one = synchronize(options, progress, table, error);
        status = status ? status : one;
    }
    if (!status) {
        say(options, "writing", options->report, "standard output");
        status = csy_table_write(table, error);
        if (status)
            tell_failure(error);
    }
    csy_table_free(table);
    return status;
}

static csy_status check(const struct cli_options *options, struct cli_progress *progress,
                        csy_error *error)
{
    csy_proof *proof = NULL;
    csy_input *input = NULL;
    say_waiting(options);
    csy_status status = settings_input(options, &input, error);
    if (!status)
        status = csy_check(options->trace, input, cli_progress_show, progress, &proof, error);
    csy_input_free(input);
    cli_progress_clear(progress);
    if (status) {
        tell_failure(error);
        return status;
    }
    char trace[ESCAPED_BYTES];
    csy_escape(trace, sizeof trace, options->trace);
    printf("%s: proved", cli_show(trace, stdout));
    if (proof->assumed)
        printf(", if %" PRIu64 " assumed gap%s assumed rightly,", proof->assumed,
               proof->assumed == 1 ? " was" : "s were");
    if (proof->sorted != CSY_SORTED_NOT)
        printf(", if the rows are in the order of writing and not sorted by %s,",
               proof->sorted == CSY_SORTED_BY_TIME ? "time" : "thread");
    size_t threads = proof->tracks > proof->threads ? proof->tracks : proof->threads;
    printf(" on %" PRIu64 " record%s of %zu thread%s", proof->records, plural(proof->records),
           threads, plural(threads));
    if (threads > proof->threads)
        printf(" on %zu clock%s", proof->threads, plural(proof->threads));
    if (proof->dropped)
        printf(", 2 and 4 without %" PRIu64 " dropped record%s", proof->dropped,
               plural(proof->dropped));
    if (proof->dropped_in_place)
        printf(", of which %" PRIu64 " contradict%s none of the others", proof->dropped_in_place,
               proof->dropped_in_place == 1 ? "s" : "");
    putchar('\n');
    bool columns = proof->columns;
    printf("  1  intervals keep their lengths; %s CRC-32 0x%08" PRIx32 "\n",
           columns ? "without what was added, the file has" : "undone, the records have",
           proof->original_crc32);
    printf("  2  %" PRIu64 " inversion%s, the largest %" PRId64 " ticks; %" PRId64
           " are allowed%s\n",
           proof->inversions, plural(proof->inversions), proof->largest_inversion_ticks,
           proof->allowed_inversion_ticks,
           proof->neighbours_only ? " between neighbouring records of two threads" : "");
    printf(
        "  4  %s, every offset %s",
        columns ? "bounds are those that the rows imply" : "every bound is what the records imply",
        proof->center == CSY_CENTER_LOCAL ? "keeps the order of records" : "where alpha puts it");
    if (proof->unplaced)
        printf("; %zu clock%s not bounded on both sides only keep%s the order", proof->unplaced,
               plural(proof->unplaced), proof->unplaced == 1 ? "s" : "");
    putchar('\n');
    csy_proof_free(proof);
    return CSY_OK;
}

static void enter_sandbox(const struct cli_options *options)
{
    if (options->no_sandbox)
        return;
    sandboxed = cli_sandbox_enter(options) > 0;
    if (options->verbose)
        fputs(sandboxed ? "cellsync: sandbox: Landlock\n"
                        : "cellsync: sandbox: none; this system or build has no Landlock\n",
              stderr);
}

struct job {
    struct cli_options *options;
    bool apart; /* in a thread of its own */
    csy_status status;
};

static void *work(void *user)
{
    struct job *job = user;
    struct cli_options *options = job->options;
    struct cli_progress progress;
    csy_error error = {CSY_OK, ""};
    if (job->apart)
        enter_sandbox(options);
    cli_progress_init(&progress, options->progress, options->quiet);
    job->status = options->check   ? check(options, &progress, &error)
                  : options->table ? tabulate(options, &progress, &error)
                                   : synchronize(options, &progress, NULL, &error);
    return NULL;
}

/* Work in another thread, with room enough; false where there is none. */
static bool work_apart(struct job *job)
{
    pthread_attr_t attributes;
    pthread_t thread;
    if (pthread_attr_init(&attributes) != 0)
        return false;
    bool started = pthread_attr_setstacksize(&attributes, STACK_BYTES) == 0 &&
                   pthread_create(&thread, &attributes, work, job) == 0;
    if (started)
        pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
    return started;
}

/* Where this thread has little stack (ulimit -s), another one works. */
static csy_status run(struct cli_options *options)
{
    struct rlimit stack;
    struct job job = {options, true, CSY_OK};
    bool little = getrlimit(RLIMIT_STACK, &stack) == 0 && stack.rlim_cur < STACK_BYTES;
    if (!little)
        enter_sandbox(options);
    cli_quit_watch(options);
    if (little && work_apart(&job))
        return job.status;
    job.apart = little;
    work(&job);
    return job.status;
}

int main(int argc, char **argv)
{
    static struct cli_options options; /* a signal asks for them also when main has returned */
    char features[256];
    csy_status status = CSY_OK;
    if (!descriptors_occupy())
        return EXIT_TROUBLE;
    cli_quit_heed_pipe();
    signal(SIGXFSZ, SIG_IGN); /* a full quota is a write error like others */
#ifdef HAVE_MALLOPT
    mallopt(M_TRIM_THRESHOLD, TRIM_BYTES);
#endif
    usage_show = cli_show;
    switch (options_read(argc, argv, &options)) {
    case COMMAND_USAGE:
        return EXIT_USAGE;
    case COMMAND_HELP:
        options_print_help();
        break;
    case COMMAND_VERSION:
        csy_features(features, sizeof features);
        printf("cellsync %s\n%s, %s\n", csy_version(), features,
               cli_sandbox_is_built() ? "sandbox by Landlock" : "no sandbox");
        break;
    case COMMAND_RUN:
        cli_limit_memory(options.max_memory);
        csy_set_terminal(cli_show_is_utf8());
        status = run(&options);
    }
    bool unwritten = fflush(stdout) != 0 || ferror(stdout);
    if ((unwritten || status == CSY_IO) && cli_quit_pipe_broke())
        cli_quit_by_pipe();
    if (unwritten) {
        fprintf(stderr, "cellsync: standard output: %s\n", strerror(errno));
        return EXIT_TROUBLE;
    }
    return exit_code(status);
}

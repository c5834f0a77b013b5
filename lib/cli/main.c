/* The main program of cellsync(1). */
#include "cli/table.h"
#include "tool/explain.h"
#include "tool/messages.h"
#include "tool/program.h"
#include "tool/progress.h"
#include "tool/show.h"
#include "tool/usage.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- Conflicts between options ---------------------------------------------------------------- */

#define complain(...) usage_complain(CLI_PROGRAM, __VA_ARGS__)

static bool is_standard(const char *file)
{
    return file && strcmp(file, "-") == 0;
}

static bool options_lists_pairs(csy_report_format format)
{
    return format == CSY_REPORT_CSV || format == CSY_REPORT_JSON;
}

static bool check_report(const struct cli_options *out, const struct command *command)
{
    csy_report_format format = out->report_format;
    bool csv = format == CSY_REPORT_CSV, html = format == CSY_REPORT_HTML;
    if (command_has(command, "report-format") && !out->report)
        return complain("--report-format requires -r");
    if (out->table && !out->report)
        return complain("--table requires -r");
    if (out->table && (html || format == CSY_REPORT_JSON))
        return complain("--table excludes --report-format=%s", html ? "html" : "json");
    if (out->solving.choices.method != CSY_METHOD_BHH && out->report && (csv || html || out->table))
        return complain("%s contains bounds, so it requires --method=bhh", out->table ? "--table"
                                                                           : csv
                                                                               ? "a CSV report"
                                                                               : "an HTML report");
    if (command_has(command, "unit") && ((!out->table && !out->undecided) || csv))
        return complain("--unit requires --table and --report-format=text, tex, or md");
    if (out->pairs && out->table)
        return complain("--pairs excludes --table, which has no pairs");
    if (out->pairs && (!out->report || !options_lists_pairs(format)))
        return complain("--pairs requires --report-format=csv or json");
    if (out->solving.choices.advise && (!out->report || out->table || csv))
        return complain("--advise requires --report-format=text, json, or html");
    return true;
}

/* Returns the name of a given option that requires clocks with constant offsets, or NULL. */
static const char *option_of_one_offset(const struct cli_options *out,
                                        const struct command *command)
{
    bool local = out->solving.choices.center == CSY_CENTER_LOCAL;
    return command_has(command, "center") && local ? "center"
           : command_has(command, "drop")          ? "drop"
                                                   : NULL;
}

/* Print an error if options exclude each other or one is missing. Returns true if there is none. */
static bool check_together(const struct cli_options *out, const struct command *command)
{
    const struct solving_choices *solve = &out->solving.choices;
    const struct option_row *bounding = command_first(command, BOUNDS);
    bool csv_part = command_has(command, "csv-header") || command_has(command, "csv-time");
    bool pex = out->written.format == CSY_FORMAT_PEX || out->written.format == CSY_FORMAT_AUTO;
    int to_standard_output = is_standard(out->output) + is_standard(out->report) +
                             is_standard(out->graph) + is_standard(out->clocks) +
                             (out->explain != NULL);
    if (out->check && command_first(command, NOT_CHECKED))
        return complain("--check excludes -o, -r, --threads, and options that change how a trace "
                        "is synchronized");
    if (csv_part && !out->output)
        return complain("--csv-header and --csv-time require -o");
    if (out->clocks && solve->monotonic)
        return complain(
            "--clocks excludes --monotonic, because --monotonic moves records individually");
    if (solve->drop > 0 && solve->relax != CSY_RELAX_EXACT)
        return complain("--drop requires --relax=exact, and excludes %s",
                        command_has(command, "delta") ? "--delta" : "other values of --relax");
    if (solve->method != CSY_METHOD_BHH && solve->unwrap == CSY_UNWRAP_STRICT)
        return complain(
            "--unwrap=strict requires --method=bhh, because other methods have no bounds");
    if (solve->method != CSY_METHOD_BHH && bounding)
        return complain("--%s requires --method=bhh, because other methods have no bounds",
                        bounding->name);
    if (solve->method != CSY_METHOD_BHH && solve->drift_ppb != CSY_NO_DRIFT)
        return complain("--drift requires --method=bhh, because other methods have no bounds");
    const char *one_offset = option_of_one_offset(out, command);
    const char *constant = one_offset                           ? one_offset
                           : solve->relax == CSY_RELAX_PAPER    ? "relax=paper"
                           : solve->engine != CSY_ENGINE_AUTO   ? "engine"
                           : solve->unwrap == CSY_UNWRAP_STRICT ? "unwrap=strict"
                                                                : NULL;
    if (solve->drift_ppb != CSY_NO_DRIFT && constant)
        return complain("--%s requires clocks that do not drift (--drift=0)", constant);
    if (!command_fits(command) || !check_report(out, command))
        return false;
    if (!pex && out->written.embed)
        return complain("--embed requires --to=pex");
    if (out->written.format == CSY_FORMAT_CTF && out->written.compress_level >= 0)
        return complain("--compress excludes --to=ctf");
    return to_standard_output <= 1 ||
           complain("only one of -o, -r, --graph, --clocks, and --explain can use standard output");
}

/* Make a table of several separate traces. Returns false after printing an error. */
static bool take_table(struct cli_options *out)
{
    const struct option_row *single = command_first(&out->command, ONE_TRACE);
    if (out->solving.ntraces > 1 && single && !out->original)
        return complain("%s accepts one TRACE, but '%s' is a second one", option_shown(single),
                        usage_visible(out->solving.traces[1]));
    out->table |= out->solving.ntraces > 1 && !out->original;
    return true;
}

/* Store the traces. Also set defaults that depend on other options and on the number of traces. */
static bool take_operands(struct cli_options *out, const struct command *command)
{
    csy_error error;
    if (command->noperands == 0)
        return complain("the name of a trace (TRACE) is missing");
    out->solving.traces = command->operands;
    out->solving.ntraces = (size_t)command->noperands;
    out->solving.trace = out->solving.traces[0];
    out->command = *command;
    if (!command_first(command, ONE_TRACE) && !out->report)
        out->report = "-";
    if (!command_has(command, "report-format") && out->report &&
        csy_report_format_of(out->report, &out->report_format, &error) != CSY_OK)
        return complain("%s", error.text);
    out->table |= out->report_format == CSY_REPORT_TEX || out->report_format == CSY_REPORT_MD;
    out->undecided =
        !out->check && !command_has(command, "table") && solving_may_join(&out->solving);
    return out->undecided || take_table(out);
}

/* Parse the command line. If the result is COMMAND_USAGE, the reason was already printed. */
static enum command_action options_read(int argc, char **argv, struct cli_options *out)
{
    struct command command = {.table = &cli_table, .options = out};
    *out = (struct cli_options){
        .written.compress_level = CSY_COMPRESS_BY_NAME,
        .solving = solving_default(CLI_PROGRAM),
    };
    enum command_action action = command_read(&command, argc, argv);
    if (action != COMMAND_RUN)
        return action;
    if (!take_operands(out, &command) || !check_together(out, &command))
        return COMMAND_USAGE;
    solving_note_passed(&out->solving, &command);
    /* To write a part of a CSV, skip the search for clocks that were set, a pass over the trace. */
    if (out->written.window || out->written.only)
        out->solving.choices.steps_passed = true;
    if (option_of_one_offset(out, &command))
        out->solving.choices.premises = CSY_PREMISES_ONE_RATE;
    return COMMAND_RUN;
}

/* --- Messages about outputs on standard error ------------------------------------------------- */

/* Returns true if the report will contain the diagnosis of a contradiction. */
static bool messages_explained(const struct cli_options *options)
{
    return options->report && !options->table && options->report_format != CSY_REPORT_CSV;
}

static void messages_of_outputs(const struct cli_options *options, const csy_sync *sync)
{
    const struct solving *solving = &options->solving;
    const csy_summary *summary = csy_sync_summary(sync);
    size_t n = csy_sync_nthreads(sync);
    bool partial = csy_sync_matched(sync) != NULL, drifts = csy_sync_drift(sync) != NULL;
    messages_of_solution(solving, sync,
                         messages_explained(options) ? "see the diagnosis in the report"
                                                     : "a text report (-r) names the cause");
    if (options->report && summary->uncomputed_steps)
        messages_warn(solving,
                      "the figures over all pairs are not computed, because they need %" PRIu64
                      " steps; to compute them, pass --statistics=all",
                      summary->uncomputed_steps);
    /* Without --pairs, a report lists only some pairs of threads if there are many threads. */
    if (solving->choices.method == CSY_METHOD_BHH && options->report && !options->table &&
        options_lists_pairs(options->report_format) && !options->pairs &&
        n > (drifts ? CSY_DRIFT_PAIRS_THREADS_MAX : CSY_PAIRS_ALL_THREADS_MAX)) {
        char listed[32] = "those";
        if (!drifts && (!partial || !summary->met_uncomputed))
            snprintf(listed, sizeof listed, "the %" PRIu64,
                     partial ? summary->met.pairs : summary->live.pairs);
        messages_warn(solving,
                      "the report omits most of the %" PRIu64
                      " pairs of %ss and lists only %s that %s; see --pairs",
                      summary->pairs, messages_clock_word(sync), listed,
                      partial ? "have a direct constraint" : "are active at the same time");
    }
    if (options->output && options->written.csv_header == CSY_CSV_BARE && partial)
        messages_warn(solving, "without comments, the output lacks the line # order=partial; "
                               "cellsync would read its rows as the order of one buffer");
    if (options->graph && options->graph_of == CSY_GRAPH_BOUNDS &&
        n > CSY_GRAPH_ALL_BOUNDS_THREADS_MAX && n <= CSY_GRAPH_BOUNDS_THREADS_MAX)
        messages_warn(
            solving,
            "instead of all %" PRIu64
            " bounds, the graph shows a minimum spanning tree, because it has more than %d %ss",
            summary->pairs, CSY_GRAPH_ALL_BOUNDS_THREADS_MAX, messages_clock_word(sync));
    if (solving->verbose && summary->quadratic)
        fprintf(stderr, "cellsync: the time for the statistics was quadratic in the number of "
                        "threads, because no thread has records in all parts of the trace\n");
}

/* Make the settings of the output file; the caller frees *out. CSY_USAGE: a value is invalid. */
static csy_status settings_output(const struct cli_options *options, csy_output **out,
                                  csy_error *error)
{
    const struct cli_written *said = &options->written;
    csy_output *output;
    csy_status status = csy_output_new(&output, error);
    if (status)
        return status;
    status = csy_output_set_format(output, said->format, error);
    status = status ? status : csy_output_set_embed(output, said->embed, error);
    status = status ? status : csy_output_set_link(output, said->linked, error);
    status = status ? status : csy_output_set_compress_level(output, said->compress_level, error);
    status = status ? status : csy_output_set_csv_header(output, said->csv_header, error);
    status = status ? status : csy_output_set_csv_time(output, said->csv_time, error);
    status = status ? status : csy_output_set_sort(output, said->sort, error);
    status = status ? status : csy_output_set_ranges(output, said->ranges != 0, error);
    status = status ? status : csy_output_set_json_args(output, said->json_args, error);
    status = status ? status : csy_output_set_window(output, said->window, error);
    status = status ? status : csy_output_set_only(output, said->only, error);
    if (status)
        csy_output_free(output);
    else
        *out = output;
    return status;
}

/* --- The program --------------------------------------------------------------------------- */

/* Print an error bound in ticks with three decimals, rounded to nearest. */
static void print_error(csy_fine error)
{
    enum { UNIT = 1000000, UNITS = 1000 };
    uint64_t part = (error.billionths + UNIT / 2) / UNIT;
    printf("%" PRId64 ".%03" PRIu64, error.ticks + (int64_t)(part / UNITS), part % UNITS);
}

static void tell_bounds(const csy_proof *proof)
{
    bool events = proof->beside || proof->format == CSY_FORMAT_OTF2;
    if (proof->drift_ppb == CSY_NO_DRIFT)
        printf("  4  %s, every offset %s",
               proof->columns && !proof->beside ? "the bounds are those that the rows prove"
               : events                         ? "the bounds are those that the events prove"
                                                : "every bound is the one that the records prove",
               proof->ordered
                   ? "is within its bounds, and the offsets keep the order of the records"
               : proof->center == CSY_CENTER_LOCAL ? "keeps the order of the records"
                                                   : "is at the fraction alpha of its bounds");
    else if (!proof->bounds_found)
        printf("  4  bounds not proved, because finding them would take too long");
    else if (proof->wander_ppb == CSY_NO_DRIFT)
        printf("  4  the bounds are those that the %s prove, every knot is at the fraction alpha "
               "of its bounds; errors are ",
               events ? "events" : "rows");
    else
        printf("  4  bounds not proved with a wander; without a wander, errors are ");
    if (proof->drift_ppb != CSY_NO_DRIFT && proof->bounds_found) {
        print_error(proof->max_error);
        printf(" ticks at most, and ");
        print_error(proof->mean_error);
        printf(" on average over %" PRIu64 " record%s", proof->error_records,
               messages_plural(proof->error_records));
    }
    if (proof->unbounded && !proof->unplaced)
        printf(
            "; %zu clock%s not bounded on both sides %s at an offset that the order allows for %s",
            proof->unbounded, messages_plural(proof->unbounded),
            proof->unbounded == 1 ? "is" : "are", proof->unbounded == 1 ? "it" : "them");
    if (proof->unplaced)
        printf("; %zu clock%s not bounded on both sides only keep%s the order", proof->unplaced,
               messages_plural(proof->unplaced), proof->unplaced == 1 ? "s" : "");
    putchar('\n');
}

/* Check a synchronized trace. Print the proof to standard output, or a failure to stderr. */
static csy_status cli_check(const struct cli_options *options, struct progress_line *progress,
                            csy_error *error)
{
    csy_proof *proof = NULL;
    csy_input *input = NULL;
    messages_of_waiting(&options->solving);
    csy_status status = solving_input(&options->solving, &input, error);
    /* With --original, the operands after the first one are more files of the original trace. */
    size_t n = options->original ? options->solving.ntraces : 0;
    const char **originals = calloc(n + 1, sizeof *originals);
    if (!status && !originals) {
        status = CSY_MEMORY;
        snprintf(error->text, sizeof error->text, "out of memory");
    }
    for (size_t i = 0; i < n && originals; i++)
        originals[i] = i == 0 ? options->original : options->solving.traces[i];
    if (!status)
        status = csy_check_files(options->solving.trace, originals, n, input, progress_line_show,
                                 progress, &proof, error);
    csy_input_free(input);
    progress_line_clear(progress);
    if (status)
        messages_failure(&options->solving, error);
    else {
        char trace[MESSAGE_NAME_BYTES];
        csy_escape(trace, sizeof trace, options->solving.trace);
        printf("%s: proved", show_name(trace, stdout));
        if (proof->assumed)
            printf(", provided that %" PRIu64 " assumed number%s of wraps %s right,",
                   proof->assumed, proof->assumed == 1 ? "" : "s",
                   proof->assumed == 1 ? "is" : "are");
        if (proof->sorted != CSY_SORTED_NOT)
            printf(
                ", provided that the rows are in the order of writing, and were not sorted by %s,",
                proof->sorted == CSY_SORTED_BY_TIME ? "time" : "thread");
        size_t threads = proof->tracks > proof->threads ? proof->tracks : proof->threads;
        printf(" on %" PRIu64 " record%s of %zu thread%s", proof->records,
               messages_plural(proof->records), threads, messages_plural(threads));
        if (threads > proof->threads)
            printf(" on %zu clock%s", proof->threads, messages_plural(proof->threads));
        if (proof->dropped)
            printf("; claims 2 and 4 exclude %" PRIu64 " dropped record%s", proof->dropped,
                   messages_plural(proof->dropped));
        if (proof->dropped_in_place)
            printf(", of which %" PRIu64 " contradict%s no other record", proof->dropped_in_place,
                   proof->dropped_in_place == 1 ? "s" : "");
        putchar('\n');
        printf("  1  ");
        if (proof->drift_ppb == CSY_NO_DRIFT)
            printf("intervals within a thread keep their lengths");
        else
            printf("no clock gains or loses more than %" PRId64 ".%03" PRId64 " ppm",
                   proof->drift_ppb / 1000, proof->drift_ppb % 1000);
        for (size_t i = 0; i < n && proof->beside; i++) {
            char original[MESSAGE_NAME_BYTES];
            csy_escape(original, sizeof original, originals[i]);
            printf("%s%s%s", i == 0 ? "; its rows are the events of " : ", ",
                   show_name(original, stdout), i + 1 == n ? "\n" : "");
        }
        if (!proof->beside)
            printf("; %s CRC-32 0x%08" PRIx32 "\n",
                   proof->columns                     ? "without the added columns, the file has"
                   : proof->format == CSY_FORMAT_OTF2 ? "the event files have"
                                                      : "with local times, the records have",
                   proof->original_crc32);
        printf("  2  %" PRIu64 " inversion%s in the order of events, the largest %" PRId64
               " ticks; at most %" PRId64 " ticks are allowed%s\n",
               proof->inversions, messages_plural(proof->inversions),
               proof->largest_inversion_ticks, proof->allowed_inversion_ticks,
               proof->neighbours_only ? " between neighbouring records of two threads" : "");
        tell_bounds(proof);
    }
    free(originals);
    csy_proof_free(proof);
    return status;
}

/* With --verbose, print "cellsync: WHAT NAME". `standard` replaces the name "-". */
static void say(const struct cli_options *options, const char *what, const char *name,
                const char *standard)
{
    char shown[MESSAGE_NAME_BYTES];
    csy_escape(shown, sizeof shown, strcmp(name, "-") == 0 ? standard : name);
    show_name(shown, stderr);
    if (options->solving.verbose)
        fprintf(stderr, "cellsync: %s %s\n", what, shown);
}

/* Announce an output. Returns false if it was not requested (`path` is NULL). */
static bool begin_output(const struct cli_options *options, struct progress_line *progress,
                         const char *path)
{
    char shown[MESSAGE_NAME_BYTES];
    if (!path)
        return false;
    progress_line_clear(progress);
    say(options, "writing", path, "standard output");
    if (path != options->figures && strcmp(path, "-") != 0 && csy_has_attributes(path)) {
        csy_escape(shown, sizeof shown, path);
        messages_warn(&options->solving,
                      "%s was replaced; its access control list and extended attributes are lost",
                      show_name(shown, stderr));
    }
    progress_line_yield(progress, path);
    return true;
}

static csy_status write_outputs(const struct cli_options *options, struct progress_line *progress,
                                csy_trace *trace, csy_sync *sync, const csy_output *output,
                                csy_error *error)
{
    csy_status status = CSY_OK;
    if (options->explain)
        status = explain_named(trace, sync, options->explain, progress, error);
    if (!status && begin_output(options, progress, options->graph))
        status = csy_sync_write_graph(sync, options->graph, options->graph_of, error);
    if (!status && begin_output(options, progress, options->clocks))
        status = csy_sync_write_clocks(sync, options->clocks, error);
    if (!status && begin_output(options, progress, options->figures))
        status = csy_sync_write_figures(sync, options->figures, error);
    if (!status && begin_output(options, progress, options->output)) {
        status = csy_sync_write_trace(sync, options->output, output, error);
        progress_line_clear(progress);
        if (!status && (options->written.window || options->written.only) &&
            csy_trace_written(trace) == 0)
            messages_warn(&options->solving,
                          "--window and --only select no record, so nothing is written");
    }
    if (!status && !options->table && begin_output(options, progress, options->report))
        status = csy_sync_write_report(sync, options->report, options->report_format,
                                       options->pairs, error);
    progress_line_clear(progress);
    return status;
}

/* Check that no output overwrites a file of the trace, and that all outputs are different files. */
static csy_status check_outputs(const struct cli_options *options, const csy_trace *trace,
                                const csy_options *solving, const csy_output *output,
                                csy_error *error)
{
    csy_output *one_file;
    csy_status status = csy_output_new(&one_file, error);
    if (status)
        return status;
    const char *names[] = {options->output, options->graph, options->report, options->clocks,
                           options->figures};
    status = csy_output_set_format(one_file, CSY_FORMAT_CSV, error);
    if (!status)
        status = csy_trace_check_outputs(trace, solving, options->output, output, options->report,
                                         error);
    for (size_t k = 1; k < sizeof names / sizeof *names; k++)
        for (size_t i = 0; i < k && names[k] && !status; i++)
            status = csy_trace_check_outputs(trace, NULL, names[i], i ? one_file : output, names[k],
                                             error);
    if (!status && options->graph && !options->report)
        status = csy_trace_check_outputs(trace, NULL, options->graph, one_file, NULL, error);
    if (!status && options->figures)
        status = csy_check_figures(options->figures, error);
    csy_output_free(one_file);
    return status;
}

/* The table of several traces, and the ticks per second of the first trace. */
struct table_rows {
    csy_table *table;
    const char *first; /* name of the first trace, or NULL after a warning about another timebase */
    uint64_t timebase_hz;
    bool failed; /* true if some trace failed --strict or --fail-above */
};

static csy_status add_row(const struct cli_options *options, struct table_rows *rows,
                          const csy_trace *trace, csy_sync *sync, csy_error *error)
{
    char first[MESSAGE_NAME_BYTES];
    const csy_violations *violations; /* not used here: csy_table_add gets it from `sync` */
    uint64_t hz = csy_trace_timebase_hz(trace);
    bool ticks = options->unit == CSY_TABLE_TICKS && options->report_format != CSY_REPORT_CSV;
    if (rows->timebase_hz == 0) {
        rows->timebase_hz = hz;
        rows->first = options->solving.trace;
    } else if (ticks && rows->first && hz != rows->timebase_hz) {
        csy_escape(first, sizeof first, rows->first);
        messages_warn(&options->solving,
                      "the ticks of this trace differ in length from the ticks of %s; pass "
                      "--unit=us for a table in microseconds",
                      first);
        rows->first = NULL;
    }
    /* find the delays of messages, which a table in Markdown lists */
    csy_status status = options->report_format == CSY_REPORT_MD
                            ? csy_sync_violations(sync, &violations, error)
                            : CSY_OK;
    return status ? status : csy_table_add(rows->table, sync, error);
}

/* If no output is given, a missing second file may have been meant as an output: say how to name
 * one. */
static void hint_at_outputs(const struct cli_options *options)
{
    const char *second = options->solving.ntraces == 2 ? options->solving.traces[1] : NULL;
    if (second && strcmp(options->report, "-") == 0 && access(second, F_OK) != 0 && errno == ENOENT)
        fputs("cellsync: names without an option are input traces; to write a trace, pass -o NAME; "
              "to write a report, pass -r NAME\n",
              stderr);
}

/* Synchronize a trace and write its outputs or, if `rows` is not NULL, add a row to the table. */
static csy_status synchronize(struct cli_options *options, struct progress_line *progress,
                              struct table_rows *rows, csy_error *error)
{
    csy_trace *trace = NULL;
    csy_sync *sync = NULL;
    csy_options *solving = NULL;
    csy_output *output = NULL;
    size_t told = 0;
    bool pex = false;
    say(options, "reading", options->solving.trace, "standard input");
    messages_of_waiting(&options->solving);
    csy_status status = solving_open(&options->solving, &trace, error);
    bool denied = status == CSY_IO && program_is_sandboxed() &&
                  strstr(error->text, strerror(EACCES)) &&
                  access(options->solving.trace, R_OK) == 0; /* access() ignores the sandbox */
    if (!status)
        status = solving_options(&options->solving, csy_trace_timebase_hz(trace), &solving, error);
    status = status ? status : settings_output(options, &output, error);
    if (!status && options->output)
        status = csy_trace_output_needs_one_rate(trace, options->output, output, &pex, error);
    if (!status && pex)
        status = csy_options_set_premises(solving, CSY_PREMISES_ONE_RATE, error);
    status = status ? status : check_outputs(options, trace, solving, output, error);
    if (!status) {
        told = messages_of_file(&options->solving, trace, 0);
        csy_trace_set_workers(trace, options->solving.workers);
        csy_trace_set_progress(trace, progress_line_show, progress);
        csy_trace_set_salvage(trace, options->solving.salvage);
    }
    if (!status && csy_trace_is_synchronized(trace))
        messages_warn(&options->solving,
                      "the trace is already synchronized; its global times are replaced");
    status = status ? status : csy_trace_synchronize(trace, solving, &sync, error);
    /* Find the diagnosis before any output is written, so that outputs and messages agree. */
    if (!status && messages_explained(options) && csy_sync_imprecision(sync)->conditional) {
        const csy_profile *profile;
        const csy_diagnosis *diagnosis;
        if (!csy_sync_drift(sync))
            status = csy_sync_profile_delta(sync, &profile, error);
        status = status ? status : csy_sync_diagnose(sync, &diagnosis, error);
    }
    progress_line_clear(progress);
    if (sync) {
        told = messages_of_file(&options->solving, trace, told);
        messages_of_clocks(&options->solving, sync);
    }
    if (!status) {
        messages_of_unit(&options->solving, trace);
        if (!messages_explained(options) || strcmp(options->report, "-") != 0)
            messages_of_premises(&options->solving, sync);
        if (pex && csy_sync_rates_asked(sync))
            messages_warn(&options->solving,
                          "a .pex cannot contain drifting clocks, so equal rates are assumed; to "
                          "allow for drift, pass -o FILE.csv");
        messages_of_outputs(options, sync);
        status = write_outputs(options, progress, trace, sync, output, error);
        messages_of_file(&options->solving, trace, told);
        if (!status && rows)
            status = add_row(options, rows, trace, sync, error);
    }
    if (status)
        messages_failure(&options->solving, error);
    if (status == CSY_IO && options->solving.ntraces == 2 &&
        options->solving.trace == options->solving.traces[1])
        hint_at_outputs(options);
    if (denied)
        fputs("cellsync: files outside the folder of TRACE cannot be read; see --no-sandbox\n",
              stderr);
    if (status == CSY_INFEASIBLE)
        messages_witness(&options->solving, trace, sync);
    csy_status limits = status ? status : messages_of_limits(&options->solving, trace, sync);
    if (rows)
        rows->failed |= limits != CSY_OK;
    else
        status = limits;
    csy_output_free(output);
    csy_options_free(solving);
    csy_sync_free(sync);
    csy_trace_free(trace);
    return status;
}

/* Add all traces to the table. After an error, only read the others, to report all errors. */
static csy_status tabulate(struct cli_options *options, struct progress_line *progress,
                           csy_error *error)
{
    struct table_rows rows = {0};
    csy_status status = csy_table_new(options->report, options->report_format, &rows.table, error);
    if (status)
        messages_failure(&options->solving, error);
    else
        csy_table_set_unit(rows.table, options->unit);
    size_t n = options->solving.joined ? 1 : options->solving.ntraces;
    for (size_t i = 0; rows.table && i < n; i++) {
        if (!options->solving.joined)
            options->solving.trace = options->solving.traces[i];
        csy_status one = synchronize(options, progress, &rows, error);
        status = status ? status : one;
    }
    if (!status) {
        say(options, "writing", options->report, "standard output");
        status = csy_table_write(rows.table, error);
        if (status)
            messages_failure(&options->solving, error);
    }
    csy_table_free(rows.table);
    return status || !rows.failed ? status : CSY_INFEASIBLE;
}

static csy_status work(void *user)
{
    struct cli_options *options = user;
    struct progress_line progress;
    csy_error error = {CSY_OK, ""};
    progress_line_init(&progress, options->solving.progress, options->solving.quiet);
    if (options->undecided) {
        csy_status status = solving_join(&options->solving, &error);
        options->undecided = false;
        if (status) {
            messages_failure(&options->solving, &error);
            if (status == CSY_IO && !options->output)
                hint_at_outputs(options);
            return status;
        }
        if ((!options->solving.joined && !take_table(options)) ||
            !check_report(options, &options->command))
            return CSY_USAGE;
    }
    return options->check   ? cli_check(options, &progress, &error)
           : options->table ? tabulate(options, &progress, &error)
                            : synchronize(options, &progress, NULL, &error);
}

int main(int argc, char **argv)
{
    static const char *outputs[5], *also[1];
    struct cli_options options;
    if (!program_begin())
        return EXIT_TROUBLE;
    enum command_action action = options_read(argc, argv, &options);
    if (action == COMMAND_USAGE)
        return EXIT_USAGE;
    if (action == COMMAND_HELP || action == COMMAND_HELP_ALL)
        options_print_help(action == COMMAND_HELP_ALL);
    if (action == COMMAND_VERSION)
        program_print_version(CLI_PROGRAM);
    if (action != COMMAND_RUN)
        return program_end(CLI_PROGRAM, CSY_OK);
    const char *named[] = {options.output, options.report, options.graph, options.clocks,
                           options.figures};
    memcpy(outputs, named, sizeof outputs);
    also[0] = options.solving.input.offsets;
    struct program program = {.solving = &options.solving,
                              .sandbox = {.outputs = outputs,
                                          .noutputs = sizeof outputs / sizeof *outputs,
                                          .also = also,
                                          .nalso = 1,
                                          .beside = options.original,
                                          .links = options.written.linked,
                                          .temporary = options.written.sort},
                              .work = work,
                              .user = &options};
    if (options.check) {
        /* To check a file of another format, events are copied to a temporary file. */
        const char *suffix = strrchr(options.solving.trace, '.');
        program.sandbox.temporary |=
            !suffix || (strcmp(suffix, ".pex") != 0 && strcmp(suffix, ".otf2") != 0);
    }
    return program_end(CLI_PROGRAM, program_run(&program));
}

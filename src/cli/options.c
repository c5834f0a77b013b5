/* The command line of cellsync(1): what goes together. */
#include "cli/options.h"

#include "tool/usage.h"

#include <string.h>

#define complain(...) usage_complain(CLI_PROGRAM, __VA_ARGS__)

static bool is_standard(const char *file)
{
    return file && strcmp(file, "-") == 0;
}

bool options_lists_pairs(csy_report_format format)
{
    return format == CSY_REPORT_CSV || format == CSY_REPORT_JSON;
}

/* What is said of the report. */
static bool check_report(const struct cli_options *out, const struct command *command)
{
    csy_report_format format = out->report_format;
    bool csv = format == CSY_REPORT_CSV, html = format == CSY_REPORT_HTML;
    if (command_has(command, "report-format") && !out->report)
        return complain("--report-format wants -r");
    if (out->table && !out->report)
        return complain("--table wants -r");
    if (out->table && (html || format == CSY_REPORT_JSON))
        return complain("a table of traces is text, csv or tex, not %s", html ? "html" : "json");
    if (out->solving.choices.method != CSY_METHOD_BHH && out->report && (csv || html || out->table))
        return complain("%s has bounds, which only --method=bhh makes", out->table ? "a table"
                                                                        : csv      ? "a CSV report"
                                                                              : "an HTML report");
    if (command_has(command, "unit") && (!out->table || csv))
        return complain("--unit is for a table as text or TeX");
    if (out->pairs && out->table)
        return complain("--pairs: a table of traces lists none");
    if (out->pairs && (!out->report || !options_lists_pairs(format)))
        return complain("--pairs wants a report as CSV or JSON");
    if (out->solving.choices.advise && (!out->report || out->table || csv))
        return complain("--advise wants a report as text, JSON or HTML");
    return true;
}

/* What asks for one offset a clock, or for bounds between any two. */
static bool check_drift(const struct cli_options *out, const struct command *command)
{
    static const char *const others[] = {"explain", "graph", "pairs",     "table",
                                         "center",  "drop",  "statistics"};
    const struct solving_choices *solve = &out->solving.choices;
    if (solve->drift_ppb == CSY_NO_DRIFT)
        return true;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        bool local = strcmp(others[i], "center") != 0 || solve->center == CSY_CENTER_LOCAL;
        bool all = strcmp(others[i], "statistics") != 0 || solve->statistics == CSY_STATISTICS_ALL;
        if (command_has(command, others[i]) && local && all)
            return complain("--%s is for clocks that do not drift", others[i]);
    }
    if (out->solving.ntraces > 1)
        return complain("--drift takes one TRACE, '%s' is one too many: give each a run of its own",
                        usage_visible(out->solving.traces[1]));
    if (out->report &&
        (out->report_format == CSY_REPORT_TEX || out->report_format == CSY_REPORT_CSV))
        return complain("a report as %s is for clocks that do not drift: with --drift write it as "
                        "text, JSON or HTML",
                        out->report_format == CSY_REPORT_TEX ? "TeX" : "CSV");
    if (solve->relax == CSY_RELAX_PAPER)
        return complain("--relax=paper is for clocks that do not drift");
    if (solve->engine != CSY_ENGINE_AUTO)
        return complain("--engine is for clocks that do not drift");
    if (solve->unwrap == CSY_UNWRAP_STRICT)
        return complain("--unwrap=strict is for clocks that do not drift");
    return true;
}

/* What only makes sense together, or not together. */
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
        return complain(
            "--check goes with no -o, no -r, no --threads and none of the options that solve");
    if (csv_part && !out->output)
        return complain("--csv-header, or --csv-time, wants -o");
    if (out->clocks && solve->monotonic)
        return complain("--clocks goes with no --monotonic, which moves single records");
    if (solve->drop > 0 && solve->relax != CSY_RELAX_EXACT)
        return complain("--drop is for --relax=exact: it goes with no %s",
                        command_has(command, "delta") ? "--delta" : "other --relax");
    if (solve->method != CSY_METHOD_BHH && solve->unwrap == CSY_UNWRAP_STRICT)
        return complain("--unwrap=strict is for --method=bhh: the others make no bounds");
    if (solve->method != CSY_METHOD_BHH && bounding)
        return complain("--%s is for --method=bhh: the others make no bounds", bounding->name);
    if (!check_drift(out, command) || !command_fits(command) || !check_report(out, command))
        return false;
    if (!pex && out->written.embed)
        return complain("--embed is for a .pex");
    if (out->written.format == CSY_FORMAT_CTF && out->written.compress_level >= 0)
        return complain("--compress is not for CTF");
    return to_standard_output <= 1 ||
           complain(
               "only one of -o, -r, --graph, --clocks and --explain can go to standard output");
}

/* The traces, and what follows from how many they are and from what was given. */
static bool take_operands(struct cli_options *out, const struct command *command)
{
    const struct option_row *single = command_first(command, ONE_TRACE);
    csy_error error;
    if (command->noperands == 0)
        return complain("no TRACE is named");
    out->solving.traces = command->operands;
    out->solving.ntraces = (size_t)command->noperands;
    out->solving.trace = out->solving.traces[0];
    if (out->solving.ntraces > 1 && single)
        return complain("%s takes one TRACE, '%s' is one too many", option_shown(single),
                        usage_visible(out->solving.traces[1]));
    if (!single && !out->report)
        out->report = "-"; /* the format may be chosen even so */
    if (!command_has(command, "report-format") && out->report &&
        csy_report_format_of(out->report, &out->report_format, &error) != CSY_OK)
        return complain("%s", error.text);
    if (out->solving.ntraces > 1 || out->report_format == CSY_REPORT_TEX)
        out->table = true;
    return true;
}

enum command_action options_read(int argc, char **argv, struct cli_options *out)
{
    struct command command = {.table = &cli_table, .options = out};
    *out = (struct cli_options){
        .written.compress_level = CSY_COMPRESS_BY_NAME,
        .solving = solving_default(CLI_PROGRAM),
    };
    enum command_action action = command_read(&command, argc, argv);
    if (action != COMMAND_RUN)
        return action;
    return take_operands(out, &command) && check_together(out, &command) ? COMMAND_RUN
                                                                         : COMMAND_USAGE;
}

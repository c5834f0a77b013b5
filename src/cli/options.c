/* The command line of cellsync(1). */
#include "cli/options.h"

#include "tool/usage.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const char program[] = "cellsync";

enum { COMPRESS_LEVEL = 6, THREADS_MAX = 1024 };

enum {
    OPTION_FROM = 256,
    OPTION_COLUMNS,
    OPTION_TIME_UNIT,
    OPTION_TO,
    OPTION_REPORT_FORMAT,
    OPTION_TABLE,
    OPTION_UNIT,
    OPTION_PAIRS,
    OPTION_REFERENCE,
    OPTION_ALPHA,
    OPTION_CENTER,
    OPTION_RELAX,
    OPTION_DELTA,
    OPTION_DROP,
    OPTION_ENGINE,
    OPTION_METHOD,
    OPTION_MEASURE,
    OPTION_UNWRAP,
    OPTION_MAX_IMPRECISION,
    OPTION_EMBED,
    OPTION_COMPRESS,
    OPTION_CSV_HEADER,
    OPTION_CSV_TIME,
    OPTION_JSON_ARGS,
    OPTION_WINDOW,
    OPTION_ONLY,
    OPTION_THREADS,
    OPTION_MAX_MEMORY,
    OPTION_SALVAGE,
    OPTION_NO_SANDBOX,
    OPTION_CHECK,
    OPTION_EXPLAIN,
    OPTION_MONOTONIC,
    OPTION_MAX_ADJUST,
    OPTION_GRAPH,
    OPTION_GRAPH_OF,
    OPTION_FIGURES,
    OPTION_PROGRESS
};

static const struct option long_options[] = {
    {"output", required_argument, NULL, 'o'},
    {"report", required_argument, NULL, 'r'},
    {"from", required_argument, NULL, OPTION_FROM},
    {"columns", required_argument, NULL, OPTION_COLUMNS},
    {"time-unit", required_argument, NULL, OPTION_TIME_UNIT},
    {"to", required_argument, NULL, OPTION_TO},
    {"report-format", required_argument, NULL, OPTION_REPORT_FORMAT},
    {"table", no_argument, NULL, OPTION_TABLE},
    {"unit", required_argument, NULL, OPTION_UNIT},
    {"pairs", required_argument, NULL, OPTION_PAIRS},
    {"reference", required_argument, NULL, OPTION_REFERENCE},
    {"alpha", required_argument, NULL, OPTION_ALPHA},
    {"center", required_argument, NULL, OPTION_CENTER},
    {"relax", required_argument, NULL, OPTION_RELAX},
    {"delta", required_argument, NULL, OPTION_DELTA},
    {"drop", required_argument, NULL, OPTION_DROP},
    {"method", required_argument, NULL, OPTION_METHOD},
    {"measure", no_argument, NULL, OPTION_MEASURE},
    {"unwrap", required_argument, NULL, OPTION_UNWRAP},
    {"max-imprecision", required_argument, NULL, OPTION_MAX_IMPRECISION},
    {"engine", required_argument, NULL, OPTION_ENGINE},
    {"embed", no_argument, NULL, OPTION_EMBED},
    {"compress", optional_argument, NULL, OPTION_COMPRESS},
    {"csv-header", required_argument, NULL, OPTION_CSV_HEADER},
    {"csv-time", required_argument, NULL, OPTION_CSV_TIME},
    {"json-args", required_argument, NULL, OPTION_JSON_ARGS},
    {"window", required_argument, NULL, OPTION_WINDOW},
    {"only", required_argument, NULL, OPTION_ONLY},
    {"threads", required_argument, NULL, OPTION_THREADS},
    {"max-memory", required_argument, NULL, OPTION_MAX_MEMORY},
    {"salvage", no_argument, NULL, OPTION_SALVAGE},
    {"check", no_argument, NULL, OPTION_CHECK},
    {"explain", required_argument, NULL, OPTION_EXPLAIN},
    {"monotonic", no_argument, NULL, OPTION_MONOTONIC},
    {"max-adjust", required_argument, NULL, OPTION_MAX_ADJUST},
    {"graph", required_argument, NULL, OPTION_GRAPH},
    {"graph-of", required_argument, NULL, OPTION_GRAPH_OF},
    {"figures", required_argument, NULL, OPTION_FIGURES},
    {"progress", required_argument, NULL, OPTION_PROGRESS},
    {"no-sandbox", no_argument, NULL, OPTION_NO_SANDBOX},
    {"quiet", no_argument, NULL, 'q'},
    {"verbose", no_argument, NULL, 'v'},
    {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, 'V'},
    {NULL, 0, NULL, 0},
};

/* What has been given, for what may not be given together. */
struct given {
    bool to, csv, report_format, relax, delta, solving, graph_of, unit;
    const char *part;     /* an option of what is in a CSV or JSON; NULL: none */
    const char *bounding; /* an option that only bounds have a use for; NULL: none */
};

static enum cli_action complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

static enum cli_action complain(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    usage_complain(program, format, args);
    va_end(args);
    return CLI_USAGE;
}

/* The index of text among words, or -1 after a complaint. */
static int choose(const char *option, const char *text, const char *const *words)
{
    return usage_choose(program, option, text, words);
}

static const char *const formats[] = {"pex", "csv", NULL};
static const char *const time_units[] = {"ticks", "s", "ms", "us", "ns", NULL};
static const char *const written_formats[] = {"pex", "csv", "json", "ctf", NULL};
static const char *const csv_headers[] = {"comment", "none", NULL};
static const char *const csv_times[] = {"ticks", "seconds", "both", NULL};
static const char *const json_args[] = {"all", "short", "none", NULL};
static const char *const pairs[] = {"all", "live", "reference", "none", NULL};
static const char *const units[] = {"ticks", "us", NULL};
static const char *const report_formats[] = {"text", "csv", "json", "html", "tex", NULL};
static const char *const centers[] = {"reference", "local", NULL};
static const char *const relaxations[] = {"exact", "paper", "none", NULL};
static const char *const methods[] = {"bhh", "lamport", "lamport-clock", "lsq", NULL};
static const char *const graphs[] = {"constraints", "bounds", NULL};
static const char *const unwrappings[] = {"assume", "strict", NULL};
static const char *const engines[] = {"auto", "sweep", "dense", NULL};
static const char *const progresses[] = {"auto", "always", "never", NULL};

/* A time with a unit, to be kept until the timebase is known; false, without a complaint, if it is
 * none. */
static bool take_time(const char *text, const char **out)
{
    csy_fraction ticks;
    bool number = csy_fraction_parse(text, &ticks);
    *out = !number && csy_time_parse(text, 1, &ticks) ? text : NULL;
    return *out != NULL;
}

/* or_else: what else it may be. */
static bool take_fraction(const char *option, const char *text, const char *or_else,
                          csy_fraction *out)
{
    if (csy_fraction_parse(text, out))
        return true;
    complain(
        "--%s: '%s' is not a fraction such as 0.5, 7/2 or 3, with a denominator up to 1000000 and "
        "within 64 bits%s",
        option, usage_visible(text), or_else);
    return false;
}

static bool take_ticks(const char *option, const char *text, int64_t most, int64_t *out,
                       const char **time)
{
    csy_fraction ticks;
    if (take_time(text, time))
        return true;
    bool good = csy_fraction_parse(text, &ticks) && ticks.den == 1 && ticks.num <= most;
    if (good)
        *out = ticks.num;
    else
        complain("--%s: '%s' is not a whole number of ticks up to %" PRId64
                 ", nor a time such as 1us",
                 option, usage_visible(text), most);
    return good;
}

static bool take_number(const char *option, const char *text, int least, int greatest, int *out)
{
    csy_fraction number;
    bool good = csy_fraction_parse(text, &number) && number.den == 1 && number.num >= least &&
                number.num <= greatest;
    if (good)
        *out = (int)number.num;
    else
        complain("--%s: '%s' is not a whole number from %d to %d", option, usage_visible(text),
                 least, greatest);
    return good;
}

/* Bytes, or KiB, MiB or GiB by a letter. */
static bool take_bytes(const char *option, const char *text, uint64_t *out)
{
    static const char letters[] = "KMG";
    char *end;
    const char *letter = NULL;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    bool good = *text >= '0' && *text <= '9' && errno == 0 && number > 0;
    if (good && *end)
        letter = strchr(letters, *end);
    int shift = letter ? (int)(letter - letters + 1) * 10 : 0;
    good = good && (*end == '\0' || (letter && end[1] == '\0')) && number <= UINT64_MAX >> shift;
    if (good)
        *out = (uint64_t)number << shift;
    else
        complain("--%s: '%s' is not a number of bytes above 0, or of K, M or G, such as 512M",
                 option, usage_visible(text));
    return good;
}

/* An option with a value of its own kind; false after a complaint. */
static bool take_value(int option, const char *text, struct cli_options *out, struct given *given)
{
    int word = 0, number = 0;
    switch (option) {
    case OPTION_FROM:
        word = choose("from", text, formats);
        out->input.format = word == 0 ? CSY_FORMAT_PEX : CSY_FORMAT_CSV;
        break;
    case OPTION_TIME_UNIT:
        word = choose("time-unit", text, time_units);
        out->input.time_unit = (csy_time_unit)(CSY_TIME_TICKS + word);
        break;
    case OPTION_TO:
        word = choose("to", text, written_formats);
        out->written.format = (csy_format)(CSY_FORMAT_PEX + word);
        given->to = true;
        break;
    case OPTION_REPORT_FORMAT:
        word = choose("report-format", text, report_formats);
        out->report_format = (csy_report_format)word;
        given->report_format = true;
        break;
    case OPTION_PAIRS:
        word = choose("pairs", text, pairs);
        out->pairs = (csy_pairs)(CSY_PAIRS_ALL + word);
        given->bounding = "pairs";
        break;
    case OPTION_UNIT:
        word = choose("unit", text, units);
        out->unit = (csy_table_unit)word;
        given->unit = true;
        break;
    case OPTION_CENTER:
        word = choose("center", text, centers);
        out->solve.center = (csy_center)word;
        given->bounding = "center";
        given->solving = true;
        break;
    case OPTION_RELAX:
        word = choose("relax", text, relaxations);
        out->solve.relax = (csy_relax)word;
        given->relax = given->solving = true;
        given->bounding = "relax";
        break;
    case OPTION_METHOD:
        word = choose("method", text, methods);
        out->solve.method = (csy_method)word;
        given->solving = true;
        break;
    case OPTION_UNWRAP:
        word = choose("unwrap", text, unwrappings);
        out->solve.unwrap = (csy_unwrap)word;
        if (out->solve.unwrap == CSY_UNWRAP_STRICT)
            given->bounding = "unwrap=strict";
        given->solving = true;
        break;
    case OPTION_GRAPH_OF:
        word = choose("graph-of", text, graphs);
        out->graph_of = (csy_graph)word;
        given->graph_of = true;
        break;
    case OPTION_MAX_IMPRECISION:
        given->solving = true;
        return take_ticks("max-imprecision", text, INT64_C(1) << 30,
                          &out->solve.max_imprecision_ticks, &out->max_imprecision);
    case OPTION_MAX_ADJUST:
        given->solving = true;
        return take_ticks("max-adjust", text, INT64_MAX, &out->solve.max_adjust_ticks,
                          &out->max_adjust);
    case OPTION_ENGINE:
        word = choose("engine", text, engines);
        out->solve.engine = (csy_engine)word;
        given->bounding = "engine";
        given->solving = true;
        break;
    case OPTION_PROGRESS:
        word = choose("progress", text, progresses);
        out->progress = (enum progress_mode)word;
        break;
    case OPTION_COMPRESS:
        out->written.compress_level = COMPRESS_LEVEL;
        return !text || take_number("compress", text, 0, 9, &out->written.compress_level);
    case OPTION_CSV_HEADER:
        word = choose("csv-header", text, csv_headers);
        out->written.csv_header = (csy_csv_header)word;
        given->csv = true;
        break;
    case OPTION_CSV_TIME:
        word = choose("csv-time", text, csv_times);
        out->written.csv_time = (csy_csv_time)word;
        given->csv = true;
        break;
    case OPTION_JSON_ARGS:
        word = choose("json-args", text, json_args);
        out->written.json_args = (csy_json_args)word;
        given->part = "json-args";
        break;
    case OPTION_WINDOW:
        out->written.window = text;
        given->part = "window";
        break;
    case OPTION_ONLY:
        out->written.only = text;
        given->part = "only";
        break;
    case OPTION_THREADS:
        if (!take_number("threads", text, 1, THREADS_MAX, &number))
            return false;
        out->threads = (unsigned)number;
        break;
    case OPTION_MAX_MEMORY:
        return take_bytes("max-memory", text, &out->max_memory);
    case OPTION_DROP:
        given->solving = true;
        given->bounding = "drop";
        if (!take_number("drop", text, 1, CSY_DROP_MAX, &number))
            return false;
        out->solve.drop = (uint64_t)number;
        break;
    case OPTION_ALPHA:
        given->solving = true;
        given->bounding = "alpha";
        if (!take_fraction("alpha", text, "", &out->solve.alpha))
            return false;
        if (out->solve.alpha.num > out->solve.alpha.den) {
            complain("--alpha: '%s' is above 1", text);
            return false;
        }
        break;
    case OPTION_DELTA:
        out->solve.relax = CSY_RELAX_GIVEN;
        given->delta = given->solving = true;
        given->bounding = "delta";
        return take_time(text, &out->delta) ||
               take_fraction("delta", text, ", nor a time such as 1us", &out->solve.delta);
    }
    return word >= 0;
}

/* written: the argument that the option stands in. */
static enum cli_action take_option(int option, const char *written, struct cli_options *out,
                                   struct given *given)
{
    switch (option) {
    case 'o':
        out->output = optarg;
        return CLI_RUN;
    case 'r':
        out->report = optarg;
        return CLI_RUN;
    case 'q':
        out->quiet = true;
        return CLI_RUN;
    case 'v':
        out->verbose = true;
        return CLI_RUN;
    case 'h':
        return CLI_HELP;
    case 'V':
        return CLI_VERSION;
    case OPTION_EMBED:
        out->written.embed = true;
        return CLI_RUN;
    case OPTION_NO_SANDBOX:
        out->no_sandbox = true;
        return CLI_RUN;
    case OPTION_TABLE:
        out->table = true;
        return CLI_RUN;
    case OPTION_CHECK:
        out->check = true;
        return CLI_RUN;
    case OPTION_MONOTONIC:
        out->solve.monotonic = given->solving = true;
        given->bounding = "monotonic";
        return CLI_RUN;
    case OPTION_GRAPH:
        out->graph = optarg;
        given->bounding = "graph";
        return CLI_RUN;
    case OPTION_FIGURES:
        out->figures = optarg;
        given->bounding = "figures";
        return CLI_RUN;
    case OPTION_EXPLAIN:
        out->explain = optarg;
        given->bounding = "explain";
        return CLI_RUN;
    case OPTION_SALVAGE:
        out->salvage = given->solving = true;
        return CLI_RUN;
    case OPTION_COLUMNS:
        out->input.columns = optarg;
        return CLI_RUN;
    case OPTION_REFERENCE:
        out->solve.reference = optarg;
        given->solving = true;
        given->bounding = "reference";
        return CLI_RUN;
    case OPTION_MEASURE:
        out->solve.measure = given->solving = true;
        return CLI_RUN;
    case '?':
    case ':':
        usage_refuse(program, long_options, option, written);
        return CLI_USAGE;
    default:
        return take_value(option, optarg, out, given) ? CLI_RUN : CLI_USAGE;
    }
}

/* The format of the report by the name of its file. */
static enum cli_action take_report_name(struct cli_options *out)
{
    csy_error error;
    if (csy_report_format_of(out->report, &out->report_format, &error) == CSY_OK)
        return CLI_RUN;
    return complain("%s", error.text);
}

/* What is said of the trace that is written. */
static enum cli_action check_written(const struct cli_options *out, const struct given *given)
{
    bool pex = out->written.format == CSY_FORMAT_PEX || out->written.format == CSY_FORMAT_AUTO;
    bool compress = out->written.compress_level >= 0;
    if ((given->to || out->written.embed || compress || given->csv) && !out->output)
        return complain("%s wants -o", out->written.embed ? "--embed"
                                       : compress         ? "--compress"
                                       : given->csv       ? "--csv-header, or --csv-time,"
                                                          : "--to");
    if (given->part && !out->output)
        return complain("--%s wants -o", given->part);
    if (!pex && out->written.embed)
        return complain("--embed is for a .pex");
    if (out->written.format == CSY_FORMAT_CTF && compress)
        return complain("--compress is not for CTF");
    return CLI_RUN;
}

static bool is_standard(const char *file)
{
    return file && strcmp(file, "-") == 0;
}

static enum cli_action check_standard_output(const struct cli_options *out)
{
    int takers = is_standard(out->output) + is_standard(out->report) + is_standard(out->graph) +
                 (out->explain != NULL);
    return takers > 1
               ? complain("only one of -o, -r, --graph and --explain can go to standard output")
               : CLI_RUN;
}

bool options_lists_pairs(csy_report_format format)
{
    return format == CSY_REPORT_CSV || format == CSY_REPORT_JSON;
}

/* What is said of the report. */
static enum cli_action check_report(const struct cli_options *out, const struct given *given)
{
    csy_report_format format = out->report_format;
    bool csv = format == CSY_REPORT_CSV, html = format == CSY_REPORT_HTML;
    if (given->report_format && !out->report)
        return complain("--report-format wants -r");
    if (out->table && !out->report)
        return complain("--table wants -r");
    if (out->table && (html || format == CSY_REPORT_JSON))
        return complain("a table of traces is text, csv or tex, not %s", html ? "html" : "json");
    if (out->solve.method != CSY_METHOD_BHH && out->report && (csv || html || out->table))
        return complain("%s has bounds, which only --method=bhh makes", out->table ? "a table"
                                                                        : csv      ? "a CSV report"
                                                                              : "an HTML report");
    if (given->unit && (!out->table || csv))
        return complain("--unit is for a table as text or TeX");
    if (out->pairs && out->table)
        return complain("--pairs: a table of traces lists none");
    if (out->pairs && (!out->report || !options_lists_pairs(format)))
        return complain("--pairs wants a report as CSV or JSON");
    return CLI_RUN;
}

/* What only makes sense together, or not together. */
static enum cli_action check_together(const struct cli_options *out, const struct given *given)
{
    if (given->relax && given->delta)
        return complain("--relax and --delta exclude each other");
    if (out->check && (out->output || out->report || out->explain || out->graph || out->figures ||
                       given->solving || given->report_format || out->pairs || out->table ||
                       out->threads || out->input.format != CSY_FORMAT_AUTO))
        return complain(
            "--check goes with no -o, no -r, no --threads and none of the options that solve");
    if (out->solve.drop > 0 && out->solve.relax != CSY_RELAX_EXACT)
        return complain("--drop is for --relax=exact: it goes with no %s",
                        given->delta ? "--delta" : "other --relax");
    if (out->solve.method != CSY_METHOD_BHH && given->bounding)
        return complain("--%s is for --method=bhh: the others make no bounds", given->bounding);
    if (given->graph_of && !out->graph)
        return complain("--graph-of wants --graph");
    enum cli_action action = check_report(out, given);
    if (action == CLI_RUN)
        action = check_written(out, given);
    return action == CLI_RUN ? check_standard_output(out) : action;
}

enum cli_action options_read(int argc, char **argv, struct cli_options *out)
{
    struct given given = {.bounding = NULL};
    *out = (struct cli_options){.trace = NULL};
    csy_input_init(&out->input);
    csy_options_init(&out->solve);
    csy_output_init(&out->written);
    opterr = 0;
    for (int option; (option = getopt_long(argc, argv, ":o:r:qvhV", long_options, NULL)) != -1;) {
        enum cli_action action = take_option(option, argv[optind - 1], out, &given);
        if (action != CLI_RUN)
            return action;
    }
    if (optind == argc)
        return complain("no TRACE is named");
    out->traces = argv + optind;
    out->ntraces = (size_t)(argc - optind);
    out->trace = out->traces[0];
    if (out->ntraces > 1 &&
        (out->output || out->check || out->explain || out->graph || out->figures))
        return complain("%s takes one TRACE, '%s' is one too many",
                        out->check     ? "--check"
                        : out->explain ? "--explain"
                        : out->graph   ? "--graph"
                        : out->figures ? "--figures"
                                       : "-o",
                        usage_visible(out->traces[1]));
    if (!out->output && !out->report && !out->check && !out->explain && !out->graph &&
        !out->figures)
        out->report = "-"; /* the format may be chosen even so */
    if (!given.report_format && out->report && take_report_name(out) != CLI_RUN)
        return CLI_USAGE;
    if (out->ntraces > 1 || out->report_format == CSY_REPORT_TEX)
        out->table = true;
    return check_together(out, &given);
}

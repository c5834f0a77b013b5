/* The table of the command-line options. The text of --help should stay at about 50 lines. */
#include "cli/table.h"

#include "tool/solving_rows.h"

enum { COMPRESS_LEVEL = 6 };

static bool take_compress(const struct command *command, const struct option_row *row,
                          const char *text)
{
    if (text)
        return take_number(command, row, text);
    option_store(command, row, COMPRESS_LEVEL);
    return true;
}

#define AT(member) OPTION_AT(struct cli_options, member)
#define WORDS(...) .words = OPTION_WORDS(__VA_ARGS__)

/* clang-format off */
static const struct option_row rows[] = {
    {.name = "output", .letter = 'o', .value = "FILE", AT(output), .rules = ONE_TRACE | NOT_CHECKED,
     .files = "",
     .help = "write the synchronized trace (-: stdout)",
     .hint = "write the synchronized trace"},
    SOLVING_FROM(NOT_CHECKED),
    SOLVING_COLUMNS(0),
    SOLVING_TIME_UNIT(0),
    SOLVING_COUNTER_BITS(0),
    SOLVING_CLOCK_PER(NOT_CHECKED),
    SOLVING_SPANS(NOT_CHECKED),
    SOLVING_JOIN(NOT_CHECKED),
    {.name = "to", .value = "FORMAT", WORDS("pex", "csv", "json", "ctf", "pftrace", "otf2", "pcap",
     "pcapng", "otlp", "jaeger", "zipkin", "chrome", "tar"),
     .values = OPTION_VALUES(CSY_FORMAT_PEX, CSY_FORMAT_CSV, CSY_FORMAT_JSON, CSY_FORMAT_CTF,
                             CSY_FORMAT_PFTRACE, CSY_FORMAT_OTF2, CSY_FORMAT_PCAP,
                             CSY_FORMAT_PCAPNG, CSY_FORMAT_OTLP, CSY_FORMAT_JAEGER,
                             CSY_FORMAT_ZIPKIN, CSY_FORMAT_JSON, CSY_FORMAT_TAR),
     AT(written.format), .needs = "output",
     .help = "format to write (default: by the name of FILE)",
     .hint = "format to write"},
    {.name = "embed", AT(written.embed), .needs = "output",
     .help = "write a .pex with its records inside, in one file"},
    {.name = "link", AT(written.linked), .needs = "output",
     .help = "let event files of OTF2 be hard links, not copies"},
    {.name = "compress", .optional = true, .value = "LEVEL",
     .suggested = OPTION_WORDS("0", "1", "2", "3", "4", "5", "6", "7", "8", "9"),
     AT(written.compress_level), .most = 9, .take = take_compress, .needs = "output",
     .help = "compress with gzip, level 0 to 9 (default: 6)",
     .hint = "gzip the records written"},
    {.name = "csv-header", .value = "HOW", WORDS("comment", "none"), AT(written.csv_header),
     .needs = "output",
     .help = "header of a written CSV: comment (default), none",
     .hint = "comments of a CSV"},
    {.name = "csv-time", .value = "UNIT", WORDS("ticks", "seconds", "both", "date"),
     AT(written.csv_time), .needs = "output",
     .help = "times in a CSV: ticks, seconds, both, or date",
     .hint = "global times of a CSV"},
    {.name = "sort", AT(written.sort), .needs = "output",
     .help = "sort the rows of a written CSV by global time",
     .hint = "sort rows by global time"},
    {.name = "ranges", .value = "HOW", WORDS("no", "yes"), AT(written.ranges), .needs = "output",
     .help = "add the range of each time: no (default), yes",
     .hint = "ranges of global times"},
    {.name = "json-args", .value = "WHICH", WORDS("all", "short", "none"), AT(written.json_args),
     .needs = "output",
     .help = "arguments in JSON: all (default), short, or none",
     .hint = "arguments in JSON"},
    {.name = "window", .value = "A..B", AT(written.window), .needs = "output",
     .help = "write only this part: 2ms..3ms, or #9..",
     .hint = "part of the trace to write", .value_hint = "A..B, such as 2ms..3ms or 25%..50%"},
    {.name = "only", .value = "GLOB", AT(written.only), .needs = "output",
     .help = "write only threads whose names match",
     .hint = "threads to write", .value_hint = "pattern"},
    {.name = "report", .letter = 'r', .value = "FILE", AT(report), .rules = NOT_CHECKED,
     .files = "",
     .help = "write the report to FILE (default: stdout)",
     .hint = "write the error-bound report"},
    {.name = "report-format", .value = "FORMAT", WORDS("text", "csv", "json", "html", "tex", "md"),
     .values = OPTION_VALUES(CSY_REPORT_TEXT, CSY_REPORT_CSV, CSY_REPORT_JSON, CSY_REPORT_HTML,
                             CSY_REPORT_TEX, CSY_REPORT_MD),
     AT(report_format), .rules = NOT_CHECKED,
     .help = "text, csv, json, html, tex, md (or by suffix)",
     .hint = "format of the report"},
    {.name = "table", AT(table), .rules = NOT_CHECKED, .excludes = "join",
     .help = "report one row for each TRACE",
     .hint = "report one row for each trace"},
    {.name = "unit", .value = "UNIT", WORDS("ticks", "us"), AT(unit),
     .help = "unit of the table: ticks (default) or us",
     .hint = "unit of a table"},
    {.name = "pairs", .value = "WHICH", WORDS("all", "live", "reference", "none", "met"),
     .least = CSY_PAIRS_ALL, AT(pairs), .rules = BOUNDS | NOT_CHECKED,
     .help = "pairs to list: all, live, reference, met, or none",
     .hint = "pairs to list"},
    SOLVING_REFERENCE(BOUNDS | NOT_CHECKED),
    {.name = "alpha", .value = "A", AT(solving.choices.alpha), .take = take_alpha,
     .rules = BOUNDS | NOT_CHECKED,
     .help = "place of offsets in their bounds: 0 to 1 (1/2)",
     .hint = "place of offsets in their bounds", .value_hint = "fraction from 0 to 1"},
    {.name = "center", .value = "WHERE", WORDS("reference", "local"), AT(solving.choices.center),
     .rules = BOUNDS | NOT_CHECKED,
     .help = "which bounds offsets lie in: reference or local",
     .hint = "bounds that center offsets"},
    SOLVING_RELAX(BOUNDS | NOT_CHECKED),
    SOLVING_DELTA(BOUNDS | NOT_CHECKED),
    SOLVING_LATENCY(NOT_CHECKED),
    SOLVING_MAX_LATENCY(NOT_CHECKED),
    SOLVING_OFFSETS(0),
    {.name = "drift", .value = "PPM[,WANDER]", AT(solving.choices.drift_ppb), .take = take_drift,
     .rules = NOT_CHECKED,
     .help = "clocks run within PPM of each other; 0: one rate",
     .hint = "limit for the drift of clocks", .value_hint = "ppm, such as 101 or 101,1"},
    {.name = "clocks", .value = "FILE", AT(clocks), .rules = ONE_TRACE | BOUNDS | NOT_CHECKED,
     .files = "",
     .help = "write a CSV that converts clocks to global time",
     .hint = "conversion of clocks to global time"},
    SOLVING_DROP(BOUNDS | NOT_CHECKED),
    SOLVING_STEPS(BOUNDS | NOT_CHECKED),
    {.name = "method", .value = "METHOD", WORDS("bhh", "lamport", "lamport-clock", "lsq", "ntp",
     "ends"), AT(solving.choices.method), .rules = NOT_CHECKED,
     .help = "bhh (default), lamport[-clock], lsq, ntp, ends",
     .hint = "synchronization method"},
    {.name = "statistics", .value = "WHICH", WORDS("auto", "all"), AT(solving.choices.statistics),
     .rules = BOUNDS | NOT_CHECKED,
     .help = "figures over all pairs of clocks: auto or all",
     .hint = "figures over all pairs"},
    {.name = "measure", AT(solving.choices.measure), .rules = NOT_CHECKED,
     .help = "report how much times within threads changed"},
    {.name = "monotonic", AT(solving.choices.monotonic), .rules = BOUNDS | NOT_CHECKED,
     .help = "never let times of a thread step back",
     .hint = "never let times step back"},
    {.name = "max-adjust", .value = "TIME", AT(solving.choices.max_adjust_ticks), .most = INT64_MAX,
     .take = take_whole_ticks, .rules = NOT_CHECKED,
     .help = "refuse to move a record by more than TIME",
     .value_hint = "ticks, or a time such as 1.5us"},
    {.name = "explain", .value = "A,B", AT(explain), .rules = ONE_TRACE | BOUNDS | NOT_CHECKED,
     .help = "show the records that set a bound of two clocks", .value_hint = "threads A,B"},
    {.name = "advise", .value = "K", AT(solving.choices.advise), .least = 1, .most = CSY_ADVISE_MAX,
     .take = take_number, .rules = BOUNDS | NOT_CHECKED,
     .help = "report the gain from K more records per thread",
     .hint = "gain from more records", .value_hint = "how many"},
    {.name = "graph", .value = "FILE", AT(graph), .rules = ONE_TRACE | BOUNDS | NOT_CHECKED,
     .files = "",
     .help = "draw the graph of clocks, for Graphviz dot"},
    {.name = "graph-of", .value = "WHAT", WORDS("constraints", "bounds"), AT(graph_of),
     .needs = "graph",
     .help = "its edges: constraints (default) or bounds",
     .hint = "kind of edges"},
    {.name = "figures", .value = "FOLDER", AT(figures), .rules = ONE_TRACE | BOUNDS | NOT_CHECKED,
     .files = "/",
     .help = "write the drawings of a page as SVG files",
     .hint = "write the drawings as SVG files"},
    SOLVING_UNWRAP(NOT_CHECKED),
    SOLVING_MAX_IMPRECISION(NOT_CHECKED),
    SOLVING_ENGINE(BOUNDS | NOT_CHECKED),
    SOLVING_THREADS(NOT_CHECKED),
    SOLVING_MAX_MEMORY(0),
    SOLVING_SALVAGE(NOT_CHECKED),
    SOLVING_STRICT(NOT_CHECKED),
    SOLVING_FAIL_ABOVE(BOUNDS | NOT_CHECKED),
    {.name = "check", AT(check), .rules = ONE_TRACE,
     .help = "prove that a synchronized TRACE is correct",
     .hint = "prove the guarantees of a synchronized trace"},
    {.name = "original", .value = "TRACE", AT(original), .needs = "check", .files = "",
     .help = "original input of a checked CSV (for --check)",
     .hint = "original input of a checked CSV"},
    SOLVING_NO_SANDBOX(0),
    SOLVING_QUIET(0),
    SOLVING_VERBOSE(0),
    SOLVING_PROGRESS(0),
    SOLVING_HELP,
    SOLVING_HELP_ALL,
    SOLVING_VERSION,
};
/* clang-format on */

_Static_assert(sizeof rows / sizeof *rows <= OPTIONS_MAX, "too many options");

const struct option_table cli_table = {CLI_PROGRAM, rows, sizeof rows / sizeof *rows, false, NULL};

static const struct option_group groups[] = {
    {"Output", OPTION_WORDS("output", "to", "report", "check")},
    {"Input", OPTION_WORDS("from", "columns", "time-unit")},
    {"What you know about the clocks",
     OPTION_WORDS("drift", "delta", "latency", "max-latency", "steps", "reference")},
    {"More", OPTION_WORDS("explain", "strict", "quiet", "help-all", "version")},
    {NULL, NULL}};

void options_print_help(bool all)
{
    puts("Usage: cellsync [OPTION]... TRACE...\n"
         "Put the clocks of an event trace together, and prove how well they agree.\n"
         "\n"
         "  cellsync trace.csv                    report clocks and their errors\n"
         "  cellsync trace.pex -o synced.pex      write the trace with global times\n"
         "  cellsync --drift=50 traces.otf2       clocks run within 50 ppm of each other");
    if (all)
        putchar('\n');
    option_table_help(&cli_table, all ? NULL : groups);
    puts("\nExit status: 0 success, 1 bad input, I/O, or memory, 2 usage, 3 contradiction,\n"
         "or a limit that was exceeded. Manual: cellsync(1).");
}

/* The options of cellsync(1), a row each: some 50 lines of --help with what is around them. */
#include "cli/table.h"

#include "tool/usage.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { COMPRESS_LEVEL = 6, THREADS_MAX = 1024 };

static struct cli_options *options_of(const struct command *command)
{
    return command->options;
}

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
static bool take_fraction(const struct option_row *row, const char *text, const char *or_else,
                          csy_fraction *out)
{
    return csy_fraction_parse(text, out) ||
           usage_complain(CLI_PROGRAM,
                          "--%s: '%s' is not a fraction such as 0.5, 7/2 or 3, with a denominator "
                          "up to 1000000 and within 64 bits%s",
                          row->name, usage_visible(text), or_else);
}

static bool take_alpha(const struct command *command, const struct option_row *row,
                       const char *text)
{
    csy_fraction *alpha = &options_of(command)->solve.alpha;
    if (!take_fraction(row, text, "", alpha))
        return false;
    return alpha->num <= alpha->den ||
           usage_complain(CLI_PROGRAM, "--%s: '%s' is above 1", row->name, text);
}

static bool take_delta(const struct command *command, const struct option_row *row,
                       const char *text)
{
    struct cli_options *options = options_of(command);
    options->solve.relax = CSY_RELAX_GIVEN;
    return take_time(text, &options->delta) ||
           take_fraction(row, text, ", nor a time such as 1us", &options->solve.delta);
}

/* Whole ticks, or a time, for which there is a member of its own. */
static bool take_ticks(const struct command *command, const struct option_row *row,
                       const char *text, const char **time)
{
    csy_fraction ticks;
    if (take_time(text, time))
        return true;
    if (!csy_fraction_parse(text, &ticks) || ticks.den != 1 || (uint64_t)ticks.num > row->most)
        return usage_complain(CLI_PROGRAM,
                              "--%s: '%s' is not a whole number of ticks up to %" PRIu64
                              ", nor a time such as 1us",
                              row->name, usage_visible(text), row->most);
    option_store(command, row, (uint64_t)ticks.num);
    return true;
}

static bool take_max_imprecision(const struct command *command, const struct option_row *row,
                                 const char *text)
{
    return take_ticks(command, row, text, &options_of(command)->max_imprecision);
}

/* Parts of a million with up to three decimals, below 10^6, in parts of 10^9; *text goes on after
 * it. */
static bool take_ppm(const char **text, int64_t *out)
{
    enum { DECIMALS = 3, DIGITS_MAX = 6 };
    int64_t value = 0;
    const char *at = *text;
    size_t whole = strspn(at, "0123456789"), part = 0;
    if (whole == 0 || whole > DIGITS_MAX)
        return false;
    for (size_t i = 0; i < whole; i++)
        value = value * 10 + (*at++ - '0');
    if (*at == '.') {
        part = strspn(++at, "0123456789");
        if (part == 0 || part > DECIMALS)
            return false;
    }
    for (size_t i = 0; i < DECIMALS; i++)
        value = value * 10 + (i < part ? *at++ - '0' : 0);
    *out = value;
    *text = at;
    return true;
}

static bool take_drift(const struct command *command, const struct option_row *row,
                       const char *text)
{
    struct cli_solving *solve = &options_of(command)->solve;
    const char *at = text;
    solve->wander_ppb = CSY_NO_DRIFT;
    bool good = take_ppm(&at, &solve->drift_ppb);
    if (good && *at == ',') {
        at++;
        good = take_ppm(&at, &solve->wander_ppb);
    }
    return (good && !*at) ||
           usage_complain(CLI_PROGRAM,
                          "--%s: '%s' is not PPM or PPM,WANDER, such as 100 or 100,0.02: from 0 to "
                          "below 1000000, with up to three decimals",
                          row->name, usage_visible(text));
}

static bool take_max_adjust(const struct command *command, const struct option_row *row,
                            const char *text)
{
    return take_ticks(command, row, text, &options_of(command)->max_adjust);
}

static bool take_latency(const struct command *command, const struct option_row *row,
                         const char *text)
{
    return take_ticks(command, row, text, &options_of(command)->latency);
}

static bool take_number(const struct command *command, const struct option_row *row,
                        const char *text)
{
    csy_fraction number;
    if (!csy_fraction_parse(text, &number) || number.den != 1 ||
        (uint64_t)number.num < row->least || (uint64_t)number.num > row->most)
        return usage_complain(CLI_PROGRAM,
                              "--%s: '%s' is not a whole number from %" PRIu64 " to %" PRIu64,
                              row->name, usage_visible(text), row->least, row->most);
    option_store(command, row, (uint64_t)number.num);
    return true;
}

static bool take_compress(const struct command *command, const struct option_row *row,
                          const char *text)
{
    if (text)
        return take_number(command, row, text);
    option_store(command, row, COMPRESS_LEVEL);
    return true;
}

/* Bytes, or KiB, MiB or GiB by a letter. */
static bool take_bytes(const struct command *command, const struct option_row *row,
                       const char *text)
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
        option_store(command, row, (uint64_t)number << shift);
    return good || usage_complain(CLI_PROGRAM,
                                  "--%s: '%s' is not a number of bytes above 0, or of K, M or G, "
                                  "such as 512M",
                                  row->name, usage_visible(text));
}

#define AT(member) OPTION_AT(struct cli_options, member)
#define WORDS(...) .words = OPTION_WORDS(__VA_ARGS__)

/* clang-format off */
static const struct option_row rows[] = {
    {.name = "output", .letter = 'o', .value = "FILE", AT(output),
     .rules = ONE_TRACE | NOT_CHECKED, .files = "",
     .help = "write the synchronized trace (-: standard output)",
     .hint = "write the synchronized trace"},
    {.name = "from", .value = "FORMAT", WORDS("pex", "csv", "otf2"),
     .values = OPTION_VALUES(CSY_FORMAT_PEX, CSY_FORMAT_CSV, CSY_FORMAT_OTF2), AT(input.format),
     .rules = NOT_CHECKED,
     .help = "TRACE is pex, csv or otf2 (default: by content)",
     .hint = "format of the trace"},
    {.name = "columns", .value = "WHICH", AT(input.columns),
     .help = "columns of a CSV, as thread=NAME,time=NAME",
     .hint = "which columns of a CSV are which", .value_hint = "thread=NAME,time=NAME"},
    {.name = "time-unit", .value = "UNIT", WORDS("ticks", "s", "ms", "us", "ns"),
     .least = CSY_TIME_TICKS, AT(input.time_unit),
     .help = "of the times of a CSV: s, ms, us, ns or ticks",
     .hint = "unit of the times of a CSV"},
    {.name = "clock-per", .value = "WHAT", WORDS("process", "node", "location"),
     .least = CSY_CLOCK_PER_PROCESS, AT(input.clock_per), .rules = NOT_CHECKED,
     .help = "of OTF2, with a clock: process, node or location",
     .hint = "what has a clock in an OTF2 archive"},
    {.name = "to", .value = "FORMAT", WORDS("pex", "csv", "json", "ctf", "pftrace", "otf2"),
     .values = OPTION_VALUES(CSY_FORMAT_PEX, CSY_FORMAT_CSV, CSY_FORMAT_JSON, CSY_FORMAT_CTF,
                             CSY_FORMAT_PFTRACE, CSY_FORMAT_OTF2),
     AT(written.format), .needs = "output",
     .help = "write pex, csv, json, ctf, pftrace or otf2",
     .hint = "format to write"},
    {.name = "embed", AT(written.embed), .needs = "output",
     .help = "write a .pex with its records inside, in one file"},
    {.name = "link", AT(written.linked), .needs = "output",
     .help = "let event files of OTF2 be hard links, not copies"},
    {.name = "compress", .optional = true, .value = "LEVEL",
     .suggested = OPTION_WORDS("0", "1", "2", "3", "4", "5", "6", "7", "8", "9"),
     AT(written.compress_level), .most = 9, .take = take_compress, .needs = "output",
     .help = "gzip what is written, 0 to 9 (default: 6)",
     .hint = "gzip the records written"},
    {.name = "csv-header", .value = "HOW", WORDS("comment", "none"), AT(written.csv_header),
     .needs = "output",
     .help = "comments in a CSV: comment (default) or none",
     .hint = "comments of a CSV"},
    {.name = "csv-time", .value = "UNIT", WORDS("ticks", "seconds", "both"), AT(written.csv_time),
     .needs = "output",
     .help = "global times in a CSV: ticks, seconds or both",
     .hint = "global times of a CSV"},
    {.name = "json-args", .value = "WHICH", WORDS("all", "short", "none"), AT(written.json_args),
     .needs = "output",
     .help = "arguments in JSON: all (default), short or none",
     .hint = "arguments in JSON"},
    {.name = "window", .value = "A..B", AT(written.window), .needs = "output",
     .help = "write a part, but no .pex: 2ms..3ms, #9..",
     .hint = "part of the trace to write", .value_hint = "A..B, as 2ms..3ms or 25%..50%"},
    {.name = "only", .value = "GLOB", AT(written.only), .needs = "output",
     .help = "write only such threads, but no .pex",
     .hint = "threads to write", .value_hint = "pattern"},
    {.name = "report", .letter = 'r', .value = "FILE", AT(report), .rules = NOT_CHECKED,
     .files = "",
     .help = "write the report (default: -, standard output)",
     .hint = "write the error-bound report"},
    {.name = "report-format", .value = "FORMAT", WORDS("text", "csv", "json", "html", "tex"),
     AT(report_format), .rules = NOT_CHECKED,
     .help = "text, csv, json, html or tex (default: by suffix)",
     .hint = "format of the report"},
    {.name = "table", AT(table), .rules = NOT_CHECKED,
     .help = "report a row a TRACE (always if several, or tex)",
     .hint = "report a row a trace"},
    {.name = "unit", .value = "UNIT", WORDS("ticks", "us"), AT(unit),
     .help = "figures of a table in ticks (default) or us",
     .hint = "unit of a table"},
    {.name = "pairs", .value = "WHICH", WORDS("all", "live", "reference", "none", "met"),
     .least = CSY_PAIRS_ALL, AT(pairs), .rules = BOUNDS | NOT_CHECKED,
     .help = "pairs to list: all, live, reference or none",
     .hint = "pairs to list"},
    {.name = "reference", .value = "NAME", .suggested = OPTION_WORDS("ppe"), AT(solve.reference),
     .rules = BOUNDS | NOT_CHECKED,
     .help = "clock tau, or a thread on it (default: ppe)",
     .hint = "clock tau, or a thread on it", .value_hint = "thread"},
    {.name = "alpha", .value = "A", AT(solve.alpha), .take = take_alpha,
     .rules = BOUNDS | NOT_CHECKED,
     .help = "where in its bound an offset lies, 0 to 1, as 1/2",
     .hint = "where in its bound an offset lies", .value_hint = "fraction from 0 to 1"},
    {.name = "center", .value = "WHERE", WORDS("reference", "local"), AT(solve.center),
     .rules = BOUNDS | NOT_CHECKED,
     .help = "offsets in bounds to the reference, or local ones",
     .hint = "where offsets lie"},
    {.name = "relax", .value = "HOW", WORDS("exact", "paper", "none"), AT(solve.relax),
     .rules = BOUNDS | NOT_CHECKED, .excludes = "delta",
     .help = "at contradictions: exact (default), paper, none",
     .hint = "what to do at contradictions"},
    {.name = "delta", .value = "D", AT(solve.delta), .take = take_delta,
     .rules = BOUNDS | NOT_CHECKED,
     .help = "take stamps to be good to +-D: ticks, or as 1.5us",
     .hint = "take stamps to be good to +-D", .value_hint = "ticks, or a time as 1.5us"},
    {.name = "latency", .value = "TIME", AT(solve.latency_ticks), .most = INT64_MAX,
     .take = take_latency, .rules = NOT_CHECKED,
     .help = "messages take at least so long: ticks, or as 1us",
     .hint = "how long messages take at least", .value_hint = "ticks, or a time as 1us"},
    {.name = "drift", .value = "PPM[,WANDER]", AT(solve.drift_ppb), .take = take_drift,
     .rules = BOUNDS | NOT_CHECKED,
     .help = "clocks gain or lose at most PPM; see the manual",
     .hint = "clocks gain or lose at most so much", .value_hint = "ppm, as 100 or 100,0.02"},
    {.name = "clocks", .value = "FILE", AT(clocks), .rules = ONE_TRACE | BOUNDS | NOT_CHECKED,
     .files = "",
     .help = "write what puts clocks in global time, as CSV",
     .hint = "write what puts clocks in global time"},
    {.name = "drop", .value = "K", AT(solve.drop), .least = 1, .most = CSY_DROP_MAX,
     .take = take_number, .rules = BOUNDS | NOT_CHECKED, .excludes = "delta",
     .help = "leave out up to K records that ask for most delta",
     .hint = "leave out records that ask for most delta", .value_hint = "how many"},
    {.name = "method", .value = "METHOD", WORDS("bhh", "lamport", "lamport-clock", "lsq", "ntp"),
     AT(solve.method), .rules = NOT_CHECKED,
     .help = "bhh (default), lamport, lamport-clock, lsq or ntp",
     .hint = "how global times are found"},
    {.name = "statistics", .value = "WHICH", WORDS("auto", "all"), AT(solve.statistics),
     .rules = BOUNDS | NOT_CHECKED,
     .help = "figures over all pairs: auto (default) or all",
     .hint = "whether to gather figures over all pairs"},
    {.name = "measure", AT(solve.measure), .rules = NOT_CHECKED,
     .help = "report also how distances within threads are kept"},
    {.name = "monotonic", AT(solve.monotonic), .rules = BOUNDS | NOT_CHECKED,
     .help = "never let times go down (not in a .pex)",
     .hint = "never let times go down"},
    {.name = "max-adjust", .value = "TIME", AT(solve.max_adjust_ticks), .most = INT64_MAX,
     .take = take_max_adjust, .rules = NOT_CHECKED,
     .help = "refuse to move a record further from its clock",
     .value_hint = "ticks, or a time as 1.5us"},
    {.name = "explain", .value = "A,B", AT(explain), .rules = ONE_TRACE | BOUNDS | NOT_CHECKED,
     .help = "show the records that set a bound of two clocks",
     .value_hint = "threads A,B"},
    {.name = "advise", .value = "K", AT(solve.advise), .least = 1, .most = CSY_ADVISE_MAX,
     .take = take_number, .rules = BOUNDS | NOT_CHECKED,
     .help = "say what K more records of each thread would do",
     .hint = "say what more records would do", .value_hint = "how many"},
    {.name = "graph", .value = "FILE", AT(graph), .rules = ONE_TRACE | BOUNDS | NOT_CHECKED,
     .files = "",
     .help = "draw the graph of the threads, for dot"},
    {.name = "graph-of", .value = "WHAT", WORDS("constraints", "bounds"), AT(graph_of),
     .needs = "graph",
     .help = "its edges: constraints (default) or bounds",
     .hint = "what its edges are"},
    {.name = "figures", .value = "FOLDER", AT(figures), .rules = ONE_TRACE | BOUNDS | NOT_CHECKED,
     .files = "/",
     .help = "write the drawings of a page as SVG files",
     .hint = "write the drawings as SVG files"},
    {.name = "unwrap", .value = "HOW", WORDS("assume", "strict"), AT(solve.unwrap),
     .rules = NOT_CHECKED,
     .help = "ambiguous gaps: assume least (default), strict",
     .hint = "what to do with ambiguous gaps"},
    {.name = "max-imprecision", .value = "TIME", AT(solve.max_imprecision_ticks), .most = 1 << 30,
     .take = take_max_imprecision, .rules = NOT_CHECKED,
     .help = "what unwrapping allows to stamps (default: 10ms)",
     .hint = "what unwrapping allows to stamps", .value_hint = "ticks, or a time as 10ms"},
    {.name = "engine", .value = "ENGINE", WORDS("auto", "sweep", "dense"), AT(solve.engine),
     .rules = BOUNDS | NOT_CHECKED,
     .help = "make bounds by auto (default), sweep or dense",
     .hint = "what makes the bounds"},
    {.name = "threads", .value = "N", AT(workers), .least = 1, .most = THREADS_MAX,
     .take = take_number, .rules = NOT_CHECKED,
     .help = "work with N threads (default: one a core)",
     .hint = "how many threads work", .value_hint = "number"},
    {.name = "max-memory", .value = "BYTES", AT(max_memory), .take = take_bytes,
     .help = "take no more memory, as 512M (default: half)",
     .hint = "take no more memory, as 512M"},
    {.name = "salvage", AT(salvage), .rules = NOT_CHECKED,
     .help = "take the whole records of a trace that is cut off"},
    {.name = "check", AT(check), .rules = ONE_TRACE,
     .help = "TRACE is a synchronized .pex, CSV or OTF2: prove it",
     .hint = "prove the guarantees of a synchronized trace"},
    {.name = "no-sandbox", AT(no_sandbox),
     .help = "keep the right to open any file (see the manual)",
     .hint = "keep the right to open any file"},
    {.name = "quiet", .letter = 'q', AT(quiet),
     .help = "no warnings, no progress"},
    {.name = "verbose", .letter = 'v', AT(verbose),
     .help = "say what is being done"},
    {.name = "progress", .value = "WHEN", WORDS("auto", "always", "never"), AT(progress),
     .help = "show progress: auto (default), always or never",
     .hint = "show progress"},
    {.name = "help", .letter = 'h', .action = COMMAND_HELP,
     .help = "show this help and exit",
     .hint = "show help and exit"},
    {.name = "version", .letter = 'V', .action = COMMAND_VERSION,
     .help = "show the version and exit"},
};
/* clang-format on */

const struct option_table cli_table = {CLI_PROGRAM, rows, sizeof rows / sizeof *rows, false};

static const char help_head[] =
    "Usage: cellsync [OPTION]... TRACE..., as cellsync t.pex -o s.pex -r s.html\n"
    "Synchronize an event trace and prove how good its clocks are: cellsync(1).\n";

static const char help_tail[] =
    "Exit status: 0 good, 1 input, I/O or memory, 2 usage, 3 readable but infeasible.\n";

void options_print_help(void)
{
    fputs(help_head, stdout);
    option_table_help(&cli_table);
    fputs(help_tail, stdout);
}

/* Reads the command line of cellstat(1). */
#include "cellstat/table.h"

#include "tool/solving_rows.h"
#include "tool/usage.h"

#include <string.h>
#include <unistd.h>

enum { STAT_RULES = 2 * TAKES_EACH - 1 /* all bits of enum stat_rule */, VERBS_TEXT_MAX = 256 };

#define complain(...) usage_complain(STAT_PROGRAM, __VA_ARGS__)

#define AT(member) OPTION_AT(struct stat_options, member)

/* Parse the value of --heavy, a fraction. Without a value, the fraction is a tenth. */
static bool take_heavy(const struct command *command, const struct option_row *row,
                       const char *text)
{
    struct stat_options *options = command->options;
    options->comm.heavy = (csy_fraction){1, 10};
    return !text ||
           (csy_fraction_parse(text, &options->comm.heavy) &&
            options->comm.heavy.num <= options->comm.heavy.den) ||
           complain("%s: '%s': expected a fraction from 0 to 1, such as 1/10", option_shown(row),
                    usage_visible(text));
}

/* Add a file of --events. Later files take precedence over earlier ones. */
static bool take_events(const struct command *command, const struct option_row *row,
                        const char *text)
{
    struct stat_options *options = command->options;
    if (options->nevents == STAT_EVENTS_MAX)
        return complain("%s: '%s' is one file too many; the limit is %d", option_shown(row),
                        usage_visible(text), STAT_EVENTS_MAX);
    options->events[options->nevents++] = text;
    return true;
}

/* Parse the value of --topology, SPES[,CELLS]. */
static bool take_topology(const struct command *command, const struct option_row *row,
                          const char *text)
{
    struct stat_options *options = command->options;
    uint64_t *const numbers[] = {&options->spes_per_cell, &options->cells_per_node};
    const char *at = text;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        uint64_t number = 0;
        while (*at >= '0' && *at <= '9' && number < UINT32_MAX)
            number = 10 * number + (uint64_t)(*at++ - '0');
        *numbers[i] = number;
        if (number == 0 || number >= UINT32_MAX || (*at && *at != ','))
            break;
        if (!*at)
            return true;
        at++;
    }
    return complain("%s: '%s': expected SPES[,CELLS]: SPEs per Cell, Cells per node",
                    option_shown(row), usage_visible(text));
}

/* clang-format off */
static const struct option_row rows[] = {
    {.name = "output", .letter = 'o', .value = "FILE", AT(output), .rules = TAKES_FILE, .files = "",
     .help = "write the tables to FILE (default: stdout)",
     .hint = "file for tables"},
    {.name = "format", .value = "FORMAT",
     .words = OPTION_WORDS("text", "csv", "json", "html", "tex", "svg", "dot", "folded", "md"),
     AT(format), .rules = TAKES_FILE,
     .help = "text, csv, json, html, tex, md, svg, dot, or folded\n(default: by suffix)",
     .hint = "format of tables"},
    {.name = "time", .value = "UNIT", .words = OPTION_WORDS("ticks", "s", "ms", "us", "ns"),
     .least = CSY_TIME_TICKS, AT(time_unit), .rules = TAKES_FILE,
     .help = "unit of times: ticks (default), s, ms, us, or ns",
     .hint = "unit of times of tables"},
    {.name = "events", .value = "FILE", .take = take_events, .rules = TAKES_MEANING, .files = "",
     .help = "the meaning of events, as XML: see cellsync-events(5)",
     .hint = "meaning of events"},
    {.name = "symbols", .value = "FILE", AT(symbols), .rules = TAKES_MEANING, .files = "",
     .help = "names of routines, from nm -S -l or addr2line",
     .hint = "names of routines"},
    {.name = "units", .value = "WHICH", .words = OPTION_WORDS("spe", "ppe", "actors", "cpu"),
     .least = CSY_UNITS_SPE, AT(units), .rules = TAKES_UNITS,
     .help = "units to count: spe, ppe, actors, or cpu",
     .hint = "kind of units"},
    {.name = "window", .value = "A..B", AT(window), .rules = TAKES_WINDOW,
     .excludes = "section",
     .help = "part to analyse: 2ms..3ms, 25%..75%, #10..#20",
     .hint = "part to analyse", .value_hint = "such as 1.5s..2s, 25%..75%, or #100.."},
    {.name = "section", .value = "NAME[#K[-M]]", AT(section), .rules = TAKES_SECTIONS,
     .excludes = "each",
     .help = "a separate table for the K-th to M-th event NAME",
     .hint = "numbered sections", .value_hint = "event"},
    {.name = "each", .value = "NAME", AT(each), .rules = TAKES_SECTIONS, .excludes = "window",
     .help = "a separate table for each event NAME",
     .hint = "sections at each event", .value_hint = "event"},
    {.name = "with-idle", AT(asked.with_idle), .rules = TAKES_CONCURRENCY,
     .help = "include idle time in averages"},
    {.name = "speedup", .value = "P", AT(asked.speedup), .least = 1, .most = 1000000,
     .take = take_number, .rules = TAKES_CONCURRENCY,
     .help = "estimate the speedup on P units by Amdahl's law",
     .hint = "speedup according to Amdahl", .value_hint = "units"},
    {.name = "serial", .value = "TIME", AT(serial), .rules = TAKES_CONCURRENCY,
     .help = "report the speedup over this time on one unit",
     .hint = "time on one unit", .value_hint = "ticks, or a time such as 10s"},
    {.name = "sample", .value = "TIME", AT(sample), .rules = TAKES_SAMPLE,
     .help = "add the result of a simulated sampling profiler",
     .hint = "simulated sampling profiler", .value_hint = "ticks, or a time such as 10ms"},
    {.name = "joint", AT(states.joint), .rules = TAKES_STATES, .excludes = "window",
     .help = "time in each combination of states"},
    {.name = "pairs", AT(states.pairs), .rules = TAKES_STATES,
     .help = "add a row for each actor on each unit"},
    {.name = "ranges", .value = "WHICH", .words = OPTION_WORDS("exact", "star", "none"),
     AT(ranges), .rules = TAKES_RANGES,
     .help = "ranges: exact, star (via the reference), or none",
     .hint = "kind of ranges"},
    {.name = "attained", AT(asked.attained), .rules = TAKES_CONCURRENCY,
     .help = "add the times that some valid offsets attain"},
    {.name = "per", .value = "WHAT", 
     .words = OPTION_WORDS("all", "actor", "unit", "cell", "node"), AT(per), .rules = TAKES_PER,
     .help = "one row for all (default), or each actor, unit,\ncell, or node",
     .hint = "one row per"},
    {.name = "follow", .value = "WHAT", .words = OPTION_WORDS("create"),
     .least = CSY_FOLLOW_CREATE, AT(profile.follow), .rules = TAKES_FOLLOW,
     .excludes = "window",
     .help = "create: count calls of tasks for their creator",
     .hint = "calls of tasks"},
    {.name = "actors", .value = "GLOB,...", AT(actors), .rules = TAKES_ACTORS,
     .help = "only these actors",
     .hint = "only these actors"},
    {.name = "of", .value = "ACTOR", AT(actors), .rules = TAKES_GRAPH, .excludes = "actors",
     .help = "only this actor",
     .hint = "actor of the calls"},
    {.name = "weight", .value = "WHAT", .words = OPTION_WORDS("count", "time", "bytes"),
     AT(calls.weight), .rules = TAKES_GRAPH,
     .help = "weight of edges: count (default), time, or bytes",
     .hint = "weight of edges"},
    {.name = "leaves", .value = "N", .most = INT32_MAX, AT(leaves), .take = take_number,
     .rules = TAKES_GRAPH,
     .help = "maximum callees of a routine (default: 10)",
     .hint = "maximum callees of a routine"},
    {.name = "at", .value = "TIME", AT(at), .rules = TAKES_GRAPH, .excludes = "window",
     .help = "calls active at TIME: 1.5s, 25%, or #RECORD",
     .hint = "calls active at a time"},
    {.name = "sort", .value = "COLUMN", AT(sort), .rules = TAKES_ROWS,
     .help = "sort rows by COLUMN",
     .hint = "column to sort by"},
    {.name = "top", .value = "N", .most = INT32_MAX, AT(top), .take = take_number,
     .rules = TAKES_ROWS,
     .help = "maximum number of rows (default: 40; 0: all)",
     .hint = "maximum number of rows"},
    {.name = "bins", .value = "N", .least = 1, .most = CSY_TIMELINE_BINS_MAX, AT(bins),
     .take = take_number, .rules = TAKES_BINS,
     .help = "number of parts of a timeline",
     .hint = "number of parts of a timeline"},
    {.name = "group", .value = "WHICH", .words = OPTION_WORDS("spe", "cell", "node"),
     AT(comm.group), .rules = TAKES_COMM,
     .help = "senders and receivers: spe, cell, or node",
     .hint = "senders and receivers"},
    {.name = "by", .value = "WHAT", .words = OPTION_WORDS("function", "datatype", "size"),
     .least = CSY_COMM_FUNCTION, AT(comm.by), .rules = TAKES_COMM,
     .help = "split messages by function, datatype, or size",
     .hint = "classes of messages"},
    {.name = "heavy", .optional = true, .value = "F", .take = take_heavy, .rules = TAKES_COMM,
     .help = "only pairs with at least F of the maximum bytes",
     .hint = "pairs with the most bytes"},
    {.name = "templates", AT(comm.templates), .rules = TAKES_COMM, .excludes = "window",
     .help = "name the patterns that fit the messages best"},
    {.name = "each-message", AT(each_message), .rules = TAKES_EACH,
     .help = "latency: a row for each message"},
    {.name = "topology", .value = "SPES[,CELLS]", .take = take_topology, .rules = TAKES_PLACES,
     .help = "SPEs per Cell, and Cells per node",
     .hint = "SPEs per Cell and Cells per node"},
    {.name = "explain", AT(explain), .rules = TAKES_EXPLAIN,
     .help = "show the records that limit the range"},
    SOLVING_FROM(0),
    SOLVING_COLUMNS(0),
    SOLVING_TIME_UNIT(0),
    SOLVING_COUNTER_BITS(0),
    SOLVING_CLOCK_PER(0),
    SOLVING_SPANS(0),
    SOLVING_JOIN(0),
    SOLVING_REFERENCE(0),
    SOLVING_RELAX(0),
    SOLVING_DELTA(0),
    SOLVING_LATENCY(0),
    SOLVING_MAX_LATENCY(0),
    SOLVING_OFFSETS(0),
    {.name = "drift", .value = "PPM[,WANDER]", AT(solving.choices.drift_ppb), .take = take_drift,
     .help = "clocks run within PPM of each other; 0: one rate",
     .hint = "limit for the drift of clocks", .value_hint = "ppm, such as 101 or 101,1"},
    SOLVING_DROP(0),
    SOLVING_STEPS(0),
    SOLVING_UNWRAP(0),
    SOLVING_MAX_IMPRECISION(0),
    SOLVING_ENGINE(0),
    SOLVING_THREADS(0),
    SOLVING_MAX_MEMORY(0),
    SOLVING_SALVAGE(0),
    SOLVING_STRICT(0),
    SOLVING_FAIL_ABOVE(0),
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

static const char *verb_name(size_t i)
{
    return i < stat_nverbs ? stat_verbs[i].name : NULL;
}

const struct option_table cellstat_table = {STAT_PROGRAM, rows, sizeof rows / sizeof *rows, false,
                                            verb_name};

static const struct option_group groups[] = {
    {"Output", OPTION_WORDS("output", "format", "time", "top", "sort")},
    {"What is counted", OPTION_WORDS("window", "units", "actors", "per", "events", "symbols")},
    {"Input and clocks", OPTION_WORDS("columns", "drift", "delta", "latency", "ranges")},
    {"More", OPTION_WORDS("quiet", "help-all", "version")},
    {NULL, NULL}};

void stat_options_print_help(bool all)
{
    puts("Usage: cellstat [VERB] [OPTION]... TRACE [MOMENT MOMENT]\n"
         "Analyse a traced program; each figure has the range that its clocks allow.\n"
         "\n"
         "  cellstat trace.pex                    a summary\n"
         "  cellstat latency trace.csv            how long messages take\n"
         "  cellstat order trace.pex '#7' '#9'    which of two records came first\n");
    for (size_t i = 0; i < stat_nverbs; i++)
        printf("  %-11s TRACE%-4s  %s\n", stat_verbs[i].name, stat_verbs[i].operands,
               stat_verbs[i].help);
    if (all)
        putchar('\n');
    option_table_help(&cellstat_table, all ? NULL : groups);
    puts("\nExit status: 0 success, 1 bad input, I/O, or memory, 2 usage, 3 contradiction,\n"
         "or a limit that was exceeded. Manual: cellstat(1).");
}

static bool is_graph(const struct stat_options *out)
{
    return out->format == CSY_REPORT_DOT || out->format == CSY_REPORT_FOLDED;
}

/* Choose the output format by the suffix of the file's name, unless --format states it. */
static bool take_format(const struct command *command, struct stat_options *out)
{
    static const struct {
        const char *suffix;
        csy_report_format format;
    } known[] = {{".svg", CSY_REPORT_SVG},
                 {".dot", CSY_REPORT_DOT},
                 {".gv", CSY_REPORT_DOT},
                 {".folded", CSY_REPORT_FOLDED}};
    const char *suffix = strrchr(out->output, '.');
    csy_error error;
    bool given = command_has(command, "format");
    for (size_t i = 0; !given && suffix && i < sizeof known / sizeof *known; i++)
        if (strcmp(suffix, known[i].suffix) == 0)
            out->format = known[i].format;
    if (is_graph(out) && (out->verb->takes & TAKES_GRAPH) == 0)
        return complain("--format=dot and --format=folded require the verb \"calls\"");
    return given || out->format != CSY_REPORT_TEXT ||
           csy_report_format_of(out->output, &out->format, &error) == CSY_OK ||
           complain("%s: unknown suffix, expected .txt, .csv, .json, .html, .tex, .md, .svg, .dot, "
                    "or .folded; for another name, give the format with --format",
                    usage_visible(out->output));
}

static bool fits_drift(const struct command *command, const struct stat_options *out)
{
    if (out->solving.choices.relax == CSY_RELAX_PAPER)
        return complain("--relax=paper requires clocks that do not drift (--drift=0)");
    static const char *const others[] = {"drop", "engine"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (command_has(command, others[i]))
            return complain("--%s requires clocks that do not drift (--drift=0)", others[i]);
    return out->solving.choices.unwrap != CSY_UNWRAP_STRICT ||
           complain("--unwrap=strict requires clocks that do not drift (--drift=0)");
}

/* A first operand with a dot or a slash, or with the name of a file, is a trace, not a verb. */
static bool is_file(const char *text)
{
    const char *named = strchr(text, '=');
    return strcmp(text, "-") == 0 || access(text, F_OK) == 0 ||
           (named && access(named + 1, F_OK) == 0);
}

static bool is_trace(const char *text)
{
    return strcmp(text, "-") == 0 || strpbrk(text, "./") || access(text, F_OK) == 0;
}

/* Report an option that the verb does not have, and name the verbs that have the option. */
static bool complain_of_verb(const struct option_row *wrong, const struct verb *verb)
{
    char verbs[VERBS_TEXT_MAX] = "";
    size_t n = 0;
    for (size_t i = 0; i < stat_nverbs; i++)
        if (!(wrong->rules & STAT_RULES & ~stat_verbs[i].takes) && n < sizeof verbs)
            n += (size_t)snprintf(verbs + n, sizeof verbs - n, "%s\"%s\"", n > 0 ? ", " : "",
                                  stat_verbs[i].name);
    return complain("%s does not apply to the verb \"%s\"; it applies to %s", option_shown(wrong),
                    verb->name, verbs);
}

static bool take_operands(const struct command *command, struct stat_options *out)
{
    if (command->noperands == 0)
        return complain("the name of a trace (TRACE) is missing");
    const char *names[STAT_VERBS_MAX + 1] = {NULL};
    bool named = command->noperands > 1 || !is_trace(command->operands[0]), is_verb = false;
    for (size_t i = 0; i < stat_nverbs; i++) {
        names[i] = stat_verbs[i].name;
        is_verb |= strcmp(names[i], command->operands[0]) == 0;
    }
    if (command->noperands >= 2 && !is_verb && is_trace(command->operands[0])) {
        named = false;
        for (int i = 1; i < command->noperands; i++)
            if (!is_file(command->operands[i]))
                return complain("without a verb, all operands must be traces, but there is no file "
                                "'%s'; to write tables to a file, pass -o FILE",
                                usage_visible(command->operands[i]));
    }
    int found = usage_choose(STAT_PROGRAM, "VERB", named ? command->operands[0] : "summary", names);
    if (found < 0)
        return false;
    out->verb = &stat_verbs[found];
    if (named && command->noperands == 1)
        return complain("the name of a trace (TRACE) is missing");
    out->solving.traces = command->operands + named;
    size_t given = (size_t)command->noperands - named, n = 1;
    while (n + out->verb->noperands < given && is_file(out->solving.traces[n]))
        n++;
    out->solving.ntraces = n;
    out->solving.trace = out->solving.traces[0];
    out->operands = out->solving.traces + n;
    out->noperands = given - n;
    if (given > n && out->verb->noperands == 0)
        return complain("the verb \"%s\" accepts only traces, but there is no file '%s'; to write "
                        "tables to a file, pass -o FILE",
                        out->verb->name, usage_visible(out->operands[0]));
    if (out->noperands > out->verb->noperands)
        return complain("the verb \"%s\" accepts TRACE%s, but not '%s'; to write tables to a file, "
                        "pass -o FILE",
                        out->verb->name, out->verb->operands,
                        usage_visible(out->operands[out->verb->noperands]));
    if (out->noperands != out->verb->noperands)
        return complain("the verb \"%s\" requires TRACE%s", out->verb->name, out->verb->operands);
    const struct option_row *wrong = command_first(command, ~out->verb->takes & STAT_RULES);
    if (wrong)
        return complain_of_verb(wrong, out->verb);
    /* these verbs sort rows by themselves */
    bool sorts = out->verb->takes & (TAKES_GRAPH | TAKES_FOLLOW);
    if (command_has(command, "top") && !out->sort && !sorts)
        return complain("the verb \"%s\" requires --sort with --top", out->verb->name);
    if (out->solving.choices.drift_ppb != CSY_NO_DRIFT && !fits_drift(command, out))
        return false;
    return out->solving.choices.drop == 0 || out->solving.choices.relax == CSY_RELAX_EXACT ||
           complain("--drop requires --relax=exact, and excludes %s",
                    command_has(command, "delta") ? "--delta" : "other values of --relax");
}

/* Check for options that exclude --section or --each. For concurrency, --bins is one of them. */
static bool fits_sections(const struct command *command, const struct stat_options *out)
{
    static const char *const others[] = {"joint",        "follow", "templates",
                                         "each-message", "at",     "bins"};
    const char *given = command_has(command, "section") ? "section" : "each";
    size_t n = sizeof others / sizeof *others - !(out->verb->takes & TAKES_CONCURRENCY);
    for (size_t i = 0; command_has(command, given) && i < n; i++)
        if (command_has(command, others[i]))
            return complain("--%s and --%s exclude each other", others[i], given);
    return true;
}

bool stat_options_tables(const struct stat_options *options)
{
    return options->format <= CSY_REPORT_JSON || options->format == CSY_REPORT_TEX ||
           options->format == CSY_REPORT_MD;
}

/* Graphs and stacks contain all calls in their own order, so --sort and --top are refused. */
static bool fits_rows(const struct command *command, const struct stat_options *out)
{
    const char *given = command_has(command, "sort") ? "sort" : "top";
    return !is_graph(out) || !command_has(command, given) ||
           complain("--%s requires --format=text, csv, json, html, tex, or md; --format=dot and "
                    "--format=folded contain all calls",
                    given);
}

enum command_action stat_options_read(int argc, char **argv, struct stat_options *out)
{
    struct command command = {.table = &cellstat_table, .options = out};
    *out = (struct stat_options){.solving = solving_default(STAT_PROGRAM),
                                 .output = "-",
                                 .leaves = 10,
                                 .states.levels = true};
    csy_comm_options_init(&out->comm);
    enum command_action action = command_read(&command, argc, argv);
    if (action != COMMAND_RUN)
        return action;
    /* A drawing chooses the unit of its time axis, so reject a unit that the user chose. */
    bool good =
        take_operands(&command, out) && take_format(&command, out) &&
        (out->time_unit <= CSY_TIME_TICKS || stat_options_tables(out) ||
         complain("--time requires --format=text, csv, json, tex, or md; drawings and pages "
                  "choose the unit of their axes themselves")) &&
        fits_rows(&command, out) && command_fits(&command) && fits_sections(&command, out);
    solving_note_passed(&out->solving, &command);
    if (out->asked.attained) /* --attained requires clocks that do not drift */
        out->solving.choices.premises = CSY_PREMISES_ONE_RATE;
    /* Text shows few rows. CSV and JSON have all rows, because programs may add up values. */
    enum { READ_ROWS = 40 };
    bool read = out->format != CSY_REPORT_CSV && out->format != CSY_REPORT_JSON;
    if (!command_has(&command, "top"))
        out->top = read ? READ_ROWS : 0;
    out->tables = command_has(&command, "output") || command_has(&command, "format") ||
                  command_has(&command, "time");
    return good ? COMMAND_RUN : COMMAND_USAGE;
}

/* See options.h. */
#include "simulator/options.h"

#include "base/number.h"
#include "simulator/cluster/wires.h"
#include "simulator/vocabulary.h"
#include "tool/usage.h"

#include <inttypes.h>
#include <string.h>

static const char program[] = "pdtsim";

enum {
    CONTEXTS_MAX = 4096,
    BLOCK_MAX = 4096,
    PAGE_RECORDS = 64,
    JITTER_MAX = 1 << 20,
    HALO_NODES = 4,
    CLUSTER_NODES = 8, /* number of nodes in [DBK09] */
    CLUSTER_SPES_MAX = 32
};

#define complain(...) usage_complain(program, __VA_ARGS__)

static bool take_number(const struct command *command, const struct option_row *row,
                        const char *text)
{
    uint64_t number;
    if (!number_parse(text, &number) || number < row->least || number > row->most)
        return complain("--%s: '%s' is not a whole number from %" PRIu64 " to %" PRIu64, row->name,
                        usage_visible(text), row->least, row->most);
    option_store(command, row, number);
    return true;
}

/* Parse parts per million below 500000, with up to three decimals, as parts per billion. */
static bool parse_ppm(const char *text, int64_t *out_ppb)
{
    enum { PPB = 1000 };
    csy_fraction ppm;
    if (strchr(text, '/') || !fraction_parse(text, PPB, &ppm) ||
        ppm.num > CLOCK_DRIFT_MAX_PPB / PPB * ppm.den || ppm.num * PPB % ppm.den)
        return false;
    *out_ppb = ppm.num * PPB / ppm.den;
    return *out_ppb < CLOCK_DRIFT_MAX_PPB;
}

static bool take_drift(const struct command *command, const struct option_row *row,
                       const char *text)
{
    struct options *options = command->options;
    char ppm[FRACTION_TEXT_MAX];
    size_t length = strcspn(text, ",");
    snprintf(ppm, sizeof ppm, "%.*s", length < sizeof ppm ? (int)length : 0, text);
    options->drifts = parse_ppm(ppm, &options->range.drift_ppb) &&
                      (!text[length] || parse_ppm(text + length + 1, &options->range.wander_ppb));
    return options->drifts ||
           complain("--%s: '%s' is not PPM or PPM,WANDER, below 500000 and with up to three "
                    "decimals",
                    row->name, usage_visible(text));
}

static bool take_machine(const struct command *command, const struct option_row *row,
                         const char *text)
{
    struct options *options = command->options;
    int chosen = option_choose(command, row, text);
    if (chosen >= 0)
        options->machine = &machines[chosen];
    return chosen >= 0;
}

static bool take_workload(const struct command *command, const struct option_row *row,
                          const char *text)
{
    struct options *options = command->options;
    csy_error error;
    (void)row;
    return !workload_parse(text, &options->workload, &error) || complain("%s", error.text);
}

static const char *workload_name(size_t i)
{
    return workload_at(i) ? workload_at(i)->name : NULL;
}

static bool take_level(const struct command *command, const struct option_row *row,
                       const char *text)
{
    static const unsigned levels[] = {LEVEL_FULL, LEVEL_STALLS, LEVEL_OUTER, LEVEL_BASIC};
    struct options *options = command->options;
    int chosen = option_choose(command, row, text);
    if (chosen >= 0)
        options->level = levels[chosen];
    options->level_given = true;
    return chosen >= 0;
}

static bool take_tracer(const struct command *command, const struct option_row *row,
                        const char *text)
{
    struct options *options = command->options;
    int chosen = option_choose(command, row, text);
    if (chosen >= 0)
        options->tracing.kind = (enum tracer_kind)chosen;
    options->tracing.kind_given = true;
    return chosen >= 0;
}

/* Parse the value of --flush: K, or K and a kind of flush. */
static bool take_flush(const struct command *command, const struct option_row *row,
                       const char *text)
{
    static const char *const kinds[] = {"stamped", "next", "double"};
    struct options *options = command->options;
    const char *comma = strchrnul(text, ',');
    char number[24] = "";
    uint64_t block;
    size_t kind = 0;
    if (comma - text < (ptrdiff_t)sizeof number)
        memcpy(number, text, (size_t)(comma - text));
    while (*comma && kind < 3 && strcmp(comma + 1, kinds[kind]) != 0)
        kind++;
    if (!number_parse(number, &block) || block < 1 || block > BLOCK_MAX || kind == 3)
        return complain("--%s: '%s' is not a whole number from 1 to %d, optionally followed by "
                        ",stamped, ,next, or ,double",
                        row->name, usage_visible(text), BLOCK_MAX);
    options->tracing.block = (int64_t)block;
    options->tracing.flush = (enum flush_kind)kind;
    return true;
}

#define AT(member) OPTION_AT(struct options, member)
#define WORDS(...) .words = OPTION_WORDS(__VA_ARGS__)

/* clang-format off */
static const struct option_row rows[] = {
    {.name = "output", .letter = 'o', .value = "FILE.pex", AT(output), .files = "*.pex",
     .help = "the trace; its records go to FILE.trace;\nFILE.csv: of halo, as CSV",
     .hint = "write the trace", .value_hint = "file"},
    {.name = "truth", .value = "FILE", AT(truth), .files = "",
     .help = "the true offset of each live interval, as CSV",
     .hint = "write the true offsets"},
    {.name = "truth-activity", .value = "FILE", AT(truth_activity), .files = "",
     .help = "what the program did in true time, as CSV: levels of\n"
             "concurrency, states, calls, messages",
     .hint = "write what the program did in true time"},
    {.name = "compress", AT(compress),
     .help = "gzip the records (FILE.trace.gz)",
     .hint = "gzip the records"},
    {.name = "machine", WORDS("qs20", "qs21", "qs22", "ps3"), .take = take_machine,
     .help = "clocks and cores (default: qs20)",
     .hint = "clocks and cores"},
    {.name = "workload", .value = "NAME", .suggest = workload_name, .take = take_workload,
     .help = "the program, see below (default: fft16m)",
     .hint = "the program", .value_hint = "workload"},
    {.name = "nodes", .value = "N", AT(nnodes), .least = 1, .most = NODES_MAX, .take = take_number,
     .help = "nodes that ranks are on (default of halo: 4, of\nclusters: 8)",
     .hint = "nodes that ranks are on", .value_hint = "number"},
    {.name = "spes", .value = "N", AT(nspes), .least = 1, .most = CLUSTER_SPES_MAX,
     .take = take_number,
     .help = "SPEs that the program may use (default: all)",
     .hint = "SPEs that the program may use", .value_hint = "number"},
    {.name = "contexts", .value = "N", AT(ncontexts), .least = 1, .most = CONTEXTS_MAX,
     .take = take_number,
     .help = "SPE contexts, up to 4096 (default: one an SPE;\noversubscribed: two)",
     .hint = "SPE contexts", .value_hint = "number"},
    {.name = "level", WORDS("full", "stalls", "outer", "basic"), .take = take_level,
     .help = "what is traced: everything, what can stall\n"
             "(default), the outer loop, starts and ends only",
     .hint = "events to trace"},
    {.name = "calls", AT(calls),
     .help = "record functions, as they are entered and left",
     .hint = "record calls of functions"},
    {.name = "events", .value = "N", AT(events), .least = 1, .most = INT64_C(1) << 40,
     .take = take_number,
     .help = "begin no round of the program after N records\n(default: all rounds of the program)",
     .hint = "limit for the number of records", .value_hint = "number"},
    {.name = "seed", .value = "N", AT(seed), .most = UINT64_MAX, .take = take_number,
     .help = "seed of the random numbers (default: 1)",
     .hint = "seed of the random numbers", .value_hint = "number"},
    {.name = "jitter", .value = "TICKS", AT(jitter_ticks), .most = JITTER_MAX, .take = take_number,
     .help = "maximum error of timestamps (default: 0)",
     .hint = "maximum error of timestamps"},
    {.name = "late-writes", .value = "PERCENT", AT(late_percent), .most = 100, .take = take_number,
     .help = "so many records are stamped before they ask for\n"
             "their place in the buffer (default: 0)",
     .hint = "so many records are stamped early"},
    {.name = "tracer", WORDS("buffer", "pages", "hardware", "none"), .take = take_tracer,
     .help = "how records get to the buffer: one by one (the\n"
             "default), as --flush=64,double, by one store each;\n"
             "none: no trace; says how long the program took",
     .hint = "how records get to the buffer"},
    {.name = "flush", .value = "K[,HOW]", .take = take_flush,
     .help = "SPEs gather K records and flush them as a block:\n"
             "stamped (default), next or double",
     .hint = "flush K records at a time", .value_hint = "K or K,how"},
    {.name = "burst", .value = "K", AT(tracing.burst), .most = BLOCK_MAX, .take = take_number,
     .help = "the first K records of each live interval are\n"
             "flushed one by one",
     .hint = "flush the first records one by one", .value_hint = "number"},
    {.name = "buffers", WORDS("shared", "core"), AT(tracing.per_core),
     .help = "one buffer (default), or one for each core; as CSV",
     .hint = "one buffer, or one for each core"},
    {.name = "advice", .value = "FILE", AT(advice), .files = "*.json",
     .help = "write the extra records that cellsync --advise\n"
             "asks for in its report of the same run, as JSON",
     .hint = "write extra records as advised"},
    {.name = "drift", .value = "PPM", .take = take_drift,
     .help = "maximum drift of the clock of each SPE; with\nPPM,WANDER, the drift varies",
     .hint = "maximum drift of clocks", .value_hint = "PPM or PPM,WANDER"},
    {.name = "switch-source", WORDS("switch_log", "notifier"), AT(notifier),
     .help = "source of context switches (default: switch_log)",
     .hint = "source of context switches", .value_hint = "who"},
    {.name = "verbose", .letter = 'v', AT(verbose),
     .help = "print what was simulated"},
    {.name = "help", .letter = 'h', .action = COMMAND_HELP,
     .help = "show this help and exit",
     .hint = "show help and exit"},
    {.name = "version", .letter = 'V', .action = COMMAND_VERSION,
     .help = "show the version and exit"},
};
/* clang-format on */

const struct option_table options_table = {program, rows, sizeof rows / sizeof *rows, false, NULL};

static const char help_head[] =
    "Usage: pdtsim [OPTION]... -o FILE.pex\n"
    "Simulate Cell blades that run a traced program, and write the trace and the truth.\n"
    "\n"
    "  pdtsim -o t.pex --truth=t.csv          simulate, with the true offsets beside\n"
    "  cellsync t.pex -r bounds.csv           see what can be known of them\n"
    "\n";

static const char help_tail[] = "\nExit status: 0 good, 1 output or memory, 2 usage.\n";

void options_print_help(void)
{
    fputs(help_head, stdout);
    option_table_help(&options_table, NULL);
    fputs("\nWorkloads:\n", stdout);
    for (size_t i = 0; workload_at(i); i++)
        printf("  %-15s %s\n", workload_at(i)->name, workload_at(i)->summary);
    fputs(help_tail, stdout);
}

/* Returns true if all output files have different names. Otherwise prints a message. */
static bool are_apart(const struct options *out)
{
    const char *truth = out->truth, *activity = out->truth_activity;
    if (truth && strcmp(truth, out->output) == 0)
        return complain("-o and --truth name the same file");
    if (activity && strcmp(activity, out->output) == 0)
        return complain("-o and --truth-activity name the same file");
    return !truth || !activity || strcmp(truth, activity) != 0 ||
           complain("--truth and --truth-activity name the same file");
}

static bool check_output(struct options *out)
{
    size_t length = out->output ? strlen(out->output) : 0;
    if (out->tracing.kind == TRACER_NONE)
        return (!out->output && !out->truth && !out->truth_activity) ||
               complain("--tracer=none records nothing, so it excludes -o, --truth, and "
                        "--truth-activity");
    if (!out->output)
        return complain("the output is missing; pass -o FILE.pex");
    out->csv = length >= 4 && strcmp(out->output + length - 4, ".csv") == 0;
    if (length < 5 || (!out->csv && strcmp(out->output + length - 4, ".pex") != 0) ||
        out->output[length - 5] == '/')
        return complain("-o: '%s' does not end with .pex", usage_visible(out->output));
    if (out->csv && !out->workload.ranks && !tracing_is_rows(&out->tracing))
        return complain(
            "-o: '%s': only blocks, several buffers, and the workload halo can be written as CSV",
            usage_visible(out->output));
    /* Refuse contents that a .pex cannot have: several buffers; flushes if only some have
     * timestamps; blocks of switched contexts, because it does not show which records precede a
     * switch. */
    const struct tracing *tracing = &out->tracing;
    const char *what = tracing->per_core ? "several buffers can only be"
                       : tracing->block > 0 && out->ncontexts > out->nspes
                           ? "blocks of switched contexts can only be"
                       : tracing->burst > 0 && tracing->flush != FLUSH_STAMPED
                           ? "a burst without timestamps can only be"
                           : NULL;
    if (!out->csv && what)
        return complain("-o: '%s': %s written as CSV; name the file FILE.csv",
                        usage_visible(out->output), what);
    if (out->csv && out->compress)
        return complain("--compress requires a .pex");
    return are_apart(out);
}

static bool check_tracing(struct options *out)
{
    struct tracing *tracing = &out->tracing;
    bool more = tracing->block > 0 || tracing->burst > 0 || tracing->per_core;
    if (tracing->kind == TRACER_PAGES && tracing->block == 0) {
        tracing->block = PAGE_RECORDS;
        tracing->flush = FLUSH_DOUBLE;
    }
    if (tracing->kind == TRACER_PAGES && tracing->flush != FLUSH_DOUBLE)
        return complain("--tracer=pages requires --flush=K,double, because it has two pages");
    if ((tracing->kind == TRACER_NONE || tracing->kind == TRACER_HARDWARE) && more)
        return complain("--flush, --burst, and --buffers exclude --tracer=%s",
                        tracing->kind == TRACER_NONE ? "none" : "hardware");
    if (tracing->burst > 0 && tracing->block == 0)
        return complain("--burst requires --flush");
    if (out->advice && (more || tracing->kind != TRACER_BUFFER))
        return complain("--advice requires records that reach one buffer one by one");
    if (out->workload.ranks && (more || tracing->kind != TRACER_BUFFER))
        return complain("--tracer, --flush, --burst, and --buffers exclude the workload halo");
    return true;
}

/* Check options for workloads of clusters, and set defaults. If options are invalid, prints a
 * message and returns false. */
static bool complete_cluster(struct options *out)
{
    const struct tracing *tracing = &out->tracing;
    const char *name = out->workload.name;
    size_t most = places_node_spes(out->machine), length = out->output ? strlen(out->output) : 0;
    if (out->nspes > most)
        return complain("--spes: a node of %s has only %zu SPEs", out->machine->label, most);
    if (out->ncontexts)
        return complain("--contexts does not apply, because each SPE has one rank of %s; see "
                        "--nodes and --spes",
                        name);
    if (tracing->kind_given || tracing->block || tracing->burst || tracing->per_core)
        return complain("--tracer, --flush, --burst, and --buffers exclude %s", name);
    if (out->advice || out->late_percent || out->notifier)
        return complain("--advice, --late-writes, and --switch-source exclude %s", name);
    if (out->level == LEVEL_BASIC)
        return complain("--level=basic records no messages, but only messages order the ranks");
    if (!out->output || length < 5 || strcmp(out->output + length - 4, ".pex") != 0 ||
        out->output[length - 5] == '/')
        return out->output ? complain("-o: '%s': %s can only be written as a .pex with logs",
                                      usage_visible(out->output), name)
                           : complain("the output is missing; pass -o FILE.pex");
    if (!are_apart(out))
        return false;
    out->level = out->level_given ? out->level : LEVEL_FULL;
    out->nnodes = out->nnodes ? out->nnodes : CLUSTER_NODES;
    out->nspes = out->nspes ? out->nspes : most;
    if (out->nnodes * out->nspes < 2)
        return complain("--spes: at least two ranks are required");
    return !out->workload.cluster.root_cell || out->nspes <= CELL_SPES ||
           out->nspes % CELL_SPES == 0 ||
           complain("--spes: root=cell requires whole Cells of %d SPEs", CELL_SPES);
}

/* Check all options, and set defaults that depend on other options. If options are invalid, prints
 * a message and returns false. */
static bool complete(struct options *out)
{
    size_t most = (size_t)out->machine->nspes;
    if (out->workload.cluster.kind)
        return complete_cluster(out);
    if (out->nspes > most)
        return complain("--spes: a %s has only %zu SPEs", out->machine->label, most);
    if (out->advice && out->workload.ranks)
        return complain("--advice excludes the workload halo");
    if (out->nnodes && !out->workload.ranks)
        return complain("--nodes requires the workload halo or a workload of clusters");
    if (!out->nnodes)
        out->nnodes = out->workload.ranks ? HALO_NODES : 1;
    if (!out->nspes)
        out->nspes = most;
    if (!out->ncontexts)
        out->ncontexts = out->nnodes * out->nspes * (size_t)out->workload.contexts_per_spe;
    if (out->workload.ranks && out->ncontexts < 2)
        return complain("--contexts: at least two ranks are required");
    if (out->workload.ranks &&
        (out->ncontexts < out->nnodes || out->ncontexts > out->nnodes * out->nspes))
        return complain("--contexts: %zu ranks do not fit %zu nodes of %zu SPEs, with at least one "
                        "rank per node",
                        out->ncontexts, out->nnodes, out->nspes);
    if (out->events && out->level == LEVEL_BASIC)
        return complain("--events excludes --level=basic, which records no rounds");
    return check_tracing(out) && check_output(out);
}

enum command_action options_read(int argc, char **argv, struct options *out)
{
    struct command command = {.table = &options_table, .options = out};
    *out = (struct options){.machine = &machines[0], .level = LEVEL_STALLS, .seed = 1};
    out->workload = *workload_at(0);
    enum command_action action = command_read(&command, argc, argv);
    if (action != COMMAND_RUN)
        return action;
    if (command.noperands > 0)
        complain("'%s' is one argument too many", usage_visible(command.operands[0]));
    return command.noperands == 0 && complete(out) ? COMMAND_RUN : COMMAND_USAGE;
}

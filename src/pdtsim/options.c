/* The command line of pdtsim(1). */
#include "pdtsim/options.h"

#include "base/number.h"
#include "pdtsim/vocabulary.h"
#include "tool/usage.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

static const char program[] = "pdtsim";

static const char help_head[] =
    "Usage: pdtsim [OPTION]... -o FILE.pex\n"
    "Simulate a Cell blade that runs a traced program, and write the trace and the truth.\n"
    "\n"
    "  pdtsim -o t.pex --truth=t.csv          simulate, with the true offsets beside\n"
    "  cellsync t.pex -r bounds.csv           see what can be known of them\n"
    "\n"
    "  -o, --output=FILE.pex       the trace; its records go to FILE.trace\n"
    "      --truth=FILE            the true offset of each live interval, as CSV\n"
    "      --compress              gzip the records (FILE.trace.gz)\n"
    "      --machine=qs20|qs21|qs22|ps3\n"
    "                              clocks and cores (default: qs20)\n"
    "      --workload=NAME         the program, see below (default: fft16m)\n"
    "      --spes=N                SPEs that it may use (default: all)\n"
    "      --contexts=N            SPE contexts, up to 4096 (default: one an SPE;\n"
    "                              oversubscribed: two)\n"
    "      --level=full|stalls|outer|basic\n"
    "                              what is traced: everything, what can stall\n"
    "                              (default), the outer loop, starts and ends only\n"
    "      --events=N              begin no round of the program behind N records\n"
    "                              (default: the rounds the program has)\n"
    "      --seed=N                another run of the same (default: 1)\n"
    "      --jitter=TICKS          make each stamp wrong by up to that (default: 0)\n"
    "      --late-writes=PERCENT   so many records are stamped before they ask for\n"
    "                              their place in the buffer (default: 0)\n"
    "      --switch-source=switch_log|notifier\n"
    "                              who reports context switches (default: switch_log)\n"
    "  -v, --verbose               say what was simulated\n"
    "  -h, --help                  show this help and exit\n"
    "  -V, --version               show the version and exit\n"
    "\n"
    "Workloads:\n";

static const char help_tail[] = "\nExit status: 0 good, 1 output or memory, 2 usage.\n";

enum { CONTEXTS_MAX = 4096, JITTER_MAX = 1 << 20 };

enum {
    OPTION_TRUTH = 256,
    OPTION_COMPRESS,
    OPTION_MACHINE,
    OPTION_WORKLOAD,
    OPTION_SPES,
    OPTION_CONTEXTS,
    OPTION_LEVEL,
    OPTION_EVENTS,
    OPTION_SEED,
    OPTION_JITTER,
    OPTION_LATE_WRITES,
    OPTION_SWITCH_SOURCE
};

static const struct option long_options[] = {
    {"output", required_argument, NULL, 'o'},
    {"truth", required_argument, NULL, OPTION_TRUTH},
    {"compress", no_argument, NULL, OPTION_COMPRESS},
    {"machine", required_argument, NULL, OPTION_MACHINE},
    {"workload", required_argument, NULL, OPTION_WORKLOAD},
    {"spes", required_argument, NULL, OPTION_SPES},
    {"contexts", required_argument, NULL, OPTION_CONTEXTS},
    {"level", required_argument, NULL, OPTION_LEVEL},
    {"events", required_argument, NULL, OPTION_EVENTS},
    {"seed", required_argument, NULL, OPTION_SEED},
    {"jitter", required_argument, NULL, OPTION_JITTER},
    {"late-writes", required_argument, NULL, OPTION_LATE_WRITES},
    {"switch-source", required_argument, NULL, OPTION_SWITCH_SOURCE},
    {"verbose", no_argument, NULL, 'v'},
    {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, 'V'},
    {NULL, 0, NULL, 0},
};

void options_print_help(void)
{
    fputs(help_head, stdout);
    for (size_t i = 0; workload_at(i); i++)
        printf("  %-15s %s\n", workload_at(i)->name, workload_at(i)->summary);
    fputs(help_tail, stdout);
}

static bool complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Always false. */
static bool complain(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    usage_complain(program, format, args);
    va_end(args);
    return false;
}

static bool take_number(const char *option, const char *text, uint64_t least, uint64_t most,
                        uint64_t *out)
{
    uint64_t number;
    if (!number_parse(text, &number) || number < least || number > most)
        return complain("--%s: '%s' is not a whole number from %" PRIu64 " to %" PRIu64, option,
                        usage_visible(text), least, most);
    *out = number;
    return true;
}

static bool take_machine(const char *text, struct options *out)
{
    const char *names[MACHINES + 1] = {NULL};
    for (size_t i = 0; i < MACHINES; i++)
        names[i] = machines[i].name;
    int chosen = usage_choose(program, "machine", text, names);
    out->machine = chosen < 0 ? NULL : &machines[chosen];
    return chosen >= 0;
}

static bool take_workload(const char *text, struct options *out)
{
    csy_error error;
    return !workload_parse(text, &out->workload, &error) || complain("%s", error.text);
}

static bool take_level(const char *text, struct options *out)
{
    static const char *const names[] = {"full", "stalls", "outer", "basic", NULL};
    static const unsigned levels[] = {LEVEL_FULL, LEVEL_STALLS, LEVEL_OUTER, LEVEL_BASIC};
    int chosen = usage_choose(program, "level", text, names);
    out->level = chosen < 0 ? out->level : levels[chosen];
    return chosen >= 0;
}

static bool take_source(const char *text, struct options *out)
{
    static const char *const names[] = {"switch_log", "notifier", NULL};
    int chosen = usage_choose(program, "switch-source", text, names);
    out->notifier = chosen == 1;
    return chosen >= 0;
}

/* An option whose value is a number. */
static bool take_count(int option, const char *text, struct options *out)
{
    uint64_t number = 0;
    bool good = true;
    switch (option) {
    case OPTION_SPES:
        good = take_number("spes", text, 1, SPES_MAX, &number);
        out->nspes = (size_t)number;
        break;
    case OPTION_CONTEXTS:
        good = take_number("contexts", text, 1, CONTEXTS_MAX, &number);
        out->ncontexts = (size_t)number;
        break;
    case OPTION_EVENTS:
        good = take_number("events", text, 1, UINT64_C(1) << 40, &number);
        out->events = (int64_t)number;
        break;
    case OPTION_SEED:
        return take_number("seed", text, 0, UINT64_MAX, &out->seed);
    case OPTION_JITTER:
        good = take_number("jitter", text, 0, JITTER_MAX, &number);
        out->jitter_ticks = (int64_t)number;
        break;
    default:
        good = take_number("late-writes", text, 0, 100, &number);
        out->late_percent = (int64_t)number;
    }
    return good;
}

static bool take_option(int option, const char *written, struct options *out)
{
    switch (option) {
    case 'o':
        out->output = optarg;
        return true;
    case OPTION_TRUTH:
        out->truth = optarg;
        return true;
    case OPTION_COMPRESS:
        return out->compress = true;
    case 'v':
        return out->verbose = true;
    case OPTION_MACHINE:
        return take_machine(optarg, out);
    case OPTION_WORKLOAD:
        return take_workload(optarg, out);
    case OPTION_LEVEL:
        return take_level(optarg, out);
    case OPTION_SWITCH_SOURCE:
        return take_source(optarg, out);
    case '?':
    case ':':
        usage_refuse(program, long_options, option, written);
        return false;
    default:
        return take_count(option, optarg, out);
    }
}

static bool check_output(const struct options *out)
{
    size_t length = out->output ? strlen(out->output) : 0;
    if (!out->output)
        return complain("no output is named: -o FILE.pex");
    if (length < 5 || strcmp(out->output + length - 4, ".pex") != 0 ||
        out->output[length - 5] == '/')
        return complain("-o: '%s' is not named as a .pex", usage_visible(out->output));
    if (out->truth && strcmp(out->truth, out->output) == 0)
        return complain("-o and --truth name the same file");
    return true;
}

/* What follows from other options. */
static bool complete(struct options *out)
{
    size_t most = (size_t)out->machine->nspes;
    if (out->nspes > most)
        return complain("--spes: a %s has %zu", out->machine->label, most);
    if (!out->nspes)
        out->nspes = most;
    if (!out->ncontexts)
        out->ncontexts = out->nspes * (size_t)out->workload.contexts_per_spe;
    if (out->events && out->level == LEVEL_BASIC)
        return complain("--events goes with more than --level=basic, which traces no rounds");
    return check_output(out);
}

enum options_action options_read(int argc, char **argv, struct options *out)
{
    *out = (struct options){.machine = &machines[0], .level = LEVEL_STALLS, .seed = 1};
    out->workload = *workload_at(0);
    opterr = 0;
    for (int option; (option = getopt_long(argc, argv, ":o:vhV", long_options, NULL)) != -1;) {
        if (option == 'h' || option == 'V')
            return option == 'h' ? OPTIONS_HELP : OPTIONS_VERSION;
        if (!take_option(option, argv[optind - 1], out))
            return OPTIONS_USAGE;
    }
    if (optind < argc) {
        complain("'%s' is one argument too many", usage_visible(argv[optind]));
        return OPTIONS_USAGE;
    }
    return complete(out) ? OPTIONS_RUN : OPTIONS_USAGE;
}

/* Options that cellsync and cellstat share, as rows of an option table for members of struct
 * solving. The parameter `also` is the value of option_row.rules (tool/command.h). */
#ifndef TOOL_SOLVING_ROWS_H
#define TOOL_SOLVING_ROWS_H

#include "tool/solving.h"

enum { SOLVING_WORKERS_MAX = 1024 };

/* clang-format off */
#define SOLVING_AT(member) OPTION_AT(struct solving, member)
#define SOLVING_WORDS(...) .words = OPTION_WORDS(__VA_ARGS__)

#define SOLVING_FROM(also)                                                                        \
    {.name = "from", .value = "FORMAT", SOLVING_WORDS("pex", "csv", "otf2", "pcap", "pcapng",     \
     "otlp", "jaeger", "zipkin", "chrome"),                                                       \
     .values = OPTION_VALUES(CSY_FORMAT_PEX, CSY_FORMAT_CSV, CSY_FORMAT_OTF2, CSY_FORMAT_PCAP,    \
                             CSY_FORMAT_PCAPNG, CSY_FORMAT_OTLP, CSY_FORMAT_JAEGER,               \
                             CSY_FORMAT_ZIPKIN, CSY_FORMAT_JSON),                                 \
     SOLVING_AT(input.format),                                                                    \
     .rules = (also),                                                                             \
     .help = "format of TRACE (default: by content)",                                             \
     .hint = "format of the trace"}
#define SOLVING_COLUMNS(also)                                                                     \
    {.name = "columns", .rules = (also), .value = "WHICH", SOLVING_AT(input.columns),             \
     .help = "columns of a CSV, as thread=NAME,time=NAME",                                        \
     .hint = "roles of the columns of a CSV", .value_hint = "thread=NAME,time=NAME"}
#define SOLVING_TIME_UNIT(also)                                                                   \
    {.name = "time-unit", .rules = (also), .value = "UNIT", SOLVING_WORDS("ticks", "s", "ms",     \
     "us", "ns"), .least = CSY_TIME_TICKS, SOLVING_AT(input.time_unit),                           \
     .help = "unit of times of a CSV: s, ms, us, ns, or ticks",                                   \
     .hint = "unit of the times of a CSV"}
#define SOLVING_COUNTER_BITS(also)                                                                \
    {.name = "counter-bits", .rules = (also), .value = "N", SOLVING_AT(input.counter_bits),       \
     .least = 4, .most = 62, .take = take_number,                                                 \
     .help = "times of a CSV are counters of N bits that wrap",                                   \
     .hint = "bits of the counters of a CSV", .value_hint = "from 4 to 62"}
#define SOLVING_CLOCK_PER(also)                                                                   \
    {.name = "clock-per", .value = "WHAT", SOLVING_WORDS("process", "node", "location"),          \
     .least = CSY_CLOCK_PER_PROCESS, SOLVING_AT(input.clock_per), .rules = (also),                \
     .help = "OTF2: one clock per process, node, or location",                                    \
     .hint = "unit that has a clock in an OTF2 archive"}
#define SOLVING_SPANS(also)                                                                       \
    {.name = "spans", .value = "HOW", SOLVING_WORDS("sound", "nested"), SOLVING_AT(input.spans),  \
     .rules = (also),                                                                             \
     .help = "order of spans: sound (default) or nested",                                         \
     .hint = "order of spans"}
#define SOLVING_JOIN(also)                                                                        \
    {.name = "join", .rules = (also), SOLVING_AT(input.join),                                     \
     .help = "read all CSV files as one trace in partial order",                                  \
     .hint = "read all CSV files as one trace"}
#define SOLVING_REFERENCE(also)                                                                   \
    {.name = "reference", .value = "NAME", .suggested = OPTION_WORDS("ppe"),                      \
     SOLVING_AT(choices.reference), .rules = (also),                                              \
     .help = "the clock, or a thread on it, that has offset 0",                                   \
     .hint = "clock tau, or a thread on it", .value_hint = "thread"}
#define SOLVING_RELAX(also)                                                                       \
    {.name = "relax", .value = "HOW", SOLVING_WORDS("exact", "paper", "none"),                    \
     SOLVING_AT(choices.relax), .rules = (also), .excludes = "delta",                             \
     .help = "how to find delta: exact (default), paper, none",                                   \
     .hint = "handling of contradictions"}
#define SOLVING_DELTA(also)                                                                       \
    {.name = "delta", .value = "D", SOLVING_AT(choices.delta), .take = take_delta,                \
     .suggested = OPTION_WORDS("least"), .rules = (also),                                         \
     .help = "timestamps are off by at most D: 1.5us, or least",                                  \
     .hint = "maximum timestamp error", .value_hint = "ticks, a time such as 1.5us, or least"}
#define SOLVING_LATENCY(also)                                                                     \
    {.name = "latency", .value = "TIME", SOLVING_AT(choices.latency_ticks), .most = INT64_MAX,    \
     .take = take_whole_ticks, .rules = (also),                                                   \
     .help = "messages take at least TIME, such as 1us",                                          \
     .hint = "minimum message latency", .value_hint = "ticks, or a time such as 1us"}
#define SOLVING_MAX_LATENCY(also)                                                                 \
    {.name = "max-latency", .value = "TIME", SOLVING_AT(choices.latency_max_ticks),               \
     .most = INT64_MAX, .take = take_whole_ticks, .rules = (also),                                \
     .help = "messages take at most TIME, such as 5ms",                                           \
     .hint = "maximum message latency", .value_hint = "ticks, or a time such as 5ms"}
#define SOLVING_OFFSETS(also)                                                                     \
    {.name = "offsets", .value = "FILE", SOLVING_AT(input.offsets), .files = "", .rules = (also), \
     .help = "a CSV of measured offsets between clocks",                                          \
     .hint = "measured offsets between clocks"}
#define SOLVING_DROP(also)                                                                        \
    {.name = "drop", .value = "K", SOLVING_AT(choices.drop), .least = 1, .most = CSY_DROP_MAX,    \
     .take = take_number, .rules = (also),                                                        \
     .help = "leave out up to K records that contradict most",                                    \
     .hint = "leave out contradicting records", .value_hint = "how many"}
#define SOLVING_STEPS(also)                                                                       \
    {.name = "steps", .value = "N", SOLVING_AT(choices.steps), .most = CSY_STEPS_MAX,             \
     .take = take_number, .rules = (also),                                                        \
     .help = "allow each clock to have been set up to N times",                                   \
     .hint = "cut clocks that were set", .value_hint = "maximum number"}
#define SOLVING_UNWRAP(also)                                                                      \
    {.name = "unwrap", .value = "HOW", SOLVING_WORDS("assume", "strict"),                         \
     SOLVING_AT(choices.unwrap), .rules = (also),                                                 \
     .help = "gaps of 32-bit clocks: assume (default) or strict",                                 \
     .hint = "handling of ambiguous gaps"}
#define SOLVING_MAX_IMPRECISION(also)                                                             \
    {.name = "max-imprecision", .value = "TIME", SOLVING_AT(choices.max_imprecision_ticks),       \
     .most = 1 << 30, .take = take_whole_ticks, .rules = (also),                                  \
     .help = "maximum error of unwrapped timestamps (10ms)",                                      \
     .hint = "maximum error of unwrapped timestamps",                                             \
     .value_hint = "ticks, or a time such as 10ms"}
#define SOLVING_ENGINE(also)                                                                      \
    {.name = "engine", .value = "ENGINE", SOLVING_WORDS("auto", "sweep", "dense"),                \
     SOLVING_AT(choices.engine), .rules = (also),                                                 \
     .help = "how to find bounds: auto (default), sweep, dense",                                  \
     .hint = "engine for the bounds"}
#define SOLVING_THREADS(also)                                                                     \
    {.name = "threads", .value = "N", SOLVING_AT(workers), .least = 1,                            \
     .most = SOLVING_WORKERS_MAX, .take = take_number, .rules = (also),                           \
     .help = "use N threads (default: one for each core)",                                        \
     .hint = "number of threads", .value_hint = "number"}
#define SOLVING_MAX_MEMORY(also)                                                                  \
    {.name = "max-memory", .rules = (also), .value = "BYTES", SOLVING_AT(max_memory),             \
     .take = take_bytes,                                                                          \
     .help = "use at most BYTES of memory, such as 512M",                                         \
     .hint = "maximum memory, such as 512M"}
#define SOLVING_SALVAGE(also)                                                                     \
    {.name = "salvage", SOLVING_AT(salvage), .rules = (also),                                     \
     .help = "read a truncated trace up to its end"}
#define SOLVING_NO_SANDBOX(also)                                                                  \
    {.name = "no-sandbox", .rules = (also), SOLVING_AT(no_sandbox),                               \
     .help = "do not restrict access to files",                                                   \
     .hint = "keep the right to open any file"}
#define SOLVING_QUIET(also)                                                                       \
    {.name = "quiet", .rules = (also), .letter = 'q', SOLVING_AT(quiet),                          \
     .help = "print no warnings and no progress"}
#define SOLVING_VERBOSE(also)                                                                     \
    {.name = "verbose", .rules = (also), .letter = 'v', SOLVING_AT(verbose),                      \
     .help = "print each step of the work"}
#define SOLVING_PROGRESS(also)                                                                    \
    {.name = "progress", .rules = (also), .value = "WHEN", SOLVING_WORDS("auto", "always",        \
     "never"), SOLVING_AT(progress),                                                              \
     .help = "show progress: auto (default), always or never",                                    \
     .hint = "show progress"}
#define SOLVING_STRICT(also)                                                                      \
    {.name = "strict", .rules = (also), SOLVING_AT(strict),                                       \
     .help = "exit 3 after any warning about the bounds",                                         \
     .hint = "exit 3 after a warning about the bounds"}
#define SOLVING_FAIL_ABOVE(also)                                                                  \
    {.name = "fail-above", .value = "TIME", SOLVING_AT(choices.fail_above),                       \
     .take = take_fail_above, .rules = (also),                                                    \
     .help = "exit 3 if the max error exceeds TIME (10us)",                                       \
     .hint = "exit 3 if the max error exceeds TIME",                                              \
     .value_hint = "ticks, or a time such as 10us"}
#define SOLVING_HELP                                                                              \
    {.name = "help", .letter = 'h', .action = COMMAND_HELP,                                       \
     .help = "show common options and exit",                                                      \
     .hint = "show common options and exit"}
#define SOLVING_HELP_ALL                                                                          \
    {.name = "help-all", .action = COMMAND_HELP_ALL,                                              \
     .help = "show all options and exit"}
#define SOLVING_VERSION                                                                           \
    {.name = "version", .letter = 'V', .action = COMMAND_VERSION,                                 \
     .help = "show the version and exit"}
/* clang-format on */

#endif

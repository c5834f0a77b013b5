/* The verbs of cellstat(1). Each verb is a row of a table. */
#ifndef STAT_VERBS_H
#define STAT_VERBS_H

#include <cellsync/analysis.h>

struct progress_line;
struct stat_options;

/* A trace and its solution. */
struct solved {
    struct stat_options *options;
    struct progress_line *progress;
    csy_trace *trace;
    csy_sync *sync;
};

/* A function that makes the tables of a verb. The caller frees *out. */
typedef csy_status make_analysis(const struct solved *solved, const csy_meaning *meaning,
                                 csy_analysis **out, csy_error *error);

struct verb {
    const char *name;
    const char *operands; /* operands after TRACE, for --help */
    size_t noperands;
    const char *help;
    make_analysis *make; /* NULL for the verb `order`, which also prints sentences */
    unsigned takes;      /* accepted options, as bits of enum stat_rule */
};

/* The options that only some verbs accept. */
enum stat_rule {
    TAKES_EXPLAIN = 1,
    TAKES_MEANING = 2,
    TAKES_FILE = 4,
    TAKES_UNITS = 8,
    TAKES_RANGES = 16,
    TAKES_ROWS = 32,
    TAKES_PER = 64,
    TAKES_CONCURRENCY = 128,
    TAKES_STATES = 256,
    TAKES_ACTORS = 512,
    TAKES_COMM = 2048,
    TAKES_PLACES = 4096,
    TAKES_GRAPH = 8192,
    TAKES_BINS = 1024,
    TAKES_SAMPLE = 16384,
    TAKES_FOLLOW = 32768,
    TAKES_WINDOW = 65536,
    TAKES_SECTIONS = 131072,
    TAKES_EACH = 262144
};

enum { STAT_VERBS_MAX = 32 };
extern const struct verb stat_verbs[];
extern const size_t stat_nverbs;

make_analysis make_states, make_concurrency, make_profile, make_timeline, make_summary, make_comm,
    make_latency, make_sync, make_calls;

csy_status verb_tables(const struct solved *solved, csy_error *error);
csy_status verb_order(const struct solved *solved, csy_error *error);

/* Set a usage error, and return the status of this error. */
csy_status fail_usage(csy_error *error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif

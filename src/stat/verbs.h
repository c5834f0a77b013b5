/* What cellstat(1) can be asked: a row each. */
#ifndef STAT_VERBS_H
#define STAT_VERBS_H

#include <cellsync/cellsync.h>

struct progress_line;
struct stat_options;

/* A trace that has been solved. */
struct solved {
    const struct stat_options *options;
    struct progress_line *progress;
    csy_trace *trace;
    csy_sync *sync;
};

typedef csy_status verb_run(const struct solved *solved, csy_error *error);

struct verb {
    const char *name;
    const char *operands; /* after TRACE, as --help shows them */
    size_t noperands;
    const char *help;
    verb_run *run;
    bool explains; /* takes --explain */
};

enum { STAT_VERBS_MAX = 32 };
extern const struct verb stat_verbs[];
extern const size_t stat_nverbs;

verb_run verb_order;

#endif

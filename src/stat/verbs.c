/* The verbs of cellstat(1). */
#include "stat/verbs.h"

const struct verb stat_verbs[] = {
    {"concurrency", "", 0, "how long how many units were active at once", verb_concurrency,
     TAKES_MEANING | TAKES_FILE | TAKES_UNITS | TAKES_RANGES},
    {"profile", "", 0, "what calls of routines come to", verb_profile,
     TAKES_MEANING | TAKES_FILE | TAKES_RANGES | TAKES_ROWS | TAKES_CALLS},
    {"states", "", 0, "how long actors and units were in which state", verb_states,
     TAKES_MEANING | TAKES_FILE | TAKES_RANGES},
    {"order", " A B", 2, "which of two moments came first, and by how much", verb_order,
     TAKES_EXPLAIN},
};
const size_t stat_nverbs = sizeof stat_verbs / sizeof *stat_verbs;

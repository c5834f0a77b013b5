/* The verbs of cellstat(1). */
#include "stat/verbs.h"

const struct verb stat_verbs[] = {
    {"order", " A B", 2, "which of two moments came first, and by how much", verb_order, true},
};
const size_t stat_nverbs = sizeof stat_verbs / sizeof *stat_verbs;

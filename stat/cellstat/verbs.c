/* The verbs of cellstat(1). */
#include "cellstat/verbs.h"

const struct verb stat_verbs[] = {
    {"summary", "", 0, "a screen of all of it; what is done if no VERB is named", verb_summary,
     TAKES_MEANING | TAKES_FILE | TAKES_UNITS | TAKES_RANGES | TAKES_BINS | TAKES_PLACES |
         TAKES_ACTORS | TAKES_WINDOW | TAKES_SECTIONS},
    {"calls", "", 0, "which routines call which", verb_calls,
     TAKES_MEANING | TAKES_FILE | TAKES_RANGES | TAKES_ROWS | TAKES_ACTORS | TAKES_GRAPH |
         TAKES_WINDOW | TAKES_SECTIONS},
    {"concurrency", "", 0, "how long how many units were active at once", verb_concurrency,
     TAKES_MEANING | TAKES_FILE | TAKES_UNITS | TAKES_RANGES | TAKES_CONCURRENCY | TAKES_ACTORS |
         TAKES_WINDOW | TAKES_SECTIONS | TAKES_BINS | TAKES_SAMPLE | TAKES_PER | TAKES_PLACES},
    {"comm", "", 0, "who sends whom how much", verb_comm,
     TAKES_MEANING | TAKES_FILE | TAKES_COMM | TAKES_RANGES | TAKES_ROWS | TAKES_PLACES |
         TAKES_ACTORS | TAKES_WINDOW | TAKES_SECTIONS},
    {"latency", "", 0, "how long messages take, by place and size", verb_latency,
     TAKES_MEANING | TAKES_FILE | TAKES_RANGES | TAKES_ROWS | TAKES_PLACES | TAKES_ACTORS |
         TAKES_WINDOW | TAKES_SECTIONS},
    {"profile", "", 0, "what calls of routines come to", verb_profile,
     TAKES_MEANING | TAKES_FILE | TAKES_RANGES | TAKES_ROWS | TAKES_SAMPLE | TAKES_PER |
         TAKES_ACTORS | TAKES_FOLLOW | TAKES_PLACES | TAKES_WINDOW | TAKES_SECTIONS},
    {"states", "", 0, "how long actors and units were in which state", verb_states,
     TAKES_MEANING | TAKES_FILE | TAKES_RANGES | TAKES_ROWS | TAKES_UNITS | TAKES_STATES |
         TAKES_ACTORS | TAKES_WINDOW | TAKES_SECTIONS},
    {"sync", "", 0, "what actors wait for: waits, locks, barriers", verb_sync,
     TAKES_MEANING | TAKES_FILE | TAKES_RANGES | TAKES_ROWS | TAKES_ACTORS | TAKES_WINDOW |
         TAKES_SECTIONS},
    {"timeline", "", 0, "what actors did as time went by, and concurrency", verb_timeline,
     TAKES_MEANING | TAKES_FILE | TAKES_UNITS | TAKES_RANGES | TAKES_BINS | TAKES_PLACES |
         TAKES_ACTORS | TAKES_WINDOW | TAKES_SECTIONS},
    {"order", " A B", 2, "which of two moments came first, and by how much", verb_order,
     TAKES_EXPLAIN | TAKES_FILE},
};
const size_t stat_nverbs = sizeof stat_verbs / sizeof *stat_verbs;

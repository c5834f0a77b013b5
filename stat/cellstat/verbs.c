/* The verbs of cellstat(1). */
#include "cellstat/verbs.h"

#include <stdarg.h>
#include <stdio.h>

const struct verb stat_verbs[] = {
    {"summary", "", 0, "an overview (the default)", make_summary,
     TAKES_MEANING | TAKES_FILE | TAKES_UNITS | TAKES_RANGES | TAKES_BINS | TAKES_PLACES |
         TAKES_ACTORS | TAKES_WINDOW | TAKES_SECTIONS},
    {"calls", "", 0, "which routines call which", make_calls,
     TAKES_MEANING | TAKES_FILE | TAKES_RANGES | TAKES_ROWS | TAKES_ACTORS | TAKES_GRAPH |
         TAKES_WINDOW | TAKES_SECTIONS},
    {"concurrency", "", 0, "number of units active at once, and for how long", make_concurrency,
     TAKES_MEANING | TAKES_FILE | TAKES_UNITS | TAKES_RANGES | TAKES_CONCURRENCY | TAKES_ACTORS |
         TAKES_WINDOW | TAKES_SECTIONS | TAKES_BINS | TAKES_SAMPLE | TAKES_PER | TAKES_PLACES},
    {"comm", "", 0, "amount of data between senders and receivers", make_comm,
     TAKES_MEANING | TAKES_FILE | TAKES_COMM | TAKES_RANGES | TAKES_ROWS | TAKES_PLACES |
         TAKES_ACTORS | TAKES_WINDOW | TAKES_SECTIONS},
    {"latency", "", 0, "latency of messages, by place and size", make_latency,
     TAKES_MEANING | TAKES_FILE | TAKES_RANGES | TAKES_ROWS | TAKES_PLACES | TAKES_ACTORS |
         TAKES_EACH | TAKES_WINDOW | TAKES_SECTIONS},
    {"profile", "", 0, "time in each routine", make_profile,
     TAKES_MEANING | TAKES_FILE | TAKES_RANGES | TAKES_ROWS | TAKES_SAMPLE | TAKES_PER |
         TAKES_ACTORS | TAKES_FOLLOW | TAKES_PLACES | TAKES_WINDOW | TAKES_SECTIONS},
    {"states", "", 0, "time of actors and units in each state", make_states,
     TAKES_MEANING | TAKES_FILE | TAKES_RANGES | TAKES_ROWS | TAKES_UNITS | TAKES_STATES |
         TAKES_ACTORS | TAKES_WINDOW | TAKES_SECTIONS},
    {"sync", "", 0, "waiting times at waits, locks, and barriers", make_sync,
     TAKES_MEANING | TAKES_FILE | TAKES_RANGES | TAKES_ROWS | TAKES_ACTORS | TAKES_WINDOW |
         TAKES_SECTIONS},
    {"timeline", "", 0, "activity of actors over time", make_timeline,
     TAKES_MEANING | TAKES_FILE | TAKES_UNITS | TAKES_RANGES | TAKES_BINS | TAKES_PLACES |
         TAKES_ACTORS | TAKES_WINDOW | TAKES_SECTIONS},
    {"order", " A B", 2, "which of two moments came first, and by how much", NULL,
     TAKES_EXPLAIN | TAKES_FILE},
};
const size_t stat_nverbs = sizeof stat_verbs / sizeof *stat_verbs;

csy_status fail_usage(csy_error *error, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    *error = (csy_error){.status = CSY_USAGE};
    (void)vsnprintf(error->text, sizeof error->text, format, args);
    va_end(args);
    return CSY_USAGE;
}

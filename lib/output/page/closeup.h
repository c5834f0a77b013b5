/* A close-up of a few messages that are near each other in time, drawn by raw timestamps and in
 * global time.
 *
 * The focus is the message that raw timestamps put furthest backward. If there is none, or if raw
 * timestamps of different clocks are not comparable, it is the message with the shortest latency.
 * The nearest messages in global time are added if they share a clock with an added one and there
 * is room for the other clock. Messages that are too far away are left out, because the drawing
 * would not show the direction of the others. */
#ifndef OUTPUT_PAGE_CLOSEUP_H
#define OUTPUT_PAGE_CLOSEUP_H

#include "sync/partial/arrows.h"

enum { CLOSEUP_CLOCKS = 6, CLOSEUP_MESSAGES = 14 };

struct closeup {
    struct arrow messages[CLOSEUP_MESSAGES]; /* sorted by begin */
    size_t n;                                /* 0: no messages between clocks */
    uint32_t clocks[CLOSEUP_CLOCKS];         /* ascending */
    size_t nclocks;
    bool backward; /* by raw timestamps, the focus goes backward */
};

/* Ticks from the send to the receive, in raw timestamps. */
static inline int128 closeup_raw(const struct arrow *arrow)
{
    return (int128)arrow->received_ticks - arrow->sent_ticks;
}

/* Choose the messages. raw: raw timestamps of different clocks are comparable. Visits the messages
 * twice, in constant memory. */
csy_status closeup_find(const struct arrows_source *source, bool raw, struct closeup *out,
                        csy_error *error);

#endif

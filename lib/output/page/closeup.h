/* A close-up of messages: a few that are close to each other in time, drawn by raw timestamps and
 * in global time.
 *
 * The focus is the message that raw timestamps put furthest backward, or, if there is none or if
 * raw timestamps of different clocks are not comparable, the message with the shortest latency. The
 * messages nearest to the focus in global time are added, as long as each shares a clock with those
 * already there and there is room for its other clock. Messages much further away than the drawn
 * ones are long are left out, because the drawing would not show their direction. */
#ifndef OUTPUT_PAGE_CLOSEUP_H
#define OUTPUT_PAGE_CLOSEUP_H

#include "sync/partial/arrows.h"

enum { CLOSEUP_CLOCKS = 6, CLOSEUP_MESSAGES = 14 };

struct closeup {
    struct arrow messages[CLOSEUP_MESSAGES]; /* in the order of their begins */
    size_t n;                                /* 0: there are no messages between clocks */
    uint32_t clocks[CLOSEUP_CLOCKS];         /* ascending */
    size_t nclocks;
    bool backward; /* raw timestamps put the focus backward */
};

/* Ticks from the send to the receive, by raw timestamps. */
static inline int128 closeup_raw(const struct arrow *arrow)
{
    return (int128)arrow->received_ticks - arrow->sent_ticks;
}

/* raw: raw timestamps of different clocks are comparable. Visits the messages twice, in constant
 * memory. */
csy_status closeup_find(const struct arrows_source *source, bool raw, struct closeup *out,
                        csy_error *error);

#endif

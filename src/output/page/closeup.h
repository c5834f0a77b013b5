/*
 * A close-up of messages: a few that are near one another in time, for a drawing of when they were
 * sent and received by raw timestamps, and when in global time.
 *
 * Its focus is the message that raw timestamps put furthest backward.  If there is none, or raw
 * timestamps of different clocks cannot be compared, it is the message that took least time.
 * Messages nearest to the focus in global time are added, as long as each has a clock that is there
 * already and the other one is there or finds room.  Messages much further away than the drawn ones
 * are long are left out: a drawing would show only when they were, not which way they went.
 */
#ifndef OUTPUT_PAGE_CLOSEUP_H
#define OUTPUT_PAGE_CLOSEUP_H

#include "sync/partial/arrows.h"

enum { CLOSEUP_CLOCKS = 6, CLOSEUP_MESSAGES = 14 };

struct closeup {
    struct arrow messages[CLOSEUP_MESSAGES]; /* in the order of their begins */
    size_t n;                                /* 0: there are no messages between clocks */
    uint32_t clocks[CLOSEUP_CLOCKS];         /* ascending */
    size_t nclocks;
    bool backward; /* the focus is one that raw timestamps put backward */
};

/* Ticks from the send to the receive, by raw timestamps. */
static inline int128 closeup_raw(const struct arrow *arrow)
{
    return (int128)arrow->received_ticks - arrow->sent_ticks;
}

/* raw: raw timestamps can be compared.  Goes over the messages twice, in memory of a constant
 * size. */
csy_status closeup_find(const struct arrows_source *source, bool raw, struct closeup *out,
                        csy_error *error);

#endif

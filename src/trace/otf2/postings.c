/* Receives of a location, in the order in which they were posted. */
#include "trace/otf2/postings.h"

#include "base/array.h"

#include <stdlib.h>
#include <string.h>

enum { ROW_LEAST = 16 };

void postings_fini(struct postings *p)
{
    requests_fini(&p->open);
    free(p->row);
    free(p->recent);
    *p = (struct postings){0};
}

static struct posting *at(const struct postings *p, uint64_t number)
{
    return &p->row[number & (p->nrow - 1)];
}

/* Room at the end of the row. */
static struct posting *append(struct postings *p, int64_t ticks)
{
    if (p->end - p->first == p->nrow &&
        (p->nrow == POSTINGS_MOST || !RING_GROW(p->row, p->nrow, ROW_LEAST, p->first, p->end)))
        return NULL;
    struct posting *posting = at(p, p->end++);
    posting->posted_ticks = ticks;
    posting->state = POSTING_OPEN;
    return posting;
}

void postings_cancel(struct postings *p, uint64_t request)
{
    int64_t number;
    if (requests_take(&p->open, request, &number))
        at(p, (uint64_t)number)->state = POSTING_AWAY;
}

bool postings_post(struct postings *p, uint64_t request, int64_t ticks)
{
    uint64_t number = p->end;
    postings_cancel(p, request);
    return append(p, ticks) && requests_put(&p->open, request, (int64_t)number);
}

static bool note_done(struct postings *p, uint64_t number, const struct stream_item *item)
{
    struct posting *posting = at(p, number);
    posting->item = *item;
    posting->item.other_ticks = posting->posted_ticks;
    posting->state = POSTING_DONE;
    if (p->recent_first + p->nrecent == p->recent_capacity && p->recent_first > 0) {
        memmove(p->recent, p->recent + p->recent_first, p->nrecent * sizeof *p->recent);
        p->recent_first = 0;
    }
    if (!ARRAY_RESERVE(p->recent, p->recent_capacity, p->recent_first + p->nrecent + 1))
        return false;
    p->recent[p->recent_first + p->nrecent++] = number;
    p->recent_ticks = item->time_ticks;
    return true;
}

bool postings_complete(struct postings *p, uint64_t request, const struct stream_item *item)
{
    int64_t number;
    return requests_take(&p->open, request, &number) && note_done(p, (uint64_t)number, item);
}

bool postings_receive(struct postings *p, const struct stream_item *item)
{
    uint64_t number = p->end;
    return append(p, item->time_ticks) && note_done(p, number, item);
}

/* Forget which were done a window ago, or more. */
static void expire(struct postings *p, int64_t now_ticks, int64_t window_ticks)
{
    while (p->nrecent > 0 &&
           now_ticks - at(p, p->recent[p->recent_first])->item.time_ticks >= window_ticks) {
        p->recent_first++;
        p->nrecent--;
    }
    if (p->nrecent == 0)
        p->recent_first = 0;
}

bool postings_mark(struct postings *p, int64_t now_ticks, int64_t window_ticks)
{
    expire(p, now_ticks, window_ticks);
    for (size_t i = 0; i < p->nrecent; i++)
        at(p, p->recent[p->recent_first + i])->item.close = true;
    return p->nrecent > 0;
}

void postings_follow(struct postings *p, int64_t now_ticks)
{
    if (p->nrecent == 0 || now_ticks > p->recent_ticks)
        return;
    for (size_t i = p->nrecent; i-- > 0;) {
        struct posting *posting = at(p, p->recent[p->recent_first + i]);
        if (posting->item.time_ticks < now_ticks)
            return;
        posting->item.followers++;
    }
}

const struct stream_item *postings_least(const struct postings *p)
{
    const struct stream_item *least = NULL;
    for (uint64_t i = p->first; i < p->end; i++)
        if (at(p, i)->state == POSTING_DONE &&
            (!least || at(p, i)->item.position < least->position))
            least = &at(p, i)->item;
    return least;
}

const struct stream_item *postings_next(struct postings *p, int64_t now_ticks, int64_t window_ticks,
                                        bool ended)
{
    while (p->first < p->end && (at(p, p->first)->state == POSTING_AWAY ||
                                 (ended && at(p, p->first)->state == POSTING_OPEN)))
        p->first++;
    if (p->first == p->end)
        return NULL;
    const struct posting *posting = at(p, p->first);
    if (posting->state == POSTING_OPEN ||
        (!ended && now_ticks - posting->item.time_ticks < window_ticks))
        return NULL;
    expire(p, now_ticks, ended ? 0 : window_ticks);
    p->first++;
    return &posting->item;
}

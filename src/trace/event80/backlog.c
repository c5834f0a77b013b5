/* Records of a log in the order in which they end. */
#include "trace/event80/backlog.h"

#include "base/array.h"

#include <stdlib.h>

enum { WAITING_MAX = 1 << 16 };

static bool is_before(const struct log_record *a, const struct log_record *b)
{
    return a->time_ticks != b->time_ticks ? a->time_ticks < b->time_ticks : a->place < b->place;
}

void backlog_clear(struct backlog *backlog)
{
    backlog->count = 0;
    backlog->latest_begin_ticks = 0;
}

void backlog_fini(struct backlog *backlog)
{
    free(backlog->items);
    *backlog = (struct backlog){0};
}

bool backlog_put(struct backlog *backlog, const struct log_record *record)
{
    if (!ARRAY_RESERVE(backlog->items, backlog->capacity, backlog->count + 1))
        return false;
    size_t at = backlog->count++;
    for (; at > 0 && is_before(record, &backlog->items[(at - 1) / 2]); at = (at - 1) / 2)
        backlog->items[at] = backlog->items[(at - 1) / 2];
    backlog->items[at] = *record;
    if (record->begin_ticks > backlog->latest_begin_ticks)
        backlog->latest_begin_ticks = record->begin_ticks;
    return true;
}

bool backlog_take(struct backlog *backlog, bool all, struct log_record *out)
{
    struct log_record *items = backlog->items;
    if (backlog->count == 0 ||
        (!all && items->time_ticks > backlog->latest_begin_ticks && backlog->count < WAITING_MAX))
        return false;
    *out = items[0];
    const struct log_record last = items[--backlog->count];
    size_t at = 0;
    for (size_t child = 1; child < backlog->count; child = 2 * at + 1) {
        if (child + 1 < backlog->count && is_before(&items[child + 1], &items[child]))
            child++;
        if (!is_before(&items[child], &last))
            break;
        items[at] = items[child];
        at = child;
    }
    items[at] = last;
    return true;
}

/* See backlog.h. */
#include "trace/event80/backlog.h"

#include "base/array.h"
#include "base/heap.h"

#include <stdlib.h>

enum { WAITING_MAX = 1 << 16 };

static bool is_before(const void *left, const void *right)
{
    const struct log_record *a = left, *b = right;
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
    heap_put(backlog->items, &backlog->count, sizeof *record, record, is_before);
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
    heap_take(items, &backlog->count, sizeof *items, out, is_before);
    return true;
}

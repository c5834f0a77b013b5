/* Compares left-out records with the global times of their neighbours. */
#include "sync/absent.h"

#include "base/error.h"

#include <stdlib.h>

csy_status absent_init(struct absent *absent, size_t room, csy_error *error)
{
    *absent = (struct absent){.room = room, .greatest_ticks = INT64_MIN};
    absent->items = room ? calloc(room, sizeof *absent->items) : NULL;
    return room && !absent->items ? error_memory(error) : CSY_OK;
}

void absent_fini(struct absent *absent)
{
    free(absent->items);
    *absent = (struct absent){0};
}

void absent_other(struct absent *absent, int64_t global_ticks)
{
    struct absentee *last = absent->count ? &absent->items[absent->count - 1] : NULL;
    if (last && global_ticks < last->least_ticks)
        last->least_ticks = global_ticks;
    if (global_ticks > absent->greatest_ticks)
        absent->greatest_ticks = global_ticks;
}

void absent_add(struct absent *absent, int64_t global_ticks)
{
    if (absent->count < absent->room)
        absent->items[absent->count++] = (struct absentee){
            .global_ticks = global_ticks,
            .greatest_ticks = absent->greatest_ticks,
            .least_ticks = INT64_MAX,
        };
}

void absent_finish(struct absent *absent)
{
    int64_t least = INT64_MAX;
    for (size_t i = absent->count; i-- > 0;) {
        struct absentee *item = &absent->items[i];
        int128 global = item->global_ticks, greatest = item->greatest_ticks;
        least = item->least_ticks < least ? item->least_ticks : least;
        int128 early = global < greatest ? greatest - global : global > least ? least - global : 0;
        item->early_ticks = early < -INT64_MAX ? -INT64_MAX : nearest_int64(early);
    }
}

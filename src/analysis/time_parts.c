/* Blocks: windows, bins and sections. */
#include "analysis/time_parts.h"

#include "base/array.h"
#include "base/error.h"
#include "base/time_window.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { BATCH = 1024 };

void time_parts_fini(struct time_parts *blocks)
{
    free(blocks->items);
    *blocks = (struct time_parts){0};
}

static csy_status add(struct time_parts *blocks, const struct block *block, csy_error *error)
{
    if (blocks->count == CSY_BLOCKS_MAX)
        return error_set(error, CSY_USAGE, "there are more than %d sections", CSY_BLOCKS_MAX);
    if (!ARRAY_RESERVE(blocks->items, blocks->capacity, blocks->count + 1))
        return error_memory(error);
    blocks->items[blocks->count++] = *block;
    return CSY_OK;
}

/* ---- Windows and bins */

/* Whether a clock has records before that time and after it, where that matters (moves.h). */
static bool is_live(const struct instants *in, size_t clock, int128 local)
{
    const struct threads *threads = solution_lives(in->sync);
    return in->partial || !threads ||
           (threads->items[clock].first_ticks <= local &&
            local <= threads->items[clock].last_ticks);
}

/* So many ticks after the first record, by the clock of the reference. */
static csy_status end_after(const struct instants *in, int128 ticks, struct block_end *out,
                            csy_error *error)
{
    size_t tau = in->sync->reference;
    int128 global = in->first.global_ticks + ticks;
    int128 local = global - in->sync->views[tau].offset_ticks;
    if (!fits_int64(global) || !fits_int64(local))
        return error_set(error, CSY_USAGE, "%s: a time of the window leaves 64 bits",
                         in->sync->trace->name);
    *out = (struct block_end){{(int64_t)local, (int64_t)global, (uint32_t)tau},
                              CSY_NO_RECORD,
                              !is_live(in, tau, local),
                              false};
    return CSY_OK;
}

static csy_status end_at_record(const struct instants *in, uint64_t record, struct block_end *out,
                                csy_error *error)
{
    csy_events *events;
    csy_decoded event;
    size_t got = 0;
    if (record >= in->records)
        return error_set(error, CSY_USAGE,
                         "%s: the window ends at record %" PRIu64 ", of %" PRIu64
                         ", numbered from 0",
                         in->sync->trace->name, record, in->records);
    csy_status status = csy_events_open(in->sync, &events, error);
    if (status)
        return status;
    status = csy_events_seek(events, record, error);
    if (!status)
        status = csy_events_read(events, &event, 1, &got, error);
    if (!status && got == 1)
        *out = (struct block_end){{event.local_ticks, event.global_ticks, event.thread},
                                  in->partial ? CSY_NO_RECORD : record,
                                  false,
                                  false};
    csy_events_free(events);
    return status;
}

static csy_status find_end(const struct instants *in, const struct window_end *asked, bool last,
                           struct block_end *out, csy_error *error)
{
    int128 begin = in->first.global_ticks, span = in->last.global_ticks - begin;
    int128 value = asked->negative ? -(int128)asked->value.num : asked->value.num;
    int128 hz = in->sync->trace->timebase_hz;
    uint64_t record = in->partial ? CSY_NO_RECORD : last ? in->records - 1 : 0;
    switch (asked->kind) {
    case END_OPEN:
        *out = (struct block_end){last ? in->last : in->first, record, false, in->partial};
        return CSY_OK;
    case END_TICKS:
        return end_after(in, value - begin, out, error);
    case END_TIME:
        value = floor_div(value * hz, (int128)asked->per_second * asked->value.den);
        return end_after(in, value, out, error);
    case END_PERCENT:
        return end_after(in, floor_div(value * span, (int128)100 * asked->value.den), out, error);
    case END_RECORD:
        return end_at_record(in, (uint64_t)asked->value.num, out, error);
    }
    return CSY_OK;
}

static csy_status find_window(struct time_parts *blocks, const struct instants *in,
                              const csy_concurrency *asked, csy_error *error)
{
    struct block whole = {.first = {.record = 0}};
    struct window_end from_end, until_end;
    csy_status status =
        window_read(asked->window ? asked->window : "..", &from_end, &until_end, error);
    if (!status)
        status = find_end(in, &from_end, false, &whole.first, error);
    if (!status)
        status = find_end(in, &until_end, true, &whole.last, error);
    if (status)
        return status;
    int64_t begin = whole.first.at.global_ticks, end = whole.last.at.global_ticks;
    if (end < begin)
        return error_set(error, CSY_USAGE,
                         "%s: the window ends before it begins: at %" PRId64 " and %" PRId64
                         " in global time",
                         in->sync->trace->name, end, begin);
    if (end < in->first.global_ticks || begin > in->last.global_ticks)
        return error_set(error, CSY_USAGE,
                         "%s: the window has nothing of the trace, whose records are from %" PRId64
                         " to %" PRId64 " in global time",
                         in->sync->trace->name, in->first.global_ticks, in->last.global_ticks);
    size_t n = asked->bins ? asked->bins : 1;
    struct block_end from = whole.first;
    for (size_t i = 0; !status && i < n; i++) {
        struct block block = {from, whole.last};
        int128 at = ((int128)end - begin) * (int128)(i + 1) / (int128)n + begin;
        if (i + 1 < n)
            status = end_after(in, at - in->first.global_ticks, &block.last, error);
        if (!status)
            status = add(blocks, &block, error);
        from = block.last;
    }
    return status;
}

/* ---- Sections */

/* Where an actor's section has begun. */
struct begun {
    bool any, is_mark;
    size_t depth;
    struct block_end at, first, last; /* the latter: of its records, by the clock of the last */
};

struct sections {
    const char *name;
    size_t name_size;
    struct texts actors;
    struct begun *items; /* by actor */
    size_t capacity;
};

enum part { PART_NONE, PART_WHOLE, PART_BEGIN, PART_END };

/* What an event of that name is to a section. */
static enum part part_of(const struct sections *s, const csy_decoded *event)
{
    static const struct {
        const char *suffix;
        enum part part;
    } suffixes[] = {{"_ENTRY", PART_BEGIN}, {"_ENTER", PART_BEGIN}, {"_BEGIN", PART_BEGIN},
                    {"_EXIT", PART_END},    {"_LEAVE", PART_END},   {"_END", PART_END}};
    if (!event->name || event->name_size < s->name_size ||
        memcmp(event->name, s->name, s->name_size) != 0)
        return PART_NONE;
    if (event->name_size == s->name_size)
        return PART_WHOLE;
    const char *rest = event->name + s->name_size;
    size_t size = event->name_size - s->name_size;
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
        if (strlen(suffixes[i].suffix) == size && memcmp(suffixes[i].suffix, rest, size) == 0)
            return suffixes[i].part;
    return PART_NONE;
}

static csy_status add_section(struct time_parts *blocks, const struct block_end *first,
                              const struct block_end *last, csy_error *error)
{
    const struct block block = {*first, *last};
    return last->at.global_ticks < first->at.global_ticks ? CSY_OK : add(blocks, &block, error);
}

static csy_status take_event(struct time_parts *blocks, struct sections *s, bool partial,
                             const csy_decoded *event, csy_error *error)
{
    const uint32_t key[] = {event->core, event->track != CSY_NO_TRACK ? event->track : event->tid};
    const struct block_end at = {{event->local_ticks, event->global_ticks, event->thread},
                                 partial ? CSY_NO_RECORD : event->record,
                                 false,
                                 false};
    enum part part = part_of(s, event);
    uint32_t actor;
    bool added;
    if (!texts_find(&s->actors, (const char *)key, sizeof key, &actor, &added) ||
        !ARRAY_RESERVE(s->items, s->capacity, s->actors.count))
        return error_memory(error);
    struct begun *begun = &s->items[actor];
    if (added)
        *begun = (struct begun){.first = at, .last = at};
    if (begun->last.at.clock != at.at.clock)
        begun->first = at;
    struct block_end first = begun->at;
    bool ends = part == PART_END && begun->any && begun->depth-- == 1;
    ends |= part == PART_WHOLE && !event->interval && begun->any && begun->is_mark;
    begun->last = at;
    if (part == PART_WHOLE && event->interval) {
        struct moment begin = {event->local_begin_ticks, event->global_begin_ticks, event->thread};
        bool late = begin.local_ticks > begun->first.at.local_ticks;
        first = late ? (struct block_end){begin, CSY_NO_RECORD, false, false} : begun->first;
        return add_section(blocks, &first, &at, error);
    }
    csy_status status = CSY_OK;
    if (ends) {
        status = add_section(blocks, &first, &at, error);
        begun->any = false;
    }
    if (part == PART_BEGIN && begun->any && !begun->is_mark)
        begun->depth++;
    else if (part == PART_BEGIN || (part == PART_WHOLE && !event->interval)) {
        begun->any = true;
        begun->is_mark = part == PART_WHOLE;
        begun->depth = 1;
        begun->at = at;
    }
    return status;
}

static int compare_blocks(const void *a, const void *b)
{
    const struct block *x = a, *y = b;
    int64_t s = x->first.at.global_ticks, t = y->first.at.global_ticks;
    int64_t u = x->last.at.global_ticks, v = y->last.at.global_ticks;
    if (s != t)
        return s > t ? 1 : -1;
    if (u != v)
        return u > v ? 1 : -1;
    return (x->last.record > y->last.record) - (x->last.record < y->last.record);
}

/* Of all sections, in order. */
static void keep_asked(struct time_parts *blocks, const csy_concurrency *asked)
{
    if (asked->first == 0)
        return;
    size_t kept = 0;
    for (uint64_t i = asked->first; i <= asked->last && i <= blocks->count; i++)
        blocks->items[kept++] = blocks->items[i - 1];
    blocks->count = kept;
}

static csy_status find_sections(struct time_parts *blocks, const struct instants *in,
                                const csy_concurrency *asked, csy_error *error)
{
    struct sections s = {.name = asked->section, .name_size = strlen(asked->section)};
    csy_decoded *batch = malloc(BATCH * sizeof *batch);
    csy_events *events = NULL;
    size_t got = 1;
    csy_status status = batch ? csy_events_open(in->sync, &events, error) : error_memory(error);
    while (!status && got > 0) {
        status = csy_events_read(events, batch, BATCH, &got, error);
        for (size_t i = 0; !status && i < got; i++)
            status = take_event(blocks, &s, in->partial, &batch[i], error);
    }
    for (size_t i = 0; !status && i < s.actors.count; i++) /* what is open lasts to the end */
        if (s.items[i].any) {
            status = add_section(blocks, &s.items[i].at, &s.items[i].last, error);
        }
    csy_events_free(events);
    free(batch);
    free(s.items);
    texts_fini(&s.actors);
    if (!status && blocks->count > 1)
        qsort(blocks->items, blocks->count, sizeof *blocks->items, compare_blocks);
    size_t found = blocks->count;
    if (!status)
        keep_asked(blocks, asked);
    return status || blocks->count > 0 ? status
                                       : error_set(error, CSY_USAGE, "%s: it has %zu such sections",
                                                   in->sync->trace->name, found);
}

csy_status time_parts_find(struct time_parts *blocks, struct instants *in,
                           const csy_concurrency *asked, csy_error *error)
{
    *blocks = (struct time_parts){0};
    if (in->records == 0)
        return CSY_OK;
    csy_status status = asked->section                     ? find_sections(blocks, in, asked, error)
                        : asked->window || asked->bins > 0 ? find_window(blocks, in, asked, error)
                                                           : CSY_OK;
    if (status)
        time_parts_fini(blocks);
    return status;
}

/* Blocks: windows, bins and sections. */
#include "analysis/window/time_parts.h"

#include "analysis/window/sections.h"
#include "base/array.h"
#include "base/error.h"
#include "base/time_window.h"

#include <inttypes.h>
#include <stdlib.h>

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

/* At the record of an event, or where that begins. */
static csy_status end_of_event(const struct instants *in, const csy_decoded *event, bool begin,
                               struct block_end *out, csy_error *error)
{
    if (begin && !event->interval)
        return error_set(error, CSY_USAGE, "%s: record %" PRIu64 " has no begin",
                         in->sync->trace->name, event->record);
    if (begin)
        *out =
            (struct block_end){{event->local_begin_ticks, event->global_begin_ticks, event->thread},
                               CSY_NO_RECORD,
                               !is_live(in, event->thread, event->local_begin_ticks),
                               false};
    else
        *out = (struct block_end){{event->local_ticks, event->global_ticks, event->thread},
                                  in->partial ? CSY_NO_RECORD : event->record,
                                  false,
                                  false};
    return CSY_OK;
}

/* At a record, or where it begins. */
static csy_status end_at_record(const struct instants *in, uint64_t record, bool begin,
                                struct block_end *out, csy_error *error)
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
        status = end_of_event(in, &event, begin, out, error);
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
        return end_at_record(in, (uint64_t)asked->value.num, asked->begin, out, error);
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
    bool before = end < in->first.global_ticks && until_end.kind != END_RECORD;
    bool after = begin > in->last.global_ticks && from_end.kind != END_RECORD;
    if (before || after) /* stamps that are off may have a record there, too */
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

static csy_status take_sections(struct time_parts *blocks, const struct instants *in,
                                const csy_concurrency *asked, csy_error *error)
{
    struct sections sections;
    csy_status status =
        sections_find(&sections, in, asked->section, asked->first, asked->last, error);
    for (size_t i = 0; !status && i < sections.count; i++)
        status = add(blocks, &sections.items[i].block, error);
    sections_fini(&sections);
    return status;
}

/* An end of a section, and where it goes. */
struct wanted_end {
    uint64_t record;
    bool begin;
    struct block_end *out;
};

static int compare_wanted(const void *a, const void *b)
{
    const struct wanted_end *x = a, *y = b;
    return (x->record > y->record) - (x->record < y->record);
}

/* Those that are at a record of a batch, in their order; *next is the first that is not. */
static csy_status take_ends(const struct instants *in, const struct wanted_end *wanted, size_t n,
                            const csy_decoded *batch, size_t got, size_t *next, csy_error *error)
{
    csy_status status = CSY_OK;
    for (size_t i = 0; i < got && !status; i++)
        for (; *next < n && !status && wanted[*next].record == batch[i].record; ++*next)
            status = end_of_event(in, &batch[i], wanted[*next].begin, wanted[*next].out, error);
    return status;
}

static csy_status find_ends(const struct instants *in, const struct wanted_end *wanted, size_t n,
                            csy_error *error)
{
    csy_events *events = NULL;
    csy_decoded *batch = malloc(BATCH * sizeof *batch);
    size_t got = 1, next = 0;
    csy_status status = batch ? csy_events_open(in->sync, &events, error) : error_memory(error);
    if (!status && n > 0)
        status = csy_events_seek(events, wanted[0].record, error);
    while (!status && next < n && got > 0) {
        status = csy_events_read(events, batch, BATCH, &got, error);
        if (!status)
            status = take_ends(in, wanted, n, batch, got, &next, error);
    }
    csy_events_free(events);
    free(batch);
    return status || next == n ? status
                               : error_set(error, CSY_USAGE,
                                           "%s: a section ends at record %" PRIu64 ", of %" PRIu64
                                           ", numbered from 0",
                                           in->sync->trace->name, wanted[next].record, in->records);
}

csy_status time_parts_of_sections(struct block *out, const struct instants *in,
                                  const csy_section *sections, size_t n, csy_error *error)
{
    struct wanted_end *wanted = malloc((2 * n + 1) * sizeof *wanted);
    csy_status status = wanted ? CSY_OK : error_memory(error);
    for (size_t i = 0; i < n && !status; i++) {
        struct window_end ends[2];
        status = window_read(sections[i].window, &ends[0], &ends[1], error);
        for (size_t k = 0; k < 2 && !status; k++) {
            if (ends[k].kind != END_RECORD)
                status = error_set(error, CSY_USAGE, "%s: no section", sections[i].window);
            wanted[2 * i + k] = (struct wanted_end){(uint64_t)ends[k].value.num, ends[k].begin,
                                                    k ? &out[i].last : &out[i].first};
        }
    }
    if (!status && n > 0) {
        qsort(wanted, 2 * n, sizeof *wanted, compare_wanted);
        status = find_ends(in, wanted, 2 * n, error);
    }
    free(wanted);
    return status;
}

csy_status time_parts_find(struct time_parts *blocks, struct instants *in,
                           const csy_concurrency *asked, csy_error *error)
{
    *blocks = (struct time_parts){0};
    if (in->records == 0)
        return CSY_OK;
    csy_status status = asked->section                     ? take_sections(blocks, in, asked, error)
                        : asked->window || asked->bins > 0 ? find_window(blocks, in, asked, error)
                                                           : CSY_OK;
    if (status)
        time_parts_fini(blocks);
    return status;
}

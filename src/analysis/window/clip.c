/* What of times is in a window of the trace. */
#include "analysis/window/clip.h"

#include "analysis/ranges/ranges.h"
#include "analysis/window/time_parts.h"
#include "base/error.h"
#include "base/time_window.h"

#include <stdlib.h>

enum { BATCH = 1024 };

/* --- Ends ----------------------------------------------------------------------------------- */

/* Where its clock has no records before it or after it, an end is the next record. */
static csy_status settle(const struct instants *in, const struct block_end *end, struct moment *out,
                         csy_error *error)
{
    csy_events *events = NULL;
    csy_decoded *batch = NULL;
    size_t got = 1;
    bool found = !end->snaps;
    csy_status status = CSY_OK;
    *out = end->at;
    if (!found) {
        *out = in->last;
        batch = malloc(BATCH * sizeof *batch);
        status = batch ? csy_events_open(in->sync, &events, error) : error_memory(error);
    }
    while (!status && !found && got > 0) {
        status = csy_events_read(events, batch, BATCH, &got, error);
        for (size_t i = 0; !status && !found && i < got; i++) {
            found = batch[i].global_ticks >= end->at.global_ticks;
            if (found)
                *out =
                    (struct moment){batch[i].local_ticks, batch[i].global_ticks, batch[i].thread};
        }
    }
    csy_events_free(events);
    free(batch);
    return status;
}

static int64_t away(int64_t ticks, int64_t by, int64_t added, bool late)
{
    int128 out = late ? (int128)ticks + by + added : (int128)ticks - by - added;
    int64_t none = late ? INT64_MAX : INT64_MIN;
    return by == MOVES_NONE || !fits_int64(out) ? none : (int64_t)out;
}

/* Where an end is at the earliest, by the estimate and at the latest, by a clock. */
static csy_status place(const struct clip *clip, const struct moves *moves, const struct moment *at,
                        uint32_t clock, int64_t out[3], csy_error *error)
{
    int64_t there, back, added = moves->sync->imprecision.added_ticks;
    out[0] = out[1] = out[2] = at->global_ticks;
    if (!clip->known)
        return CSY_OK;
    if (clock == at->clock) { /* its stamps are off */
        out[0] = away(at->global_ticks, 0, added, false);
        out[2] = away(at->global_ticks, 0, added, true);
        return CSY_OK;
    }
    csy_status status = moves_between(moves, at->clock, clock, &there, &back, error);
    if (status)
        return status;
    out[0] = away(at->global_ticks, back, added, false);
    out[2] = away(at->global_ticks, there, added, true);
    return CSY_OK;
}

static csy_status place_all(struct clip *clip, const struct moves *moves,
                            const struct moment *first, const struct moment *last, csy_error *error)
{
    csy_status status = CSY_OK;
    for (uint32_t c = 0; !status && c < moves->n; c++) {
        int64_t from[3] = {INT64_MIN, INT64_MIN, INT64_MIN};
        int64_t until[3] = {INT64_MAX, INT64_MAX, INT64_MAX};
        if (first)
            status = place(clip, moves, first, c, from, error);
        if (!status && last)
            status = place(clip, moves, last, c, until, error);
        clip->ends[CLIP_MOST][c] = (struct clip_ends){from[0], until[2]};
        clip->ends[CLIP_ESTIMATE][c] = (struct clip_ends){from[1], until[1]};
        clip->ends[CLIP_LEAST][c] = (struct clip_ends){from[2], until[0]};
    }
    return status;
}

csy_range_kind clip_kind(const struct clip *clip)
{
    return !clip->known ? CSY_RANGE_UNKNOWN : clip->star ? CSY_RANGE_STAR : CSY_RANGE_PROVEN;
}

/* open: where it begins, or ends, is that of the trace, which in partial order may be elsewhere;
 * exact: both ends are times of a clock, and no stamps. */
static csy_status find_length(struct clip *clip, const struct moves *moves,
                              const struct moment *first, const struct moment *last, bool open,
                              bool exact, csy_error *error)
{
    int64_t there, back, added = moves->sync->imprecision.added_ticks;
    int128 ticks = moments_apart(first, last);
    if (!fits_int64(ticks))
        return error_set(error, CSY_INPUT, "a time leaves 64 bits");
    int64_t length = (int64_t)ticks;
    clip->length = (csy_range){length, length, length, CSY_RANGE_CLOCK};
    bool one_clock = first->clock == last->clock;
    if (one_clock && !open && (exact || added == 0))
        return CSY_OK;
    clip->length.kind = open ? CSY_RANGE_UNKNOWN : clip_kind(clip);
    if (clip->length.kind == CSY_RANGE_UNKNOWN)
        return CSY_OK;
    there = back = 0;
    csy_status status =
        one_clock ? CSY_OK : moves_between(moves, last->clock, first->clock, &there, &back, error);
    if (status)
        return status;
    clip->length.lo = away(length, back, added, false);
    clip->length.hi = away(length, there, added, true);
    clip->length.lo = clip->length.lo < 0 ? 0 : clip->length.lo;
    return CSY_OK;
}

static bool is_time(const struct window_end *asked, const struct block_end *end)
{
    return asked->kind != END_OPEN && asked->kind != END_RECORD && !end->snaps;
}

static void begin(struct clip *clip, const struct instants *in, const struct moves *moves)
{
    *clip = (struct clip){.asked = in->records > 0,
                          .known = moves->known || moves->n == 1,
                          .star = moves->star,
                          .added_ticks = moves->sync->imprecision.added_ticks,
                          .within = !in->partial && solution_lives(in->sync) &&
                                    moves->sync->imprecision.added_ticks == 0};
}

/* What follows from the block, whose ends were asked for as these. */
static csy_status init_block(struct clip *clip, const struct instants *in,
                             const struct moves *moves, const struct window_end *from,
                             const struct window_end *until, csy_error *error)
{
    csy_status status = CSY_OK;
    for (int as = 0; as < CLIPS; as++) {
        clip->ends[as] = malloc((moves->n + 1) * sizeof *clip->ends[as]);
        if (!clip->ends[as])
            status = error_memory(error);
    }
    bool all = from->kind == END_OPEN, to_end = until->kind == END_OPEN;
    for (int as = CLIP_LEAST; !status && as < CLIPS; as++)
        status = forms_init(&clip->parts[as], error);
    if (!status)
        status = settle(in, &clip->block.first, &clip->begin, error);
    if (!status)
        status = settle(in, &clip->block.last, &clip->end, error);
    if (!status)
        status =
            place_all(clip, moves, all ? NULL : &clip->begin, to_end ? NULL : &clip->end, error);
    if (!status)
        status = find_length(clip, moves, &clip->begin, &clip->end, in->partial && (all || to_end),
                             is_time(from, &clip->block.first) && is_time(until, &clip->block.last),
                             error);
    if (status)
        clip_fini(clip);
    return status;
}

csy_status clip_init(struct clip *clip, struct instants *in, const struct moves *moves,
                     const char *window, csy_error *error)
{
    const csy_concurrency asked = {.window = window};
    struct window_end from, until;
    struct time_parts parts;
    begin(clip, in, moves);
    clip->asked = clip->asked && window;
    if (!clip->asked)
        return CSY_OK;
    csy_status status = window_read(window, &from, &until, error);
    if (!status)
        status = time_parts_find(&parts, in, &asked, error);
    if (status)
        return status;
    clip->block = parts.items[0];
    time_parts_fini(&parts);
    return init_block(clip, in, moves, &from, &until, error);
}

csy_status clip_init_section(struct clip *clip, struct instants *in, const struct moves *moves,
                             const struct block *block, csy_error *error)
{
    const struct window_end record = {.kind = END_RECORD};
    begin(clip, in, moves);
    if (!clip->asked)
        return CSY_OK;
    clip->block = *block;
    return init_block(clip, in, moves, &record, &record, error);
}

csy_status clip_open(struct clip *clip, csy_sync *sync, const csy_meaning *meaning,
                     const char *window, csy_error *error)
{
    struct instants in;
    struct moves moves = {0};
    *clip = (struct clip){.asked = false};
    csy_status status = instants_open(&in, sync, meaning, INSTANTS_AHEAD, error);
    if (status)
        return status;
    status = moves_init(&moves, sync, error);
    if (!status)
        status = clip_init(clip, &in, &moves, window, error);
    moves_fini(&moves);
    instants_fini(&in);
    return status;
}

void clip_fini(struct clip *clip)
{
    for (int as = 0; as < CLIPS; as++) {
        free(clip->ends[as]);
        forms_fini(&clip->parts[as]);
    }
    *clip = (struct clip){0};
}

/* --- Times ---------------------------------------------------------------------------------- */

/* An end of a window of which nothing is sure is at the greatest time there is, or the least, where
 * a clock cannot be: all that is between two of these is 0, and so it stays. */
static struct moment at(const struct moment *moment, int64_t global_ticks)
{
    int128 local = (int128)moment->local_ticks + global_ticks - moment->global_ticks;
    local = local > INT64_MAX ? INT64_MAX : local < INT64_MIN ? INT64_MIN : local;
    return (struct moment){(int64_t)local, global_ticks, moment->clock};
}

struct moment moment_between(const struct moment *begin, const struct moment *end,
                             int64_t global_ticks)
{
    int128 local = (int128)end->local_ticks - begin->local_ticks;
    int128 global = (int128)end->global_ticks - begin->global_ticks;
    int128 by = (int128)global_ticks - begin->global_ticks;
    if (global_ticks <= begin->global_ticks || begin->clock != end->clock || local == global)
        return at(begin, global_ticks);
    if (global_ticks >= end->global_ticks)
        return at(end, global_ticks);
    int64_t passed = (int64_t)floor_div(local * by, global);
    return (struct moment){begin->local_ticks + passed, global_ticks, begin->clock};
}

/* Where it is not within the window, its end, but between both. */
static struct moment within(const struct clip *clip, enum clip_as as, const struct moment *moment,
                            const struct moment *begin, const struct moment *end)
{
    const struct clip_ends *ends = &clip->ends[as][moment->clock];
    int64_t ticks = moment->global_ticks;
    ticks = ticks < ends->from ? ends->from : ticks;
    ticks = ticks > ends->until ? ends->until : ticks;
    if (ticks == moment->global_ticks)
        return *moment;
    return begin->clock != end->clock ? at(moment, ticks) : moment_between(begin, end, ticks);
}

/* Of two clocks: what is surely in the window.  Both ends are, whatever the offsets are. */
static bool least_time(const struct clip *clip, const struct moment *begin,
                       const struct moment *end, struct moment *from, struct moment *until)
{
    int64_t first = clip->ends[CLIP_LEAST][begin->clock].from;
    int64_t last = clip->ends[CLIP_LEAST][end->clock].until;
    if (first == INT64_MAX || last == INT64_MIN)
        return false;
    *from = begin->global_ticks < first ? at(begin, first) : *begin;
    *until = end->global_ticks > last ? at(end, last) : *end;
    return from->global_ticks < until->global_ticks;
}

/* Of two clocks: all that may be in it.  It is cut only if the other end is on the other side of
 * the cut, whatever the offsets are; else it would be less than nothing for some. */
static bool most_time(const struct clip *clip, const struct moment *begin, const struct moment *end,
                      struct moment *from, struct moment *until)
{
    const struct clip_ends *b = &clip->ends[CLIP_MOST][begin->clock];
    const struct clip_ends *e = &clip->ends[CLIP_MOST][end->clock];
    if (begin->global_ticks >= b->until || end->global_ticks <= e->from)
        return false;
    bool early = begin->global_ticks < b->from &&
                 end->global_ticks >= clip->ends[CLIP_LEAST][end->clock].from;
    bool late = end->global_ticks > e->until &&
                begin->global_ticks <= clip->ends[CLIP_LEAST][begin->clock].until;
    *from = early ? at(begin, b->from) : *begin;
    *until = late ? at(end, e->until) : *end;
    return true;
}

/* What is left of a time by one clock for certain, or possibly, where its stamps are off: where it
 * begins and where it ends, or it is cut, is each so by delta, as the window allows for. */
static void allow_for_stamps(const struct clip *clip, enum clip_as as, const struct moment *begin,
                             const struct moment *end, struct moment *from, struct moment *until)
{
    const struct clip_ends *ends = &clip->ends[as][begin->clock];
    bool near = begin->global_ticks <= ends->until && end->global_ticks >= ends->from;
    int64_t by = clip->added_ticks;
    if (as == CLIP_MOST && near &&
        __builtin_add_overflow(until->local_ticks, by, &until->local_ticks))
        from->local_ticks -= by;
    int128 left = (int128)until->local_ticks - from->local_ticks - by;
    if (as == CLIP_LEAST)
        until->local_ticks = left > 0 ? from->local_ticks + (int64_t)left : from->local_ticks;
}

bool clip_time(const struct clip *clip, enum clip_as as, const struct moment *begin,
               const struct moment *end, struct moment *from, struct moment *until)
{
    bool known = clip->known && begin->clock != end->clock;
    if (known && as == CLIP_LEAST)
        return least_time(clip, begin, end, from, until);
    if (known && as == CLIP_MOST)
        return most_time(clip, begin, end, from, until);
    const struct clip_ends *ends = &clip->ends[as][begin->clock];
    if (ends->from > ends->until)
        return false;
    *from = within(clip, as, begin, begin, end);
    *until = within(clip, as, end, begin, end);
    bool whole =
        from->global_ticks == begin->global_ticks && until->global_ticks == end->global_ticks;
    if (begin->clock == end->clock && clip->known && clip->added_ticks > 0)
        allow_for_stamps(clip, as, begin, end, from, until);
    return whole || begin->clock == end->clock || from->global_ticks != until->global_ticks;
}

bool clip_meets(const struct clip *clip, enum clip_as as, const struct moment *begin,
                const struct moment *end)
{
    const struct clip_ends *b = &clip->ends[as][begin->clock], *e = &clip->ends[as][end->clock];
    /* What is at a moment that is in the window for certain is in it for some time, if that has
     * any. */
    bool some = as == CLIP_LEAST && clip->length.kind != CSY_RANGE_UNKNOWN && clip->length.lo > 0;
    bool empty = some ? b->from > b->until && e->from > e->until
                      : b->from >= b->until && e->from >= e->until;
    return !empty && begin->global_ticks < b->until && end->global_ticks > e->from;
}

bool clip_add(struct clip *clip, struct forms *estimate, size_t form, const struct moment *begin,
              const struct moment *end)
{
    struct moment from, until;
    bool good = true;
    for (int as = 0; good && as < CLIPS; as++)
        if (clip_time(clip, (enum clip_as)as, begin, end, &from, &until))
            good = forms_add(as == CLIP_ESTIMATE ? estimate : &clip->parts[as], form, &from, &until,
                             1);
    return good;
}

/* --- Ranges --------------------------------------------------------------------------------- */

csy_range clip_range(const struct clip *clip, const csy_range parts[CLIPS])
{
    csy_range out = parts[CLIP_ESTIMATE];
    const csy_range *least = &parts[CLIP_LEAST], *most = &parts[CLIP_MOST];
    bool unknown = out.kind == CSY_RANGE_UNKNOWN || least->kind == CSY_RANGE_UNKNOWN ||
                   most->kind == CSY_RANGE_UNKNOWN;
    if (out.kind == CSY_RANGE_CLOCK && least->kind == CSY_RANGE_CLOCK &&
        most->kind == CSY_RANGE_CLOCK && clip->known && least->estimate == most->estimate &&
        least->estimate == out.estimate)
        return out;
    out.kind = unknown ? CSY_RANGE_UNKNOWN : clip_kind(clip);
    out.lo = out.kind == CSY_RANGE_UNKNOWN ? 0 : least->lo;
    out.hi = out.kind == CSY_RANGE_UNKNOWN ? 0 : most->hi;
    if (out.kind == CSY_RANGE_UNKNOWN)
        return out;
    int64_t floor = out.estimate < 0 ? out.estimate : 0;
    out.lo = out.lo < floor ? floor : out.lo;
    range_include_estimate(&out);
    return out;
}

/* The ranges of the first n forms of the window that is least, or most. */
typedef csy_status find_ranges(struct forms *forms, size_t n, const void *user, csy_range *ranges,
                               csy_error *error);

static csy_status join_ranges(struct clip *clip, size_t n, find_ranges *find, const void *user,
                              csy_range *ranges, csy_error *error)
{
    csy_range *parts[CLIPS] = {ranges};
    csy_status status = CSY_OK;
    for (int as = CLIP_LEAST; as < CLIPS; as++) {
        parts[as] = malloc((n + 1) * sizeof *parts[as]);
        if (!status)
            status =
                parts[as] ? find(&clip->parts[as], n, user, parts[as], error) : error_memory(error);
    }
    for (size_t i = 0; !status && i < n; i++)
        ranges[i] =
            clip_range(clip, (csy_range[]){ranges[i], parts[CLIP_LEAST][i], parts[CLIP_MOST][i]});
    free(parts[CLIP_LEAST]);
    free(parts[CLIP_MOST]);
    return status;
}

static csy_status find_by_moves(struct forms *forms, size_t n, const void *moves, csy_range *ranges,
                                csy_error *error)
{
    return forms_ranges(forms, n, moves, ranges, error);
}

csy_status clip_ranges(struct clip *clip, size_t n, const struct moves *moves, csy_range *ranges,
                       csy_error *error)
{
    return join_ranges(clip, n, find_by_moves, moves, ranges, error);
}

static csy_status find_by_pairs(struct forms *forms, size_t n, const void *sync, csy_range *ranges,
                                csy_error *error)
{
    return forms_bounds(forms, n, *(csy_sync *const *)sync, ranges, error);
}

csy_status clip_bounds(struct clip *clip, struct forms *estimate, size_t n, csy_sync *sync,
                       csy_range *ranges, csy_error *error)
{
    csy_status status = forms_bounds(estimate, n, sync, ranges, error);
    return status ? status : join_ranges(clip, n, find_by_pairs, &sync, ranges, error);
}

/* What a time is at least, or at most: one that timestamps have below 0 is 0. */
static int64_t at_least_0(int64_t ticks)
{
    return ticks < 0 ? 0 : ticks;
}

/* The most and the least that all but one come to; false: it is not known. */
static bool sum_others(const csy_range *times, size_t n, size_t but, int128 *least, int128 *most)
{
    bool limited = true;
    *least = *most = 0;
    for (size_t i = 0; i < n; i++) {
        if (times[i].kind == CSY_RANGE_UNKNOWN)
            return false;
        if (i == but)
            continue;
        *least += at_least_0(times[i].lo);
        limited &= times[i].hi < INT64_MAX;
        *most += at_least_0(times[i].hi);
    }
    if (!limited)
        *most = (int128)INT64_MAX << 32;
    return true;
}

void clip_narrow(const struct clip *clip, csy_range *times, size_t n, size_t windows)
{
    const csy_range *length = &clip->length;
    int128 least, most;
    for (size_t i = 0; i < n && length->kind != CSY_RANGE_UNKNOWN; i++) {
        csy_range *time = &times[i];
        if (time->kind == CSY_RANGE_CLOCK || !sum_others(times, n, i, &least, &most))
            continue;
        int128 lo = (int128)length->lo * (int128)windows - most;
        int128 hi = (int128)length->hi * (int128)windows - least;
        if (lo > time->lo && lo <= time->estimate)
            time->lo = (int64_t)lo;
        if (length->hi < INT64_MAX && hi < time->hi && hi >= time->estimate)
            time->hi = (int64_t)hi;
    }
}

csy_range clip_rest(const struct clip *clip, const csy_range *times, size_t n, size_t windows)
{
    const csy_range *length = &clip->length;
    int128 least, most, estimate = (int128)length->estimate * (int128)windows;
    bool clock = length->kind == CSY_RANGE_CLOCK;
    for (size_t i = 0; i < n; i++) {
        estimate -= times[i].estimate;
        clock &= times[i].kind == CSY_RANGE_CLOCK;
    }
    csy_range out = {.estimate = estimate <= 0          ? 0
                                 : fits_int64(estimate) ? (int64_t)estimate
                                                        : INT64_MAX};
    out.lo = out.hi = out.estimate;
    if (clock)
        return out;
    out.lo = out.hi = 0;
    out.kind = clip_kind(clip);
    if (!sum_others(times, n, n, &least, &most) || length->kind == CSY_RANGE_UNKNOWN)
        out.kind = CSY_RANGE_UNKNOWN;
    if (out.kind == CSY_RANGE_UNKNOWN)
        return out;
    int128 lo = (int128)length->lo * (int128)windows - most;
    int128 hi = (int128)length->hi * (int128)windows - least;
    out.lo = lo > 0 ? (int64_t)lo : 0;
    out.hi = length->hi == INT64_MAX || !fits_int64(hi) ? INT64_MAX : hi > 0 ? (int64_t)hi : 0;
    range_include_estimate(&out);
    return out;
}

/* Finds windows and sections (parts of a trace), and computes how much of a duration is inside a
 * window. */
#include "analysis/window/window.h"

#include "analysis/ranges/moves.h"
#include "analysis/run/skim.h"
#include "base/array.h"
#include "base/error.h"
#include "base/near.h"
#include "base/sort.h"
#include "base/time_window.h"
#include "sync/placement.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- Windows and bins ----------------------------------------------------------------------- */

void time_parts_fini(struct time_parts *parts)
{
    free(parts->items);
    *parts = (struct time_parts){0};
}

static csy_status add(struct time_parts *parts, const struct block_end *first,
                      const struct block_end *last, csy_error *error)
{
    if (last->at.global_ticks < first->at.global_ticks)
        return CSY_OK;
    if (parts->count == CSY_BLOCKS_MAX)
        return error_set(error, CSY_USAGE, "the trace has more than %d sections", CSY_BLOCKS_MAX);
    return ARRAY_PUSH(parts->items, parts->count, parts->capacity, {*first, *last})
               ? CSY_OK
               : error_memory(error);
}

/* Returns true if a local time is within the records of a clock, or they are unknown. */
static bool is_live(const struct instants *in, size_t clock, int128 local)
{
    const struct threads *threads = solution_lives(in->sync);
    return in->partial || !threads ||
           (threads->items[clock].first_ticks <= local &&
            local <= threads->items[clock].last_ticks);
}

/* Set *out to the moment `ticks` after the first record, measured by the reference clock. */
static csy_status end_after(const struct instants *in, int128 ticks, struct block_end *out,
                            csy_error *error)
{
    size_t tau = in->sync->reference;
    int128 global = in->first.global_ticks + ticks;
    int128 local = global - in->sync->views[tau].offset_ticks;
    if (!fits_int64(global) || !fits_int64(local))
        return error_set(error, CSY_USAGE, "%s: a time of the window does not fit 64 bits",
                         in->sync->trace->name);
    *out = (struct block_end){.at = {(int64_t)local, (int64_t)global, (uint32_t)tau},
                              .record = CSY_NO_RECORD,
                              .snaps = !is_live(in, tau, local)};
    return CSY_OK;
}

/* A requested end of a window at a record, or at the begin of the record's interval. */
struct wanted_end {
    uint64_t record;
    bool begin;
    struct block_end *out;
};

struct wanted_ends {
    const struct instants *in;
    struct wanted_end *items; /* sorted by record */
    size_t n, next;
    bool done;
};

static csy_status take_ends(void *user, const csy_decoded *event, csy_error *error)
{
    struct wanted_ends *w = user;
    const struct instants *in = w->in;
    for (; w->next < w->n && w->items[w->next].record == event->record; w->next++) {
        const struct wanted_end *item = &w->items[w->next];
        if (item->begin && !event->interval)
            return error_set(error, CSY_USAGE, "%s: record %" PRIu64 " has no begin",
                             in->sync->trace->name, event->record);
        *item->out =
            item->begin
                ? (struct block_end){.at = {event->local_begin_ticks, event->global_begin_ticks,
                                            event->thread},
                                     .record = CSY_NO_RECORD,
                                     .snaps = !is_live(in, event->thread, event->local_begin_ticks)}
                : (struct block_end){.at = {event->local_ticks, event->global_ticks, event->thread},
                                     .record = in->partial ? CSY_NO_RECORD : event->record};
    }
    w->done = w->next == w->n;
    return CSY_OK;
}

/* Find the ends of windows that are given as positions of records. Events before the first of these
 * positions are not read. */
static csy_status find_ends(const struct instants *in, struct wanted_end *items, size_t n,
                            csy_error *error)
{
    struct wanted_ends w = {.in = in, .items = items, .n = n};
    struct event_pass pass = {.sync = in->sync, .stop = &w.done};
    if (n == 0)
        return CSY_OK;
    SORT(items, n, compare_numbers);
    pass.first = items[0].record;
    csy_status status = events_each(&pass, take_ends, &w, error);
    return status || w.done
               ? status
               : error_set(error, CSY_USAGE,
                           "%s: record %" PRIu64
                           ", the end of a section, does not exist; the trace has %" PRIu64
                           " records, numbered from 0",
                           in->sync->trace->name, items[w.next].record, in->records);
}

static csy_status find_end(const struct instants *in, const struct window_end *asked, bool last,
                           struct block_end *out, csy_error *error)
{
    int128 begin = in->first.global_ticks, span = in->last.global_ticks - begin;
    int128 value = asked->negative ? -(int128)asked->value.num : asked->value.num;
    int128 hz = in->sync->trace->timebase_hz;
    uint64_t record = in->partial ? CSY_NO_RECORD : last ? in->records - 1 : 0;
    struct wanted_end wanted = {(uint64_t)asked->value.num, asked->begin, out};
    switch (asked->kind) {
    case END_OPEN:
        *out = (struct block_end){
            .at = last ? in->last : in->first, .record = record, .open = in->partial};
        return CSY_OK;
    case END_TICKS:
        return end_after(in, value - begin, out, error);
    case END_TIME:
        value = floor_div(value * hz, (int128)asked->per_second * asked->value.den);
        return end_after(in, value, out, error);
    case END_PERCENT:
        return end_after(in, floor_div(value * span, (int128)100 * asked->value.den), out, error);
    case END_RECORD:
        return wanted.record < in->records
                   ? find_ends(in, &wanted, 1, error)
                   : error_set(error, CSY_USAGE,
                               "%s: record %" PRIu64
                               " of the window does not exist; the trace has %" PRIu64
                               " records, numbered from 0",
                               in->sync->trace->name, wanted.record, in->records);
    }
    return CSY_OK;
}

/* Divide a window into n bins of equal length, and add them to `parts`. */
static csy_status find_window(struct time_parts *parts, const struct instants *in,
                              const struct window_end *begins, const struct window_end *ends,
                              size_t n, csy_error *error)
{
    struct block_end from = {0}, last = {0};
    csy_status status = find_end(in, begins, false, &from, error);
    if (!status)
        status = find_end(in, ends, true, &last, error);
    if (status)
        return status;
    int64_t begin = from.at.global_ticks, end = last.at.global_ticks;
    if (end < begin)
        return error_set(error, CSY_USAGE,
                         "%s: the window ends before it begins: the end is %" PRId64
                         " and the begin is %" PRId64 " in global time",
                         in->sync->trace->name, end, begin);
    bool before = end < in->first.global_ticks && ends->kind != END_RECORD;
    bool after = begin > in->last.global_ticks && begins->kind != END_RECORD;
    /* An end that is given as a record is in the trace, even if wrong timestamps place it
     * outside. */
    if (before || after)
        return error_set(
            error, CSY_USAGE,
            "%s: the window contains no part of the trace, whose records are from %" PRId64
            " to %" PRId64 " in global time",
            in->sync->trace->name, in->first.global_ticks, in->last.global_ticks);
    for (size_t i = 1; !status && i <= n; i++) {
        struct block_end until = last;
        int128 at = ((int128)end - begin) * (int128)i / (int128)n + begin;
        if (i < n)
            status = end_after(in, at - in->first.global_ticks, &until, error);
        if (!status)
            status = add(parts, &from, &until, error);
        from = until;
    }
    return status;
}

/* --- Sections ------------------------------------------------------------------------------- */

struct begun {
    bool any, is_mark;
    size_t depth;
    struct block_end at;
    struct block_end first, last; /* first and last record of the actor on its last clock */
};

struct section_search {
    const char *name;
    size_t name_size;
    bool partial;
    struct texts actors;
    struct begun *begun;
    size_t capacity;
    struct time_parts *out;
};

enum part { PART_NONE, PART_WHOLE, PART_BEGIN, PART_END };

static csy_status take_part(void *user, const csy_decoded *event, csy_error *error)
{
    struct section_search *f = user;
    const uint32_t key[] = {event->core, event->track != CSY_NO_TRACK ? event->track : event->tid};
    const struct block_end at = {.at = {event->local_ticks, event->global_ticks, event->thread},
                                 .record = f->partial ? CSY_NO_RECORD : event->record,
                                 .of = event->record};
    enum part part = PART_NONE; /* how the event's name marks the section */
    uint32_t actor;
    bool added, end = false;
    if (event->name && event->name_size >= f->name_size &&
        memcmp(event->name, f->name, f->name_size) == 0)
        part = event->name_size == f->name_size                                 ? PART_WHOLE
               : name_stem(event->name, event->name_size, &end) != f->name_size ? PART_NONE
               : end                                                            ? PART_END
                                                                                : PART_BEGIN;
    if (!texts_find(&f->actors, (const char *)key, sizeof key, &actor, &added) ||
        !ARRAY_RESERVE(f->begun, f->capacity, f->actors.count))
        return error_memory(error);
    struct begun *begun = &f->begun[actor];
    if (added)
        *begun = (struct begun){.first = at, .last = at};
    if (begun->last.at.clock != at.at.clock)
        begun->first = at;
    bool ends = part == PART_END && begun->any && begun->depth-- == 1;
    ends |= part == PART_WHOLE && !event->interval && begun->any && begun->is_mark;
    begun->last = at;
    if (part == PART_WHOLE && event->interval) {
        const struct block_end from = {
            .at = {event->local_begin_ticks, event->global_begin_ticks, event->thread},
            .record = CSY_NO_RECORD,
            .of = event->record,
            .begins = true};
        bool late = from.at.local_ticks > begun->first.at.local_ticks;
        return add(f->out, late ? &from : &begun->first, &begun->last, error);
    }
    csy_status status = CSY_OK;
    if (ends) {
        status = add(f->out, &begun->at, &at, error);
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

static int compare(const void *a, const void *b)
{
    const struct block *x = a, *y = b;
    return 4 * COMPARE(x->first.at.global_ticks, y->first.at.global_ticks) +
           2 * COMPARE(x->last.at.global_ticks, y->last.at.global_ticks) +
           COMPARE(x->last.of, y->last.of);
}

/* NAMES_MAX: greatest number of names collected; NAMES_TOLD: number of names in a message. */
enum { NAMES_MAX = 4096, NAMES_TOLD = 8, NEAR_SAID_MAX = ERROR_ESCAPED_MAX + 32 };

static csy_status list_name(void *user, const csy_decoded *event, csy_error *error)
{
    struct texts *names = user;
    uint32_t number;
    bool added;
    return event->name_size == 0 || names->count == NAMES_MAX ||
                   texts_find(names, event->name, name_stem(event->name, event->name_size, NULL),
                              &number, &added)
               ? CSY_OK
               : error_memory(error);
}

static const char *name_at(const struct texts *names, size_t i, char text[ERROR_ESCAPED_MAX])
{
    csy_text name = texts_text(names, (uint32_t)i);
    return error_escape(text, name.bytes, name.size);
}

/* The message suggests the most similar name, and lists the first names of events. */
static csy_status refuse_name(const struct section_search *f, const struct instants *in,
                              csy_error *error)
{
    struct near near = near_begin(f->name, f->name_size);
    char suggestion[NEAR_SAID_MAX] = "", name[ERROR_ESCAPED_MAX];
    char told[(NAMES_TOLD + 1) * (ERROR_ESCAPED_MAX + 2) + 64] = "";
    struct texts names = {0};
    struct event_pass pass = {.sync = in->sync};
    size_t size = 0;
    csy_status status = events_each(&pass, list_name, &names, error);
    size_t n = names.count <= NAMES_TOLD + 1 ? names.count : NAMES_TOLD;
    for (size_t i = 0; i < n; i++)
        size += (size_t)snprintf(told + size, sizeof told - size, "%s%s",
                                 i == 0                           ? ""
                                 : i + 1 == n && n == names.count ? " and "
                                                                  : ", ",
                                 name_at(&names, i, name));
    if (n < names.count)
        snprintf(told + size, sizeof told - size, " and %zu others%s", names.count - n,
                 names.count == NAMES_MAX ? " or more" : "");
    for (size_t i = 0; i < names.count; i++) {
        near.nearest = NULL;
        near_try(&near, name_at(&names, i, name));
        if (near.nearest)
            snprintf(suggestion, sizeof suggestion, "; did you mean %s?", name);
    }
    if (!status)
        status = error_set(
            error, CSY_USAGE, "%s: the trace has no such section; %s%s%s", in->sync->trace->name,
            n > 0 ? "the events are " : "the events have no names", told, suggestion);
    texts_fini(&names);
    return status;
}

/* Find all sections with a name or, unless `first` is 0, only those numbered `first` to `last`. */
static csy_status find_sections(struct time_parts *out, const struct instants *in, const char *name,
                                uint64_t first, uint64_t last, csy_error *error)
{
    struct section_search f = {
        .name = name, .name_size = strlen(name), .partial = in->partial, .out = out};
    struct event_pass pass = {.sync = in->sync};
    csy_status status = events_each(&pass, take_part, &f, error);
    for (size_t i = 0; !status && i < f.actors.count; i++)
        if (f.begun[i].any)
            status = add(out, &f.begun[i].at, &f.begun[i].last, error);
    free(f.begun);
    texts_fini(&f.actors);
    size_t found = out->count;
    if (!status && found == 0)
        status = refuse_name(&f, in, error);
    if (status)
        return status;
    qsort(out->items, out->count, sizeof *out->items, compare);
    if (first > 0) {
        out->count = 0;
        for (uint64_t i = first; i <= last && i <= found; i++)
            out->items[out->count++] = out->items[i - 1];
    }
    return out->count > 0 ? CSY_OK
                          : error_set(error, CSY_USAGE, "%s: the trace has only %zu such sections",
                                      in->sync->trace->name, found);
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
                status = error_set(error, CSY_USAGE,
                                   "%s: this is not a section, which begins and ends at records",
                                   sections[i].window);
            wanted[2 * i + k] = (struct wanted_end){(uint64_t)ends[k].value.num, ends[k].begin,
                                                    k ? &out[i].last : &out[i].first};
        }
    }
    if (!status)
        status = find_ends(in, wanted, 2 * n, error);
    free(wanted);
    return status;
}

csy_status csy_sync_sections(csy_sync *sync, const csy_meaning *meaning, const char *name,
                             uint64_t first, uint64_t last, csy_section **out, size_t *n,
                             csy_error *error)
{
    struct instants in;
    struct time_parts found = {.items = NULL};
    csy_section *sections = NULL;
    csy_status status = sync->read ? CSY_OK : solution_check_feasible(sync, error);
    if (!status)
        status = instants_open(&in, sync, meaning, INSTANTS_AHEAD, 0, error);
    if (status)
        return status;
    status = find_sections(&found, &in, name, first, last, error);
    if (!status)
        sections = malloc((found.count + 1) * sizeof *sections);
    if (!status && !sections)
        status = error_memory(error);
    for (size_t i = 0; !status && i < found.count; i++) {
        const struct block_end *begin = &found.items[i].first, *end = &found.items[i].last;
        csy_section *to = &sections[i];
        (void)snprintf(to->window, sizeof to->window, "#%" PRIu64 "%s..#%" PRIu64, begin->of,
                       begin->begins ? ".begin" : "", end->of);
        to->begin_ticks = begin->at.global_ticks - in.first.global_ticks;
        to->end_ticks = end->at.global_ticks - in.first.global_ticks;
    }
    if (!status) {
        *n = found.count;
        *out = sections;
    }
    time_parts_fini(&found);
    instants_fini(&in);
    return status;
}

void csy_sections_free(csy_section *sections)
{
    free(sections);
}

csy_status time_parts_find(struct time_parts *parts, const struct instants *in,
                           const csy_concurrency *asked, csy_error *error)
{
    struct window_end ends[2];
    csy_status status = CSY_OK;
    *parts = (struct time_parts){0};
    if (in->records == 0 || !(asked->section || asked->window || asked->bins > 0))
        return CSY_OK;
    if (asked->section) {
        status = find_sections(parts, in, asked->section, asked->first, asked->last, error);
    } else {
        status = window_read(asked->window ? asked->window : "..", &ends[0], &ends[1], error);
        if (!status)
            status =
                find_window(parts, in, &ends[0], &ends[1], asked->bins ? asked->bins : 1, error);
    }
    if (status)
        time_parts_fini(parts);
    return status;
}

/* --- Ends ----------------------------------------------------------------------------------- */

struct record_search {
    int64_t ticks;
    struct moment *out;
    bool found;
};

static csy_status settle_event(void *user, const csy_decoded *event, csy_error *error)
{
    struct record_search *s = user;
    (void)error;
    s->found = event->global_ticks >= s->ticks;
    if (s->found)
        *s->out = (struct moment){event->local_ticks, event->global_ticks, event->thread};
    return CSY_OK;
}

/* If end->snaps is true, use the time of the next record of any clock. */
static csy_status settle(const struct instants *in, const struct block_end *end, struct moment *out,
                         csy_error *error)
{
    struct record_search next = {.ticks = end->at.global_ticks, .out = out};
    struct event_pass pass = {.sync = in->sync, .stop = &next.found};
    *out = end->snaps ? in->last : end->at;
    return end->snaps ? events_each(&pass, settle_event, &next, error) : CSY_OK;
}

static int64_t away(int64_t ticks, int64_t by, int64_t added, bool late)
{
    int128 out = late ? (int128)ticks + by + added : (int128)ticks - by - added;
    int64_t none = late ? INT64_MAX : INT64_MIN;
    return by == MOVES_NONE || !fits_int64(out) ? none : (int64_t)out;
}

/* Compute the global time when the window begins or ends for events of a clock. The moment `at` of
 * another clock defines it. out[0] is the earliest possible time, out[1] the estimate, and out[2]
 * the latest possible time. */
static csy_status place(const struct clip *clip, const struct moves *moves, const struct moment *at,
                        uint32_t clock, int64_t out[3], csy_error *error)
{
    int64_t there, back, added = moves->sync->imprecision.added_ticks;
    out[0] = out[1] = out[2] = at->global_ticks;
    if (!clip->known)
        return CSY_OK;
    if (clock == at->clock) {
        out[0] = away(at->global_ticks, 0, added, false);
        out[2] = away(at->global_ticks, 0, added, true);
        return CSY_OK;
    }
    csy_status status = moves_between(moves, at->clock, clock, &there, &back, error);
    if (status)
        return status;
    if (moves->places) { /* the limits of this moment are narrower than those that hold for all
                          * events of its clock */
        int64_t early, late;
        places_at(moves->places, at, &early, &late);
        there = places_sum(late, moves->places->early[clock]);
        back = places_sum(early, moves->places->late[clock]);
    }
    out[0] = away(at->global_ticks, back, added, false);
    out[2] = away(at->global_ticks, there, added, true);
    return CSY_OK;
}

csy_range_kind clip_kind(const struct clip *clip)
{
    return !clip->known ? CSY_RANGE_UNKNOWN : clip->star ? CSY_RANGE_STAR : CSY_RANGE_PROVEN;
}

/* Find the range of the window's length. `open` is true if the window goes to an uncertain end of
 * the trace, and `exact` if the user gave the times of both ends. */
static csy_status find_length(struct clip *clip, const struct moves *moves,
                              const struct moment *first, const struct moment *last, bool open,
                              bool exact, csy_error *error)
{
    int64_t added = moves->sync->imprecision.added_ticks;
    int128 ticks = moments_apart(first, last);
    if (!fits_int64(ticks))
        return error_set(error, CSY_INPUT, "a time does not fit 64 bits");
    int64_t length = (int64_t)ticks;
    clip->length = (csy_range){length, length, length, CSY_RANGE_CLOCK};
    bool one_clock = first->clock == last->clock;
    if (one_clock && !open && !moves->places && (exact || added == 0))
        return CSY_OK;
    clip->length.kind = open ? CSY_RANGE_UNKNOWN : clip_kind(clip);
    if (clip->length.kind == CSY_RANGE_UNKNOWN)
        return CSY_OK;
    csy_status status = moves_limit_time(moves, first, last, added, &clip->length, error);
    clip->length.lo = clip->length.lo < 0 ? 0 : clip->length.lo;
    return status;
}

static bool is_time(const struct window_end *asked, const struct block_end *end)
{
    return asked->kind != END_OPEN && asked->kind != END_RECORD && !end->snaps;
}

csy_status clip_init(struct clip *clip, struct instants *in, const struct moves *moves,
                     const char *window, const struct block *section, csy_error *error)
{
    struct window_end from = {.kind = END_RECORD}, until = from;
    struct time_parts parts = {0};
    csy_status status = CSY_OK;
    *clip = (struct clip){.asked = in->records > 0 && (window || section),
                          .known = moves->known || moves->n == 1,
                          .star = moves->star,
                          .added_ticks = moves->sync->imprecision.added_ticks,
                          .within = !in->partial && solution_lives(in->sync) &&
                                    moves->sync->imprecision.added_ticks == 0,
                          .places = moves->places};
    if (!clip->asked)
        return CSY_OK;
    if (section) {
        clip->block = *section;
    } else {
        status = window_read(window, &from, &until, error);
        if (!status)
            status = find_window(&parts, in, &from, &until, 1, error);
        if (!status && parts.items)
            clip->block = parts.items[0];
        time_parts_fini(&parts);
    }
    bool all = from.kind == END_OPEN, to_end = until.kind == END_OPEN;
    if (!status)
        status = settle(in, &clip->block.first, &clip->begin, error);
    if (!status)
        status = settle(in, &clip->block.last, &clip->end, error);
    for (enum clip_as as = CLIP_ESTIMATE; as < CLIPS; as++) {
        clip->parts[as].tubes.places = clip->places;
        clip->ends[as] = malloc((moves->n + 1) * sizeof *clip->ends[as]);
        if (!status && !clip->ends[as])
            status = error_memory(error);
    }
    for (uint32_t c = 0; !status && c < moves->n; c++) {
        int64_t first[3] = {INT64_MIN, INT64_MIN, INT64_MIN};
        int64_t last[3] = {INT64_MAX, INT64_MAX, INT64_MAX};
        if (!all)
            status = place(clip, moves, &clip->begin, c, first, error);
        if (!status && !to_end)
            status = place(clip, moves, &clip->end, c, last, error);
        clip->ends[CLIP_MOST][c] = (struct clip_ends){first[0], last[2]};
        clip->ends[CLIP_ESTIMATE][c] = (struct clip_ends){first[1], last[1]};
        clip->ends[CLIP_LEAST][c] = (struct clip_ends){first[2], last[0]};
    }
    if (!status)
        status = find_length(
            clip, moves, &clip->begin, &clip->end, in->partial && (all || to_end),
            is_time(&from, &clip->block.first) && is_time(&until, &clip->block.last), error);
    if (status)
        clip_fini(clip);
    return status;
}

csy_status clip_open(struct clip *clip, csy_sync *sync, const csy_meaning *meaning,
                     const char *window, csy_error *error)
{
    struct instants in;
    struct moves moves = {0};
    csy_status status;
    *clip = (struct clip){.asked = false};
    if (!window) {
        status = places_new(sync, &clip->own_places, error);
        clip->places = clip->own_places;
        return status;
    }
    status = instants_open(&in, sync, meaning, INSTANTS_AHEAD, 0, error);
    if (status)
        return status;
    status = moves_init(&moves, sync, error);
    if (!status)
        status = clip_init(clip, &in, &moves, window, NULL, error);
    clip->own_places = moves.places;
    moves.places = NULL;
    moves_fini(&moves);
    instants_fini(&in);
    if (status)
        clip_fini(clip);
    return status;
}

void clip_fini(struct clip *clip)
{
    for (enum clip_as as = CLIP_ESTIMATE; as < CLIPS; as++) {
        free(clip->ends[as]);
        forms_fini(&clip->parts[as]);
    }
    places_free(clip->own_places);
    *clip = (struct clip){0};
}

/* --- Times ---------------------------------------------------------------------------------- */

struct moment moment_at(const struct moment *moment, int64_t global_ticks)
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
        return moment_at(begin, global_ticks);
    if (global_ticks >= end->global_ticks)
        return moment_at(end, global_ticks);
    int64_t passed = (int64_t)floor_div(local * by, global);
    return (struct moment){begin->local_ticks + passed, global_ticks, begin->clock};
}

int64_t first_reading(const csy_sync *sync, const struct moment *near, int64_t global_ticks)
{
    enum { STEPS = 64 };
    int64_t local = near->local_ticks;
    for (int i = 0; i < STEPS; i++) { /* clock rates are near 1, so the steps converge fast */
        int128 next = local + (global_ticks - placement_of(sync, near->clock, local));
        if (next == local || !fits_int64(next))
            break;
        local = (int64_t)next;
    }
    while (placement_of(sync, near->clock, local) < global_ticks)
        local++;
    while (placement_of(sync, near->clock, local - 1) >= global_ticks)
        local--;
    return local;
}

struct moment clip_cut(const struct clip *clip, const struct moment *moment, int64_t global_ticks,
                       int step)
{
    struct moment out = moment_at(moment, global_ticks);
    if (!clip->places || global_ticks == INT64_MIN || global_ticks == INT64_MAX)
        return out;
    const struct moment *ends[] = {&clip->begin, &clip->end};
    for (size_t i = 0; i < 2; i++)
        if (ends[i]->clock == out.clock && ends[i]->global_ticks == global_ticks)
            return *ends[i];
    const csy_sync *sync = clip->places->sync;
    out.local_ticks = first_reading(sync, &out, global_ticks + (step > 0)) - (step < 0);
    out.global_ticks = nearest_int64(placement_of(sync, out.clock, out.local_ticks));
    return out;
}

/* Returns `moment` or, if it is outside the window, the nearest end of the window, as a moment of
 * the same clock. */
static struct moment within(const struct clip *clip, enum clip_as as, const struct moment *moment,
                            const struct moment *begin, const struct moment *end)
{
    const struct clip_ends *ends = &clip->ends[as][moment->clock];
    int64_t ticks = moment->global_ticks;
    ticks = ticks < ends->from ? ends->from : ticks;
    ticks = ticks > ends->until ? ends->until : ticks;
    if (ticks == moment->global_ticks)
        return *moment;
    if (clip->places && as != CLIP_ESTIMATE)
        return clip_cut(clip, moment, ticks,
                        (as == CLIP_LEAST) == (ticks > moment->global_ticks) ? 1 : -1);
    return begin->clock != end->clock ? moment_at(moment, ticks)
                                      : moment_between(begin, end, ticks);
}

bool clip_time(const struct clip *clip, enum clip_as as, const struct moment *begin,
               const struct moment *end, struct moment *from, struct moment *until)
{
    bool known = clip->known && begin->clock != end->clock;
    *from = *begin;
    *until = *end;
    if (!clip->asked)
        return true;
    if (known && as == CLIP_LEAST) {
        int64_t first = clip->ends[CLIP_LEAST][begin->clock].from;
        int64_t last = clip->ends[CLIP_LEAST][end->clock].until;
        if (first == INT64_MAX || last == INT64_MIN)
            return false;
        if (begin->global_ticks < first)
            *from = clip_cut(clip, begin, first, 1);
        if (end->global_ticks > last)
            *until = clip_cut(clip, end, last, -1);
        return from->global_ticks < until->global_ticks;
    }
    if (known && as == CLIP_MOST) {
        /* Cut the duration at an end of the window only if it contains this end for all possible
         * clock offsets. Otherwise, the part in the window might become negative. */
        const struct clip_ends *b = &clip->ends[CLIP_MOST][begin->clock];
        const struct clip_ends *e = &clip->ends[CLIP_MOST][end->clock];
        if (begin->global_ticks >= b->until || end->global_ticks <= e->from)
            return false;
        if (begin->global_ticks < b->from &&
            end->global_ticks >= clip->ends[CLIP_LEAST][end->clock].from)
            *from = clip_cut(clip, begin, b->from, -1);
        if (end->global_ticks > e->until &&
            begin->global_ticks <= clip->ends[CLIP_LEAST][begin->clock].until)
            *until = clip_cut(clip, end, e->until, 1);
        return true;
    }
    const struct clip_ends *ends = &clip->ends[as][begin->clock];
    if (ends->from > ends->until)
        return false;
    *from = within(clip, as, begin, begin, end);
    *until = within(clip, as, end, begin, end);
    bool whole =
        from->global_ticks == begin->global_ticks && until->global_ticks == end->global_ticks;
    if (begin->clock == end->clock && clip->known && (clip->added_ticks > 0 || clip->places)) {
        /* allow for timestamp errors and, if clocks drift, for the error of the clock's rate */
        bool near = begin->global_ticks <= ends->until && end->global_ticks >= ends->from;
        int128 length = (int128)until->local_ticks - from->local_ticks, own;
        own = places_own(clip->places, (length < 0 ? -length : length) + clip->added_ticks);
        int64_t by = nearest_int64(clip->added_ticks + own);
        if (as == CLIP_MOST && near &&
            __builtin_add_overflow(until->local_ticks, by, &until->local_ticks))
            from->local_ticks -= by;
        int128 left = (int128)until->local_ticks - from->local_ticks - by;
        if (as == CLIP_LEAST)
            until->local_ticks = left > 0 ? from->local_ticks + (int64_t)left : from->local_ticks;
    }
    return whole || begin->clock == end->clock || from->global_ticks != until->global_ticks;
}

bool clip_meets(const struct clip *clip, enum clip_as as, const struct moment *begin,
                const struct moment *end)
{
    if (!clip->asked)
        return true;
    const struct clip_ends *b = &clip->ends[as][begin->clock], *e = &clip->ends[as][end->clock];
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
    if (!clip->asked)
        return forms_add(estimate, form, begin, end, 1);
    for (enum clip_as as = CLIP_ESTIMATE; good && as < CLIPS; as++)
        if (clip_time(clip, as, begin, end, &from, &until))
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

csy_value clip_number(const struct clip *clip, int128 estimate, int128 least, int128 most)
{
    const int64_t numbers[CLIPS] = {(int64_t)estimate, (int64_t)least, (int64_t)most};
    csy_range parts[CLIPS];
    for (enum clip_as as = CLIP_ESTIMATE; as < CLIPS; as++)
        parts[as] = (csy_range){numbers[as], numbers[as], numbers[as], CSY_RANGE_CLOCK};
    return (csy_value){.range = clip && clip->asked ? clip_range(clip, parts) : parts[0]};
}

csy_status clip_ranges(const struct clip *clip, struct forms parts[CLIPS], size_t n,
                       const struct moves *moves, csy_sync *sync, csy_range *ranges,
                       csy_error *error)
{
    csy_range *found[CLIPS] = {ranges};
    csy_status status = CSY_OK;
    for (enum clip_as as = CLIP_LEAST; as < CLIPS; as++) {
        found[as] = malloc((n + 1) * sizeof *found[as]);
        if (!status && !found[as])
            status = error_memory(error);
        if (!status)
            status = forms_ranges(&parts[as], n, moves, sync, found[as], error);
    }
    for (size_t i = 0; !status && i < n; i++)
        ranges[i] =
            clip_range(clip, (csy_range[]){ranges[i], found[CLIP_LEAST][i], found[CLIP_MOST][i]});
    FREE_ALL(found[CLIP_LEAST], found[CLIP_MOST]);
    return status;
}

/* Add up the limits of all n durations except number `but`. Returns false if a limit is unknown. */
static bool sum_others(const csy_range *times, size_t n, size_t but, int128 *least, int128 *most)
{
    bool limited = true;
    *least = *most = 0;
    for (size_t i = 0; i < n; i++) {
        if (times[i].kind == CSY_RANGE_UNKNOWN)
            return false;
        if (i == but)
            continue;
        *least += times[i].lo < 0 ? 0 : times[i].lo;
        limited &= times[i].hi < INT64_MAX;
        *most += times[i].hi < 0 ? 0 : times[i].hi;
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

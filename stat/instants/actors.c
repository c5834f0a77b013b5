/* Follows actors from record to record: periods of presence ("stays"), waits, calls, and states. */
#include "instants/actors.h"

#include "base/array.h"
#include "base/error.h"
#include "base/sort.h"
#include "trace/pex/record.h"
#include "trace/trace.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Add a complete call, and remove the calls inside of it. Returns false if out of memory. */
static bool add_done(struct calls *calls, int64_t begin, int64_t end)
{
    while (calls->ndone > 0 && calls->done[calls->ndone - 1].begin >= begin)
        calls->ndone--;
    if (calls->ndone == CALLS_DONE_MAX) {
        calls->ndone /= 2;
        memmove(calls->done, calls->done + calls->ndone, calls->ndone * sizeof *calls->done);
    }
    return ARRAY_PUSH(calls->done, calls->ndone, calls->done_capacity, {begin, end, NO_TEXT});
}

bool calls_see(struct calls *calls, enum role role, uint32_t routine, int64_t *begin, int64_t at)
{
    if (role == ROLE_CALL) {
        /* if an earlier call ends within this call, this call begins at that end */
        size_t low = 0, high = calls->ndone;
        BISECT(low, high, middle, calls->done[middle].begin < *begin);
        if (low > 0 && calls->done[low - 1].end > *begin)
            *begin = calls->done[low - 1].end;
        while (!calls->known && calls->nmissed > 0 &&
               calls->missed[calls->nmissed - 1].global_ticks > *begin &&
               calls->missed[calls->nmissed - 1].global_ticks <= at) {
            calls->nmissed--;
            calls->ignored = true;
        }
        return add_done(calls, *begin, at);
    }
    if (role == ROLE_EXIT) {
        size_t depth = calls->depth;
        if (calls->deeper > 0) {
            calls->deeper--;
            return true;
        }
        if (depth == 0) {
            if (calls->ignored || routine == NO_TEXT || calls->nmissed == CALLS_DEPTH_MAX) {
                calls->ignored = true;
                return true;
            }
            return ARRAY_PUSH(calls->missed, calls->nmissed, calls->missed_capacity, {routine, at});
        }
        while (depth > 0 && routine != NO_TEXT && calls->stack[depth - 1].routine != routine)
            depth--;
        calls->ignored |= depth == 0;
        if (depth == 0)
            return true;
        calls->depth = depth - 1;
        return add_done(calls, calls->stack[depth - 1].begin, at);
    }
    if (calls->depth == CALLS_DEPTH_MAX) {
        calls->deeper++;
        return true;
    }
    return ARRAY_PUSH(calls->stack, calls->depth, calls->stack_capacity, {at, at, routine});
}

void actors_fini(struct actors *actors)
{
    for (size_t i = 0; i < actors->count; i++) {
        FREE_ALL(actors->items[i].lasts, actors->items[i].waits, actors->items[i].calls.stack,
                 actors->items[i].calls.done, actors->items[i].calls.missed);
    }
    free(actors->items);
    keys_fini(&actors->keys);
    keys_fini(&actors->cpus);
    *actors = (struct actors){0};
}

bool actors_find(struct actors *actors, enum actor_kind kind, uint32_t id, uint32_t *out)
{
    bool added;
    return keys_find(&actors->keys, keys_pair(kind, id), out, &added) &&
           (!added || ARRAY_PUSH(actors->items, actors->count, actors->capacity,
                                 {.kind = kind,
                                  .id = id,
                                  .creator = NO_ACTOR,
                                  .unit = NO_UNIT,
                                  .base = STATE_USER}));
}

bool event_switches_in(const csy_decoded *event, uint32_t *context, uint64_t *unit)
{
    if (event->core != CSY_CORE_PPE || event->id != ID_SWITCH_IN || !event->values ||
        event->nfields < 2 || event->values[0] > UINT32_MAX)
        return false;
    *context = (uint32_t)event->values[0];
    *unit = event->values[1];
    return true;
}

bool actors_find_writer(struct actors *actors, const csy_decoded *event, uint32_t *out)
{
    bool spe = event->core == CSY_CORE_SPE;
    return event->track != CSY_NO_TRACK
               ? actors_find(actors, ACTOR_NAMED, event->track, out)
               : actors_find(actors, spe ? ACTOR_SPE : ACTOR_PPE, event->tid, out);
}

/* Add a record to the current stay of its actor, the period when the actor is present. The record
 * begins a new stay if the clock is not the clock of the actor's last record, and the actor was
 * switched since then or the order is partial. */
static csy_status see_stay(struct actors *actors, struct actor *actor, uint64_t record,
                           struct seen *out, csy_error *error)
{
    bool again = actor->records > 0;
    uint32_t clock = out->end.clock;
    out->first = !again || ((actor->switched || actors->partial) && actor->clock != clock);
    if (again && actors->partial && actor->clock == clock &&
        out->end.local_ticks < actor->first.local_ticks)
        actor->first = out->end; /* in a partial order, records may be read in another order than
                                  * they were written */
    if (out->first) {
        actor->stay += again;
        actor->first = out->end;
        actor->first_record = record;
        if (!actors->scanned) {
            if (!ARRAY_RESERVE(actor->lasts, actor->stays_capacity, actor->stay + 1))
                return error_memory(error);
            actor->nstays = actor->stay + 1;
        }
    }
    if (actor->stay >= actor->nstays)
        return error_set(error, CSY_INPUT, "the trace has changed since it was read");
    if (!actors->scanned)
        actor->lasts[actor->stay] = record;
    out->last = actor->lasts[actor->stay] == record;
    out->final = out->last && actor->stay + 1 == actor->nstays;
    actor->records++;
    actor->switched = false;
    actor->until = actors->scanned ? actor->lasts[actor->stay] : 0;
    actor->clock = clock;
    return CSY_OK;
}

/* A wait or call may begin before the actor was present. Move its begin to the first record of the
 * actor's current period of presence. */
static void clip_begin(const struct actors *actors, const struct actor *actor, struct seen *out)
{
    int128 early = (int128)actor->first.global_ticks - out->begin.global_ticks;
    if (early >= 0)
        out->begin = actor->first;
    out->ordered = early >= 0 && (early > actors->imprecision_ticks || !actors->imprecision_ticks);
    out->first_record = actor->first_record;
}

csy_status actors_see_known(struct actors *actors, uint64_t record, bool interval, struct seen *out,
                            csy_error *error)
{
    const struct event_kind *event_kind = &out->event_kind;
    bool first = !actors->begun, routine = out->routine != NO_TEXT;
    csy_status status = see_stay(actors, &actors->items[out->actor], record, out, error);
    if (status)
        return status;
    if (out->task != NO_ACTOR && (out->change == TASK_IN || out->change == TASK_OUT)) {
        actors->items[out->task].switched = actors->items[out->task].placed = true;
        actors->items[out->task].until = 0;
    }
    struct actor *actor = &actors->items[out->actor];
    if (first)
        actors->start = out->end;
    actors->begun = true;
    out->opens = actor->kind != ACTOR_SPE && actor->stay == 0;
    out->called = event_kind->calls && routine;
    bool missed = out->first && !out->called && (!out->opens || (first && !actors->partial));
    out->waits =
        interval && !missed && event_kind_may_wait(event_kind) && event_kind->state != STATE_UNSAID;
    if (out->waits) {
        /* An actor that is never switched in may already wait before its first record, but the wait
         * must begin after the first record of the trace. In a partial order, sorted_records_sort
         * checks this, as the first record is not known yet. */
        bool begun = actors->partial || out->begin.global_ticks > actors->start.global_ticks;
        if (!out->called && (!out->opens || !begun)) {
            if (out->first)
                out->waits = false;
            else
                clip_begin(actors, actor, out);
        }
    }
    out->calls =
        (event_kind->role == ROLE_ENTER && routine) || out->called || event_kind->role == ROLE_EXIT;
    actors->intervals |= out->called;
    if (!out->calls || (actors->scanned && !actors->intervals))
        return CSY_OK; /* without calls that are intervals, calls cannot cross, so their begins are
                        * correct */
    /* Only a context that was switched cannot have begun a call before its first record. */
    int64_t begin = out->begin.global_ticks, at = begin;
    enum role role = out->called ? ROLE_CALL : event_kind->role;
    if (!calls_see(&actor->calls, role, out->routine, &at, out->end.global_ticks))
        return error_memory(error);
    out->begin.global_ticks += at - begin;
    out->begin.local_ticks += at - begin;
    if (out->called && actor->placed)
        clip_begin(actors, actor, out);
    if (out->called && actor->placed && out->first) {
        out->first_record--;
        out->ordered = !actors->partial;
    }
    return CSY_OK;
}

csy_status actors_see(struct actors *actors, const csy_decoded *event, uint32_t routine,
                      struct seen *out, csy_error *error)
{
    /* a compound literal would clear the struct first, which takes twice as long */
    bool begins = event->interval && event->global_begin_ticks <= event->global_ticks;
    out->end = (struct moment){event->local_ticks, event->global_ticks, event->thread};
    out->begin =
        (struct moment){begins ? event->local_begin_ticks
                               /* otherwise, the interval seems to end before it begins, and gets no
                                * duration */
                               : event->local_ticks,
                        begins ? event->global_begin_ticks : event->global_ticks, event->thread};
    seen_begin(out, routine);
    const struct event_kind *event_kind = &out->event_kind;
    bool switches = event->core == CSY_CORE_PPE && event->values && event->nfields >= 2 &&
                    (event->id == ID_SWITCH_IN || event->id == ID_SWITCH_OUT);
    bool starts = (event_kind->role == ROLE_START || event_kind->role == ROLE_STOP) &&
                  event->values && event_kind->task < event->nfields;
    uint64_t context = switches ? event->values[0]
                       : starts ? event->values[event_kind->task]
                                : NO_UNIT;
    if (context <= UINT32_MAX) {
        out->change = switches ? event->id == ID_SWITCH_IN ? TASK_IN : TASK_OUT
                      : event_kind->role == ROLE_START ? TASK_START
                                                       : TASK_STOP;
        if (switches)
            out->unit = event->values[1];
        if (!actors_find(actors, ACTOR_SPE, (uint32_t)context, &out->task))
            return error_memory(error);
    }
    return actors_see_known(actors, event->record, event->interval, out, error);
}

void actor_spent(struct actor *actor, const struct spent *spent)
{
    struct timers *t = &actor->timers;
    if (t->count++ == 0)
        t->first = *spent;
    else
        t->several |= spent->user_ns + spent->system_ns < t->last.user_ns + t->last.system_ns ||
                      spent->runnable_ns < t->last.runnable_ns;
    t->before = t->last;
    t->last = *spent;
}

void actor_spent_itself(struct actor *actor, const struct seen *seen)
{
    struct timers *t = &actor->timers;
    if (t->count == 0 || t->last.at.local_ticks != seen->begin.local_ticks)
        return;
    t->own = t->last;
    t->own_records = actor->records;
}

void actor_begins(struct actor *actor, const struct moment *at, bool created)
{
    struct timers *t = &actor->timers;
    t->several |= created ? t->created : t->begins && !t->created;
    if (created || !t->begins)
        t->begin = *at;
    t->begins = true;
    t->created |= created;
}

void actors_again(struct actors *actors)
{
    actors->scanned = true;
    actors->begun = false;
    for (size_t i = 0; i < actors->count; i++) {
        struct actor *actor = &actors->items[i];
        actor->timers.ends = actor->records > 0 && actor->timers.own_records == actor->records;
        actor->all_records = actor->records;
        actor->records = 0;
        actor->stay = 0;
        actor->switched = actor->placed = false;
        actor->until = 0;
        struct calls *calls = &actor->calls;
        calls->depth = calls->deeper = calls->ndone = 0;
        calls->ignored = calls->known = true;
    }
}

void actor_record(struct actor *actor, const struct seen *seen, uint64_t position)
{
    actor->here |= seen->first;
    for (size_t i = actor->nwaits; seen->waits && i-- > 0;)
        if (actor->waits[i].end == position) {
            actor->nwaits--;
            for (; i < actor->nwaits; i++)
                actor->waits[i] = actor->waits[i + 1];
            break;
        }
    if (seen->event_kind.role == ROLE_STATE && !seen->waits &&
        seen->event_kind.state != STATE_UNSAID)
        actor->base = seen->event_kind.state;
    if (seen->event_kind.role == ROLE_SUSPEND)
        actor->without_core =
            seen->event_kind.state == STATE_UNSAID ? STATE_BLOCKED : seen->event_kind.state;
    if (seen->event_kind.role == ROLE_SUSPEND || seen->event_kind.role == ROLE_RESUME)
        actor->suspended = seen->event_kind.role == ROLE_SUSPEND;
    if (seen->last) {
        actor->here = false;
        actor->nwaits = 0;
    }
}

void actor_task(struct actor *actor, const struct seen *seen)
{
    actor->started = seen->change != TASK_STOP;
    if (seen->change != TASK_START)
        actor->on_unit = seen->change == TASK_IN;
    if (seen->change == TASK_IN)
        actor->unit = seen->unit;
}

bool actor_wait(struct actor *actor, const struct open_wait *wait)
{
    actor->here = true;
    return ARRAY_PUSH(actor->waits, actor->nwaits, actor->waits_capacity, *wait);
}

enum state actor_state(const struct actor *actor, uint32_t *class)
{
    *class = NO_TEXT;
    if (!actor->here)
        return actor->on_unit ? STATE_SWITCH : actor->started ? STATE_READY : STATE_ABSENT;
    if (actor->nwaits == 0)
        return actor->suspended ? actor->without_core : actor->base;
    *class = actor->waits[actor->nwaits - 1].class;
    return actor->waits[actor->nwaits - 1].state;
}

bool actor_is_spe(const struct actor *actor, const csy_sync *sync)
{
    if (actor->kind != ACTOR_NAMED)
        return actor->kind == ACTOR_SPE;
    return csy_sync_thread(sync, csy_sync_track(sync, actor->id)->thread)->kind == CSY_KIND_SPE;
}

const char *actor_name(const struct actor *actor, const csy_sync *sync, char text[ACTOR_NAME_MAX])
{
    if (actor->kind == ACTOR_NAMED)
        return csy_sync_track(sync, actor->id)->name;
    if (actor->kind == ACTOR_MEMORY)
        return "memory";
    snprintf(text, ACTOR_NAME_MAX, "%s%" PRIu32, actor->kind == ACTOR_SPE ? "spe" : "tid",
             actor->id);
    return text;
}

bool actor_fits(const struct actor *actor, const csy_sync *sync, const char *patterns)
{
    enum { PATTERN_BYTES = 256 };
    char text[ACTOR_NAME_MAX], pattern[PATTERN_BYTES];
    const char *name = actor_name(actor, sync, text);
    while (*patterns) {
        size_t size = strcspn(patterns, ",");
        snprintf(pattern, sizeof pattern, "%.*s", (int)size, patterns);
        if (size < sizeof pattern && fnmatch(pattern, name, 0) == 0)
            return true;
        patterns += size + (patterns[size] == ',');
    }
    return false;
}

csy_status actors_check_fit(const struct actors *actors, const csy_sync *sync, const char *patterns,
                            csy_error *error)
{
    bool some = !patterns || actors->count == 0;
    for (size_t i = 0; i < actors->count && !some; i++)
        some = actor_fits(&actors->items[i], sync, patterns);
    return some ? CSY_OK
                : error_set(error, CSY_USAGE, "%s: no actor matches '%s'", sync->trace->name,
                            patterns);
}

/* --- Partners --------------------------------------------------------------------------------- */

#define ANY UINT64_MAX

bool partner_number(const char *name, uint64_t *out)
{
    static const char digits[] = "0123456789";
    size_t size = strlen(name), end = size;
    if (strncmp(name, "spe", 3) == 0 && strspn(name + 3, digits) > 0) {
        size_t first = 3 + strspn(name + 3, digits);
        if (name[first] == '.' && name[first + 1] &&
            !name[first + 1 + strspn(name + first + 1, digits)])
            end = first;
    }
    size_t begin = end;
    while (begin > 0 && strchr(digits, name[begin - 1]))
        begin--;
    *out = 0;
    for (size_t i = begin; i < end; i++)
        if (__builtin_mul_overflow(*out, 10, out) ||
            __builtin_add_overflow(*out, (uint64_t)(name[i] - '0'), out))
            return false;
    return begin < end;
}

bool partners_init(struct partners *partners, const csy_sync *sync)
{
    size_t n = csy_sync_ntracks(sync);
    *partners = (struct partners){.sync = sync};
    partners->numbers = malloc((n + 1) * sizeof *partners->numbers);
    if (!partners->numbers)
        return false;
    for (uint32_t i = 0; i < n; i++) {
        const char *name = csy_sync_track(sync, i)->name;
        struct numbered_track *item = &partners->numbers[partners->nnumbers];
        uint32_t index;
        bool added;
        if (!texts_find(&partners->names, name, strlen(name), &index, &added))
            return false;
        item->track = i;
        partners->nnumbers += partner_number(name, &item->number);
    }
    SORT(partners->numbers, partners->nnumbers, compare_numbers);
    size_t kept = 0;
    for (size_t i = 0, next; i < partners->nnumbers; i = next) {
        const struct numbered_track *items = partners->numbers;
        for (next = i + 1; next < partners->nnumbers && items[next].number == items[i].number;)
            next++;
        if (next == i + 1)
            partners->numbers[kept++] = items[i];
    }
    partners->nnumbers = kept;
    return true;
}

void partners_fini(struct partners *partners)
{
    texts_fini(&partners->names);
    free(partners->numbers);
    *partners = (struct partners){0};
}

bool partners_find_name(const struct partners *partners, struct actors *actors, const char *name,
                        size_t size, uint32_t *out)
{
    uint32_t track;
    *out = NO_ACTOR;
    return !texts_look(&partners->names, name, size, &track) ||
           actors_find(actors, ACTOR_NAMED, track, out);
}

bool partners_find(const struct partners *partners, const struct event_kinds *event_kinds,
                   struct actors *actors, const csy_decoded *event,
                   const struct event_kind *event_kind, enum field_role role, uint32_t *out)
{
    const struct field_at *field = event_kinds_field(event_kinds, event_kind, role);
    uint64_t number;
    uint32_t track;
    csy_text text;
    *out = NO_ACTOR;
    if (fields_text(field, &event_kinds->columns, event, &text) &&
        texts_look(&partners->names, text.bytes, text.size, &track))
        return actors_find(actors, ACTOR_NAMED, track, out);
    if (!fields_number(field, &event_kinds->columns, event, &number) || number == ANY)
        return true;
    if (event->track != CSY_NO_TRACK) {
        const struct numbered_track *tracks = partners->numbers;
        size_t low = 0, high = partners->nnumbers;
        BISECT(low, high, middle, tracks[middle].number < number);
        return low == partners->nnumbers || tracks[low].number != number ||
               actors_find(actors, ACTOR_NAMED, tracks[low].track, out);
    }
    enum actor_kind kind = field->of == OF_TID || role == FIELD_THREAD ? ACTOR_PPE : ACTOR_SPE;
    return number >= UINT32_MAX || actors_find(actors, kind, (uint32_t)number, out);
}

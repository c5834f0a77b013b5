/* csy_sync_waits makes sheets of waits, locks, and barriers. */
#include "analysis/run/sheets.h"
#include "analysis/run/skim.h"
#include "analysis/window/window.h"
#include "base/array.h"
#include "base/error.h"
#include "base/sort.h"
#include "trace/source.h"

#include <stdlib.h>
#include <string.h>

/* Arrivals are the moments when actors reach a barrier or a collective operation. The k-th arrivals
 * of all actors at one barrier form an instance. Its spread is the time from its first to its last
 * arrival. The limits of the time between any two arrivals give the range of the spread. */

struct arrival {
    struct moment at;
    uint32_t actor;
    bool meant; /* true if waits.actors_meant selects the actor */
    uint32_t name;
    uint64_t instance; /* number of earlier arrivals of the actor at this barrier */
};

struct arrivals {
    csy_sync *sync;
    const struct clip *clip;
    struct clock_pairs pairs; /* limits of the offsets between clocks; unused if clocks drift */
    struct arrival *items;
    size_t count, capacity;
    struct texts names;  /* names of barriers, each after 8 bytes that identify its group */
    struct texts groups; /* names of groups, such as communicators */
    uint32_t *group_of;  /* for each barrier: index of its group's name */
    size_t ngroup_of, group_of_capacity;
    struct texts turns; /* pairs of a barrier and an actor that has arrived at it */
    uint64_t *counts;   /* [i]: how many times the actor of pair i has arrived */
    size_t ncounts, counts_capacity;
};

/* Comparing all pairs of more arrivals than this would take too long. */
enum { PAIRWISE_MAX = 256 };

static int compare(const void *a, const void *b)
{
    const struct arrival *x = a, *y = b;
    return 8 * COMPARE(x->name, y->name) + 4 * COMPARE(x->instance, y->instance) +
           2 * COMPARE(x->at.global_ticks, y->at.global_ticks) + COMPARE(x->actor, y->actor);
}

/* All actors' k-th arrivals at one barrier, sorted by estimated time. */
struct instance {
    const struct arrival *items;
    size_t count;
    csy_range spread;
    size_t rival; /* index of the other arrival that may be the latest, or `count` if no other one
                   * can have been last */
};

/* How many ticks after one actor another actor arrived at a barrier: at most and at least. */
struct lateness {
    int128 most, least;
    bool no_most, no_least;
};

static struct lateness gap_of(const struct arrivals *all, const struct moment *from,
                              const struct moment *to)
{
    int128 ticks = moments_apart(from, to);
    int64_t less = 0, more = 0;
    if (from != to)
        clock_pairs_apart(&all->pairs, all->clip->places, all->sync->imprecision.added_ticks, from,
                          to, &less, &more);
    struct lateness gap = {ticks, ticks, more == MOVES_NONE, less == MOVES_NONE};
    gap.most += gap.no_most ? 0 : more;
    gap.least -= gap.no_least ? 0 : less;
    return gap;
}

/* The actor with the latest estimated time may not have arrived last. Find the other actor that may
 * have arrived the longest time after it. */
static void find_rival(const struct arrivals *all, struct instance *instance)
{
    const struct moment *last = &instance->items[instance->count - 1].at;
    int128 latest = 0;
    for (size_t i = 0; i < instance->count; i++) {
        struct lateness gap = gap_of(all, last, &instance->items[i].at);
        int128 beyond = gap.no_most ? INT64_MAX : gap.most;
        if (beyond > latest) {
            latest = beyond;
            instance->rival = i;
        }
    }
}

static void ends_of(const struct arrivals *all, const struct arrival *item, int128 *lo, int128 *hi)
{
    places_limits(all->clip->places, all->sync, &item->at, all->sync->imprecision.added_ticks, lo,
                  hi);
}

/* Find the time between the first and the last arrival from the earliest and the latest possible
 * time of each arrival. Cost: O(arrivals). */
static csy_status measure_ends(const struct arrivals *all, struct instance *instance,
                               csy_error *error)
{
    int128 first[2] = {INT64_MAX, INT64_MAX}, last[2] = {INT64_MIN, INT64_MIN}, lo, hi;
    for (size_t i = 0; i < instance->count; i++) {
        ends_of(all, &instance->items[i], &lo, &hi);
        first[0] = lo < first[0] ? lo : first[0];
        first[1] = hi < first[1] ? hi : first[1];
        last[0] = lo > last[0] ? lo : last[0];
        last[1] = hi > last[1] ? hi : last[1];
    }
    int128 beyond;
    ends_of(all, &instance->items[instance->count - 1], &beyond, &hi);
    for (size_t i = 0; i + 1 < instance->count; i++) {
        ends_of(all, &instance->items[i], &lo, &hi);
        if (hi > beyond) {
            beyond = hi;
            instance->rival = i;
        }
    }
    int128 least = last[0] > first[1] ? last[0] - first[1] : 0, most = last[1] - first[0];
    bool no_most = first[0] == INT64_MIN || last[1] == INT64_MAX;
    if (!fits_int64(least) || (!no_most && !fits_int64(most)))
        return error_set(error, CSY_INPUT, "a time does not fit 64 bits");
    instance->spread.lo = (int64_t)least;
    instance->spread.hi = no_most ? INT64_MAX : (int64_t)most;
    instance->spread.kind = CSY_RANGE_STAR;
    return CSY_OK;
}

static csy_status measure(const struct arrivals *all, struct instance *instance, csy_error *error)
{
    size_t n = instance->count;
    const struct moment *last = &instance->items[n - 1].at;
    int128 estimate = moments_apart(&instance->items[0].at, last);
    bool crosses = false;
    if (!fits_int64(estimate))
        return error_set(error, CSY_INPUT, "a time does not fit 64 bits");
    for (size_t i = 0; i + 1 < n; i++)
        crosses |= instance->items[i].at.clock != last->clock;
    instance->rival = n;
    instance->spread = (csy_range){(int64_t)estimate, (int64_t)estimate, (int64_t)estimate,
                                   crosses ? CSY_RANGE_UNKNOWN : CSY_RANGE_CLOCK};
    /* if one clock has measured all arrivals, only timestamp errors can hide which one was last */
    if (!crosses && all->sync->ranges != CSY_RANGES_NONE)
        find_rival(all, instance);
    if (!crosses || all->pairs.kind == CSY_RANGE_UNKNOWN)
        return CSY_OK;
    if (n > PAIRWISE_MAX)
        return measure_ends(all, instance, error);
    int128 most = 0, least = 0;
    bool no_most = false;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            struct lateness gap = gap_of(all, &instance->items[i].at, &instance->items[j].at);
            no_most |= gap.no_most;
            most = gap.most > most ? gap.most : most;
            least = !gap.no_least && gap.least > least ? gap.least : least;
        }
    find_rival(all, instance);
    if (!fits_int64(most) || !fits_int64(least))
        return error_set(error, CSY_INPUT, "a time does not fit 64 bits");
    instance->spread.lo = (int64_t)least;
    instance->spread.hi = no_most ? INT64_MAX : (int64_t)most;
    instance->spread.kind = all->pairs.kind;
    return CSY_OK;
}

static size_t length_of(const struct arrivals *all, size_t first)
{
    const struct arrival *items = all->items;
    size_t next = first;
    while (next < all->count && items[next].name == items[first].name &&
           items[next].instance == items[first].instance)
        next++;
    return next - first;
}

static csy_value actor_text(csy_analysis *out, const struct actors *actors, const csy_sync *sync,
                            uint32_t actor)
{
    char name[ACTOR_NAME_MAX];
    return sheets_text(out, actor_name(&actors->items[actor], sync, name));
}

static csy_status arrivals_write(struct arrivals *all, const struct actors *actors,
                                 csy_analysis *out, csy_error *error)
{
    const csy_column columns[] = {TEXT_COLUMN("event"),
                                  TEXT_COLUMN("group"),
                                  COUNT_COLUMN("instance", false),
                                  COUNT_COLUMN("arrivals", all->clip->asked),
                                  TICKS_COLUMN("spread", true),
                                  TEXT_COLUMN("last"),
                                  TEXT_COLUMN("rival")};
    SHEETS_ADD(out, "barriers", columns);
    SORT(all->items, all->count, compare);
    for (size_t i = 0, n; i < all->count; i += n) {
        n = length_of(all, i);
        for (size_t a = i; n <= PAIRWISE_MAX && !all->clip->places && a < i + n; a++)
            for (size_t b = a + 1; b < i + n; b++) {
                uint32_t s = all->items[a].at.clock, t = all->items[b].at.clock, pair;
                if (s != t && !clock_pairs_add(&all->pairs, s, t, &pair))
                    return error_memory(error);
            }
    }
    csy_status status = clock_pairs_find(&all->pairs, all->sync, error);
    for (size_t i = 0, n; i < all->count && !status; i += n) {
        n = length_of(all, i);
        struct instance instance = {.items = all->items + i, .count = n};
        csy_text name = texts_text(&all->names, instance.items->name);
        const size_t before = sizeof(uint64_t); /* a name in all->names begins with 8 bytes that
                                                 * identify its group */
        uint32_t group = all->group_of[instance.items->name];
        uint64_t numbers[CLIPS] = {0};
        bool meant = false;
        for (size_t k = 0; k < n; k++) {
            meant |= instance.items[k].meant;
            for (enum clip_as as = CLIP_ESTIMATE; as < CLIPS; as++)
                numbers[as] += clip_has(all->clip, as, &instance.items[k].at);
        }
        if (!meant || numbers[CLIP_ESTIMATE] + numbers[CLIP_MOST] == 0)
            continue;
        status = measure(all, &instance, error);
        if (status)
            continue;
        SHEETS_ROW(out, sheets_bytes(out, name.bytes + before, name.size - before),
                   all->groups.items[group].size > 0 ? sheets_item(out, &all->groups, group)
                                                     : SHEETS_NONE,
                   sheets_number((int64_t)instance.items->instance), clip_count(all->clip, numbers),
                   sheets_range(instance.spread),
                   actor_text(out, actors, all->sync, instance.items[n - 1].actor),
                   instance.rival < n
                       ? actor_text(out, actors, all->sync, instance.items[instance.rival].actor)
                   : instance.spread.kind == CSY_RANGE_UNKNOWN ? sheets_constant("?")
                                                               : SHEETS_NONE);
    }
    return status;
}

/* --- Waits --------------------------------------------------------------------------------- */

#define MICRO 1000000

struct sum {
    uint64_t count, misses;
    int128 ticks;
    int64_t greatest_ticks;
    bool odd_misses; /* true if an event reports an impossibly large number of misses */
};

struct wait {
    uint32_t class, object; /* index of the kind of waiting, and index of the object or NO_TEXT */
    struct sum sums[CLIPS];
};

/* How one actor used a lock. */
struct hold {
    uint32_t object, actor;
    bool got;
    bool holds;
    struct moment since;
    uint64_t times[CLIPS];
    struct sum waits[CLIPS]; /* waits of others for the lock, when this actor was its last holder */
};

/* A lock. `last` is the index of its last holder in waits.holds, or NO_TEXT. */
struct lock {
    uint32_t last;
    bool released; /* false if no event releases the lock, so that it is unknown how long it was
                    * held */
};

/* The period when an actor is present on its current clock. An SPE context has another clock after
 * it was switched out and in. Its waits cannot begin before this period. */
struct stay {
    uint32_t clock;
    int64_t first_ticks;
    bool begun, switched;
    bool meant; /* true if the name of the actor matches waits.actors_meant */
};

struct waits {
    csy_sync *sync;
    csy_events *events;
    const char *actors_meant; /* name patterns of the included actors, or NULL for all actors */
    struct event_kinds event_kinds;
    struct actors actors;
    struct texts objects, processes, wait_keys, hold_keys;
    struct wait *waits;
    size_t nwaits, waits_capacity;
    struct hold *holds;
    size_t nholds, holds_capacity;
    struct lock *locks;
    size_t nlocks, locks_capacity;
    struct stay *stays;
    size_t nstays, stays_capacity;
    struct forms forms;
    struct arrivals arrivals;
    struct clip clip;
};

/* Find the number of the object that an event is about, or NO_TEXT. This and other functions that
 * return bool return false if out of memory. */
static bool find_object(struct waits *w, const csy_decoded *event,
                        const struct event_kind *event_kind, uint32_t *out)
{
    char number[VALUE_TEXT_MAX];
    csy_text text = {number, 0};
    uint64_t value;
    bool added;
    *out = NO_TEXT;
    if (event_kinds_number(&w->event_kinds, event_kind, event, FIELD_OBJECT, &value))
        text.size = (size_t)(event_kinds_put_number(&w->event_kinds, event_kind, event,
                                                    FIELD_OBJECT, value, number) -
                             number);
    else if (!event_kinds_text(&w->event_kinds, event_kind, event, FIELD_OBJECT, &text))
        return true;
    return texts_find(&w->objects, text.bytes, text.size, out, &added);
}

/* --- As events come --- */

static struct stay *find_stay(struct waits *w, uint32_t actor)
{
    if (!ARRAY_RESERVE(w->stays, w->stays_capacity, (size_t)actor + 1))
        return NULL;
    for (; w->nstays <= actor; w->nstays++)
        w->stays[w->nstays] =
            (struct stay){.meant = !w->actors_meant || actor_fits(&w->actors.items[w->nstays],
                                                                  w->sync, w->actors_meant)};
    return &w->stays[actor];
}

static csy_status add_to_sums(const struct waits *w, struct sum sums[CLIPS],
                              const struct moment *begin, const struct moment *end, uint64_t misses,
                              csy_error *error)
{
    for (enum clip_as as = CLIP_ESTIMATE; as < (w->clip.asked ? CLIPS : CLIP_LEAST); as++) {
        struct moment from, until;
        if (!clip_meets(&w->clip, as, begin, end) ||
            !clip_time(&w->clip, as, begin, end, &from, &until))
            continue;
        int128 ticks = moments_apart(&from, &until);
        struct sum *sum = &sums[as];
        sum->count++;
        sum->odd_misses |= misses > INT32_MAX;
        sum->misses += misses > INT32_MAX ? 0 : misses;
        sum->ticks += ticks;
        if (!fits_int64(sum->ticks))
            return error_set(error, CSY_INPUT, "a time does not fit 64 bits");
        if (ticks > sum->greatest_ticks)
            sum->greatest_ticks = (int64_t)ticks;
    }
    return CSY_OK;
}

static bool find_hold(struct waits *w, uint32_t object, uint32_t actor, uint32_t *out)
{
    const uint32_t key[2] = {object, actor};
    bool added;
    return texts_find(&w->hold_keys, (const char *)key, sizeof key, out, &added) &&
           (!added || ARRAY_PUSH(w->holds, w->nholds, w->holds_capacity,
                                 {.object = object, .actor = actor})) &&
           ARRAY_EXTEND(w->locks, w->nlocks, w->locks_capacity, w->objects.count,
                        {.last = NO_TEXT});
}

static bool release(struct waits *w, uint32_t object, uint32_t actor, const struct moment *at)
{
    uint32_t index;
    if (!find_hold(w, object, actor, &index))
        return false;
    struct hold *hold = &w->holds[index];
    bool held = hold->holds;
    w->locks[object].released = true;
    hold->holds = false;
    if (!held || !w->stays[actor].meant)
        return true;
    for (enum clip_as as = CLIP_ESTIMATE; as < CLIPS; as++)
        hold->times[as] += clip_meets(&w->clip, as, &hold->since, at);
    return clip_add(&w->clip, &w->forms, index, &hold->since, at);
}

/* Add an arrival at a barrier. The event's name and communicator identify the barrier or, without a
 * communicator, its name, process, and object. */
static bool add_arrival(struct waits *w, const csy_decoded *event,
                        const struct event_kind *event_kind, const struct arrival *arrival,
                        uint32_t object)
{
    uint64_t group = 0; /* identifies the communicator or the object */
    csy_text called = {"", 0};
    char digits[NUMBER_DIGITS_MAX];
    uint32_t process = 0; /* index of the part before '/' in the thread's name HOST.PID/NAME */
    bool added;
    const char *thread = event->track == CSY_NO_TRACK ? "" : w->sync->tracks[event->track].name;
    const char *slash = strchr(thread, '/');
    if (event_kind->role == ROLE_BARRIER && object != NO_TEXT &&
        !texts_find(&w->processes, thread, slash ? (size_t)(slash - thread) : 0, &process, &added))
        return false;
    if (event_kinds_number(&w->event_kinds, event_kind, event, FIELD_COMM, &group)) {
        if (group == 0 && w->sync->trace->source->folder)
            return true;
        const char *end = number_put_unsigned(digits, group);
        called = (csy_text){digits, (size_t)(end - digits)};
    } else if (event_kind->role == ROLE_BARRIER && object != NO_TEXT) {
        group = (uint64_t)process << 32 | object;
        called = texts_text(&w->objects, object);
    }
    struct arrivals *all = &w->arrivals;
    uint32_t key[2] = {0, arrival->actor}, turn;
    char text[sizeof group + 200];
    size_t size = event->name_size < 200 ? event->name_size : 200;
    bool new;
    memcpy(text, &group, sizeof group);
    if (size > 0)
        memcpy(text + sizeof group, event->name, size);
    if (!texts_find(&all->names, text, sizeof group + size, &key[0], &new) ||
        (new && (!ARRAY_RESERVE(all->group_of, all->group_of_capacity, all->names.count) ||
                 !texts_find(&all->groups, called.bytes, called.size,
                             &all->group_of[all->ngroup_of++], &added))) ||
        !texts_find(&all->turns, (const char *)key, sizeof key, &turn, &added) ||
        !ARRAY_EXTEND_ZERO(all->counts, all->ncounts, all->counts_capacity, all->turns.count) ||
        !ARRAY_RESERVE(all->items, all->capacity, all->count + 1))
        return false;
    struct arrival *item = &all->items[all->count++];
    *item = *arrival;
    item->name = key[0];
    item->instance = all->counts[turn]++;
    return true;
}

static csy_status take_wait(struct waits *w, const csy_decoded *event,
                            const struct event_kind *event_kind, uint32_t actor,
                            const struct stay *stay, csy_error *error)
{
    const struct moment end = {event->local_ticks, event->global_ticks, event->thread};
    struct moment begin = {event->local_begin_ticks, event->global_begin_ticks, event->thread};
    if (!event->interval || begin.local_ticks > event->local_ticks) {
        begin.local_ticks = event->local_ticks;
        begin.global_ticks = event->global_ticks;
    }
    if (stay->switched && begin.local_ticks < stay->first_ticks) {
        int64_t late = stay->first_ticks - begin.local_ticks;
        begin.local_ticks += late;
        begin.global_ticks += late;
    }
    uint64_t misses = 0;
    uint32_t object;
    csy_status status = CSY_OK;
    if (!find_object(w, event, event_kind, &object))
        return error_memory(error);
    if (event_kind->role == ROLE_ACQUIRE)
        (void)event_kinds_number(&w->event_kinds, event_kind, event, FIELD_VALUE, &misses);
    if (event->interval && event_kind->class != NO_TEXT && event_kind->role != ROLE_STATE &&
        stay->meant) {
        const uint32_t key[2] = {event_kind->class, object};
        uint32_t index;
        bool added;
        if (!texts_find(&w->wait_keys, (const char *)key, sizeof key, &index, &added) ||
            (added && !ARRAY_PUSH(w->waits, w->nwaits, w->waits_capacity,
                                  {.class = event_kind->class, .object = object})))
            return error_memory(error);
        status = add_to_sums(w, w->waits[index].sums, &begin, &end, misses, error);
    }
    if (!status && event_kind->role == ROLE_ACQUIRE && object != NO_TEXT) {
        /* in a known order of records, the actor has waited for the lock's last holder */
        uint32_t index;
        if (!find_hold(w, object, actor, &index))
            return error_memory(error);
        struct lock *lock = &w->locks[object];
        if (lock->last != NO_TEXT && lock->last != index && moments_apart(&begin, &end) > 0 &&
            !w->sync->partial && stay->meant)
            status = add_to_sums(w, w->holds[lock->last].waits, &begin, &end, 0, error);
        lock->last = index;
        w->holds[index].got = w->holds[index].holds = true;
        w->holds[index].since = end;
    }
    const struct arrival arrival = {.at = begin, .actor = actor, .meant = stay->meant};
    bool arrives = event_kind->role == ROLE_BARRIER || event_kind->role == ROLE_COLLECTIVE;
    bool releases = event_kind->role == ROLE_RELEASE && object != NO_TEXT;
    if (!status && ((releases && !release(w, object, actor, &end)) ||
                    (arrives && !add_arrival(w, event, event_kind, &arrival, object))))
        status = error_memory(error);
    return status;
}

static csy_status take_event(void *user, const csy_decoded *event, csy_error *error)
{
    struct waits *w = user;
    struct event_kind event_kind;
    struct stay *stay;
    uint32_t actor, context;
    uint64_t unit;
    if (!event_kinds_find(&w->event_kinds, w->events, event, &event_kind))
        return error_memory(error);
    if (event_switches_in(event, &context, &unit)) {
        stay = actors_find(&w->actors, ACTOR_SPE, context, &actor) ? find_stay(w, actor) : NULL;
        if (!stay)
            return error_memory(error);
        stay->switched = true;
    }
    stay = actors_find_writer(&w->actors, event, &actor) ? find_stay(w, actor) : NULL;
    if (!stay)
        return error_memory(error);
    if (!stay->begun || stay->clock != event->thread)
        *stay = (struct stay){event->thread, event->local_ticks, true, stay->switched, stay->meant};
    return take_wait(w, event, &event_kind, actor, stay, error);
}

/* --- Tables --- */

static int compare_waits(const void *a, const void *b)
{
    const struct wait *x = a, *y = b;
    return 2 * COMPARE(x->class, y->class) + COMPARE(x->object, y->object);
}

/* Returns ticks / count in millionths of a tick, rounded up if `up` is true, otherwise down. */
static int128 mean_of(int128 ticks, uint64_t count, bool up)
{
    return up ? ceil_div(ticks * MICRO, count) : floor_div(ticks * MICRO, count);
}

/* For the lower end of the range, waits that may be outside the requested part of the trace count
 * as 0 ticks; for the upper end, they count as the longest wait. */
static csy_value mean_wait(const struct waits *w, const struct sum sums[CLIPS])
{
    const struct sum *estimate = &sums[CLIP_ESTIMATE];
    const struct sum *least = &sums[CLIP_LEAST], *most = &sums[CLIP_MOST];
    int128 mean = estimate->count > 0 ? mean_of(estimate->ticks, estimate->count, false) : 0;
    if (estimate->count == 0 || !fits_int64(mean))
        return SHEETS_NONE;
    if (!w->clip.asked ||
        (w->clip.known && least->count == most->count && least->ticks == most->ticks))
        return sheets_number((int64_t)mean);
    int128 lo = mean_of(least->ticks, most->count, false);
    int128 hi = mean_of(most->greatest_ticks, 1, true);
    if (least->count > 0 && mean_of(most->ticks, least->count, true) < hi)
        hi = mean_of(most->ticks, least->count, true);
    return sheets_range((csy_range){(int64_t)mean, lo < mean ? (int64_t)lo : (int64_t)mean,
                                    hi <= mean ? (int64_t)mean : nearest_int64(hi),
                                    clip_kind(&w->clip)});
}

static void add_waits(struct waits *w, csy_analysis *out)
{
    bool cut = w->clip.asked;
    const csy_column columns[] = {TEXT_COLUMN("class"),       TEXT_COLUMN("object"),
                                  COUNT_COLUMN("count", cut), TICKS_COLUMN("time", cut),
                                  MICRO_COLUMN("mean", cut),  TICKS_COLUMN("greatest", cut),
                                  COUNT_COLUMN("misses", cut)};
    SHEETS_ADD(out, "waits", columns);
    SORT(w->waits, w->nwaits, compare_waits);
    for (size_t i = 0; i < w->nwaits; i++) {
        const struct wait *wait = &w->waits[i];
        const struct sum *sums = wait->sums, *sum = &sums[CLIP_ESTIMATE];
        const struct sum *least = &sums[CLIP_LEAST], *most = &sums[CLIP_MOST];
        if (cut && sum->count + most->count == 0)
            continue;
        SHEETS_ROW(
            out, sheets_item(out, &w->event_kinds.classes, wait->class),
            sheets_item(out, &w->objects, wait->object),
            clip_number(&w->clip, sum->count, least->count, most->count),
            clip_number(&w->clip, sum->ticks, least->ticks, most->ticks), mean_wait(w, sums),
            clip_number(&w->clip, sum->greatest_ticks, least->greatest_ticks, most->greatest_ticks),
            sum->odd_misses || most->odd_misses
                ? SHEETS_NONE
                : clip_number(&w->clip, sum->misses, least->misses, most->misses));
    }
}

static void add_locks(const struct waits *w, csy_analysis *out, const csy_range *held)
{
    bool cut = w->clip.asked;
    const csy_column columns[] = {TEXT_COLUMN("object"),      TEXT_COLUMN("holder"),
                                  COUNT_COLUMN("holds", cut), TICKS_COLUMN("held", true),
                                  COUNT_COLUMN("waits", cut), TICKS_COLUMN("waited", cut)};
    SHEETS_ADD(out, "locks", columns);
    for (size_t i = 0; i < w->nholds; i++) {
        const struct hold *hold = &w->holds[i];
        const uint64_t *times = hold->times;
        const struct sum *waits = hold->waits;
        bool waited = waits[CLIP_ESTIMATE].count + waits[CLIP_MOST].count > 0;
        bool there = !cut || times[CLIP_ESTIMATE] + times[CLIP_MOST] > 0;
        bool told = hold->got && (waited || (there && w->stays[hold->actor].meant));
        if (!told)
            continue;
        bool held_known = w->locks[hold->object].released && w->stays[hold->actor].meant;
        /* in a partial order, the previous holder is unknown */
        bool waits_known = !w->sync->partial;
        const struct sum *least = &waits[CLIP_LEAST], *most = &waits[CLIP_MOST];
        SHEETS_ROW(out, sheets_item(out, &w->objects, hold->object),
                   actor_text(out, &w->actors, w->sync, hold->actor),
                   held_known ? clip_count(&w->clip, times) : SHEETS_NONE,
                   held_known ? sheets_range(held[i]) : SHEETS_NONE,
                   waits_known ? clip_number(&w->clip, waits->count, least->count, most->count)
                               : SHEETS_NONE,
                   waits_known ? clip_number(&w->clip, waits->ticks, least->ticks, most->ticks)
                               : SHEETS_NONE);
    }
}

csy_status csy_sync_waits(csy_sync *sync, const csy_meaning *meaning, const char *actors,
                          const char *window, csy_analysis **out, csy_error *error)
{
    struct waits w = {
        .sync = sync, .actors_meant = actors, .arrivals = {.sync = sync, .clip = &w.clip}};
    csy_status status = sync->read ? CSY_OK : solution_check_feasible(sync, error);
    if (!status)
        status = clip_open(&w.clip, sync, meaning, window, error);
    if (status)
        return status;
    w.forms.tubes.places = w.clip.places;
    status = csy_events_open(sync, &w.events, error);
    if (!status)
        status = event_kinds_init(&w.event_kinds, sync->trace, meaning, w.events, error);
    struct event_pass pass = {
        .sync = sync, .events = w.events, .event_kinds = &w.event_kinds, .matters = skim_waits};
    if (!status)
        status = events_each(&pass, take_event, &w, error);
    csy_events_free(w.events);
    if (!status)
        status = instants_check_fit(&w.actors, sync, meaning, actors, error);
    if (!status) {
        csy_range *held = malloc((w.nholds + 1) * sizeof *held);
        csy_analysis *analysis = calloc(1, sizeof *analysis);
        status = held && analysis ? CSY_OK : error_memory(error);
        if (!status)
            status = forms_ranges(&w.forms, w.nholds, NULL, sync, held, error);
        if (!status && w.clip.asked)
            status = clip_ranges(&w.clip, w.clip.parts, w.nholds, NULL, sync, held, error);
        if (!status) {
            add_waits(&w, analysis);
            add_locks(&w, analysis, held);
            status = arrivals_write(&w.arrivals, &w.actors, analysis, error);
        }
        free(held);
        status = sheets_finish(status, analysis, out, error);
    }
    event_kinds_fini(&w.event_kinds);
    actors_fini(&w.actors);
    texts_fini(&w.objects);
    texts_fini(&w.processes);
    texts_fini(&w.wait_keys);
    texts_fini(&w.hold_keys);
    forms_fini(&w.forms);
    clock_pairs_fini(&w.arrivals.pairs);
    texts_fini(&w.arrivals.names);
    texts_fini(&w.arrivals.groups);
    texts_fini(&w.arrivals.turns);
    clip_fini(&w.clip);
    FREE_ALL(w.waits, w.holds, w.locks, w.stays, w.arrivals.items, w.arrivals.counts,
             w.arrivals.group_of);
    return sheets_name_window(status, out, window, error);
}

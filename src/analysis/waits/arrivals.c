/* Arrivals: who came when to barriers and collective operations. */
#include "analysis/waits/arrivals.h"

#include "analysis/ranges/clock_pairs.h"
#include "analysis/run/sheets.h"
#include "analysis/window/clip.h"
#include "base/array.h"
#include "base/error.h"

#include <stdlib.h>
#include <string.h>

/* Of more arrivals not each pair is looked at. */
enum { PAIRWISE_MAX = 256 };

void arrivals_fini(struct arrivals *arrivals)
{
    free(arrivals->items);
    free(arrivals->counts);
    texts_fini(&arrivals->names);
    texts_fini(&arrivals->groups);
    free(arrivals->group_of);
    texts_fini(&arrivals->turns);
    *arrivals = (struct arrivals){0};
}

/* The group, then the name. */
static bool find_name(struct arrivals *arrivals, csy_text name, const struct arrival_group *group,
                      uint32_t *out)
{
    const size_t before = sizeof group->number;
    char text[sizeof group->number + 200];
    size_t size = name.size < 200 ? name.size : 200;
    bool added, new;
    memcpy(text, &group->number, before);
    if (size > 0)
        memcpy(text + before, name.bytes, size);
    if (!texts_find(&arrivals->names, text, before + size, out, &new))
        return false;
    return !new ||
           (ARRAY_RESERVE(arrivals->group_of, arrivals->group_of_capacity, arrivals->names.count) &&
            texts_find(&arrivals->groups, group->called.bytes, group->called.size,
                       &arrivals->group_of[arrivals->ngroup_of++], &added));
}

bool arrivals_add(struct arrivals *arrivals, csy_text name, const struct arrival_group *group,
                  const struct arrival *arrival)
{
    uint32_t key[2] = {0, arrival->actor}, turn;
    bool added;
    if (!find_name(arrivals, name, group, &key[0]) ||
        !texts_find(&arrivals->turns, (const char *)key, sizeof key, &turn, &added) ||
        !ARRAY_RESERVE(arrivals->counts, arrivals->counts_capacity, arrivals->turns.count) ||
        !ARRAY_RESERVE(arrivals->items, arrivals->capacity, arrivals->count + 1))
        return false;
    if (added)
        arrivals->counts[arrivals->ncounts++] = 0;
    arrivals->items[arrivals->count++] =
        (struct arrived){key[0], arrivals->counts[turn]++, *arrival};
    return true;
}

static int compare(const void *a, const void *b)
{
    const struct arrived *x = a, *y = b;
    if (x->name != y->name)
        return x->name > y->name ? 1 : -1;
    if (x->instance != y->instance)
        return x->instance > y->instance ? 1 : -1;
    int64_t s = x->arrival.at.global_ticks, t = y->arrival.at.global_ticks;
    return s != t ? (s > t ? 1 : -1)
                  : (x->arrival.actor > y->arrival.actor) - (x->arrival.actor < y->arrival.actor);
}

/* An instance; its arrivals are in the order of their estimates. */
struct instance {
    const struct arrived *items;
    size_t count;
    csy_range arrivals, spread;
    size_t rival; /* who may have come last instead, or count */
};

/* How long after one another came, at most and at least. */
struct lateness {
    int128 most, least;
    bool no_most, no_least;
};

/* Between any two clocks of one instance; how they move is found once. */
struct clocks_apart {
    struct clock_pairs pairs;
    int64_t added_ticks;
};

static struct lateness gap_of(const struct clocks_apart *gaps, const struct moment *from,
                              const struct moment *to)
{
    int128 ticks = moments_apart(from, to);
    struct lateness gap = {ticks, ticks, false, false};
    if (from->clock == to->clock) {
        int64_t added = from == to ? 0 : gaps->added_ticks;
        gap.most += added;
        gap.least -= added;
        return gap;
    }
    const struct moving_pair *pair = clock_pairs_look(&gaps->pairs, from->clock, to->clock);
    bool back = to->clock < from->clock;
    int64_t up = back ? pair->down : pair->up, down = back ? pair->up : pair->down;
    gap.no_most = up == MOVES_NONE;
    gap.no_least = down == MOVES_NONE;
    gap.most += gap.no_most ? 0 : (int128)up + gaps->added_ticks;
    gap.least -= gap.no_least ? 0 : (int128)down + gaps->added_ticks;
    return gap;
}

/* Any two of an instance. */
static csy_status measure_pairs(const struct clocks_apart *gaps, struct instance *instance,
                                csy_error *error)
{
    size_t n = instance->count;
    int128 most = 0, least = 0, latest = 0;
    bool no_most = false;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            struct lateness gap =
                gap_of(gaps, &instance->items[i].arrival.at, &instance->items[j].arrival.at);
            int128 beyond = gap.no_most ? INT64_MAX : gap.most;
            no_most |= gap.no_most;
            most = gap.most > most ? gap.most : most;
            least = !gap.no_least && gap.least > least ? gap.least : least;
            if (i == n - 1 && beyond > latest) {
                latest = beyond;
                instance->rival = j;
            }
        }
    if (!fits_int64(most) || !fits_int64(least))
        return error_set(error, CSY_INPUT, "a time leaves 64 bits");
    instance->spread.lo = (int64_t)least;
    instance->spread.hi = no_most ? INT64_MAX : (int64_t)most;
    instance->spread.kind = gaps->pairs.kind;
    return CSY_OK;
}

/* When an arrival was at the earliest and at the latest, by the bound to the reference. */
static void ends_of(const csy_sync *sync, const struct arrived *item, int128 *lo, int128 *hi)
{
    const struct moment *at = &item->arrival.at;
    const csy_thread *thread = &sync->views[at->clock];
    int64_t added = sync->imprecision.added_ticks;
    int128 early = (int128)thread->offset_ticks - thread->earliest_ticks;
    int128 late = (int128)thread->latest_ticks - thread->offset_ticks;
    *lo = thread->earliest_ticks == INT64_MIN ? INT64_MIN : at->global_ticks - early - added;
    *hi = thread->latest_ticks == INT64_MAX ? INT64_MAX : at->global_ticks + late;
}

/* Of many arrivals: by their ends alone. */
static csy_status measure_ends(const csy_sync *sync, struct instance *instance, csy_error *error)
{
    int128 first[2] = {INT64_MAX, INT64_MAX}, last[2] = {INT64_MIN, INT64_MIN}, lo, hi;
    for (size_t i = 0; i < instance->count; i++) {
        ends_of(sync, &instance->items[i], &lo, &hi);
        first[0] = lo < first[0] ? lo : first[0];
        first[1] = hi < first[1] ? hi : first[1];
        last[0] = lo > last[0] ? lo : last[0];
        last[1] = hi > last[1] ? hi : last[1];
    }
    int128 beyond;
    ends_of(sync, &instance->items[instance->count - 1], &beyond, &hi);
    for (size_t i = 0; i + 1 < instance->count; i++) {
        ends_of(sync, &instance->items[i], &lo, &hi);
        if (hi > beyond) {
            beyond = hi;
            instance->rival = i;
        }
    }
    int128 least = last[0] > first[1] ? last[0] - first[1] : 0, most = last[1] - first[0];
    bool no_most = first[0] == INT64_MIN || last[1] == INT64_MAX;
    if (!fits_int64(least) || (!no_most && !fits_int64(most)))
        return error_set(error, CSY_INPUT, "a time leaves 64 bits");
    instance->spread.lo = (int64_t)least;
    instance->spread.hi = no_most ? INT64_MAX : (int64_t)most;
    instance->spread.kind = CSY_RANGE_STAR;
    return CSY_OK;
}

static csy_status measure(const struct clocks_apart *gaps, const csy_sync *sync,
                          struct instance *instance, csy_error *error)
{
    size_t n = instance->count;
    const struct moment *last = &instance->items[n - 1].arrival.at;
    int128 estimate = moments_apart(&instance->items[0].arrival.at, last);
    bool crosses = false;
    if (!fits_int64(estimate))
        return error_set(error, CSY_INPUT, "a time leaves 64 bits");
    for (size_t i = 0; i + 1 < n; i++)
        crosses |= instance->items[i].arrival.at.clock != last->clock;
    instance->rival = n;
    instance->spread = (csy_range){(int64_t)estimate, (int64_t)estimate, (int64_t)estimate,
                                   crosses ? CSY_RANGE_UNKNOWN : CSY_RANGE_CLOCK};
    if (!crosses || gaps->pairs.kind == CSY_RANGE_UNKNOWN)
        return CSY_OK;
    return n > PAIRWISE_MAX ? measure_ends(sync, instance, error)
                            : measure_pairs(gaps, instance, error);
}

/* How many arrivals are of one instance, from the first of it. */
static size_t length_of(const struct arrivals *arrivals, size_t first)
{
    const struct arrived *items = arrivals->items;
    size_t next = first;
    while (next < arrivals->count && items[next].name == items[first].name &&
           items[next].instance == items[first].instance)
        next++;
    return next - first;
}

static csy_status find_pairs(const struct arrivals *arrivals, struct clocks_apart *gaps,
                             csy_sync *sync, csy_error *error)
{
    const struct arrived *items = arrivals->items;
    for (size_t i = 0, n; i < arrivals->count; i += n) {
        n = length_of(arrivals, i);
        for (size_t a = i; n <= PAIRWISE_MAX && a < i + n; a++)
            for (size_t b = a + 1; b < i + n; b++) {
                uint32_t s = items[a].arrival.at.clock, t = items[b].arrival.at.clock, pair;
                if (s != t && !clock_pairs_add(&gaps->pairs, s, t, &pair))
                    return error_memory(error);
            }
    }
    gaps->added_ticks = sync->imprecision.added_ticks;
    return clock_pairs_find(&gaps->pairs, sync, error);
}

/* How many arrivals are in the window; false: none can be. */
static bool count_arrivals(const struct clip *clip, struct instance *instance)
{
    int64_t numbers[CLIPS] = {0}, all = (int64_t)instance->count;
    csy_range parts[CLIPS];
    instance->arrivals = (csy_range){all, all, all, CSY_RANGE_CLOCK};
    if (!clip)
        return true;
    for (int as = 0; as < CLIPS; as++) {
        for (size_t i = 0; i < instance->count; i++)
            numbers[as] += clip_has(clip, (enum clip_as)as, &instance->items[i].arrival.at);
        parts[as] = (csy_range){numbers[as], numbers[as], numbers[as], CSY_RANGE_CLOCK};
    }
    instance->arrivals = clip_range(clip, parts);
    return numbers[CLIP_ESTIMATE] + numbers[CLIP_MOST] > 0;
}

static bool is_meant(const struct instance *instance)
{
    bool meant = false;
    for (size_t i = 0; i < instance->count && !meant; i++)
        meant = instance->items[i].arrival.meant;
    return meant;
}

static bool add_columns(csy_analysis *out, bool cut)
{
    return sheets_add(out, "barriers") && sheets_add_column(out, "event", CSY_COLUMN_TEXT, false) &&
           sheets_add_column(out, "group", CSY_COLUMN_TEXT, false) &&
           sheets_add_column(out, "instance", CSY_COLUMN_COUNT, false) &&
           sheets_add_column(out, "arrivals", CSY_COLUMN_COUNT, cut) &&
           sheets_add_column(out, "spread", CSY_COLUMN_TICKS, true) &&
           sheets_add_column(out, "last", CSY_COLUMN_TEXT, false) &&
           sheets_add_column(out, "rival", CSY_COLUMN_TEXT, false);
}

static bool set_actor(csy_analysis *out, csy_value *value, const struct actors *actors,
                      const csy_sync *sync, const struct arrived *item)
{
    char name[ACTOR_NAME_MAX];
    return sheets_set_text(out, value, actor_name(&actors->items[item->arrival.actor], sync, name));
}

static csy_status add_instance(const struct arrivals *arrivals, const struct instance *instance,
                               const struct actors *actors, const csy_sync *sync, csy_analysis *out,
                               csy_error *error)
{
    const struct text_item *name = &arrivals->names.items[instance->items->name];
    const size_t before = sizeof(uint64_t), n = instance->count;
    const struct text_item *group =
        &arrivals->groups.items[arrivals->group_of[instance->items->name]];
    csy_value *value = sheets_add_row(out);
    bool good = value && sheets_set_bytes(out, value++, arrivals->names.bytes + name->at + before,
                                          name->size - before);
    if (good && group->size > 0)
        good = sheets_set_bytes(out, value, arrivals->groups.bytes + group->at, group->size);
    value += good;
    if (good) {
        sheets_set_number(value++, (int64_t)instance->items->instance);
        *value++ = (csy_value){.range = instance->arrivals};
        *value++ = (csy_value){.range = instance->spread};
        good = set_actor(out, value++, actors, sync, &instance->items[n - 1]);
    }
    if (good && instance->rival < n)
        good = set_actor(out, value, actors, sync, &instance->items[instance->rival]);
    else if (good && instance->spread.kind == CSY_RANGE_UNKNOWN)
        good = sheets_set_text(out, value, "?");
    return good ? CSY_OK : error_memory(error);
}

csy_status arrivals_write(struct arrivals *arrivals, const struct actors *actors, csy_sync *sync,
                          const struct clip *clip, csy_analysis *out, csy_error *error)
{
    struct clocks_apart gaps = {.added_ticks = 0};
    csy_status status = add_columns(out, clip != NULL) ? CSY_OK : error_memory(error);
    if (arrivals->count > 1)
        qsort(arrivals->items, arrivals->count, sizeof *arrivals->items, compare);
    if (!status)
        status = find_pairs(arrivals, &gaps, sync, error);
    for (size_t i = 0; i < arrivals->count && !status;) {
        struct instance instance = {.items = arrivals->items + i, .count = length_of(arrivals, i)};
        if (is_meant(&instance) && count_arrivals(clip, &instance)) {
            status = measure(&gaps, sync, &instance, error);
            if (!status)
                status = add_instance(arrivals, &instance, actors, sync, out, error);
        }
        i += instance.count;
    }
    clock_pairs_fini(&gaps.pairs);
    return status;
}

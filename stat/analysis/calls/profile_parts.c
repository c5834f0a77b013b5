/* Computes parts of a profile: sums of waits, loops, and tasks, lengths of calls, and limits if the
 * order of calls is unknown. */
#include "analysis/calls/profile.h"

#include "base/error.h"
#include "base/sort.h"

#include <stdlib.h>

/* --- Waits, loops, and tasks ---------------------------------------------------------------- */

enum { NAME_BYTES = 256, OPEN_MAX = 65536, PPM = 1000000 };

/* Indices in profile_sums.forms: TASK_TIME is the sum of the times of all tasks; TASK_LEVELS + i is
 * the time with i tasks running at once. */
enum { TASK_TIME, TASK_LEVELS };

void sums_fini(struct profile_sums *sums)
{
    forms_fini(&sums->forms);
    FREE_ALL(sums->waits.items, sums->loops.items, sums->open, sums->tasks);
}

static bool add(struct class_sums *sums, uint32_t class, const struct moment *begin,
                const struct moment *end)
{
    int128 length = (int128)end->local_ticks - begin->local_ticks;
    if (!ARRAY_EXTEND(sums->items, sums->n, sums->capacity, (size_t) class + 1,
                      {.greatest = INT64_MIN}))
        return false;
    struct class_sum *sum = &sums->items[class];
    sum->count++;
    sum->ticks += length;
    sum->greatest = length > sum->greatest ? length : sum->greatest;
    return true;
}

static bool step_tasks(struct profile_sums *s, const struct moment *now, bool more)
{
    size_t level = (size_t)(s->started - s->ended);
    if (s->started > 0 && !forms_add(&s->forms, TASK_LEVELS + level, &s->since, now, 1))
        return false;
    s->since = *now;
    s->started += more;
    s->ended += !more;
    level += more;
    s->most = level > s->most ? level : s->most;
    return true;
}

bool sums_take(struct profile_sums *s, const struct actor_instant *instant)
{
    const struct seen *seen = instant->seen;
    uint32_t loop = seen->event_kind.loop;
    enum role role = seen->event_kind.role;
    s->created += role == ROLE_CREATE;
    if (seen->waits && seen->event_kind.class != NO_TEXT &&
        !add(&s->waits, seen->event_kind.class, &seen->begin, &seen->end))
        return false;
    if (loop != NO_TEXT && role == ROLE_LOOP)
        return add(&s->loops, loop, &seen->begin, &seen->end);
    if (loop != NO_TEXT && role == ROLE_LOOP_ENTER)
        return s->nopen == OPEN_MAX ||
               ARRAY_PUSH(s->open, s->nopen, s->open_capacity, {instant->actor, loop, seen->end});
    /* A loop's end belongs to the actor's innermost open loop of the same class. */
    for (size_t i = s->nopen; loop != NO_TEXT && i-- > 0;) {
        const struct open_sum open = s->open[i];
        if (open.actor != instant->actor || open.class != loop)
            continue;
        for (s->nopen--; i < s->nopen; i++)
            s->open[i] = s->open[i + 1];
        return open.since.clock != seen->end.clock || add(&s->loops, loop, &open.since, &seen->end);
    }
    if (seen->task == NO_ACTOR || (seen->change != TASK_START && seen->change != TASK_STOP))
        return true;
    size_t i = 0;
    while (i < s->ntasks && s->tasks[i].actor != seen->task)
        i++;
    if (seen->change == TASK_START)
        return i < s->ntasks || (ARRAY_PUSH(s->tasks, s->ntasks, s->tasks_capacity,
                                            {.actor = seen->task, .since = seen->end}) &&
                                 step_tasks(s, &seen->end, true));
    if (i == s->ntasks)
        return true;
    const struct moment since = s->tasks[i].since;
    s->tasks[i] = s->tasks[--s->ntasks];
    return forms_add(&s->forms, TASK_TIME, &since, &seen->end, 1) &&
           step_tasks(s, &seen->end, false);
}

/* --- Sheets --------------------------------------------------------------------------------- */

static void add_classes(csy_analysis *out, const char *title, const struct class_sums *all,
                        const struct texts *names)
{
    static const csy_column columns[] = {TEXT_COLUMN("class"), COUNT_COLUMN("count", false),
                                         TICKS_COLUMN("time", false), TICKS_COLUMN("mean", false),
                                         TICKS_COLUMN("greatest", false)};
    bool any = false;
    for (size_t i = 0; i < all->n; i++) {
        const struct class_sum *sum = &all->items[i];
        csy_text name = texts_text(names, (uint32_t)i);
        if (sum->count == 0)
            continue;
        if (!any)
            SHEETS_ADD(out, title, columns);
        any = true;
        SHEETS_ROW(
            out, sheets_bytes(out, name.bytes, name.size < NAME_BYTES ? name.size : NAME_BYTES - 1),
            sheets_number((int64_t)sum->count), sheets_sum(sum->ticks),
            sheets_sum(sum->ticks / (int128)sum->count), sheets_sum(sum->greatest));
    }
}

csy_range sums_mean(const csy_range *sum, uint64_t n)
{
    csy_range out = *sum;
    int64_t by = (int64_t)n;
    bool known = sum->kind != CSY_RANGE_CLOCK && sum->kind != CSY_RANGE_UNKNOWN;
    out.estimate = out.lo = out.hi = sum->estimate / by;
    if (known)
        out.lo = sum->lo == INT64_MIN ? sum->lo : (int64_t)floor_div(sum->lo, by);
    if (known)
        out.hi = sum->hi == INT64_MAX ? sum->hi : (int64_t)ceil_div(sum->hi, by);
    return out;
}

static void add_tasks(const struct profile_sums *s, csy_analysis *out, const csy_range *times)
{
    static const csy_column columns[] = {
        COUNT_COLUMN("created", false), COUNT_COLUMN("started", false),
        COUNT_COLUMN("ended", false), TICKS_COLUMN("mean_time", true),
        PPM_COLUMN("average", false)};
    static const csy_column levels[] = {COUNT_COLUMN("tasks", false), TICKS_COLUMN("time", true)};
    int128 all = 0, some = 0;
    for (size_t i = 1; i <= s->most; i++) {
        some += times[TASK_LEVELS + i].estimate;
        all += (int128)i * times[TASK_LEVELS + i].estimate;
    }
    SHEETS_ADD(out, "tasks", columns);
    SHEETS_ROW(out, sheets_number((int64_t)s->created), sheets_number((int64_t)s->started),
               sheets_number((int64_t)s->ended),
               s->ended > 0 ? sheets_range(sums_mean(&times[TASK_TIME], s->ended)) : SHEETS_NONE,
               some > 0 ? sheets_number((int64_t)(all * PPM / some)) : SHEETS_NONE);
    SHEETS_ADD(out, "task_concurrency", levels);
    for (size_t i = 0; i <= s->most; i++)
        SHEETS_ROW(out, sheets_number((int64_t)i), sheets_range(times[TASK_LEVELS + i]));
}

csy_status sums_write(struct profile_sums *s, const struct instants *in, const struct moves *moves,
                      csy_analysis *out, csy_error *error)
{
    size_t n = TASK_LEVELS + s->most + 1;
    csy_range *times = calloc(n, sizeof *times);
    bool good = times != NULL;
    if (good && s->started > s->ended && s->most > 0)
        good = forms_add(&s->forms, TASK_LEVELS + (size_t)(s->started - s->ended), &s->since,
                         &in->last, 1);
    csy_status status =
        good ? forms_ranges(&s->forms, n, moves, moves->sync, times, error) : error_memory(error);
    if (!status) {
        add_classes(out, "waits", &s->waits, &in->event_kinds.classes);
        add_classes(out, "loops", &s->loops, &in->event_kinds.loops);
        if (s->started > 0 && !in->partial)
            add_tasks(s, out, times);
    }
    free(times);
    return status ? status : sheets_status(out, error);
}

/* --- Lengths of calls ----------------------------------------------------------------------- */

enum { FINE_BITS = 5, FINE = 1 << FINE_BITS, ROW_SHIFT = 12 };

/* Returns the bin of a length. There is a bin for each length below 64. From 64 on, there are 32
 * bins from each power of 2 to the next. Negative lengths count as 0. The code has no branches,
 * because the processor could not predict them. */
static inline unsigned bin_of(int64_t length)
{
    uint64_t number = length < 0 ? 0 : (uint64_t)length;
    unsigned octave = 63 - FINE_BITS - (unsigned)__builtin_clzll(number | (uint64_t)1 << FINE_BITS);
    return (octave << FINE_BITS) + (unsigned)(number >> octave);
}

void lengths_fini(struct lengths *lengths)
{
    free(lengths->bins);
    keys_fini(&lengths->keys);
    *lengths = (struct lengths){0};
}

static int64_t bin_least(unsigned bin)
{
    if (bin < FINE)
        return bin;
    unsigned power = bin / FINE + FINE_BITS - 1;
    return power > 62 ? INT64_MAX : (int64_t)(FINE + bin % FINE) << (power - FINE_BITS);
}

static inline bool count_in(struct lengths *lengths, uint32_t row, int64_t length, unsigned sides)
{
    uint64_t key = (uint64_t)row << ROW_SHIFT | bin_of(length);
    uint32_t index;
    bool added;
    if (!keys_find(&lengths->keys, key, &index, &added) ||
        (added && !ARRAY_PUSH(lengths->bins, lengths->count, lengths->capacity, {.key = key})))
        return false;
    struct lengths_bin *bin = &lengths->bins[index];
    bin->n[0] += sides & 1;
    bin->n[1] += sides >> 1 & 1;
    bin->n[2] += sides >> 2;
    return true;
}

bool lengths_add(struct lengths *lengths, uint32_t row, const csy_range *length)
{
    if (length->lo == length->estimate && length->hi == length->estimate)
        return count_in(lengths, row, length->estimate, 7);
    return count_in(lengths, row, length->estimate, 1) && count_in(lengths, row, length->lo, 2) &&
           count_in(lengths, row, length->hi, 4);
}

void lengths_sort(struct lengths *lengths)
{
    SORT(lengths->bins, lengths->count, compare_numbers);
}

static unsigned bin_at(const struct lengths *lengths, uint32_t row, unsigned side, uint64_t k)
{
    uint64_t first = (uint64_t)row << ROW_SHIFT, passed = 0;
    size_t low = 0, high = lengths->count;
    BISECT(low, high, middle, lengths->bins[middle].key < first);
    for (; low < lengths->count; low++) {
        passed += lengths->bins[low].n[side];
        if (passed >= k)
            break;
    }
    return (unsigned)(lengths->bins[low].key & ((1u << ROW_SHIFT) - 1));
}

csy_range lengths_quantile(const struct lengths *lengths, uint32_t row, uint64_t count,
                           unsigned percent)
{
    uint64_t k = (uint64_t)(((uint128)count * percent + 99) / 100);
    unsigned estimate = bin_at(lengths, row, 0, k);
    csy_range out = {.kind = CSY_RANGE_PROVEN};
    out.lo = bin_least(bin_at(lengths, row, 1, k));
    out.hi = bin_least(bin_at(lengths, row, 2, k) + 1) - 1;
    out.estimate = bin_least(estimate) + (bin_least(estimate + 1) - 1 - bin_least(estimate)) / 2;
    if (out.lo == out.hi)
        out.kind = CSY_RANGE_CLOCK;
    return out;
}

int64_t lengths_bound(const struct lengths *lengths, uint32_t row, uint64_t k, bool upper)
{
    return upper ? bin_least(bin_at(lengths, row, 2, k) + 1) - 1
                 : bin_least(bin_at(lengths, row, 1, k));
}

/* --- Limits by outer places ----------------------------------------------------------------- */

#define UNITS UINT32_MAX

static bool pass(void *user, enum outer_end end, const struct outer_change *change)
{
    struct profile_outer *profile = user;
    int32_t *depth = &profile->depths[change->actor][end];
    struct outer_presence *row = change->key == UNITS ? NULL : &profile->rows[change->key][end];
    int64_t *there = row ? &row->actors : &profile->alone.units[end];
    int64_t before = *there;
    struct outer_alone *units = &profile->alone;
    int64_t most = units->units[OUTER_MOST], least = units->units[OUTER_LEAST];
    if (most >= 1 && least <= 1)
        units->ticks[OUTER_MOST] += (int128)change->ticks - units->since;
    if (most == 1 && least == 1) /* the number of active units is certainly 1 */
        units->ticks[OUTER_LEAST] += (int128)change->ticks - units->since;
    units->since = change->ticks;
    *there -= *depth > 0;
    *depth += change->sign;
    *there += *depth > 0;
    if (!row)
        return true;
    int128 alone = profile->alone.ticks[end];
    row->alone += before * (alone - row->alone_since);
    row->alone_since = alone;
    row->entries += change->sign > 0;
    row->greatest = row->actors > row->greatest ? row->actors : row->greatest;
    if (before == 0 && row->actors > 0)
        row->since = change->ticks;
    if (before > 0 && row->actors == 0)
        row->ticks += (int128)change->ticks - row->since;
    return true;
}

void profile_outer_init(struct profile_outer *profile, const struct reach *reach,
                        const csy_sync *sync)
{
    *profile = (struct profile_outer){.ndepths = 0};
    if (reach && reach->greatest < MOVES_NONE)
        outer_init(&profile->outer, reach, sync, pass, profile);
}

void profile_outer_fini(struct profile_outer *profile)
{
    outer_fini(&profile->outer);
    texts_fini(&profile->by);
    FREE_ALL(profile->depths, profile->rows);
    *profile = (struct profile_outer){0};
}

static bool take(struct profile_outer *profile, uint32_t key, uint32_t actor,
                 const struct moment *now, int step)
{
    const uint32_t by[2] = {key, actor};
    struct outer_change change = {.key = key, .sign = step};
    bool added;
    if (!texts_find(&profile->by, (const char *)by, sizeof by, &change.actor, &added) ||
        !ARRAY_EXTEND_ZERO(profile->depths, profile->ndepths, profile->depths_capacity,
                           profile->by.count))
        return false;
    return outer_take(&profile->outer, now, &change);
}

bool profile_outer_step(struct profile_outer *profile, uint32_t row, enum outer_kind kind,
                        uint32_t actor, const struct moment *now, int step)
{
    uint32_t key = row * OUTER_KINDS + (uint32_t)kind;
    if (!ARRAY_EXTEND_ZERO(profile->rows, profile->nrows, profile->rows_capacity, (size_t)key + 1))
        return false;
    return take(profile, key, actor, now, step);
}

bool profile_outer_unit(struct profile_outer *profile, uint32_t actor, const struct moment *now,
                        int step)
{
    return !profile->outer.known || take(profile, UNITS, actor, now, step);
}

static const struct outer_presence *find_row(const struct profile_outer *profile, uint32_t row,
                                             enum outer_kind kind, enum outer_end end)
{
    static const struct outer_presence none = {0};
    size_t at = (size_t)row * OUTER_KINDS + (size_t)kind;
    return at < profile->nrows ? &profile->rows[at][end] : &none;
}

/* Returns a range from `least` to `most`, extended to include the estimate. */
static csy_range range_of(const struct outer *outer, int64_t estimate, int128 least, int128 most)
{
    csy_range out = {estimate, nearest_int64(least), nearest_int64(most),
                     outer->star ? CSY_RANGE_STAR : CSY_RANGE_PROVEN};
    range_include_estimate(&out);
    return out;
}

/* Returns an upper limit of the time that actors spent in the routine of a table row. The part *off
 * of this limit is only for timestamp errors and drift. */
static int128 sum_of(const struct profile_outer *profile, uint32_t row, enum outer_kind kind,
                     const csy_range *sum, int128 *off)
{
    *off = (int128)find_row(profile, row, kind, OUTER_MOST)->entries *
           profile->outer.reach->added_ticks;
    if (sum->kind != CSY_RANGE_UNKNOWN)
        *off += places_own(profile->outer.reach->places, sum->hi + *off);
    return sum->kind == CSY_RANGE_UNKNOWN ? (int128)INT64_MAX : sum->hi + *off;
}

csy_range profile_outer_range(const struct profile_outer *profile, uint32_t row,
                              enum outer_kind kind, bool alone, int64_t estimate,
                              const csy_range *sum)
{
    if (!profile->outer.known)
        return (csy_range){.estimate = estimate, .kind = CSY_RANGE_UNKNOWN};
    const struct outer_presence *least = find_row(profile, row, kind, OUTER_LEAST);
    const struct outer_presence *most = find_row(profile, row, kind, OUTER_MOST);
    int128 off, all = sum_of(profile, row, kind, sum, &off);
    int128 greatest = alone ? most->alone : most->ticks;
    return range_of(&profile->outer, estimate, alone ? least->alone : least->ticks,
                    greatest < all ? greatest : all);
}

csy_range profile_outer_together(const struct profile_outer *profile, uint32_t row,
                                 int64_t estimate, const csy_range *sum)
{
    if (!profile->outer.known || sum->kind == CSY_RANGE_UNKNOWN)
        return (csy_range){.estimate = estimate, .kind = CSY_RANGE_UNKNOWN};
    int128 off, all = sum_of(profile, row, OUTER_DIRECT, sum, &off);
    int128 least = sum->lo - off - find_row(profile, row, OUTER_DIRECT, OUTER_MOST)->alone;
    int128 most = all - find_row(profile, row, OUTER_DIRECT, OUTER_LEAST)->alone;
    return range_of(&profile->outer, estimate, least > 0 ? least : 0, most);
}

csy_range profile_outer_greatest(const struct profile_outer *profile, uint32_t row,
                                 int64_t estimate)
{
    if (!profile->outer.known)
        return (csy_range){.estimate = estimate, .kind = CSY_RANGE_UNKNOWN};
    return range_of(&profile->outer, estimate,
                    find_row(profile, row, OUTER_INSIDE, OUTER_LEAST)->greatest,
                    find_row(profile, row, OUTER_INSIDE, OUTER_MOST)->greatest);
}

/* --- Calls that are concurrent with others ---------------------------------------------------- */

static void link_calls(struct calls_outer *c, uint32_t before, uint32_t after)
{
    *(before == NO_OUTER_CALL ? &c->first : &c->items[before].after) = after;
    *(after == NO_OUTER_CALL ? &c->last : &c->items[after].before) = before;
}

static void begin(struct calls_outer *c, enum outer_end end, uint32_t index)
{
    struct outer_call *call = &c->items[index];
    struct outer_call_view *view = &call->views[end];
    struct outer_group *group = &c->groups[call->group];
    view->begun = ++c->views[end].now;
    /* If a call of another group is open from the earliest possible end of this call to its latest
     * possible begin, the two are certainly concurrent. */
    if (view->ended > 0) {
        uint32_t i = c->first;
        while (i != NO_OUTER_CALL && c->items[i].group == call->group)
            i = c->items[i].after;
        view->met = i != NO_OUTER_CALL && c->items[i].views[OUTER_LEAST].begun < view->ended;
        if (call->presence) {
            /* The two calls with the greatest `ended` are enough, if their groups differ: later
             * calls are compared only with a call of another group, and one of the two is. */
            const struct outer_short now = {call->views[OUTER_LEAST].ended, call->group};
            struct outer_short *best = c->shorts, *own = &best[best[0].group != now.group];
            if (own->ended < now.ended)
                *own = now;
            if (best[1].ended > best[0].ended) {
                best[1] = best[0];
                best[0] = now;
            }
        }
        return;
    }
    if (call->presence) {
        c->views[end].open++;
        c->views[end].entries++;
        group->views[end].open++;
        group->views[end].entries++;
        if (end == OUTER_LEAST) {
            link_calls(c, c->last, index);
            link_calls(c, index, NO_OUTER_CALL);
        }
    }
    view->met = c->views[end].open > group->views[end].open;
    view->others = c->views[end].entries - group->views[end].entries;
}

static void finish(struct calls_outer *c, enum outer_end end, uint32_t index)
{
    struct outer_call *call = &c->items[index];
    struct outer_call_view *view = &call->views[end];
    struct outer_group *group = &c->groups[call->group];
    view->ended = ++c->views[end].now;
    if (view->begun == 0) {
        c->outer.known &= end != OUTER_MOST;
        return;
    }
    view->met |= c->views[end].entries - group->views[end].entries > view->others;
    if (end == OUTER_LEAST)
        view->met |= c->shorts[c->shorts[0].group == call->group].ended > view->begun;
    if (!call->presence)
        return;
    c->views[end].open--;
    group->views[end].open--;
    if (end == OUTER_LEAST)
        link_calls(c, call->before, call->after);
}

static bool pass_call(void *user, enum outer_end end, const struct outer_change *change)
{
    struct calls_outer *c = user;
    struct outer_call *call = &c->items[change->key];
    if (change->sign > 0)
        begin(c, end, change->key);
    else
        finish(c, end, change->key);
    if (++call->passed < 2 * OUTER_ENDS)
        return true;
    c->rows[call->row].must += call->here || call->views[OUTER_LEAST].met;
    c->rows[call->row].may += call->here || call->views[OUTER_MOST].met;
    call->after = c->freed;
    c->freed = change->key;
    return true;
}

bool calls_outer_init(struct calls_outer *c, const struct reach *reach, const struct instants *in)
{
    size_t n = in->actors.count;
    *c =
        (struct calls_outer){.freed = NO_OUTER_CALL, .first = NO_OUTER_CALL, .last = NO_OUTER_CALL};
    c->shorts[0].group = c->shorts[1].group = NO_ACTOR;
    if (!reach || reach->greatest == MOVES_NONE)
        return true;
    c->nclocks = reach->n;
    c->of = calloc(n + 1, sizeof *c->of);
    c->groups = calloc(c->nclocks + n + 1, sizeof *c->groups);
    if (!c->of || !c->groups)
        return false;
    for (uint32_t i = 0; i < n; i++)
        c->of[i] = in->actors.items[i].nstays == 1 && reach->added_ticks == 0
                       ? NO_ACTOR
                       : (uint32_t)c->nclocks + i;
    outer_init(&c->outer, reach, in->sync, pass_call, c);
    return true;
}

void calls_outer_fini(struct calls_outer *c)
{
    outer_fini(&c->outer);
    FREE_ALL(c->of, c->groups, c->items, c->rows);
    *c = (struct calls_outer){0};
}

bool calls_outer_enter(struct calls_outer *c, uint32_t actor, uint32_t row, bool presence,
                       const struct moment *now, uint32_t *out)
{
    if (!ARRAY_EXTEND_ZERO(c->rows, c->nrows, c->rows_capacity, (size_t)row + 1) ||
        !ARRAY_TAKE(c->items, c->capacity, c->nitems, after, c->freed, out))
        return false;
    uint32_t of = c->of[actor] == NO_ACTOR ? now->clock : c->of[actor];
    struct outer_group *group = &c->groups[of];
    group->inside += presence;
    group->entries += presence;
    c->items[*out] = (struct outer_call){.row = row,
                                         .actor = actor,
                                         .group = of,
                                         .others = group->entries,
                                         .presence = presence,
                                         .here = group->inside > 1};
    const struct outer_change change = {.key = *out, .actor = actor, .sign = 1};
    return outer_take(&c->outer, now, &change);
}

bool calls_outer_leave(struct calls_outer *c, uint32_t index, const struct moment *now)
{
    struct outer_call *call = &c->items[index];
    struct outer_group *group = &c->groups[call->group];
    call->here |= group->entries > call->others;
    group->inside -= call->presence;
    const struct outer_change change = {.key = index, .actor = call->actor, .sign = -1};
    return outer_take(&c->outer, now, &change);
}

bool calls_outer_end(struct calls_outer *c)
{
    bool good = outer_end(&c->outer);
    if (!c->outer.known)
        calls_outer_fini(c);
    return good;
}

csy_range calls_outer_range(const struct calls_outer *c, uint32_t row, int64_t estimate)
{
    return c->outer.known && row < c->nrows
               ? range_of(&c->outer, estimate, c->rows[row].must, c->rows[row].may)
               : (csy_range){.estimate = estimate, .kind = CSY_RANGE_UNKNOWN};
}

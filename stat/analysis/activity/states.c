/* Finds how long each actor was in each state, in the whole trace or in parts of it (windows). */
#include "analysis/run/analysis.h"
#include "analysis/run/sheets.h"
#include "analysis/window/window.h"
#include "base/array.h"
#include "base/error.h"
#include "base/sort.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The requested windows (parts of the trace), with a fast search for those that overlap a time. */

struct clip_extent {
    int64_t from, until;
    int64_t until_before, from_after; /* greatest `until` up to here; least `from` from here on */
};

struct clips {
    struct clip *items; /* sorted by begin */
    struct clip_extent *extents;
    size_t count;
};

/* A joint state is a combination of the states of all units (see joint_states_init). The times of
 * at most JOINT_MAX combinations are summed up separately. */

enum { JOINT_MAX = 65536 };

struct joint_states {
    const struct instants *instants;
    uint32_t *actors;
    size_t *places; /* for each actor: its index in `actors`, or SIZE_MAX if it is not there */
    size_t nunits;
    char *now;
    struct texts kept;
    struct forms forms; /* [i]: time of combination i; [JOINT_MAX]: time of all combinations not
                         * in `kept` */
    bool others, unordered;
    struct moment since;
};

/* CPU times of a thread as the operating system counted them (cellsync-events(5)), in ticks of the
 * thread's clock. They cover the time between the first and the last count in the trace. */

struct spent_time {
    bool known;
    struct moment from, until; /* when CPU times were first and last counted */
    int64_t user_ticks, system_ticks, ready_ticks;
    int64_t idle_ticks; /* idle time between `from` and `until`, as events show it */
    struct {
        struct moment since;
        bool has, waits;
        int128 ticks, waiting_ticks; /* ticks: time on a core; waiting_ticks: the part of it that
                                      * was spent waiting */
    } core;                          /* how the actor used a core, as events show it */
};

/* Finds how long at least one actor is active. This costs less than struct levels_run, which finds
 * the time for each number of active actors, but the limits can be wider. */

struct together {
    struct forms forms; /* has only item 0: the time with at least one active actor */
    struct reach reach;
    struct levels_outer outer;
    int64_t active;
    struct moment since; /* when the first actor became active; not valid if `active` is 0 */
    bool some_unordered; /* true if an actor became active or inactive at a moment that is not
                          * recorded */
};

#define UNIT_PPE (NO_UNIT - 1)

struct doing {
    struct moment since;
    enum state state;
    uint32_t class;
    bool placed;
    uint64_t unit;
    size_t row, pair; /* indices of table rows: the row of `unit`, and the row of this actor on
                       * `unit`. NO_ROW if the table has no such row. */
};

/* Times that concern all actors: one result for each requested part of the trace. */
struct executing {
    csy_range *at_least, *exactly; /* [i]: time with at least i, and with exactly i, active actors;
                                    * NULL if not requested */
    csy_range some;
    csy_range span; /* length of the window or of the trace */
};

/* The analysis of states. An actor is a thread or an SPE context; a unit is the SPE or PPE on which
 * an actor runs. The table has a row for each actor, a row for all actors together, a row for each
 * unit, and a row for each actor on each unit. Its columns are the states, such as running or idle,
 * followed by the classes of waits. */
struct states {
    const csy_section *sections; /* parts of the trace to analyse in this pass; NULL: the user did
                                  * not ask for parts */
    size_t nsections; /* sections not yet begun; during a pass over the trace: those in the pass */
    size_t passed;
    csy_take_section receive; /* the caller's function for finished analyses */
    void *user;               /* argument of `receive` */
    struct instants *instants;
    struct moves moves;
    struct clips clips;
    bool clipped; /* true if the user requested a part of the trace */
    struct forms *forms;
    struct extent extent;
    struct doing *actors;
    struct spent_time *spent; /* for each actor: CPU times counted by the operating system */
    size_t nspent;
    uint64_t nstamped;
    size_t nactors, ncolumns;
    csy_units kinds; /* kinds of actors that the user selected */
    bool *meant;     /* for each actor: true if it is included */
    size_t nmeant;
    struct texts units;
    const csy_states *asked;
    bool leveled; /* true if `levels` is used, false if `together` is used */
    struct levels_run levels;
    struct together together;
    struct joint_states joint;
};

/* Identifies a row for a unit (`actor` is NO_ACTOR) or for one actor on a unit. */
struct unit_key {
    uint64_t unit;
    uint32_t actor, zero;
};

static struct unit_key states_unit(const struct states *s, size_t index)
{
    struct unit_key key;
    memcpy(&key, texts_text(&s->units, (uint32_t)index).bytes, sizeof key);
    return key;
}

static void find_extents(struct clips *clips, size_t nclocks)
{
    for (size_t i = 0; i < clips->count; i++) {
        const struct clip *clip = &clips->items[i];
        struct clip_extent *extent = &clips->extents[i];
        bool all = !clip->asked || nclocks == 0;
        extent->from = all ? INT64_MIN : INT64_MAX;
        extent->until = all ? INT64_MAX : INT64_MIN;
        for (size_t c = 0; !all && c < nclocks; c++) {
            const struct clip_ends *ends = &clip->ends[CLIP_MOST][c];
            extent->from = ends->from < extent->from ? ends->from : extent->from;
            extent->until = ends->until > extent->until ? ends->until : extent->until;
        }
        extent->until_before = extent->until;
        extent->from_after = extent->from;
        if (i > 0 && extent[-1].until_before > extent->until)
            extent->until_before = extent[-1].until_before;
    }
    for (size_t i = clips->count; i-- > 1;)
        if (clips->extents[i].from_after < clips->extents[i - 1].from_after)
            clips->extents[i - 1].from_after = clips->extents[i].from_after;
}

/* Returns the index of the first window, from `at` on, that may overlap the time from `begin` to
 * `end`. Returns clips->count if there is none. */
static size_t clips_next(const struct clips *clips, size_t at, const struct moment *begin,
                         const struct moment *end)
{
    bool back = begin->global_ticks > end->global_ticks;
    int64_t first = back ? end->global_ticks : begin->global_ticks;
    int64_t last = back ? begin->global_ticks : end->global_ticks;
    size_t high = clips->count;
    BISECT(at, high, middle, clips->extents[middle].until_before < first);
    for (; at < clips->count && clips->extents[at].from_after <= last; at++)
        if (clips->extents[at].from <= last && clips->extents[at].until >= first)
            return at;
    return clips->count;
}

/* The units of joint states are the SPE contexts. If there are none, or if `all` is true, the units
 * are all included actors. */
static bool joint_states_init(struct joint_states *joint, const struct instants *in,
                              const bool *meant, bool all)
{
    size_t n = in->actors.count;
    bool spes = false;
    for (size_t i = 0; !all && i < n; i++)
        spes = spes || (meant[i] && actor_is_spe(&in->actors.items[i], in->sync));
    joint->instants = in;
    joint->since = in->first;
    joint->actors = malloc((n + 1) * sizeof *joint->actors);
    joint->places = malloc((n + 1) * sizeof *joint->places);
    joint->now = malloc(n + 1);
    if (!joint->actors || !joint->places || !joint->now)
        return false;
    for (size_t i = 0; i < n; i++) {
        bool counted = meant[i] && (!spes || actor_is_spe(&in->actors.items[i], in->sync));
        joint->places[i] = counted ? joint->nunits : SIZE_MAX;
        if (counted)
            joint->actors[joint->nunits++] = (uint32_t)i;
    }
    memset(joint->now, STATE_ABSENT, joint->nunits + 1);
    return true;
}

static bool end_combination(struct joint_states *joint, const struct moment *end)
{
    uint32_t form = JOINT_MAX;
    bool added;
    if (joint->since.clock == end->clock && joint->since.local_ticks == end->local_ticks)
        return true;
    if (!texts_look(&joint->kept, joint->now, joint->nunits, &form)) {
        form = JOINT_MAX;
        if (joint->kept.count < JOINT_MAX &&
            !texts_find(&joint->kept, joint->now, joint->nunits, &form, &added))
            return false;
    }
    const struct moment since = joint->since;
    joint->others |= form == JOINT_MAX;
    joint->since = *end;
    return forms_add(&joint->forms, form, &since, end, 1);
}

/* Convert nanoseconds to ticks. Returns false if the result does not fit int64_t. */
static bool set_ticks(const struct instants *in, uint64_t ns, int64_t *out)
{
    enum { NS_PER_S = 1000000000 };
    uint128 ticks = (uint128)ns * in->sync->trace->timebase_hz / NS_PER_S;
    *out = ticks < INT64_MAX ? (int64_t)ticks : 0;
    return ticks < INT64_MAX;
}

/* Returns the CPU times of an actor that the system counted, if `in` was opened with MORE_TIMES. */
static struct spent_time spent_time_of(const struct instants *in, const struct actor *actor)
{
    struct spent_time out = {.known = false};
    const struct timers *t = &actor->timers;
    struct spent from = t->first, until = t->own;
    /* CPU times are 0 when the thread begins. Without a record of its begin, use the first
     * count. */
    bool counted = t->first.at.local_ticks <= actor->first.local_ticks || !t->begins;
    if (t->count == 0 || t->several || actor->nstays != 1 || (counted && t->count <= 1))
        return out;
    if (!counted)
        from = (struct spent){.at = t->begin};
    if (!t->ends || t->own.at.local_ticks <= t->first.at.local_ticks) {
        bool first = from.at.local_ticks == t->first.at.local_ticks;
        bool late = t->last.at.global_ticks > in->last.global_ticks;
        until = late && t->count > (first ? 2 : 1) ? t->before : t->last;
        if (until.at.global_ticks < t->last.at.global_ticks &&
            until.at.global_ticks < in->last.global_ticks)
            until = t->last;
        if (until.at.global_ticks > in->last.global_ticks)
            until.at = in->last;
    }
    uint64_t spent = until.user_ns + until.system_ns - from.user_ns - from.system_ns;
    uint64_t user = until.user_ns > from.user_ns ? until.user_ns - from.user_ns : 0;
    user = user < spent ? user : spent;
    out.known = from.at.clock == t->last.at.clock &&
                /* The first conversion only checks that the sum fits. */
                set_ticks(in, spent, &out.system_ticks) && set_ticks(in, user, &out.user_ticks) &&
                set_ticks(in, spent - user, &out.system_ticks) &&
                set_ticks(in, until.runnable_ns - from.runnable_ns, &out.ready_ticks);
    out.from = from.at;
    out.until = until.at;
    return out;
}

static csy_status together_init(struct together *t, const struct instants *in,
                                const struct moves *moves, csy_error *error)
{
    *t = (struct together){.active = 0};
    t->forms.whole = true;
    t->forms.tubes.places = moves->places;
    if (!(in->has_begins || in->partial) || !moves->known || moves->n == 1 ||
        moves->n > REACH_CLOCKS_MAX)
        return CSY_OK;
    csy_status status = reach_init(&t->reach, moves, error);
    if (status || t->reach.greatest == MOVES_NONE)
        return status;
    return levels_outer_init(&t->outer, &t->reach, in->sync, in->actors.count, in->actors.count, 1)
               ? CSY_OK
               : error_memory(error);
}

/* --- States -------------------------------------------------------------------------------- */

#define NO_ROW SIZE_MAX

enum { PARTS_BYTES = 64 << 20 };

static bool find_unit(struct states *s, const struct actor_instant *instant, size_t *row,
                      size_t *pair)
{
    const struct doing *doing = &s->actors[instant->actor];
    if (doing->placed && doing->unit == instant->unit) {
        *row = doing->row;
        *pair = doing->pair;
        return true;
    }
    enum actor_kind kind = s->instants->actors.items[instant->actor].kind;
    uint64_t unit = kind == ACTOR_PPE ? UNIT_PPE : instant->unit;
    struct unit_key key = {unit, NO_ACTOR, 0};
    uint32_t index;
    bool added;
    *row = *pair = NO_ROW;
    if (kind == ACTOR_NAMED || unit == NO_UNIT)
        return true;
    for (int i = 0; i < (s->asked->pairs ? 2 : 1); i++) {
        key.actor = i ? instant->actor : NO_ACTOR;
        if (!texts_find(&s->units, (const char *)&key, sizeof key, &index, &added))
            return false;
        *(i ? pair : row) = s->nactors + 1 + index;
    }
    return true;
}

static bool add_time(struct states *s, size_t part, size_t form, const struct moment *since,
                     const struct moment *end)
{
    struct clip *clip = &s->clips.items[part];
    struct forms *forms = &s->forms[part];
    return clip->asked ? clip_add(clip, forms, form, since, end)
                       : forms_add(forms, form, since, end, 1);
}

static bool add_state(struct states *s, size_t part, size_t row, enum state state,
                      const struct moment *since, const struct moment *end)
{
    s->nstamped += row == s->nactors && state_is_active(state);
    return add_time(s, part, row * s->ncolumns + state, since, end);
}

/* Add the time since the actor's last change of state to a table row. For a part of it, the
 * operating system may have counted CPU times. Leave that part out, because add_counted adds it. */
static bool add_to(struct states *s, size_t part, uint32_t actor, size_t row,
                   const struct doing *doing, const struct moment *end)
{
    const struct spent_time *spent = &s->spent[actor];
    const struct moment *since = &doing->since, *until = end, *from = end;
    size_t class = row * s->ncolumns + STATES + doing->class;
    if (spent->known && end->global_ticks >= spent->from.global_ticks)
        until = &spent->from;
    if (spent->known)
        from = since->global_ticks > spent->until.global_ticks ? since : &spent->until;
    bool before = !spent->known || since->global_ticks < until->global_ticks;
    return (!before || add_state(s, part, row, doing->state, since, until)) &&
           (from->global_ticks >= end->global_ticks ||
            add_state(s, part, row, doing->state, from, end)) &&
           (doing->class == NO_TEXT || add_time(s, part, class, since, end));
}

static bool end_doing(struct states *s, uint32_t actor, const struct moment *end)
{
    const struct doing *doing = &s->actors[actor];
    struct spent_time *spent = &s->spent[actor];
    bool good = true;
    if (spent->known && doing->state == STATE_IDLE) {
        bool late = doing->since.global_ticks < spent->from.global_ticks;
        bool early = end->global_ticks > spent->until.global_ticks;
        const struct moment *from = late ? &spent->from : &doing->since;
        const struct moment *until = early ? &spent->until : end;
        if (from->global_ticks < until->global_ticks)
            spent->idle_ticks += (int64_t)moments_apart(from, until);
    }
    for (size_t i = 0; good && (i = clips_next(&s->clips, i, &doing->since, end)) < s->clips.count;
         i++) {
        bool alone = doing->row == NO_ROW || doing->state == STATE_ABSENT;
        size_t absent = doing->row * s->ncolumns + STATE_ABSENT;
        good = add_to(s, i, actor, actor, doing, end) &&
               add_to(s, i, actor, s->nactors, doing, end) &&
               (doing->pair == NO_ROW || add_to(s, i, actor, doing->pair, doing, end)) &&
               (alone || (add_to(s, i, actor, doing->row, doing, end) &&
                          (s->clipped || forms_add(&s->forms[i], absent, &doing->since, end, -1))));
    }
    return good;
}

/* Also called for actors that the user did not select: their records limit clock offsets, and may
 * be the first or last ones of the trace. */
static csy_status take(void *user, const struct actor_instant *instant, csy_error *error)
{
    struct states *s = user;
    csy_status status = s->leveled ? levels_take(&s->levels, instant, error) : CSY_OK;
    if (s->instants->partial && instant->is_record)
        extent_note(&s->extent, &instant->at);
    if (status)
        return status;
    if (instant->ordered && instant->own &&
        !moves_note(&s->moves, instant->at.clock, instant->at.global_ticks))
        return error_memory(error);
    if (!s->meant[instant->actor])
        return CSY_OK;
    struct doing *doing = &s->actors[instant->actor];
    size_t row, pair;
    bool good = find_unit(s, instant, &row, &pair);
    int sign = state_is_active(instant->state) - state_is_active(doing->state);
    struct spent_time *spent = &s->spent[instant->actor];
    if (spent->known) {
        int128 time = spent->core.has ? moments_apart(&spent->core.since, &instant->at) : 0;
        spent->core.ticks += time;
        spent->core.waiting_ticks += spent->core.waits && time > 0 ? time : 0;
        spent->core.since = instant->at;
        spent->core.has = instant->has_core;
        spent->core.waits = instant->has_core && !state_is_active(instant->state);
    }
    if (!s->leveled && sign != 0) {
        struct together *t = &s->together;
        const struct change change =
            change_at(&instant->at, instant->actor, sign, instant->ordered);
        t->some_unordered |= !instant->ordered;
        t->active += sign;
        if (sign > 0 && t->active == 1)
            t->since = instant->at;
        good =
            good &&
            (sign > 0 || t->active != 0 || forms_add(&t->forms, 0, &t->since, &instant->at, 1)) &&
            levels_outer_take(&t->outer, &change);
    }
    if (good && s->asked->joint) {
        size_t place = s->joint.places[instant->actor];
        if (place != SIZE_MAX && s->joint.now[place] != (char)instant->state) {
            good = end_combination(&s->joint, &instant->at);
            s->joint.now[place] = (char)instant->state;
            s->joint.unordered |= !instant->ordered;
        }
    }
    if (good && doing->state == instant->state && doing->class == instant->class &&
        doing->row == row)
        return CSY_OK;
    if (!good || !end_doing(s, instant->actor, &instant->at))
        return error_memory(error);
    *doing =
        (struct doing){instant->at, instant->state, instant->class, true, instant->unit, row, pair};
    return CSY_OK;
}

static bool add_counted(struct states *s, uint32_t actor)
{
    const struct doing *doing = &s->actors[actor];
    const struct spent_time *spent = &s->spent[actor];
    const size_t rows[] = {actor, s->nactors, doing->row, doing->pair};
    int64_t times[STATES] = {[STATE_USER] = spent->user_ticks,
                             [STATE_SYSTEM] = spent->system_ticks,
                             [STATE_READY] = spent->ready_ticks};
    bool good = true;
    if (!spent->known)
        return true;
    int128 rest = moments_apart(&spent->from, &spent->until) - spent->user_ticks -
                  spent->system_ticks - spent->ready_ticks;
    /* The system's counts are inexact, so their sum can exceed the elapsed time. */
    int64_t left = rest < 0 ? 0 : (int64_t)rest;
    times[STATE_IDLE] = spent->idle_ticks < left ? spent->idle_ticks : left;
    times[STATE_BLOCKED] = left - times[STATE_IDLE];
    s->nspent += !s->instants->actors.items[actor].told;
    for (size_t i = 0; good && i < sizeof rows / sizeof *rows; i++)
        for (enum state k = 0; good && rows[i] != NO_ROW && k < STATES; k++) {
            const struct moment none = {.clock = spent->from.clock};
            const struct moment end = {times[k], times[k], none.clock};
            good = times[k] == 0 || add_time(s, 0, rows[i] * s->ncolumns + k, &none, &end);
        }
    return good;
}

/* --- Sheets --------------------------------------------------------------------------------- */

enum { PPM = 1000000 };

struct combination {
    uint32_t form;
    csy_range time;
};

static int compare(const void *a, const void *b)
{
    const struct combination *x = a, *y = b;
    return 2 * COMPARE(y->time.estimate, x->time.estimate) + COMPARE(x->form, y->form);
}

/* Add the sheet "joint", with the longest combination first. */
static csy_status add_joint(struct joint_states *joint, const struct moves *moves,
                            csy_analysis *out, csy_error *error)
{
    size_t n = joint->others ? JOINT_MAX + 1 : joint->kept.count;
    csy_range *ranges = malloc((n + 1) * sizeof *ranges);
    struct combination *rows = malloc((n + 1) * sizeof *rows);
    csy_status status = ranges && rows ? CSY_OK : error_memory(error);
    if (!status)
        status = forms_ranges(&joint->forms, n, moves, moves->sync, ranges, error);
    for (size_t i = 0; !status && i < n; i++) {
        rows[i] = (struct combination){(uint32_t)i, ranges[i]};
        if (joint->unordered)
            rows[i].time.kind = CSY_RANGE_UNKNOWN;
    }
    if (!status) {
        size_t kept = joint->others ? n - 1 : n;
        SORT(rows, kept, compare);
        const struct instants *in = joint->instants;
        int128 span = (int128)in->last.global_ticks - in->first.global_ticks;
        sheets_add(out, "joint", NULL, 0);
        for (size_t i = 0; i < joint->nunits; i++) {
            char name[ACTOR_NAME_MAX];
            const struct actor *actor = &in->actors.items[joint->actors[i]];
            sheets_add_column(out, (csy_column)TEXT_COLUMN(actor_name(actor, in->sync, name)));
        }
        sheets_add_column(out, (csy_column)TICKS_COLUMN("time", true));
        sheets_add_column(out, (csy_column)PPM_COLUMN("share", false));
        sheets_pack(out);
        for (size_t i = 0; i < n; i++) {
            csy_value *values = sheets_add_row(out);
            if (!values)
                break;
            for (size_t unit = 0; unit < joint->nunits; unit++) {
                const char *text = "other";
                if (rows[i].form < JOINT_MAX) {
                    const struct text_item *item = &joint->kept.items[rows[i].form];
                    text = state_words[(unsigned char)joint->kept.bytes[item->at + unit]];
                }
                values[unit] = sheets_constant(text);
            }
            values[joint->nunits] = sheets_range(rows[i].time);
            if (span > 0)
                values[joint->nunits + 1] =
                    sheets_number((int64_t)((int128)rows[i].time.estimate * PPM / span));
        }
    }
    FREE_ALL(ranges, rows);
    return status;
}

/* --- Sums of times in states, and their shares --------------------------------------------- */

/* Returns the sum of the times in the states `first` to `end` - 1. */
static csy_range state_sum(const csy_range *ranges, size_t first, size_t end)
{
    csy_range sum = {.kind = CSY_RANGE_CLOCK};
    int128 estimate = 0;
    for (size_t i = first; i < end; i++) {
        const csy_range *r = &ranges[i];
        bool low = r->lo == INT64_MIN || sum.lo == INT64_MIN;
        bool high = r->hi == INT64_MAX || sum.hi == INT64_MAX;
        int128 lo = (int128)sum.lo + r->lo, hi = (int128)sum.hi + r->hi;
        estimate += r->estimate;
        sum.lo = low || !fits_int64(lo) ? INT64_MIN : (int64_t)lo;
        sum.hi = high || !fits_int64(hi) ? INT64_MAX : (int64_t)hi;
        /* The times may reach their lower ends at different clock offsets. No offsets then give the
         * sum of these ends, so its range is not exact. */
        sum.kind = range_kind_of_both(sum.kind, r->kind);
    }
    sum.estimate = fits_int64(estimate) ? (int64_t)estimate : INT64_MAX;
    return sum;
}

enum { COLUMNS_BEFORE = 2, NAME_BYTES = 300 };

/* Returns the values after the name, or NULL if out of memory. */
static csy_value *add_row(const struct states *s, csy_analysis *out, const char *what,
                          const char *name, const csy_range *ranges)
{
    csy_value *values = SHEETS_ROW(out, sheets_constant(what), sheets_text(out, name));
    if (!values)
        return NULL;
    for (size_t i = 0; i < s->ncolumns; i++)
        values[COLUMNS_BEFORE + i] = sheets_range(ranges[i]);
    csy_value *after = values + COLUMNS_BEFORE + s->ncolumns;
    csy_range active = state_sum(ranges, 0, STATE_OVERHEAD + 1);
    bool unit = strcmp(what, "unit") == 0;
    csy_range rest = state_sum(ranges, STATE_OVERHEAD + 1, unit ? STATES : STATE_ABSENT);
    after[0] = (csy_value){.none = active.estimate == INT64_MAX, .range = active};
    if (active.estimate < INT64_MAX && rest.estimate < INT64_MAX &&
        (int128)active.estimate + rest.estimate > 0) {
        csy_range share = {.hi = PPM, .kind = range_kind_of_both(active.kind, rest.kind)};
        share.estimate =
            (int64_t)((int128)active.estimate * PPM / ((int128)active.estimate + rest.estimate));
        if (share.kind == CSY_RANGE_CLOCK)
            share.lo = share.hi = share.estimate;
        else if (active.lo >= 0 && rest.lo >= 0 && active.hi < INT64_MAX && rest.hi < INT64_MAX) {
            int128 least = (int128)active.lo + rest.hi, most = (int128)active.hi + rest.lo;
            share.lo = least > 0 ? (int64_t)floor_div((int128)active.lo * PPM, least) : 0;
            share.hi = most > 0 ? (int64_t)ceil_div((int128)active.hi * PPM, most) : PPM;
        }
        range_include_estimate(&share);
        after[1] = sheets_range(share);
    }
    return values + COLUMNS_BEFORE;
}

static int128 within(int128 value, int128 least, int128 most)
{
    return value < least ? least : value > most ? most : value;
}

/* Returns the time with at least one running actor. It is not less than the CPU time that the
 * system counted for any thread. If events show when threads had a core, the range is extended by
 * the difference between these times and the counted CPU times. */
static csy_range together_of(const struct states *s, const struct executing *found,
                             const csy_range *ranges)
{
    csy_range all = state_sum(ranges + s->nactors * s->ncolumns, 0, STATE_OVERHEAD + 1);
    int128 stamps = all.kind == CSY_RANGE_CLOCK
                        ? (int128)s->nstamped * s->moves.sync->imprecision.added_ticks
                        : 0;
    if (all.kind == CSY_RANGE_CLOCK)
        stamps += places_own(s->moves.places, all.hi + stamps);
    int64_t most = INT64_MAX;
    if (all.kind != CSY_RANGE_UNKNOWN && fits_int64(all.hi + stamps))
        most = (int64_t)(all.hi + stamps);
    if (found->span.kind != CSY_RANGE_UNKNOWN && found->span.hi < most)
        most = found->span.hi;
    csy_range out = found->some;
    bool known = false, limited = s->nspent == 0 && out.kind != CSY_RANGE_UNKNOWN;
    int128 least = 0, lo = limited ? out.lo : 0, hi = limited ? out.hi : INT64_MAX;
    for (size_t i = 0; i < s->nactors; i++) {
        const struct spent_time *spent = &s->spent[i];
        int128 own = (int128)spent->user_ticks + spent->system_ticks;
        if (!spent->known)
            continue;
        known = true;
        least = own > least ? own : least;
        if (limited) {
            int128 more = spent->core.ticks - own;
            lo -= more > 0 ? more : 0;
            hi += spent->core.waiting_ticks - (more < 0 ? more : 0);
        }
    }
    int128 greatest = most < least ? least : most;
    if (!known || (lo == out.lo && hi == out.hi && least <= lo && hi <= greatest))
        return out;
    out.kind = CSY_RANGE_PROVEN;
    out.lo = (int64_t)within(lo, least, greatest);
    out.hi = (int64_t)within(hi, out.lo, greatest);
    out.estimate = (int64_t)within(out.estimate, out.lo, out.hi);
    bool same = out.lo == found->some.lo && out.hi == found->some.hi;
    /* The thread's own clock counted the CPU times. It may drift from global time. */
    if (!same)
        range_widen(&out, places_own(s->moves.places, out.hi));
    return out;
}

static void add_rows(const struct states *s, const struct executing *found, csy_analysis *out,
                     const csy_range *ranges)
{
    const csy_range *all = ranges + s->nactors * s->ncolumns;
    static const csy_column before[COLUMNS_BEFORE] = {TEXT_COLUMN("what"), TEXT_COLUMN("name")};
    const struct texts *classes = &s->instants->event_kinds.classes;
    SHEETS_ADD(out, "states", before);
    for (size_t i = 0; i < STATES; i++)
        sheets_add_column(out, (csy_column)TICKS_COLUMN(state_words[i], true));
    for (size_t i = 0; i < classes->count; i++) {
        char name[NAME_BYTES];
        csy_text class = texts_text(classes, (uint32_t)i);
        snprintf(name, sizeof name, "blocked_%.*s", (int)(class.size < 200 ? class.size : 200),
                 class.bytes);
        sheets_add_column(out, (csy_column)TICKS_COLUMN(name, true));
    }
    sheets_add_column(out, (csy_column)TICKS_COLUMN("virtual", true));
    sheets_add_column(out, (csy_column)PPM_COLUMN("utilization", true));
    for (size_t i = 0; i < s->nactors; i++) {
        char name[ACTOR_NAME_MAX];
        const struct actor *actor = &s->instants->actors.items[i];
        if (s->meant[i])
            add_row(s, out, "actor", actor_name(actor, s->instants->sync, name),
                    ranges + i * s->ncolumns);
    }
    for (int pairs = 0; pairs < 2; pairs++)
        for (size_t i = 0; i < s->units.count; i++) {
            char name[2 * ACTOR_NAME_MAX + 8], actor[ACTOR_NAME_MAX];
            const struct actor *items = s->instants->actors.items;
            struct unit_key key = states_unit(s, i);
            bool pair = key.actor != NO_ACTOR, ppe = key.unit == UNIT_PPE;
            int n = 0;
            if (pair != pairs)
                continue;
            if (pair)
                n = snprintf(name, sizeof name, "%s on ",
                             actor_name(&items[key.actor], s->instants->sync, actor));
            snprintf(name + n, sizeof name - (size_t)n, ppe ? "PPE" : "SPE %" PRIu64, key.unit);
            csy_value *values =
                add_row(s, out, pair ? "pair" : "unit", name, all + (1 + i) * s->ncolumns);
            if (values && (pair || ppe))
                values[STATE_ABSENT].none = true;
            if (values && !pair && ppe) /* threads share the PPE, so these columns stay empty for
                                         * it */
                values[s->ncolumns].none = values[s->ncolumns + 1].none = true;
        }
    csy_value *values = add_row(s, out, "all", "all", all);
    if (!values)
        return;
    values[s->ncolumns] = (csy_value){.none = true};
    if (s->nmeant > 0)
        values[s->ncolumns] = sheets_range(together_of(s, found, ranges));
}

static void add_levels(const struct states *s, const struct executing *found, csy_analysis *out)
{
    static const csy_column columns[] = {COUNT_COLUMN("executing", false),
                                         TICKS_COLUMN("time", true),
                                         TICKS_COLUMN("at_least", true)};
    size_t n = s->levels.nactors;
    SHEETS_ADD(out, "virtual", columns);
    while (n > 0 && found->at_least[n].estimate == 0 && found->at_least[n].hi <= 0)
        n--;
    for (size_t i = 0; i <= n; i++)
        SHEETS_ROW(out, sheets_number((int64_t)i), sheets_range(found->exactly[i]),
                   sheets_range(found->at_least[i]));
}

/* If clocks drift, the true times of a row differ from the measured ones. Set *less and *more to
 * the greatest differences in both directions. If an actor was present during all records of its
 * clock, the length of the trace on this clock limits them. */
static void allow_rates(const struct states *s, size_t row, const csy_range *ranges, int128 stamps,
                        int128 *less, int128 *more)
{
    *less = *more = places_own(s->moves.places, stamps);
    for (size_t i = 0; i < s->nactors && s->moves.places; i++) {
        const csy_range *times = &ranges[i * s->ncolumns];
        const struct actor *actor = &s->instants->actors.items[i];
        const struct clock_extent *clock = &s->extent.clocks[actor->clock];
        int128 local = (int128)clock->last_local - clock->first_local, sum = 0;
        bool own = actor->nstays == 1 && clock->any;
        if ((row < s->nactors && row != i) || !s->meant[i])
            continue;
        for (size_t k = 0; k < STATES; k++) {
            sum += k == STATE_ABSENT ? 0 : times[k].hi;
            own = own && (k == STATE_ABSENT || times[k].kind == CSY_RANGE_CLOCK);
        }
        int128 least = sum - places_own(s->moves.places, sum), most = 2 * sum - least;
        if (own && sum == local) {
            const struct moment first = {clock->first_local, clock->first_ticks, actor->clock};
            const struct moment last = {clock->last_local, clock->last_ticks, actor->clock};
            places_length(s->moves.places, &first, &last, &least, &most);
        }
        *less += sum - least;
        *more += most - sum;
    }
}

/* Set the times in state "absent" so that all times of a row add up to the length of the trace. */
static csy_status set_absent(const struct states *s, size_t nrows, csy_range *ranges,
                             csy_error *error)
{
    csy_range span;
    csy_status status = s->moves.known && s->moves.n <= EXTENT_CLOCKS_MAX
                            ? extent_range(&s->extent, &s->moves, NULL, NULL, &span, error)
                            : CSY_OK;
    bool known = !status && s->moves.known && s->moves.n <= EXTENT_CLOCKS_MAX;
    for (size_t row = 0; row < nrows; row++) {
        csy_range *absent = &ranges[row * s->ncolumns + STATE_ABSENT];
        int128 times = row == s->nactors ? (int128)s->nmeant : 1;
        uint64_t stays = 0;
        for (size_t i = 0; i < s->nactors; i++)
            if (row == i || (row >= s->nactors && s->meant[i]))
                stays += s->instants->actors.items[i].nstays;
        int128 off = (int128)stays * s->instants->imprecision_ticks, sooner, later;
        allow_rates(s, row, ranges, off, &sooner, &later);
        int128 least = known ? times * span.lo - off - later : 0;
        int128 greatest = known ? times * span.hi + off + sooner : 0;
        bool limited = known && span.hi < INT64_MAX, clock = s->moves.n == 1;
        absent->kind = clock   ? CSY_RANGE_CLOCK
                       : known ? s->moves.star ? CSY_RANGE_STAR : CSY_RANGE_PROVEN
                               : CSY_RANGE_UNKNOWN;
        for (size_t i = 0; i < STATES; i++) {
            const csy_range *other = &ranges[row * s->ncolumns + i];
            if (i == STATE_ABSENT)
                continue;
            if (other->kind == CSY_RANGE_UNKNOWN)
                absent->kind = CSY_RANGE_UNKNOWN;
            least -= other->hi;
            greatest -= other->lo;
        }
        if (clock)
            continue;
        absent->lo = least > 0 && fits_int64(least) ? (int64_t)least : 0;
        absent->hi = limited && fits_int64(greatest) ? (int64_t)greatest : INT64_MAX;
        range_include_estimate(absent);
    }
    return status;
}

/* Find the length of a requested part of the trace. If the user named no begin, it begins at the
 * first record of the trace; if the user named no end, it ends at the last record. */
static csy_status find_length(const struct states *s, struct clip *clip, csy_error *error)
{
    bool first = clip->block.first.open, last = clip->block.last.open;
    if (!(first || last) || s->moves.n == 1 || !clip->known || s->moves.n > EXTENT_CLOCKS_MAX)
        return CSY_OK;
    clip->length.kind = clip_kind(clip);
    csy_status status = extent_range(&s->extent, &s->moves, first ? NULL : &clip->begin,
                                     last ? NULL : &clip->end, &clip->length, error);
    range_include_estimate(&clip->length);
    return status;
}

static csy_status together_find(struct together *t, const struct instants *in,
                                const struct moves *moves, csy_range *out, csy_error *error)
{
    csy_status status = outer_end(&t->outer.sweep) ? CSY_OK : error_memory(error);
    if (!status)
        status = forms_ranges(&t->forms, 1, moves, moves->sync, out, error);
    if (status || moves->n == 1)
        return status;
    if (!t->some_unordered) {
        int128 stamps = forms_stamps(&t->forms, 0, in->sync);
        if (out->kind == CSY_RANGE_CLOCK && moves->known && stamps != 0) {
            out->kind = CSY_RANGE_PROVEN;
            range_widen(out, stamps);
        }
        return CSY_OK;
    }
    out->kind = CSY_RANGE_UNKNOWN;
    if (!t->outer.sweep.known)
        return CSY_OK;
    int128 least = 0, most = 0;
    for (size_t i = 1; i <= t->outer.nlevels; i++) {
        least += t->outer.blocks[0].times[OUTER_LEAST][i];
        most += t->outer.blocks[0].times[OUTER_MOST][i];
    }
    out->kind = moves->star ? CSY_RANGE_STAR : CSY_RANGE_PROVEN;
    out->lo = least < out->estimate ? (int64_t)least : out->estimate;
    out->hi = most <= out->estimate ? out->estimate : fits_int64(most) ? (int64_t)most : INT64_MAX;
    return CSY_OK;
}

static csy_status find_executing(struct states *s, size_t part, const csy_range *ranges,
                                 struct executing *out, csy_error *error)
{
    csy_status status = CSY_OK;
    if (s->leveled) {
        size_t n = s->levels.nactors + 2;
        out->at_least = calloc(n, sizeof *out->at_least);
        out->exactly = calloc(n, sizeof *out->exactly);
        if (!out->at_least || !out->exactly)
            return error_memory(error);
        status = levels_ranges(&s->levels.blocks[part], out->at_least, out->exactly, error);
        out->span = out->at_least[0];
        out->some = out->at_least[1];
    } else {
        status = together_find(&s->together, s->instants, &s->moves, &out->some, error);
    }
    /* The time with at least one active actor is not less than the active time of any actor, and
     * not more than the sum of all active times. */
    if (out->some.kind != CSY_RANGE_CLOCK && out->some.kind != CSY_RANGE_UNKNOWN &&
        s->instants->imprecision_ticks <= 0) {
        for (size_t row = 0; row <= s->nactors; row++) {
            csy_range time = state_sum(ranges + row * s->ncolumns, 0, STATE_OVERHEAD + 1);
            if (time.kind == CSY_RANGE_UNKNOWN)
                continue;
            if (time.kind == CSY_RANGE_CLOCK) /* convert the actor's time to global time */
                range_widen(&time, places_own(s->moves.places, time.hi));
            if (row < s->nactors && time.lo > out->some.lo && time.lo <= out->some.estimate)
                out->some.lo = time.lo;
            if (row == s->nactors && time.hi < out->some.hi && time.hi >= out->some.estimate)
                out->some.hi = time.hi;
        }
    }
    if (s->leveled)
        return status;
    out->span.kind = CSY_RANGE_UNKNOWN;
    if (status || !s->instants->partial || !s->moves.known || s->moves.n > EXTENT_CLOCKS_MAX)
        return status;
    out->span.kind = CSY_RANGE_PROVEN;
    return extent_range(&s->extent, &s->moves, NULL, NULL, &out->span, error);
}

static csy_status states_make(struct states *s, size_t part, csy_analysis **out, csy_error *error)
{
    struct executing found = {0};
    struct forms *forms = &s->forms[part];
    size_t n = (s->nactors + 1 + s->units.count) * s->ncolumns;
    csy_range *ranges = malloc(n * sizeof *ranges);
    csy_analysis *analysis = calloc(1, sizeof *analysis);
    csy_status status = ranges && analysis ? CSY_OK : error_memory(error);
    if (!status)
        status = forms_ranges(forms, n, &s->moves, s->moves.sync, ranges, error);
    if (!status && s->clipped) {
        size_t nrows = n / s->ncolumns;
        struct clip *clip = &s->clips.items[part];
        status = find_length(s, clip, error);
        if (!status)
            status = clip_ranges(clip, clip->parts, n, &s->moves, s->moves.sync, ranges, error);
        /* The times in all states add up to the length of the requested part. */
        for (size_t row = 0; !status && row < nrows; row++) {
            csy_range *times = &ranges[row * s->ncolumns], *absent = &times[STATE_ABSENT];
            size_t windows = row == s->nactors ? s->nmeant : 1;
            if (row < s->nactors && !s->meant[row])
                continue;
            if (row > s->nactors || !clip->within)
                *absent = clip_rest(clip, times, STATE_ABSENT, windows);
            else
                clip_narrow(clip, times, STATES, windows);
            if (absent->estimate == INT64_MAX)
                status = error_set(error, CSY_INPUT, "a time does not fit 64 bits");
        }
    } else if (!status && s->instants->partial)
        status = set_absent(s, n / s->ncolumns, ranges, error);
    for (size_t row = 0; !status && !s->clipped && row < n / s->ncolumns; row++) {
        /* If any state of the row has a time with a range, give the other times a range that allows
         * for timestamp errors. */
        csy_range *times = ranges + row * s->ncolumns;
        bool unit = row > s->nactors && states_unit(s, row - s->nactors - 1).actor == NO_ACTOR;
        size_t nstates = unit ? STATES : STATE_ABSENT;
        csy_range_kind kind = CSY_RANGE_CLOCK;
        for (size_t i = 0; i < nstates; i++)
            kind = times[i].kind == CSY_RANGE_CLOCK ? kind : times[i].kind;
        for (size_t i = 0; i < nstates && kind != CSY_RANGE_CLOCK; i++) {
            int128 stamps = forms_stamps(forms, row * s->ncolumns + i, s->moves.sync);
            if (times[i].kind != CSY_RANGE_CLOCK || stamps == 0)
                continue;
            times[i].kind = kind;
            forms_allow_stamps(&times[i], stamps);
        }
    }
    if (!status)
        status = find_executing(s, part, ranges, &found, error);
    if (!status)
        add_rows(s, &found, analysis, ranges);
    if (!status && s->asked->levels)
        add_levels(s, &found, analysis);
    if (!status && s->nspent > 0) {
        char text[CSY_WARNING_TEXT_MAX];
        snprintf(
            text, sizeof text,
            "the user, system, and ready times of %zu actor%s come from counters of the system; "
            "it is unknown when these times were",
            s->nspent, s->nspent == 1 ? "" : "s");
        sheets_add_condition(analysis, text);
        if (s->asked->levels)
            sheets_add_condition(
                analysis, "the number of executing threads comes from events: a thread that "
                          "waits without an event, as in sleep, or that lacks a CPU, counts as "
                          "executing; to see such times, record with celltrace -e switches");
    }
    if (!status && s->asked->joint)
        status = add_joint(&s->joint, &s->moves, analysis, error);
    FREE_ALL(ranges, found.at_least, found.exactly);
    return sheets_finish(status, analysis, out, error);
}

/* --- Passes --------------------------------------------------------------------------------- */

/* Prepare to read the trace for as many sections (requested parts of the trace) as fit into memory.
 * Set s->nsections to their number. */
static csy_status prepare(struct states *s, csy_error *error)
{
    const csy_concurrency executing = {.units = s->kinds, .actors = s->asked->actors};
    size_t n = 1;
    csy_status status = moves_init(&s->moves, s->instants->sync, error);
    if (!status && !extent_init(&s->extent, csy_sync_nthreads(s->instants->sync)))
        status = error_memory(error);
    if (status)
        return status;
    if (s->sections) {
        size_t rows = 2 * s->nactors + 2, columns = STATES + s->instants->event_kinds.classes.count;
        size_t forms = rows * columns * (sizeof(struct form) + 2 * sizeof(struct form_part));
        size_t each = CLIPS * (forms + s->moves.n * sizeof(struct clip_ends)) +
                      levels_block_bytes(s->nactors, s->moves.n);
        size_t fit = PARTS_BYTES / each + 1;
        n = s->nsections = s->nsections < fit ? s->nsections : fit;
    }
    struct block *blocks = calloc(n + 1, sizeof *blocks);
    s->clips.items = calloc(n + 1, sizeof *s->clips.items);
    s->clips.extents = calloc(n + 1, sizeof *s->clips.extents);
    s->forms = calloc(n + 1, sizeof *s->forms);
    if (!blocks || !s->clips.items || !s->clips.extents || !s->forms)
        status = error_memory(error);
    if (!status && s->sections)
        status = time_parts_of_sections(blocks, s->instants, s->sections, n, error);
    for (; !status && s->clips.count < n; s->clips.count += !status) {
        struct clip *clip = &s->clips.items[s->clips.count];
        struct block *block = &blocks[s->clips.count];
        struct forms *forms = &s->forms[s->clips.count];
        status = clip_init(clip, s->instants, &s->moves, s->asked->window,
                           s->sections ? block : NULL, error);
        *block = clip->block;
        s->clipped = clip->asked;
        forms->whole = !clip->asked;
        forms->tubes.places = s->moves.places;
    }
    s->leveled = s->asked->levels || s->clipped;
    s->joint.forms.tubes.places = s->moves.places;
    if (!status)
        find_extents(&s->clips, s->moves.n);
    if (!status)
        status = s->leveled ? levels_begin(&s->levels, s->instants, &executing, blocks,
                                           s->clipped ? n : 0, NULL, 0, error)
                            : together_init(&s->together, s->instants, &s->moves, error);
    free(blocks);
    if (!status && s->asked->joint &&
        !joint_states_init(&s->joint, s->instants, s->meant, s->asked->units != CSY_UNITS_AUTO))
        status = error_memory(error);
    return status;
}

static void fini(void *user)
{
    struct states *s = user;
    for (size_t i = 0; i < s->clips.count; i++) {
        forms_fini(&s->forms[i]);
        clip_fini(&s->clips.items[i]);
    }
    levels_fini(&s->levels);
    levels_outer_fini(&s->together.outer);
    reach_fini(&s->together.reach);
    forms_fini(&s->together.forms);
    texts_fini(&s->joint.kept);
    forms_fini(&s->joint.forms);
    texts_fini(&s->units);
    FREE_ALL(s->forms, s->actors, s->meant, s->spent, s->joint.actors, s->joint.places,
             s->joint.now, s->clips.items, s->clips.extents);
    extent_fini(&s->extent);
    moves_fini(&s->moves);
}

static csy_status begin(void *user, struct instants *in, csy_error *error)
{
    struct states *s = user;
    s->instants = in;
    s->nactors = in->actors.count;
    s->meant = malloc((s->nactors + 1) * sizeof *s->meant);
    if (!s->meant)
        return error_memory(error);
    for (size_t i = 0; i < s->nactors; i++) {
        s->meant[i] = levels_means(in, s->kinds, s->asked->actors, &in->actors.items[i]);
        s->nmeant += s->meant[i];
    }
    csy_status status = actors_check_fit(&in->actors, in->sync, s->asked->actors, error);
    if (!status && s->nmeant == 0 && s->asked->actors && s->nactors > 0)
        status = error_set(error, CSY_USAGE,
                           "%s: no actor that matches '%s' is one of the counted units",
                           in->sync->trace->name, s->asked->actors);
    if (!status)
        status = prepare(s, error);
    if (status)
        return status;
    s->ncolumns = STATES + in->event_kinds.classes.count;
    s->actors = malloc((s->nactors + 1) * sizeof *s->actors);
    s->spent = calloc(s->nactors + 1, sizeof *s->spent);
    if (!s->actors || !s->spent)
        return error_memory(error);
    for (size_t i = 0; i < s->nactors; i++) {
        s->actors[i] = (struct doing){in->first, STATE_ABSENT, NO_TEXT, false, 0, NO_ROW, NO_ROW};
        if (s->meant[i] && !s->clipped)
            s->spent[i] = spent_time_of(in, &in->actors.items[i]);
    }
    return CSY_OK;
}

static csy_status end(void *user, csy_error *error)
{
    struct states *s = user;
    const struct instants *in = s->instants;
    bool good = true;
    for (uint32_t i = 0; i < s->nactors; i++)
        good = good && (!s->meant[i] || (end_doing(s, i, &in->last) && add_counted(s, i)));
    /* Until here, this is minus the time with an actor on the unit. */
    for (size_t i = 0; i < s->units.count && !s->clipped; i++)
        if (states_unit(s, i).actor == NO_ACTOR)
            good = good && forms_add(s->forms, (s->nactors + 1 + i) * s->ncolumns + STATE_ABSENT,
                                     &in->first, &in->last, 1);
    good = good && (!s->asked->joint || end_combination(&s->joint, &in->last));
    csy_status status = good ? CSY_OK : error_memory(error);
    if (!status && s->leveled)
        status = levels_end(&s->levels, error);
    if (!status)
        status = moves_finish(&s->moves, error);
    for (size_t i = 0; !status && i < s->clips.count; i++) {
        csy_analysis *made;
        const char *window = s->sections ? s->sections[i].window : s->asked->window;
        status = sheets_name_window(states_make(s, i, &made, error), &made, window, error);
        if (!status)
            status = s->receive(s->user, s->passed + i, made, error);
    }
    return status;
}

static void free_states(void *user)
{
    fini(user);
    free(user);
}

static void prepare_states(struct states *s, struct analysis *analysis, const csy_states *asked,
                           csy_take_section receive, void *user)
{
    *s = (struct states){.asked = asked,
                         .kinds = asked->units ? asked->units : CSY_UNITS_ACTORS,
                         .receive = receive,
                         .user = user};
    *analysis =
        (struct analysis){.begin = begin, .take = take, .end = end, .free = fini, .user = s};
}

static csy_status check(const csy_sync *sync, const csy_states *asked, bool windows,
                        csy_error *error)
{
    csy_status status = sync->read ? CSY_OK : solution_check_feasible(sync, error);
    if (!status && windows && asked->joint)
        status = error_set(error, CSY_USAGE, "--joint requires the whole trace, without a window");
    if (!status)
        status = error_check_choice("units", (int)asked->units, CSY_UNITS_CPU, error);
    if (!status && asked->units == CSY_UNITS_CPU)
        status =
            error_set(error, CSY_USAGE,
                      "the verb \"states\" requires --units=spe, --units=ppe, or --units=actors");
    return status;
}

static csy_status keep(void *user, size_t index, csy_analysis *analysis, csy_error *error)
{
    csy_analysis **out = user;
    (void)error;
    out[index] = analysis;
    return CSY_OK;
}

csy_status states_analysis(struct analysis *analysis, const csy_states *asked, csy_analysis **out,
                           csy_error *error)
{
    struct states *s = malloc(sizeof *s);
    if (!s)
        return error_memory(error);
    prepare_states(s, analysis, asked, keep, out);
    analysis->free = free_states;
    return CSY_OK;
}

csy_status csy_sync_states(csy_sync *sync, const csy_meaning *meaning, const csy_states *asked,
                           csy_analysis **out, csy_error *error)
{
    const csy_states defaults = {.pairs = false};
    struct analysis analysis;
    asked = asked ? asked : &defaults;
    csy_status status = check(sync, asked, asked->window, error);
    if (!status)
        status = states_analysis(&analysis, asked, out, error);
    return status ? status : analysis_run(sync, meaning, MORE_TIMES, &analysis, error);
}

csy_status csy_sync_states_by_section(csy_sync *sync, const csy_meaning *meaning,
                                      const csy_states *asked, const csy_section *sections,
                                      size_t n, csy_take_section receive, void *user,
                                      csy_error *error)
{
    const csy_states defaults = {.pairs = false};
    asked = asked ? asked : &defaults;
    csy_status status = check(sync, asked, true, error);
    for (size_t done = 0; !status && done < n;) {
        struct states s;
        struct analysis analysis;
        prepare_states(&s, &analysis, asked, receive, user);
        s.sections = sections + done;
        s.nsections = n - done;
        s.passed = done;
        status = analysis_run(sync, meaning, MORE_TIMES, &analysis, error);
        done += s.nsections;
    }
    return status;
}

csy_status csy_sync_states_of_sections(csy_sync *sync, const csy_meaning *meaning,
                                       const csy_states *asked, const csy_section *sections,
                                       size_t n, csy_analysis **out, csy_error *error)
{
    for (size_t i = 0; i < n; i++)
        out[i] = NULL;
    csy_status status =
        csy_sync_states_by_section(sync, meaning, asked, sections, n, keep, out, error);
    for (size_t i = 0; status && i < n; i++)
        csy_analysis_free(out[i]);
    return status;
}

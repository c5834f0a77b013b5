/* Makes the sheets of the analysis of states. */
#include "analysis/activity/states.h"
#include "base/error.h"
#include "base/sort.h"

#include <inttypes.h>
#include <stdlib.h>

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
        if (joint->unordered) /* some combination ends at a moment that is not recorded */
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
                sheets_set_constant(&values[unit], text);
            }
            sheets_set_range(&values[joint->nunits], &rows[i].time);
            if (span > 0)
                sheets_set_number(&values[joint->nunits + 1],
                                  (int64_t)((int128)rows[i].time.estimate * PPM / span));
        }
    }
    free(ranges);
    free(rows);
    return status;
}

/* --- Sums of times in states, and their shares --------------------------------------------- */

/* Returns the sum of the states `first` to `end` - 1 of a row, INT64_MAX if beyond 64 bits. */
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
        if (r->kind == CSY_RANGE_UNKNOWN || sum.kind == CSY_RANGE_UNKNOWN)
            sum.kind = CSY_RANGE_UNKNOWN;
        /* The ends of several ranges may need different offsets, so their sum is not exact. */
        else if (r->kind != CSY_RANGE_CLOCK)
            sum.kind = r->kind == CSY_RANGE_STAR || sum.kind == CSY_RANGE_STAR ? CSY_RANGE_STAR
                                                                               : CSY_RANGE_PROVEN;
    }
    sum.estimate = fits_int64(estimate) ? (int64_t)estimate : INT64_MAX;
    return sum;
}

enum { COLUMN_WHAT, COLUMN_NAME, COLUMNS_BEFORE, NAME_BYTES = 300 };

/* Add a row. Returns the values after the name, or NULL if the analysis has failed. */
static csy_value *add_row(const struct states *s, csy_analysis *out, const char *what,
                          const char *name, const csy_range *ranges)
{
    csy_value *values = sheets_add_row(out);
    if (!values)
        return NULL;
    sheets_set_text(out, &values[COLUMN_NAME], name);
    sheets_set_constant(&values[COLUMN_WHAT], what);
    for (size_t i = 0; i < s->ncolumns; i++)
        sheets_set_range(&values[COLUMNS_BEFORE + i], &ranges[i]);
    csy_value *after = values + COLUMNS_BEFORE + s->ncolumns;
    csy_range active = state_sum(ranges, 0, STATE_OVERHEAD + 1);
    bool unit = strcmp(what, "unit") == 0;
    csy_range rest = state_sum(ranges, STATE_OVERHEAD + 1, unit ? STATES : STATE_ABSENT);
    after[0] = (csy_value){.none = active.estimate == INT64_MAX, .range = active};
    if (active.estimate < INT64_MAX && rest.estimate < INT64_MAX &&
        (int128)active.estimate + rest.estimate > 0) {
        /* the range of active / (active + rest), in millionths */
        csy_range share = {.hi = PPM,
                           .kind = state_sum((const csy_range[]){active, rest}, 0, 2).kind};
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
        after[1] = (csy_value){.range = share};
    }
    return values + COLUMNS_BEFORE;
}

static int128 within(int128 value, int128 least, int128 most)
{
    return value < least ? least : value > most ? most : value;
}

/* Returns the time with at least one executing actor: the range by events, narrowed by the counted
 * CPU times. If events record when actors had a core, the result stays as near to the range by
 * events as the difference between counted and recorded times permits. */
static csy_range together_of(const struct states *s, const struct part *part,
                             const csy_range *ranges)
{
    csy_range all = state_sum(ranges + s->nactors * s->ncolumns, 0, STATE_OVERHEAD + 1);
    /* Times on one clock have no range yet, so add the errors of their timestamps. */
    int128 stamps = all.kind == CSY_RANGE_CLOCK
                        ? (int128)s->nstamped * s->moves.sync->imprecision.added_ticks
                        : 0;
    if (all.kind == CSY_RANGE_CLOCK)
        stamps += places_own(s->moves.places, all.hi + stamps);
    int64_t most = INT64_MAX;
    if (all.kind != CSY_RANGE_UNKNOWN && fits_int64(all.hi + stamps))
        most = (int64_t)(all.hi + stamps);
    if (part->span.kind != CSY_RANGE_UNKNOWN && part->span.hi < most)
        most = part->span.hi;
    csy_range out = part->executing;
    bool known = false, limited = s->nspent == 0 && out.kind != CSY_RANGE_UNKNOWN;
    int128 least = 0, lo = limited ? out.lo : 0, hi = limited ? out.hi : INT64_MAX;
    for (size_t i = 0; i < s->nactors; i++) {
        const struct spent_time *spent = &s->spent[i];
        int128 own = (int128)spent->user_ticks + spent->system_ticks;
        if (!spent->known)
            continue;
        known = true;
        least = own > least ? own : least;
        if (limited) { /* an actor executes while it has a core and does not wait */
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
    bool same = out.lo == part->executing.lo && out.hi == part->executing.hi;
    /* The system counts CPU times by the clock of the thread, so convert them to global time. */
    if (!same)
        range_widen(&out, places_own(s->moves.places, out.hi));
    return out;
}

static void add_rows(const struct states *s, const struct part *part, csy_analysis *out,
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
            if (values && !pair && ppe) /* several threads share the PPE */
                values[s->ncolumns].none = values[s->ncolumns + 1].none = true;
        }
    csy_value *values = add_row(s, out, "all", "all", all);
    if (!values)
        return;
    values[s->ncolumns] = (csy_value){.none = true};
    if (s->nmeant > 0)
        values[s->ncolumns] = (csy_value){.range = together_of(s, part, ranges)};
}

static void add_levels(const struct states *s, const struct part *part, csy_analysis *out)
{
    static const csy_column columns[] = {COUNT_COLUMN("executing", false),
                                         TICKS_COLUMN("time", true),
                                         TICKS_COLUMN("at_least", true)};
    size_t n = s->levels.nactors;
    SHEETS_ADD(out, "virtual", columns);
    while (n > 0 && part->at_least[n].estimate == 0 && part->at_least[n].hi <= 0)
        n--;
    for (size_t i = 0; i <= n; i++) {
        csy_value *values = sheets_add_row(out);
        if (!values)
            return;
        sheets_set_number(&values[0], (int64_t)i);
        sheets_set_range(&values[1], &part->exactly[i]);
        sheets_set_range(&values[2], &part->at_least[i]);
    }
}

/* Set how far the times of a row may be below and above the true times because clocks drift. An
 * actor that is present during all records of its clock gets tighter limits. */
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

/* Set the absent times: the length of the trace minus the times of all other states. */
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
        uint64_t stays = 0; /* number of times that actors of this row appeared */
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

/* Find the length of a window. An open end extends to the first or last record on any clock. */
static csy_status find_length(const struct states *s, struct clip *clip, csy_error *error)
{
    const struct block_end *first = &clip->block.first, *last = &clip->block.last;
    csy_range *length = &clip->length;
    if (!(first->open || last->open) || s->moves.n == 1 || !clip->known ||
        s->moves.n > EXTENT_CLOCKS_MAX)
        return CSY_OK;
    length->kind = clip_kind(clip);
    csy_status status = extent_range(&s->extent, &s->moves, first->open ? NULL : &clip->begin,
                                     last->open ? NULL : &clip->end, length, error);
    range_include_estimate(length);
    return status;
}

/* Set *out to the time with at least one active actor. */
static csy_status together_find(struct together *t, const struct instants *in,
                                const struct moves *moves, csy_range *out, csy_error *error)
{
    csy_status status = levels_outer_end(&t->outer) ? CSY_OK : error_memory(error);
    if (!status)
        status = forms_ranges(&t->forms, 1, moves, moves->sync, out, error);
    if (status || moves->n == 1)
        return status;
    if (!t->some_unordered) {
        /* Each time is measured on one clock, so only timestamp errors widen the range. */
        int128 stamps = forms_stamps(&t->forms, 0, in->sync);
        if (out->kind == CSY_RANGE_CLOCK && moves->known && stamps != 0) {
            out->kind = CSY_RANGE_PROVEN;
            range_widen(out, stamps);
        }
        return CSY_OK;
    }
    out->kind = CSY_RANGE_UNKNOWN;
    if (!t->outer.known)
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

static csy_status find_executing(struct states *s, struct part *part, const csy_range *ranges,
                                 csy_error *error)
{
    csy_status status = CSY_OK;
    if (s->leveled) {
        size_t n = s->levels.nactors + 2;
        part->at_least = calloc(n, sizeof *part->at_least);
        part->exactly = calloc(n, sizeof *part->exactly);
        if (!part->at_least || !part->exactly)
            return error_memory(error);
        status = levels_ranges(part->levels, part->at_least, part->exactly, error);
        part->span = part->at_least[0];
        part->executing = part->at_least[1];
    } else {
        status = together_find(&s->together, s->instants, &s->moves, &part->executing, error);
    }
    /* The time is at least the time of each actor, and at most the sum of these times. */
    if (part->executing.kind != CSY_RANGE_CLOCK && part->executing.kind != CSY_RANGE_UNKNOWN &&
        s->instants->imprecision_ticks <= 0) {
        for (size_t row = 0; row <= s->nactors; row++) {
            csy_range time = state_sum(ranges + row * s->ncolumns, 0, STATE_OVERHEAD + 1);
            if (time.kind == CSY_RANGE_UNKNOWN)
                continue;
            if (time.kind == CSY_RANGE_CLOCK) /* convert the actor's time to global time */
                range_widen(&time, places_own(s->moves.places, time.hi));
            if (row < s->nactors && time.lo > part->executing.lo &&
                time.lo <= part->executing.estimate)
                part->executing.lo = time.lo;
            if (row == s->nactors && time.hi < part->executing.hi &&
                time.hi >= part->executing.estimate)
                part->executing.hi = time.hi;
        }
    }
    if (s->leveled)
        return status;
    part->span.kind = CSY_RANGE_UNKNOWN;
    if (status || !s->instants->partial || !s->moves.known || s->moves.n > EXTENT_CLOCKS_MAX)
        return status;
    part->span.kind = CSY_RANGE_PROVEN;
    return extent_range(&s->extent, &s->moves, NULL, NULL, &part->span, error);
}

csy_status states_make(struct states *s, size_t part, csy_analysis **out, csy_error *error)
{
    struct part *made = &s->parts[part];
    size_t n = (s->nactors + 1 + s->units.count) * s->ncolumns;
    csy_range *ranges = malloc(n * sizeof *ranges);
    csy_analysis *analysis = calloc(1, sizeof *analysis);
    csy_status status = ranges && analysis ? CSY_OK : error_memory(error);
    if (!status)
        status = forms_ranges(&made->forms, n, &s->moves, s->moves.sync, ranges, error);
    if (!status && s->clipped) {
        /* Narrow the times, because the states of an actor add up to the length of the window. */
        size_t nrows = n / s->ncolumns;
        status = find_length(s, &s->clips.items[part], error);
        if (!status)
            status = clip_ranges(&s->clips.items[part], nrows * s->ncolumns, &s->moves,
                                 s->moves.sync, ranges, error);
        for (size_t row = 0; !status && row < nrows; row++) {
            csy_range *times = &ranges[row * s->ncolumns], *absent = &times[STATE_ABSENT];
            size_t windows = row == s->nactors ? s->nmeant : 1;
            if (row < s->nactors && !s->meant[row])
                continue;
            if (row > s->nactors || !s->clips.items[part].within)
                *absent = clip_rest(&s->clips.items[part], times, STATE_ABSENT, windows);
            else
                clip_narrow(&s->clips.items[part], times, STATES, windows);
            if (absent->estimate == INT64_MAX)
                status = error_set(error, CSY_INPUT, "a time does not fit 64 bits");
        }
    } else if (!status && s->instants->partial)
        status = set_absent(s, n / s->ncolumns, ranges, error);
    for (size_t row = 0; !status && !s->clipped && row < n / s->ncolumns; row++) {
        /* If the range of one state includes timestamp errors, widen all others by them, too. */
        csy_range *times = ranges + row * s->ncolumns;
        bool unit = row > s->nactors && states_unit(s, row - s->nactors - 1).actor == NO_ACTOR;
        size_t nstates = unit ? STATES : STATE_ABSENT;
        csy_range_kind kind = CSY_RANGE_CLOCK;
        for (size_t i = 0; i < nstates; i++)
            kind = times[i].kind == CSY_RANGE_CLOCK ? kind : times[i].kind;
        for (size_t i = 0; i < nstates && kind != CSY_RANGE_CLOCK; i++) {
            int128 stamps = forms_stamps(&made->forms, row * s->ncolumns + i, s->moves.sync);
            if (times[i].kind != CSY_RANGE_CLOCK || stamps == 0)
                continue;
            times[i].kind = kind;
            forms_allow_stamps(&times[i], stamps);
        }
    }
    if (!status)
        status = find_executing(s, made, ranges, error);
    if (!status)
        add_rows(s, made, analysis, ranges);
    if (!status && s->asked->levels)
        add_levels(s, made, analysis);
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
    free(ranges);
    return sheets_finish(status, analysis, out, error);
}

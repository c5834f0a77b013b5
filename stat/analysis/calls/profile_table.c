/* Makes the tables of calls of routines, for csy_sync_profile. */
#include "analysis/calls/profile.h"
#include "base/error.h"
#include "base/sort.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- Samples ------------------------------------------------------------------------------- */

/* Charged times are fixed-point numbers with this number of binary digits after the point. */
enum { FRACTION_BITS = 20 };

#define NOT_MET SIZE_MAX

/* Tarjan's search for groups of routines that call each other. A group gets a lower number than all
 * groups that call it. */
struct group_search {
    const struct sampled_arc *arcs; /* calls between routines, sorted by caller */
    const size_t *first;            /* index of each row's first arc; first[n] is narcs */
    size_t *group, *number, *low;
    size_t *at;          /* for each row: index in `arcs` of the call to follow next */
    size_t *path, *open; /* Stacks of rows. `path` has rows while their calls are followed, `open`
                          * visited rows that have no group yet. */
    size_t npath, nopen, nmet, ngroups;
};

static void open_row(struct group_search *g, size_t row)
{
    g->number[row] = g->low[row] = g->nmet++;
    g->at[row] = g->first[row];
    g->path[g->npath++] = row;
    g->open[g->nopen++] = row;
}

static void search(struct group_search *g, size_t from)
{
    open_row(g, from);
    while (g->npath > 0) {
        size_t row = g->path[g->npath - 1];
        if (g->at[row] == g->first[row + 1]) {
            g->npath--;
            if (g->npath > 0 && g->low[row] < g->low[g->path[g->npath - 1]])
                g->low[g->path[g->npath - 1]] = g->low[row];
            if (g->low[row] >= g->number[row]) {
                do {
                    g->group[g->open[--g->nopen]] = g->ngroups;
                } while (g->open[g->nopen] != row);
                g->ngroups++;
            }
            continue;
        }
        size_t to = g->arcs[g->at[row]++].callee;
        if (g->number[to] == NOT_MET)
            open_row(g, to);
        else if (g->group[to] == NOT_MET && g->number[to] < g->low[row])
            g->low[row] = g->number[to];
    }
}

static int compare_callers(const void *a, const void *b)
{
    const struct sampled_arc *x = a, *y = b;
    return 2 * COMPARE(x->caller, y->caller) + COMPARE(x->callee, y->callee);
}

struct into {
    size_t group;
    const struct sampled_arc *arc;
    size_t row;
};

static int compare_into(const void *a, const void *b)
{
    const struct into *x = a, *y = b;
    return 4 * COMPARE(x->group, y->group) + 2 * COMPARE(x->row, y->row) + COMPARE(x->arc, y->arc);
}

/* Charge the times of all callees to their callers. `times` initially has the time in each row's
 * own routine. `room` must have space for 7 n + 1 elements, `into` for n + s->narcs. */
static void propagate(struct sampled *s, size_t n, const uint64_t *calls, int128 *times,
                      size_t *room, struct into *into)
{
    size_t *first = room, arc = 0, count = 0, end;
    struct group_search g = {.arcs = s->arcs, .first = first};
    size_t **const arrays[] = {&g.group, &g.number, &g.low, &g.at, &g.path, &g.open};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        *arrays[i] = room + n + 1 + i * n;
    SORT(s->arcs, s->narcs, compare_callers);
    for (size_t row = 0; row <= n; row++) {
        while (arc < s->narcs && s->arcs[arc].caller < row)
            arc++;
        first[row] = arc;
    }
    for (size_t row = 0; row < n; row++)
        g.group[row] = g.number[row] = NOT_MET;
    for (size_t row = 0; row < n; row++)
        if (g.number[row] == NOT_MET)
            search(&g, row);
    for (size_t row = 0; row < n; row++)
        into[count++] = (struct into){g.group[row], NULL, row};
    for (size_t i = 0; i < s->narcs; i++)
        into[count++] = (struct into){g.group[s->arcs[i].callee], &s->arcs[i], s->arcs[i].callee};
    qsort(into, count, sizeof *into, compare_into);
    for (size_t begin = 0; begin < count; begin = end) {
        for (end = begin; end < count && into[end].group == into[begin].group;)
            end++;
        /* Charge the time of this group to its callers, in proportion to their calls. */
        int128 sum = 0;
        uint64_t outside = 0;
        for (size_t i = begin; i < end; i++) {
            const struct sampled_arc *call = into[i].arc;
            if (!call) {
                sum += times[into[i].row];
                outside += calls[into[i].row];
            } else if (g.group[call->caller] == into[i].group) {
                outside -= call->calls;
            }
        }
        if (outside == 0)
            continue;
        for (size_t i = begin; i < end; i++) {
            const struct sampled_arc *call = into[i].arc;
            if (call && g.group[call->caller] != into[i].group)
                times[call->caller] += sum * call->calls / outside;
        }
    }
}

/* --- Windows ------------------------------------------------------------------------------- */

/* Columns of the sheets "profile" and "elapsed", counted from the column after the group. */
enum {
    CALLS = 2,
    RECURSIVE,
    OPEN,
    IMPLIED,
    DIRECT,
    CUMULATIVE,
    MEAN,
    LEAST,
    GREATEST,
    PERCENTILES,
    DESCENDANT_CALLS = PERCENTILES + 3,
    DESCENDANT_TIME
};
enum {
    ELAPSED_DIRECT,
    ELAPSED,
    OVERLAP,
    SEQUENTIAL,
    CONCURRENT,
    SEQUENTIAL_CALLS,
    CONCURRENT_CALLS,
    GREATEST_CONCURRENCY
};

struct window_profile;

struct pass {
    struct profile profile;
    struct window_profile *of;
    csy_range *forms;
};

struct window_profile {
    struct clip clip;
    struct pass passes[CLIPS];
    struct analysis analyses[CLIPS];
    int n;
    int64_t doubt; /* length of the time, near both ends of the window, when events may be inside or
                    * outside */
    bool unordered;
    csy_analysis *out;
};

struct joint_row {
    const struct profile_row *rows[CLIPS];
    uint32_t index[CLIPS];
    const csy_range *forms[CLIPS];
    csy_value *profile, *elapsed;
    csy_range direct, inside;
    uint64_t touching; /* number of calls that may not be fully in the requested part */
    struct cut_probe probe;
    int64_t at_most; /* greatest number of actors at once; INT64_MAX if unknown */
};

static void set_range(const struct window_profile *w, csy_value *value, int128 lo, int128 hi)
{
    csy_range *range = &value->range;
    if (value->none)
        return;
    range->kind = clip_kind(&w->clip);
    range->lo = range->hi = 0;
    if (range->kind == CSY_RANGE_UNKNOWN)
        return;
    range->lo = lo < range->estimate ? nearest_int64(lo) : range->estimate;
    range->hi = hi > range->estimate ? nearest_int64(hi) : range->estimate;
    if (range->lo == range->hi)
        range->kind = CSY_RANGE_CLOCK;
}

static void set_unknown(csy_value *value)
{
    value->range = (csy_range){.estimate = value->range.estimate, .kind = CSY_RANGE_UNKNOWN};
}

static void set_grown(const struct window_profile *w, csy_value *value, const csy_range *least,
                      const csy_range *most)
{
    int64_t estimate = value->range.estimate;
    const csy_range own = {estimate, estimate, estimate, CSY_RANGE_CLOCK};
    if (!value->none)
        value->range = clip_range(&w->clip, (csy_range[CLIPS]){own, *least, *most});
}

/* --- Sheet "profile" ------------------------------------------------------------------------- */

static int128 off_by(const struct window_profile *w, int128 length)
{
    int128 added = w->clip.added_ticks;
    return added + places_own(w->clip.places, (length < 0 ? -length : length) + added);
}

/* Set the range of a duration from `least` to `most`, extended by timestamp errors and drift. The
 * range begins at 0 or above, unless the estimate is negative. */
static void set_length(const struct window_profile *w, csy_value *value, int128 least, int128 most)
{
    int128 lo = least - off_by(w, least), floor = value->range.estimate < 0 ? lo : 0;
    set_range(w, value, lo < floor ? floor : lo, most + off_by(w, most));
}

/* Set the mean, the shortest and longest call, and the percentiles. Their ranges allow for calls
 * that may be outside the window. */
static void set_lengths(const struct window_profile *w, const struct joint_row *j)
{
    static const unsigned percents[] = {50, 95, 99};
    const struct profile_row *least = j->rows[CLIP_LEAST], *most = j->rows[CLIP_MOST];
    const csy_range *shortest = &j->forms[CLIP_LEAST][FORM_LENGTHS];
    const csy_range *longest = &j->forms[CLIP_MOST][FORM_LENGTHS];
    csy_value *mean = &j->profile[MEAN], *first = &j->profile[LEAST];
    csy_value *last = &j->profile[GREATEST];
    if (mean->none)
        return;
    int128 lo = floor_div(shortest->lo, (int128)most->calls);
    int128 hi = (int128)most->greatest.hi + off_by(w, most->greatest.hi);
    lo = lo < 0 && mean->range.estimate >= 0 ? 0 : lo;
    if (least->calls > 0 && ceil_div(longest->hi, (int128)least->calls) < hi)
        hi = ceil_div(longest->hi, (int128)least->calls);
    bool same = least->calls == most->calls && shortest->lo == longest->hi;
    set_range(w, mean, same ? mean->range.estimate : lo, same ? mean->range.estimate : hi);
    uint64_t maybe = most->calls - least->calls;
    if (maybe == 0) {
        set_length(w, first, least->least.lo, most->least.hi);
    } else {
        int64_t bound = least->calls > 0 ? lengths_bound(&w->passes[CLIP_MOST].profile.lengths,
                                                         j->index[CLIP_MOST], maybe + 1, true)
                                         : most->greatest.hi;
        bound = bound < most->greatest.hi ? bound : most->greatest.hi;
        set_length(w, first, most->least.lo < 0 ? most->least.lo : 0, bound);
    }
    set_length(w, last, least->calls > 0 ? least->greatest.lo : 0, most->greatest.hi);
    for (size_t i = 0; i < sizeof percents / sizeof *percents; i++) {
        uint64_t k = (uint64_t)(((uint128)most->calls * percents[i] + 99) / 100);
        const struct lengths *short_ones = &w->passes[CLIP_LEAST].profile.lengths;
        const struct lengths *long_ones = &w->passes[CLIP_MOST].profile.lengths;
        int64_t low = most->least.lo > 0 ? 0 : most->least.lo, high = most->greatest.hi;
        if (k > maybe) {
            int64_t bound = lengths_bound(short_ones, j->index[CLIP_LEAST], k - maybe, false);
            low = bound < least->least.lo ? least->least.lo : bound;
        }
        if (k <= least->calls) {
            int64_t bound = lengths_bound(long_ones, j->index[CLIP_MOST], k + maybe, true);
            high = bound < high ? bound : high;
        }
        set_length(w, &j->profile[PERCENTILES + i], low, high);
    }
    bool unknown = shortest->kind == CSY_RANGE_UNKNOWN || longest->kind == CSY_RANGE_UNKNOWN;
    for (size_t i = MEAN; unknown && i < DESCENDANT_CALLS; i++)
        set_unknown(&j->profile[i]);
}

static void join_profile(const struct window_profile *w, struct joint_row *j)
{
    const struct profile_row *least = j->rows[CLIP_LEAST], *most = j->rows[CLIP_MOST];
    const csy_range *first = j->forms[CLIP_LEAST], *last = j->forms[CLIP_MOST];
    csy_value *value = j->profile;
    set_range(w, &value[CALLS], least->calls, most->calls);
    set_range(w, &value[RECURSIVE], least->recursive, most->recursive);
    set_range(w, &value[OPEN], least->open, most->open);
    set_range(w, &value[IMPLIED], least->implied, most->implied);
    set_grown(w, &value[DIRECT], &first[FORM_DIRECT], &last[FORM_DIRECT]);
    set_grown(w, &value[CUMULATIVE], &first[FORM_CUMULATIVE], &last[FORM_CUMULATIVE]);
    set_lengths(w, j);
    set_range(w, &value[DESCENDANT_CALLS], least->descendants, most->descendants);
    set_grown(w, &value[DESCENDANT_TIME], &first[FORM_DESCENDANT], &last[FORM_DESCENDANT]);
    j->direct = value[DIRECT].range;
    j->inside = value[CUMULATIVE].range;
}

/* --- Sheet "elapsed" ------------------------------------------------------------------------- */

static void widen(const struct window_profile *w, csy_value *value, int128 by, const csy_range *sum)
{
    csy_range range = value->range;
    if (range.kind == CSY_RANGE_UNKNOWN || sum->kind == CSY_RANGE_UNKNOWN) {
        set_unknown(value);
        return;
    }
    int128 lo = (int128)range.lo - by, hi = range.hi == INT64_MAX ? INT64_MAX : range.hi + by;
    set_range(w, value, lo < 0 ? 0 : lo, hi > sum->hi ? sum->hi : hi);
    if (by == 0 && range.kind == CSY_RANGE_EXACT && value->range.kind != CSY_RANGE_CLOCK)
        value->range.kind = range.kind;
}

/* Set the range of `value` to `sum` minus `part`. Its earlier range, if any, also limits it. */
static void set_rest(const struct window_profile *w, csy_value *value, const csy_range *sum,
                     const csy_range *part)
{
    csy_range own = value->range;
    if (part->kind == CSY_RANGE_UNKNOWN || sum->kind == CSY_RANGE_UNKNOWN) {
        set_unknown(value);
        return;
    }
    int128 lo = (int128)sum->lo - (part->hi < 0 ? 0 : part->hi);
    int128 hi = (int128)sum->hi - (part->lo < 0 ? 0 : part->lo);
    bool known = own.kind != CSY_RANGE_UNKNOWN;
    lo = known && own.lo > lo ? own.lo : lo;
    hi = known && own.hi < hi ? own.hi : hi;
    set_range(w, value, lo < 0 ? 0 : lo, hi);
}

static void widen_count(const struct window_profile *w, csy_value *value, int64_t by, int64_t least,
                        int64_t most)
{
    int128 lo = (int128)value->range.lo - by, hi = (int128)value->range.hi + by;
    if (value->range.kind != CSY_RANGE_UNKNOWN)
        set_range(w, value, lo < least ? least : lo, hi > most ? most : hi);
}

static void join_elapsed(const struct window_profile *w, struct joint_row *j)
{
    csy_value *value = j->elapsed;
    bool single = j->rows[CLIP_MOST]->actor != NO_ACTOR;
    int64_t actors = single ? 1 : (int64_t)w->passes[CLIP_MOST].profile.nactors;
    int128 alone = (int128)w->doubt * actors;
    if (single) {
        value[ELAPSED_DIRECT].range = j->direct;
        value[ELAPSED].range = j->inside;
        value[OVERLAP] = sheets_number(value[OVERLAP].range.estimate);
    } else {
        int128 doubt = j->touching > 0 ? w->doubt : 0;
        widen(w, &value[ELAPSED_DIRECT], doubt, &j->direct);
        widen(w, &value[ELAPSED], doubt, &j->inside);
        value[OVERLAP].range.kind = CSY_RANGE_UNKNOWN;
        set_rest(w, &value[OVERLAP], &j->inside, &value[ELAPSED].range);
    }
    widen(w, &value[SEQUENTIAL], alone, &j->direct);
    widen(w, &value[CONCURRENT], alone, &j->direct);
    set_rest(w, &value[CONCURRENT], &j->direct, &value[SEQUENTIAL].range);
    csy_value *apart = &j->elapsed[SEQUENTIAL_CALLS], *together = &j->elapsed[CONCURRENT_CALLS];
    csy_value *greatest = &j->elapsed[GREATEST_CONCURRENCY];
    int64_t least = (int64_t)j->rows[CLIP_LEAST]->calls, most = (int64_t)j->rows[CLIP_MOST]->calls;
    int64_t by = (int64_t)j->touching;
    if (by == 0 || (w->passes[CLIP_ESTIMATE].profile.moves.n == 1 && w->clip.added_ticks == 0))
        return;
    widen_count(w, apart, by, 0, most);
    widen_count(w, together, by, (int64_t)j->probe.calls[0], most);
    widen_count(w, greatest, by, j->probe.actors, j->at_most < most ? j->at_most : most);
    csy_range calls = {0, least, most, CSY_RANGE_PROVEN};
    set_rest(w, apart, &calls, &together->range);
}

/* --- Passes ---------------------------------------------------------------------------------- */

/* The caller frees *out. */
static csy_status find_forms(struct profile *p, csy_range **out, csy_error *error)
{
    static const struct form_use uses[] = {
        {FORM_CUMULATIVE, FORM_DESCENDANT, 1}, {FORM_DIRECT, FORM_DESCENDANT, -1},
        {FORM_CUMULATIVE, FORM_OVERLAP, 1},    {FORM_ELAPSED, FORM_OVERLAP, -1},
        {FORM_DIRECT, FORM_CONCURRENT, 1},     {FORM_ALONE, FORM_CONCURRENT, -1},
        {FORM_DIRECT, FORM_TOGETHER_MOST, 1},  {FORM_ALONE_LEAST, FORM_TOGETHER_MOST, -1},
        {FORM_DIRECT, FORM_TOGETHER_LEAST, 1}, {FORM_ALONE_MOST, FORM_TOGETHER_LEAST, -1}};
    size_t n = p->nrows * FORMS;
    size_t nuses = p->as == CLIP_ESTIMATE ? sizeof uses / sizeof *uses : 2;
    *out = malloc((n + 1) * sizeof **out);
    if (!*out || !forms_derive(&p->forms, FORMS, uses, nuses))
        return error_memory(error);
    lengths_sort(&p->lengths);
    return forms_ranges(&p->forms, n, &p->moves, p->moves.sync, *out, error);
}

/* Add rows with no calls, so that the profiles of all windows have the same rows. */
static csy_status share_rows(struct window_profile *w, csy_error *error)
{
    for (int from = CLIPS; from-- > 0;)
        for (int to = 0; to < CLIPS; to++) {
            const struct profile *p = &w->passes[from].profile;
            for (uint32_t i = 0, row; to != from && i < p->nrows; i++)
                if (profile_tells(p, i) &&
                    !profile_find_row(&w->passes[to].profile, p->rows[i].routine, p->rows[i].group,
                                      &row))
                    return error_memory(error);
        }
    return CSY_OK;
}

static bool find_joint(struct window_profile *w, uint32_t row, struct joint_row *out)
{
    struct profile *p = &w->passes[CLIP_ESTIMATE].profile;
    uint32_t routine = p->rows[row].routine, group = p->rows[row].group, outside;
    uint64_t inner;
    out->probe = (struct cut_probe){.actors = 0};
    out->at_most = INT64_MAX;
    if (!w->unordered) {
        if (!profile_find_row(p, routine, CUTS_OUTSIDE, &outside))
            return false;
        if (row < p->cuts.nprobes)
            out->probe = p->cuts.probes[row];
        if (out->probe.calls[1] > out->probe.calls[0])
            out->probe.calls[0] = out->probe.calls[1];
        out->at_most = p->rows[row].most_inside;
        if (p->rows[outside].most_inside > out->at_most)
            out->at_most = p->rows[outside].most_inside;
    }
    for (enum clip_as as = CLIP_ESTIMATE; as < CLIPS; as++) {
        struct pass *pass = &w->passes[as];
        if (!profile_find_row(&pass->profile, routine, group, &out->index[as]))
            return false;
        out->rows[as] = &pass->profile.rows[out->index[as]];
        out->forms[as] = as == CLIP_ESTIMATE ? NULL : pass->forms + (size_t)out->index[as] * FORMS;
    }
    const struct cuts *cuts = &w->passes[CLIP_LEAST].profile.cuts;
    uint32_t least = out->index[CLIP_LEAST];
    uint64_t edged = least < cuts->nedged ? cuts->edged[least] : 0;
    inner = out->rows[CLIP_LEAST]->calls;
    inner -= edged < inner ? edged : inner;
    out->touching = out->rows[CLIP_MOST]->calls - inner;
    return true;
}

/* --- Sheets --------------------------------------------------------------------------------- */

static const csy_column of_profile[] = {TEXT_COLUMN("file"),
                                        COUNT_COLUMN("line", false),
                                        COUNT_COLUMN("calls", false),
                                        COUNT_COLUMN("recursive", false),
                                        COUNT_COLUMN("open", false),
                                        COUNT_COLUMN("implied", false),
                                        TICKS_COLUMN("direct", true),
                                        TICKS_COLUMN("cumulative", true),
                                        TICKS_COLUMN("mean", true),
                                        TICKS_COLUMN("least", true),
                                        TICKS_COLUMN("greatest", true),
                                        TICKS_COLUMN("p50", true),
                                        TICKS_COLUMN("p95", true),
                                        TICKS_COLUMN("p99", true),
                                        COUNT_COLUMN("descendant_calls", false),
                                        TICKS_COLUMN("descendant_time", true)};

static const csy_column of_elapsed[] = {
    TICKS_COLUMN("elapsed_direct", true),   TICKS_COLUMN("elapsed_cumulative", true),
    TICKS_COLUMN("overlap", true),          TICKS_COLUMN("sequential", true),
    TICKS_COLUMN("concurrent", true),       COUNT_COLUMN("sequential_calls", true),
    COUNT_COLUMN("concurrent_calls", true), COUNT_COLUMN("greatest_concurrency", true)};

static void add_sheet(const struct profile *p, csy_analysis *out, const char *name,
                      const csy_column *columns, size_t n)
{
    const csy_column before[] = {TEXT_COLUMN("routine"),
                                 TEXT_COLUMN(p->sites.instants         ? site_groups_column(p->per)
                                             : p->per == CSY_PER_ACTOR ? "actor"
                                                                       : "unit")};
    sheets_add(out, name, before, p->per == CSY_PER_ALL ? 1 : 2);
    for (size_t i = 0; i < n; i++)
        sheets_add_column(out, columns[i]);
}

csy_value profile_routine(const struct profile *p, csy_analysis *out, uint32_t routine)
{
    size_t size;
    if (routine == NO_TEXT)
        return SHEETS_NONE;
    const char *text = routines_text(&p->instants->event_kinds.routines, routine, &size);
    return sheets_bytes(out, text, size);
}

void profile_set_place(const struct profile *p, csy_analysis *out, uint32_t routine,
                       csy_value *place)
{
    const struct routine *item = &p->instants->event_kinds.routines.items[routine];
    if (item->file)
        place[0] = sheets_text(out, item->file);
    if (item->line > 0)
        place[1] = sheets_number(item->line);
}

/* Returns the values after the first columns, or NULL if out of memory. */
static csy_value *add_row(const struct profile *p, csy_analysis *out, const struct profile_row *row)
{
    char text[ACTOR_NAME_MAX];
    uint64_t unit;
    csy_value *value = SHEETS_ROW(out, profile_routine(p, out, row->routine));
    if (!value || p->per == CSY_PER_ALL)
        return value ? value + 1 : NULL;
    value++;
    if (p->sites.instants) {
        *value = sheets_item(out, &p->sites.names, row->group);
        return value + 1;
    }
    memcpy(&unit, texts_text(&p->groups, row->group).bytes, sizeof unit);
    bool actor = (uint32_t)unit == NO_TEXT && unit != NO_UNIT;
    if (!actor)
        snprintf(text, sizeof text, unit == NO_UNIT - 1 ? "PPE" : "SPE %" PRIu64, unit);
    *value = sheets_text(
        out,
        actor ? actor_name(&p->instants->actors.items[unit >> 32], p->instants->sync, text) : text);
    return value + 1;
}

static bool is_unordered(const struct profile *p, const struct profile_row *row)
{
    return p->moves.n > 1 && (row->unordered || p->instants->partial);
}

/* Returns the range without its part below 0. If the estimate is negative, the range begins at the
 * estimate. */
static csy_range from_0(csy_range range)
{
    int64_t least = range.estimate < 0 ? range.estimate : 0;
    if (range.kind != CSY_RANGE_UNKNOWN && range.lo < least)
        range.lo = least;
    return range;
}

/* Returns `range`, the range of a sum of times. If all these times are on one clock, it is extended
 * by their timestamp errors. */
static csy_range stamped(const struct profile *p, uint32_t row, size_t form, csy_range range)
{
    if (range.kind == CSY_RANGE_CLOCK)
        range_widen(&range, forms_stamps(&p->forms, (size_t)row * FORMS + form, p->moves.sync));
    return range;
}

static csy_range overlap(const csy_range *sum, const csy_range *elapsed)
{
    csy_range out = {.estimate = sum->estimate - elapsed->estimate, .kind = elapsed->kind};
    if (sum->kind == CSY_RANGE_UNKNOWN || elapsed->kind == CSY_RANGE_UNKNOWN) {
        out.kind = CSY_RANGE_UNKNOWN;
        return out;
    }
    out.lo = elapsed->hi == INT64_MAX || __builtin_sub_overflow(sum->lo, elapsed->hi, &out.lo)
                 ? INT64_MIN
                 : out.lo;
    out.hi = sum->hi == INT64_MAX || __builtin_sub_overflow(sum->hi, elapsed->lo, &out.hi)
                 ? INT64_MAX
                 : out.hi;
    return from_0(out);
}

/* Returns the range of the time forms[form]. If it is unknown, returns the range from
 * forms[least_form] to forms[most_form]. */
static csy_range between(const struct profile *p, uint32_t row, const csy_range *forms, size_t form,
                         size_t least_form, size_t most_form)
{
    csy_range out = forms[form];
    if (p->moves.n > 1 && p->unordered_units)
        out = (csy_range){.estimate = out.estimate, .kind = CSY_RANGE_UNKNOWN};
    if (out.kind != CSY_RANGE_UNKNOWN || !p->late.ranged)
        return out;
    csy_range least = stamped(p, row, least_form, forms[least_form]);
    csy_range most = stamped(p, row, most_form, forms[most_form]);
    out.kind = p->moves.star ? CSY_RANGE_STAR : CSY_RANGE_PROVEN;
    out.lo = least.lo > 0 ? least.lo : 0;
    out.hi = most.hi;
    range_include_estimate(&out);
    return out;
}

static void set_alone(const struct profile *p, uint32_t row, const csy_range *forms,
                      csy_value *values)
{
    csy_range alone = forms[FORM_ALONE], together = forms[FORM_CONCURRENT];
    const csy_range *direct = &forms[FORM_DIRECT];
    if (is_unordered(p, &p->rows[row])) {
        alone = profile_outer_range(&p->outer, row, OUTER_DIRECT, true, alone.estimate, direct);
        together = profile_outer_together(&p->outer, row, together.estimate, direct);
    } else {
        alone = between(p, row, forms, FORM_ALONE, FORM_ALONE_LEAST, FORM_ALONE_MOST);
        together = between(p, row, forms, FORM_CONCURRENT, FORM_TOGETHER_LEAST, FORM_TOGETHER_MOST);
    }
    values[0] = sheets_range(alone);
    values[1] = sheets_range(together);
}

/* values[0]: number of calls during which no other actor was in a call; values[1]: number of other
 * calls */
static void set_counts(const struct profile *p, uint32_t row, csy_value *values)
{
    const struct profile_row *item = &p->rows[row];
    int64_t calls = (int64_t)item->calls, concurrent = (int64_t)item->concurrent;
    csy_range range;
    values[0] = sheets_number(calls - concurrent);
    values[1] = sheets_number(concurrent);
    if (p->moves.n == 1 || !(p->instants->partial || p->instants->has_open_calls))
        return;
    range = calls_outer_range(&p->calls, row, concurrent);
    values[1].range = values[0].range = range;
    values[0].range.estimate = calls - concurrent;
    if (range.kind != CSY_RANGE_UNKNOWN) {
        values[0].range.lo = calls - range.hi;
        values[0].range.hi = calls - range.lo;
    }
}

static csy_range allowing(const struct profile *p, const struct profile_row *row, csy_range length)
{
    if (length.kind == CSY_RANGE_CLOCK || length.kind == CSY_RANGE_UNKNOWN ||
        row->crossing == row->calls)
        return length;
    int128 added = p->instants->imprecision_ticks;
    int128 longest = length.hi == INT64_MAX ? 0 : length.hi;
    range_widen(&length, added + places_own(p->moves.places, added + longest));
    return length;
}

/* Returns a percentile of the lengths of calls. It is limited to the range of all lengths. */
static csy_range quantile(const struct profile *p, uint32_t row, unsigned percent)
{
    const struct profile_row *item = &p->rows[row];
    csy_range out = lengths_quantile(&p->lengths, row, item->calls, percent);
    const csy_range *least = &item->least, *greatest = &item->greatest;
    out.lo = out.lo < least->lo ? least->lo : out.lo;
    out.hi = out.hi > greatest->hi ? greatest->hi : out.hi;
    if (out.lo < out.hi)
        out = allowing(p, item, out);
    out.estimate = out.estimate < least->estimate      ? least->estimate
                   : out.estimate > greatest->estimate ? greatest->estimate
                                                       : out.estimate;
    if (out.lo == out.hi)
        out.kind = CSY_RANGE_CLOCK;
    if (greatest->kind == CSY_RANGE_UNKNOWN)
        out = (csy_range){.estimate = out.estimate, .kind = CSY_RANGE_UNKNOWN};
    return out;
}

static void add_profile(const struct profile *p, csy_analysis *out, uint32_t row,
                        const csy_range *forms)
{
    static const unsigned percents[] = {50, 95, 99};
    const struct profile_row *item = &p->rows[row];
    csy_value *value = add_row(p, out, item);
    if (!value)
        return;
    profile_set_place(p, out, item->routine, value);
    value[CALLS] = sheets_number((int64_t)item->calls);
    value[RECURSIVE] = sheets_number((int64_t)item->recursive);
    value[OPEN] = sheets_number((int64_t)item->open);
    value[IMPLIED] = sheets_number((int64_t)item->implied);
    value[DIRECT] = sheets_range(forms[FORM_DIRECT]);
    value[CUMULATIVE] = sheets_range(forms[FORM_CUMULATIVE]);
    if (item->calls > 0) { /* a call that moves to another unit counts only for its first unit */
        value[MEAN] = sheets_range(sums_mean(&forms[FORM_LENGTHS], item->calls));
        value[LEAST] = sheets_range(allowing(p, item, item->least));
        value[GREATEST] = sheets_range(allowing(p, item, item->greatest));
        for (size_t i = 0; i < sizeof percents / sizeof *percents; i++)
            value[PERCENTILES + i] = sheets_range(quantile(p, row, percents[i]));
    }
    value[DESCENDANT_CALLS] = sheets_number((int64_t)item->descendants);
    if (p->per <= CSY_PER_ACTOR || (p->sites.instants && p->sites.stays.count == 0))
        value[DESCENDANT_TIME] = sheets_range(forms[FORM_DESCENDANT]);
}

/* Set the last two columns to sampled times. Cost: O((rows + arcs) log arcs). */
static csy_status add_sampled(struct profile *p, csy_analysis *out, csy_error *error)
{
    const csy_sheet *sheet = &out->sheets[out->nsheets - 1].view;
    struct sampled *s = &p->sampled;
    size_t n = p->nrows;
    int128 *times = malloc((n + 1) * sizeof *times);
    uint64_t *calls = malloc((n + 1) * sizeof *calls);
    size_t *room = malloc((7 * n + 1) * sizeof *room);
    struct into *into = malloc((n + s->narcs + 1) * sizeof *into);
    csy_status status = times && calls && room && into ? CSY_OK : error_memory(error);
    for (size_t i = 0; !status && i < n; i++) {
        int128 own = i < s->nrows ? (int128)s->samples[i] * s->ticks : 0;
        if (!fits_int64(own))
            status = error_set(error, CSY_INPUT, "a time does not fit 64 bits");
        calls[i] = p->rows[i].calls;
        times[i] = own << FRACTION_BITS;
    }
    if (!status)
        propagate(s, n, calls, times, room, into);
    for (size_t i = 0, row = 0; !status && i < n; i++) {
        int128 all = (times[i] + (1 << (FRACTION_BITS - 1))) >> FRACTION_BITS;
        if (!fits_int64(all))
            status = error_set(error, CSY_INPUT, "a time does not fit 64 bits");
        if (status || !profile_tells(p, (uint32_t)i))
            continue;
        int128 own = i < s->nrows ? (int128)s->samples[i] * s->ticks : 0;
        csy_value *end = sheets_row(out, row++) + sheet->ncolumns;
        end[-2] = sheets_number((int64_t)own);
        end[-1] = sheets_number((int64_t)all);
    }
    FREE_ALL(times, calls, room, into);
    return status;
}

csy_status profile_write(struct profile *p, csy_analysis *out, csy_error *error)
{
    csy_range *ranges;
    csy_status status = find_forms(p, &ranges, error);
    if (status) {
        free(ranges);
        return status;
    }
    add_sheet(p, out, "profile", of_profile, sizeof of_profile / sizeof *of_profile);
    if (p->sampled.ticks > 0) {
        sheets_add_column(out, (csy_column)TICKS_COLUMN("sampled", false));
        sheets_add_column(out, (csy_column)TICKS_COLUMN("sampled_cumulative", false));
    }
    for (uint32_t i = 0; i < p->nrows; i++)
        if (profile_tells(p, i))
            add_profile(p, out, i, ranges + (size_t)i * FORMS);
    if (p->sampled.ticks > 0 && !out->failed)
        status = add_sampled(p, out, error);
    add_sheet(p, out, "elapsed", of_elapsed, sizeof of_elapsed / sizeof *of_elapsed);
    out->sheets[out->nsheets - 1].joined = true;
    for (uint32_t i = 0; i < p->nrows; i++) {
        const csy_range *forms = ranges + (size_t)i * FORMS;
        const struct profile_row *item = &p->rows[i];
        csy_value *value = profile_tells(p, i) ? add_row(p, out, item) : NULL;
        if (!value)
            continue;
        bool shared = is_unordered(p, item) && item->actor == NO_ACTOR;
        csy_range direct = forms[FORM_ELAPSED_DIRECT], inside = forms[FORM_ELAPSED];
        if (shared) {
            direct = profile_outer_range(&p->outer, i, OUTER_DIRECT, false, direct.estimate,
                                         &forms[FORM_DIRECT]);
            inside = profile_outer_range(&p->outer, i, OUTER_INSIDE, false, inside.estimate,
                                         &forms[FORM_CUMULATIVE]);
        }
        csy_range sum = stamped(p, i, FORM_CUMULATIVE, forms[FORM_CUMULATIVE]);
        value[ELAPSED_DIRECT] = sheets_range(direct);
        value[ELAPSED] = sheets_range(inside);
        value[OVERLAP] =
            sheets_range(shared ? overlap(&sum, &inside) : from_0(forms[FORM_OVERLAP]));
        set_alone(p, i, forms, &value[SEQUENTIAL]);
        set_counts(p, i, &value[SEQUENTIAL_CALLS]);
        value[GREATEST_CONCURRENCY] = sheets_number(item->most_inside);
        if (shared)
            value[GREATEST_CONCURRENCY].range =
                profile_outer_greatest(&p->outer, i, item->most_inside);
    }
    free(ranges);
    if (!status && !p->clip)
        status = sums_write(&p->sums, p->instants, &p->moves, out, error);
    return status ? status : sheets_status(out, error);
}

/* --- The whole -------------------------------------------------------------------------------  */

static csy_status end_pass(void *user, csy_error *error)
{
    struct pass *pass = user;
    struct window_profile *w = pass->of;
    csy_status status = profile_end(&pass->profile, error);
    for (int i = 0; !status && i < w->n; i++)
        if (w->analyses[i].status)
            return CSY_OK;
    if (status || pass->profile.as != CLIP_ESTIMATE)
        return status;
    static const size_t counts[] = {CALLS, RECURSIVE, OPEN, IMPLIED, DESCENDANT_CALLS};
    struct profile *p = &w->passes[CLIP_ESTIMATE].profile;
    status = w->n > 1 ? share_rows(w, error) : CSY_OK;
    if (!status)
        w->out = calloc(1, sizeof *w->out);
    if (!status)
        status = w->out ? profile_write(p, w->out, error) : error_memory(error);
    if (status || !w->clip.asked)
        return status;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        w->out->sheets[0].columns[(p->per == CSY_PER_ALL ? 1 : 2) + counts[i]].ranged = true;
    if (w->n > 1) {
        size_t first = p->per == CSY_PER_ALL ? 1 : 2, told = 0;
        const struct cuts *cuts = &w->passes[CLIP_ESTIMATE].profile.cuts;
        w->unordered = p->instants->partial || p->instants->has_open_calls ||
                       p->instants->imprecision_ticks > 0;
        int128 doubt = ((int128)cuts->doubts[0] + cuts->doubts[1]) * (w->unordered ? 2 : 1);
        w->doubt = nearest_int64(doubt);
        status = CSY_OK;
        for (enum clip_as as = CLIP_LEAST; !status && as < CLIPS; as++)
            status = find_forms(&w->passes[as].profile, &w->passes[as].forms, error);
        for (uint32_t i = 0; !status && i < p->nrows; i++) {
            struct joint_row j;
            if (!profile_tells(p, i))
                continue;
            if (!find_joint(w, i, &j))
                return error_memory(error);
            struct sheet *sheets = w->out->sheets;
            j.profile = sheets[0].values + told * sheets[0].view.ncolumns + first;
            j.elapsed = sheets[1].values + told * sheets[1].view.ncolumns + first;
            join_profile(w, &j);
            join_elapsed(w, &j);
            told++;
        }
        return status;
    }
    for (size_t i = 0; i < w->out->nsheets; i++) {
        struct sheet *sheet = &w->out->sheets[i];
        for (size_t at = 0; at < sheet->view.nrows * sheet->view.ncolumns; at++)
            if (sheet->columns[at % sheet->view.ncolumns].ranged && !sheet->values[at].none)
                set_unknown(&sheet->values[at]);
    }
    return CSY_OK;
}

csy_status csy_sync_profile(csy_sync *sync, const csy_meaning *meaning,
                            const csy_profile_options *options, csy_analysis **out,
                            csy_error *error)
{
    const csy_profile_options defaults = {.per = CSY_PER_ALL};
    const csy_profile_options *asked = options ? options : &defaults;
    bool follows = asked->follow == CSY_FOLLOW_CREATE;
    csy_status status = error_check_choice("per", (int)asked->per, CSY_PER_NODE, error);
    if (!status)
        status = error_check_choice("follow", (int)asked->follow, CSY_FOLLOW_CREATE, error);
    if (!status && !sync->read)
        status = solution_check_feasible(sync, error);
    if (!status && asked->window && follows)
        status = error_set(error, CSY_USAGE, "--follow requires the whole trace, without a window");
    struct window_profile *w = status ? NULL : calloc(1, sizeof *w);
    if (!w)
        return status ? status : error_memory(error);
    if (asked->window)
        status = clip_open(&w->clip, sync, meaning, asked->window, error);
    w->n = w->clip.asked && w->clip.known ? CLIPS : 1;
    for (int i = 0; i < w->n; i++) {
        enum clip_as as = (enum clip_as)((i + 1) % w->n);
        bool sampled = as == CLIP_ESTIMATE && asked->sample_ticks > 0;
        w->passes[as] = (struct pass){.profile = {.per = asked->per,
                                                  .follows = follows,
                                                  .patterns = asked->actors,
                                                  .clip = w->clip.asked ? &w->clip : NULL,
                                                  .as = as},
                                      .of = w};
        w->passes[as].profile.sampled.ticks = sampled ? asked->sample_ticks : 0;
        w->analyses[i] =
            (struct analysis){.begin = profile_begin,
                              .take = profile_take,
                              .calls = w->clip.asked || sampled ? NULL : profile_take_calls,
                              .end = end_pass,
                              .user = &w->passes[as]};
    }
    if (!status)
        status = analyses_run(sync, meaning, follows ? MORE_CHILDREN : 0, w->analyses, (size_t)w->n,
                              error);
    for (int i = w->n; !status && i-- > 0;)
        if (w->analyses[i].status) {
            status = w->analyses[i].status;
            if (error)
                *error = w->analyses[i].error;
        }
    for (enum clip_as as = CLIP_ESTIMATE; as < CLIPS; as++) {
        profile_fini(&w->passes[as].profile);
        free(w->passes[as].forms);
    }
    clip_fini(&w->clip);
    if (status)
        csy_analysis_free(w->out);
    else
        *out = w->out;
    free(w);
    return sheets_name_window(status, out, asked->window, error);
}

/* csy_sync_profile: what calls of routines come to, as sheets. */
#include "analysis/calls/cut_profile.h"
#include "analysis/calls/profile.h"
#include "analysis/ranges/ranges.h"
#include "analysis/run/sheets.h"

#include "base/error.h"
#include "trace/trace.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- Actors that are meant ------------------------------------------------------------------ */

static csy_status leave_out(struct profile *p, const char *patterns, csy_error *error)
{
    const struct actors *actors = &p->instants.actors;
    for (size_t i = 0; patterns && i < actors->count; i++)
        p->actors[i].left_out = !actor_fits(&actors->items[i], p->instants.sync, patterns);
    return actors_check_fit(actors, p->instants.sync, patterns, error);
}

/* --- Sheets --------------------------------------------------------------------------------- */

struct column {
    const char *name;
    csy_column_kind kind;
    bool ranged;
};

static const struct column of_profile[] = {
    {"file", CSY_COLUMN_TEXT, false},
    {"line", CSY_COLUMN_COUNT, false},
    {"calls", CSY_COLUMN_COUNT, false},
    {"recursive", CSY_COLUMN_COUNT, false},
    {"open", CSY_COLUMN_COUNT, false},
    {"implied", CSY_COLUMN_COUNT, false},
    {"direct", CSY_COLUMN_TICKS, true},
    {"cumulative", CSY_COLUMN_TICKS, true},
    {"mean", CSY_COLUMN_TICKS, true},
    {"least", CSY_COLUMN_TICKS, true},
    {"greatest", CSY_COLUMN_TICKS, true},
    {"p50", CSY_COLUMN_TICKS, true},
    {"p95", CSY_COLUMN_TICKS, true},
    {"p99", CSY_COLUMN_TICKS, true},
    {"descendant_calls", CSY_COLUMN_COUNT, false},
    {"descendant_time", CSY_COLUMN_TICKS, true},
};

static const struct column of_elapsed[] = {
    {"elapsed_direct", CSY_COLUMN_TICKS, true},   {"elapsed_cumulative", CSY_COLUMN_TICKS, true},
    {"overlap", CSY_COLUMN_TICKS, true},          {"sequential", CSY_COLUMN_TICKS, true},
    {"concurrent", CSY_COLUMN_TICKS, true},       {"sequential_calls", CSY_COLUMN_COUNT, true},
    {"concurrent_calls", CSY_COLUMN_COUNT, true}, {"greatest_concurrency", CSY_COLUMN_COUNT, true},
};

static bool add_sheet(const struct profile *p, csy_analysis *out, const char *name,
                      const struct column *columns, size_t n)
{
    bool good = sheets_add(out, name) && sheets_add_column(out, "routine", CSY_COLUMN_TEXT, false);
    if (p->per != CSY_PER_ALL)
        good = good && sheets_add_column(out,
                                         p->sites.instants         ? site_groups_column(p->per)
                                         : p->per == CSY_PER_ACTOR ? "actor"
                                                                   : "unit",
                                         CSY_COLUMN_TEXT, false);
    for (size_t i = 0; good && i < n; i++)
        good = sheets_add_column(out, columns[i].name, columns[i].kind, columns[i].ranged);
    return good;
}

static bool set_name(const struct profile *p, csy_analysis *out, csy_value *value, uint32_t routine)
{
    size_t size;
    const char *text = routines_text(&p->instants.senses.routines, routine, &size);
    return sheets_set_bytes(out, value, text, size);
}

/* What a row is of. */
static bool set_group(const struct profile *p, csy_analysis *out, csy_value *value, uint32_t group)
{
    char text[ACTOR_NAME_MAX];
    uint64_t unit;
    if (p->sites.instants) {
        csy_text name = site_groups_name(&p->sites, group);
        return sheets_set_bytes(out, value, name.bytes, name.size);
    }
    memcpy(&unit, p->groups.bytes + p->groups.items[group].at, sizeof unit);
    if ((uint32_t)unit == NO_TEXT && unit != NO_UNIT)
        return sheets_set_text(
            out, value, actor_name(&p->instants.actors.items[unit >> 32], p->instants.sync, text));
    snprintf(text, sizeof text, unit == NO_UNIT - 1 ? "PPE" : "SPE %" PRIu64, unit);
    return sheets_set_text(out, value, text);
}

static csy_range over(const csy_range *a, uint64_t n)
{
    csy_range out = *a;
    int64_t by = (int64_t)n;
    out.estimate = a->estimate / by;
    if (a->kind == CSY_RANGE_CLOCK || a->kind == CSY_RANGE_UNKNOWN) {
        out.lo = out.hi = out.estimate;
        return out;
    }
    out.lo = a->lo == INT64_MIN ? a->lo : (int64_t)floor_div(a->lo, by);
    out.hi = a->hi == INT64_MAX ? a->hi : (int64_t)ceil_div(a->hi, by);
    return out;
}

/* What orders of unordered begins leave open is not told by the forms of the base order. */
static csy_range ordered(csy_range range, bool unordered)
{
    if (unordered)
        range = (csy_range){.estimate = range.estimate, .kind = CSY_RANGE_UNKNOWN};
    return range;
}

/* Whether it matters to what several actors come to together. */
static bool is_unordered(const struct profile *p, const struct profile_row *row)
{
    return p->moves.n > 1 && (row->unordered || p->instants.partial);
}

/* What was found of outer places. */
static csy_range starred(const struct profile *p, csy_range range)
{
    if (range.kind == CSY_RANGE_PROVEN && p->moves.star)
        range.kind = CSY_RANGE_STAR;
    return range;
}

/* What several actors come to together where it is not known in which order they went in and out
 * is what each of these moments by itself leaves of it. */
static csy_range elapsed(const struct profile *p, uint32_t row, enum outer_kind kind,
                         const csy_range *range, const csy_range *sum)
{
    const struct profile_row *item = &p->rows[row];
    if (!is_unordered(p, item) || item->actor != NO_ACTOR)
        return *range;
    return starred(p, profile_outer_range(&p->outer, row, kind, range->estimate, sum));
}

/* No moment is in the elapsed time that is not in the sum. */
static csy_range from_0(csy_range range)
{
    int64_t least = range.estimate < 0 ? range.estimate : 0;
    if (range.kind != CSY_RANGE_UNKNOWN && range.lo < least)
        range.lo = least;
    return range;
}

/* A time that is as stamped, by the clocks of actors, is what it may be as a part of a figure that
 * has a range. */
static csy_range stamped(const struct profile *p, uint32_t row, size_t form, csy_range range)
{
    size_t at = (size_t)row * FORMS + form;
    uint64_t times = at < p->forms.count ? p->forms.items[at].crossings : 0;
    int128 off = (int128)times * p->instants.imprecision_ticks;
    int128 lo = range.lo - off, hi = range.hi + off;
    if (range.kind != CSY_RANGE_CLOCK)
        return range;
    range.lo = fits_int64(lo) ? (int64_t)lo : INT64_MIN;
    range.hi = fits_int64(hi) ? (int64_t)hi : INT64_MAX;
    return range;
}

/* A sum of times less the elapsed time. */
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

/* What is between the least and the most that begins of waits make of it. */
static csy_range between(const struct profile *p, uint32_t row, const csy_range *forms, size_t form,
                         size_t least_form, size_t most_form)
{
    csy_range out = ordered(forms[form], p->moves.n > 1 && p->unordered_units);
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

/* The time in the row itself while exactly one unit is active, and the rest of it. */
static void set_alone(const struct profile *p, uint32_t row, const csy_range *forms,
                      csy_value *values)
{
    csy_range alone = forms[FORM_ALONE], together = forms[FORM_CONCURRENT];
    const csy_range *direct = &forms[FORM_DIRECT];
    if (is_unordered(p, &p->rows[row])) {
        alone = starred(p, profile_outer_alone(&p->outer, row, alone.estimate, direct));
        together = starred(p, profile_outer_together(&p->outer, row, together.estimate, direct));
    } else {
        alone = between(p, row, forms, FORM_ALONE, FORM_ALONE_LEAST, FORM_ALONE_MOST);
        together = between(p, row, forms, FORM_CONCURRENT, FORM_TOGETHER_LEAST, FORM_TOGETHER_MOST);
    }
    values[0] = (csy_value){.range = alone};
    values[1] = (csy_value){.range = together};
}

/* Calls during which no other actor was in one, and the rest.  They are told by the order, unless
 * some calls, whosever they are, begin where it does not say. */
static void set_counts(const struct profile *p, uint32_t row, csy_value *values)
{
    const struct profile_row *item = &p->rows[row];
    int64_t calls = (int64_t)item->calls, concurrent = (int64_t)item->concurrent;
    csy_range range;
    sheets_set_number(&values[0], calls - concurrent);
    sheets_set_number(&values[1], concurrent);
    if (p->moves.n == 1 || !(p->instants.partial || p->instants.has_open_calls))
        return;
    range = starred(p, calls_outer_range(&p->calls, row, concurrent));
    values[0].range = calls_outer_rest(&range, calls);
    values[1].range = range;
}

/* A length is that of some call, which as stamped may be off, too, where others have ranges. */
static csy_range allowing(const struct profile *p, const struct profile_row *row, csy_range length)
{
    int64_t off = row->crossing < row->calls ? p->instants.imprecision_ticks : 0;
    if (length.kind == CSY_RANGE_CLOCK || length.kind == CSY_RANGE_UNKNOWN)
        return length;
    if (length.lo != INT64_MIN && __builtin_sub_overflow(length.lo, off, &length.lo))
        length.lo = INT64_MIN;
    if (length.hi != INT64_MAX && __builtin_add_overflow(length.hi, off, &length.hi))
        length.hi = INT64_MAX;
    return length;
}

/* A quantile, where all of them are within what is known. */
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

static bool add_profile(const struct profile *p, csy_analysis *out, uint32_t row,
                        const csy_range *forms)
{
    static const unsigned percents[] = {50, 95, 99};
    const struct profile_row *item = &p->rows[row];
    const struct routine *routine = &p->instants.senses.routines.items[item->routine];
    csy_value *value = sheets_add_row(out);
    if (!value || !set_name(p, out, value++, item->routine) ||
        (p->per != CSY_PER_ALL && !set_group(p, out, value++, item->group)) ||
        (routine->file && !sheets_set_text(out, value, routine->file)))
        return false;
    value++;
    if (routine->line > 0)
        sheets_set_number(value, routine->line);
    value++;
    sheets_set_number(value++, (int64_t)item->calls);
    sheets_set_number(value++, (int64_t)item->recursive);
    sheets_set_number(value++, (int64_t)item->open);
    sheets_set_number(value++, (int64_t)item->implied);
    *value++ = (csy_value){.range = forms[FORM_DIRECT]};
    *value++ = (csy_value){.range = forms[FORM_CUMULATIVE]};
    if (item->calls > 0) { /* else some began on another unit */
        value[0] = (csy_value){.range = over(&forms[FORM_LENGTHS], item->calls)};
        value[1] = (csy_value){.range = allowing(p, item, item->least)};
        value[2] = (csy_value){.range = allowing(p, item, item->greatest)};
        for (size_t i = 0; i < sizeof percents / sizeof *percents; i++)
            value[3 + i] = (csy_value){.range = quantile(p, row, percents[i])};
    }
    value += 3 + sizeof percents / sizeof *percents;
    sheets_set_number(value++, (int64_t)item->descendants);
    if (p->per <= CSY_PER_ACTOR ||
        (p->sites.instants && p->sites.stays.count == 0)) /* else a call may be on several */
        *value = (csy_value){.range = forms[FORM_DESCENDANT]};
    return true;
}

static bool add_elapsed(const struct profile *p, csy_analysis *out, uint32_t row,
                        const csy_range *forms)
{
    const struct profile_row *item = &p->rows[row];
    csy_value *value = sheets_add_row(out);
    if (!value || !set_name(p, out, value++, item->routine) ||
        (p->per != CSY_PER_ALL && !set_group(p, out, value++, item->group)))
        return false;
    bool unordered = is_unordered(p, item), shared = unordered && item->actor == NO_ACTOR;
    csy_range direct =
        elapsed(p, row, OUTER_DIRECT, &forms[FORM_ELAPSED_DIRECT], &forms[FORM_DIRECT]);
    csy_range inside = elapsed(p, row, OUTER_INSIDE, &forms[FORM_ELAPSED], &forms[FORM_CUMULATIVE]);
    csy_range sum = stamped(p, row, FORM_CUMULATIVE, forms[FORM_CUMULATIVE]);
    *value++ = (csy_value){.range = direct};
    *value++ = (csy_value){.range = inside};
    *value++ = (csy_value){.range = shared ? overlap(&sum, &inside) : from_0(forms[FORM_OVERLAP])};
    set_alone(p, row, forms, value);
    value += 2;
    set_counts(p, row, value);
    value += 2;
    sheets_set_number(value, item->most_inside);
    if (shared)
        value[0].range = starred(p, profile_outer_greatest(&p->outer, row, item->most_inside));
    return true;
}

/* What samples say, in the last columns of the rows that are there. */
static csy_status add_sampled(struct profile *p, csy_analysis *out, csy_error *error)
{
    const csy_sheet *sheet = &out->sheets[out->nsheets - 1].view;
    size_t n = p->nrows;
    int64_t *times = malloc((2 * n + 1) * sizeof *times);
    uint64_t *calls = malloc((n + 1) * sizeof *calls);
    csy_status status = times && calls ? CSY_OK : error_memory(error);
    for (size_t i = 0; !status && i < n; i++)
        calls[i] = p->rows[i].calls;
    if (!status)
        status = sampled_times(&p->sampled, n, calls, times, times + n, error);
    for (size_t i = 0, row = 0; !status && i < n; i++) {
        if (!profile_tells(p, (uint32_t)i))
            continue;
        csy_value *end = sheets_row(out, row++) + sheet->ncolumns;
        sheets_set_number(end - 2, times[i]);
        sheets_set_number(end - 1, times[n + i]);
    }
    free(times);
    free(calls);
    return status;
}

csy_status profile_write(struct profile *p, csy_analysis *out, csy_error *error)
{
    static const struct form_use uses[] = {
        {FORM_CUMULATIVE, FORM_DESCENDANT, 1}, {FORM_DIRECT, FORM_DESCENDANT, -1},
        {FORM_CUMULATIVE, FORM_OVERLAP, 1},    {FORM_ELAPSED, FORM_OVERLAP, -1},
        {FORM_DIRECT, FORM_CONCURRENT, 1},     {FORM_ALONE, FORM_CONCURRENT, -1},
        {FORM_DIRECT, FORM_TOGETHER_MOST, 1},  {FORM_ALONE_LEAST, FORM_TOGETHER_MOST, -1},
        {FORM_DIRECT, FORM_TOGETHER_LEAST, 1}, {FORM_ALONE_MOST, FORM_TOGETHER_LEAST, -1}};
    size_t n = p->nrows * FORMS;
    csy_range *ranges = malloc((n + 1) * sizeof *ranges);
    csy_status status = ranges ? CSY_OK : error_memory(error);
    if (!status && !forms_derive(&p->forms, FORMS, uses, sizeof uses / sizeof *uses))
        status = error_memory(error);
    if (!status)
        status = forms_ranges(&p->forms, n, &p->moves, ranges, error);
    lengths_sort(&p->lengths);
    bool good = add_sheet(p, out, "profile", of_profile, sizeof of_profile / sizeof *of_profile);
    if (good && p->sampled.ticks > 0)
        good = sheets_add_column(out, "sampled", CSY_COLUMN_TICKS, false) &&
               sheets_add_column(out, "sampled_cumulative", CSY_COLUMN_TICKS, false);
    for (uint32_t i = 0; !status && good && i < p->nrows; i++)
        good = !profile_tells(p, i) || add_profile(p, out, i, ranges + (size_t)i * FORMS);
    if (!status && good && p->sampled.ticks > 0)
        status = add_sampled(p, out, error);
    good = good && add_sheet(p, out, "elapsed", of_elapsed, sizeof of_elapsed / sizeof *of_elapsed);
    if (good)
        sheets_join(out);
    for (uint32_t i = 0; !status && good && i < p->nrows; i++)
        good = !profile_tells(p, i) || add_elapsed(p, out, i, ranges + (size_t)i * FORMS);
    free(ranges);
    if (!status && good && !p->cuts)
        status = sums_write(&p->sums, &p->instants, &p->moves, out, error);
    return status ? status : good ? CSY_OK : error_memory(error);
}

/* What would have to be said of events for there to be a profile. */
static csy_status check_calls(const struct profile *p, csy_error *error)
{
    const struct csy_trace *trace = p->instants.sync->trace;
    const char *how = trace->source->record_calls;
    return p->instants.has_calls
               ? CSY_OK
               : error_set(error, CSY_INPUT, "%s: no event enters a routine: %s", trace->name,
                           how ? how
                               : "want recordType role=\"enter\" (and \"exit\") or \"call\", in "
                                 "it or in --events, or events ENTER and EXIT");
}

csy_status profile_prepare(struct profile *p, const char *actors, csy_error *error)
{
    csy_status status = check_calls(p, error);
    if (!status && p->per >= CSY_PER_CELL)
        status = site_groups_read(&p->sites, &p->instants, p->per, error);
    sampled_init(&p->sampled, p->sampled.ticks, p->instants.first.global_ticks);
    if (!status)
        status = moves_init(&p->moves, p->instants.sync, error);
    if (!status)
        status = forms_init(&p->forms, error);
    if (!status)
        status = lengths_init(&p->lengths, error);
    if (!status)
        status = sums_init(&p->sums, error);
    p->forms.whole = true;
    if (!status)
        status = profile_begin(p, error);
    if (!status)
        status = leave_out(p, actors, error);
    return status;
}

static csy_status work(struct profile *p, const char *actors, csy_analysis **out, csy_error *error)
{
    csy_status status = profile_prepare(p, actors, error);
    if (!status)
        status = profile_gather(p, error);
    if (!status)
        status = moves_finish(&p->moves, error);
    csy_analysis *analysis = status ? NULL : calloc(1, sizeof *analysis);
    if (!status)
        status = analysis ? profile_write(p, analysis, error) : error_memory(error);
    if (status)
        csy_analysis_free(analysis);
    else
        *out = analysis;
    return status;
}

static csy_status make(csy_sync *sync, const csy_meaning *meaning, const csy_profile_options *asked,
                       csy_analysis **out, csy_error *error)
{
    struct profile p = {.per = asked->per,
                        .follows = asked->follow == CSY_FOLLOW_CREATE,
                        .sampled.ticks = asked->sample_ticks};
    csy_status status = instants_open_more(&p.instants, sync, meaning, INSTANTS_AHEAD,
                                           p.follows ? MORE_CHILDREN : 0, error);
    if (status)
        return status;
    status = work(&p, asked->actors, out, error);
    profile_fini(&p);
    return status;
}

csy_status csy_sync_profile(csy_sync *sync, const csy_meaning *meaning,
                            const csy_profile_options *options, csy_analysis **out,
                            csy_error *error)
{
    const csy_profile_options defaults = {.per = CSY_PER_ALL};
    const csy_profile_options *asked = options ? options : &defaults;
    csy_status status = error_check_choice("per", (int)asked->per, CSY_PER_NODE, error);
    if (!status)
        status = error_check_choice("follow", (int)asked->follow, CSY_FOLLOW_CREATE, error);
    if (status)
        return status;
    if (asked->window)
        return cut_profile(sync, meaning, asked, out, error);
    if (!sync->read)
        status = solution_check_feasible(sync, error);
    return status ? status : make(sync, meaning, asked, out, error);
}

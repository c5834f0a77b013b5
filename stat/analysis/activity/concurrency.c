/* Finds for how long each number of actors was active at once. */
#include "analysis/run/analysis.h"
#include "analysis/run/sheets.h"
#include "analysis/window/window.h"
#include "base/array.h"
#include "base/error.h"
#include "base/heap.h"
#include "base/sort.h"

#include <stdlib.h>
#include <string.h>

/* Finds for each number i how long i actors were active at once. Clock offsets are only known
 * within limits, so each time is a range. With --attained, the trace is read once more, to compute
 * the times for up to ATTAINED_MOVES_MAX possible choices of clock offsets. The results are called
 * attained times. They show which part of the range really occurs. */

struct attained_times {
    int64_t from, to;
};

struct attained {
    bool known;
    /* [i]: least and greatest time found with at least i, and with exactly i, active actors */
    struct attained_times *at_least, *exactly;
};

enum { ATTAINED_MOVES_MAX = 256 };

#define NO_BLOCK UINT32_MAX

struct step {
    int64_t ticks;
    uint64_t number; /* number in the order of reading; decides between steps at the same time */
    int32_t sign;
    uint32_t block; /* index of the part of the trace that begins or ends; NO_BLOCK if an actor's
                     * activity begins or ends instead */
};

struct open_block {
    uint32_t block;
    int64_t since;
    int128 *times;
};

/* The trace for one choice of clock offsets. Steps are begins and ends of activities and of blocks
 * (parts of the trace that the user requested). x[clock] is added to all times of a clock, and then
 * steps are sorted by time. */
struct course {
    const int64_t *x;
    int64_t least;
    struct step *steps; /* heap; a step leaves it when no earlier step can be read any more */
    size_t nsteps, capacity;
    uint64_t next;
    int64_t active, since;
    int64_t first, last;
    int128 *times;  /* for each number of active actors: total time so far, in ticks */
    bool any, lost; /* lost: true if a time exceeded 64 bits, or the trace contradicts these clock
                     * offsets */
    struct open_block *open;
    size_t nopen, open_capacity;
};

struct block_edge {
    struct moment at;
    uint32_t block;
    int32_t sign;
};

struct walk {
    const struct levels_run *run;
    bool *active;
    int64_t now;
    struct course *courses;
    size_t ncourses;
    struct block_edge *edges;
    size_t nedges, next_edge;
    struct attained *out;
};

static bool is_before(const void *left, const void *right)
{
    const struct step *a = left, *b = right;
    return a->ticks != b->ticks ? a->ticks < b->ticks : a->number < b->number;
}

static bool put(struct course *c, const struct step *step)
{
    if (!ARRAY_RESERVE(c->steps, c->capacity, c->nsteps + 1))
        return false;
    heap_put(c->steps, &c->nsteps, sizeof *step, step, is_before);
    return true;
}

static void widen(struct attained_times *times, bool any, int128 time)
{
    /* A time is at most the length of its block, which fits 64 bits. */
    int64_t ticks = (int64_t)time;
    times->from = !any || ticks < times->from ? ticks : times->from;
    times->to = !any || ticks > times->to ? ticks : times->to;
}

static void add(const struct course *c, const int128 *before, int128 whole, size_t nactors,
                struct attained *out)
{
    int128 above = 0;
    for (size_t i = nactors; i > 0; i--) {
        int128 time = c->times[i] - (before ? before[i] : 0);
        above += time;
        widen(&out->exactly[i], out->known, time);
        widen(&out->at_least[i], out->known, above);
    }
    widen(&out->exactly[0], out->known, whole - above);
    widen(&out->at_least[0], out->known, whole);
    out->known = true;
}

/* --- One course ----------------------------------------------------------------------------- */

static bool pass_level(const struct walk *w, struct course *c, int64_t until)
{
    size_t n = w->run->nactors;
    bool good = true;
    while (good && !c->lost && c->nsteps > 0 && c->steps[0].ticks < until) {
        struct step step;
        heap_take(c->steps, &c->nsteps, sizeof step, &step, is_before);
        if (c->active > 0)
            c->times[c->active] += (int128)step.ticks - c->since;
        c->since = step.ticks;
        if (step.block == NO_BLOCK) {
            c->active += step.sign;
            c->lost = c->active < 0 || (size_t)c->active > n;
        } else if (step.sign > 0) {
            struct open_block open = {step.block, step.ticks, malloc((n + 1) * sizeof *c->times)};
            good = open.times && ARRAY_PUSH(c->open, c->nopen, c->open_capacity, open);
            if (good)
                memcpy(open.times, c->times, (n + 1) * sizeof *c->times);
            else
                free(open.times);
        } else {
            /* If the block ends before it begins, its times are 0. */
            size_t i = 0;
            while (i < c->nopen && c->open[i].block != step.block)
                i++;
            const struct open_block *open = i < c->nopen ? &c->open[i] : NULL;
            add(c, open ? open->times : c->times, open ? (int128)step.ticks - open->since : 0, n,
                &w->out[step.block]);
            if (open) {
                free(open->times);
                c->open[i] = c->open[--c->nopen];
            }
        }
    }
    return good;
}

static bool put_edges(struct walk *w)
{
    bool good = true;
    for (; good && w->next_edge < w->nedges; w->next_edge++) {
        const struct block_edge *edge = &w->edges[w->next_edge];
        if (edge->at.global_ticks > w->now)
            break;
        for (size_t i = 0; good && i < w->ncourses; i++) {
            struct course *c = &w->courses[i];
            struct step step = {.number = c->next++, .sign = edge->sign, .block = edge->block};
            c->lost |=
                __builtin_add_overflow(edge->at.global_ticks, c->x[edge->at.clock], &step.ticks);
            good = c->lost || put(c, &step);
        }
    }
    return good;
}

static csy_status take_level(void *user, const struct actor_instant *instant, csy_error *error)
{
    struct walk *w = user;
    bool active;
    if (!levels_find_active(w->run, instant, &active))
        return error_memory(error);
    int sign = active - w->active[instant->actor];
    w->active[instant->actor] = active;
    w->now = instant->at.global_ticks > w->now ? instant->at.global_ticks : w->now;
    bool good = put_edges(w);
    for (size_t i = 0; good && i < w->ncourses; i++) {
        struct course *c = &w->courses[i];
        struct step step = {.number = c->next, .sign = sign, .block = NO_BLOCK};
        int64_t until;
        if (c->lost)
            continue;
        c->next++;
        if (__builtin_add_overflow(instant->at.global_ticks, c->x[instant->at.clock],
                                   &step.ticks) ||
            __builtin_add_overflow(w->now, c->least, &until)) {
            c->lost = true;
            continue;
        }
        if (instant->is_record && instant->own) {
            c->first = !c->any || step.ticks < c->first ? step.ticks : c->first;
            c->last = !c->any || step.ticks > c->last ? step.ticks : c->last;
            c->any = true;
        }
        c->lost |= sign != 0 && step.ticks < c->since;
        good = (c->lost || sign == 0 || put(c, &step)) && pass_level(w, c, until);
    }
    return good ? CSY_OK : error_memory(error);
}

static int compare_edges(const void *left, const void *right)
{
    const struct block_edge *a = left, *b = right;
    return 4 * COMPARE(a->at.global_ticks, b->at.global_ticks) + 2 * COMPARE(a->block, b->block) +
           COMPARE(b->sign, a->sign);
}

static csy_status walk(struct walk *w, const csy_meaning *meaning, csy_error *error)
{
    struct instants in;
    const struct levels_run *run = w->run;
    const struct moves_met *met = run->moves.met;
    size_t n = run->moves.n;
    w->active = calloc(run->instants->actors.count + 1, sizeof *w->active);
    w->courses = calloc(met->count + 1, sizeof *w->courses);
    w->edges = calloc(2 * run->nblocks + 1, sizeof *w->edges);
    if (!w->active || !w->courses || !w->edges)
        return error_memory(error);
    for (; w->ncourses < met->count; w->ncourses++) {
        struct course *c = &w->courses[w->ncourses];
        c->x = met->items + w->ncourses * n;
        c->since = INT64_MIN;
        for (size_t t = 0; t < n; t++)
            c->least = c->x[t] < c->least ? c->x[t] : c->least;
        c->times = calloc(run->nactors + 1, sizeof *c->times);
        if (!c->times)
            return error_memory(error);
    }
    for (size_t i = 0; i < run->nblocks; i++) {
        const struct block *block = &run->blocks[i].block;
        if (!run->blocks[i].bounded)
            continue;
        w->edges[w->nedges++] = (struct block_edge){block->first.at, (uint32_t)i, 1};
        w->edges[w->nedges++] = (struct block_edge){block->last.at, (uint32_t)i, -1};
    }
    qsort(w->edges, w->nedges, sizeof *w->edges, compare_edges);
    csy_status status = instants_open(&in, run->instants->sync, meaning, INSTANTS_AHEAD, 0, error);
    if (status)
        return status;
    status = instants_merge(&in, take_level, NULL, w, error);
    if (!status) {
        bool bounded = run->blocks[0].bounded, good, lost = false;
        w->now = INT64_MAX;
        good = put_edges(w);
        for (size_t i = 0; good && i < w->ncourses; i++) {
            struct course *c = &w->courses[i];
            int128 whole = (int128)c->last - c->first;
            good = pass_level(w, c, INT64_MAX);
            lost |= c->lost;
            if (!bounded && !c->lost && c->any && fits_int64(whole))
                add(c, NULL, whole, run->nactors, &w->out[0]);
        }
        for (size_t i = 0; bounded && lost && i < run->nblocks; i++)
            w->out[i].known = false;
        status = good ? CSY_OK : error_memory(error);
    }
    instants_fini(&in);
    return status;
}

static void attained_free(struct attained *attained, size_t nblocks)
{
    for (size_t i = 0; attained && i < nblocks; i++)
        free(attained[i].at_least);
    free(attained);
}

/* The caller frees *out with attained_free. */
static csy_status attained_find(const struct levels_run *run, const csy_meaning *meaning,
                                struct attained **out, csy_error *error)
{
    struct walk w = {.run = run, .now = INT64_MIN};
    size_t n = run->nactors + 1;
    csy_status status = CSY_OK;
    w.out = calloc(run->nblocks + 1, sizeof *w.out);
    if (!w.out)
        return error_memory(error);
    for (size_t i = 0; !status && i < run->nblocks; i++) {
        w.out[i].at_least = calloc(2 * n, sizeof *w.out[i].at_least);
        status = w.out[i].at_least ? CSY_OK : error_memory(error);
        w.out[i].exactly = status ? NULL : w.out[i].at_least + n;
    }
    if (!status && run->ranged && !run->moves.star && run->reach.added_ticks == 0)
        status = walk(&w, meaning, error);
    for (size_t i = 0; w.courses && i < w.ncourses; i++) {
        struct course *c = &w.courses[i];
        for (size_t k = 0; k < c->nopen; k++)
            free(c->open[k].times);
        FREE_ALL(c->open, c->steps, c->times);
    }
    FREE_ALL(w.courses, w.edges, w.active);
    *out = w.out;
    if (!status)
        return CSY_OK;
    attained_free(w.out, run->nblocks);
    *out = NULL;
    return status;
}

/* --- Concurrency --------------------------------------------------------------------------- */

enum { PPM = 1000000 };

enum { SHEET_LEVELS, SHEET_TOTAL, BLOCK_COLUMNS = 3, TOTAL_COLUMNS = 7 };

enum { BLOCKS_BYTES = 64 << 20 };

struct concurrency {
    csy_sync *sync;
    const csy_meaning *meaning;
    const csy_concurrency *asked;
    struct time_parts parts;
    size_t next_run, last_run;
    size_t next_block, nblocks;
    size_t nactors;
    bool more; /* true if another pass over the trace is needed */
    csy_analysis *made;
    csy_analysis **out;
    struct instants *instants;
    struct site_groups groups; /* groups of actors; empty if the user did not ask for groups */
    struct levels_run *runs;   /* one for each group of actors, or one for all actors */
    size_t nruns;
    const struct levels_run *run; /* the rows of this group of actors are being added */
    csy_value group;
    const struct levels *levels;
    csy_range *at_least, *exactly; /* [i]: time with at least i, and with exactly i, active
                                    * actors */
    struct level_share serial;     /* share of the time with exactly one active actor */
};

/* Returns a / b in millionths: `lo` is rounded down, `hi` up. Beyond 64 bits: INT64_MAX. */
static csy_range quotient(const csy_range *a, const csy_range *b)
{
    bool exact = a->kind == CSY_RANGE_CLOCK && b->kind == CSY_RANGE_EXACT;
    csy_range out = {.lo = 0,
                     .hi = INT64_MAX,
                     .kind = exact ? CSY_RANGE_EXACT : range_kind_of_both(a->kind, b->kind)};
    int128 estimate = b->estimate ? (int128)a->estimate * PPM / b->estimate : INT64_MAX;
    out.estimate = fits_int64(estimate) ? (int64_t)estimate : INT64_MAX;
    if (b->hi > 0 && b->hi < INT64_MAX && a->lo >= 0)
        out.lo = (int64_t)floor_div((int128)a->lo * PPM, b->hi);
    int128 greatest = b->lo > 0 && a->hi < INT64_MAX ? ceil_div((int128)a->hi * PPM, b->lo) : -1;
    out.hi = greatest >= 0 && fits_int64(greatest) ? (int64_t)greatest : INT64_MAX;
    range_include_estimate(&out);
    if (out.kind == CSY_RANGE_UNKNOWN)
        out.lo = out.hi = 0;
    if (out.kind == CSY_RANGE_CLOCK)
        out.lo = out.hi = out.estimate;
    return out;
}

static void set_quotient(csy_value *value, csy_range range)
{
    *value = (csy_value){.none = range.estimate == INT64_MAX, .range = range};
}

static bool has_blocks(const struct concurrency *c)
{
    return c->asked->bins > 0 || c->asked->section;
}

static void add_columns(csy_analysis *out, bool asked, const csy_column *columns, size_t n)
{
    for (size_t i = 0; asked && i < n; i++)
        sheets_add_column(out, columns[i]);
}

static void add_sheet(const struct concurrency *c, csy_analysis *out, const char *name)
{
    static const csy_column block[BLOCK_COLUMNS] = {
        COUNT_COLUMN("block", false), TICKS_COLUMN("begin", false), TICKS_COLUMN("end", false)};
    const csy_column group = TEXT_COLUMN(site_groups_column(c->asked->per));
    sheets_add(out, name, &group, c->groups.instants != NULL);
    add_columns(out, has_blocks(c), block, BLOCK_COLUMNS);
}

/* Returns the values after the first columns, or NULL if out of memory. */
static csy_value *add_row(const struct concurrency *c, csy_analysis *out, size_t sheet)
{
    const struct block *block = &c->levels->block;
    int64_t first = c->instants->first.global_ticks;
    csy_value *values = sheet_add_row(out, &out->sheets[sheet]);
    if (values && c->groups.instants)
        *values++ = c->group;
    if (!values || !has_blocks(c))
        return values;
    values[0] = sheets_number((int64_t)c->next_block + (c->levels - c->run->blocks) + 1);
    values[1] = sheets_number(block->first.at.global_ticks - first);
    values[2] = sheets_number(block->last.at.global_ticks - first);
    return values + BLOCK_COLUMNS;
}

static void add_sheets(const struct concurrency *c, csy_analysis *out)
{
    static const csy_column levels[] = {COUNT_COLUMN("level", false), TICKS_COLUMN("time", true),
                                        PPM_COLUMN("share", true), TICKS_COLUMN("at_least", true)};
    static const csy_column sampled = TICKS_COLUMN("sampled", false);
    static const csy_column attained[] = {
        TICKS_COLUMN("time_from", false), TICKS_COLUMN("time_to", false),
        TICKS_COLUMN("at_least_from", false), TICKS_COLUMN("at_least_to", false)};
    static const csy_column total[] = {COUNT_COLUMN("units", false), TICKS_COLUMN("span", true),
                                       TICKS_COLUMN("active", true), TICKS_COLUMN("elapsed", true),
                                       PPM_COLUMN("average", true),  PPM_COLUMN("efficiency", true),
                                       PPM_COLUMN("limit", true)};
    static const csy_column amdahl = PPM_COLUMN("amdahl", true);
    static const csy_column speedup[] = {PPM_COLUMN("speedup", true),
                                         PPM_COLUMN("speedup_average", true)};
    static const csy_column by_samples[] = {TICKS_COLUMN("sampled_elapsed", false),
                                            PPM_COLUMN("sampled_average", false),
                                            PPM_COLUMN("sampled_efficiency", false)};
    add_sheet(c, out, "concurrency");
    add_columns(out, true, levels, 4);
    add_columns(out, c->asked->sample_ticks > 0, &sampled, 1);
    add_columns(out, c->asked->attained, attained, 4);
    sheets_pack(out);
    add_sheet(c, out, "total");
    add_columns(out, true, total, TOTAL_COLUMNS);
    add_columns(out, c->asked->speedup > 0, &amdahl, 1);
    add_columns(out, c->asked->serial_ticks > 0, speedup, 2);
    add_columns(out, c->asked->sample_ticks > 0, by_samples, 3);
    sheets_pack(out);
}

static csy_status add_levels(struct concurrency *c, const struct attained *attained,
                             csy_analysis *out, csy_error *error)
{
    size_t n = c->run->nactors, from = c->asked->with_idle ? 0 : 1;
    while (n > 0 && c->at_least[n].estimate == 0 && c->at_least[n].hi <= 0)
        n--;
    bool any = c->run->nactors >= from && c->at_least[from].estimate > 0;
    csy_status status = CSY_OK;
    c->serial = (struct level_share){.estimate = {0, 1}, .least = {0, 1}, .greatest = {0, 1}};
    for (size_t i = 0; !status && i <= n; i++) {
        csy_value *values = add_row(c, out, SHEET_LEVELS);
        struct level_share share;
        if (!values)
            return error_memory(error);
        values[0] = sheets_number((int64_t)i);
        values[1] = sheets_range(c->exactly[i]);
        values[3] = sheets_range(c->at_least[i]);
        if (c->levels->samples)
            values[4] = sheets_sum((int128)c->levels->samples[i] * c->asked->sample_ticks);
        if (attained && attained->known) {
            csy_value *met = &values[c->asked->sample_ticks > 0 ? 5 : 4];
            met[0] = sheets_number(attained->exactly[i].from);
            met[1] = sheets_number(attained->exactly[i].to);
            met[2] = sheets_number(attained->at_least[i].from);
            met[3] = sheets_number(attained->at_least[i].to);
        }
        if (i < from || !any)
            continue;
        status = levels_share(c->levels, i, from, c->at_least, c->exactly, &share, error);
        values[2] = sheets_range(share.range);
        if (i == 1)
            c->serial = share;
    }
    return status;
}

/* Set *out to the number of processing units: the SPEs or cores if the trace names them, otherwise
 * the number of actors. */
static csy_status count_units(struct concurrency *c, int64_t *out, csy_error *error)
{
    const struct levels_run *run = c->run;
    struct texts units = {0};
    size_t n = 0;
    bool good = true, added;
    uint32_t index;
    *out = (int64_t)run->nactors;
    if (run->units == CSY_UNITS_CPU && !run->groups && c->instants->actors.cpus.count > 0)
        *out = (int64_t)c->instants->actors.cpus.count;
    if (run->groups && run->units == CSY_UNITS_SPE) {
        good = site_groups_units(run->groups, run->group, run->counted, &n);
        *out = n > 0 ? (int64_t)n : *out;
        return good ? CSY_OK : error_memory(error);
    }
    for (size_t i = 0; good && i < c->instants->actors.count; i++) {
        const struct actor *actor = &c->instants->actors.items[i];
        if (run->units == CSY_UNITS_SPE && run->counted[i] && actor->unit != NO_UNIT)
            good =
                texts_find(&units, (const char *)&actor->unit, sizeof actor->unit, &index, &added);
    }
    if (units.count > 0)
        *out = (int64_t)units.count;
    texts_fini(&units);
    return good ? CSY_OK : error_memory(error);
}

/* Returns num / den in millionths, rounded up or down. INT64_MAX means no limit. */
static int64_t millionths(int128 num, int128 den, bool up)
{
    int128 value = den <= 0 ? INT64_MAX : up ? ceil_div(num * PPM, den) : floor_div(num * PPM, den);
    return fits_int64(value) ? (int64_t)value : INT64_MAX;
}

/* Returns the speedup by Amdahl's law, 1 / (serial + (1 - serial) / units), in millionths. For 0
 * units, returns the limit for many units, 1 / serial. */
static int64_t law(const struct ratio *serial, uint64_t units, bool up)
{
    int128 n = units;
    return units ? millionths(n * serial->whole, (n - 1) * serial->part + serial->whole, up)
                 : millionths(serial->whole, serial->part, up);
}

/* Apply Amdahl's law. The greatest serial share gives the least speedup. */
static csy_range amdahl(const struct level_share *serial, uint64_t units)
{
    csy_range out = {.estimate = law(&serial->estimate, units, false), .kind = serial->range.kind};
    if (out.kind == CSY_RANGE_CLOCK)
        out.lo = out.hi = out.estimate;
    else if (out.kind != CSY_RANGE_UNKNOWN) {
        out.lo = law(&serial->greatest, units, false);
        out.hi = law(&serial->least, units, true);
        range_include_estimate(&out);
    }
    return out;
}

static csy_status add_total(struct concurrency *c, csy_analysis *out, csy_error *error)
{
    const csy_concurrency *asked = c->asked;
    const csy_range *elapsed = &c->at_least[asked->with_idle ? 0 : 1];
    csy_range active = {0};
    int64_t units = 0;
    size_t at = TOTAL_COLUMNS;
    csy_value *values = add_row(c, out, SHEET_TOTAL);
    csy_status status = values ? levels_active(c->levels, &active, error) : error_memory(error);
    if (!status)
        status = count_units(c, &units, error);
    if (status)
        return status;
    csy_range divisor = *elapsed;
    csy_value *sampled =
        values + TOTAL_COLUMNS + (asked->speedup > 0) + (asked->serial_ticks > 0 ? 2 : 0);
    values[0] = sheets_number(units);
    values[1] = sheets_range(c->at_least[0]);
    values[2] = sheets_range(active);
    values[3] = sheets_range(*elapsed);
    if (c->levels->samples) {
        int128 samples = 0, ticks = 0;
        for (size_t i = asked->with_idle ? 0 : 1; i <= c->run->nactors; i++) {
            samples += c->levels->samples[i];
            ticks += (int128)i * c->levels->samples[i];
        }
        sampled[0] = sheets_sum(samples * asked->sample_ticks);
        if (samples > 0 && units > 0) {
            sampled[1] = sheets_number((int64_t)(ticks * PPM / samples));
            sampled[2] = sheets_number((int64_t)(ticks * PPM / (samples * units)));
        }
    }
    if (elapsed->estimate <= 0 || units <= 0)
        return CSY_OK;
    if (elapsed->kind != CSY_RANGE_CLOCK)
        levels_allow_for_stamps(c->levels, &active);
    else if (active.kind != CSY_RANGE_CLOCK)
        levels_allow_for_ends(c->levels, &divisor);
    /* The mean number of active actors is at most the number of actors. If times without active
     * actors are left out, it is at least 1. */
    csy_range average = quotient(&active, &divisor);
    int128 most = (int128)c->levels->run->nactors * PPM;
    if (average.kind != CSY_RANGE_UNKNOWN && average.hi > most) {
        average.hi = (int64_t)most;
        range_include_estimate(&average);
    }
    if (!c->asked->with_idle && average.kind != CSY_RANGE_UNKNOWN && average.lo < PPM) {
        average.lo = PPM;
        range_include_estimate(&average);
    }
    csy_range efficiency = average;
    efficiency.estimate = average.estimate < INT64_MAX ? average.estimate / units : INT64_MAX;
    efficiency.lo = average.lo / units;
    efficiency.hi = average.hi < INT64_MAX ? (int64_t)ceil_div(average.hi, units) : INT64_MAX;
    set_quotient(&values[4], average);
    set_quotient(&values[5], efficiency);
    if (c->serial.estimate.part > 0)
        set_quotient(&values[6], amdahl(&c->serial, 0));
    if (asked->speedup > 0)
        set_quotient(&values[at++], amdahl(&c->serial, asked->speedup));
    if (asked->serial_ticks > 0) {
        int64_t ticks = asked->serial_ticks;
        const csy_range serial = {ticks, ticks, ticks, CSY_RANGE_CLOCK};
        set_quotient(&values[at++], quotient(&serial, elapsed));
        set_quotient(&values[at], quotient(&serial, &active));
    }
    return CSY_OK;
}

/* With --attained, the function levels_ranges also collects the clock offsets to try, so it is
 * called for all parts of the trace before attained_find. */
static csy_status add_run(struct concurrency *c, struct levels_run *run, csy_analysis *out,
                          csy_error *error)
{
    c->run = run;
    if (c->groups.instants)
        c->group = sheets_item(out, &c->groups.names, run->group);
    struct moves_met met = {0};
    struct attained *attained = NULL;
    bool all = c->asked->attained;
    size_t each = 2 * (run->nactors + 2), most = all ? run->nblocks : 1;
    csy_range *ranges = calloc(most, each * sizeof *ranges);
    csy_status status = ranges ? CSY_OK : error_memory(error);
    run->moves.met = all ? &met : NULL;
    for (size_t i = 0; all && !status && i < run->nblocks; i++) {
        csy_range *at_least = ranges + i * each;
        met.most = ATTAINED_MOVES_MAX * (i + 1) / run->nblocks;
        status = levels_ranges(&run->blocks[i], at_least, at_least + each / 2, error);
    }
    if (!status && all)
        status = attained_find(run, c->meaning, &attained, error);
    run->moves.met = NULL;
    for (size_t i = 0; !status && i < run->nblocks; i++) {
        c->levels = &run->blocks[i];
        c->at_least = all ? ranges + i * each : ranges;
        c->exactly = c->at_least + each / 2;
        if (!all) {
            memset(ranges, 0, each * sizeof *ranges);
            status = levels_ranges(c->levels, c->at_least, c->exactly, error);
        }
        if (!status)
            status = add_levels(c, attained ? &attained[i] : NULL, out, error);
        if (!status)
            status = add_total(c, out, error);
    }
    attained_free(attained, run->nblocks);
    FREE_ALL(met.items, ranges);
    return status;
}

static csy_status take(void *user, const struct actor_instant *instant, csy_error *error)
{
    struct concurrency *c = user;
    csy_status status = CSY_OK;
    for (size_t i = 0; !status && i < c->nruns; i++)
        status = levels_take(&c->runs[i], instant, error);
    return status;
}

static csy_status begin_pass(void *user, struct instants *in, csy_error *error)
{
    struct concurrency *c = user;
    c->instants = in;
    csy_status status =
        c->parts.count > 0 ? CSY_OK : time_parts_find(&c->parts, in, c->asked, error);
    if (!status)
        status = levels_check_units(in, c->asked->units, error);
    if (!status && c->asked->per != CSY_PER_ALL)
        status = site_groups_read(&c->groups, in, c->asked->per, error);
    if (status)
        return status;
    /* A pass over the trace analyses as many groups of actors as fit into memory. If even one group
     * does not fit with all parts of the trace, the pass analyses one group and some parts. With
     * --attained, each pass analyses all parts, because each part adds clock offsets to try. */
    bool grouped = c->groups.instants != NULL, parted = c->parts.count > 0;
    size_t nruns = grouped ? c->groups.names.count : 1;
    size_t nblocks = parted ? c->parts.count : 1, left = nblocks - c->next_block;
    size_t each = levels_block_bytes(in->actors.count, csy_sync_nthreads(c->sync));
    size_t fit = c->asked->attained ? SIZE_MAX : BLOCKS_BYTES / each + 1;
    size_t runs = c->next_block == 0 && fit > nblocks ? fit / nblocks : 1;
    c->nblocks = left < fit ? left : fit;
    c->last_run = runs < nruns - c->next_run ? c->next_run + runs : nruns;
    const struct block *parts = parted ? c->parts.items + c->next_block : NULL;
    c->runs = calloc(c->last_run - c->next_run + 1, sizeof *c->runs);
    if (!c->runs)
        return error_memory(error);
    while (!status && c->next_run + c->nruns < c->last_run) {
        struct levels_run *run = &c->runs[c->nruns++];
        status = levels_begin(run, in, c->asked, parts, parted ? c->nblocks : 0,
                              grouped ? &c->groups : NULL, (uint32_t)(c->next_run + c->nruns - 1),
                              error);
        c->nactors += run->nactors;
    }
    if (!status && c->asked->actors && c->nactors == 0 &&
        (!grouped || c->last_run == c->groups.names.count))
        status = error_set(error, CSY_USAGE, "%s: no counted actor matches '%s'",
                           c->sync->trace->name, c->asked->actors);
    return status;
}

static csy_status end_pass(void *user, csy_error *error)
{
    struct concurrency *c = user;
    const struct event_kinds *event_kinds = &c->instants->event_kinds;
    csy_analysis *out = c->made;
    csy_status status = CSY_OK;
    bool timed = false;
    for (size_t i = 0; i < event_kinds->count; i++)
        timed |= event_kinds->items[i].timed;
    for (size_t i = 0; !status && i < c->nruns; i++)
        status = levels_end(&c->runs[i], error);
    if (!status && out->nsheets == 0) {
        /* no event shows if a thread has a core, so it may wait without an event */
        if (timed && !c->instants->actors.told)
            sheets_add_condition(
                out, "a thread that waits without an event, as in sleep, or that lacks a CPU, "
                     "counts as active; to see such times, record with celltrace -e switches");
        add_sheets(c, out);
    }
    for (size_t i = 0; !status && i < c->nruns; i++)
        if (!c->groups.instants || c->runs[i].nactors > 0)
            status = add_run(c, &c->runs[i], out, error);
    c->next_block += c->nblocks;
    if (c->next_block >= c->parts.count) {
        c->next_block = 0;
        c->next_run = c->last_run;
    }
    c->more = !status && c->next_run < (c->groups.instants ? c->groups.names.count : 1);
    if (status || c->more)
        return status;
    c->made = NULL;
    return sheets_finish(CSY_OK, out, c->out, error);
}

static void free_pass(void *user)
{
    struct concurrency *c = user;
    for (size_t i = 0; i < c->nruns; i++)
        levels_fini(&c->runs[i]);
    free(c->runs);
    c->runs = NULL;
    c->nruns = 0;
    site_groups_fini(&c->groups);
    bool more = c->more;
    c->more = false;
    if (more)
        return;
    time_parts_fini(&c->parts);
    csy_analysis_free(c->made);
    free(c);
}

csy_status concurrency_analysis(struct analysis *analysis, csy_sync *sync,
                                const csy_meaning *meaning, const csy_concurrency *asked,
                                csy_analysis **out, csy_error *error)
{
    struct concurrency *c = calloc(1, sizeof *c);
    csy_analysis *made = calloc(1, sizeof *made);
    if (!c || !made) {
        FREE_ALL(c, made);
        return error_memory(error);
    }
    *c = (struct concurrency){
        .sync = sync, .meaning = meaning, .asked = asked, .made = made, .out = out};
    *analysis = (struct analysis){
        .begin = begin_pass, .take = take, .end = end_pass, .free = free_pass, .user = c};
    return CSY_OK;
}

csy_status csy_sync_concurrency(csy_sync *sync, const csy_meaning *meaning,
                                const csy_concurrency *asked, csy_analysis **out, csy_error *error)
{
    const csy_concurrency defaults = {.units = CSY_UNITS_AUTO};
    struct analysis analysis;
    csy_analysis *made = NULL;
    asked = asked ? asked : &defaults;
    csy_status status = sync->read ? CSY_OK : solution_check_feasible(sync, error);
    if (!status)
        status = error_check_choice("units", (int)asked->units, CSY_UNITS_CPU, error);
    if (!status)
        status = error_check_choice("per", (int)asked->per, CSY_PER_NODE, error);
    if (!status && asked->per != CSY_PER_ALL && asked->per < CSY_PER_CELL)
        status =
            error_set(error, CSY_USAGE,
                      "the verb \"concurrency\" requires --per=all, --per=cell, or --per=node");
    if (!status)
        status = concurrency_analysis(&analysis, sync, meaning, asked, &made, error);
    while (!status && !made)
        status = analysis_run(sync, meaning, 0, &analysis, error);
    if (!status)
        *out = made;
    return sheets_name_window(status, out, asked->window, error);
}

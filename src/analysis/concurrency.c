/* How long how many units were active at once. */
#include "analysis/levels.h"
#include "analysis/sheets.h"

#include "base/error.h"

#include <stdlib.h>

enum { PPM = 1000000 };

struct concurrency {
    struct instants instants;
    struct levels levels;
    csy_range *at_least, *exactly; /* by level */
    csy_range serial;              /* share of level 1 */
};

/* a / b in millionths; ends outward. */
static csy_range quotient(const csy_range *a, const csy_range *b)
{
    csy_range out = {.lo = 0, .hi = INT64_MAX, .kind = b->kind};
    out.kind = a->kind == CSY_RANGE_CLOCK && b->kind == CSY_RANGE_CLOCK       ? CSY_RANGE_CLOCK
               : a->kind == CSY_RANGE_UNKNOWN || b->kind == CSY_RANGE_UNKNOWN ? CSY_RANGE_UNKNOWN
               : a->kind == CSY_RANGE_STAR || b->kind == CSY_RANGE_STAR       ? CSY_RANGE_STAR
               : a->kind == CSY_RANGE_CLOCK && b->kind == CSY_RANGE_EXACT     ? CSY_RANGE_EXACT
                                                                              : CSY_RANGE_PROVEN;
    int128 estimate = b->estimate ? (int128)a->estimate * PPM / b->estimate : INT64_MAX;
    out.estimate = fits_int64(estimate) ? (int64_t)estimate : INT64_MAX;
    if (b->hi > 0 && b->hi < INT64_MAX && a->lo >= 0)
        out.lo = (int64_t)floor_div((int128)a->lo * PPM, b->hi);
    int128 greatest = b->lo > 0 && a->hi < INT64_MAX ? ceil_div((int128)a->hi * PPM, b->lo) : -1;
    out.hi = greatest >= 0 && fits_int64(greatest) ? (int64_t)greatest : INT64_MAX;
    if (out.kind == CSY_RANGE_UNKNOWN)
        out.lo = out.hi = 0;
    if (out.kind == CSY_RANGE_CLOCK)
        out.lo = out.hi = out.estimate;
    return out;
}

static void set(csy_value *value, const csy_range *range)
{
    *value = (csy_value){.range = *range};
}

/* Levels that nothing reaches are left out. */
static size_t greatest_level(const struct concurrency *c)
{
    size_t level = c->levels.nactors;
    while (level > 0 && c->at_least[level].estimate == 0 && c->at_least[level].hi <= 0)
        level--;
    return level;
}

static csy_status add_levels(struct concurrency *c, csy_analysis *out, csy_error *error)
{
    bool good = sheets_add(out, "concurrency") &&
                sheets_add_column(out, "level", CSY_COLUMN_COUNT, false) &&
                sheets_add_column(out, "time", CSY_COLUMN_TICKS, true) &&
                sheets_add_column(out, "share", CSY_COLUMN_PPM, true) &&
                sheets_add_column(out, "at_least", CSY_COLUMN_TICKS, true);
    csy_status status = CSY_OK;
    size_t n = greatest_level(c);
    for (size_t i = 0; good && !status && i <= n; i++) {
        csy_value *values = sheets_add_row(out);
        csy_range share;
        good = values != NULL;
        if (!good)
            break;
        sheets_set_number(&values[0], (int64_t)i);
        set(&values[1], &c->exactly[i]);
        set(&values[3], &c->at_least[i]);
        if (i == 0 || c->at_least[1].estimate == 0)
            continue;
        status = levels_share(&c->levels, i, c->at_least, c->exactly, &share, error);
        set(&values[2], &share);
        if (i == 1)
            c->serial = share;
    }
    return status ? status : good ? CSY_OK : error_memory(error);
}

/* Physical SPEs where they are named, else actors. */
static csy_status count_units(struct concurrency *c, int64_t *out, csy_error *error)
{
    const struct levels *levels = &c->levels;
    struct texts units = {0};
    bool good = true, added;
    uint32_t index;
    *out = (int64_t)levels->nactors;
    for (size_t i = 0; good && i < c->instants.actors.count; i++) {
        const struct actor *actor = &c->instants.actors.items[i];
        if (levels->units == CSY_UNITS_SPE && levels->counted[i] && actor->unit != NO_UNIT)
            good =
                texts_find(&units, (const char *)&actor->unit, sizeof actor->unit, &index, &added);
    }
    if (units.count > 0)
        *out = (int64_t)units.count;
    texts_fini(&units);
    return good ? CSY_OK : error_memory(error);
}

static csy_status add_total(struct concurrency *c, csy_analysis *out, csy_error *error)
{
    static const struct {
        const char *name;
        csy_column_kind kind;
    } columns[] = {{"units", CSY_COLUMN_COUNT},  {"span", CSY_COLUMN_TICKS},
                   {"active", CSY_COLUMN_TICKS}, {"elapsed", CSY_COLUMN_TICKS},
                   {"average", CSY_COLUMN_PPM},  {"efficiency", CSY_COLUMN_PPM},
                   {"limit", CSY_COLUMN_PPM}};
    enum { COLUMNS = sizeof columns / sizeof *columns };
    csy_range active, none = {0};
    int64_t units = 0;
    bool good = sheets_add(out, "total");
    for (size_t i = 0; i < COLUMNS; i++)
        good = good && sheets_add_column(out, columns[i].name, columns[i].kind, i > 0);
    csy_value *values = good ? sheets_add_row(out) : NULL;
    csy_status status = values ? levels_active(&c->levels, &active, error) : error_memory(error);
    if (!status)
        status = count_units(c, &units, error);
    if (status)
        return status;
    const csy_range *elapsed = c->levels.nactors > 0 ? &c->at_least[1] : &none;
    sheets_set_number(&values[0], units);
    set(&values[1], &c->at_least[0]);
    set(&values[2], &active);
    set(&values[3], elapsed);
    if (elapsed->estimate <= 0 || units <= 0)
        return CSY_OK;
    csy_range average = quotient(&active, elapsed), efficiency = average;
    const csy_range one = {PPM, PPM, PPM, CSY_RANGE_CLOCK};
    efficiency.estimate = average.estimate / units;
    efficiency.lo = average.lo / units;
    if (average.hi < INT64_MAX)
        efficiency.hi = (int64_t)ceil_div(average.hi, units);
    set(&values[4], &average);
    set(&values[5], &efficiency);
    if (c->serial.estimate > 0) {
        csy_range limit = quotient(&one, &c->serial);
        set(&values[6], &limit);
    }
    return CSY_OK;
}

static csy_status make(struct concurrency *c, csy_units units, csy_analysis **out, csy_error *error)
{
    csy_analysis *analysis = calloc(1, sizeof *analysis);
    csy_status status = levels_init(&c->levels, &c->instants, units, error);
    size_t n = status ? 0 : c->levels.nactors + 2;
    c->at_least = calloc(n + 1, sizeof *c->at_least);
    c->exactly = calloc(n + 1, sizeof *c->exactly);
    if (!status && (!analysis || !c->at_least || !c->exactly))
        status = error_memory(error);
    if (!status)
        status = levels_ranges(&c->levels, c->at_least, c->exactly, error);
    if (!status)
        status = add_levels(c, analysis, error);
    if (!status)
        status = add_total(c, analysis, error);
    free(c->at_least);
    free(c->exactly);
    levels_fini(&c->levels);
    if (status)
        csy_analysis_free(analysis);
    else
        *out = analysis;
    return status;
}

csy_status csy_sync_concurrency(csy_sync *sync, const csy_meaning *meaning, csy_units units,
                                csy_analysis **out, csy_error *error)
{
    struct concurrency c = {.at_least = NULL};
    csy_status status = sync->read ? CSY_OK : solution_check_feasible(sync, error);
    if (!status)
        status = instants_open(&c.instants, sync, meaning, INSTANTS_AHEAD, error);
    if (status)
        return status;
    status = make(&c, units, out, error);
    instants_fini(&c.instants);
    return status;
}

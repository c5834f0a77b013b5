/* How long actors were in which state. */
#include "analysis/extent.h"
#include "analysis/forms.h"
#include "analysis/sheets.h"

#include "base/error.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define NO_ROW SIZE_MAX
#define UNIT_PPE (NO_UNIT - 1)

enum { COLUMN_WHAT, COLUMN_NAME, COLUMNS_BEFORE, NAME_BYTES = 300 };

/* What an actor has been doing since when. */
struct doing {
    struct moment since;
    enum state state;
    uint32_t class;
    size_t row; /* of its unit, or NO_ROW */
};

/* Rows are the actors, all, then units; columns the states, then classes of waits. */
struct states {
    struct instants instants;
    struct moves moves;
    struct forms forms;
    struct extent extent;
    struct doing *actors;
    size_t nactors, ncolumns;
    struct texts units; /* numbers of SPEs, UNIT_PPE */
};

/* The PPE's threads are on it; where a named thread runs is not said. */
static csy_status find_unit(struct states *s, const struct actor_instant *instant, size_t *row,
                            csy_error *error)
{
    enum actor_kind kind = s->instants.actors.items[instant->actor].kind;
    uint64_t unit = kind == ACTOR_PPE ? UNIT_PPE : instant->unit;
    uint32_t index;
    bool added;
    *row = NO_ROW;
    if (kind == ACTOR_NAMED || unit == NO_UNIT)
        return CSY_OK;
    if (!texts_find(&s->units, (const char *)&unit, sizeof unit, &index, &added))
        return error_memory(error);
    *row = s->nactors + 1 + index;
    return CSY_OK;
}

static bool add_to(struct states *s, size_t row, const struct doing *doing,
                   const struct moment *end)
{
    size_t first = row * s->ncolumns;
    return forms_add(&s->forms, first + doing->state, &doing->since, end, 1) &&
           (doing->class == NO_TEXT ||
            forms_add(&s->forms, first + STATES + doing->class, &doing->since, end, 1));
}

/* What an actor has been doing ends. */
static bool end_doing(struct states *s, uint32_t actor, const struct moment *end)
{
    const struct doing *doing = &s->actors[actor];
    bool alone = doing->row == NO_ROW || doing->state == STATE_ABSENT;
    return add_to(s, actor, doing, end) && add_to(s, s->nactors, doing, end) &&
           (alone || (add_to(s, doing->row, doing, end) &&
                      forms_add(&s->forms, doing->row * s->ncolumns + STATE_ABSENT, &doing->since,
                                end, -1)));
}

static csy_status take(void *user, const struct actor_instant *instant, csy_error *error)
{
    struct states *s = user;
    struct doing *doing = &s->actors[instant->actor];
    size_t row;
    csy_status status = find_unit(s, instant, &row, error);
    extent_note(&s->extent, instant->at.clock, instant->at.global_ticks);
    if (!status && instant->ordered && instant->own &&
        !moves_note(&s->moves, instant->at.clock, instant->at.global_ticks))
        status = error_memory(error);
    if (status ||
        (doing->state == instant->state && doing->class == instant->class && doing->row == row))
        return status;
    if (!end_doing(s, instant->actor, &instant->at))
        return error_memory(error);
    *doing = (struct doing){instant->at, instant->state, instant->class, row};
    return CSY_OK;
}

/* The first record's time until the last one's; units are absent while they run no actor. */
static csy_status gather(struct states *s, csy_error *error)
{
    const struct instants *in = &s->instants;
    s->nactors = in->actors.count;
    s->ncolumns = STATES + in->senses.classes.count;
    s->actors = malloc((s->nactors + 1) * sizeof *s->actors);
    if (!s->actors)
        return error_memory(error);
    for (size_t i = 0; i < s->nactors; i++)
        s->actors[i] = (struct doing){in->first, STATE_ABSENT, NO_TEXT, NO_ROW};
    csy_status status = instants_merge(&s->instants, take, s, error);
    bool good = true;
    for (uint32_t i = 0; i < s->nactors; i++)
        good = good && end_doing(s, i, &in->last);
    for (size_t i = 0; i < s->units.count; i++)
        good = good && forms_add(&s->forms, (s->nactors + 1 + i) * s->ncolumns + STATE_ABSENT,
                                 &in->first, &in->last, 1);
    return status ? status : good ? CSY_OK : error_memory(error);
}

static bool add_columns(const struct states *s, csy_analysis *out)
{
    const struct texts *classes = &s->instants.senses.classes;
    bool good = sheets_add(out, "states") &&
                sheets_add_column(out, "what", CSY_COLUMN_TEXT, false) &&
                sheets_add_column(out, "name", CSY_COLUMN_TEXT, false);
    for (size_t i = 0; i < STATES; i++)
        good = good && sheets_add_column(out, state_words[i], CSY_COLUMN_TICKS, true);
    for (size_t i = 0; i < classes->count; i++) {
        char name[NAME_BYTES];
        const struct text_item *class = &classes->items[i];
        snprintf(name, sizeof name, "blocked_%.*s", (int)(class->size < 200 ? class->size : 200),
                 classes->bytes + class->at);
        good = good && sheets_add_column(out, name, CSY_COLUMN_TICKS, true);
    }
    return good;
}

static bool add_row(const struct states *s, csy_analysis *out, const char *what, const char *name,
                    const csy_range *ranges)
{
    csy_value *values = sheets_add_row(out);
    if (!values || !sheets_set_text(out, &values[COLUMN_WHAT], what) ||
        !sheets_set_text(out, &values[COLUMN_NAME], name))
        return false;
    for (size_t i = 0; i < s->ncolumns; i++)
        values[COLUMNS_BEFORE + i] = (csy_value){.range = ranges[i]};
    return true;
}

static uint64_t unit_number(const struct states *s, size_t index)
{
    uint64_t unit;
    memcpy(&unit, s->units.bytes + s->units.items[index].at, sizeof unit);
    return unit;
}

static bool add_rows(const struct states *s, csy_analysis *out, const csy_range *ranges)
{
    bool good = add_columns(s, out);
    for (size_t i = 0; i < s->nactors && good; i++) {
        char name[ACTOR_NAME_MAX];
        const struct actor *actor = &s->instants.actors.items[i];
        good = add_row(s, out, "actor", actor_name(actor, s->instants.sync, name),
                       ranges + i * s->ncolumns);
    }
    for (size_t i = 0; i < s->units.count && good; i++) {
        char name[ACTOR_NAME_MAX];
        uint64_t unit = unit_number(s, i);
        snprintf(name, sizeof name, unit == UNIT_PPE ? "PPE" : "SPE %" PRIu64, unit);
        good = add_row(s, out, "unit", name, ranges + (s->nactors + 1 + i) * s->ncolumns);
        if (good && unit == UNIT_PPE) /* its threads share it */
            sheets_last_row(out)[COLUMNS_BEFORE + STATE_ABSENT].none = true;
    }
    return good && add_row(s, out, "all", "all", ranges + s->nactors * s->ncolumns);
}

/* In partial order it is not known which record is the first, nor which the last: an actor is
 * absent for what it is nothing else in. */
static csy_status set_absent(const struct states *s, size_t nrows, csy_range *ranges,
                             csy_error *error)
{
    csy_range span;
    csy_status status = s->moves.known && s->moves.n <= EXTENT_CLOCKS_MAX
                            ? extent_range(&s->extent, &s->moves, &span, error)
                            : CSY_OK;
    bool known = !status && s->moves.known && s->moves.n <= EXTENT_CLOCKS_MAX;
    for (size_t row = 0; row < nrows; row++) {
        csy_range *absent = &ranges[row * s->ncolumns + STATE_ABSENT];
        int128 times = row == s->nactors ? (int128)s->nactors : 1;
        int128 least = known ? times * span.lo : 0, greatest = known ? times * span.hi : 0;
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
    }
    return status;
}

static csy_status make(struct states *s, csy_analysis **out, csy_error *error)
{
    size_t n = (s->nactors + 1 + s->units.count) * s->ncolumns;
    csy_range *ranges = malloc(n * sizeof *ranges);
    csy_analysis *analysis = calloc(1, sizeof *analysis);
    csy_status status = ranges && analysis ? moves_finish(&s->moves, error) : error_memory(error);
    if (!status)
        status = forms_ranges(&s->forms, n, &s->moves, ranges, error);
    if (!status && s->instants.partial)
        status = set_absent(s, n / s->ncolumns, ranges, error);
    if (!status && !add_rows(s, analysis, ranges))
        status = error_memory(error);
    free(ranges);
    if (status)
        csy_analysis_free(analysis);
    else
        *out = analysis;
    return status;
}

csy_status csy_sync_states(csy_sync *sync, const csy_meaning *meaning, csy_analysis **out,
                           csy_error *error)
{
    struct states s = {.actors = NULL};
    csy_status status = sync->read ? CSY_OK : solution_check_feasible(sync, error);
    if (status)
        return status;
    status = instants_open(&s.instants, sync, meaning, INSTANTS_AHEAD, error);
    if (status)
        return status;
    status = moves_init(&s.moves, sync, error);
    if (!status)
        status = forms_init(&s.forms, error);
    if (!status)
        status = extent_init(&s.extent, csy_sync_nthreads(sync), error);
    if (!status)
        status = gather(&s, error);
    if (!status)
        status = make(&s, out, error);
    free(s.actors);
    texts_fini(&s.units);
    forms_fini(&s.forms);
    extent_fini(&s.extent);
    moves_fini(&s.moves);
    instants_fini(&s.instants);
    return status;
}

/* The time of the only active unit, where begins of waits have no place in the order. */
#include "analysis/calls/profile.h"

#include "base/array.h"
#include "base/error.h"

#include <stdlib.h>
#include <string.h>

enum { STEPS_MIN = 1024 };

/* Whether exactly one may be active, and must be: true levels are between both. */
static bool may_be_one(const struct profile_late *late)
{
    return late->most >= 1 && late->least <= 1;
}

static bool must_be_one(const struct profile_late *late)
{
    return late->most == 1 && late->least == 1;
}

/* The time of a row so far; since when it is counted is kept while one may be active alone. */
static bool tell(struct profile *p, uint32_t row, const struct moment *now)
{
    struct profile_row *item = &p->rows[row];
    size_t form = (size_t)row * FORMS;
    if (!may_be_one(&p->late))
        return true;
    bool good = forms_add(&p->forms, form + FORM_ALONE_MOST, &item->most_since, now, item->late);
    if (good && must_be_one(&p->late))
        good = forms_add(&p->forms, form + FORM_ALONE_LEAST, &item->least_since, now, item->late);
    item->most_since = item->least_since = *now;
    return good;
}

static bool step_row(struct profile *p, const struct profile_step *step)
{
    const struct moment now = {step->global_ticks, step->global_ticks, step->clock};
    struct profile_late *late = &p->late;
    struct profile_row *item = &p->rows[step->row];
    bool good = item->late == 0 || tell(p, step->row, &now);
    item->late += step->step;
    if (item->late == 0) {
        p->rows[late->listed[--late->nlisted]].late_listed = item->late_listed;
        late->listed[item->late_listed - 1] = late->listed[late->nlisted];
        item->late_listed = 0;
    } else if (item->late_listed == 0) {
        if (!ARRAY_RESERVE(late->listed, late->listed_capacity, late->nlisted + 1))
            return false;
        late->listed[late->nlisted++] = step->row;
        item->late_listed = late->nlisted;
        item->most_since = item->least_since = now;
    }
    return good;
}

/* Rows up to before that record. */
static bool step_rows(struct profile *p, uint64_t number)
{
    struct profile_late *late = &p->late;
    bool good = true;
    while (good && late->first < late->end && late->steps[late->first].number < number)
        good = step_row(p, &late->steps[late->first++]);
    return good;
}

/* Between two of these nothing becomes of rows but what they told when they changed. */
static bool left(void *user, uint64_t number, const struct change *record, int64_t above,
                 int64_t below)
{
    struct profile *p = user;
    struct profile_late *late = &p->late;
    const struct moment now = {record->global_ticks, record->global_ticks, record->clock};
    bool good = step_rows(p, number), counted = may_be_one(late);
    if (above == 0 && below == 0)
        return good;
    for (size_t i = 0; good && counted && i < late->nlisted; i++)
        good = tell(p, late->listed[i], &now);
    late->most += above;
    late->least += below;
    for (size_t i = 0; !counted && may_be_one(late) && i < late->nlisted; i++) {
        struct profile_row *item = &p->rows[late->listed[i]];
        item->most_since = item->least_since = now;
    }
    return good;
}

/* Steps of the next record are of this one. */
static void set_next(struct profile_late *late, uint64_t number, int64_t global_ticks,
                     uint32_t clock)
{
    for (; late->nnext > 0; late->nnext--) {
        struct profile_step *step = &late->steps[late->end - late->nnext];
        step->number = number;
        step->global_ticks = global_ticks;
        step->clock = clock;
    }
}

csy_status late_begin(struct profile *p, csy_error *error)
{
    struct profile_late *late = &p->late;
    const struct instants *in = p->instants;
    bool open = in->partial || in->has_open_calls;
    bool ranged = in->has_begins && !in->partial;
    if (p->calls_alone || !(open || ranged) || !p->moves.known || p->moves.n > REACH_CLOCKS_MAX)
        return CSY_OK;
    csy_status status = reach_init(&late->reach, &p->moves, error);
    late->ranged = !status && ranged;
    late->last_number = PROFILE_NEXT;
    if (!status)
        profile_outer_init(&p->outer, open ? &late->reach : NULL, in->sync);
    if (!status)
        status = calls_outer_init(&p->calls, open ? &late->reach : NULL, in, error);
    return status || !ranged
               ? status
               : stairs_init_all(&late->stairs, &late->reach, in->actors.count, left, p, error);
}

bool late_change(struct profile *p, const struct change *change)
{
    struct profile_late *late = &p->late;
    if (!late->ranged)
        return true;
    late->last_number = PROFILE_NEXT;
    if (change->ordered) {
        late->last_number = window_next(&late->stairs.window);
        late->last_ticks = change->global_ticks;
        late->last_clock = change->clock;
        set_next(late, late->last_number, change->global_ticks, change->clock);
    }
    return stairs_take(&late->stairs, change);
}

/* Room for more steps, where those of records that have left are not needed any more. */
static bool make_room(struct profile *p)
{
    struct profile_late *late = &p->late;
    if (!step_rows(p, late->stairs.window.first))
        return false;
    if (late->first > 0) {
        late->end -= late->first;
        memmove(late->steps, late->steps + late->first, late->end * sizeof *late->steps);
        late->first = 0;
    }
    size_t room = 2 * late->end;
    return ARRAY_RESERVE(late->steps, late->capacity, room > STEPS_MIN ? room : STEPS_MIN);
}

bool late_step(struct profile *p, uint32_t row, int64_t step)
{
    struct profile_late *late = &p->late;
    if (late->end == late->capacity && !make_room(p))
        return false;
    late->steps[late->end++] = (struct profile_step){late->last_number, late->last_ticks,
                                                     late->last_clock, row, (int32_t)step};
    late->nnext += late->last_number == PROFILE_NEXT;
    return true;
}

bool late_end(struct profile *p)
{
    struct profile_late *late = &p->late;
    const struct moment *last = &p->instants->last;
    if (!profile_outer_end(&p->outer) || !calls_outer_end(&p->calls))
        return false;
    if (!late->ranged)
        return true;
    set_next(late, PROFILE_NEXT - 1, last->global_ticks, last->clock);
    return stairs_end(&late->stairs) && step_rows(p, PROFILE_NEXT);
}

void late_fini(struct profile *p)
{
    struct profile_late *late = &p->late;
    if (late->ranged)
        stairs_fini(&late->stairs);
    profile_outer_fini(&p->outer);
    calls_outer_fini(&p->calls);
    reach_fini(&late->reach);
    free(late->steps);
    free(late->listed);
}

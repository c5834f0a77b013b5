/* The time of the only active unit, where begins of waits have no place in the order. */
#include "analysis/profile.h"

#include "base/array.h"
#include "base/error.h"

#include <stdlib.h>
#include <string.h>

/* Whether exactly one may be active, and must be: true levels are between both. */
static bool may_be_one(const struct profile_late *late)
{
    return late->most >= 1 && late->least <= 1;
}

static bool must_be_one(const struct profile_late *late)
{
    return late->most == 1 && late->least == 1;
}

/* The time of a row so far. */
static bool tell(struct profile *p, uint32_t row, const struct moment *now)
{
    struct profile_row *item = &p->rows[row];
    size_t form = (size_t)row * FORMS;
    bool good = true;
    if (may_be_one(&p->late))
        good = forms_add(&p->forms, form + FORM_ALONE_MOST, &item->most_since, now, item->late);
    if (good && must_be_one(&p->late))
        good = forms_add(&p->forms, form + FORM_ALONE_LEAST, &item->least_since, now, item->late);
    item->most_since = item->least_since = *now;
    return good;
}

static bool step_row(struct profile *p, const struct profile_step *step, const struct moment *now)
{
    struct profile_late *late = &p->late;
    struct profile_row *item = &p->rows[step->row];
    bool good = item->late == 0 || tell(p, step->row, now);
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
        item->most_since = item->least_since = *now;
    }
    return good;
}

/* Rows up to that record. */
static bool step_rows(struct profile *p, uint64_t number, const struct moment *now)
{
    struct profile_late *late = &p->late;
    bool good = true;
    while (good && late->first < late->end && late->steps[late->first].number <= number)
        good = step_row(p, &late->steps[late->first++], now);
    return good;
}

static bool left(void *user, uint64_t number, const struct change *record, int64_t above,
                 int64_t below)
{
    struct profile *p = user;
    struct profile_late *late = &p->late;
    const struct moment now = {record->global_ticks, record->global_ticks, record->clock};
    bool good = true;
    if (above == 0 && below == 0 &&
        (late->first == late->end || late->steps[late->first].number > number))
        return true;
    for (size_t i = 0; good && (above != 0 || below != 0) && i < late->nlisted; i++)
        good = tell(p, late->listed[i], &now);
    late->most += above;
    late->least += below;
    return good && step_rows(p, number, &now);
}

csy_status late_begin(struct profile *p, csy_error *error)
{
    struct profile_late *late = &p->late;
    const struct instants *in = &p->instants;
    bool open = in->partial || in->has_open_calls;
    bool ranged = in->has_begins && !in->partial;
    if (p->calls_alone || !(open || ranged) || !p->moves.known || p->moves.n > REACH_CLOCKS_MAX)
        return CSY_OK;
    csy_status status = reach_init(&late->reach, &p->moves, error);
    late->ranged = !status && ranged;
    if (!status)
        profile_outer_init(&p->outer, open ? &late->reach : NULL, in->sync);
    return status || !ranged
               ? status
               : stairs_init_all(&late->stairs, &late->reach, in->actors.count, left, p, error);
}

bool late_change(struct profile *p, const struct change *change)
{
    return !p->late.ranged || stairs_take(&p->late.stairs, change);
}

bool late_step(struct profile *p, uint32_t row, int64_t step)
{
    struct profile_late *late = &p->late;
    if (!late->ranged)
        return true;
    if (late->first > 0 && late->end == late->capacity) {
        late->end -= late->first;
        memmove(late->steps, late->steps + late->first, late->end * sizeof *late->steps);
        late->first = 0;
        if (2 * late->end > late->capacity &&
            !ARRAY_RESERVE(late->steps, late->capacity, 2 * late->end))
            return false;
    }
    if (!ARRAY_RESERVE(late->steps, late->capacity, late->end + 1))
        return false;
    uint64_t next = window_next(&late->stairs.window);
    late->steps[late->end++] = (struct profile_step){next > 0 ? next - 1 : 0, row, (int32_t)step};
    return true;
}

bool late_end(struct profile *p)
{
    return profile_outer_end(&p->outer) &&
           (!p->late.ranged ||
            (stairs_end(&p->late.stairs) && step_rows(p, UINT64_MAX, &p->instants.last)));
}

void late_fini(struct profile *p)
{
    struct profile_late *late = &p->late;
    if (late->ranged)
        stairs_fini(&late->stairs);
    profile_outer_fini(&p->outer);
    reach_fini(&late->reach);
    free(late->steps);
    free(late->listed);
}

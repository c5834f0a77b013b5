/* Joint states. */
#include "analysis/activity/joint_states.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

enum { PPM = 1000000 };

csy_status joint_states_init(struct joint_states *joint, const struct instants *in,
                             const bool *meant, bool all, csy_error *error)
{
    size_t n = in->actors.count;
    bool spes = false;
    for (size_t i = 0; !all && i < n; i++)
        spes = spes || (meant[i] && actor_is_spe(&in->actors.items[i], in->sync));
    *joint = (struct joint_states){.instants = in, .since = in->first};
    joint->actors = malloc((n + 1) * sizeof *joint->actors);
    joint->places = malloc((n + 1) * sizeof *joint->places);
    joint->now = malloc(n + 1);
    csy_status status = joint->actors && joint->places && joint->now
                            ? forms_init(&joint->forms, error)
                            : error_memory(error);
    for (size_t i = 0; !status && i < n; i++) {
        bool counted = meant[i] && (!spes || actor_is_spe(&in->actors.items[i], in->sync));
        joint->places[i] = counted ? joint->nunits : SIZE_MAX;
        if (counted)
            joint->actors[joint->nunits++] = (uint32_t)i;
    }
    if (!status)
        memset(joint->now, STATE_ABSENT, joint->nunits + 1);
    if (status)
        joint_states_fini(joint);
    return status;
}

void joint_states_fini(struct joint_states *joint)
{
    free(joint->actors);
    free(joint->places);
    free(joint->now);
    texts_fini(&joint->kept);
    forms_fini(&joint->forms);
    *joint = (struct joint_states){0};
}

/* The combination that there is lasts until then. */
static csy_status end_it(struct joint_states *joint, const struct moment *end, csy_error *error)
{
    uint32_t form = JOINT_MAX;
    bool added;
    if (joint->since.clock == end->clock && joint->since.local_ticks == end->local_ticks)
        return CSY_OK;
    if (!texts_look(&joint->kept, joint->now, joint->nunits, &form)) {
        form = JOINT_MAX;
        if (joint->kept.count < JOINT_MAX &&
            !texts_find(&joint->kept, joint->now, joint->nunits, &form, &added))
            return error_memory(error);
    }
    joint->others |= form == JOINT_MAX;
    if (!forms_add(&joint->forms, form, &joint->since, end, 1))
        return error_memory(error);
    joint->since = *end;
    return CSY_OK;
}

csy_status joint_states_take(struct joint_states *joint, const struct actor_instant *instant,
                             csy_error *error)
{
    size_t place = joint->places[instant->actor];
    if (place == SIZE_MAX || joint->now[place] == (char)instant->state)
        return CSY_OK;
    csy_status status = end_it(joint, &instant->at, error);
    joint->now[place] = (char)instant->state;
    joint->unordered |= !instant->ordered;
    return status;
}

/* A combination and its time. */
struct combination {
    uint32_t form;
    csy_range time;
};

static int compare(const void *a, const void *b)
{
    const struct combination *x = a, *y = b;
    if (x->time.estimate != y->time.estimate)
        return x->time.estimate < y->time.estimate ? 1 : -1;
    return (x->form > y->form) - (x->form < y->form);
}

static csy_status add_rows(const struct joint_states *joint, const struct combination *rows,
                           size_t n, csy_analysis *out, csy_error *error)
{
    const struct instants *in = joint->instants;
    int128 span = (int128)in->last.global_ticks - in->first.global_ticks;
    bool good = sheets_add(out, "joint");
    for (size_t i = 0; good && i < joint->nunits; i++) {
        char name[ACTOR_NAME_MAX];
        const struct actor *actor = &in->actors.items[joint->actors[i]];
        good = sheets_add_column(out, actor_name(actor, in->sync, name), CSY_COLUMN_TEXT, false);
    }
    good = good && sheets_add_column(out, "time", CSY_COLUMN_TICKS, true) &&
           sheets_add_column(out, "share", CSY_COLUMN_PPM, false);
    sheets_pack(out);
    for (size_t i = 0; good && i < n; i++) {
        csy_value *values = sheets_add_row(out);
        good = values != NULL;
        for (size_t unit = 0; good && unit < joint->nunits; unit++) {
            const char *text = "other";
            if (rows[i].form < JOINT_MAX) {
                const struct text_item *item = &joint->kept.items[rows[i].form];
                text = state_words[(unsigned char)joint->kept.bytes[item->at + unit]];
            }
            sheets_set_constant(&values[unit], text);
        }
        if (!good)
            break;
        values[joint->nunits] = (csy_value){.range = rows[i].time};
        if (span > 0)
            sheets_set_number(&values[joint->nunits + 1],
                              (int64_t)((int128)rows[i].time.estimate * PPM / span));
    }
    return good ? CSY_OK : error_memory(error);
}

csy_status joint_states_add_sheet(struct joint_states *joint, const struct moves *moves,
                                  csy_analysis *out, csy_error *error)
{
    csy_status status = end_it(joint, &joint->instants->last, error);
    size_t n = joint->others ? JOINT_MAX + 1 : joint->kept.count;
    csy_range *ranges = malloc((n + 1) * sizeof *ranges);
    struct combination *rows = malloc((n + 1) * sizeof *rows);
    if (!status && (!ranges || !rows))
        status = error_memory(error);
    if (!status)
        status = forms_ranges(&joint->forms, n, moves, ranges, error);
    for (size_t i = 0; !status && i < n; i++) {
        rows[i] = (struct combination){(uint32_t)i, ranges[i]};
        if (joint->unordered) /* what is on both sides of a begin may change places */
            rows[i].time.kind = CSY_RANGE_UNKNOWN;
    }
    if (!status) {
        size_t kept = joint->others ? n - 1 : n;
        if (kept > 1)
            qsort(rows, kept, sizeof *rows, compare);
        status = add_rows(joint, rows, n, out, error);
    }
    free(ranges);
    free(rows);
    return status;
}

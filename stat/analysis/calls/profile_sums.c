/* Waits and loops by class, and tasks. */
#include "analysis/calls/profile_sums.h"

#include "base/array.h"
#include "base/error.h"

#include <stdio.h>
#include <stdlib.h>

enum { NAME_BYTES = 256, OPEN_MAX = 65536, PPM = 1000000 };

/* Forms. */
enum { TASK_TIME, TASK_LEVELS };

csy_status sums_init(struct profile_sums *sums, csy_error *error)
{
    csy_status status = forms_init(&sums->forms, error);
    sums->forms.whole = true;
    return status;
}

void sums_fini(struct profile_sums *sums)
{
    free(sums->waits.items);
    free(sums->loops.items);
    free(sums->open);
    free(sums->tasks);
    forms_fini(&sums->forms);
}

static bool add(struct class_sums *sums, uint32_t class, const struct moment *begin,
                const struct moment *end)
{
    int128 length = (int128)end->local_ticks - begin->local_ticks;
    if (!ARRAY_RESERVE(sums->items, sums->capacity, (size_t) class + 1))
        return false;
    for (; sums->n <= class; sums->n++)
        sums->items[sums->n] = (struct class_sum){.greatest = INT64_MIN};
    struct class_sum *sum = &sums->items[class];
    sum->count++;
    sum->ticks += length;
    sum->greatest = length > sum->greatest ? length : sum->greatest;
    return true;
}

/* Loops of an actor that have begun; the innermost of a class ends. */
static bool take_loop(struct profile_sums *s, const struct actor_instant *instant)
{
    const struct seen *seen = instant->seen;
    uint32_t class = seen->sense.loop;
    if (seen->sense.role == ROLE_LOOP)
        return add(&s->loops, class, &seen->begin, &seen->end);
    if (seen->sense.role == ROLE_LOOP_ENTER) {
        if (s->nopen == OPEN_MAX)
            return true;
        if (!ARRAY_RESERVE(s->open, s->open_capacity, s->nopen + 1))
            return false;
        s->open[s->nopen++] = (struct open_sum){instant->actor, class, seen->end};
        return true;
    }
    for (size_t i = s->nopen; i-- > 0;) {
        const struct open_sum open = s->open[i];
        if (open.actor != instant->actor || open.class != class)
            continue;
        for (s->nopen--; i < s->nopen; i++)
            s->open[i] = s->open[i + 1];
        return open.since.clock != seen->end.clock ||
               add(&s->loops, class, &open.since, &seen->end);
    }
    return true;
}

/* One more task, or one less. */
static bool step_tasks(struct profile_sums *s, const struct moment *now, bool more)
{
    size_t level = (size_t)(s->started - s->ended);
    if (s->started > 0 && !forms_add(&s->forms, TASK_LEVELS + level, &s->since, now, 1))
        return false;
    s->since = *now;
    s->started += more;
    s->ended += !more;
    level += more;
    s->most = level > s->most ? level : s->most;
    return true;
}

static bool take_task(struct profile_sums *s, const struct seen *seen)
{
    size_t i = 0;
    while (i < s->ntasks && s->tasks[i].actor != seen->task)
        i++;
    if (seen->change == TASK_START) {
        if (i < s->ntasks)
            return true;
        if (!ARRAY_RESERVE(s->tasks, s->tasks_capacity, s->ntasks + 1))
            return false;
        s->tasks[s->ntasks++] = (struct open_sum){.actor = seen->task, .since = seen->end};
        return step_tasks(s, &seen->end, true);
    }
    if (i == s->ntasks)
        return true;
    const struct moment since = s->tasks[i].since;
    s->tasks[i] = s->tasks[--s->ntasks];
    return forms_add(&s->forms, TASK_TIME, &since, &seen->end, 1) &&
           step_tasks(s, &seen->end, false);
}

bool sums_take(struct profile_sums *s, const struct actor_instant *instant)
{
    const struct seen *seen = instant->seen;
    bool good = true;
    s->created += seen->sense.role == ROLE_CREATE;
    if (seen->waits && seen->sense.class != NO_TEXT)
        good = add(&s->waits, seen->sense.class, &seen->begin, &seen->end);
    if (good && seen->sense.loop != NO_TEXT)
        good = take_loop(s, instant);
    if (good && seen->task != NO_ACTOR && (seen->change == TASK_START || seen->change == TASK_STOP))
        good = take_task(s, seen);
    return good;
}

/* --- Sheets --------------------------------------------------------------------------------- */

static bool add_classes(csy_analysis *out, const char *title, const struct class_sums *all,
                        const struct texts *names)
{
    const struct class_sum *sums = all->items;
    size_t n = all->n;
    bool good = true, any = false;
    for (size_t i = 0; i < n; i++)
        any |= sums[i].count > 0;
    if (!any)
        return true;
    good = sheets_add(out, title) && sheets_add_column(out, "class", CSY_COLUMN_TEXT, false) &&
           sheets_add_column(out, "count", CSY_COLUMN_COUNT, false) &&
           sheets_add_column(out, "time", CSY_COLUMN_TICKS, false) &&
           sheets_add_column(out, "mean", CSY_COLUMN_TICKS, false) &&
           sheets_add_column(out, "greatest", CSY_COLUMN_TICKS, false);
    for (size_t i = 0; good && i < n; i++) {
        char name[NAME_BYTES];
        const struct text_item *item = &names->items[i];
        if (sums[i].count == 0)
            continue;
        snprintf(name, sizeof name, "%.*s",
                 (int)(item->size < sizeof name ? item->size : sizeof name - 1),
                 names->bytes + item->at);
        csy_value *value = sheets_add_row(out);
        good = value && sheets_set_text(out, &value[0], name);
        if (!good)
            break;
        sheets_set_number(&value[1], (int64_t)sums[i].count);
        sheets_set_sum(&value[2], sums[i].ticks);
        sheets_set_sum(&value[3], sums[i].ticks / (int128)sums[i].count);
        sheets_set_sum(&value[4], sums[i].greatest);
    }
    return good;
}

csy_range sums_mean(const csy_range *sum, uint64_t n)
{
    csy_range out = *sum;
    int64_t by = (int64_t)n;
    bool known = sum->kind != CSY_RANGE_CLOCK && sum->kind != CSY_RANGE_UNKNOWN;
    out.estimate = out.lo = out.hi = sum->estimate / by;
    if (known)
        out.lo = sum->lo == INT64_MIN ? sum->lo : (int64_t)floor_div(sum->lo, by);
    if (known)
        out.hi = sum->hi == INT64_MAX ? sum->hi : (int64_t)ceil_div(sum->hi, by);
    return out;
}

static bool add_tasks(const struct profile_sums *s, csy_analysis *out, const csy_range *times)
{
    bool good = sheets_add(out, "tasks") &&
                sheets_add_column(out, "created", CSY_COLUMN_COUNT, false) &&
                sheets_add_column(out, "started", CSY_COLUMN_COUNT, false) &&
                sheets_add_column(out, "ended", CSY_COLUMN_COUNT, false) &&
                sheets_add_column(out, "mean_time", CSY_COLUMN_TICKS, true) &&
                sheets_add_column(out, "average", CSY_COLUMN_PPM, false);
    csy_value *value = good ? sheets_add_row(out) : NULL;
    if (!value)
        return false;
    sheets_set_number(&value[0], (int64_t)s->created);
    sheets_set_number(&value[1], (int64_t)s->started);
    sheets_set_number(&value[2], (int64_t)s->ended);
    if (s->ended > 0)
        value[3] = (csy_value){.range = sums_mean(&times[TASK_TIME], s->ended)};
    int128 all = 0, some = 0;
    for (size_t i = 1; i <= s->most; i++) {
        some += times[TASK_LEVELS + i].estimate;
        all += (int128)i * times[TASK_LEVELS + i].estimate;
    }
    if (some > 0)
        sheets_set_number(&value[4], (int64_t)(all * PPM / some));
    good = sheets_add(out, "task_concurrency") &&
           sheets_add_column(out, "tasks", CSY_COLUMN_COUNT, false) &&
           sheets_add_column(out, "time", CSY_COLUMN_TICKS, true);
    for (size_t i = 0; good && i <= s->most; i++) {
        value = sheets_add_row(out);
        good = value != NULL;
        if (good) {
            sheets_set_number(&value[0], (int64_t)i);
            value[1] = (csy_value){.range = times[TASK_LEVELS + i]};
        }
    }
    return good;
}

csy_status sums_write(struct profile_sums *s, const struct instants *in, const struct moves *moves,
                      csy_analysis *out, csy_error *error)
{
    size_t n = TASK_LEVELS + s->most + 1;
    csy_range *times = calloc(n, sizeof *times);
    bool good = times != NULL;
    if (good && s->started > s->ended && s->most > 0)
        good = forms_add(&s->forms, TASK_LEVELS + (size_t)(s->started - s->ended), &s->since,
                         &in->last, 1);
    csy_status status =
        good ? forms_ranges(&s->forms, n, moves, times, error) : error_memory(error);
    good = !status && add_classes(out, "waits", &s->waits, &in->senses.classes) &&
           add_classes(out, "loops", &s->loops, &in->senses.loops) &&
           (s->started == 0 || in->partial || add_tasks(s, out, times));
    free(times);
    return status ? status : good ? CSY_OK : error_memory(error);
}

/* Sums up waits and loops by class, and tasks. */
#include "analysis/calls/profile_sums.h"

#include "base/array.h"
#include "base/error.h"

#include <stdlib.h>

enum { NAME_BYTES = 256, OPEN_MAX = 65536, PPM = 1000000 };

/* The forms (sums of times) of tasks. */
enum { TASK_TIME, TASK_LEVELS };

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

/* Process the begin or end of a loop. An end closes the innermost open loop of the class. */
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

/* Count one running task more, or one less. */
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

static void add_classes(csy_analysis *out, const char *title, const struct class_sums *all,
                        const struct texts *names)
{
    static const csy_column columns[] = {TEXT_COLUMN("class"), COUNT_COLUMN("count", false),
                                         TICKS_COLUMN("time", false), TICKS_COLUMN("mean", false),
                                         TICKS_COLUMN("greatest", false)};
    bool any = false;
    for (size_t i = 0; i < all->n; i++) {
        const struct class_sum *sum = &all->items[i];
        const struct text_item *item = &names->items[i];
        if (sum->count == 0)
            continue;
        if (!any)
            SHEETS_ADD(out, title, columns);
        any = true;
        csy_value *value = sheets_add_row(out);
        if (!value)
            return;
        sheets_set_bytes(out, &value[0], names->bytes + item->at,
                         item->size < NAME_BYTES ? item->size : NAME_BYTES - 1);
        sheets_set_number(&value[1], (int64_t)sum->count);
        sheets_set_sum(&value[2], sum->ticks);
        sheets_set_sum(&value[3], sum->ticks / (int128)sum->count);
        sheets_set_sum(&value[4], sum->greatest);
    }
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

static void add_tasks(const struct profile_sums *s, csy_analysis *out, const csy_range *times)
{
    static const csy_column columns[] = {
        COUNT_COLUMN("created", false), COUNT_COLUMN("started", false),
        COUNT_COLUMN("ended", false), TICKS_COLUMN("mean_time", true),
        PPM_COLUMN("average", false)};
    static const csy_column levels[] = {COUNT_COLUMN("tasks", false), TICKS_COLUMN("time", true)};
    SHEETS_ADD(out, "tasks", columns);
    csy_value *value = sheets_add_row(out);
    int128 all = 0, some = 0;
    for (size_t i = 1; i <= s->most; i++) {
        some += times[TASK_LEVELS + i].estimate;
        all += (int128)i * times[TASK_LEVELS + i].estimate;
    }
    if (!value)
        return;
    sheets_set_number(&value[0], (int64_t)s->created);
    sheets_set_number(&value[1], (int64_t)s->started);
    sheets_set_number(&value[2], (int64_t)s->ended);
    if (s->ended > 0)
        value[3] = (csy_value){.range = sums_mean(&times[TASK_TIME], s->ended)};
    if (some > 0)
        sheets_set_number(&value[4], (int64_t)(all * PPM / some));
    SHEETS_ADD(out, "task_concurrency", levels);
    for (size_t i = 0; i <= s->most; i++) {
        value = sheets_add_row(out);
        if (!value)
            return;
        sheets_set_number(&value[0], (int64_t)i);
        sheets_set_range(&value[1], &times[TASK_LEVELS + i]);
    }
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
        good ? forms_ranges(&s->forms, n, moves, moves->sync, times, error) : error_memory(error);
    if (!status) {
        add_classes(out, "waits", &s->waits, &in->senses.classes);
        add_classes(out, "loops", &s->loops, &in->senses.loops);
        if (s->started > 0 && !in->partial)
            add_tasks(s, out, times);
    }
    free(times);
    return status ? status : sheets_status(out, error);
}

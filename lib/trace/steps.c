/* See steps.h. */
#include "trace/steps.h"

#include "base/array.h"
#include "base/error.h"
#include "base/number.h"

#include <stdlib.h>
#include <string.h>

void clock_steps_fini(struct clock_steps *steps)
{
    for (size_t i = 0; i < steps->count; i++)
        free(steps->items[i].clock);
    free(steps->items);
    *steps = (struct clock_steps){0};
}

static bool is_of(const struct clock_step *step, const char *clock, size_t size)
{
    return step->clock_size == size && memcmp(step->clock, clock, size) == 0;
}

static bool precedes(const struct clock_step *a, const struct clock_step *b)
{
    return a->timed ? a->before_ticks < b->after_ticks : a->before < b->after;
}

csy_status clock_steps_add(struct clock_steps *steps, const struct clock_step *step,
                           csy_error *error)
{
    size_t at = steps->count;
    if (!precedes(step, step))
        return error_set(error, CSY_INPUT, "the step ends before it begins");
    for (size_t i = 0; i < steps->count; i++) {
        const struct clock_step *other = &steps->items[i];
        if (!is_of(other, step->clock, step->clock_size))
            continue;
        if (other->timed != step->timed)
            return error_set(error, CSY_INPUT, "only some steps of the clock have times");
        if (precedes(step, other) && precedes(other, step))
            return error_set(error, CSY_INPUT, "the step overlaps another step of the same clock");
        at = !precedes(other, step) && i < at ? i : at;
    }
    if (!ARRAY_RESERVE(steps->items, steps->capacity, steps->count + 1))
        return error_memory(error);
    char *clock = strndup(step->clock, step->clock_size);
    if (!clock)
        return error_memory(error);
    memmove(steps->items + at + 1, steps->items + at, (steps->count - at) * sizeof *steps->items);
    steps->items[at] = *step;
    steps->items[at].clock = clock;
    steps->count++;
    return CSY_OK;
}

csy_status clock_steps_copy(struct clock_steps *steps, const struct clock_steps *from,
                            csy_error *error)
{
    csy_status status = CSY_OK;
    for (size_t i = 0; i < from->count && !status; i++)
        status = clock_steps_add(steps, &from->items[i], error);
    return status;
}

size_t clock_steps_of(const struct clock_steps *steps, const char *clock, size_t size)
{
    size_t n = 0;
    for (size_t i = 0; i < steps->count; i++)
        n += is_of(&steps->items[i], clock, size);
    return n;
}

uint64_t clock_steps_segment(const struct clock_steps *steps, const char *clock, size_t size,
                             uint64_t position, int64_t ticks, uint64_t *before)
{
    uint64_t segment = 0;
    for (size_t i = 0; i < steps->count; i++) {
        const struct clock_step *step = &steps->items[i];
        if (!is_of(step, clock, size) ||
            (step->timed ? ticks <= step->before_ticks : position <= step->before))
            continue;
        if (step->timed ? ticks < step->after_ticks : position < step->after) {
            *before = segment;
            return 2 * position + 1;
        }
        segment += 2;
    }
    *before = segment;
    return segment;
}

/* Parse "RECORD" or "RECORD@TICKS". *timed becomes true if there are ticks. */
static bool parse_place(char *text, uint64_t *record, bool *timed, int64_t *ticks)
{
    char *at = strchr(text, '@');
    uint64_t number = 0;
    bool negative = at && at[1] == '-';
    *timed = at;
    if (at)
        *at = 0;
    if (!number_parse(text, record) || *record > INT64_MAX ||
        (at && (!number_parse(at + 1 + negative, &number) || number > INT64_MAX)))
        return false;
    *ticks = negative ? -(int64_t)number : (int64_t)number;
    return true;
}

csy_status clock_steps_parse(struct clock_steps *steps, char *text, const char *file,
                             csy_error *error)
{
    char *colon = strrchr(text, ':'), *dash = colon ? strchr(colon, '-') : NULL;
    bool timed = false;
    if (dash && dash[-1] == '@') /* in NAME:RECORD@-TICKS, the first dash is the sign of the time */
        dash = strchr(dash + 1, '-');
    struct clock_step step = {.clock = text, .clock_size = colon ? (size_t)(colon - text) : 0};
    csy_error why;
    if (dash)
        *dash = 0;
    bool good = dash && step.clock_size > 0 &&
                parse_place(colon + 1, &step.before, &step.timed, &step.before_ticks) &&
                parse_place(dash + 1, &step.after, &timed, &step.after_ticks) &&
                timed == step.timed;
    csy_status status = good ? clock_steps_add(steps, &step, &why) : CSY_INPUT;
    if (status == CSY_MEMORY)
        return error_memory(error);
    return status ? error_set(error, CSY_INPUT, "%s: the line # cellsync: step: %s", file,
                              good ? why.text : "it is malformed")
                  : CSY_OK;
}

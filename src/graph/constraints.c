/* Events -> the constraints graph. */
#include "graph/constraints.h"

#include "base/array.h"
#include "base/error.h"

#include <stdlib.h>

#define NONE UINT32_MAX

void constraints_init(struct constraints *c, enum constraint_pairs pairs, size_t limit)
{
    *c = (struct constraints){.pairs = pairs, .limit = limit, .previous = NONE};
}

void constraints_fini(struct constraints *c)
{
    for (size_t t = 0; t < c->count; t++)
        free(c->threads[t].with_earlier);
    free(c->threads);
    *c = (struct constraints){0};
}

static void forget_all(struct constraints *c)
{
    for (size_t t = 0; t < c->count; t++) {
        free(c->threads[t].with_earlier);
        c->threads[t].with_earlier = NULL;
    }
    c->beyond_limit = true;
}

static csy_status add_thread(struct constraints *c, csy_error *error)
{
    size_t t = c->count;
    if (t == c->limit)
        forget_all(c);
    if (!ARRAY_RESERVE(c->threads, c->capacity, t + 1))
        return error_memory(error);
    int64_t *with_earlier = NULL;
    if (!c->beyond_limit && t > 0) {
        with_earlier = malloc(2 * t * sizeof *with_earlier);
        if (!with_earlier)
            return error_memory(error);
        for (size_t i = 0; i < 2 * t; i++)
            with_earlier[i] = WALK_INF;
    }
    c->threads[t] = (struct constraint_thread){
        .max_x = -X_MAX,
        .with_earlier = with_earlier,
        .with_itself = WALK_INF,
        .newer = NONE,
        .older = NONE,
    };
    c->count++;
    return CSY_OK;
}

static void lower(int64_t *weight, int64_t to)
{
    if (to < *weight)
        *weight = to;
}

/* An event at x1 of s stands before one at x2 of t. */
static void constrain(struct constraints *c, uint32_t s, uint32_t t, int64_t x1, int64_t x2)
{
    if (s == t)
        lower(&c->threads[t].with_itself, x2 - x1);
    else if (s < t)
        lower(&c->threads[t].with_earlier[2 * (size_t)s], x2 - x1);
    else
        lower(&c->threads[s].with_earlier[2 * (size_t)t + 1], x2 - x1);
}

/* Move t to the newest end of the list by latest event. */
static void make_newest(struct constraints *c, uint32_t t)
{
    struct constraint_thread *thread = &c->threads[t];
    if (c->previous == t)
        return;
    if (thread->newer != NONE) {
        c->threads[thread->newer].older = thread->older;
        if (thread->older != NONE)
            c->threads[thread->older].newer = thread->newer;
    }
    thread->newer = NONE;
    thread->older = c->previous;
    if (c->previous != NONE)
        c->threads[c->previous].newer = t;
}

/* Every thread's greatest stamp so far stands before the event at x of t.  Threads silent since t's
 * last event need no second look unless t steps back. */
static void constrain_all(struct constraints *c, uint32_t t, int64_t x)
{
    bool steps_back = x < c->threads[t].max_x;
    for (uint32_t s = c->previous; s != NONE; s = c->threads[s].older) {
        if (s == t && !steps_back)
            break;
        constrain(c, s, t, c->threads[s].max_x, x);
    }
    make_newest(c, t);
}

csy_status constraints_event(struct constraints *c, uint32_t thread, int64_t x, csy_error *error)
{
    if (thread == c->count) {
        csy_status status = add_thread(c, error);
        if (status)
            return status;
    }
    if (!c->beyond_limit && c->pairs == PAIRS_ALL)
        constrain_all(c, thread, x);
    else if (!c->beyond_limit && c->previous != NONE)
        constrain(c, c->previous, thread, c->previous_x, x);
    struct constraint_thread *t = &c->threads[thread];
    if (x > t->max_x)
        t->max_x = x;
    c->previous = thread;
    c->previous_x = x;
    return CSY_OK;
}

int64_t constraints_weight(const struct constraints *c, size_t s, size_t t)
{
    if (s == t)
        return c->threads[t].with_itself;
    return s < t ? c->threads[t].with_earlier[2 * s] : c->threads[s].with_earlier[2 * t + 1];
}

int64_t constraints_largest(const struct constraints *c)
{
    int64_t largest = 0;
    for (size_t s = 0; s < c->count; s++) {
        for (size_t t = 0; t < c->count; t++) {
            int64_t w = constraints_weight(c, s, t);
            if (w < WALK_FAR && llabs(w) > largest)
                largest = llabs(w);
        }
    }
    return largest;
}

/* A close-up of messages. */
#include "output/page/closeup.h"

#include <stdlib.h>

/* Consider the NEAR_MAX nearest messages. Take at least LEAST if possible, and others only within
 * NEAR_TIMES the length of the slowest message taken. */
enum { NEAR_MAX = 256, LEAST = 2, NEAR_TIMES = 40 };

struct candidates {
    bool raw;
    bool any;
    struct arrow focus;
    struct arrow near[NEAR_MAX];
    size_t nnear;
};

/* --- The focus -------------------------------------------------------------------------------- */

static int128 passage(const struct arrow *arrow)
{
    return (int128)arrow->end_ticks - arrow->begin_ticks;
}

static bool is_backward(const struct candidates *f, const struct arrow *arrow)
{
    return f->raw && closeup_raw(arrow) < 0;
}

/* Ties are broken by the numbers of messages, because the order of arrival depends on the
 * reader. */
static bool is_better(const struct candidates *f, const struct arrow *a, const struct arrow *b)
{
    bool backward = is_backward(f, a);
    if (backward != is_backward(f, b))
        return backward;
    int128 x = backward ? closeup_raw(a) : passage(a), y = backward ? closeup_raw(b) : passage(b);
    return x != y ? x < y : a->number < b->number;
}

static void consider(void *user, const struct arrow *arrow)
{
    struct candidates *f = user;
    if (!f->any || is_better(f, arrow, &f->focus))
        f->focus = *arrow;
    f->any = true;
}

/* --- Messages near the focus
 * ---------------------------------------------------------------------- */

static int128 distance(int64_t a, int64_t b)
{
    return a < b ? (int128)b - a : (int128)a - b;
}

static void measure(void *user, const struct arrow *arrow)
{
    struct candidates *f = user;
    struct arrow item = *arrow;
    int128 begin = distance(arrow->begin_ticks, f->focus.begin_ticks);
    int128 end = distance(arrow->end_ticks, f->focus.end_ticks);
    int128 most = begin > end ? begin : end;
    item.key_ticks = most < INT64_MAX ? (int64_t)most : INT64_MAX;
    arrows_keep(f->near, &f->nnear, NEAR_MAX, &item);
}

static int by_key(const void *a, const void *b)
{
    const struct arrow *x = a, *y = b;
    if (x->key_ticks != y->key_ticks)
        return x->key_ticks < y->key_ticks ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

static bool has_clock(const struct closeup *out, uint32_t clock)
{
    for (size_t i = 0; i < out->nclocks; i++)
        if (out->clocks[i] == clock)
            return true;
    return false;
}

/* Add the message if it is the first or shares a clock with one that was added. */
static bool add_message(struct closeup *out, const struct arrow *arrow)
{
    bool s = has_clock(out, arrow->s), t = has_clock(out, arrow->t);
    if (out->n > 0 && ((!s && !t) || (s != t && out->nclocks == CLOSEUP_CLOCKS)))
        return false;
    if (!s)
        out->clocks[out->nclocks++] = arrow->s;
    if (!t)
        out->clocks[out->nclocks++] = arrow->t;
    out->messages[out->n++] = *arrow;
    return true;
}

/* True if the message is so near that the slowest one taken remains as wide as a line. */
static bool is_near(const struct closeup *out, const struct arrow *arrow)
{
    int128 slowest = 1;
    for (size_t i = 0; i < out->n; i++) {
        int128 length = distance(out->messages[i].begin_ticks, out->messages[i].end_ticks);
        slowest = length > slowest ? length : slowest;
    }
    return out->n < LEAST || arrow->key_ticks <= NEAR_TIMES * slowest;
}

/* Add the nearest possible message repeatedly, because each one can connect others. */
static void take_near(struct closeup *out, const struct candidates *f)
{
    bool taken[NEAR_MAX] = {false};
    add_message(out, &f->focus);
    for (size_t i = 0; i < f->nnear && out->n < CLOSEUP_MESSAGES;) {
        bool wanted =
            !taken[i] && f->near[i].number != f->focus.number && is_near(out, &f->near[i]);
        taken[i] |= wanted && add_message(out, &f->near[i]);
        i = wanted && taken[i] ? 0 : i + 1;
    }
}

static int by_begin(const void *a, const void *b)
{
    const struct arrow *x = a, *y = b;
    if (x->begin_ticks != y->begin_ticks)
        return x->begin_ticks < y->begin_ticks ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

static int by_clock(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

csy_status closeup_find(const struct arrows_source *source, bool raw, struct closeup *out,
                        csy_error *error)
{
    struct candidates f = {.raw = raw};
    *out = (struct closeup){0};
    csy_status status = arrows_each(source, consider, &f, error);
    if (status || !f.any)
        return status;
    status = arrows_each(source, measure, &f, error);
    if (status)
        return status;
    qsort(f.near, f.nnear, sizeof *f.near, by_key);
    take_near(out, &f);
    qsort(out->messages, out->n, sizeof *out->messages, by_begin);
    qsort(out->clocks, out->nclocks, sizeof *out->clocks, by_clock);
    out->backward = is_backward(&f, &f.focus);
    return CSY_OK;
}

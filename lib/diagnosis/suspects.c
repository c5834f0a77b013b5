/* Tests possible causes of a contradiction (diagnosis/suspects.h). The trace is divided into parts,
 * called windows, and the constraints in each window are known. */
#include "diagnosis/suspects.h"

#include "base/error.h"
#include "base/sort.h"

#include <stdlib.h>

/* Rates are in parts of RATE_ONE. A rate above RATE_MAX (10 %) is not called drift. */
#define RATE_ONE ((int64_t)1000000000000)
#define RATE_MAX (RATE_ONE / 10)
#define SHIFT_MAX ((int64_t)1 << 58)
#define FAR (2 * WINDOWS_NONE)

enum {
    OFFSETS_MIN = 8, /* a clock's offset is known only if at least this many parts of the trace
                      * limit it */
    DRIFT_ROUNDS = 4,
    DRIFT_PARTS = 4,
    /* A contradiction of a clock is lasting if it remains when the clock is ignored in the
     * LASTING_SPARED parts of the trace with the greatest contradictions. */
    LASTING_SPARED = 4,
    /* a contradiction remains if more than 1/LASTING_FACTOR of the timestamp error remains */
    LASTING_FACTOR = 4,
};

static bool below(csy_fraction a, csy_fraction b)
{
    return (int128)a.num * b.den < (int128)b.num * a.den;
}

bool suspects_explains(csy_fraction left, csy_fraction whole, int64_t factor)
{
    return (int128)left.num * whole.den * factor <= (int128)whole.num * left.den;
}

static size_t group_begin(const struct suspects *s, size_t group)
{
    return group * s->windows->count / SUSPECT_GROUPS;
}

csy_status suspects_init(struct suspects *s, const struct windows *windows, size_t anchor,
                         csy_error *error)
{
    *s = (struct suspects){.windows = windows, .anchor = anchor};
    s->alone = malloc(windows->count * sizeof *s->alone);
    csy_status status = s->alone ? CSY_OK : error_memory(error);
    if (!status)
        status = joint_init(&s->joint, windows->n, error);
    if (!status)
        status = joint_init(&s->wider, windows->n + 1, error);
    if (status)
        return status;
    for (size_t w = 0; w < windows->count; w++) {
        joint_clear(&s->joint);
        joint_add(&s->joint, windows, w, NULL, NULL);
        s->alone[w] = joint_twice(&s->joint, NULL);
        s->contradicting += s->alone[w].num > s->alone[w].den;
        s->most_alone = w == 0 || below(s->most_alone, s->alone[w]) ? s->alone[w] : s->most_alone;
    }
    joint_clear(&s->joint);
    for (size_t w = 0; w < windows->count; w++)
        joint_add(&s->joint, windows, w, NULL, NULL);
    s->twice = joint_twice(&s->joint, &s->cycle);
    return CSY_OK;
}

void suspects_fini(struct suspects *s)
{
    free(s->alone);
    joint_fini(&s->joint);
    joint_fini(&s->wider);
    *s = (struct suspects){0};
}

/* Returns twice the timestamp error of the trace if the clock was set in one of the parts
 * `first` to last - 1 of the trace. The clock is ignored in these parts, and is another clock
 * after them. */
static csy_fraction split_at(struct suspects *s, size_t clock, size_t first, size_t last)
{
    size_t n = s->windows->n;
    uint32_t map[WINDOWS_CLOCKS_MAX];
    for (size_t t = 0; t < n; t++)
        map[t] = (uint32_t)t;
    joint_clear(&s->wider);
    for (size_t w = 0; w < s->windows->count; w++) {
        map[clock] = (uint32_t)(w < first ? clock : w >= last ? n : WINDOWS_ABSENT);
        joint_add(&s->wider, s->windows, w, NULL, map);
    }
    return joint_twice(&s->wider, NULL);
}

static void join_all(struct suspects *s, const int64_t *shift, size_t first, size_t last)
{
    joint_clear(&s->joint);
    for (size_t w = first; w < last; w++)
        joint_add(&s->joint, s->windows, w, shift ? shift + w * s->windows->n : NULL, NULL);
}

void suspects_step(struct suspects *s, size_t clock, struct suspect_step *out)
{
    size_t best = 0;
    *out = (struct suspect_step){.left = s->twice};
    for (size_t g = 0; g < SUSPECT_GROUPS; g++) {
        csy_fraction left = split_at(s, clock, group_begin(s, g), group_begin(s, g + 1));
        if (g > 0 && !below(left, out->left))
            continue;
        out->left = left;
        best = g;
    }
    out->first = group_begin(s, best);
    out->last = group_begin(s, best + 1);
    csy_fraction coarse = out->left;
    bool found = false;
    for (size_t w = group_begin(s, best); w < group_begin(s, best + 1); w++) {
        csy_fraction left = split_at(s, clock, w, w + 1);
        bool serves = suspects_explains(left, s->twice, SUSPECT_STEP_FACTOR);
        if (!serves || (found && !below(left, out->left)))
            continue;
        found = true;
        out->left = left;
        out->first = w;
        out->last = w + 1;
    }
    out->left = found ? out->left : coarse;
    int64_t lower[WINDOWS_CLOCKS_MAX + 1], upper[WINDOWS_CLOCKS_MAX + 1];
    size_t n = s->windows->n;
    split_at(s, clock, out->first, out->last);
    joint_bounds(&s->wider, (int64_t)ceil_div(out->left.num, out->left.den), clock, lower, upper);
    out->bounded = lower[n] > -FAR && upper[n] < FAR;
    out->least = -upper[n];
    out->most = -lower[n];
    size_t eighth = s->windows->count / 8, end = s->windows->count;
    join_all(s, NULL, out->first > eighth ? out->first - eighth : 0,
             end - out->last > eighth ? out->last + eighth : end);
    out->near = joint_twice(&s->joint, NULL);
}

/* --- Rates --- */

/* Set shift[w * n + t] to the number of ticks that must be added to the times of clock t in window
 * w if the clock has this rate. */
static void set_shifts(const struct suspects *s, const int64_t *rate, int64_t *shift)
{
    size_t n = s->windows->n;
    for (size_t w = 0; w < s->windows->count; w++)
        for (size_t t = 0; t < n; t++) {
            int64_t low = s->windows->low[w * n + t], high = s->windows->high[w * n + t];
            int64_t middle = low > high ? 0 : low + (high - low) / 2;
            int128 by = -(int128)middle * rate[t] / RATE_ONE;
            by = by > SHIFT_MAX ? SHIFT_MAX : by < -SHIFT_MAX ? -SHIFT_MAX : by;
            shift[w * n + t] = (int64_t)by;
        }
}

struct points {
    int64_t time;
    bool known[WINDOWS_CLOCKS_MAX];
    int64_t g[WINDOWS_CLOCKS_MAX], width[WINDOWS_CLOCKS_MAX];
};

static void take_points(struct suspects *s, struct points *p)
{
    int64_t lower[WINDOWS_CLOCKS_MAX + 1], upper[WINDOWS_CLOCKS_MAX + 1];
    csy_fraction twice = joint_twice(&s->joint, NULL);
    joint_bounds(&s->joint, (int64_t)ceil_div(twice.num, twice.den), s->anchor, lower, upper);
    p->time = s->joint.low[s->anchor] / 2 + s->joint.high[s->anchor] / 2;
    bool anchored = s->joint.low[s->anchor] < FAR;
    for (size_t t = 0; t < s->joint.n; t++) {
        p->known[t] = anchored && lower[t] > -FAR && upper[t] < FAR;
        p->width[t] = p->known[t] ? upper[t] - lower[t] : 0;
        p->g[t] = p->known[t] ? lower[t] + p->width[t] / 2 : 0;
    }
}

/* Estimate the rate of clock t as a median of slopes (Theil-Sen). A slope is the change of the
 * clock's offset from one part of the trace to another, divided by the time between them. These are
 * at least a quarter of the trace apart. Returns 0 if the offset is known in less than half of the
 * parts. */
static int64_t median_rate(const struct points *points, size_t parts, size_t t)
{
    int64_t rates[SUSPECT_GROUPS * SUSPECT_GROUPS];
    size_t n = 0, known = 0;
    for (size_t j = 0; j < parts; j++) {
        known += points[j].known[t];
        for (size_t i = 0; i + parts / 4 <= j; i++) {
            int64_t time = points[j].time - points[i].time;
            if (!points[i].known[t] || !points[j].known[t] || time <= 0)
                continue;
            int128 rate = -((int128)points[j].g[t] - points[i].g[t]) * RATE_ONE / time;
            rates[n++] = (int64_t)(rate > RATE_MAX    ? RATE_MAX
                                   : rate < -RATE_MAX ? -RATE_MAX
                                                      : rate);
        }
    }
    if (2 * known < parts || n == 0)
        return 0;
    qsort(rates, n, sizeof *rates, compare_signed);
    return rates[n / 2];
}

csy_fraction suspects_drift(struct suspects *s, int64_t *shift, int64_t *rate, int64_t *unsure)
{
    struct points points[SUSPECT_GROUPS] = {0};
    size_t n = s->windows->n;
    int64_t tried[WINDOWS_CLOCKS_MAX] = {0};
    csy_fraction best = s->twice;
    for (size_t t = 0; t < n; t++)
        rate[t] = unsure[t] = 0;
    for (unsigned round = 0; round < DRIFT_ROUNDS; round++) {
        size_t parts = round < DRIFT_ROUNDS / 2 ? SUSPECT_GROUPS : DRIFT_PARTS;
        set_shifts(s, tried, shift);
        for (size_t g = 0; g < parts; g++) {
            join_all(s, shift, g * s->windows->count / parts, (g + 1) * s->windows->count / parts);
            take_points(s, &points[g]);
        }
        for (size_t t = 0; t < n; t++) {
            tried[t] += median_rate(points, parts, t);
            tried[t] = tried[t] > RATE_MAX ? RATE_MAX : tried[t] < -RATE_MAX ? -RATE_MAX : tried[t];
        }
        set_shifts(s, tried, shift);
        join_all(s, shift, 0, s->windows->count);
        csy_fraction left = joint_twice(&s->joint, NULL);
        bool worse = below(best, left);
        for (size_t t = 0; t < n && !worse; t++) {
            rate[t] = tried[t];
            unsure[t] = 0; /* greatest distance between the bounds of the offset */
            for (size_t i = 0; i < parts; i++)
                unsure[t] = points[i].width[t] > unsure[t] ? points[i].width[t] : unsure[t];
        }
        best = worse ? best : left;
    }
    return best;
}

/* --- One clock against the rest --- */

static csy_fraction spare(struct suspects *s, size_t clock, const bool *spared)
{
    uint32_t map[WINDOWS_CLOCKS_MAX];
    for (size_t t = 0; t < s->windows->n; t++)
        map[t] = (uint32_t)t;
    joint_clear(&s->joint);
    for (size_t g = 0; g < SUSPECT_GROUPS; g++) {
        map[clock] = spared[g] ? WINDOWS_ABSENT : (uint32_t)clock;
        for (size_t w = group_begin(s, g); w < group_begin(s, g + 1); w++)
            joint_add(&s->joint, s->windows, w, NULL, map);
    }
    return joint_twice(&s->joint, NULL);
}

int64_t suspects_span(const struct suspects *s)
{
    const struct windows *w = s->windows;
    int64_t low = INT64_MAX, high = INT64_MIN;
    for (size_t i = 0; i < w->count; i++) {
        int64_t least = w->low[i * w->n + s->anchor], most = w->high[i * w->n + s->anchor];
        if (least > most)
            continue;
        low = least < low ? least : low;
        high = most > high ? most : high;
    }
    return high > low ? high - low : 0;
}

csy_fraction suspects_without(struct suspects *s, size_t clock, bool *lasting)
{
    bool spared[SUSPECT_GROUPS], all[SUSPECT_GROUPS];
    for (size_t g = 0; g < SUSPECT_GROUPS; g++) {
        spared[g] = false;
        all[g] = true;
    }
    csy_fraction left = s->twice;
    for (unsigned round = 0; round < LASTING_SPARED; round++) {
        size_t best = SUSPECT_GROUPS;
        for (size_t g = 0; g < SUSPECT_GROUPS; g++) {
            if (spared[g])
                continue;
            spared[g] = true;
            csy_fraction less = spare(s, clock, spared);
            spared[g] = false;
            if (best < SUSPECT_GROUPS && !below(less, left))
                continue;
            best = g;
            left = less;
        }
        spared[best] = true;
    }
    *lasting = !suspects_explains(left, s->twice, LASTING_FACTOR);
    return spare(s, clock, all);
}

/* --- Offsets --- */

csy_status suspects_offsets(struct suspects *s, int64_t *g, bool *known, csy_error *error)
{
    size_t n = s->windows->n, count = s->windows->count;
    size_t found[WINDOWS_CLOCKS_MAX] = {0};
    int64_t *all = malloc(n * count * sizeof *all);
    if (!all)
        return error_memory(error);
    for (size_t w = 0; w < count; w++) {
        struct points points = {0};
        join_all(s, NULL, w, w + 1);
        take_points(s, &points);
        for (size_t t = 0; t < n; t++)
            if (points.known[t])
                all[t * count + found[t]++] = points.g[t];
    }
    for (size_t t = 0; t < n; t++) {
        qsort(all + t * count, found[t], sizeof *all, compare_signed);
        known[t] = found[t] >= OFFSETS_MIN;
        g[t] = known[t] ? all[t * count + found[t] / 2] : 0;
    }
    free(all);
    return CSY_OK;
}

/* Whether clocks count in different units. */
#include "diagnosis/units.h"

#include "sync/pass.h"
#include "sync/progress.h"

/* A ratio is told where its two ends are known to a factor of 2; it is a power of ten where it may
 * be within a twentieth of it, and may be so in each third: a step is not. */
enum { PARTS = 3, NEAR = 20, OPEN = 2 };

/* Powers by which units of time differ, or counters of a round number of Hz. */
static const int powers[] = {0, 1, 2, 3, 6, 9};

#define POWERS (sizeof powers / sizeof *powers)

/* In place of a power: another ratio, or none is known. */
enum { OTHER = 100, UNKNOWN };

/* Times with a power allowed for stay below this. */
#define X_LIMIT ((int128)1 << 58)

void units_init(struct units *units, size_t n, uint64_t total)
{
    units->n = n;
    units->total = total;
    units->passed = 0;
    for (size_t c = 0; c < n; c++) {
        units->served[c] = 0;
        units->latest[c] = INT64_MIN;
        for (size_t m = 0; m < UNITS_MARKS; m++)
            units->before[m][c] = units->after[m][c] = INT64_MIN;
    }
}

void units_event(struct units *units, uint64_t position, uint32_t clock, int64_t local)
{
    for (; units->passed < UNITS_MARKS &&
           (uint128)position * (UNITS_MARKS + 1) >= (uint128)units->total * (units->passed + 1);
         units->passed++)
        for (size_t c = 0; c < units->n; c++)
            units->before[units->passed][c] = units->latest[c];
    for (; units->served[clock] < units->passed; units->served[clock]++)
        units->after[units->served[clock]][clock] = local;
    units->latest[clock] = local;
}

/* What a clock counted, at least and at most. */
struct span {
    int128 least, most;
};

static struct span span_of(const struct units *units, size_t c, size_t from, size_t to)
{
    /* A clock that is read in whole ticks has counted up to one more or less. */
    return (struct span){(int128)units->before[to][c] - units->after[from][c] - 1,
                         (int128)units->after[to][c] - units->before[from][c] + 1};
}

static int128 ten_to(int power)
{
    int128 value = 1;
    for (; power > 0; power--)
        value *= 10;
    return value;
}

/* Whether a may be 10^power times b, give or take a twentieth. */
static bool may_be(struct span a, struct span b, int power)
{
    int128 factor = ten_to(power < 0 ? -power : power);
    if (power < 0) {
        struct span swapped = a;
        a = b;
        b = swapped;
    }
    return NEAR * a.most >= (NEAR - 1) * factor * b.least &&
           NEAR * a.least <= (NEAR + 1) * factor * b.most;
}

/* Whether their ratio is known well enough to tell. */
static bool is_known(struct span a, struct span b)
{
    return a.least > 0 && b.least > 0 && a.most * b.most <= OPEN * a.least * b.least;
}

/* The power by which a counts more than b, or OTHER, or UNKNOWN. */
static int compare(const struct units *units, size_t a, size_t b)
{
    size_t from = 0, to = UNITS_MARKS;
    while (from < UNITS_MARKS &&
           (units->before[from][a] == INT64_MIN || units->before[from][b] == INT64_MIN))
        from++;
    while (to > 0 && (units->after[to - 1][a] == INT64_MIN || units->after[to - 1][b] == INT64_MIN))
        to--;
    if (from + PARTS >= to)
        return UNKNOWN;
    struct span whole_a = span_of(units, a, from, to - 1);
    struct span whole_b = span_of(units, b, from, to - 1);
    if (!is_known(whole_a, whole_b))
        return UNKNOWN;
    for (size_t i = 0; i < 2 * POWERS; i++) {
        int power = i % 2 ? -powers[i / 2] : powers[i / 2];
        bool is = may_be(whole_a, whole_b, power);
        for (size_t p = 0; is && p < PARTS; p++) {
            size_t begin = from + (to - 1 - from) * p / PARTS;
            size_t end = from + (to - 1 - from) * (p + 1) / PARTS;
            is = may_be(span_of(units, a, begin, end), span_of(units, b, begin, end), power);
        }
        if (is)
            return power;
    }
    return OTHER;
}

/* The clock as which most others count; the first of several. */
static size_t choose_against(const struct units *units)
{
    size_t best = 0, most = 0;
    for (size_t c = 0; c < units->n; c++) {
        size_t alike = 0;
        for (size_t b = 0; b < units->n; b++)
            alike += b != c && compare(units, c, b) == 0;
        if (alike <= most)
            continue;
        most = alike;
        best = c;
    }
    return best;
}

bool units_find(const struct units *units, struct units_found *out)
{
    size_t alike = 1, others = 0, named = 0;
    *out = (struct units_found){.against = choose_against(units)};
    for (size_t c = 0; c < units->n; c++) {
        if (c == out->against)
            continue;
        int power = compare(units, c, out->against);
        alike += power == 0;
        others += power == OTHER;
        if (power == 0 || power == OTHER || power == UNKNOWN)
            continue;
        out->power[c] = power;
        named++;
    }
    return named > 0 && named + others <= alike;
}

int64_t units_ppb(int power)
{
    int128 billion = 1000000000;
    return (int64_t)((power < 0 ? billion / ten_to(-power) : billion * ten_to(power)) - billion);
}

/* --- What is left --- */

struct leaving {
    const struct csy_sync *sync;
    const uint32_t *clock;
    const struct units_found *found;
    struct windows windows;
    struct line line;
    size_t window;
    bool too_large;
};

static csy_status note_leaving(void *user, const struct event *event, csy_error *error)
{
    struct leaving *g = user;
    uint32_t c = g->clock[event->thread];
    if (c == WINDOWS_ABSENT || g->too_large)
        return CSY_OK;
    int power = g->found->power[c];
    int128 x =
        (int128)event->local_ticks - g->sync->survey.threads.items[event->thread].first_ticks;
    x = power < 0 ? x * ten_to(-power) : floor_div(x, ten_to(power));
    if (x <= -X_LIMIT || x >= X_LIMIT) {
        g->too_large = true;
        return CSY_OK;
    }
    size_t window = windows_at(&g->windows, event->position);
    if (window != g->window)
        line_restart(&g->line);
    g->window = window;
    struct point point = {event->position, event->place, c, event->local_ticks, (int64_t)x};
    return line_event(&g->line, &point, error);
}

static csy_status twice_of(const struct windows *windows, csy_fraction *twice, csy_error *error)
{
    struct joint joint;
    csy_status status = joint_init(&joint, windows->n, error);
    if (status)
        return status;
    for (size_t w = 0; w < windows->count; w++)
        joint_add(&joint, windows, w, NULL, NULL);
    *twice = joint_twice(&joint, NULL);
    joint_fini(&joint);
    return CSY_OK;
}

csy_status units_left(struct csy_trace *trace, const struct csy_sync *sync, const uint32_t *clock,
                      const struct windows *windows, const struct units_found *found,
                      csy_fraction *whole, csy_fraction *left, csy_error *error)
{
    struct leaving g = {.sync = sync, .clock = clock, .found = found};
    csy_status status = twice_of(windows, whole, error);
    if (!status)
        status = windows_init(&g.windows, windows->n, windows->count, windows->total, error);
    if (status)
        return status;
    struct sink sink = windows_sink(&g.windows);
    line_init(&g.line, &sink, LINE_ALL, 0);
    struct taker taker = {.observe = note_leaving, .observer = &g};
    struct progress progress = trace->progress;
    progress.stage = "diagnosing";
    status = pass_again(trace, &sync->survey, NO_THREAD, &taker, &progress, error);
    *left = *whole;
    if (!status && !g.too_large)
        status = twice_of(&g.windows, left, error);
    line_fini(&g.line);
    windows_fini(&g.windows);
    return status;
}

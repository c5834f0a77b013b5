/* Divides a trace into windows of consecutive records, finds the constraints in each window, and
 * joins the constraints of several windows (graph/windows.h). */
#include "graph/windows.h"

#include "base/error.h"

#include <stdlib.h>

/* Values of `high` and `low` if a clock has no records: low - high is then at least WINDOWS_NONE,
 * which means no constraint. */
#define NO_HIGH (-2 * WINDOWS_NONE)
#define NO_LOW (2 * WINDOWS_NONE)

enum { VERTICES_MAX = WINDOWS_CLOCKS_MAX + 1, RECORDS_A_CLOCK = 8 };

size_t windows_fit(size_t n, uint64_t records)
{
    uint64_t most = WINDOWS_NUMBERS_MAX / (n * n);
    most = most < WINDOWS_MAX ? most : WINDOWS_MAX;
    uint64_t filled = records / (RECORDS_A_CLOCK * n);
    return (size_t)(filled < most ? filled : most);
}

static void clear(int64_t *a, int64_t *high, int64_t *low, size_t n, size_t count)
{
    for (size_t i = 0; i < count * n * n; i++)
        a[i] = NO_LOW;
    for (size_t i = 0; i < count * n; i++) {
        high[i] = NO_HIGH;
        low[i] = NO_LOW;
    }
}

csy_status windows_init(struct windows *windows, size_t n, size_t count, uint64_t total,
                        csy_error *error)
{
    *windows = (struct windows){.n = n, .count = count, .total = total};
    windows->a = malloc(count * n * (n + 2) * sizeof *windows->a);
    if (!windows->a)
        return error_memory(error);
    windows->high = windows->a + count * n * n;
    windows->low = windows->high + count * n;
    clear(windows->a, windows->high, windows->low, n, count);
    return CSY_OK;
}

void windows_fini(struct windows *windows)
{
    free(windows->a);
    *windows = (struct windows){0};
}

static int64_t min(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t max(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static csy_status take_pair(void *engine, const struct point *from, const struct point *to,
                            csy_error *error)
{
    const struct windows *windows = engine;
    size_t n = windows->n, w = windows_at(windows, to->position);
    int64_t *a = &windows->a[(w * n + to->thread) * n + from->thread];
    (void)error;
    *a = min(*a, to->x - from->x);
    return CSY_OK;
}

static csy_status take_event(void *engine, const struct point *event, csy_error *error)
{
    const struct windows *windows = engine;
    size_t at = windows_at(windows, event->position) * windows->n + event->thread;
    (void)error;
    windows->high[at] = max(windows->high[at], event->x);
    windows->low[at] = min(windows->low[at], event->x);
    return CSY_OK;
}

struct sink windows_sink(struct windows *windows)
{
    return (struct sink){.engine = windows, .pair = take_pair, .event = take_event};
}

uint64_t windows_begin(const struct windows *windows, size_t w)
{
    return (uint64_t)(((uint128)w * windows->total + windows->count - 1) / windows->count);
}

csy_status joint_init(struct joint *joint, size_t n, csy_error *error)
{
    *joint = (struct joint){.n = n, .a = malloc(n * (n + 2) * sizeof *joint->a)};
    if (!joint->a)
        return error_memory(error);
    joint->high = joint->a + n * n;
    joint->low = joint->high + n;
    joint_clear(joint);
    return CSY_OK;
}

void joint_fini(struct joint *joint)
{
    free(joint->a);
    *joint = (struct joint){0};
}

void joint_clear(struct joint *joint)
{
    clear(joint->a, joint->high, joint->low, joint->n, 1);
}

/* Returns the time x plus the shift of clock t. NO_HIGH and NO_LOW stand for no time, and stay the
 * same. */
static int64_t shifted(int64_t x, const int64_t *shift, size_t t)
{
    return x <= NO_HIGH || x >= NO_LOW || !shift ? x : x + shift[t];
}

static uint32_t renamed(const uint32_t *map, size_t t)
{
    return map ? map[t] : (uint32_t)t;
}

void joint_add(struct joint *joint, const struct windows *windows, size_t w, const int64_t *shift,
               const uint32_t *map)
{
    size_t n = windows->n;
    const int64_t *low = windows->low + w * n, *high = windows->high + w * n;
    for (size_t t = 0; t < n; t++) {
        uint32_t v = renamed(map, t);
        if (v == WINDOWS_ABSENT || low[t] >= NO_LOW)
            continue;
        const int64_t *from = windows->a + (w * n + t) * n;
        int64_t *to = joint->a + v * joint->n, least = shifted(low[t], shift, t);
        for (size_t s = 0; s < joint->n; s++)
            to[s] = min(to[s], least - joint->high[s]);
        for (size_t s = 0; s < n; s++) {
            uint32_t u = renamed(map, s);
            if (u != WINDOWS_ABSENT && from[s] < WINDOWS_NONE)
                to[u] = min(to[u], from[s] + (shift ? shift[t] - shift[s] : 0));
        }
        joint->low[v] = min(joint->low[v], least);
    }
    for (size_t t = 0; t < n; t++) {
        uint32_t v = renamed(map, t);
        if (v != WINDOWS_ABSENT)
            joint->high[v] = max(joint->high[v], shifted(high[t], shift, t));
    }
}

/* Find a negative cycle with added.num / added.den on each edge by the Bellman-Ford algorithm. Its
 * length is 0 if there is none. */
static void find_negative(const struct joint *joint, csy_fraction added, struct joint_cycle *cycle)
{
    size_t n = joint->n;
    int128 distance[VERTICES_MAX] = {0};
    uint32_t parent[VERTICES_MAX], v = WINDOWS_ABSENT;
    bool lowered = true;
    cycle->length = 0;
    for (size_t t = 0; t < n; t++)
        parent[t] = WINDOWS_ABSENT;
    for (size_t round = 0; round <= n && lowered; round++) {
        lowered = false;
        for (size_t t = 0; t < n; t++)
            for (size_t s = 0; s < n; s++) {
                int64_t a = joint->a[t * n + s];
                int128 far = distance[s] + (int128)a * added.den + added.num;
                if (a >= WINDOWS_NONE || far >= distance[t])
                    continue;
                distance[t] = far;
                parent[t] = (uint32_t)s;
                v = (uint32_t)t;
                lowered = true;
            }
        /* n steps from parent to parent end on a cycle if there is one */
        for (size_t i = 0; i < n && lowered && v != WINDOWS_ABSENT; i++)
            v = parent[v];
        if (lowered && v != WINDOWS_ABSENT)
            break;
    }
    if (!lowered || v == WINDOWS_ABSENT)
        return;
    uint32_t first = v;
    do {
        cycle->vertices[cycle->length++] = v;
        v = parent[v];
    } while (v != first && cycle->length < n);
}

csy_fraction joint_twice(const struct joint *joint, struct joint_cycle *cycle)
{
    struct joint_cycle found, kept = {0};
    csy_fraction twice = {0, 1}, more;
    for (;;) {
        find_negative(joint, twice, &found);
        int128 weight = 0;
        for (size_t i = 0; i < found.length; i++) {
            uint32_t to = found.vertices[i], from = found.vertices[(i + 1) % found.length];
            weight += joint->a[to * joint->n + from];
        }
        if (found.length == 0 || !fraction_make(-weight, (int128)found.length, &more) ||
            (int128)more.num * twice.den <= (int128)twice.num * more.den)
            break;
        twice = more;
        kept = found;
    }
    if (cycle)
        *cycle = kept;
    return twice;
}

/* Find the shortest paths from vertex `anchor`, or if `backwards`, to it. No cycle is negative. */
static void find_walks(const struct joint *joint, int64_t added, size_t anchor, bool backwards,
                       int128 *distance)
{
    size_t n = joint->n;
    bool lowered = true;
    for (size_t t = 0; t < n; t++)
        distance[t] = t == anchor ? 0 : 4 * (int128)WINDOWS_NONE;
    for (size_t round = 0; round < n && lowered; round++) {
        lowered = false;
        for (size_t t = 0; t < n; t++)
            for (size_t s = 0; s < n; s++) {
                int64_t a = backwards ? joint->a[s * n + t] : joint->a[t * n + s];
                int128 far = distance[s] + a + added;
                if (a >= WINDOWS_NONE || distance[s] >= 4 * (int128)WINDOWS_NONE ||
                    far >= distance[t])
                    continue;
                distance[t] = far;
                lowered = true;
            }
    }
}

void joint_bounds(const struct joint *joint, int64_t added, size_t anchor, int64_t *lower,
                  int64_t *upper)
{
    int128 there[VERTICES_MAX], back[VERTICES_MAX];
    const int128 most = INT64_MAX;
    find_walks(joint, added, anchor, false, there);
    find_walks(joint, added, anchor, true, back);
    for (size_t t = 0; t < joint->n; t++) {
        upper[t] = (int64_t)(back[t] > most ? most : back[t]);
        lower[t] = (int64_t)(there[t] > most ? -most : -there[t]);
    }
}

/* Constraints graphs for tests. */
#include "graphs.h"

struct constraints graph_new(size_t n)
{
    struct constraints c;
    csy_error error;
    constraints_init(&c, n);
    for (size_t t = 0; t < n; t++)
        ck_ok(constraints_birth(&c, &error), error);
    for (size_t s = 0; s < n; s++)
        for (size_t t = 0; t < n; t++)
            graph_set(&c, s, t, WALK_INF);
    return c;
}

void graph_set(struct constraints *c, size_t s, size_t t, int64_t weight)
{
    if (s == t)
        c->threads[t].with_itself = weight;
    else if (s < t)
        c->threads[t].with_earlier[2 * s] = weight;
    else
        c->threads[s].with_earlier[2 * t + 1] = weight;
    ck_assert_int_eq(constraints_weight(c, s, t), weight);
}

struct constraints graph_draw(struct random *r, size_t nmax, int percent, int64_t least,
                              int64_t greatest)
{
    size_t n = (size_t)random_between(r, 2, (int64_t)nmax);
    struct constraints c = graph_new(n);
    for (size_t s = 0; s < n; s++)
        for (size_t t = 0; t < n; t++)
            if (s != t && random_chance(r, percent))
                graph_set(&c, s, t, random_between(r, least, greatest));
    return c;
}

/* Threads get their numbers in the order of their first events. */
static uint32_t number_of(struct events *e, uint32_t *numbers, uint32_t clock)
{
    if (numbers[clock] == UINT32_MAX)
        numbers[clock] = (uint32_t)e->nthreads++;
    return numbers[clock];
}

void events_place(struct events *e)
{
    bool seen[THREADS_MAX] = {false};
    int64_t previous = 0;
    for (size_t i = 0; i < e->n; i++) {
        uint32_t t = e->thread[i];
        if (!seen[t])
            e->rough[t] = previous - e->local[i];
        seen[t] = true;
        e->x[i] = previous = e->local[i] + e->rough[t];
    }
}

void events_draw(struct random *r, struct events *e, int64_t jitter)
{
    uint32_t numbers[THREADS_MAX];
    uint32_t nclocks = (uint32_t)random_between(r, 1, random_chance(r, 70) ? 10 : THREADS_MAX);
    int64_t offsets[THREADS_MAX], now = random_between(r, 0, 1000);
    int64_t reach = random_chance(r, 50) ? THREADS_MAX : 3; /* how many clocks are live together */
    for (size_t i = 0; i < THREADS_MAX; i++) {
        numbers[i] = UINT32_MAX;
        offsets[i] = random_between(r, -((int64_t)1 << 50), (int64_t)1 << 50);
    }
    *e = (struct events){.n = (size_t)random_between(r, 1, random_chance(r, 50) ? 30 : EVENTS_MAX)};
    for (size_t i = 0; i < e->n; i++) {
        int64_t clock = (int64_t)(i * nclocks / e->n) + random_between(r, 0, reach);
        uint32_t t = number_of(e, numbers, (uint32_t)(clock % nclocks));
        e->offset[t] = offsets[clock % nclocks];
        e->thread[i] = t;
        e->local[i] = now - e->offset[t] + random_between(r, -jitter, jitter);
        now += random_between(r, 0, 20);
    }
    events_place(e);
}

void feed_line(const struct events *e, const struct sink *sink, enum line_pairs pairs,
               int64_t added_ticks)
{
    struct line line;
    csy_error error;
    line_init(&line, sink, pairs, added_ticks);
    for (size_t i = 0; i < e->n; i++) {
        struct point point = {i, 7 * i, e->thread[i], e->local[i], e->x[i]};
        ck_ok(line_event(&line, &point, &error), error);
    }
    line_fini(&line);
}

struct constraints graph_of(const struct events *e, enum line_pairs pairs)
{
    struct constraints c;
    constraints_init(&c, THREADS_MAX);
    struct sink sink = constraints_sink(&c);
    feed_line(e, &sink, pairs, 0);
    return c;
}

/* One pass over all edges for the distances from one thread; whether one fell. */
static bool walk_on(const struct constraints *c, int64_t added, int64_t *distance)
{
    bool fell = false;
    for (size_t s = 0; s < c->count; s++) {
        for (size_t t = 0; t < c->count; t++) {
            int64_t weight = constraints_weight(c, s, t);
            if (s == t || weight == WALK_INF || distance[s] == WALK_INF ||
                distance[s] + weight + added >= distance[t])
                continue;
            distance[t] = distance[s] + weight + added;
            fell = true;
        }
    }
    return fell;
}

bool shortest_walks(const struct constraints *c, int64_t added, int64_t *out)
{
    for (size_t s = 0; s < c->count; s++) {
        int64_t *distance = out + s * c->count;
        for (size_t t = 0; t < c->count; t++)
            distance[t] = s == t ? 0 : WALK_INF;
        size_t passes = 0;
        while (walk_on(c, added, distance))
            if (++passes > c->count)
                return false;
    }
    return true;
}

/* a < b, of fractions */
static bool is_less(csy_fraction a, csy_fraction b)
{
    return (int128)a.num * b.den < (int128)b.num * a.den;
}

/* The least weight of the walks of k edges that end in t, wherever they begin. */
static void walk_edges_more(const struct constraints *c, bool with_itself, const int64_t *before,
                            int64_t *after)
{
    for (size_t t = 0; t < c->count; t++) {
        after[t] = WALK_INF;
        for (size_t s = 0; s < c->count; s++) {
            int64_t weight = constraints_weight(c, s, t);
            if ((s == t && !with_itself) || weight == WALK_INF || before[s] == WALK_INF)
                continue;
            if (before[s] + weight < after[t])
                after[t] = before[s] + weight;
        }
    }
}

/* R. Karp 1978: min over t of max over k < n of (walk[n][t] - walk[k][t]) / (n - k). */
bool least_cycle_mean(const struct constraints *c, bool with_itself, csy_fraction *out)
{
    int64_t walk[THREADS_MAX + 1][THREADS_MAX] = {{0}};
    size_t n = c->count;
    bool found = false;
    for (size_t k = 1; k <= n; k++)
        walk_edges_more(c, with_itself, walk[k - 1], walk[k]);
    for (size_t t = 0; t < n; t++) {
        csy_fraction worst = {-WALK_INF, 1};
        for (size_t k = 0; k < n && walk[n][t] != WALK_INF; k++) {
            csy_fraction mean = {walk[n][t] - walk[k][t], (int64_t)(n - k)};
            if (walk[k][t] != WALK_INF && is_less(worst, mean))
                worst = mean;
        }
        if (walk[n][t] == WALK_INF || (found && !is_less(worst, *out)))
            continue;
        *out = worst;
        found = true;
    }
    return found;
}

/* Offsets of drawn pairs keep every constraint, and are those of the definition, by Floyd and
 * Warshall: hubs have no places, only what is known through them of clocks counts. */
#include "pairings.h"

#include "sync/partial/islands.h"

#include <stdlib.h>

enum { N = 14 };

struct scene {
    struct pairs pairs;
    int64_t weight[N * N], *walks;
    struct island_clock clocks[N];
    struct islands_rule rule;
};

static void scene_draw(struct random *r, struct scene *s)
{
    pairs_draw(r, &s->pairs, N);
    if (s->pairs.nclocks == 0)
        s->pairs.nclocks = 1;
    for (size_t i = 0; i < s->pairs.count; i++)
        s->weight[i] = s->pairs.items[i].weight;
    s->walks = pairs_close(&s->pairs);
    for (size_t t = 0; t < s->pairs.nclocks; t++)
        s->clocks[t] =
            (struct island_clock){t, (uint64_t)random_between(r, 1, 4),
                                  random_between(r, -100, 100), random_between(r, -100, 100)};
    s->rule =
        (struct islands_rule){.tau = (size_t)random_between(r, 0, (int64_t)s->pairs.nclocks - 1),
                              .alpha = {1, 2},
                              .clocks = s->clocks,
                              .own_times = random_between(r, 0, 1)};
    s->rule.alpha.num = random_between(r, 0, 5);
    s->rule.alpha.den = 5;
}

static bool reaches(const struct scene *s, size_t a, size_t b)
{
    return s->walks[a * s->pairs.nvertices + b] < WALK_FAR;
}

static bool together(const struct scene *s, size_t a, size_t b)
{
    return reaches(s, a, b) && reaches(s, b, a);
}

/* Whether each hub has clocks before it and after it, as those of groups have: one without would
 * tie clocks to one another of which nothing is known. */
static bool hubs_lie_between(const struct scene *s)
{
    for (size_t h = s->pairs.nclocks; h < s->pairs.nvertices; h++) {
        bool before = false, after = false;
        for (size_t t = 0; t < s->pairs.nclocks; t++) {
            before = before || reaches(s, t, h);
            after = after || reaches(s, h, t);
        }
        if (!before || !after)
            return false;
    }
    return true;
}

/* Components by the definition, each by its reference. */
static size_t reference_of(const struct scene *s, size_t v)
{
    size_t best = SIZE_MAX;
    for (size_t t = 0; t < s->pairs.nclocks; t++) {
        if (!together(s, v, t))
            continue;
        if (t == s->rule.tau)
            return t;
        if (best == SIZE_MAX || s->clocks[t].records > s->clocks[best].records)
            best = t;
    }
    return best;
}

struct naive {
    bool placed[N];
    int64_t g[N], inside[N];
    size_t reference[N];
};

/* Shift the component of v so that it keeps its limits against those placed. */
static void place(const struct scene *s, struct naive *n, size_t v, bool after)
{
    size_t m = s->pairs.nvertices, nclocks = s->pairs.nclocks;
    bool any = false;
    int64_t shift = 0;
    for (size_t b = 0; b < nclocks; b++)
        for (size_t a = 0; a < nclocks && together(s, b, v); a++) {
            if (!n->placed[a] || !(after ? reaches(s, a, b) : reaches(s, b, a)))
                continue;
            int64_t limit = after ? n->g[a] - s->walks[a * m + b] - n->inside[b]
                                  : n->g[a] + s->walks[b * m + a] - n->inside[b];
            shift = !any || (after ? limit > shift : limit < shift) ? limit : shift;
            any = true;
        }
    ck_assert(any);
    for (size_t b = 0; b < nclocks; b++)
        if (together(s, b, v))
            n->g[b] = n->inside[b] + shift;
}

/* Whether another one of those to be placed comes before it. */
static bool must_wait(const struct scene *s, const struct naive *n, const bool *fresh, size_t v,
                      bool after)
{
    for (size_t u = 0; u < s->pairs.nclocks; u++)
        if (fresh[u] && !n->placed[u] && !together(s, u, v) &&
            (after ? reaches(s, u, v) : reaches(s, v, u)))
            return true;
    return false;
}

/* All that those placed reach, or that reach those, each after what comes before it. */
static bool place_all(const struct scene *s, struct naive *n, bool after)
{
    size_t m = s->pairs.nclocks, left = 0;
    bool fresh[N] = {false};
    for (size_t v = 0; v < m; v++) {
        for (size_t a = 0; a < m && !n->placed[v]; a++)
            fresh[v] = fresh[v] || (n->placed[a] && (after ? reaches(s, a, v) : reaches(s, v, a)));
        left += fresh[v];
    }
    bool any = left > 0;
    for (size_t v = 0; left > 0; v = (v + 1) % m) {
        if (!fresh[v] || n->placed[v] || must_wait(s, n, fresh, v, after))
            continue;
        place(s, n, v, after);
        for (size_t b = 0; b < m; b++)
            if (together(s, b, v)) {
                n->placed[b] = true;
                left--;
            }
    }
    return any;
}

static int64_t least_of(const struct scene *s, const struct naive *n, size_t reference)
{
    int64_t least = INT64_MAX;
    for (size_t t = 0; t < s->pairs.nclocks; t++)
        if (n->reference[t] == reference && n->inside[t] + s->clocks[t].least_x < least)
            least = n->inside[t] + (int64_t)s->clocks[t].least_x;
    return least;
}

static size_t solve(const struct scene *s, struct naive *n)
{
    size_t m = s->pairs.nvertices, islands = 0, next = s->rule.tau;
    for (size_t v = 0; v < s->pairs.nclocks; v++) {
        size_t r = n->reference[v] = reference_of(s, v);
        n->inside[v] =
            (int64_t)floor_div(s->rule.alpha.num * s->walks[v * m + r] -
                                   (s->rule.alpha.den - s->rule.alpha.num) * s->walks[r * m + v],
                               s->rule.alpha.den);
    }
    while (next < s->pairs.nclocks) {
        size_t r = n->reference[next];
        int64_t shift = least_of(s, n, n->reference[s->rule.tau]) - least_of(s, n, r);
        if (s->rule.own_times)
            shift = r == n->reference[s->rule.tau] ? 0 : (int64_t)s->clocks[r].own;
        for (size_t v = 0; v < s->pairs.nclocks; v++)
            if (n->reference[v] == r) {
                n->g[v] = n->inside[v] + shift;
                n->placed[v] = true;
            }
        islands++;
        bool after = place_all(s, n, true), before = place_all(s, n, false);
        while (after || before) {
            after = place_all(s, n, true);
            before = place_all(s, n, false);
        }
        for (next = 0; next < s->pairs.nclocks && n->placed[next];)
            next++;
    }
    return islands;
}

START_TEST(they_are_those_of_the_definition)
{
    size_t many = 0, drawn = 0, trials = (size_t)trials_of(3000);
    for (size_t trial = 0; trial < trials; trial++) {
        struct random r = random_trial(trial);
        struct scene s;
        struct search_graph graph;
        struct naive naive = {{false}, {0}, {0}, {0}};
        int64_t g[N];
        size_t islands;
        csy_error error;
        scene_draw(&r, &s);
        if (hubs_lie_between(&s)) {
            ck_ok(search_init(&graph, &s.pairs, s.weight, &error), error);
            ck_ok(islands_place(&graph, &s.rule, g, NULL, &islands, &error), error);
            ck_assert_uint_eq(islands, solve(&s, &naive));
            for (size_t t = 0; t < s.pairs.nclocks; t++)
                ck_assert_int_eq(g[t], naive.g[t]);
            for (size_t a = 0; a < s.pairs.nclocks; a++)
                for (size_t b = 0; b < s.pairs.nclocks; b++)
                    ck_assert(!reaches(&s, a, b) ||
                              g[a] - g[b] <= s.walks[a * s.pairs.nvertices + b]);
            many += islands > 1;
            search_fini(&graph);
            drawn++;
        }
        free(s.walks);
        pairs_fini(&s.pairs);
    }
    ck_assert(drawn > trials / 4 && many > drawn / 20 && many < drawn);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("islands");
    tcase_add_test(tests, they_are_those_of_the_definition);
    return unit_run();
}

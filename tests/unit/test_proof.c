/*
 * Proofs of bounds: true ones are proved, whatever counts as a constraint, and any lie is found
 * out, most often at the thread that it is told of.
 */
#include "check/proof.h"
#include "graphs.h"

#include <string.h>

/* A table whose bounds are true. */
struct truth {
    struct events e;
    struct table table;
    struct table_thread threads[THREADS_MAX];
    uint32_t tau;
};

static void truth_draw(struct random *r, int trial, struct truth *truth)
{
    static int64_t walks[THREADS_MAX * THREADS_MAX];
    struct events *e = &truth->e;
    int64_t jitter = trial % 3 ? random_between(r, 1, 12) : 0;
    bool paper = trial % 3 == 2;
    events_draw(r, e, jitter);
    size_t n = e->nthreads;
    struct constraints c = graph_of(e, jitter && !paper ? LINE_ALL : LINE_NEIGHBOURS);
    ck_assert(shortest_walks(&c, 2 * jitter, walks));
    truth->tau = (uint32_t)random_between(r, 0, (int64_t)n - 1);
    truth->table = (struct table){.added_ticks = 2 * jitter,
                                  .relax = paper ? CSY_RELAX_PAPER : CSY_RELAX_EXACT,
                                  .rows = {.threads = truth->threads, .count = n}};
    for (size_t t = 0; t < n; t++) {
        int64_t even = e->rough[t] - e->rough[truth->tau] + 77;
        int64_t from = walks[truth->tau * n + t], to = walks[t * n + truth->tau];
        truth->threads[t] = (struct table_thread){
            .offset_ticks = even,
            .earliest_ticks = from == WALK_INF ? INT64_MIN : even - from,
            .latest_ticks = to == WALK_INF ? INT64_MAX : even + to,
        };
    }
    constraints_fini(&c);
}

static bool is_after(const struct truth *truth, size_t t)
{
    return truth->threads[t].latest_ticks == INT64_MAX;
}

static bool is_before(const struct truth *truth, size_t t)
{
    return truth->threads[t].earliest_ticks == INT64_MIN;
}

/* Offsets by the definition of cellsync-model(7), Unbounded pairs, from all shortest walks; returns
 * how many threads are unbounded on one side. */
static size_t place_truth(struct truth *truth)
{
    static int64_t walks[THREADS_MAX * THREADS_MAX];
    const struct events *e = &truth->e;
    struct table_thread *threads = truth->threads;
    size_t n = e->nthreads, one_sided = 0;
    bool paper = truth->table.relax == CSY_RELAX_PAPER;
    struct constraints c =
        graph_of(e, truth->table.added_ticks && !paper ? LINE_ALL : LINE_NEIGHBOURS);
    ck_assert(shortest_walks(&c, truth->table.added_ticks, walks));
    constraints_fini(&c);
    int64_t g[THREADS_MAX]; /* between x */
    for (size_t t = 0; t < n; t++) {
        int64_t even = e->rough[t] - e->rough[truth->tau] + 77;
        if (!is_after(truth, t) && !is_before(truth, t))
            g[t] =
                (int64_t)floor_div(threads[t].earliest_ticks + threads[t].latest_ticks, 2) - even;
    }
    for (int step = 0; step < 2; step++) {
        for (size_t t = 0; t < n; t++) {
            if (!(step ? is_before(truth, t) : is_after(truth, t)))
                continue;
            g[t] = step ? INT64_MAX : INT64_MIN;
            for (size_t i = 0; i < n; i++) {
                int64_t walk = step ? walks[t * n + i] : walks[i * n + t];
                if (is_before(truth, i) || (is_after(truth, i) && step == 0) || walk == WALK_INF)
                    continue;
                int64_t limit = step ? g[i] + walk : g[i] - walk;
                g[t] = (step ? limit < g[t] : limit > g[t]) ? limit : g[t];
            }
            one_sided++;
        }
    }
    for (size_t t = 0; t < n; t++)
        threads[t].offset_ticks = g[t] + e->rough[t] - e->rough[truth->tau] + 77;
    return one_sided;
}

static uint32_t fault_of(const struct truth *truth, enum proof_end which)
{
    struct proof proof;
    csy_error error;
    uint32_t fault;
    ck_ok(proof_init(&proof, which, &truth->table, &error), error);
    for (size_t i = 0; i < truth->e.n; i++)
        ck_ok(proof_event(&proof, truth->e.thread[i], truth->e.local[i], &error), error);
    ck_ok(proof_finish(&proof, truth->tau, &fault, &error), error);
    proof_fini(&proof);
    return fault;
}

START_TEST(the_truth_is_proved)
{
    for (int trial = 0; trial < trials_of(600); trial++) {
        static struct truth truth;
        struct random r = random_trial((uint64_t)trial);
        truth_draw(&r, trial, &truth);
        for (enum proof_end which = PROOF_EARLIEST; which <= PROOF_LATEST; which++)
            if (fault_of(&truth, which) != NO_THREAD)
                ck_abort_msg("trial %d", trial);
    }
}
END_TEST

/* Another end than the true one: near, far, or none. */
static int64_t lie_of(struct random *r, int64_t end)
{
    bool bounded = end != INT64_MIN && end != INT64_MAX;
    int64_t near = (bounded ? end : 0) + random_between(r, 1, 3);
    int64_t lies[] = {near, near - 4, near + 1000000, near - 1000000, INT64_MIN, INT64_MAX};
    int64_t lie = end;
    while (lie == end)
        lie = lies[random_between(r, 0, 5)];
    return lie;
}

START_TEST(lies_are_found_out)
{
    int named = 0, trials = trials_of(1200);
    for (int trial = 0; trial < trials; trial++) {
        static struct truth truth;
        struct random r = random_trial((uint64_t)trial);
        truth_draw(&r, trial, &truth);
        enum proof_end which = random_chance(&r, 50) ? PROOF_EARLIEST : PROOF_LATEST;
        uint32_t liar =
            (uint32_t)random_between(&r, 0, truth.e.nthreads ? (int64_t)truth.e.nthreads - 1 : 0);
        struct table_thread *thread = &truth.threads[liar];
        int64_t *end = which == PROOF_EARLIEST ? &thread->earliest_ticks : &thread->latest_ticks;
        *end = lie_of(&r, *end);
        uint32_t fault = fault_of(&truth, which);
        if (fault == NO_THREAD)
            ck_abort_msg("trial %d: a lie about thread %u goes unseen", trial, (unsigned)liar);
        named += fault == liar;
    }
    ck_assert_msg(named > trials * 3 / 4, "the liar is named in %d of %d cases", named, trials);
}
END_TEST

/* Threads that are unbounded on one side: where they are placed is proved, and no other place. */
START_TEST(places_are_proved)
{
    int moved = 0;
    for (int trial = 0; trial < trials_of(1200); trial++) {
        static struct truth truth;
        struct random r = random_trial((uint64_t)trial);
        truth_draw(&r, trial, &truth);
        size_t one_sided = place_truth(&truth);
        if (fault_of(&truth, PROOF_PLACED) != NO_THREAD)
            ck_abort_msg("trial %d: the truth is refused", trial);
        if (one_sided == 0)
            continue;
        int64_t shifts[] = {1, 2, 1000000, -1, -2, -1000000};
        int64_t shift = shifts[random_between(&r, 0, 5)];
        int percent = trial % 2 ? 100 : 30; /* some, or all of them alike */
        bool any = false;
        for (size_t t = 0; t < truth.e.nthreads; t++) {
            if ((!is_after(&truth, t) && !is_before(&truth, t)) || !random_chance(&r, percent))
                continue;
            truth.threads[t].offset_ticks += shift;
            any = true;
        }
        moved += any;
        if ((fault_of(&truth, PROOF_PLACED) == NO_THREAD) == any)
            ck_abort_msg("trial %d: moved by %lld", trial, (long long)shift);
    }
    ck_assert_int_gt(moved, trials_of(1200) / 20);
}
END_TEST

/* Several lies that agree with one another: all ends but those of tau moved alike, and of any
 * set. */
START_TEST(conspiracies_are_found_out)
{
    for (int trial = 0; trial < trials_of(600); trial++) {
        static struct truth truth;
        struct random r = random_trial((uint64_t)trial);
        truth_draw(&r, trial, &truth);
        int64_t shift = random_between(&r, 1, 5) * (random_chance(&r, 50) ? 1 : -1);
        int percent = trial % 2 ? 100 : 50;
        bool any = false;
        for (uint32_t t = 0; t < truth.table.rows.count; t++) {
            int64_t *end = &truth.threads[t].latest_ticks;
            if (t == truth.tau || *end == INT64_MAX || !random_chance(&r, percent))
                continue;
            *end += shift;
            any = true;
        }
        if ((fault_of(&truth, PROOF_LATEST) == NO_THREAD) == any)
            ck_abort_msg("trial %d", trial);
        truth.threads[truth.tau].latest_ticks += any ? shift : 0; /* tau's, too */
        if ((fault_of(&truth, PROOF_LATEST) == NO_THREAD) == any)
            ck_abort_msg("trial %d: the reference moves along", trial);
    }
}
END_TEST

/* As many ties as there can be: all clocks agree and all stamps of a round are one, many rounds. */
START_TEST(ties_are_proved)
{
    enum { ROUNDS = 8000, THREADS = 5 };
    for (int64_t added = 0; added <= 2; added++) {
        struct table_thread threads[THREADS] = {{0}};
        struct table table = {.added_ticks = added, .rows = {.threads = threads, .count = THREADS}};
        for (size_t t = 0; t < THREADS; t++) {
            threads[t].earliest_ticks = t ? -added : 0;
            threads[t].latest_ticks = t ? added : 0;
        }
        for (enum proof_end which = PROOF_EARLIEST; which <= PROOF_LATEST; which++) {
            struct proof proof;
            csy_error error;
            uint32_t fault;
            ck_ok(proof_init(&proof, which, &table, &error), error);
            for (int64_t i = 0; i < ROUNDS; i++)
                for (int64_t k = 0; k < THREADS; k++)
                    ck_ok(proof_event(&proof, (uint32_t)(i % 2 ? THREADS - 1 - k : k), i, &error),
                          error);
            ck_assert_uint_lt(proof.tight_capacity, 10000);
            ck_ok(proof_finish(&proof, 0, &fault, &error), error);
            ck_assert_uint_eq(fault, NO_THREAD);
            proof_fini(&proof);
        }
    }
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("proof");
    tcase_add_test(tests, the_truth_is_proved);
    tcase_add_test(tests, lies_are_found_out);
    tcase_add_test(tests, places_are_proved);
    tcase_add_test(tests, conspiracies_are_found_out);
    tcase_add_test(tests, ties_are_proved);
    return unit_run();
}

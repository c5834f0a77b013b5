/* Rates at which clocks can keep constraints: what the matrix says, which drops readings, against
 * all readings and all constraints at once. */
#include "support.h"

#include "graph/age_matrix.h"
#include "graph/pair_table.h"

#include <stdlib.h>

enum { TRIALS = 400, CLOCKS_MOST = 5, STEPS = 60, OPEN = 4, HEADS = 3, HUBS = 2 };

#define FAR ((int128)1 << 120)

/* Constraints between readings, in the order in which they come; after each `drops` says whether
 * nodes are dropped, and `open` which readings are kept then, and, where several locations have a
 * clock, `least` from which on all are.  Hubs are after all clocks. */
struct reading {
    uint32_t clock;
    int64_t at;
};

/* A number that hubs have one after another: `at` says which. */
struct hub {
    int64_t at;
    size_t enters; /* constraints that led to it */
    bool closed;   /* nothing comes from it any more, but it was not dropped yet */
};

struct step {
    struct age_constraint constraint;
    struct reading open[OPEN * CLOCKS_MOST + HUBS];
    size_t nopen;
    int64_t least[CLOCKS_MOST];
    bool drops, shared;
};

struct trial {
    struct age_rule rule;
    struct step steps[STEPS];
    struct reading readings[2 * STEPS];
    size_t nreadings;
    int128 m[2 * STEPS][2 * STEPS];
    size_t passed; /* constraints of hubs */
};

/* A constraint into a hub, or after some of these out of it, or none. */
static bool draw_hub(struct random *r, const struct trial *t, struct hub *hub, uint32_t number,
                     struct age_constraint *c, const int64_t *gain)
{
    uint32_t vertex = (uint32_t)t->rule.nclocks + number;
    if (hub->closed)
        return false;
    if (hub->enters < 2 || random_chance(r, 30)) {
        int64_t weight = random_between(r, 0, 300) - gain[c->s] * c->from / 1000;
        *c = (struct age_constraint){c->s, vertex, c->from, hub->at, weight};
        hub->enters++;
        return true;
    }
    int64_t weight = random_between(r, -40, 300) + gain[c->t] * c->to / 1000;
    *c = (struct age_constraint){vertex, c->t, hub->at, c->to, weight};
    hub->closed = random_chance(r, 30);
    return true;
}

/* Those that are open are kept; if nodes are dropped, the numbers of others are free. */
static void keep_hubs(struct trial *t, struct step *step, struct hub *hubs)
{
    for (uint32_t k = 0; k < HUBS; k++) {
        if (!hubs[k].closed)
            step->open[step->nopen++] = (struct reading){(uint32_t)t->rule.nclocks + k, hubs[k].at};
        else if (step->drops)
            hubs[k] = (struct hub){.at = hubs[k].at + 1};
    }
}

/* Clocks run at rates of their own; constraints come from some reading that is kept for that, and
 * have a little more room than they need, or less.  They lead to the next reading of a location of
 * a clock, of which there may be several. */
static void draw(struct random *r, struct trial *t)
{
    int64_t at[CLOCKS_MOST][HEADS], gain[CLOCKS_MOST], open[CLOCKS_MOST][OPEN];
    int64_t heads = random_chance(r, 50) ? 1 : HEADS;
    struct hub hubs[HUBS] = {0};
    size_t n = t->rule.nclocks = (size_t)random_between(r, 2, CLOCKS_MOST);
    bool operates = random_chance(r, 50);
    int64_t noise = random_between(r, 1, 3000), apart = random_between(r, 1, 5000);
    t->rule.tau = (uint32_t)random_between(r, 0, (int64_t)n - 1);
    t->rule.added_ticks = random_between(r, 0, 2);
    for (size_t c = 0; c < n; c++) {
        for (size_t h = 0; h < HEADS; h++)
            at[c][h] = random_between(r, -1000, 1000);
        gain[c] = c == t->rule.tau ? 0 : random_between(r, -20, 20);
        for (size_t i = 0; i < OPEN; i++)
            open[c][i] = at[c][0];
    }
    for (size_t i = 0; i < STEPS; i++) {
        struct step *step = &t->steps[i];
        uint32_t s = (uint32_t)random_between(r, 0, (int64_t)n - 1);
        uint32_t to = (uint32_t)random_between(r, 0, (int64_t)n - 1);
        int64_t from = open[s][random_between(r, 0, OPEN - 1)];
        int64_t *head = &at[to][random_between(r, 0, heads - 1)];
        *head += random_between(r, 0, apart);
        int64_t drifted = (gain[to] * *head - gain[s] * from) / 1000;
        step->constraint = (struct age_constraint){s, to, from, *head,
                                                   random_between(r, -noise / 20, noise) + drifted};
        if (s == to) /* which may say something, too */
            step->constraint.weight = random_between(r, -3, noise);
        uint32_t hub = (uint32_t)random_between(r, 0, HUBS - 1);
        t->passed += operates && draw_hub(r, t, &hubs[hub], hub, &step->constraint, gain);
        open[to][random_between(r, 0, OPEN - 1)] = *head;
        step->drops = random_chance(r, 30);
        step->shared = heads > 1;
        for (uint32_t c = 0; c < n; c++) {
            for (size_t k = 0; k < OPEN; k++)
                step->open[step->nopen++] = (struct reading){c, open[c][k]};
            step->least[c] = at[c][0];
            for (int64_t h = 1; h < heads; h++)
                step->least[c] = at[c][h] < step->least[c] ? at[c][h] : step->least[c];
        }
        keep_hubs(t, step, hubs);
    }
}

static int64_t ask_matrix(const struct trial *t, uint32_t rate_ppb)
{
    struct age_matrix *matrix;
    csy_error error;
    struct age_rule rule = t->rule;
    rule.rate_ppb = rate_ppb;
    ck_ok(age_matrix_new(&rule, &matrix, &error), error);
    for (size_t i = 0; i < STEPS; i++) {
        const struct step *step = &t->steps[i];
        ck_ok(age_matrix_add(matrix, &step->constraint, &error), error);
        for (size_t k = 0; k < step->nopen && step->drops; k++)
            age_matrix_keep(matrix, step->open[k].clock, step->open[k].at);
        for (uint32_t c = 0; c < rule.nclocks && step->drops && step->shared; c++)
            age_matrix_keep_from(matrix, c, step->least[c]);
        if (step->drops)
            age_matrix_drop(matrix);
    }
    int64_t asks = age_matrix_asks(matrix);
    age_matrix_free(matrix);
    return asks;
}

static size_t find_reading(struct trial *t, uint32_t clock, int64_t at)
{
    size_t i = 0;
    while (i < t->nreadings && (t->readings[i].clock != clock || t->readings[i].at != at))
        i++;
    if (i == t->nreadings)
        t->readings[t->nreadings++] = (struct reading){clock, at};
    return i;
}

static void lower(int128 *to, int128 value)
{
    *to = value < *to ? value : *to;
}

/* Whether there are ages that keep everything. */
static bool can_be(struct trial *t, int64_t rate_ppb)
{
    t->nreadings = 0;
    for (size_t a = 0; a < 2 * STEPS; a++)
        for (size_t b = 0; b < 2 * STEPS; b++)
            t->m[a][b] = a == b ? 0 : FAR;
    for (size_t i = 0; i < STEPS; i++) {
        const struct age_constraint *c = &t->steps[i].constraint;
        size_t from = find_reading(t, c->s, c->from), to = find_reading(t, c->t, c->to);
        int64_t added = c->t < t->rule.nclocks ? t->rule.added_ticks : 0;
        lower(&t->m[from][to],
              (int128)c->weight * RATE_UNIT + added * ((int128)RATE_UNIT + rate_ppb));
    }
    size_t n = t->nreadings;
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b < n; b++) {
            int64_t by = t->readings[a].at - t->readings[b].at;
            int64_t rate = t->readings[a].clock == t->rule.tau ? 0 : rate_ppb;
            if (t->readings[a].clock == t->readings[b].clock &&
                t->readings[a].clock < t->rule.nclocks)
                lower(&t->m[a][b], (int128)rate * (by < 0 ? -by : by));
        }
    bool can = true;
    for (size_t k = 0; k < n && can; k++) {
        for (size_t a = 0; a < n; a++)
            for (size_t b = 0; b < n && t->m[a][k] < FAR; b++)
                if (t->m[k][b] < FAR)
                    lower(&t->m[a][b], t->m[a][k] + t->m[k][b]);
        for (size_t a = 0; a < n; a++)
            can &= t->m[a][a] >= 0;
    }
    return can;
}

/* Asked again at what it asks for, it comes to the least rate. */
START_TEST(the_least_rate)
{
    struct trial *t = malloc(sizeof *t);
    uint64_t trials = (uint64_t)trials_of(TRIALS), raised = 0, never = 0, operated = 0;
    for (uint64_t trial = 0; trial < trials; trial++) {
        struct random r = random_trial(trial);
        *t = (struct trial){0};
        draw(&r, t);
        int64_t rate = random_between(&r, 1, 1000000), first = rate, asks;
        while ((asks = ask_matrix(t, (uint32_t)rate)) > 0 && asks < RATE_UNIT) {
            ck_assert_int_gt(asks, rate);
            rate = asks;
        }
        if (asks == RATE_UNIT) {
            ck_assert(!can_be(t, RATE_UNIT - 1));
            never++;
            continue;
        }
        ck_assert(can_be(t, rate));
        ck_assert(rate == first || !can_be(t, rate - 1));
        raised += rate > first;
        operated += rate > first && t->passed > STEPS / 4;
    }
    ck_assert_of_trials(raised > trials / 4);
    ck_assert_of_trials(operated > trials / 20);
    ck_assert_of_trials(never > trials / 100);
    free(t);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("age_matrix");
    tcase_add_test(tests, the_least_rate);
    return unit_run();
}

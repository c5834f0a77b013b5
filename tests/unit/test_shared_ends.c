/* Ends of several locations of one clock, by time, against a sort of all of them. */
#include "support.h"

#include "order/shared_ends.h"

#include <stdlib.h>
#include <string.h>

enum { LOCATIONS = 6, MOST = 20, TRIALS = 3000 };

/* The ends of a location, in the order in which they come. */
struct row {
    struct shared_end ends[MOST];
    size_t n, next;
};

struct world {
    uint32_t clocks[LOCATIONS];
    struct row rows[LOCATIONS];
    struct shared_end given[LOCATIONS][LOCATIONS * MOST]; /* by clock */
    size_t ngiven[LOCATIONS];
};

/* They come by time, but for some that change places with one soon after. */
static void draw_world(struct random *r, struct world *w)
{
    memset(w, 0, sizeof *w);
    for (uint32_t l = 0; l < LOCATIONS; l++) {
        struct row *row = &w->rows[l];
        int64_t now = random_between(r, -5, 5);
        w->clocks[l] = (uint32_t)random_between(r, 0, l < 3 ? (int64_t)l : 2);
        row->n = (size_t)random_between(r, 0, MOST);
        for (size_t i = 0; i < row->n; i++) {
            now += random_between(r, 0, 3);
            row->ends[i] = (struct shared_end){.ticks = now,
                                               .position = i,
                                               .place = random_bits(r),
                                               .channel = (uint32_t)random_between(r, 0, 2),
                                               .location = l,
                                               .recv = random_chance(r, 50)};
        }
        for (size_t i = 1; i < row->n; i++)
            if (random_chance(r, 30)) {
                struct shared_end other = row->ends[i];
                row->ends[i] = row->ends[i - 1];
                row->ends[i - 1] = other;
            }
    }
}

static int by_time(const void *a, const void *b)
{
    const struct shared_end *x = a, *y = b;
    if (x->ticks != y->ticks)
        return x->ticks < y->ticks ? -1 : 1;
    if (x->location != y->location)
        return x->location < y->location ? -1 : 1;
    return (x->position > y->position) - (x->position < y->position);
}

/* Nothing to come of it is before that. */
static int64_t least_of(const struct row *row)
{
    int64_t least = INT64_MAX;
    for (size_t i = row->next; i < row->n; i++)
        least = row->ends[i].ticks < least ? row->ends[i].ticks : least;
    return least;
}

/* Some more of a location; then all is given that may be, which `reached` says. */
static void go_on(struct random *r, struct world *w, struct shared_ends *ends, int64_t *reached)
{
    uint32_t l = (uint32_t)random_between(r, 0, LOCATIONS - 1), clock = w->clocks[l];
    struct row *row = &w->rows[l];
    struct shared_end end;
    for (int64_t n = random_between(r, 0, 5); n > 0 && row->next < row->n; n--)
        ck_assert(shared_ends_put(ends, &row->ends[row->next++]));
    reached[l] = least_of(row);
    shared_ends_reach(ends, l, reached[l]);
    while (shared_ends_next(ends, l, &end))
        w->given[clock][w->ngiven[clock]++] = end;
    int64_t least = INT64_MAX;
    size_t due = 0, waits = 0;
    for (size_t i = 0; i < LOCATIONS; i++)
        if (w->clocks[i] == clock && reached[i] < least)
            least = reached[i];
    for (size_t i = 0; i < LOCATIONS; i++)
        for (size_t k = 0; k < w->rows[i].next && w->clocks[i] == clock; k++) {
            due += w->rows[i].ends[k].ticks < least || least == INT64_MAX;
            waits++;
        }
    ck_assert_uint_eq(w->ngiven[clock], due);
    for (size_t i = 0; i < LOCATIONS; i++)
        if (w->clocks[i] == clock)
            ck_assert_int_eq(shared_ends_want(ends, i), waits > due && reached[i] == least);
}

START_TEST(ends_come_by_time)
{
    static struct world w;
    for (uint64_t trial = 0; trial < (uint64_t)trials_of(TRIALS); trial++) {
        struct random r = random_trial(trial);
        struct shared_end all[LOCATIONS * MOST];
        int64_t reached[LOCATIONS];
        draw_world(&r, &w);
        struct shared_ends *ends = shared_ends_new(w.clocks, LOCATIONS);
        ck_assert_ptr_nonnull(ends);
        size_t left = 0;
        for (size_t l = 0; l < LOCATIONS; l++) {
            reached[l] = INT64_MIN;
            left += w.rows[l].n;
        }
        for (bool more = true; more;) {
            go_on(&r, &w, ends, reached);
            more = false;
            for (size_t l = 0; l < LOCATIONS; l++)
                more |= reached[l] < INT64_MAX;
        }
        for (uint32_t clock = 0; clock < LOCATIONS; clock++) {
            size_t n = 0;
            for (size_t l = 0; l < LOCATIONS; l++)
                for (size_t i = 0; i < w.rows[l].n && w.clocks[l] == clock; i++)
                    all[n++] = w.rows[l].ends[i];
            qsort(all, n, sizeof *all, by_time);
            ck_assert_uint_eq(n, w.ngiven[clock]);
            for (size_t i = 0; i < n; i++) {
                ck_assert_int_eq(by_time(&all[i], &w.given[clock][i]), 0);
                ck_assert_uint_eq(all[i].place, w.given[clock][i].place);
                ck_assert_uint_eq(all[i].channel, w.given[clock][i].channel);
                ck_assert_int_eq(all[i].recv, w.given[clock][i].recv);
            }
            left -= n;
        }
        ck_assert_uint_eq(left, 0);
        shared_ends_free(ends);
    }
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("shared_ends");
    tcase_add_test(tests, ends_come_by_time);
    return unit_run();
}

/* How many calls are concurrent with a call of another thread, against every way to move a few
 * clocks by whole ticks: no number is outside the range.  Calls are intervals, whose begins have no
 * place in the order, and pairs of records; threads share clocks, too. */
#include "acting.h"

#include <cellsync/analysis.h>

enum { TRIALS = 3000, MOVES_MAX = 40, CALLS_MAX = 64 };

enum routine { WORK, PHASE, ROUTINES };

struct call {
    enum routine routine;
    size_t thread;
    int64_t begin, end;
};

/* Of a routine: how many are concurrent at the least, if those that only touch are not, and at the
 * most, if they are; the other way round where both are by one clock, which has told. */
struct attained {
    bool any;
    int64_t lo[ROUTINES], hi[ROUTINES];
};

struct program {
    struct acting acting;
    struct call calls[CALLS_MAX];
    size_t n;
    int64_t of[ROUTINES];
};

/* Whether a thread's events i and j have no interval begin between them, and are in none. */
static bool is_clear(const struct acting *a, size_t i, size_t j)
{
    const struct acting_event *s = &a->events[i], *t = &a->events[j];
    for (size_t k = 0; k < a->n; k++) {
        const struct acting_event *e = &a->events[k];
        if (e->thread == s->thread && e->kind == ACTING_WAIT && e->begin <= t->time &&
            e->time >= s->time)
            return false;
    }
    return true;
}

/* Some marks of a thread that are one after the other enter and exit. */
static void draw_pairs(struct acting *a, struct random *r)
{
    for (size_t i = 0; i < a->n; i++) {
        size_t j = i + 1;
        while (j < a->n && a->events[j].thread != a->events[i].thread)
            j++;
        if (j < a->n && a->events[i].kind == ACTING_MARK && a->events[j].kind == ACTING_MARK &&
            is_clear(a, i, j) && random_chance(r, 60)) {
            a->events[i].kind = ACTING_BLOCK;
            a->events[j].kind = ACTING_RUN;
        }
    }
}

static void add_call(struct program *p, enum routine routine, size_t thread, int64_t begin,
                     int64_t end)
{
    ck_assert(p->n < CALLS_MAX);
    p->calls[p->n++] = (struct call){routine, thread, begin, end};
    p->of[routine]++;
}

static void find_calls(struct program *p)
{
    const struct acting *a = &p->acting;
    int64_t entered[ACTING_THREADS] = {0};
    for (size_t i = 0; i < a->n; i++) {
        const struct acting_event *e = &a->events[i];
        if (e->kind == ACTING_WAIT)
            add_call(p, WORK, e->thread, e->begin, e->time);
        if (e->kind == ACTING_RUN)
            add_call(p, PHASE, e->thread, entered[e->thread], e->time);
        entered[e->thread] = e->time;
    }
}

static bool is_concurrent(const struct program *p, size_t index, const int64_t *x, bool touching)
{
    const struct call *s = &p->calls[index];
    for (size_t i = 0; i < p->n; i++) {
        const struct call *t = &p->calls[i];
        int64_t by = x[t->thread] - x[s->thread];
        bool same =
            p->acting.nclocks > 0 && t->thread % p->acting.nclocks == s->thread % p->acting.nclocks;
        if (t->thread != s->thread && t->begin + by < s->end + (touching != same) &&
            s->begin < t->end + by + (touching != same))
            return true;
    }
    return false;
}

static void count(const struct program *p, const int64_t *x, struct attained *out)
{
    int64_t lo[ROUTINES] = {0}, hi[ROUTINES] = {0};
    for (size_t i = 0; i < p->n; i++) {
        lo[p->calls[i].routine] += is_concurrent(p, i, x, false);
        hi[p->calls[i].routine] += is_concurrent(p, i, x, true);
    }
    for (int i = 0; i < ROUTINES; i++) {
        out->lo[i] = !out->any || lo[i] < out->lo[i] ? lo[i] : out->lo[i];
        out->hi[i] = !out->any || hi[i] > out->hi[i] ? hi[i] : out->hi[i];
    }
    out->any = true;
}

static void move(const struct program *p, int64_t *x, size_t clock, int64_t most,
                 struct attained *out)
{
    const struct acting *a = &p->acting;
    size_t nclocks = a->nclocks ? a->nclocks : a->nthreads;
    if (clock < nclocks && clock < a->nthreads) {
        for (int64_t by = -most; by <= most; by++) {
            for (size_t t = clock; t < a->nthreads; t += nclocks)
                x[t] = by;
            move(p, x, clock + 1, most, out);
        }
        return;
    }
    if (acting_is_possible(a, x))
        count(p, x, out);
}

struct tally {
    int tried, partial, shared, known, attained, exact, unknown;
    int64_t width, want;
};

static const char *const names[ROUTINES] = {"work", "phase"};

static enum routine find_routine(const csy_value *row)
{
    int i = 0;
    while (i < ROUTINES && strcmp(row->text, names[i]) != 0)
        i++;
    ck_assert_int_lt(i, ROUTINES);
    return (enum routine)i;
}

static void compare_row(const struct program *p, const csy_value *row, const struct attained *want,
                        int trial, struct tally *tally)
{
    enum routine routine = find_routine(row);
    const csy_range *rest = &row[6].range, *concurrent = &row[7].range;
    int64_t calls = p->of[routine], lo = want->lo[routine], hi = want->hi[routine];
    ck_assert_int_eq(rest->estimate + concurrent->estimate, calls);
    ck_assert_int_eq(rest->kind, concurrent->kind);
    if (concurrent->kind == CSY_RANGE_UNKNOWN) { /* no clock is there with each other one */
        tally->unknown++;
        return;
    }
    if (concurrent->kind == CSY_RANGE_CLOCK) { /* all is told by the order of the buffer */
        ck_assert(lo <= concurrent->estimate && concurrent->estimate <= hi);
        tally->exact++;
        return;
    }
    ck_assert_msg(concurrent->lo <= lo && hi <= concurrent->hi,
                  "trial %d: [%lld, %lld] calls of %s, but [%lld, %lld] are attained", trial,
                  (long long)concurrent->lo, (long long)concurrent->hi, names[routine],
                  (long long)lo, (long long)hi);
    ck_assert(0 <= concurrent->lo && concurrent->lo <= concurrent->estimate);
    ck_assert(concurrent->estimate <= concurrent->hi && concurrent->hi <= calls);
    ck_assert_int_eq(rest->lo, calls - concurrent->hi);
    ck_assert_int_eq(rest->hi, calls - concurrent->lo);
    tally->known++;
    tally->attained += concurrent->lo == lo && concurrent->hi == hi;
    tally->width += concurrent->hi - concurrent->lo;
    tally->want += hi - lo;
}

static csy_meaning *make_meaning(void)
{
    return acting_meaning(
        "<events version=\"1\"><recordType name=\"BARRIER\" role=\"call\" routine=\"work\"/>"
        "<recordType name=\"BLOCK\" role=\"enter\" routine=\"phase\"/>"
        "<recordType name=\"RUNNING\" role=\"exit\" routine=\"phase\"/></events>");
}

static void draw(struct program *p, struct random *r, int trial)
{
    struct acting *a = &p->acting;
    bool shared = trial % 3 == 2;
    *p = (struct program){.n = 0};
    acting_draw(r, trial % 4 ? 4 : 3, 4, 4, true, a);
    draw_pairs(a, r);
    if (shared)
        acting_share(a);
    if (trial % 2)
        acting_draw_messages(a, r);
    find_calls(p);
}

START_TEST(every_move)
{
    struct tally tally = {0};
    csy_error error;
    csy_meaning *meaning = make_meaning();
    for (int trial = 0; trial < trials_of(TRIALS); trial++) {
        struct random r = random_trial((uint64_t)trial);
        struct program p;
        struct attained want = {0};
        csy_trace *trace;
        csy_sync *sync;
        csy_analysis *analysis;
        int64_t x[ACTING_THREADS] = {0};
        draw(&p, &r, trial);
        acting_solve(&p.acting, &trace, &sync);
        int64_t most = acting_furthest(sync);
        if (p.n > 0 && most <= MOVES_MAX && csy_sync_nthreads(sync) > 1) {
            ck_ok(csy_sync_profile(sync, meaning, NULL, &analysis, &error), error);
            move(&p, x, 1, most, &want);
            ck_assert(want.any);
            const csy_sheet *sheet = csy_analysis_sheet(analysis, 1);
            for (size_t i = 0; i < sheet->nrows; i++)
                compare_row(&p, sheet->values + i * sheet->ncolumns, &want, trial, &tally);
            tally.tried++;
            tally.partial += p.acting.nmessages > 0;
            tally.shared += p.acting.nclocks > 0;
            csy_analysis_free(analysis);
        }
        csy_sync_free(sync);
        csy_trace_free(trace);
    }
    printf("%d traces, %d partial, %d with shared clocks: %d exact rows, %d ranges, %d attained, "
           "%lld calls for %lld\n",
           tally.tried, tally.partial, tally.shared, tally.exact, tally.known, tally.attained,
           (long long)tally.width, (long long)tally.want);
    ck_assert_int_gt(tally.known, 50 * tally.unknown);
    ck_assert_int_gt(tally.partial, trials_of(TRIALS) / 60);
    ck_assert_int_gt(tally.shared, trials_of(TRIALS) / 20);
    ck_assert_int_le(tally.width, 2 * tally.want); /* of use, too */
    csy_meaning_free(meaning);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("together");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, every_move);
    return unit_run();
}

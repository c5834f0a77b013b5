/*
 * The diagnosis on simulated traces of which the cause is known, hundreds of each: how often it is
 * named, and how often another one is, which must hardly ever be.  DIAGNOSIS_RATES=1 prints them.
 */
#include "base/number.h"
#include "support.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct folder folder;

enum cause {
    EXACT,
    EARLY,       /* before the lock, mostly microseconds, now and then a preemption */
    EARLY_RARE,  /* one to three preemptions, else exact */
    DRIFT,       /* every clock at a rate of its own */
    DRIFT_ONE,   /* one clock */
    DRIFT_NOISE, /* and stamps early by a twentieth of what drift comes to */
    STEP,        /* one clock set once */
    STEP_TWICE,  /* forth and back */
    COARSE,      /* one clock that reads in steps */
    BAD_WANDER,  /* one clock whose rate changes at random */
    WANDER,      /* all of them */
    LATE,        /* EARLY the other way */
    JITTER,      /* both ways */
    SHUFFLED,    /* near records in another order */
    SWITCHED,    /* clocks that stop a while whenever their threads have been silent */
    UNIT,        /* DRIFT, and one clock in another unit */
    OTHER_RATE,  /* DRIFT, and one clock at another rate that is no power of ten */
    SHORT_LIFE,  /* DRIFT, and one clock speaks for a tenth of the time, or a hundredth */
    TICKS,       /* DRIFT of up to 50 ppm, little in a tick, and every clock ticks by itself */
    CAUSES
};

static const char *const cause_names[CAUSES] = {
    "exact",    "early",  "early rare", "drift",      "drift one", "drift noise", "step",
    "twice",    "coarse", "bad wander", "wander",     "late",      "jitter",      "shuffled",
    "switched", "unit",   "other rate", "short life", "ticks"};

enum { CLOCKS_MAX = 16, ROWS_MAX = 20000, RATES_FROM = 50 };

/* What is known of a trace. */
struct truth {
    enum cause cause;
    size_t clocks, rows, odd; /* odd: the clock that is otherwise */
    double gap;               /* between records, in ns, on average */
    double ppm[CLOCKS_MAX];
    int64_t step, span;
    int power;   /* UNIT: of ten */
    double rate; /* of the odd clock */
    size_t step_row;
};

static double uniform(struct random *r)
{
    return (double)(random_bits(r) >> 11) / 9007199254740992.0;
}

static double between(struct random *r, double least, double most)
{
    return least + (most - least) * uniform(r);
}

static double exponential(struct random *r, double mean)
{
    return -mean * log(1 - uniform(r));
}

struct row {
    int64_t at; /* place among the others, for SHUFFLED */
    size_t clock;
    int64_t x;
};

static int by_place(const void *left, const void *right)
{
    const struct row *a = left, *b = right;
    return (a->at > b->at) - (a->at < b->at);
}

static struct truth draw_truth(struct random *r, enum cause cause)
{
    static const size_t clocks[] = {2, 3, 4, 5, 8, 16};
    static const size_t rows[] = {2000, 5000, 20000};
    struct truth t = {.cause = cause};
    bool alone = cause == COARSE || cause == BAD_WANDER || cause == STEP_TWICE || cause >= UNIT;
    t.clocks = clocks[(size_t)random_between(r, alone ? 1 : 0, 5)];
    t.rows = rows[random_between(r, 0, 2)];
    t.odd = (size_t)random_between(r, 0, (int64_t)t.clocks - 1);
    t.gap = random_chance(r, 50) ? 40000 : 2000;
    t.span = (int64_t)(t.gap * (double)t.rows);
    for (size_t c = 0; c < t.clocks; c++)
        t.ppm[c] = between(r, -100, 100);
    if (cause == DRIFT_ONE)
        for (size_t c = 0; c < t.clocks; c++)
            t.ppm[c] = c == t.odd ? (random_chance(r, 50) ? 100 : -100) : 0;
    for (size_t c = 0; c < t.clocks && cause == TICKS; c++)
        t.ppm[c] /= 2;
    t.step = (int64_t)(between(r, 20, 200) * t.gap) * (random_chance(r, 50) ? 1 : -1);
    t.step_row = t.rows * (size_t)random_between(r, 15, 85) / 100;
    t.rate = 1;
    if (cause == UNIT) { /* such that it counts 200 at least */
        static const int units[] = {-6, -3, -2, -1, 1, 2, 3, 6};
        do
            t.power = units[random_between(r, 0, 7)];
        while ((double)t.span * pow(10, t.power) < 200);
        t.rate = pow(10, t.power);
    }
    if (cause == OTHER_RATE)
        t.rate = random_chance(r, 50) ? between(r, 1.5, 7) : between(r, 15, 70);
    return t;
}

static size_t draw_rows(struct random *r, struct truth *t, struct row *rows)
{
    double weight[CLOCKS_MAX], total = 0, rate[CLOCKS_MAX] = {0}, off[CLOCKS_MAX] = {0};
    int64_t offset[CLOCKS_MAX], last[CLOCKS_MAX], now = 0, previous = 0;
    size_t rare[3], nrare = (size_t)random_between(r, 1, 3);
    double scale = t->gap * between(r, 0.05, 1), coarse = t->gap * between(r, 10, 200);
    double drift = 0, stops = t->cause == SWITCHED ? t->gap * between(r, 0.3, 3) : 0;
    size_t stay = t->cause == SWITCHED ? (size_t)random_between(r, 30, 150) * t->clocks : 1;
    for (size_t c = 0; c < t->clocks; c++) {
        total += weight[c] = between(r, 0.3, 1);
        offset[c] = random_between(r, 1000000000, 10000000000000);
        last[c] = INT64_MIN;
        drift = fabs(t->ppm[c]) > drift ? fabs(t->ppm[c]) : drift;
    }
    for (size_t i = 0; i < nrare; i++)
        rare[i] = (size_t)random_between(r, 0, (int64_t)t->rows - 1);
    for (size_t k = 0; k < t->rows; k++) {
        now += (int64_t)(exponential(r, 1) * t->gap) + 30;
        size_t c = 0;
        for (double at = uniform(r) * total; c + 1 < t->clocks && at > weight[c]; c++)
            at -= weight[c];
        /* Who takes a stamp late writes nothing before that. */
        for (size_t i = 0; t->cause == LATE && i < t->clocks && last[c] > offset[c] + now; i++)
            c = (c + 1) % t->clocks;
        if (t->cause == SWITCHED) /* half of the clocks run at a time, but for the first */
            while (c != 0 && c % 2 != k / stay % 2)
                c = (size_t)random_between(r, 0, (int64_t)t->clocks - 1);
        size_t life = t->rows / (t->rows % 2000 ? 100 : 10);
        if (t->cause == SHORT_LIFE && (k < t->step_row || k >= t->step_row + life))
            c = c == t->odd ? (c + 1) % t->clocks : c;
        for (size_t w = 1; t->cause == SWITCHED && k % stay == 0 && w < t->clocks; w++)
            off[w] += w % 2 == k / stay % 2 ? stops * between(r, 0.9, 1.1) : 0;
        double e = 0;
        bool one = c == t->odd;
        switch (t->cause) {
        case EARLY:
        case LATE:
            e = exponential(r, scale) + (uniform(r) < 0.002 ? exponential(r, 75 * t->gap) : 0);
            e = t->cause == LATE ? -e : e;
            break;
        case EARLY_RARE:
            for (size_t i = 0; i < nrare; i++)
                e = rare[i] == k ? between(r, 5 * t->gap, 80 * t->gap) : e;
            break;
        case DRIFT:
        case DRIFT_ONE:
        case UNIT:
        case OTHER_RATE:
        case SHORT_LIFE:
            e = -(double)now * t->ppm[c] * 1e-6;
            break;
        case DRIFT_NOISE:
            e = -(double)now * t->ppm[c] * 1e-6 +
                exponential(r, (double)t->span * drift * 1e-6 / 200);
            break;
        case STEP:
            e = one && k > t->step_row ? -(double)t->step : 0;
            break;
        case STEP_TWICE:
            e = one && k > t->rows / 3 && k < t->rows * 2 / 3 ? -(double)t->step : 0;
            break;
        case COARSE:
            e = one ? fmod((double)now, coarse) : 0;
            break;
        case BAD_WANDER:
        case WANDER:
            for (size_t w = 0; w < t->clocks; w++) {
                bool moves = t->cause == WANDER || w == t->odd;
                rate[w] = moves && uniform(r) < 30.0 / (double)t->rows ? between(r, -1e-3, 1e-3)
                                                                       : rate[w];
                off[w] += rate[w] * (double)(now - previous);
            }
            e = off[c];
            break;
        case SWITCHED:
            e = off[c];
            break;
        case JITTER:
            e = between(r, -3 * scale, 3 * scale);
            break;
        default:
            break;
        }
        previous = now;
        int64_t x = offset[c] + now - (int64_t)e;
        double ticks = floor((double)now * t->ppm[c] * 1e-6 + (double)c / (double)t->clocks);
        if (t->cause == TICKS)
            x = offset[c] + now + (int64_t)ticks;
        if (one && t->rate != 1)
            x = offset[c] + (int64_t)((double)(now - (int64_t)e) * t->rate);
        if (t->cause == EARLY && x < last[c])
            x = last[c]; /* a thread's own readings never step back */
        last[c] = x;
        rows[k] = (struct row){now, c, x};
        if (t->cause == SHUFFLED)
            rows[k].at += (int64_t)(between(r, 0, 4) * t->gap);
    }
    if (t->cause == SHUFFLED)
        qsort(rows, t->rows, sizeof *rows, by_place);
    return t->rows;
}

static void write_csv(const struct row *rows, size_t n, const char *path)
{
    struct buffer b = {0};
    char line[64];
    buffer_text(&b, "thread,time\n");
    for (size_t k = 0; k < n; k++) {
        snprintf(line, sizeof line, "t%zu,%" PRId64 "\n", rows[k].clock, rows[k].x);
        buffer_text(&b, line);
    }
    file_write(path, b.bytes, b.size);
    buffer_free(&b);
}

/* A trace, solved and diagnosed. */
struct solved {
    csy_trace *trace;
    csy_sync *sync;
    const csy_diagnosis *d;
};

static struct solved diagnose(const char *path)
{
    struct solved s;
    csy_options options;
    csy_error error;
    options = options_default;
    ck_ok(csy_trace_open(path, NULL, &s.trace, &error), error);
    csy_trace_set_workers(s.trace, 1);
    ck_ok(csy_trace_synchronize(s.trace, &options, &s.sync, &error), error);
    ck_ok(csy_sync_diagnose(s.sync, &s.d, &error), error);
    return s;
}

static csy_fraction delta_with(const char *path, int64_t drift_ppb)
{
    csy_trace *trace;
    csy_sync *sync;
    csy_error error;
    csy_options options = options_default;
    options.drift_ppb = drift_ppb;
    ck_ok(csy_trace_open(path, NULL, &trace, &error), error);
    ck_ok(csy_trace_synchronize(trace, &options, &sync, &error), error);
    csy_fraction delta = csy_sync_imprecision(sync)->delta;
    csy_sync_free(sync);
    csy_trace_free(trace);
    return delta;
}

/* The drift that is said to be enough is, by the solver, and no less is. */
static bool is_enough(const char *path, const csy_diagnosis *d)
{
    csy_fraction with = delta_with(path, d->enough_drift_ppb);
    csy_fraction less = delta_with(path, d->enough_drift_ppb - 1);
    return with.num * d->left_delta.den == d->left_delta.num * with.den &&
           less.num * with.den > with.num * less.den;
}

static void solved_free(struct solved *s)
{
    csy_sync_free(s->sync);
    csy_trace_free(s->trace);
}

static bool is_large(const struct solved *s)
{
    csy_fraction delta = csy_sync_imprecision(s->sync)->delta;
    return 2 * delta.num > delta.den;
}

static size_t clock_of(const struct solved *s, size_t thread)
{
    return (size_t)atoi(csy_sync_thread(s->sync, thread)->name + 1);
}

/* All records of the odd clock up to `before` were written before the step, all from `after` on
 * after it. */
static bool step_is_within(const struct truth *t, const struct row *rows, uint64_t before,
                           uint64_t after)
{
    for (size_t k = 0; k < t->rows; k++)
        if (rows[k].clock == t->odd &&
            ((k <= before && k > t->step_row) || (k >= after && k <= t->step_row)))
            return false;
    return true;
}

/* Rates are told within a tenth of the widest, signs included; the step, its clock and place. */
static bool figures_hold(const struct truth *t, const struct row *rows, const struct solved *s)
{
    const csy_diagnosis *d = s->d;
    if (d->kind == CSY_DIAGNOSIS_OTHER_UNIT)
        return t->cause == UNIT && d->nclocks == 1 && clock_of(s, d->clocks[0].thread) == t->odd &&
               fabs(1 + (double)d->clocks[0].rate_ppb / 1e9 - t->rate) < 1e-6 * t->rate;
    if (d->kind == CSY_DIAGNOSIS_DRIFT && t->cause <= SWITCHED) {
        double against = t->ppm[clock_of(s, d->against)], widest = 0;
        for (size_t i = 0; i < d->nclocks; i++)
            widest = fmax(widest, fabs(t->ppm[clock_of(s, d->clocks[i].thread)] - against));
        for (size_t i = 0; i < d->nclocks; i++) {
            double ppm = t->ppm[clock_of(s, d->clocks[i].thread)] - against;
            if (fabs((double)d->clocks[i].rate_ppb / 1000 - ppm) > 0.15 * widest)
                return false;
        }
        return d->nclocks > 0;
    }
    if (d->kind == CSY_DIAGNOSIS_STEPPED_CLOCK) {
        bool named = false;
        for (size_t i = 0; i < d->nclocks; i++)
            named = named || clock_of(s, d->clocks[i].thread) == t->odd;
        int64_t step = clock_of(s, d->clocks[0].thread) == t->odd ? t->step : -t->step;
        return named && d->nclocks == (t->clocks == 2 && t->step > 0 ? 2 : d->nclocks) &&
               step_is_within(t, rows, d->record_before, d->record_after) &&
               d->step_least_ticks <= step && step <= d->step_most_ticks;
    }
    if (d->kind == CSY_DIAGNOSIS_BAD_CLOCK && t->cause <= SWITCHED)
        return d->nclocks == 1 && clock_of(s, d->clocks[0].thread) == t->odd;
    return true;
}

#define KIND(k) (1u << CSY_DIAGNOSIS_##k)

/* What is right to say; what is not, but is not wrong; how many per cent must be right, and how
 * many in a thousand may be wrong.  That time goes back within a thread is seen, not guessed. */
static const struct {
    unsigned right, passable;
    int least_right, most_wrong;
} wanted[CAUSES] = {
    [EXACT] = {KIND(NONE), 0, 100, 0},
    [EARLY] = {KIND(EARLY_STAMPS), KIND(UNKNOWN), 60, 20},
    [EARLY_RARE] = {KIND(UNKNOWN) | KIND(EARLY_STAMPS) | KIND(STEPS_BACK), 0, 90, 20},
    [DRIFT] = {KIND(DRIFT), KIND(UNKNOWN), 60, 20},
    [DRIFT_ONE] = {KIND(DRIFT), KIND(UNKNOWN), 55, 20},
    [DRIFT_NOISE] = {KIND(DRIFT), KIND(UNKNOWN), 55, 20},
    [STEP] = {KIND(STEPPED_CLOCK), KIND(UNKNOWN), 90, 20},
    [STEP_TWICE] = {KIND(BAD_CLOCK), KIND(UNKNOWN) | KIND(STEPS_BACK), 80, 20},
    [COARSE] = {KIND(BAD_CLOCK), KIND(UNKNOWN), 90, 20},
    [BAD_WANDER] = {KIND(BAD_CLOCK), KIND(UNKNOWN), 55, 20},
    [WANDER] = {KIND(UNKNOWN), 0, 90, 20},
    [LATE] = {KIND(UNKNOWN), 0, 90, 20},
    [JITTER] = {KIND(UNKNOWN) | KIND(STEPS_BACK), 0, 90, 20},
    [SHUFFLED] = {KIND(UNKNOWN), KIND(EARLY_STAMPS), 90, 20},
    [SWITCHED] = {KIND(UNKNOWN), 0, 90, 20},
    [UNIT] = {KIND(OTHER_UNIT), 0, 100, 0},
    [OTHER_RATE] = {~KIND(OTHER_UNIT), 0, 100, 0},
    [SHORT_LIFE] = {~KIND(OTHER_UNIT), 0, 100, 0},
    [TICKS] = {KIND(DRIFT), KIND(UNKNOWN), 90, 0},
};

START_TEST(test_causes)
{
    static struct row rows[ROWS_MAX];
    enum cause cause = (enum cause)_i;
    int n = trials_of(100), right = 0, wrong = 0, large = 0, kinds[9] = {0}, off = 0, without = 0;
    for (int trial = 0; trial < n; trial++) {
        struct random r =
            random_trial((uint64_t)(cause < SWITCHED ? trial * SWITCHED + _i : (1 << 20) + trial));
        struct truth t = draw_truth(&r, cause);
        size_t count = draw_rows(&r, &t, rows);
        const char *path = folder_file(&folder, "t.csv");
        write_csv(rows, count, path);
        struct solved s = diagnose(path);
        bool counts = cause == EXACT || is_large(&s);
        bool exact = s.d->kind == CSY_DIAGNOSIS_DRIFT && s.d->nclocks == 0;
        bool holds = exact ? is_enough(path, s.d) : figures_hold(&t, rows, &s);
        without += exact;
        if (cause == TICKS && s.d->kind == CSY_DIAGNOSIS_UNKNOWN) /* too few records */
            ck_assert(!strstr(s.d->text, "--drop"));
        unsigned kind = 1u << s.d->kind;
        large += counts;
        kinds[s.d->kind] += counts;
        off += counts && (kind & wanted[cause].right) && !holds;
        right += counts && (kind & wanted[cause].right) && holds;
        wrong += counts && (!(kind & (wanted[cause].right | wanted[cause].passable)) || !holds);
        if (getenv("DIAGNOSIS_RATES") && counts && (!holds || !(kind & wanted[cause].right))) {
            printf("  %s %d (clocks %zu rows %zu gap %g odd %zu step %" PRId64 " at %zu ppm",
                   cause_names[cause], trial, t.clocks, t.rows, t.gap, t.odd, t.step, t.step_row);
            for (size_t c = 0; c < t.clocks; c++)
                printf(" %.0f", t.ppm[c]);
            printf("): %s\n", s.d->text);
        }
        solved_free(&s);
    }
    if (getenv("DIAGNOSIS_RATES"))
        printf("%-12s %3d counted: right %d, wrong %d (figures %d); none %d drift %d early %d step "
               "%d bad %d apart %d unknown %d unit %d\n",
               cause_names[cause], large, right, wrong, off, kinds[0], kinds[1], kinds[2], kinds[3],
               kinds[4], kinds[5], kinds[6], kinds[8]);
    ck_assert(cause != TICKS || n < RATES_FROM || without > 0);
    if (n < RATES_FROM && wanted[cause].most_wrong > 0) /* too few for rates */
        return;
    if (n >= RATES_FROM || cause != TICKS) /* some of it have too few records to tell */
        ck_assert_int_ge(right * 100, wanted[cause].least_right * large);
    ck_assert_int_le(wrong * 1000, wanted[cause].most_wrong * large);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("diagnosis");
    unit_in_folder(tests, &folder);
    tcase_set_timeout(tests, 600);
    tcase_add_loop_test(tests, test_causes, 0, CAUSES);
    return unit_run();
}

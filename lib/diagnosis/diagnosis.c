/* Finds out why timestamps contradict the order of the records. */
#include "diagnosis/diagnosis.h"

#include "base/array.h"
#include "base/error.h"
#include "base/number.h"
#include "clock/threads.h"
#include "diagnosis/suspects.h"
#include "graph/windows.h"
#include "sync/drift/drift.h"
#include "sync/pass.h"
#include "sync/solution.h"

#include <stdlib.h>
#include <string.h>

/* If a clock often has no records for a long time, it may have stopped: its rate is uncertain. */

/* The silences of one clock, which are long times without its records. All members start at 0. */
struct silence {
    uint64_t previous; /* position of the clock's last record in the trace */
    /* number of silences, and their total length, measured in records of the whole trace */
    uint64_t times, total;
};

/* A clock counts as silent if it has at least SILENT_TIMES silences, which together take
 * 1/SILENT_PART of its time. A silence is SILENT_FACTOR times the average distance of the clock's
 * records. */
enum { SILENT_TIMES = 3, SILENT_FACTOR = 8, SILENT_PART = 4 };

/* Test whether timestamps are too early for the places of their records, given the estimated
 * offsets of clocks. See doc/diagnosis.md, Causes. A record is early if at least two records
 * shortly before it in the trace have a later global time. It is late if at least two records
 * shortly after it have an earlier global time. Two records are needed, because if there is only
 * one, either of the two times may be wrong. In a trace with more than two clocks, the two records
 * must have different clocks. The second greatest difference of times tells how early or late the
 * record is. */

enum { STAMPS_NEAR = 8, STAMPS_CLOCKS_MAX = 64, STAMPS_QUARTERS = 4 };

/* Amounts, which tell how early or late records are, are counted in 16 bins per power of two. */
enum { STAMPS_BINS = 16 * 64 };

/* How much earlier (or later) records are than records near them: the two greatest amounts; 0 if
 * there are none. `clock` is the clock of the record with the greatest amount. */
struct stamps_pair {
    int64_t amount[2];
    uint32_t clock;
};

struct stamps_bins {
    uint64_t count, bins[STAMPS_BINS];
    int64_t most;
};

struct stamps {
    size_t clocks;
    uint64_t total; /* number of positions in the trace */
    int64_t greatest;
    bool any;
    struct {
        int64_t g;
        struct stamps_pair early, late;
        uint32_t clock;
    } near[STAMPS_NEAR];
    uint64_t taken;                      /* number of records added so far */
    bool early_clock[STAMPS_CLOCKS_MAX]; /* [c]: true if clock c has an early record */
    /* for all early and all late records: how early or late they are */
    struct stamps_bins early, late;
    /* for each record with a time below the greatest earlier time: the difference of both times */
    struct stamps_bins behind;
    /* number of records in `behind`, for each quarter of the trace */
    uint64_t quarters[STAMPS_QUARTERS];
};

enum { FINE = 16 };

static unsigned bin_of(int64_t amount)
{
    if (amount < FINE)
        return (unsigned)amount;
    unsigned power = 63 - (unsigned)__builtin_clzll((unsigned long long)amount);
    return FINE * (power - 3) + (unsigned)((amount >> (power - 4)) & (FINE - 1));
}

static int64_t bin_most(unsigned bin)
{
    if (bin < FINE)
        return (int64_t)bin;
    unsigned power = bin / FINE + 3;
    uint64_t most = ((uint64_t)(FINE + bin % FINE + 1) << (power - 4)) - 1;
    return most > INT64_MAX ? INT64_MAX : (int64_t)most;
}

static void add_amount(struct stamps_bins *bins, int64_t amount)
{
    bins->count++;
    bins->bins[bin_of(amount)]++;
    bins->most = amount > bins->most ? amount : bins->most;
}

static void count_votes(struct stamps *stamps, size_t at)
{
    if (stamps->near[at].early.amount[1] > 0) {
        add_amount(&stamps->early, stamps->near[at].early.amount[1]);
        stamps->early_clock[stamps->near[at].clock] = true;
    }
    if (stamps->near[at].late.amount[1] > 0)
        add_amount(&stamps->late, stamps->near[at].late.amount[1]);
}

/* Add how much earlier or later a record is than a record of this clock. If the trace has more than
 * two clocks, keep only the greatest amount of each clock. */
static void rank(const struct stamps *stamps, struct stamps_pair *pair, int64_t amount,
                 uint32_t clock)
{
    bool same = stamps->clocks > 2 && pair->amount[0] > 0 && pair->clock == clock;
    if (amount > pair->amount[0]) {
        if (!same)
            pair->amount[1] = pair->amount[0];
        pair->amount[0] = amount;
        pair->clock = clock;
    } else if (!same && amount > pair->amount[1]) {
        pair->amount[1] = amount;
    }
}

/* Returns a limit that `percent` per cent of the amounts do not exceed. The limit may be up to 1/16
 * too high. Returns 0 if there are no amounts. */
static int64_t stamps_quantile(const struct stamps_bins *bins, unsigned percent)
{
    uint64_t passed = 0;
    for (unsigned bin = 0; bin < STAMPS_BINS; bin++) {
        passed += bins->bins[bin];
        if (bins->bins[bin] && (uint128)passed * 100 >= (uint128)bins->count * percent) {
            int64_t most = bin_most(bin);
            return most < bins->most ? most : bins->most;
        }
    }
    return 0;
}

/* Returns how many amounts in the bins exceed `amount`, which stamps_quantile has returned. */
static uint64_t stamps_beyond(const struct stamps_bins *bins, int64_t amount)
{
    uint64_t beyond = 0;
    for (unsigned bin = STAMPS_BINS; bin-- > 0 && bin_most(bin) > amount;)
        beyond += bins->bins[bin];
    return beyond;
}

/* Test whether clocks count in different units, from how much each clock counted between the same
 * positions of the trace. See doc/diagnosis.md, Causes.
 *
 *    records --note_windows--> timestamps around marks --units_find--> powers of ten
 *            --judge_units---> the timestamp error that remains with these powers
 *
 * A mark is a position in the trace. There, a clock showed a time between its last timestamp before
 * the mark and its first one after it. Marks without these two timestamps do not count. */

/* There are UNITS_MARKS marks, with equally many records between them. Different units explain a
 * contradiction if the timestamp error is smaller by a factor of UNITS_FACTOR when the units are
 * converted. */
enum { UNITS_MARKS = 64, UNITS_FACTOR = 8 };

/* before[m][c] and after[m][c] are the timestamps of clock c next to mark m, in ticks. They are
 * INT64_MIN if the clock has no timestamp there. */
struct units {
    size_t n; /* number of clocks, at most WINDOWS_CLOCKS_MAX */
    uint64_t total;
    size_t passed;
    size_t served[WINDOWS_CLOCKS_MAX];
    int64_t latest[WINDOWS_CLOCKS_MAX];
    int64_t before[UNITS_MARKS][WINDOWS_CLOCKS_MAX];
    int64_t after[UNITS_MARKS][WINDOWS_CLOCKS_MAX];
};

/* Clock c counts 10^power[c] ticks while the clock `against` counts one. power[c] is also 0 if this
 * is not known. */
struct units_found {
    size_t against;
    int power[WINDOWS_CLOCKS_MAX];
};

/* Two clocks count in different units if the ratio of their ticks is a power of ten, except for an
 * error of 1/NEAR. This must hold in each of PARTS parts of the trace, because a ratio may also
 * change if a clock was set. The ratio is unknown if its upper limit exceeds OPEN times its lower
 * limit. */
enum { PARTS = 3, NEAR = 20, OPEN = 2 };

/* Ratios of usual units of time, or of usual frequencies of counters, as exponents of ten. */
static const int powers[] = {0, 1, 2, 3, 6, 9};

#define POWERS (sizeof powers / sizeof *powers)

/* Results of power_between if the ratio is no power of ten, or is unknown. */
enum { OTHER = 100, UNKNOWN };

/* Limit for absolute values of times, after they were converted to one unit for all clocks. */
#define X_LIMIT ((int128)1 << 58)

/* Limits of how many ticks a clock counted between two positions of the trace. */
struct span {
    int128 least, most;
};

static struct span span_of(const struct units *units, size_t c, size_t from, size_t to)
{
    /* Timestamps are whole ticks: the true count differs by less than 1 from their difference. */
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

/* Two clocks counted a and b ticks in the same time. Returns true if a can be 10^power times b,
 * except for an error of 1/NEAR. */
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

/* Returns p if clock a counts 10^p ticks while clock b counts one; otherwise OTHER or UNKNOWN. */
static int power_between(const struct units *units, size_t a, size_t b)
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
    if (whole_a.least <= 0 || whole_b.least <= 0 ||
        whole_a.most * whole_b.most > OPEN * whole_a.least * whole_b.least)
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

/* Returns true if some clocks count in another unit than most clocks. O(n^2) for n clocks. */
static bool units_find(const struct units *units, struct units_found *out)
{
    size_t most = 0, alike = 1, others = 0, named = 0;
    *out = (struct units_found){.against = 0};
    for (size_t c = 0; c < units->n; c++) {
        size_t same = 0;
        for (size_t b = 0; b < units->n; b++)
            same += b != c && power_between(units, c, b) == 0;
        if (same > most) {
            most = same;
            out->against = c;
        }
    }
    for (size_t c = 0; c < units->n; c++) {
        if (c == out->against)
            continue;
        int power = power_between(units, c, out->against);
        alike += power == 0;
        others += power == OTHER;
        if (power == 0 || power == OTHER || power == UNKNOWN)
            continue;
        out->power[c] = power;
        named++;
    }
    return named > 0 && named + others <= alike;
}

/* --- The diagnosis ------------------------------------------------------------------------- */

enum { BILLION = 1000000000 };

/* Timestamps are reported as early only if at least VOTES_MIN records are early, and VOTES_FACTOR
 * times as many as are late. */
enum {
    VOTES_MIN = 6,
    VOTES_WANTED = 16,
    VOTES_FEW = 12,
    VOTES_FACTOR = 4,
    CLOCKS_TRIED = 4,
    STRETCHES_MIN = 4
};

#define WRAP_LIMIT ((int64_t)1 << 32)

struct examination {
    struct csy_trace *trace;
    struct csy_sync *sync;
    csy_diagnosis *d;
    struct diagnosis_words words;
    size_t n;
    /* for each thread: the number of its clock among the n examined clocks, or WINDOWS_ABSENT */
    uint32_t *clock;
    uint32_t *thread; /* for each examined clock: its thread */
    size_t anchor;
    struct windows windows;
    struct suspects suspects;
    struct stamps stamps;
    struct units units;
    int64_t g[WINDOWS_CLOCKS_MAX];
    bool known[WINDOWS_CLOCKS_MAX];
    csy_diagnosed_clock clocks[WINDOWS_CLOCKS_MAX];
    struct silence silence[WINDOWS_CLOCKS_MAX];
    struct line line;
    size_t window;
    int64_t *last;  /* for each of the n examined clocks: its latest local time */
    bool within_32; /* true if all timestamps are from 0 to 2^32 - 1 */
    struct drift_trial *trial;
    bool tried; /* true if `trial` was made, or could not be made */
    /* twice the timestamp error of a solution with rates up to d->enough_drift_ppb */
    int64_t enough_ticks;
};

static csy_status pass(const struct examination *g,
                       csy_status (*observe)(void *, const struct event *, csy_error *), void *user,
                       csy_error *error)
{
    struct taker taker = {.observe = observe, .observer = user};
    struct progress progress = g->trace->progress;
    progress.stage = "diagnosing";
    return pass_again(g->trace, &g->sync->survey, NO_THREAD, &taker, &progress, error);
}

/* Find the least limit of rates such that twice the timestamp error is at most added_ticks.
 * enough_drift_ppb becomes this limit, or 0 if no limit up to most_ppb is enough. */
static csy_status find_enough(struct examination *g, int64_t added_ticks, int64_t most_ppb,
                              csy_error *error)
{
    csy_status status = g->tried ? CSY_OK : drift_trial_new(g->sync, &g->trial, error);
    g->tried = true;
    g->d->enough_drift_ppb = 0;
    g->enough_ticks = added_ticks;
    return status || !g->trial ? status
                               : drift_trial_enough(g->trial, added_ticks, most_ppb,
                                                    &g->d->enough_drift_ppb, error);
}

/* --- Choice of clocks --- */

static void take_clock(struct examination *g, size_t thread)
{
    if (g->n == WINDOWS_CLOCKS_MAX || g->clock[thread] != WINDOWS_ABSENT)
        return;
    g->clock[thread] = (uint32_t)g->n;
    g->thread[g->n++] = (uint32_t)thread;
}

struct busy {
    uint64_t records;
    size_t thread;
};

static int by_records(const void *left, const void *right)
{
    const struct busy *a = left, *b = right;
    return a->records != b->records ? (a->records < b->records) - (a->records > b->records)
                                    : (a->thread > b->thread) - (a->thread < b->thread);
}

/* Choose the clocks to examine: the reference, the clocks of the contradictory cycle, and the
 * clocks with the most records. */
static csy_status choose_clocks(struct examination *g, csy_error *error)
{
    const struct csy_sync *sync = g->sync;
    size_t n = sync->survey.threads.count;
    struct busy *busy = malloc(n * sizeof *busy);
    g->clock = malloc(n * sizeof *g->clock);
    g->thread = malloc(WINDOWS_CLOCKS_MAX * sizeof *g->thread);
    g->last = malloc(WINDOWS_CLOCKS_MAX * sizeof *g->last);
    if (!busy || !g->clock || !g->thread || !g->last) {
        free(busy);
        return error_memory(error);
    }
    for (size_t t = 0; t < n; t++) {
        g->clock[t] = WINDOWS_ABSENT;
        busy[t] = (struct busy){sync->views[t].records, t};
    }
    qsort(busy, n, sizeof *busy, by_records);
    take_clock(g, sync->reference);
    for (size_t i = 0; i < sync->witness.length; i++)
        take_clock(g, sync->witness.edges[i].s);
    for (size_t i = 0; i < n; i++)
        take_clock(g, busy[i].thread);
    free(busy);
    for (size_t c = 0; c < g->n; c++)
        g->last[c] = INT64_MIN;
    return CSY_OK;
}

static bool is_silent(const struct examination *g, size_t c)
{
    const struct thread *thread = &g->sync->survey.threads.items[g->thread[c]];
    return g->silence[c].times >= SILENT_TIMES &&
           SILENT_PART * g->silence[c].total >= thread->last_record - thread->first_record;
}

static csy_status note_windows(void *user, const struct event *event, csy_error *error)
{
    struct examination *g = user;
    uint32_t c = g->clock[event->thread];
    int64_t local = event->local_ticks;
    if (c == WINDOWS_ABSENT)
        return CSY_OK;
    const struct thread *thread = &g->sync->survey.threads.items[g->thread[c]];
    struct silence *silence = &g->silence[c];
    if (g->last[c] > local && (int128)g->last[c] - local > WRAP_LIMIT / 2 &&
        g->words.doubt == DOUBT_NONE) {
        g->words.doubt = DOUBT_WRAPPED;
        g->words.wrapped = event->thread;
    }
    g->last[c] = local;
    uint64_t gap = event->position - silence->previous;
    uint128 span = thread->last_record - thread->first_record;
    if (event->position > thread->first_record &&
        (uint128)gap * g->sync->views[g->thread[c]].records > SILENT_FACTOR * span) {
        silence->times++;
        silence->total += gap;
    }
    silence->previous = event->position;
    struct units *units = &g->units;
    for (; units->passed < UNITS_MARKS && (uint128)event->position * (UNITS_MARKS + 1) >=
                                              (uint128)units->total * (units->passed + 1);
         units->passed++)
        for (size_t i = 0; i < units->n; i++)
            units->before[units->passed][i] = units->latest[i];
    for (; units->served[c] < units->passed; units->served[c]++)
        units->after[units->served[c]][c] = local;
    units->latest[c] = local;
    g->within_32 = g->within_32 && local >= 0 && local < WRAP_LIMIT;
    size_t window = windows_at(&g->windows, event->position);
    if (window != g->window)
        line_restart(&g->line);
    g->window = window;
    struct point point = {event->position, event->place, c, local,
                          rebase_x(&g->sync->survey.rough, event->thread, local)};
    return line_event(&g->line, &point, error);
}

/* --- Causes --- */

static csy_fraction half(csy_fraction twice)
{
    return twice.num % 2 == 0 ? (csy_fraction){twice.num / 2, twice.den}
                              : (csy_fraction){twice.num, 2 * twice.den};
}

static void name_clock(struct examination *g, size_t clock, int64_t rate_ppb)
{
    g->clocks[g->d->nclocks++] = (csy_diagnosed_clock){g->thread[clock], rate_ppb};
}

/* Find the clock that was set once, or two clocks if only one of them was set, but either may be
 * the one. *left becomes twice the timestamp error that remains if the clock is treated as two
 * clocks, one before and one after it was set. */
static bool find_step(struct examination *g, csy_fraction *left)
{
    const struct joint_cycle *cycle = &g->suspects.cycle;
    const csy_fraction whole = g->suspects.twice;
    struct suspect_step step, best = {0};
    size_t found[CLOCKS_TRIED], n = 0;
    for (size_t i = 0; i < cycle->length && i < CLOCKS_TRIED; i++) {
        suspects_step(&g->suspects, cycle->vertices[i], &step);
        /* Accept a step (a clock was set) only if it explains most of the contradiction, and if its
         * size is known well and at least the timestamp error. */
        int128 least = step.least > 0 ? step.least : step.most < 0 ? -(int128)step.most : 0;
        if (!step.bounded || !suspects_explains(step.left, whole, SUSPECT_STEP_FACTOR) ||
            least * whole.den < whole.num / 2 || 4 * ((int128)step.most - step.least) > least ||
            suspects_explains(step.near, whole, 2))
            continue;
        bool better = n == 0 || (suspects_explains(step.left, best.left, 4) && best.left.num > 0);
        bool worse = n > 0 && suspects_explains(best.left, step.left, 4) && step.left.num > 0;
        if (worse)
            continue;
        n = better ? 0 : n;
        best = n == 0 ? step : best;
        found[n++] = cycle->vertices[i];
    }
    if (n == 0 || n > 2)
        return false;
    *left = best.left;
    for (size_t i = 0; i < n; i++)
        name_clock(g, found[i], 0);
    g->d->record_before = windows_begin(&g->windows, best.first);
    g->d->record_before -= g->d->record_before > 0;
    g->d->record_after = windows_begin(&g->windows, best.last);
    g->d->record_after -= g->d->record_after == g->windows.total;
    g->d->step_least_ticks = best.least;
    g->d->step_most_ticks = best.most;
    return true;
}

static void forget_step(struct examination *g)
{
    g->d->record_before = g->d->record_after = 0;
    g->d->step_least_ticks = g->d->step_most_ticks = 0;
}

static csy_status find_drift(struct examination *g, csy_fraction *left, bool *found,
                             csy_error *error)
{
    int64_t rate[WINDOWS_CLOCKS_MAX], unsure[WINDOWS_CLOCKS_MAX];
    int64_t *shift = malloc(g->windows.count * g->n * sizeof *shift);
    if (!shift)
        return error_memory(error);
    *left = suspects_drift(&g->suspects, shift, rate, unsure);
    free(shift);
    int128 span = suspects_span(&g->suspects);
    csy_fraction twice = g->suspects.twice;
    *found = false;
    if (!suspects_explains(*left, twice, SUSPECT_DRIFT_FACTOR))
        return CSY_OK;
    /* Name each clock with a rate that changes its offset, from the begin to the end of the trace,
     * by at least the timestamp error and by at least four times the error of the offset. */
    for (size_t c = 0; c < g->n; c++) {
        int128 by = rate[c] * span / 1000000000000;
        by = by < 0 ? -by : by;
        if (2 * by * twice.den >= twice.num && by >= 4 * (int128)unsure[c])
            name_clock(g, c, (rate[c] + (rate[c] < 0 ? -500 : 500)) / 1000);
    }
    g->d->against = g->thread[g->anchor];
    *found = g->d->nclocks > 0;
    return CSY_OK;
}

/* Find the one clock that causes nearly the whole contradiction, and not only in a few parts of the
 * trace. Returns false if there is no such clock, or more than one. *left becomes twice the
 * timestamp error without the clock. */
static bool find_bad(struct examination *g, csy_fraction *left)
{
    const struct joint_cycle *cycle = &g->suspects.cycle;
    size_t found = 0;
    for (size_t i = 0; g->n >= 3 && i < cycle->length && i < CLOCKS_TRIED; i++) {
        bool lasting;
        csy_fraction less = suspects_without(&g->suspects, cycle->vertices[i], &lasting);
        if (!suspects_explains(less, g->suspects.twice, SUSPECT_BAD_FACTOR))
            continue;
        if (found++ == 0 && lasting) {
            *left = less;
            name_clock(g, cycle->vertices[i], 0);
        }
    }
    if (found == 1 && g->d->nclocks == 1)
        return true;
    g->d->nclocks = 0;
    return false;
}

static csy_status note_stamps(void *user, const struct event *event, csy_error *error)
{
    struct examination *g = user;
    struct stamps *stamps = &g->stamps;
    uint32_t clock = g->clock[event->thread];
    (void)error;
    if (clock == WINDOWS_ABSENT || !g->known[clock])
        return CSY_OK;
    int64_t time =
        rebase_x(&g->sync->survey.rough, event->thread, event->local_ticks) + g->g[clock];
    size_t known = stamps->taken < STAMPS_NEAR ? (size_t)stamps->taken : STAMPS_NEAR;
    size_t at = (size_t)(stamps->taken % STAMPS_NEAR);
    struct stamps_pair early = {0};
    for (size_t i = 0; i < known; i++) {
        int64_t by = stamps->near[i].g - time;
        if (by <= 0)
            continue;
        rank(stamps, &early, by, stamps->near[i].clock);
        rank(stamps, &stamps->near[i].late, by, clock);
    }
    if (known == STAMPS_NEAR)
        count_votes(stamps, at);
    stamps->near[at].g = time;
    stamps->near[at].clock = clock;
    stamps->near[at].early = early;
    stamps->near[at].late = (struct stamps_pair){0};
    stamps->taken++;
    if (stamps->any && time < stamps->greatest) {
        add_amount(&stamps->behind, stamps->greatest - time);
        stamps->quarters[(size_t)((uint128)event->position * STAMPS_QUARTERS / stamps->total)]++;
    }
    if (!stamps->any || time > stamps->greatest)
        stamps->greatest = time;
    stamps->any = true;
    return CSY_OK;
}

/* Find clocks with early timestamps. Exact timestamps also look a little early or late, because the
 * estimated offsets of clocks are slightly wrong. Therefore, only the greatest amounts count. */
static csy_status judge_stamps(struct examination *g, csy_error *error)
{
    const struct stamps *stamps = &g->stamps;
    csy_status status = suspects_offsets(&g->suspects, g->g, g->known, error);
    g->stamps = (struct stamps){.clocks = g->n, .total = g->windows.total};
    if (!status)
        status = pass(g, note_stamps, g, error);
    if (status)
        return status;
    for (size_t i = 0; i < STAMPS_NEAR && i < stamps->taken; i++)
        count_votes(&g->stamps, i);
    /* Early timestamps must explain the timestamp error, and occur on several clocks and in all
     * parts of the trace. */
    size_t clocks = 0, quarters = 0;
    for (size_t c = 0; c < g->n; c++)
        clocks += stamps->early_clock[c];
    for (size_t q = 0; q < STAMPS_QUARTERS; q++)
        quarters += stamps->quarters[q] > 0;
    const csy_fraction whole = g->suspects.twice;
    bool all_over = clocks >= 2 && quarters == STAMPS_QUARTERS &&
                    (int128)stamps->behind.most * whole.den >= whole.num &&
                    g->suspects.contradicting >= STRETCHES_MIN &&
                    !suspects_explains(g->suspects.most_alone, whole, 4);
    const struct stamps_bins *more =
        stamps->early.count > stamps->late.count ? &stamps->early : &stamps->late;
    uint64_t wanted = more->count / 20 > VOTES_WANTED ? more->count / 20 : VOTES_WANTED;
    unsigned percent = more->count > 2 * wanted ? 100 - (unsigned)(100 * wanted / more->count) : 50;
    int64_t limit = stamps_quantile(more, percent);
    uint64_t early = stamps_beyond(&stamps->early, limit);
    uint64_t late = stamps_beyond(&stamps->late, limit);
    bool enough = early + late >= VOTES_MIN;
    bool many = early >= VOTES_FEW && early >= VOTES_FACTOR * late;
    /* A few early records can be a coincidence. They are accepted only if at most half as many
     * records are late, and if VOTES_MIN records are early by more than any record is late. */
    bool alone = stamps->early.count >= 2 * stamps->late.count &&
                 stamps_beyond(&stamps->early, stamps->late.most) >= VOTES_MIN;
    if ((alone || many) && all_over) {
        g->d->kind = CSY_DIAGNOSIS_EARLY_STAMPS;
        g->d->early_records = stamps->behind.count;
        g->d->early_median_ticks = stamps_quantile(&stamps->behind, 50);
        g->d->early_90_ticks = stamps_quantile(&stamps->behind, 90);
        g->d->early_max_ticks = stamps->behind.most;
        return CSY_OK;
    }
    g->words.doubt = !enough || early >= VOTES_FACTOR * late    ? DOUBT_MIXED
                     : late > 0 && late >= VOTES_FACTOR * early ? DOUBT_LATE
                                                                : DOUBT_BOTH_WAYS;
    return CSY_OK;
}

/* A copy of the clocks that a diagnosis names. */
struct named {
    size_t n;
    csy_diagnosed_clock clocks[WINDOWS_CLOCKS_MAX];
};

static struct named put_aside(struct examination *g)
{
    struct named named = {.n = g->d->nclocks};
    memcpy(named.clocks, g->clocks, sizeof named.clocks);
    g->d->nclocks = 0;
    return named;
}

static void settle_on(struct examination *g, csy_diagnosis_kind kind, csy_fraction left,
                      const struct named *named)
{
    g->d->kind = kind;
    g->d->left_delta = half(left);
    g->d->nclocks = named->n;
    memcpy(g->clocks, named->clocks, sizeof named->clocks);
}

/* A clock that stops while it has no records looks like a clock with another rate. So remove the
 * clocks that have long silences from the drifting ones. Returns false if at most half of them
 * remain. */
static bool rates_are_sure(struct examination *g, struct named *drifting)
{
    size_t kept = 0, n = drifting->n;
    const csy_diagnosed_clock first = drifting->clocks[0];
    bool anchor = is_silent(g, g->anchor);
    for (size_t i = 0; i < n; i++)
        if (!anchor && !is_silent(g, g->clock[drifting->clocks[i].thread]))
            drifting->clocks[kept++] = drifting->clocks[i];
    drifting->n = kept;
    if (2 * kept > n)
        return true;
    g->words.doubt = DOUBT_SILENT;
    g->words.looks_like = first;
    g->words.against = g->d->against;
    g->d->against = 0;
    return false;
}

/* Test whether rates within CRYSTAL_PPB leave only the error of whole ticks. Unlike estimated
 * rates, this test is exact, but it does not show which clock drifts. */
static csy_status find_crystals(struct examination *g, bool *found, csy_error *error)
{
    size_t silent = 0;
    csy_status status = CSY_OK;
    *found = false;
    for (size_t c = 0; c < g->n; c++)
        silent += is_silent(g, c);
    if (!g->sync->tracks)
        return CSY_OK;
    g->words.rates_untried =
        2 * silent >= g->n || g->sync->survey.records > DRIFT_TRIAL_RECORDS_MAX;
    if (g->words.rates_untried)
        return CSY_OK;
    for (int64_t added = solution_least_twice(g->sync); added <= 1 && !*found && !status; added++) {
        status = find_enough(g, added, CRYSTAL_PPB, error);
        *found = !status && g->d->enough_drift_ppb > 0;
        g->d->left_delta = *found ? half((csy_fraction){added, 1}) : g->d->left_delta;
    }
    return status;
}

static void settle_on_crystals(struct examination *g)
{
    g->d->kind = CSY_DIAGNOSIS_DRIFT;
    g->d->against = g->sync->reference;
}

static csy_status judge_causes(struct examination *g, csy_error *error)
{
    csy_fraction step_left = {0, 1}, drift_left = {0, 1};
    bool drift, step = find_step(g, &step_left);
    struct named stepped = put_aside(g);
    csy_status status = find_drift(g, &drift_left, &drift, error);
    struct named drifting = put_aside(g);
    if (status)
        return status;
    if (step && drift) {
        step = suspects_explains(step_left, drift_left, 4) && drift_left.num > 0;
        drift = suspects_explains(drift_left, step_left, 4) && step_left.num > 0;
        if (!step && !drift) {
            forget_step(g);
            g->words.doubt = DOUBT_MIXED;
            status = find_crystals(g, &drift, error);
            if (drift)
                settle_on_crystals(g);
            return status;
        }
    }
    if (step) {
        settle_on(g, CSY_DIAGNOSIS_STEPPED_CLOCK, step_left, &stepped);
        return CSY_OK;
    }
    forget_step(g);
    if (drift) {
        if (!rates_are_sure(g, &drifting))
            return CSY_OK;
        settle_on(g, CSY_DIAGNOSIS_DRIFT, drift_left, &drifting);
        return find_enough(g, solution_least_twice(g->sync), INT64_MAX, error);
    }
    /* Neither a clock that was set nor estimated rates explain the contradiction. */
    csy_fraction bad_left = {0, 1};
    bool crystals = false;
    status = find_crystals(g, &crystals, error);
    /* Reports suggest a limit 50 % above enough_drift_ppb. This limit must be usual for
     * crystals. */
    bool usual = crystals && (int64_t)2 * CRYSTAL_PPB >= 3 * g->d->enough_drift_ppb;
    if (status)
        return status;
    /* If rates explain half of the contradiction, no clock is called bad. */
    bool uneven = !suspects_explains(drift_left, g->suspects.twice, 2);
    if (!usual && uneven && find_bad(g, &bad_left)) {
        g->d->enough_drift_ppb = 0;
        g->d->kind = CSY_DIAGNOSIS_BAD_CLOCK;
        g->d->left_delta = half(bad_left);
        return CSY_OK;
    }
    if (!crystals)
        return judge_stamps(g, error);
    settle_on_crystals(g);
    return CSY_OK;
}

struct units_pass {
    const struct examination *g;
    const struct units_found *found;
    struct windows windows;
    struct line line;
    size_t window;
    bool too_large;
};

static csy_status note_leaving(void *user, const struct event *event, csy_error *error)
{
    struct units_pass *u = user;
    uint32_t c = u->g->clock[event->thread];
    if (c == WINDOWS_ABSENT || u->too_large)
        return CSY_OK;
    int power = u->found->power[c];
    int128 x =
        (int128)event->local_ticks - u->g->sync->survey.threads.items[event->thread].first_ticks;
    x = power < 0 ? x * ten_to(-power) : floor_div(x, ten_to(power));
    if (x <= -X_LIMIT || x >= X_LIMIT) {
        u->too_large = true;
        return CSY_OK;
    }
    size_t window = windows_at(&u->windows, event->position);
    if (window != u->window)
        line_restart(&u->line);
    u->window = window;
    struct point point = {event->position, event->place, c, event->local_ticks, (int64_t)x};
    return line_event(&u->line, &point, error);
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

/* If the contradiction arises because some clocks count in another unit, name these clocks. One
 * more pass over the trace finds how much of the timestamp error remains with the right units. */
static csy_status judge_units(struct examination *g, csy_error *error)
{
    struct units_found found;
    struct units_pass u = {.g = g, .found = &found};
    csy_fraction whole, left;
    if (!units_find(&g->units, &found))
        return CSY_OK;
    csy_status status = twice_of(&g->windows, &whole, error);
    if (!status)
        status = windows_init(&u.windows, g->n, g->windows.count, g->windows.total, error);
    if (status)
        return status;
    struct sink sink = windows_sink(&u.windows);
    line_init(&u.line, &sink, LINE_ALL, 0);
    status = pass(g, note_leaving, &u, error);
    left = whole; /* if a time exceeds X_LIMIT, the whole timestamp error counts as remaining */
    if (!status && !u.too_large)
        status = twice_of(&u.windows, &left, error);
    line_fini(&u.line);
    windows_fini(&u.windows);
    if (status || !suspects_explains(left, whole, UNITS_FACTOR))
        return status;
    for (size_t c = 0; c < g->n; c++) {
        int power = found.power[c];
        int128 rate = power < 0 ? BILLION / ten_to(-power) : BILLION * ten_to(power);
        if (power != 0)
            name_clock(g, c, (int64_t)(rate - BILLION));
    }
    g->d->kind = CSY_DIAGNOSIS_OTHER_UNIT;
    g->d->against = g->thread[found.against];
    g->d->clocks_looked_at = g->n;
    g->d->delta = half(whole);
    g->d->left_delta = half(left);
    return CSY_OK;
}

static csy_status judge_records(struct examination *g, csy_error *error)
{
    const struct csy_sync *sync = g->sync;
    csy_status status = choose_clocks(g, error);
    if (status)
        return status;
    g->d->kind = CSY_DIAGNOSIS_UNKNOWN;
    size_t count = windows_fit(g->n, sync->survey.records);
    bool tiny = g->n < 2 || count < SUSPECT_GROUPS;
    status = windows_init(&g->windows, g->n, tiny ? 1 : count, sync->survey.records, error);
    struct sink sink = windows_sink(&g->windows);
    line_init(&g->line, &sink, LINE_ALL, 0);
    struct units *units = &g->units;
    units->n = g->n;
    units->total = sync->survey.records;
    for (size_t c = 0; c < g->n; c++) {
        units->latest[c] = INT64_MIN;
        for (size_t m = 0; m < UNITS_MARKS; m++)
            units->before[m][c] = units->after[m][c] = INT64_MIN;
    }
    if (!status)
        status = pass(g, note_windows, g, error);
    g->words.doubt = g->within_32 && sync->tracks ? g->words.doubt : DOUBT_NONE;
    if (!status && g->words.doubt == DOUBT_NONE)
        status = judge_units(g, error);
    if (status || g->d->kind == CSY_DIAGNOSIS_OTHER_UNIT)
        return status;
    if (tiny && g->words.doubt == DOUBT_NONE)
        g->words.doubt = DOUBT_TINY;
    if (g->words.doubt != DOUBT_NONE)
        return CSY_OK;
    /* Other clocks are compared with the anchor, the clock with records in the most windows (parts
     * of the trace). */
    const struct windows *windows = &g->windows;
    for (size_t c = 0, most = 0; c < windows->n; c++) {
        size_t there = 0;
        for (size_t w = 0; w < windows->count; w++)
            there += windows->low[w * windows->n + c] <= windows->high[w * windows->n + c];
        g->anchor = there > most ? c : g->anchor;
        most = there > most ? there : most;
    }
    status = suspects_init(&g->suspects, &g->windows, g->anchor, error);
    if (status)
        return status;
    g->d->clocks_looked_at = g->n;
    g->d->windows = count;
    g->d->contradicting = g->suspects.contradicting;
    g->d->delta = half(g->suspects.twice);
    if (g->suspects.twice.num <= g->suspects.twice.den) {
        g->words.doubt = DOUBT_ELSEWHERE;
        return CSY_OK;
    }
    return judge_causes(g, error);
}

/* If no cause was found, but time steps back in a thread by two times delta, name both records. */
static void judge_witness(struct examination *g)
{
    enum diagnosis_doubt doubt = g->words.doubt;
    const csy_witness *witness = &g->sync->witness;
    const csy_witness_edge *edge = witness->edges;
    bool none = doubt == DOUBT_TINY || doubt == DOUBT_PARTIAL || doubt == DOUBT_ELSEWHERE ||
                doubt == DOUBT_MIXED;
    if (g->d->kind != CSY_DIAGNOSIS_UNKNOWN || !none || !diagnosis_goes_back(g->sync))
        return;
    g->d->kind = CSY_DIAGNOSIS_STEPS_BACK;
    g->d->record_before = edge->record_s;
    g->d->record_after = edge->record_t;
    g->d->step_least_ticks = g->d->step_most_ticks = witness->weight_ticks;
    g->clocks[g->d->nclocks++] = (csy_diagnosed_clock){.thread = edge->s};
}

static csy_status note_begin(void *observer, const struct event *event, csy_error *error)
{
    struct set_clock *set = observer;
    (void)error;
    for (size_t i = 0; i < set->count; i++)
        set->at[i].begins |= set->at[i].clock == event->thread && event->stamp.interval;
    return CSY_OK;
}

/* Judge a trace in partial order. If rates that NTP can cause explain the contradiction, do not
 * look for clocks that were set. */
static csy_status judge_partial(struct examination *g, csy_error *error)
{
    g->d->kind = CSY_DIAGNOSIS_UNKNOWN;
    g->words.doubt = DOUBT_PARTIAL;
    csy_status status = find_enough(g, solution_least_twice(g->sync), INT64_MAX, error);
    bool rates = g->d->enough_drift_ppb > 0 && g->d->enough_drift_ppb <= STEERED_PPB;
    if (status || rates || !g->trial)
        return status;
    status = set_clock_find(g->sync, g->trial, CRYSTAL_PPB, SIZE_MAX, &g->words.set, error);
    if (!status && g->words.set.count > 0) {
        struct progress progress = g->trace->progress;
        progress.stage = "diagnosing";
        struct taker taker = {.observe = note_begin, .observer = &g->words.set};
        status = pass_again(g->trace, &g->sync->survey, NO_THREAD, &taker, &progress, error);
    }
    /* If clocks seem to have been set twice, overlapping spans of one thread may be the real
     * cause. */
    bool overlap = false;
    if (!status && g->words.set.together > 1 && diagnosis_goes_back(g->sync))
        status = diagnosis_overlaps(g->sync, g->sync->witness.edges->s, &overlap, error);
    /* Report the clocks that were set, unless wrong timestamps, at most as many, also explain the
     * contradiction. */
    const struct set_clock *set = &g->words.set;
    if (status || overlap || set->count == 0 || (set->nbad > 0 && set->nbad <= set->together))
        return status;
    g->d->kind = CSY_DIAGNOSIS_STEPPED_CLOCK;
    g->d->record_before = set->at->record_before;
    g->d->record_after = set->at->record_after;
    g->d->step_least_ticks = set->at->least_ticks;
    g->d->step_most_ticks = set->at->most_ticks;
    g->d->delta = half((csy_fraction){set->twice, 1});
    g->d->left_delta = half((csy_fraction){set->left, 1});
    for (size_t i = 0; i < set->count; i++) {
        bool named = false;
        for (size_t k = 0; k < i; k++)
            named |= set->at[k].clock == set->at[i].clock;
        if (!named)
            g->clocks[g->d->nclocks++] = (csy_diagnosed_clock){.thread = set->at[i].clock};
    }
    return CSY_OK;
}

static csy_status judge_cause(struct examination *g, csy_error *error)
{
    const csy_imprecision *imprecision = &g->sync->imprecision;
    if (g->sync->order.sorted != CSY_SORTED_NOT) {
        g->d->kind = CSY_DIAGNOSIS_NOT_INTERLEAVED;
        return CSY_OK;
    }
    if (g->sync->method != CSY_METHOD_BHH) {
        g->d->kind = CSY_DIAGNOSIS_UNKNOWN;
        g->words.doubt = DOUBT_METHOD;
        return CSY_OK;
    }
    bool large = (int128)2 * imprecision->delta.num > imprecision->delta.den;
    if (g->sync->partial && imprecision->conditional && large)
        return judge_partial(g, error);
    csy_status status = imprecision->conditional && large ? judge_records(g, error) : CSY_OK;
    bool unseen = g->words.doubt == DOUBT_TINY || g->words.doubt == DOUBT_ELSEWHERE;
    if (status || g->d->kind != CSY_DIAGNOSIS_UNKNOWN || !unseen || !g->sync->tracks)
        return status;
    return find_enough(g, solution_least_twice(g->sync), CRYSTAL_PPB, error);
}

/* Fill diagnosis->explanations: a table of possible explanations if the timestamp error was
 * estimated, otherwise empty. */
static csy_status explain(struct examination *g, struct diagnosis *diagnosis, csy_error *error)
{
    const csy_imprecision *imprecision = &g->sync->imprecision;
    struct explanations found = {0};
    csy_diagnosis_kind kind = g->d->kind;
    bool large = (int128)2 * imprecision->delta.num > imprecision->delta.den;
    bool other =
        g->words.set.nbad > 0 || (kind != CSY_DIAGNOSIS_UNKNOWN && kind != CSY_DIAGNOSIS_DRIFT);
    int64_t said = g->d->enough_drift_ppb, enough = said, ticks = g->enough_ticks;
    bool one_machine = !g->sync->tracks && !g->sync->partial;
    bool needed =
        g->sync->method == CSY_METHOD_BHH && imprecision->conditional && large && !one_machine;
    csy_status status = CSY_OK;
    if (needed && enough == 0) {
        ticks = solution_least_twice(g->sync);
        status = find_enough(g, ticks, INT64_MAX, error);
        enough = g->d->enough_drift_ppb;
        g->d->enough_drift_ppb = said;
    }
    if (needed && !status)
        status = explanations_find(g->sync, g->trial, other, enough, ticks, &found, error);
    if (status)
        return status;
    size_t n = found.count;
    diagnosis->explanations = malloc((n + 1) * sizeof *diagnosis->explanations);
    diagnosis->options = malloc((n + 1) * OPTIONS_TEXT_MAX);
    if (!diagnosis->explanations || !diagnosis->options)
        return error_memory(error);
    for (size_t i = 0; i < n; i++) {
        char *options = diagnosis->options + i * OPTIONS_TEXT_MAX;
        memcpy(options, found.options[i], OPTIONS_TEXT_MAX);
        diagnosis->explanations[i] = found.items[i];
        diagnosis->explanations[i].options = *options ? options : NULL;
    }
    diagnosis->view.fits_untried = found.untried && n > 0;
    diagnosis->view.nfits = n;
    diagnosis->view.fits = diagnosis->explanations;
    return CSY_OK;
}

csy_status csy_sync_diagnose(csy_sync *sync, const csy_diagnosis **out, csy_error *error)
{
    struct csy_trace *trace = sync->trace;
    csy_status status = solution_check_feasible(sync, error);
    if (status)
        return status;
    if (!sync->diagnosis) {
        struct diagnosis *diagnosis = calloc(1, sizeof *diagnosis);
        struct examination *g = calloc(1, sizeof *g);
        status = diagnosis && g ? CSY_OK : error_memory(error);
        if (!status) {
            g->trace = trace;
            g->sync = sync;
            g->d = &diagnosis->view;
            g->within_32 = true;
            g->d->delta = g->d->left_delta = (csy_fraction){0, 1};
            status = judge_cause(g, error);
            judge_witness(g);
        }
        if (!status && g->d->kind == CSY_DIAGNOSIS_STEPS_BACK)
            status = diagnosis_overlaps(sync, g->clocks[0].thread, &g->words.overlap, error);
        if (!status && g->d->kind == CSY_DIAGNOSIS_UNKNOWN && g->words.doubt == DOUBT_PARTIAL)
            status = diagnosis_wraps(sync, &g->words.wraps, error);
        if (!status)
            status = explain(g, diagnosis, error);
        size_t n = status ? 0 : diagnosis->view.nclocks;
        if (!status && !(diagnosis->clocks = malloc((n + 1) * sizeof *diagnosis->clocks)))
            status = error_memory(error);
        if (!status) {
            memcpy(diagnosis->clocks, g->clocks, n * sizeof *diagnosis->clocks);
            diagnosis->view.clocks = diagnosis->clocks;
            diagnosis->text = diagnosis_describe(trace, sync, &diagnosis->view, &g->words);
            diagnosis->view.text = diagnosis->text;
            status = diagnosis->text ? CSY_OK : error_memory(error);
        }
        if (g) {
            drift_trial_free(g->trial);
            FREE_ALL(g->clock, g->thread, g->last);
            line_fini(&g->line);
            windows_fini(&g->windows);
            suspects_fini(&g->suspects);
        }
        free(g);
        if (status) {
            solution_free_diagnosis(diagnosis);
            return status;
        }
        sync->diagnosis = diagnosis;
    }
    *out = &sync->diagnosis->view;
    return CSY_OK;
}

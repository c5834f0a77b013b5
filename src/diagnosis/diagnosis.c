/* What a contradiction between order and clocks comes from. */
#include "diagnosis/diagnosis.h"

#include "base/error.h"
#include "diagnosis/diagnosed.h"
#include "diagnosis/silence.h"
#include "diagnosis/stamps.h"
#include "diagnosis/suspects.h"
#include "diagnosis/units.h"
#include "sync/drift/drift.h"
#include "sync/progress.h"

#include <stdlib.h>
#include <string.h>

/* Votes that tell early from late, and by what factor. */
enum {
    VOTES_MIN = 6,
    VOTES_WANTED = 16,
    VOTES_FEW = 12,
    VOTES_FACTOR = 4,
    CLOCKS_TRIED = 4,
    STRETCHES_MIN = 4
};

#define WRAP_LIMIT ((int64_t)1 << 32)

/* A diagnosis in the making. */
struct diagnosing {
    struct csy_trace *trace;
    struct csy_sync *sync;
    csy_diagnosis *d;
    struct diagnosis_words words;
    size_t n;         /* clocks looked at */
    uint32_t *clock;  /* by thread; WINDOWS_ABSENT: not looked at */
    uint32_t *thread; /* by clock */
    size_t anchor;
    struct windows windows;
    struct suspects suspects;
    struct stamps stamps;
    struct units units;
    int64_t g[WINDOWS_CLOCKS_MAX];
    bool known[WINDOWS_CLOCKS_MAX];
    csy_diagnosed_clock clocks[WINDOWS_CLOCKS_MAX];
    struct silence silence[WINDOWS_CLOCKS_MAX];
    /* Of the pass that fills the windows and looks for wraps: */
    struct line line; /* of the window at hand */
    size_t window;
    int64_t *last;  /* local time, by clock */
    bool within_32; /* all stamps are from 0 to below 2^32 */
};

static csy_status pass(struct diagnosing *g,
                       csy_status (*observe)(void *, const struct event *, csy_error *),
                       csy_error *error)
{
    struct taker taker = {.observe = observe, .observer = g};
    struct progress progress = g->trace->progress;
    progress.stage = "diagnosing";
    return pass_again(g->trace, &g->sync->survey, NO_THREAD, &taker, &progress, error);
}

/* --- Which clocks --- */

static csy_status choose_clocks(struct diagnosing *g, csy_error *error)
{
    struct diagnosed chosen = {0};
    csy_status status = diagnosed_choose(&chosen, g->sync, error);
    g->n = chosen.n;
    g->clock = chosen.clock;
    g->thread = chosen.thread;
    g->last = malloc(WINDOWS_CLOCKS_MAX * sizeof *g->last);
    if (!status && !g->last)
        status = error_memory(error);
    for (size_t c = 0; c < g->n && !status; c++)
        g->last[c] = INT64_MIN;
    return status;
}

static bool is_silent(const struct diagnosing *g, size_t c)
{
    return silence_is_long(&g->silence[c], &g->sync->survey.threads.items[g->thread[c]]);
}

static csy_status note_windows(void *user, const struct event *event, csy_error *error)
{
    struct diagnosing *g = user;
    uint32_t c = g->clock[event->thread];
    int64_t local = event->local_ticks;
    if (c == WINDOWS_ABSENT)
        return CSY_OK;
    if (g->last[c] > local && (int128)g->last[c] - local > WRAP_LIMIT / 2 &&
        g->words.doubt == DOUBT_NONE) {
        g->words.doubt = DOUBT_WRAPPED;
        g->words.wrapped = event->thread;
    }
    g->last[c] = local;
    silence_note(&g->silence[c], &g->sync->survey.threads.items[g->thread[c]],
                 g->sync->views[g->thread[c]].records, event->position);
    units_event(&g->units, event->position, c, local);
    g->within_32 = g->within_32 && local >= 0 && local < WRAP_LIMIT;
    size_t window = windows_at(&g->windows, event->position);
    if (window != g->window)
        line_restart(&g->line);
    g->window = window;
    struct point point = {event->position, event->place, c, local,
                          rebase_x(&g->sync->survey.rough, event->thread, local)};
    return line_event(&g->line, &point, error);
}

/* The clock that is there in most windows; of several the reference, or the first. */
static size_t choose_anchor(const struct windows *windows)
{
    size_t best = 0, most = 0;
    for (size_t c = 0; c < windows->n; c++) {
        size_t there = 0;
        for (size_t w = 0; w < windows->count; w++)
            there += windows->low[w * windows->n + c] <= windows->high[w * windows->n + c];
        if (there <= most)
            continue;
        most = there;
        best = c;
    }
    return best;
}

/* --- Causes --- */

static csy_fraction half(csy_fraction twice)
{
    return twice.num % 2 == 0 ? (csy_fraction){twice.num / 2, twice.den}
                              : (csy_fraction){twice.num, 2 * twice.den};
}

static void name_clock(struct diagnosing *g, size_t clock, int64_t rate_ppb)
{
    g->clocks[g->d->nclocks++] = (csy_diagnosed_clock){g->thread[clock], rate_ppb};
}

/* Whether a step of at least delta in one direction explains the contradiction, is known well
 * against its size, and is there all at once. */
static bool step_serves(const struct diagnosing *g, const struct suspect_step *step)
{
    csy_fraction whole = g->suspects.twice;
    int128 least = step->least > 0 ? step->least : step->most < 0 ? -(int128)step->most : 0;
    return step->bounded && suspects_explains(step->left, whole, SUSPECT_STEP_FACTOR) &&
           least * whole.den >= whole.num / 2 && 4 * ((int128)step->most - step->least) <= least &&
           !suspects_explains(step->near, whole, 2);
}

/* The clock, or the two of which it is one, that was set once; *left is what remains. */
static bool find_step(struct diagnosing *g, csy_fraction *left)
{
    const struct joint_cycle *cycle = &g->suspects.cycle;
    struct suspect_step step, best = {0};
    size_t found[CLOCKS_TRIED], n = 0;
    for (size_t i = 0; i < cycle->length && i < CLOCKS_TRIED; i++) {
        suspects_step(&g->suspects, cycle->vertices[i], &step);
        if (!step_serves(g, &step))
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

static void forget_step(struct diagnosing *g)
{
    g->d->record_before = g->d->record_after = 0;
    g->d->step_least_ticks = g->d->step_most_ticks = 0;
}

/* Name the clocks whose rate comes to more over the trace than delta and than what is not known of
 * their offsets; false: there are none. */
static bool name_drift(struct diagnosing *g, const int64_t *rate, const int64_t *unsure)
{
    int128 span = suspects_span(&g->suspects);
    csy_fraction twice = g->suspects.twice;
    for (size_t c = 0; c < g->n; c++) {
        int128 by = rate[c] * span / 1000000000000;
        by = by < 0 ? -by : by;
        if (2 * by * twice.den >= twice.num && by >= 4 * (int128)unsure[c])
            name_clock(g, c, (rate[c] + (rate[c] < 0 ? -500 : 500)) / 1000);
    }
    g->d->against = g->thread[g->anchor];
    return g->d->nclocks > 0;
}

static csy_status find_drift(struct diagnosing *g, csy_fraction *left, bool *found,
                             csy_error *error)
{
    int64_t rate[WINDOWS_CLOCKS_MAX], unsure[WINDOWS_CLOCKS_MAX];
    int64_t *shift = malloc(g->windows.count * g->n * sizeof *shift);
    if (!shift)
        return error_memory(error);
    *left = suspects_drift(&g->suspects, shift, rate, unsure);
    *found = suspects_explains(*left, g->suspects.twice, SUSPECT_DRIFT_FACTOR) &&
             name_drift(g, rate, unsure);
    free(shift);
    return CSY_OK;
}

/* The one clock without which hardly any contradiction is left; where there are two, either may be
 * the bad one. */
static bool find_bad(struct diagnosing *g, csy_fraction *left)
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
    struct diagnosing *g = user;
    uint32_t c = g->clock[event->thread];
    (void)error;
    if (c == WINDOWS_ABSENT || !g->known[c])
        return CSY_OK;
    int64_t x = rebase_x(&g->sync->survey.rough, event->thread, event->local_ticks);
    stamps_event(&g->stamps, event->position, c, x + g->g[c]);
    return CSY_OK;
}

/* Whether early stamps are enough to explain delta, and are no matter of one clock or of one
 * moment. */
static bool early_all_over(const struct diagnosing *g)
{
    size_t clocks = 0, quarters = 0;
    for (size_t c = 0; c < g->n; c++)
        clocks += g->stamps.early_clock[c];
    for (size_t q = 0; q < STAMPS_QUARTERS; q++)
        quarters += g->stamps.quarters[q] > 0;
    return clocks >= 2 && quarters == STAMPS_QUARTERS &&
           (int128)g->stamps.behind.most * g->suspects.twice.den >= g->suspects.twice.num &&
           g->suspects.contradicting >= STRETCHES_MIN &&
           !suspects_explains(g->suspects.most_alone, g->suspects.twice, 4);
}

/* Offsets are a little off, so that good records look a little early or late, and of imprecise ones
 * most do: only the greatest amounts tell, if most of them are on one side. */
static csy_status judge_stamps(struct diagnosing *g, csy_error *error)
{
    const struct stamps *stamps = &g->stamps;
    csy_status status = suspects_offsets(&g->suspects, g->g, g->known, error);
    stamps_init(&g->stamps, g->n, g->windows.total);
    if (!status)
        status = pass(g, note_stamps, error);
    if (status)
        return status;
    stamps_finish(&g->stamps);
    const struct stamps_bins *more =
        stamps->early.count > stamps->late.count ? &stamps->early : &stamps->late;
    uint64_t wanted = more->count / 20 > VOTES_WANTED ? more->count / 20 : VOTES_WANTED;
    unsigned percent = more->count > 2 * wanted ? 100 - (unsigned)(100 * wanted / more->count) : 50;
    int64_t limit = stamps_quantile(more, percent);
    uint64_t early = stamps_beyond(&stamps->early, limit);
    uint64_t late = stamps_beyond(&stamps->late, limit);
    bool enough = early + late >= VOTES_MIN;
    bool many = early >= VOTES_FEW && early >= VOTES_FACTOR * late;
    /* Few may be chance, unless the greatest are all on one side, and most others are, too. */
    bool alone = stamps->early.count >= 2 * stamps->late.count &&
                 stamps_beyond(&stamps->early, stamps->late.most) >= VOTES_MIN;
    if ((alone || many) && early_all_over(g)) {
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

/* The named clocks, aside. */
struct named {
    size_t n;
    csy_diagnosed_clock clocks[WINDOWS_CLOCKS_MAX];
};

static struct named put_aside(struct diagnosing *g)
{
    struct named named = {.n = g->d->nclocks};
    memcpy(named.clocks, g->clocks, sizeof named.clocks);
    g->d->nclocks = 0;
    return named;
}

static void settle_on(struct diagnosing *g, csy_diagnosis_kind kind, csy_fraction left,
                      const struct named *named)
{
    g->d->kind = kind;
    g->d->left_delta = half(left);
    g->d->nclocks = named->n;
    memcpy(g->clocks, named->clocks, sizeof named->clocks);
}

/* Clocks that stop or jump while their threads are silent, as those of contexts that are switched
 * do, gain or lose as steadily as clocks of other rates; only records throughout tell them apart.
 * False: most of the rates are of such clocks; else those are named no more. */
static bool rates_are_sure(struct diagnosing *g, struct named *drifting)
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

/* Whether clocks that differ by no more than crystals do leave no more than reading them in whole
 * ticks does.  Exact, unlike estimates of rates, but it does not say whose rates they are. */
static csy_status find_crystals(struct diagnosing *g, bool *found, csy_error *error)
{
    size_t silent = 0;
    csy_status status = CSY_OK;
    *found = false;
    for (size_t c = 0; c < g->n; c++)
        silent += is_silent(g, c);
    if (g->trace->source->contexts)
        return CSY_OK;
    g->words.rates_untried =
        2 * silent >= g->n || g->sync->survey.records > DRIFT_ENOUGH_RECORDS_MAX;
    if (g->words.rates_untried)
        return CSY_OK;
    for (int64_t added = solution_least_twice(g->sync); added <= 1 && !*found && !status; added++) {
        status = drift_find_enough(g->sync, added, CRYSTAL_PPB, &g->d->enough_drift_ppb, error);
        *found = !status && g->d->enough_drift_ppb > 0;
        g->d->left_delta = *found ? half((csy_fraction){added, 1}) : g->d->left_delta;
    }
    return status;
}

static void settle_on_crystals(struct diagnosing *g)
{
    g->d->kind = CSY_DIAGNOSIS_DRIFT;
    g->d->against = g->sync->reference;
}

/* Where neither a step nor rates that were estimated explain it; drift_left is what these leave. */
static csy_status judge_others(struct diagnosing *g, csy_fraction drift_left, csy_error *error)
{
    csy_fraction bad_left = {0, 1};
    bool crystals = false;
    csy_status status = find_crystals(g, &crystals, error);
    /* Crystals are seldom off by so much that half as much again is beyond them. */
    bool usual = crystals && (int64_t)2 * CRYSTAL_PPB >= 3 * g->d->enough_drift_ppb;
    if (status)
        return status;
    /* A clock whose rate is only nearly even is no bad one. */
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

static csy_status judge_causes(struct diagnosing *g, csy_error *error)
{
    csy_fraction step_left = {0, 1}, drift_left = {0, 1};
    bool drift, step = find_step(g, &step_left);
    struct named stepped = put_aside(g);
    csy_status status = find_drift(g, &drift_left, &drift, error);
    struct named drifting = put_aside(g);
    if (status)
        return status;
    if (step && drift) { /* the better one, if it is clearly so */
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
        return drift_find_enough(g->sync, solution_least_twice(g->sync), INT64_MAX,
                                 &g->d->enough_drift_ppb, error);
    }
    return judge_others(g, drift_left, error);
}

/* Clocks that count in different units, if that explains it. */
static csy_status judge_units(struct diagnosing *g, csy_error *error)
{
    struct units_found found;
    csy_fraction whole, left;
    if (!units_find(&g->units, &found))
        return CSY_OK;
    csy_status status =
        units_left(g->trace, g->sync, g->clock, &g->windows, &found, &whole, &left, error);
    if (status || !suspects_explains(left, whole, UNITS_FACTOR))
        return status;
    for (size_t c = 0; c < g->n; c++)
        if (found.power[c] != 0)
            name_clock(g, c, units_ppb(found.power[c]));
    g->d->kind = CSY_DIAGNOSIS_OTHER_UNIT;
    g->d->against = g->thread[found.against];
    g->d->clocks_looked_at = g->n;
    g->d->delta = half(whole);
    g->d->left_delta = half(left);
    return CSY_OK;
}

/* The contradiction, from the records. */
static csy_status judge_records(struct diagnosing *g, csy_error *error)
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
    units_init(&g->units, g->n, sync->survey.records);
    if (!status)
        status = pass(g, note_windows, error);
    g->words.doubt = g->within_32 && !g->trace->source->contexts ? g->words.doubt : DOUBT_NONE;
    if (!status && g->words.doubt == DOUBT_NONE)
        status = judge_units(g, error);
    if (status || g->d->kind == CSY_DIAGNOSIS_OTHER_UNIT)
        return status;
    if (tiny && g->words.doubt == DOUBT_NONE)
        g->words.doubt = DOUBT_TINY;
    if (g->words.doubt != DOUBT_NONE)
        return CSY_OK;
    g->anchor = choose_anchor(&g->windows);
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

/* Where nothing is found, and two records of one thread ask for all of delta by themselves, these
 * are what to look at. */
static void judge_witness(struct diagnosing *g)
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

static csy_status judge(struct diagnosing *g, csy_error *error)
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
    if (g->sync->partial && imprecision->conditional && large) {
        g->d->kind = CSY_DIAGNOSIS_UNKNOWN;
        g->words.doubt = DOUBT_PARTIAL;
        return drift_find_enough(g->sync, solution_least_twice(g->sync), INT64_MAX,
                                 &g->d->enough_drift_ppb, error);
    }
    csy_status status = imprecision->conditional && large ? judge_records(g, error) : CSY_OK;
    bool unseen = g->words.doubt == DOUBT_TINY || g->words.doubt == DOUBT_ELSEWHERE;
    if (status || g->d->kind != CSY_DIAGNOSIS_UNKNOWN || !unseen || g->trace->source->contexts)
        return status;
    return drift_find_enough(g->sync, solution_least_twice(g->sync), CRYSTAL_PPB,
                             &g->d->enough_drift_ppb, error);
}

static csy_status keep(struct diagnosing *g, struct diagnosis *diagnosis, csy_error *error)
{
    size_t n = diagnosis->view.nclocks;
    diagnosis->clocks = malloc((n + 1) * sizeof *diagnosis->clocks);
    if (!diagnosis->clocks)
        return error_memory(error);
    for (size_t i = 0; i < n; i++)
        diagnosis->clocks[i] = g->clocks[i];
    diagnosis->view.clocks = diagnosis->clocks;
    diagnosis->text = diagnosis_describe(g->trace, g->sync, &diagnosis->view, &g->words);
    diagnosis->view.text = diagnosis->text;
    return diagnosis->text ? CSY_OK : error_memory(error);
}

csy_status csy_sync_diagnose(csy_sync *sync, const csy_diagnosis **out, csy_error *error)
{
    struct csy_trace *trace = sync->trace;
    csy_status status = solution_check_feasible(sync, error);
    if (status)
        return status;
    if (!sync->diagnosis) {
        struct diagnosis *diagnosis = calloc(1, sizeof *diagnosis);
        struct diagnosing *g = calloc(1, sizeof *g);
        status = diagnosis && g ? CSY_OK : error_memory(error);
        if (!status) {
            g->trace = trace;
            g->sync = sync;
            g->d = &diagnosis->view;
            g->within_32 = true;
            g->d->delta = g->d->left_delta = (csy_fraction){0, 1};
            status = judge(g, error);
            judge_witness(g);
        }
        if (!status)
            status = keep(g, diagnosis, error);
        if (g) {
            free(g->clock);
            free(g->thread);
            free(g->last);
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

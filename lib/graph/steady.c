/* Finds a nearly constant rate of each clock, by cutting planes (graph/steady.h). */
#include "graph/steady.h"

#include "base/array.h"
#include "base/error.h"

#include <stdlib.h>
#include <string.h>

/* Greatest number of stored inequalities ("cuts"), and of clocks with rates in these cuts. */
enum { CUTS_MOST = 512, CLOCKS_MOST = 64 };

/* Columns of the linear program are numbered from 1. A clock without a column has COLUMN_NONE, or
 * COLUMN_FIXED if its rate is fixed. */
#define COLUMN_NONE 0
#define COLUMN_FIXED SIZE_MAX

struct cut {
    int128 constant;
    int64_t count;
    int64_t distance[CLOCKS_MOST];
};

/* A linear program: find constant rates of the clocks, from -most to most, such that as few ticks
 * as possible must be added to each constraint. The program's inequalities are called cuts
 * (graph/steady.h). */
struct program {
    struct ageing *ageing;
    int64_t wander, most;
    size_t *column_of;
    uint32_t clock[CLOCKS_MOST];
    size_t ncolumns;
    struct cut cuts[CUTS_MOST];
    size_t ncuts;
};

static int128 unit_of(const struct program *p, const struct cut *cut)
{
    int128 unit = (int128)RATE_UNIT + p->ageing->rate_ppb;
    return unit * (cut->count > 0 ? cut->count : 1);
}

static int128 magnitude(int128 value)
{
    return value < 0 ? -value : value;
}

/* Returns false if there is no room for another inequality. */
static bool add_cut(struct program *p, const struct ageing_cycle *cycle)
{
    const struct ageing *a = p->ageing;
    int128 distance[CLOCKS_MOST] = {0};
    struct cut cut = {0};
    for (size_t i = 0; i < cycle->length; i++) {
        size_t pair = cycle->pairs[i], next = cycle->pairs[(i + 1) % cycle->length];
        int128 by = (int128)a->reading[a->from[next]] - a->reading[a->to[pair]];
        uint32_t clock = a->vertex[a->to[pair]];
        if (p->column_of[clock] == COLUMN_NONE && p->ncolumns < CLOCKS_MOST) {
            p->clock[p->ncolumns++] = clock;
            p->column_of[clock] = p->ncolumns;
        }
        size_t column = p->column_of[clock];
        if (column == COLUMN_NONE)
            return false;
        cut.constant -= (int128)a->pairs->items[pair].weight * RATE_UNIT;
        cut.count += pair_counts(a->pairs, &a->pairs->items[pair]);
        if (column == COLUMN_FIXED)
            continue;
        cut.constant -= p->wander * magnitude(by);
        distance[column - 1] += by;
    }
    for (size_t c = 0; c < p->ncolumns; c++) {
        if (!fits_int64(distance[c]))
            return false;
        cut.distance[c] = (int64_t)distance[c];
    }
    if (p->ncuts == CUTS_MOST || cut.count == 0)
        return false;
    p->cuts[p->ncuts++] = cut;
    return true;
}

/* Fixed-point numbers with FRACTION_BITS bits after the binary point. */
enum { FRACTION_BITS = 44, SMALL_BITS = 22, EXACT_BITS = 4, PIVOTS_MOST = 2048 };

#define FIXED_ONE ((int128)1 << FRACTION_BITS)
#define FIXED_SMALL ((int128)1 << SMALL_BITS)
#define FIXED_EXACT ((int128)1 << EXACT_BITS)
#define FIXED_LARGE ((int128)1 << 62)

static int128 fixed_product(int128 a, int128 b)
{
    return (a * b + FIXED_ONE / 2) >> FRACTION_BITS;
}

/* Returns num / den, where den > 0. If the numbers are large, their last bits are lost. */
static int128 fixed_quotient(int128 num, int128 den)
{
    const int128 large = (int128)1 << 81;
    while (magnitude(num) >= large && den > 1) {
        num /= 2;
        den /= 2;
    }
    return magnitude(num) < large ? num * FIXED_ONE / den : num < 0 ? -FIXED_LARGE : FIXED_LARGE;
}

/* Tableau of the simplex method: basic variable i = constant[i] + sum over j of entry[i][j] *
 * nonbasic variable j. All variables are >= 0. They are the rate of each clock, moved and scaled to
 * the range 0 to 1; 1 minus this rate; the addition; and for each cut its slack, the left side
 * minus the right side. The last row is the addition, which is to be minimized. */
struct tableau {
    size_t nrows, ncolumns; /* nrows does not count the last row */
    size_t basic[CUTS_MOST + CLOCKS_MOST], nonbasic[CLOCKS_MOST + 1];
    int128 constant[CUTS_MOST + CLOCKS_MOST + 1];
    int128 entry[CUTS_MOST + CLOCKS_MOST + 1][CLOCKS_MOST + 1];
};

static void tableau_fill(struct tableau *t, const struct program *p, int64_t least)
{
    size_t n = p->ncolumns;
    int128 scale = 1;
    memset(t, 0, sizeof *t);
    for (size_t i = 0; i < p->ncuts; i++) {
        const struct cut *cut = &p->cuts[i];
        int128 unit = unit_of(p, cut), sum = cut->constant - least * unit;
        for (size_t c = 0; c < n; c++) {
            int128 by = (int128)p->most * cut->distance[c];
            sum -= by;
            scale = magnitude(2 * by) / unit >= scale ? magnitude(2 * by) / unit + 1 : scale;
            t->entry[i][c] = -2 * by;
        }
        scale = magnitude(sum) / unit >= scale ? magnitude(sum) / unit + 1 : scale;
        t->constant[i] = -sum;
    }
    t->ncolumns = n + 1;
    t->nrows = p->ncuts + n;
    for (size_t j = 0; j <= n; j++)
        t->nonbasic[j] = j;
    for (size_t i = 0; i < t->nrows; i++)
        t->basic[i] = n + 1 + i;
    for (size_t i = 0; i < p->ncuts; i++) {
        int128 unit = unit_of(p, &p->cuts[i]) * scale;
        for (size_t c = 0; c < n; c++)
            t->entry[i][c] = -fixed_quotient(-t->entry[i][c], unit);
        t->entry[i][n] = FIXED_ONE;
        t->constant[i] = -fixed_quotient(-t->constant[i], unit);
    }
    for (size_t c = 0; c < n; c++) {
        t->entry[p->ncuts + c][c] = -FIXED_ONE;
        t->constant[p->ncuts + c] = FIXED_ONE;
    }
    t->entry[t->nrows][n] = FIXED_ONE;
}

/* Exchange the basic variable of a row for the variable of a column. Returns false on overflow. */
static bool pivot(struct tableau *t, size_t row, size_t column)
{
    const int128 by = t->entry[row][column];
    size_t leaves = t->basic[row];
    t->basic[row] = t->nonbasic[column];
    t->nonbasic[column] = leaves;
    t->constant[row] = -fixed_quotient(t->constant[row], by);
    for (size_t j = 0; j < t->ncolumns; j++)
        t->entry[row][j] =
            j == column ? fixed_quotient(FIXED_ONE, by) : -fixed_quotient(t->entry[row][j], by);
    for (size_t i = 0; i <= t->nrows; i++) {
        int128 factor = t->entry[i][column];
        if (i == row || factor == 0)
            continue;
        t->constant[i] += fixed_product(factor, t->constant[row]);
        if (magnitude(t->constant[i]) >= FIXED_LARGE)
            return false;
        for (size_t j = 0; j < t->ncolumns; j++) {
            t->entry[i][j] =
                (j == column ? 0 : t->entry[i][j]) + fixed_product(factor, t->entry[row][j]);
            if (magnitude(t->entry[i][j]) >= FIXED_LARGE)
                return false;
        }
    }
    return true;
}

/* Returns the row with the most negative basic variable. */
static size_t find_row(const struct tableau *t)
{
    size_t row = 0;
    for (size_t i = 1; i < t->nrows; i++)
        row = t->constant[i] < t->constant[row] ? i : row;
    return row;
}

/* Make steps of the dual simplex method until no basic variable is negative, which is the optimum.
 * Returns false if it is not found. */
static bool tableau_solve(struct tableau *t)
{
    size_t row = find_row(t);
    for (size_t pivots = 0; pivots < PIVOTS_MOST && t->constant[row] < -FIXED_EXACT; pivots++) {
        const int128 *cost = t->entry[t->nrows], *entry = t->entry[row];
        size_t column = t->ncolumns;
        for (size_t j = 0; j < t->ncolumns; j++) {
            if (entry[j] < FIXED_SMALL)
                continue;
            int128 less =
                column == t->ncolumns ? -1 : cost[j] * entry[column] - cost[column] * entry[j];
            if (less < 0 || (less == 0 && entry[j] > entry[column]))
                column = j;
        }
        if (column == t->ncolumns)
            break;
        if (!pivot(t, row, column))
            return false;
        row = find_row(t);
    }
    return t->constant[row] >= -FIXED_SMALL;
}

static const struct cut *cut_of(const struct tableau *t, const struct program *p, size_t j)
{
    size_t variable = t->nonbasic[j], first = p->ncolumns + 1;
    bool is = variable >= first && variable - first < p->ncuts && t->entry[t->nrows][j] > 0;
    return is ? &p->cuts[variable - first] : NULL;
}

/* Returns how many ticks must be added to each constraint at any constant rates, or 0 if nothing is
 * proved. Any weighted sum of the inequalities with weights >= 0 is a valid proof. So rounding
 * errors in the weights do no harm. */
static int64_t prove_least(const struct tableau *t, const struct program *p)
{
    const int128 limit = (int128)1 << 126;
    int128 constant = 0, count = 0, distance[CLOCKS_MOST] = {0}, greatest = 1;
    for (size_t j = 0; j < t->ncolumns; j++) {
        const struct cut *cut = cut_of(t, p, j);
        for (size_t c = 0; cut && c < p->ncolumns; c++) {
            int128 by = magnitude((int128)cut->distance[c] * p->most);
            greatest = by > greatest ? by : greatest;
        }
        if (cut && magnitude(cut->constant) > greatest)
            greatest = magnitude(cut->constant);
    }
    const int128 weight_most = limit / greatest / ((int128)4 * CLOCKS_MOST * CLOCKS_MOST);
    int128 shrink = 1;
    for (size_t j = 0; j < t->ncolumns; j++)
        if (cut_of(t, p, j))
            while (t->entry[t->nrows][j] / shrink > weight_most)
                shrink *= 2;
    for (size_t j = 0; j < t->ncolumns; j++) {
        const struct cut *cut = cut_of(t, p, j);
        int128 weight = cut ? t->entry[t->nrows][j] / shrink / cut->count : 0;
        if (weight == 0)
            continue;
        constant += weight * cut->constant;
        count += weight * cut->count;
        for (size_t c = 0; c < p->ncolumns; c++)
            distance[c] += weight * cut->distance[c];
    }
    for (size_t c = 0; c < p->ncolumns; c++)
        constant -= magnitude(distance[c]) * p->most;
    if (count == 0 || constant <= 0)
        return 0;
    int128 least = ceil_div(constant, count * ((int128)RATE_UNIT + p->ageing->rate_ppb));
    return fits_int64(least) ? (int64_t)least : 0;
}

struct search {
    struct program program;
    struct tableau tableau;
    const struct steady_rule *rule;
    int64_t *tried; /* for each attempt: the rates of all clocks */
    size_t ntried;
    uint64_t visits_left;
    bool full, spent;
};

/* *added becomes the number of ticks that must be added to each constraint if clocks have these
 * rates. It is at least `least`. s->spent becomes true if this takes too many visits of nodes;
 * *added is then not enough. */
static csy_status solve_at(struct search *s, const int64_t *rate, int64_t least, int64_t *added,
                           csy_error *error)
{
    struct ageing *a = s->program.ageing;
    size_t n = a->pairs->nclocks;
    csy_status status = CSY_OK;
    bool found = true;
    *added = least;
    for (size_t c = 0; c < n; c++)
        if (s->program.column_of[c] != COLUMN_FIXED)
            a->rates[c] =
                (struct ageing_rate){rate[c] - s->program.wander, rate[c] + s->program.wander};
    memcpy(s->tried + s->ntried++ * n, rate, n * sizeof *rate);
    while (found && !status) {
        struct ageing_cycle cycle = {0};
        s->spent = s->visits_left < a->nnodes;
        if (s->spent)
            break;
        s->visits_left -= a->nnodes;
        status = ageing_find(a, *added, true, &cycle, error);
        found = !status && cycle.length > 0;
        if (found) {
            s->full = s->full || !add_cut(&s->program, &cycle);
            *added = cycle.asks_ticks;
        }
        free(cycle.pairs);
    }
    return status;
}

static bool was_tried(const struct search *s, const int64_t *rate)
{
    size_t n = s->program.ageing->pairs->nclocks;
    for (size_t i = 0; i < s->ntried; i++)
        if (memcmp(s->tried + i * n, rate, n * sizeof *rate) == 0)
            return true;
    return false;
}

/* Returns false if all candidates were tried before. */
static bool choose_rates(const struct search *s, const int128 *optimum, int64_t *rate)
{
    const struct program *p = &s->program;
    for (size_t c = 0; c < p->ncolumns; c++)
        rate[p->clock[c]] =
            (int64_t)((optimum[c] + (p->ncolumns == 1 ? 0 : FIXED_ONE / 2)) >> FRACTION_BITS);
    if (!was_tried(s, rate))
        return true;
    if (p->ncolumns != 1 || rate[p->clock[0]] >= p->most)
        return false;
    rate[p->clock[0]]++;
    return !was_tried(s, rate);
}

static csy_status search_rates(struct search *s, int64_t *rate, struct steady *out,
                               csy_error *error)
{
    int128 optimum[CLOCKS_MOST];
    csy_status status = CSY_OK;
    out->added_ticks = INT64_MAX;
    out->least_ticks = s->rule->least_ticks;
    out->best = false;
    while (!status && !out->best && s->ntried < s->rule->solves_most) {
        int64_t added;
        status = solve_at(s, rate, out->least_ticks, &added, error);
        out->spent = s->spent;
        if (s->spent)
            break;
        if (!status && added < out->added_ticks) {
            out->added_ticks = added;
            memcpy(out->rate_ppb, rate, s->program.ageing->pairs->nclocks * sizeof *rate);
        }
        out->best = out->added_ticks == out->least_ticks;
        if (status || out->best || s->full)
            break;
        tableau_fill(&s->tableau, &s->program, s->rule->least_ticks);
        if (!tableau_solve(&s->tableau))
            break;
        int64_t least = prove_least(&s->tableau, &s->program);
        out->least_ticks = least > out->least_ticks ? least : out->least_ticks;
        for (size_t c = 0; c < s->program.ncolumns; c++)
            optimum[c] = -s->program.most * FIXED_ONE;
        for (size_t i = 0; i < s->tableau.nrows; i++) {
            size_t c = s->tableau.basic[i];
            if (c >= s->program.ncolumns)
                continue;
            int128 scaled = s->tableau.constant[i] < 0 ? 0 : s->tableau.constant[i];
            scaled = scaled > FIXED_ONE ? FIXED_ONE : scaled;
            optimum[c] = s->program.most * (2 * scaled - FIXED_ONE);
        }
        out->best = out->added_ticks <= out->least_ticks || !choose_rates(s, optimum, rate);
    }
    return status;
}

csy_status steady_find(struct ageing *ageing, const struct steady_rule *rule, struct steady *out,
                       csy_error *error)
{
    size_t n = ageing->pairs->nclocks, nvertices = ageing->pairs->nvertices;
    struct search *s = calloc(1, sizeof *s);
    int64_t *rate = calloc(n + 1, sizeof *rate);
    *out = (struct steady){.rate_ppb = calloc(n + 1, sizeof *out->rate_ppb)};
    csy_status status = s && rate && out->rate_ppb ? CSY_OK : error_memory(error);
    if (!status) {
        s->rule = rule;
        s->visits_left = rule->visits_most;
        s->program.ageing = ageing;
        s->program.wander = rule->wander_ppb;
        s->program.most = ageing->rate_ppb - rule->wander_ppb;
        s->program.column_of = calloc(nvertices + 1, sizeof *s->program.column_of);
        s->tried = malloc((rule->solves_most * n + 1) * sizeof *s->tried);
        status = s->program.column_of && s->tried ? CSY_OK : error_memory(error);
    }
    for (size_t v = 0; v < nvertices && !status; v++)
        s->program.column_of[v] = v < n && v != rule->tau ? COLUMN_NONE : COLUMN_FIXED;
    if (!status) {
        /* the first rates to be tried are the mean rates between the first and last reading of each
         * clock */
        const int64_t most = s->program.most;
        for (size_t c = 0; c < n; c++) {
            size_t first = ageing->first_of[c], end = ageing->first_of[c + 1];
            if (s->program.column_of[c] == COLUMN_FIXED || end - first < 2)
                continue;
            uint32_t x = ageing->sorted[first], y = ageing->sorted[end - 1];
            int128 by = (int128)ageing->reading[y] - ageing->reading[x];
            int128 slope = floor_div(ageing->least[y] - ageing->least[x], by);
            rate[c] = slope < -most ? -most : slope > most ? most : (int64_t)slope;
        }
        status = search_rates(s, rate, out, error);
        ageing_set_rate(ageing, rule->tau, ageing->rate_ppb);
    }
    if (s)
        FREE_ALL(s->program.column_of, s->tried);
    FREE_ALL(s, rate);
    return status;
}

void steady_fini(struct steady *steady)
{
    free(steady->rate_ppb);
    *steady = (struct steady){0};
}

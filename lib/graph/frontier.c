/* Computes how much two drifting clocks can differ in age at many moments (graph/frontier.h). The
 * age of a clock is how much it has gained or lost. */
#include "graph/frontier.h"

#include "base/array.h"
#include "base/error.h"
#include "base/sort.h"

#include <stdlib.h>
#include <string.h>

/* Greatest number of hubs (groups of points, graph/reduce.h) that are in the matrix at the same
 * time. Constraints of further hubs are ignored, which makes the limits wider, but not wrong. */
enum { HUBS_AT_ONCE_MAX = 64 };

#define NO_SEAT UINT32_MAX

/* A constraint: the age of `from` minus the age of `to` is at most `most`. */
struct arc {
    uint32_t from, to;
    int128 most;
};

/* The index of a constraint (struct arc) with its time, for sorting. The 96-bit time is split in
 * two to save memory. */
struct placed {
    int64_t high;
    uint32_t low; /* the lower 32 bits of the time */
    uint32_t arc;
};

/* A matrix of limits of age differences. Each clock has a row and a column; a hub has them only
 * while it is in use. The age of row i minus the age of row j is at most limits[i n + j] + row[i] +
 * column[j]. If clock i advances, only row[i], column[i], and limits[i n + i] change. */
struct frontier {
    const struct ageing *ageing;
    size_t n;
    int128 *limits, *row, *column;
    int128 *high, *low; /* greatest age of row i is high[i] + row[i], the least is low[i] -
                         * column[i] */
    uint32_t *seat;     /* seat[v]: row of clock or hub v, or NO_SEAT */
    uint32_t *vertex;   /* vertex[i]: clock or hub that has row i, or NO_SEAT */
    int64_t *at;        /* at[i]: local time of the clock or hub in row i */
    bool *begun;
    uint32_t *rows, *columns;
    int128 *there, *back;
};

struct sweep {
    struct placed *sorted;
    size_t narcs;
    uint32_t *left;
    const int128 *places;
    bool forth;
};

static size_t index_of(const struct frontier *f, size_t i, size_t j)
{
    return i * f->n + j;
}

static int128 most_aged(const struct ageing *a, uint32_t vertex, int64_t from, int64_t to)
{
    const struct ageing_rate *rate = &a->rates[vertex];
    int128 by = (int128)to - from;
    return by * (by < 0 ? rate->least : rate->greatest);
}

static void move(struct frontier *f, uint32_t seat, uint32_t node)
{
    const struct ageing *a = f->ageing;
    int64_t reading = a->reading[node];
    if (f->begun[seat]) {
        f->row[seat] += most_aged(a, f->vertex[seat], f->at[seat], reading);
        f->column[seat] += most_aged(a, f->vertex[seat], reading, f->at[seat]);
        f->limits[index_of(f, seat, seat)] = -f->row[seat] - f->column[seat];
    }
    f->begun[seat] = true;
    f->at[seat] = reading;
    f->high[seat] = ageing_greatest(a, node) - f->row[seat];
    f->low[seat] = a->least[node] + f->column[seat];
}

static void clear_seat(struct frontier *f, size_t seat)
{
    for (size_t i = 0; i < f->n; i++)
        f->limits[index_of(f, i, seat)] = f->limits[index_of(f, seat, i)] = FRONTIER_NONE;
    f->limits[index_of(f, seat, seat)] = f->row[seat] = f->column[seat] = 0;
    f->begun[seat] = false;
}

/* A hub without a row gets a free one. Returns NO_SEAT if no row is free. */
static uint32_t seat_of(struct frontier *f, uint32_t vertex)
{
    size_t nclocks = f->ageing->pairs->nclocks;
    for (size_t i = nclocks; i < f->n && f->seat[vertex] == NO_SEAT; i++)
        if (f->vertex[i] == NO_SEAT) {
            f->seat[vertex] = (uint32_t)i;
            f->vertex[i] = vertex;
            clear_seat(f, i);
        }
    return f->seat[vertex];
}

static void leave(struct frontier *f, struct sweep *sweep, uint32_t vertex)
{
    uint32_t seat = f->seat[vertex];
    if (vertex < f->ageing->pairs->nclocks || --sweep->left[vertex] > 0 || seat == NO_SEAT)
        return;
    f->vertex[seat] = f->seat[vertex] = NO_SEAT;
    clear_seat(f, seat);
}

/* Add a constraint: the age of row s minus the age of row t is at most `most`. */
static void lower(struct frontier *f, uint32_t s, uint32_t t, int128 most)
{
    size_t n = f->n, nrows = 0, ncolumns = 0;
    const int128 *from_s = f->limits + index_of(f, s, 0), *from_t = f->limits + index_of(f, t, 0);
    int128 in_rows = most + f->column[s] - f->column[t], in_columns = most + f->row[t] - f->row[s];
    int128 own = most - f->row[s] - f->column[t];
    if (own >= from_s[t] || own >= f->high[s] - f->low[t])
        return;
    for (uint32_t i = 0; i < n; i++) {
        int128 to_s = f->limits[index_of(f, i, s)], to_t = f->limits[index_of(f, i, t)];
        if (to_s + in_rows < to_t && to_s < FRONTIER_NONE / 2 && i != t &&
            to_s + in_rows < f->high[i] - f->low[t]) {
            f->there[nrows] = to_s + most + f->column[s] + f->row[t];
            f->rows[nrows++] = i;
        }
        if (from_t[i] + in_columns < from_s[i] && from_t[i] < FRONTIER_NONE / 2 && i != s &&
            from_t[i] + in_columns < f->high[s] - f->low[i]) {
            f->back[ncolumns] = from_t[i];
            f->columns[ncolumns++] = i;
        }
    }
    for (size_t r = 0; r < nrows; r++) {
        int128 *limits = f->limits + index_of(f, f->rows[r], 0);
        for (size_t c = 0; c < ncolumns; c++) {
            int128 limit = f->there[r] + f->back[c], *old = &limits[f->columns[c]];
            *old = limit < *old ? limit : *old;
        }
    }
}

static bool is_ahead(const struct frontier *f, const struct sweep *sweep, uint32_t seat,
                     int64_t reading)
{
    return !f->begun[seat] || (sweep->forth ? reading > f->at[seat] : reading < f->at[seat]);
}

static void take_arc(struct frontier *f, struct sweep *sweep, const struct arc *arc)
{
    const struct ageing *a = f->ageing;
    uint32_t from = a->vertex[arc->from], to = a->vertex[arc->to];
    uint32_t s = seat_of(f, from), t = seat_of(f, to);
    int64_t x = a->reading[arc->from], y = a->reading[arc->to];
    if (s != NO_SEAT && t != NO_SEAT) {
        if (is_ahead(f, sweep, s, x))
            move(f, s, arc->from);
        if (is_ahead(f, sweep, t, y))
            move(f, t, arc->to);
        lower(f, s, t, arc->most + most_aged(a, from, x, f->at[s]) + most_aged(a, to, f->at[t], y));
    }
    leave(f, sweep, from);
    leave(f, sweep, to);
}

static struct arc arc_of(const struct ageing *a, size_t i)
{
    const struct ageing_arc *arc = &a->arcs_out[i];
    bool counts = (arc->pair & ARC_COUNTS) != 0;
    return (struct arc){a->from[arc->pair & ~ARC_COUNTS], arc->node,
                        ageing_loss(a, arc->weight, counts)};
}

static int by_place(const void *left, const void *right)
{
    const struct placed *a = left, *b = right;
    return COMPARE_THEN(a->high, b->high, COMPARE_THEN(a->low, b->low, COMPARE(a->arc, b->arc)));
}

static void run(struct frontier *f, struct sweep *sweep, const struct frontier_moments *moments,
                int128 *limits)
{
    const struct ageing *a = f->ageing;
    size_t n = a->pairs->nclocks, next = 0, count = moments->count;
    memset(sweep->left, 0, a->pairs->nvertices * sizeof *sweep->left);
    for (size_t i = 0; i < sweep->narcs && a->pairs->nvertices > n; i++) {
        const struct arc arc = arc_of(a, sweep->sorted[i].arc);
        sweep->left[a->vertex[arc.from]]++;
        sweep->left[a->vertex[arc.to]]++;
    }
    for (size_t i = 0; i < f->n; i++) {
        f->vertex[i] = i < n ? (uint32_t)i : NO_SEAT;
        clear_seat(f, i);
    }
    for (size_t v = 0; v < a->pairs->nvertices; v++)
        f->seat[v] = v < n ? (uint32_t)v : NO_SEAT;
    for (size_t k = 0; k < count; k++) {
        size_t moment = sweep->forth ? k : count - 1 - k;
        int128 until = moments->times[moment];
        for (; next < sweep->narcs; next++) {
            size_t at = sweep->forth ? next : sweep->narcs - 1 - next;
            const struct arc arc = arc_of(f->ageing, sweep->sorted[at].arc);
            int128 place = sweep->places[sweep->forth ? arc.to : arc.from];
            if (sweep->forth ? place > until : place < until)
                break;
            take_arc(f, sweep, &arc);
        }
        const int64_t *readings = moments->readings + moment * n;
        for (uint32_t i = 0; i < n; i++) {
            if (!f->begun[i])
                continue;
            int128 mine = most_aged(a, i, f->at[i], readings[i]);
            int128 *row = limits + (moment * n + i) * n;
            for (uint32_t j = 0; j < n; j++) {
                int128 limit = f->limits[index_of(f, i, j)];
                if (i == j || limit >= FRONTIER_NONE / 2)
                    continue;
                limit += f->row[i] + f->column[j] + mine + most_aged(a, j, readings[j], f->at[j]);
                row[j] = limit < row[j] ? limit : row[j];
            }
        }
    }
}

/* Apply each constraint that begins before a moment and ends after it to the limits of this
 * moment. */
static void cross(const struct ageing *a, const struct sweep *sweep,
                  const struct frontier_moments *moments, int128 *limits)
{
    size_t n = a->pairs->nclocks;
    for (size_t i = 0; i < sweep->narcs; i++) {
        const struct arc arc = arc_of(a, sweep->sorted[i].arc);
        uint32_t s = a->vertex[arc.from], t = a->vertex[arc.to];
        size_t low = 0, high = moments->count;
        BISECT(low, high, middle, moments->times[middle] <= sweep->places[arc.from]);
        for (size_t k = low; k < moments->count && s < n && t < n; k++) {
            const int64_t *readings = moments->readings + k * n;
            int128 *limit = limits + (k * n + s) * n + t;
            if (moments->times[k] >= sweep->places[arc.to])
                break;
            int128 most = arc.most + most_aged(a, s, a->reading[arc.from], readings[s]) +
                          most_aged(a, t, readings[t], a->reading[arc.to]);
            *limit = most < *limit ? most : *limit;
        }
    }
}

static void close_limits(int128 *limits, size_t n)
{
    for (size_t k = 0; k < n; k++)
        for (size_t i = 0; i < n; i++) {
            int128 first = limits[i * n + k], *row = limits + i * n;
            if (i == k || first >= FRONTIER_NONE)
                continue;
            for (size_t j = 0; j < n; j++) {
                int128 second = limits[k * n + j];
                if (first + second < row[j] && second < FRONTIER_NONE)
                    row[j] = first + second;
            }
        }
}

static void limit_by_reference(const struct ageing *a, const int64_t *readings, int128 *limits,
                               int128 *least, int128 *greatest)
{
    size_t n = a->pairs->nclocks;
    for (uint32_t i = 0; i < n; i++)
        ageing_at(a, i, readings[i], &least[i], &greatest[i]);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            int128 *limit = &limits[i * n + j], other = greatest[i] - least[j];
            if (i != j && a->component[i] == a->component[j] && other < *limit)
                *limit = other;
        }
}

static csy_status frontier_init(struct frontier *f, const struct ageing *a, size_t nhubs,
                                csy_error *error)
{
    size_t n = a->pairs->nclocks + (nhubs < HUBS_AT_ONCE_MAX ? nhubs : HUBS_AT_ONCE_MAX);
    *f = (struct frontier){.ageing = a, .n = n};
    f->limits = malloc((n * n + 6 * n + 1) * sizeof *f->limits);
    f->vertex = malloc((3 * n + a->pairs->nvertices + 1) * sizeof *f->vertex);
    f->at = calloc(n + 1, sizeof *f->at);
    f->begun = calloc(n + 1, sizeof *f->begun);
    if (!f->limits || !f->vertex || !f->at || !f->begun)
        return error_memory(error);
    f->row = f->limits + n * n;
    f->column = f->row + n;
    f->high = f->column + n;
    f->low = f->high + n;
    f->there = f->low + n;
    f->back = f->there + n;
    f->rows = f->vertex + n;
    f->columns = f->rows + n;
    f->seat = f->columns + n;
    return CSY_OK;
}

csy_status frontier_limits(const struct ageing *ageing, const struct frontier_moments *moments,
                           int128 *limits, csy_error *error)
{
    size_t n = ageing->pairs->nclocks;
    struct frontier f = {0};
    size_t narcs = ageing->nnodes > 0 ? ageing->first_out[ageing->nnodes] : 0;
    struct sweep sweep = {.places = moments->places,
                          .sorted = malloc((narcs + 1) * sizeof *sweep.sorted),
                          .left = malloc((ageing->pairs->nvertices + 1) * sizeof *sweep.left)};
    csy_status status = sweep.sorted && sweep.left ? CSY_OK : error_memory(error);
    for (size_t i = 0; i < narcs && !status; i++) {
        const struct arc arc = arc_of(ageing, i);
        if (ageing->vertex[arc.from] != ageing->vertex[arc.to])
            sweep.sorted[sweep.narcs++] = (struct placed){.arc = (uint32_t)i};
    }
    if (!status) {
        int128 *places = moments->places;
        for (uint32_t v = 0; v < ageing->nnodes; v++)
            if (ageing->vertex[v] >= n)
                places[v] = -FRONTIER_NONE;
        for (size_t i = 0; i < sweep.narcs; i++) {
            const struct arc arc = arc_of(ageing, sweep.sorted[i].arc);
            if (ageing->vertex[arc.to] >= n && places[arc.from] > places[arc.to])
                places[arc.to] = places[arc.from];
        }
        status = frontier_init(&f, ageing, ageing->pairs->nvertices - n, error);
    }
    for (size_t i = 0; i < moments->count * n * n && !status; i++)
        limits[i] = i / n % n == i % n ? 0 : FRONTIER_NONE;
    for (size_t way = 0; way < 2 && !status; way++) {
        sweep.forth = way == 0;
        for (size_t i = 0; i < sweep.narcs; i++) {
            const struct arc arc = arc_of(ageing, sweep.sorted[i].arc);
            int128 place = sweep.places[sweep.forth ? arc.to : arc.from];
            sweep.sorted[i].high = nearest_int64(place >> 32);
            sweep.sorted[i].low = (uint32_t)place;
        }
        SORT(sweep.sorted, sweep.narcs, by_place);
        run(&f, &sweep, moments, limits);
    }
    if (!status)
        cross(ageing, &sweep, moments, limits);
    for (size_t k = 0; k < moments->count && !status; k++) {
        close_limits(limits + k * n * n, n);
        limit_by_reference(ageing, moments->readings + k * n, limits + k * n * n, f.there, f.back);
    }
    FREE_ALL(f.limits, f.vertex, f.at, f.begun, sweep.sorted, sweep.left);
    return status;
}

uint128 frontier_steps(const struct ageing *ageing, size_t nmoments)
{
    uint128 n = ageing->pairs->nclocks;
    return n * ageing->pairs->count + nmoments * n * n * n;
}

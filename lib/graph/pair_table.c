/* Stores constraints between points by the vertices of the points (graph/pair_table.h). */
#include "graph/pair_table.h"

#include "base/array.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"

#include <stdlib.h>
#include <string.h>

#define EMPTY UINT64_MAX
#define NOTHING UINT32_MAX

/* The constraints between two vertices. If clocks do not drift, only the strictest one is stored
 * here. If clocks drift, a cell has all constraints that end at the location `to`, and `from` is
 * the index in `stacked` of the last of them. */
struct pair_cell {
    uint64_t key; /* numbers of the two vertices: s << 32 | t */
    int64_t weight;
    uint32_t from, to;
};

struct stacked_pair {
    int64_t weight;
    uint32_t from, to, below;
};

void pairs_fini(struct pairs *pairs)
{
    FREE_ALL(pairs->items, pairs->first, pairs->met);
    *pairs = (struct pairs){0};
}

/* Returns the cell of a key, or a free cell. If clocks drift, there is a cell for each location. */
static struct pair_cell *find_cell(const struct pair_table *table, uint64_t key, uint32_t location)
{
    uint64_t hash = (key ^ (uint64_t)location << 16) * 0x9e3779b97f4a7c15u;
    size_t i = (size_t)(hash ^ hash >> 32) & (table->cells_size - 1);
    for (; table->cells[i].key != EMPTY; i = (i + 1) & (table->cells_size - 1))
        if (table->cells[i].key == key && (!table->rate_ppb || table->cells[i].to == location))
            break;
    return &table->cells[i];
}

static csy_status grow_cells(struct pair_table *table, csy_error *error)
{
    struct pair_cell *old = table->cells;
    size_t old_size = table->cells_size, size = old_size ? 2 * old_size : 1024;
    struct pair_cell *cells =
        memory_allows((uint128)size * sizeof *cells) ? malloc(size * sizeof *cells) : NULL;
    if (!cells)
        return error_memory(error);
    memset(cells, 0xff, size * sizeof *cells);
    table->cells = cells;
    table->cells_size = size;
    for (size_t i = 0; i < old_size; i++)
        if (old[i].key != EMPTY)
            *find_cell(table, old[i].key, table->rate_ppb ? old[i].to : 0) = old[i];
    free(old);
    return CSY_OK;
}

csy_status pair_table_init(struct pair_table *table, const struct points *points,
                           const uint32_t *rate_ppb, csy_error *error)
{
    *table = (struct pair_table){.points = points, .rate_ppb = rate_ppb, .unused = NOTHING};
    return grow_cells(table, error);
}

void pair_table_fini(struct pair_table *table)
{
    FREE_ALL(table->cells, table->stacked);
    *table = (struct pair_table){0};
}

static csy_status count_pair(struct pair_table *table, csy_error *error)
{
    return table->count++ < PAIRS_MAX
               ? CSY_OK
               : error_set(
                     error, CSY_MEMORY,
                     "more than %zu pairs of %s, or of clocks and groups, have direct constraints",
                     PAIRS_MAX, table->rate_ppb ? "clock readings" : "clocks");
}

/* Returns true if `other` implies `pair` at all drift rates. `by` is the weight of `pair` minus the
 * weight of `other`. */
static bool follows(const struct pair_table *table, const struct clock_pair *pair,
                    const struct stacked_pair *other, int128 by)
{
    const struct instant *items = table->points->items;
    return by >= 0 &&
           by * RATE_UNIT >= table->rate_ppb[pair->s] *
                                     number_distance(items[pair->from].lo, items[other->from].lo) +
                                 table->rate_ppb[pair->t] *
                                     number_distance(items[pair->to].hi, items[other->to].hi);
}

static csy_status push(struct pair_table *table, const struct clock_pair *pair, uint32_t below,
                       uint32_t *top, csy_error *error)
{
    if (!ARRAY_TAKE(table->stacked, table->stacked_capacity, table->nstacked, below, table->unused,
                    top))
        return error_memory(error);
    table->stacked[*top] = (struct stacked_pair){pair->weight, pair->from, pair->to, below};
    return count_pair(table, error);
}

static csy_status stack_pair(struct pair_table *table, struct pair_cell *cell,
                             const struct clock_pair *pair, csy_error *error)
{
    uint32_t top = cell->from;
    const struct stacked_pair *highest = &table->stacked[top];
    const struct instant *items = table->points->items;
    bool first =
        pair->weight == highest->weight && items[pair->to].position < items[highest->to].position;
    if (!first && follows(table, pair, highest, (int128)pair->weight - highest->weight))
        return CSY_OK;
    while (top != NOTHING) {
        struct stacked_pair *item = &table->stacked[top];
        if (!follows(table, pair, item, (int128)item->weight - pair->weight))
            break;
        uint32_t below = item->below;
        item->below = table->unused;
        table->unused = top;
        top = below;
        table->count--;
    }
    return push(table, pair, top, &cell->from, error);
}

csy_status pair_table_add(struct pair_table *table, const struct clock_pair *pair, csy_error *error)
{
    const struct instant *items = table->points->items;
    bool drifts = table->rate_ppb != NULL;
    uint64_t key = (uint64_t)pair->s << 32 | pair->t;
    uint32_t location = drifts ? items[pair->to].location : 0;
    struct pair_cell *cell = find_cell(table, key, location),
                     fresh = {key, pair->weight, pair->from, drifts ? location : pair->to};
    bool met = cell->key == key;
    csy_status status = CSY_OK;
    if (drifts && met)
        return stack_pair(table, cell, pair, error);
    if (met) {
        if (pair->weight < cell->weight ||
            (pair->weight == cell->weight && items[pair->to].position < items[cell->to].position))
            *cell = fresh;
        return CSY_OK;
    }
    status = drifts ? push(table, pair, NOTHING, &fresh.from, error) : count_pair(table, error);
    if (status)
        return status;
    *cell = fresh;
    table->ncells++;
    return table->ncells > table->cells_size / 4 * 3 ? grow_cells(table, error) : CSY_OK;
}

static uint32_t top_of(const struct pair_table *table, const struct pair_cell *cell)
{
    return table->rate_ppb ? cell->from : NOTHING;
}

static void change(uint32_t *from, uint32_t *to, uint32_t *used, const uint32_t *numbers)
{
    if (used) {
        used[*from] |= PAIR_USES;
        used[*to] |= PAIR_USES;
    } else {
        *from = numbers[*from];
        *to = numbers[*to];
    }
}

static void change_all(const struct pair_table *table, uint32_t *used, const uint32_t *numbers)
{
    for (size_t i = 0; i < table->cells_size; i++) {
        struct pair_cell *cell = &table->cells[i];
        if (cell->key == EMPTY)
            continue;
        if (!table->rate_ppb)
            change(&cell->from, &cell->to, used, numbers);
        for (uint32_t k = top_of(table, cell); k != NOTHING; k = table->stacked[k].below)
            change(&table->stacked[k].from, &table->stacked[k].to, used, numbers);
    }
}

void pair_table_mark(const struct pair_table *table, uint32_t *used)
{
    change_all(table, used, NULL);
}

void pair_table_renumber(struct pair_table *table, const uint32_t *numbers)
{
    change_all(table, NULL, numbers);
}

static size_t cell_size(const struct pair_table *table, const struct pair_cell *cell)
{
    size_t n = 0;
    for (uint32_t i = top_of(table, cell); i != NOTHING; i = table->stacked[i].below)
        n++;
    return table->rate_ppb ? n : 1;
}

static void put_cell(const struct pair_table *table, const struct pair_cell *cell, size_t *next,
                     struct clock_pair *out)
{
    uint32_t s = (uint32_t)(cell->key >> 32), t = (uint32_t)cell->key;
    *next += cell_size(table, cell);
    size_t n = *next;
    if (!table->rate_ppb)
        out[n - 1] = (struct clock_pair){s, t, cell->weight, cell->from, cell->to};
    for (uint32_t i = top_of(table, cell); i != NOTHING; i = table->stacked[i].below) {
        const struct stacked_pair *item = &table->stacked[i];
        out[--n] = (struct clock_pair){s, t, item->weight, item->from, item->to};
    }
}

static void sort(const struct pair_table *table, size_t n, size_t *first, struct clock_pair *by_t,
                 struct pairs *out)
{
    for (size_t i = 0; i < table->cells_size; i++)
        if (table->cells[i].key != EMPTY) {
            size_t npairs = cell_size(table, &table->cells[i]);
            first[(uint32_t)table->cells[i].key + 2] += npairs;
            out->first[(table->cells[i].key >> 32) + 2] += npairs;
        }
    for (size_t v = 0; v < n; v++) {
        first[v + 2] += first[v + 1];
        out->first[v + 2] += out->first[v + 1];
    }
    for (size_t i = 0; i < table->cells_size; i++)
        if (table->cells[i].key != EMPTY)
            put_cell(table, &table->cells[i], &first[(uint32_t)table->cells[i].key + 1], by_t);
    for (size_t i = 0; i < out->count; i++)
        out->items[out->first[by_t[i].s + 1]++] = by_t[i];
}

/* A constraint with the latest time and the position in the file of the event where it ends, for
 * sorting. */
struct placed_pair {
    int64_t hi;
    uint64_t position;
    size_t index; /* index before sorting; it keeps the order of pairs with equal readings */
    struct clock_pair pair;
};

static int by_reading(const void *left, const void *right)
{
    const struct placed_pair *a = left, *b = right;
    return COMPARE_THEN(a->hi, b->hi,
                        COMPARE_THEN(a->position, b->position, COMPARE(a->index, b->index)));
}

/* Sort n pairs by the times of the points where they end, and remove unnecessary pairs. Returns how
 * many are left. */
static size_t merge_stacks(const struct pair_table *table, struct clock_pair *items, size_t n,
                           struct placed_pair *placed)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        const struct instant *to = &table->points->items[items[i].to];
        placed[i] = (struct placed_pair){to->hi, to->position, i, items[i]};
    }
    SORT(placed, n, by_reading);
    for (size_t i = 0; i < n; i++) {
        const struct clock_pair *pair = &placed[i].pair;
        bool said = false;
        while (count > 0 && !said) {
            const struct clock_pair *top = &items[count - 1];
            const struct stacked_pair other = {top->weight, top->from, top->to, NOTHING};
            int128 by = (int128)pair->weight - top->weight;
            said = follows(table, pair, &other, by);
            if (!said && !follows(table, pair, &other, -by))
                break;
            count -= !said;
        }
        if (!said)
            items[count++] = *pair;
    }
    return count;
}

static csy_status merge_all(const struct pair_table *table, struct pairs *out, csy_error *error)
{
    const struct instant *points = table->points->items;
    struct placed_pair *placed = NULL;
    size_t capacity = 0, count = 0, begin = 0;
    for (size_t s = 0; s < out->nvertices; s++) {
        size_t end = out->first[s + 1];
        out->first[s] = count;
        for (size_t i = begin, n; i < end; i += n) {
            struct clock_pair *items = out->items + i;
            for (n = 1; i + n < end && items[n].t == items->t;)
                n++;
            size_t left = n;
            size_t k = 1;
            while (k < n && points[items[k].to].location == points[items[0].to].location &&
                   points[items[k].to].hi >= points[items[k - 1].to].hi)
                k++;
            if (k < n) {
                if (!ARRAY_RESERVE(placed, capacity, n)) {
                    free(placed);
                    return error_memory(error);
                }
                left = merge_stacks(table, items, n, placed);
            }
            memmove(out->items + count, items, left * sizeof *items);
            count += left;
        }
        begin = end;
    }
    out->first[out->nvertices] = out->count = count;
    free(placed);
    return CSY_OK;
}

csy_status pair_table_collect(const struct pair_table *table, size_t nclocks, size_t nvertices,
                              struct pairs *out, csy_error *error)
{
    size_t n = nvertices, count = table->count;
    *out = (struct pairs){.nclocks = nclocks, .nvertices = n, .count = count};
    size_t *first = calloc(n + 2, sizeof *first);
    struct clock_pair *by_t = calloc(count + 1, sizeof *by_t);
    out->first = calloc(n + 2, sizeof *out->first);
    out->items = malloc((count + 1) * sizeof *out->items);
    csy_status status = first && by_t && out->first && out->items ? CSY_OK : error_memory(error);
    if (!status)
        sort(table, n, first, by_t, out);
    FREE_ALL(first, by_t);
    if (!status && table->rate_ppb)
        status = merge_all(table, out, error);
    if (status)
        pairs_fini(out);
    return status;
}

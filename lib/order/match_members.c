/* Makes the edges of collective operations, such as barriers and broadcasts.
 *
 * Each member of a group has a record of each operation. The k-th records of all members belong to
 * one operation, which is called instance k. The members' records with operation_enters begin
 * before the members' records with operation_leaves end (order/operations.h). */
#include "order/matching.h"

#include "base/error.h"
#include "base/sort.h"
#include "order/operations.h"

#include <stdlib.h>
#include <string.h>

/* A record of a collective operation of one group. */
struct item {
    struct member_end *at;
    size_t index;    /* index of the record in the order of the file */
    int64_t begin_x; /* time of the begin, as in clock/points.h */
    /* number of the operation in its group, stated in the record or counted for the member */
    uint64_t instance;
    /* true if the number is uncertain because another operation began at almost the same time */
    bool close;
    bool left_out;
};

struct group {
    struct matching *m;
    struct item *items;
    size_t n;
    uint32_t key; /* key of the group's name (from points_key) */
};

static const struct instant *begin_of(const struct group *g, const struct item *item)
{
    return &g->m->points->items[item->at->end.begin];
}

static void leave_out(const struct group *g, struct item *item, csy_left_out why)
{
    if (!item->left_out)
        matching_leave_out(g->m, item->at->is.enters ? CSY_END_ENTER : CSY_END_LEAVE, why,
                           &item->at->end);
    item->left_out = true;
}

static int compare_indexes(const struct item *x, const struct item *y)
{
    return COMPARE(x->index, y->index);
}

/* Sorts records by member. Records that state the number of their operation come after all
 * others. */
static int compare_members(const void *a, const void *b)
{
    const struct item *x = a, *y = b;
    int by_self = COMPARE_THEN(x->at->is.self, y->at->is.self, compare_indexes(x, y));
    return COMPARE_THEN(x->at->is.has_instance, y->at->is.has_instance, by_self);
}

static int compare_instances(const void *a, const void *b)
{
    const struct item *x = a, *y = b;
    bool by_member = x->at->is.has_instance != y->at->is.has_instance || x->instance == y->instance;
    return by_member ? compare_members(a, b) : COMPARE(x->instance, y->instance);
}

static int compare_begins(const void *a, const void *b)
{
    const struct item *x = a, *y = b;
    return COMPARE_THEN(x->begin_x, y->begin_x, compare_indexes(x, y));
}

/* Sort the operations of a member by their begins, since nonblocking operations may end in another
 * order. If begins are unknown, the order of the file counts. If the member has several clocks, its
 * operations are left out. */
static void order_member(const struct group *g, struct item *items, size_t n)
{
    bool locations = false, clocks = false, begins = true, in_order = true;
    for (size_t i = 0; i < n; i++)
        begins &= items[i].at->end.begin != items[i].at->end.end;
    for (size_t i = 1; i < n; i++) {
        in_order &= items[i - 1].begin_x <= items[i].begin_x;
        locations |= begin_of(g, &items[i])->location != begin_of(g, items)->location;
        clocks |= begin_of(g, &items[i])->clock != begin_of(g, items)->clock;
    }
    if (!locations && (clocks || !begins || in_order))
        return;
    for (size_t i = 0; i < n && clocks; i++)
        leave_out(g, &items[i], CSY_LEFT_SEVERAL_CLOCKS);
    if (clocks)
        return;
    SORT(items, n, compare_begins);
    for (size_t i = 0, end; i < n; i = end) {
        bool close = false;
        for (end = i + 1; end < n; end++) {
            const struct item *last = &items[end - 1], *next = &items[end];
            if (points_tell(g->m->points, next->begin_x - last->begin_x))
                break;
            close |= begin_of(g, next)->location != begin_of(g, last)->location ||
                     next->index < last->index;
        }
        for (size_t k = i; k < end; k++)
            items[k].close = close;
    }
}

/* counts[0] becomes the number of enters, counts[1] the number of leaves. */
static void count_member(struct item *items, size_t n, uint64_t counts[2])
{
    counts[0] = counts[1] = 0;
    for (size_t i = 0; i < n; i++) {
        const struct event_collective *is = &items[i].at->is;
        items[i].instance = is->enters ? counts[0] : counts[1];
        counts[0] += is->enters;
        counts[1] += is->leaves;
    }
}

/* Returns the most frequent count: the greatest one if several are equally frequent. */
static uint64_t find_usual(uint64_t *counts, size_t n)
{
    uint64_t usual = 0;
    size_t most = 0;
    sort_numbers(counts, n);
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i; end < n && counts[end] == counts[i];)
            end++;
        if (end - i >= most) {
            most = end - i;
            usual = counts[i];
        }
    }
    return usual;
}

static size_t end_of_member(const struct item *items, size_t n, size_t first)
{
    size_t end = first;
    while (end < n && items[end].at->is.self == items[first].at->is.self)
        end++;
    return end;
}

static bool agrees(const struct item *x, const struct item *y)
{
    const struct event_collective *a = &x->at->is, *b = &y->at->is;
    return a->kind == b->kind &&
           (!operation_is_rooted(a->kind) || (a->has_root && b->has_root && a->root == b->root));
}

static csy_status add_edge(const struct group *g, uint32_t from, uint32_t to, int64_t latency_ticks,
                           csy_error *error)
{
    bool hub = instant_is_hub(&g->m->points->items[from]);
    struct order_edge edge = {from, to, latency_ticks, g->key, hub ? EDGE_LEAVE : EDGE_ENTER};
    return points_edge(g->m->points, &edge, error);
}

/* Add an edge from point `from` to the end of the record `leave`, with the latency that this record
 * states, or 0. */
static csy_status add_leave(const struct group *g, uint32_t from, const struct match_end *leave,
                            csy_error *error)
{
    int64_t latency = leave->latency_ticks == LATENCY_USUAL ? 0 : leave->latency_ticks;
    return add_edge(g, from, leave->end, latency, error);
}

/* Make the edges of a scan: each rank gets data from all lower ranks. `items` are the records of
 * the ranks, sorted by rank. Each rank that gives data gets a hub, which is an additional point.
 * The hub comes after the begin of this rank's record and after the hub of the next lower rank. The
 * end of a record that gets data comes after the last hub so far. */
static csy_status scan(const struct group *g, const struct item *items, size_t n, csy_error *error)
{
    uint32_t before = NO_POINT;
    csy_status status = CSY_OK;
    bool itself = items->at->is.kind == COLLECTIVE_SCAN;
    for (size_t i = 0; i < n && !status; i++) {
        const struct match_end *end = &items[i].at->end;
        const struct event_collective *is = &items[i].at->is;
        uint32_t hub;
        bool gives = operation_gives(is) && !end->begin_unknown, gets = operation_gets(is);
        if (gets && !itself && before != NO_POINT)
            status = add_leave(g, before, end, error);
        if (!status && gives) {
            status = points_hub(g->m->points, end->begin, &hub, error);
            if (!status)
                status = add_edge(g, end->begin, hub, 0, error);
            if (!status && before != NO_POINT)
                status = add_edge(g, before, hub, 0, error);
            before = status ? before : hub;
        }
        if (!status && gets && itself && before != NO_POINT)
            status = add_leave(g, before, end, error);
    }
    return status;
}

static csy_status match_instance(const struct group *g, struct item *items, size_t n,
                                 csy_error *error)
{
    enum collective_kind kind = items->at->is.kind;
    struct match_end *enters = malloc((2 * n + 1) * sizeof *enters);
    size_t nenters = 0, nleaves = 0;
    if (!enters)
        return error_memory(error);
    struct match_end *leaves = enters + n;
    for (size_t i = 0; i < n; i++) {
        const struct member_end *at = items[i].at;
        if (operation_enters(&at->is) && at->end.begin_unknown)
            matching_leave_out(g->m, CSY_END_ENTER, CSY_LEFT_NO_BEGIN, &at->end);
        else if (operation_enters(&at->is))
            enters[nenters++] = at->end;
        if (operation_leaves(&at->is))
            leaves[nleaves++] = at->end;
    }
    csy_status status = CSY_OK;
    if (nenters > 0 && nleaves > 0) {
        g->m->report.groups++;
        g->m->report.enters += nenters;
        g->m->report.leaves += nleaves;
        status = operation_goes_up(kind) ? scan(g, items, n, error)
                                         : matching_join(g->m, enters, nenters, leaves, nleaves,
                                                         g->key, EDGE_ENTER, error);
    } else {
        for (size_t i = 0; i < nenters; i++)
            matching_leave_out(g->m, CSY_END_ENTER, CSY_LEFT_UNMATCHED, &enters[i]);
        for (size_t i = 0; i < nleaves; i++)
            matching_leave_out(g->m, CSY_END_LEAVE, CSY_LEFT_UNMATCHED, &leaves[i]);
    }
    free(enters);
    return status;
}

static csy_status match_group(struct group *g, csy_error *error)
{
    size_t counted = 0, kept = 0;
    bool different = false; /* true if members disagree; operations must then have stated numbers */
    csy_status status = CSY_OK;
    /* If the trace has lost an operation of a clock, the numbers of the clock's later operations
     * are unknown. Leave them out. */
    size_t rest = 0;
    for (size_t i = 0; i < g->n && g->m->nlost > 0; i++) {
        const struct instant *begin = begin_of(g, &g->items[i]);
        int64_t lost = begin->clock < g->m->nlost ? g->m->lost[begin->clock] : INT64_MAX;
        if (lost < INT64_MAX && (begin->lo >= lost || !points_tell(g->m->points, lost - begin->lo)))
            leave_out(g, &g->items[i], CSY_LEFT_LOST);
        else
            g->items[rest++] = g->items[i];
    }
    g->n = g->m->nlost > 0 ? rest : g->n;
    SORT(g->items, g->n, compare_members);
    while (counted < g->n && !g->items[counted].at->is.has_instance)
        counted++;
    /* Number the operations of each member. Leave out members with an unusual count. */
    size_t found = 0;
    uint64_t *counts = malloc((2 * counted + 1) * sizeof *counts), of_member[2];
    status = counts ? CSY_OK : error_memory(error);
    for (size_t i = 0, end; i < counted && !status; i = end) {
        end = end_of_member(g->items, counted, i);
        order_member(g, g->items + i, end - i);
        if (g->items[i].left_out)
            continue;
        count_member(g->items + i, end - i, of_member);
        for (size_t side = 0; side < 2; side++)
            if (of_member[side] > 0)
                counts[found++] = of_member[side];
    }
    uint64_t usual = status || found == 0 ? 0 : find_usual(counts, found);
    for (size_t i = 0, end; i < counted && !status; i = end) {
        end = end_of_member(g->items, counted, i);
        count_member(g->items + i, end - i, of_member);
        bool uses = (of_member[0] == 0 || of_member[0] == usual) &&
                    (of_member[1] == 0 || of_member[1] == usual);
        for (size_t k = i; k < end; k++)
            if (!uses || g->items[k].close)
                leave_out(g, &g->items[k], uses ? CSY_LEFT_CLOSE : CSY_LEFT_COUNT);
    }
    free(counts);
    for (size_t i = 0; i < g->n; i++)
        if (!g->items[i].left_out)
            g->items[kept++] = g->items[i];
    SORT(g->items, kept, compare_instances);
    for (size_t i = 0, end; i < kept && !status; i = end) {
        struct item *first = &g->items[i];
        bool given = first->at->is.has_instance, same = true;
        for (end = i; end < kept && g->items[end].instance == first->instance &&
                      g->items[end].at->is.has_instance == given;
             end++)
            same = same && agrees(first, &g->items[end]);
        different = given ? false : different || !same;
        for (size_t k = i; k < end && (!same || different); k++)
            leave_out(g, &g->items[k], CSY_LEFT_DIFFERENT);
        if (same && !different)
            status = match_instance(g, first, end - i, error);
    }
    return status;
}

static int compare_groups(const void *a, const void *b)
{
    const struct item *x = a, *y = b;
    return COMPARE_THEN(x->at->end.key, y->at->end.key, compare_indexes(x, y));
}

csy_status matching_members(struct matching *m, csy_error *error)
{
    size_t n = m->nmembers;
    if (n == 0)
        return CSY_OK;
    struct item *items = malloc(n * sizeof *items);
    csy_status status = items ? CSY_OK : error_memory(error);
    for (size_t i = 0; i < n && !status; i++)
        items[i] = (struct item){.at = &m->members[i],
                                 .index = i,
                                 .begin_x = m->points->items[m->members[i].end.begin].lo,
                                 .instance = m->members[i].is.instance};
    if (!status)
        SORT(items, n, compare_groups);
    for (size_t i = 0, end; i < n && !status; i = end) {
        struct group g = {.m = m, .items = items + i};
        for (end = i; end < n && items[end].at->end.key == items[i].at->end.key;)
            end++;
        g.n = end - i;
        status = matching_key(m, KEYS_GROUPS, items[i].at->end.key, &g.key, error);
        if (!status)
            status = match_group(&g, error);
    }
    free(items);
    return status;
}

/* Matches members of collective operations while several locations are read. */
#include "order/meet_members.h"

#include "base/array.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/texts.h"
#include "order/operations.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX
#define NONE_KEPT INT64_MAX

/* Sums of a few timestamps below this fit in 64 bits. */
#define TICKS_MAX ((int64_t)1 << 61)

/* A member record. In use while its instance is incomplete or while `kept` > 0; otherwise on the
 * free list. */
struct record {
    struct stream_item item;
    uint32_t location, slot; /* slot: of its member */
    uint32_t next;           /* next record of its instance, or next free one */
    uint32_t kept;
    bool enters, leaves; /* it is counted as an enter, or a leave, */
    bool gives, gets;    /* and makes edges */
};

/* Two records that are kept for a pair of members. */
struct keeping {
    uint32_t records[2];
    uint32_t next;
};

/* An ordered pair of members. */
struct cell {
    int64_t least;  /* least end minus begin */
    uint32_t first; /* the first of its keepings, or NONE */
};

/* What an instance becomes: edges, a hub, or a hub for each member. Explanations show the shortest
 * of equivalent paths, so each shape keeps its own best instance. */
enum shape { EDGES, HUB, HUBS, SHAPES };

struct instance {
    uint32_t first; /* record */
    uint32_t count;
    bool close;
};

struct member {
    uint32_t location;
    uint64_t count; /* how many operations it has had */
    int64_t began_ticks;
};

struct group {
    uint32_t *slots; /* by rank: its member, or NONE */
    size_t nslots, slots_capacity;
    struct member *members;
    size_t nmembers, members_capacity;
    uint32_t ranks;            /* how many members are expected */
    uint64_t first;            /* number of the first incomplete instance */
    struct instance *open;     /* incomplete instances from `first` on: a ring */
    size_t begin, count, room; /* room is a power of 2 */
    uint32_t *whole;           /* the first record of each instance that is kept whole */
    size_t nwhole, whole_capacity;
    uint64_t whole_records;
    struct table {
        struct cell *cells; /* an entry for each ordered pair of members, ranks * ranks; NULL
                               before the first use */
        int64_t *most;      /* by member: the greatest `least` of its cells, relative to levels */
    } tables[SHAPES];
    int64_t *level; /* by member: roughly its clock at a common moment */
};

/* A member of an instance that gives something, with its begin, or gets something, with its end. */
struct side {
    uint32_t slot, record;
    int64_t ticks;
};

struct meet_members {
    const uint32_t *clocks;
    struct texts keys; /* groups by the source's numbers */
    struct group *groups;
    size_t ngroups, capacity;
    struct record *records;
    size_t nrecords, records_capacity;
    uint32_t free_record;
    struct keeping *keepings;
    size_t nkeepings, keepings_capacity;
    uint32_t free_keeping;
    struct side *sides[2];
    size_t sides_capacity[2], nsides[2];
    uint64_t waiting, instances, enters, leaves;
    bool counted, failed;
};

csy_status meet_members_new(const uint32_t *clocks, bool counted, struct meet_members **out,
                            csy_error *error)
{
    struct meet_members *m = calloc(1, sizeof *m);
    if (!m)
        return error_memory(error);
    m->clocks = clocks;
    m->counted = counted;
    m->free_record = m->free_keeping = NONE;
    *out = m;
    return CSY_OK;
}

void meet_members_free(struct meet_members *m)
{
    if (!m)
        return;
    for (size_t i = 0; i < m->ngroups; i++) {
        struct group *group = &m->groups[i];
        free(group->slots);
        free(group->members);
        free(group->open);
        free(group->whole);
        for (unsigned shape = 0; shape < SHAPES; shape++) {
            free(group->tables[shape].cells);
            free(group->tables[shape].most);
        }
        free(group->level);
    }
    texts_fini(&m->keys);
    free(m->groups);
    free(m->records);
    free(m->keepings);
    free(m->sides[0]);
    free(m->sides[1]);
    free(m);
}

uint64_t meet_members_waiting(const struct meet_members *m)
{
    return m->waiting;
}

/* --- Records -------------------------------------------------------------------------------- */

static bool add_record(struct meet_members *m, const struct record *record, uint32_t *out)
{
    *out = m->free_record;
    if (*out != NONE) {
        m->free_record = m->records[*out].next;
    } else {
        if (m->nrecords == NONE || !ARRAY_RESERVE(m->records, m->records_capacity, m->nrecords + 1))
            return false;
        *out = (uint32_t)m->nrecords++;
    }
    m->records[*out] = *record;
    return true;
}

static void let_go(struct meet_members *m, uint32_t at)
{
    struct record *record = &m->records[at];
    if (--record->kept > 0)
        return;
    record->next = m->free_record;
    m->free_record = at;
}

static void let_go_all(struct meet_members *m, uint32_t first)
{
    for (uint32_t i = first, next; i != NONE; i = next) {
        next = m->records[i].next;
        let_go(m, i);
    }
}

/* Keep two records for a cell. */
static bool keep_for(struct meet_members *m, struct cell *cell, uint32_t a, uint32_t b)
{
    uint32_t at = m->free_keeping;
    if (at != NONE) {
        m->free_keeping = m->keepings[at].next;
    } else {
        if (m->nkeepings == NONE ||
            !ARRAY_RESERVE(m->keepings, m->keepings_capacity, m->nkeepings + 1))
            return false;
        at = (uint32_t)m->nkeepings++;
    }
    m->keepings[at] = (struct keeping){{a, b}, cell->first};
    m->records[a].kept++;
    m->records[b].kept++;
    cell->first = at;
    return true;
}

static void forget_kept(struct meet_members *m, struct cell *cell)
{
    while (cell->first != NONE) {
        uint32_t at = cell->first;
        struct keeping *keeping = &m->keepings[at];
        let_go(m, keeping->records[0]);
        let_go(m, keeping->records[1]);
        cell->first = keeping->next;
        keeping->next = m->free_keeping;
        m->free_keeping = at;
    }
}

/* --- An instance, by pairs of members ------------------------------------------------------- */

static struct cell *cell_of(const struct group *g, enum shape shape, uint32_t from, uint32_t to)
{
    return &g->tables[shape].cells[(size_t)from * g->ranks + to];
}

static bool is_one_clock(const struct meet_members *m, const struct group *g, uint32_t s,
                         uint32_t t)
{
    return m->clocks[g->members[s].location] == m->clocks[g->members[t].location];
}

/* A member has no pair with itself. Two members of one clock could only contradict it, because
 * begins and ends are at least a tick apart. */
static bool make_table(const struct meet_members *m, struct group *g, enum shape shape)
{
    size_t n = g->ranks;
    struct table *table = &g->tables[shape];
    if (!memory_allows((uint128)n * n * sizeof *table->cells))
        return false;
    table->cells = malloc(n * n * sizeof *table->cells);
    table->most = malloc(n * sizeof *table->most);
    if (!table->cells || !table->most)
        return false;
    for (uint32_t s = 0; s < n; s++) {
        table->most[s] = NONE_KEPT;
        for (uint32_t t = 0; t < n; t++)
            *cell_of(g, shape, s, t) =
                (struct cell){is_one_clock(m, g, s, t) ? 1 : NONE_KEPT, NONE};
        cell_of(g, shape, s, s)->least = INT64_MIN;
    }
    return true;
}

static bool make_levels(const struct meet_members *m, struct group *g, uint32_t first)
{
    g->level = calloc(g->ranks, sizeof *g->level);
    if (!g->level)
        return false;
    for (uint32_t i = first; i != NONE; i = m->records[i].next)
        g->level[m->records[i].slot] = m->records[i].item.time_ticks;
    return true;
}

static void find_most(struct group *g, enum shape shape, uint32_t from)
{
    int64_t most = INT64_MIN;
    for (uint32_t t = 0; t < g->ranks && most < NONE_KEPT; t++) {
        int64_t least = cell_of(g, shape, from, t)->least;
        if (t == from)
            continue;
        if (least != NONE_KEPT)
            least += g->level[from] - g->level[t];
        most = least > most ? least : most;
    }
    g->tables[shape].most[from] = most;
}

/* The first record of a side that is neither a nor b. */
static uint32_t find_other(const struct meet_members *m, unsigned side, uint32_t a, uint32_t b)
{
    for (size_t i = 0; i < m->nsides[side]; i++)
        if (m->sides[side][i].record != a && m->sides[side][i].record != b)
            return m->sides[side][i].record;
    return NONE;
}

/* Keep two records. A hub needs at least two members that enter and two that leave, so one more of
 * each is kept if these two do not provide them. */
static bool keep_pair(struct meet_members *m, bool hub, struct cell *cell, uint32_t from,
                      uint32_t to)
{
    const struct record *a = &m->records[from], *b = &m->records[to];
    uint32_t others[2] = {NONE, NONE};
    forget_kept(m, cell);
    if (hub) {
        others[0] = b->gives ? NONE : find_other(m, 0, from, to);
        others[1] = a->gets ? NONE : find_other(m, 1, from, to);
    }
    for (unsigned i = 0; i < 2; i++)
        if (others[i] != NONE && !keep_for(m, cell, others[i], from))
            return false;
    return keep_for(m, cell, from, to);
}

/* How to evaluate an instance; m->sides has its records. */
struct folding {
    bool up; /* members give to higher ranks only */
    enum shape shape;
};

/* Update the cells from one member that gives to all members that get something. False if out of
 * memory, or if one clock is contradicted. */
static bool fold_row(struct meet_members *m, struct group *g, const struct side *from,
                     const struct folding *f)
{
    bool changed = false;
    for (size_t i = 0; i < m->nsides[1]; i++) {
        const struct side *to = &m->sides[1][i];
        struct cell *cell = cell_of(g, f->shape, from->slot, to->slot);
        int64_t least = to->ticks - from->ticks;
        if (least >= cell->least ||
            (f->up && m->records[to->record].item.key[3] < m->records[from->record].item.key[3]))
            continue;
        if (is_one_clock(m, g, from->slot, to->slot))
            return false;
        cell->least = least;
        changed = true;
        if (!keep_pair(m, f->shape == HUB, cell, from->record, to->record))
            return false;
    }
    if (changed)
        find_most(g, f->shape, from->slot);
    return true;
}

static bool gather_sides(struct meet_members *m, const struct group *g, uint32_t first)
{
    m->nsides[0] = m->nsides[1] = 0;
    for (unsigned i = 0; i < 2; i++)
        if (!ARRAY_RESERVE(m->sides[i], m->sides_capacity[i], g->ranks))
            return false;
    for (uint32_t i = first; i != NONE; i = m->records[i].next) {
        const struct record *record = &m->records[i];
        if (record->gives)
            m->sides[0][m->nsides[0]++] = (struct side){record->slot, i, record->item.other_ticks};
        if (record->gets)
            m->sides[1][m->nsides[1]++] = (struct side){record->slot, i, record->item.time_ticks};
    }
    return true;
}

/* Keep an instance if it implies more than earlier ones, and release its other records. A member
 * that waited long implies less than what is known already, and needs no look at its cells. */
static bool fold(struct meet_members *m, struct group *g, uint32_t first)
{
    if (!gather_sides(m, g, first))
        return false;
    bool up = operation_goes_up((enum collective_kind)m->records[first].item.kind);
    bool hub = m->nsides[0] > 1 && m->nsides[1] > 1;
    const struct folding f = {up, up ? HUBS : hub ? HUB : EDGES};
    if (!g->tables[f.shape].cells && !make_table(m, g, f.shape))
        return false;
    int64_t least = INT64_MAX;
    for (size_t i = 0; i < m->nsides[1]; i++) {
        int64_t after = m->sides[1][i].ticks - g->level[m->sides[1][i].slot];
        least = after < least ? after : least;
    }
    for (size_t i = 0; i < m->nsides[0] && m->nsides[1] > 0; i++) {
        const struct side *from = &m->sides[0][i];
        if (least - (from->ticks - g->level[from->slot]) < g->tables[f.shape].most[from->slot] &&
            !fold_row(m, g, from, &f))
            return false;
    }
    let_go_all(m, first);
    return true;
}

/* --- Instances ------------------------------------------------------------------------------ */

static bool agrees(const struct stream_item *x, const struct stream_item *y)
{
    return x->kind == y->kind && (!operation_is_rooted((enum collective_kind)x->kind) ||
                                  (x->has_root && y->has_root && x->key[1] == y->key[1]));
}

/* Count the enters and leaves of an instance; false if it has only one of these kinds. */
static bool count(struct meet_members *m, const struct instance *instance)
{
    uint64_t enters = 0, leaves = 0;
    for (uint32_t i = instance->first; i != NONE; i = m->records[i].next) {
        enters += m->records[i].enters;
        leaves += m->records[i].leaves;
    }
    m->instances += enters > 0 && leaves > 0;
    m->enters += enters;
    m->leaves += leaves;
    return (enters > 0) == (leaves > 0);
}

/* The most records that are kept without comparing pairs. */
static uint64_t whole_most(const struct group *g)
{
    return 4 * (uint64_t)g->ranks + (uint64_t)g->ranks * g->ranks / 4;
}

/* Add an instance that need not be kept whole. It is kept whole nevertheless while there are
 * few. */
static bool add_instance(struct meet_members *m, struct group *g, uint32_t first)
{
    if (!g->level && g->whole_records + g->ranks <= whole_most(g)) {
        g->whole_records += g->ranks;
        if (!ARRAY_RESERVE(g->whole, g->whole_capacity, g->nwhole + 1))
            return false;
        g->whole[g->nwhole++] = first;
        return true;
    }
    if (!g->level && !make_levels(m, g, first))
        return false;
    for (size_t i = 0; i < g->nwhole; i++)
        if (!fold(m, g, g->whole[i]))
            return false;
    g->nwhole = 0;
    return fold(m, g, first);
}

/* The first open instance is complete. */
static bool complete(struct meet_members *m, struct group *g)
{
    const struct instance instance = g->open[g->begin];
    bool good = count(m, &instance), always = g->first == 0 || (instance.close && !m->counted);
    g->begin = (g->begin + 1) & (g->room - 1);
    g->count--;
    g->first++;
    m->waiting -= instance.count;
    if (!always && m->counted)
        let_go_all(m, instance.first);
    return good && (always || m->counted || add_instance(m, g, instance.first));
}

static bool grow_open(struct group *g)
{
    size_t room = g->room ? 2 * g->room : 4;
    struct instance *open = malloc(room * sizeof *open);
    if (!open)
        return false;
    for (size_t i = 0; i < g->count; i++)
        open[i] = g->open[(g->begin + i) & (g->room - 1)];
    free(g->open);
    g->open = open;
    g->begin = 0;
    g->room = room;
    return true;
}

/* The open instance with this number. The number after the last one opens a new instance. */
static struct instance *find_open(struct group *g, uint64_t number)
{
    if (number - g->first == g->count) {
        if (g->count == g->room && !grow_open(g))
            return NULL;
        g->open[(g->begin + g->count++) & (g->room - 1)] = (struct instance){.first = NONE};
    }
    return &g->open[(g->begin + (number - g->first)) & (g->room - 1)];
}

/* --- Members -------------------------------------------------------------------------------- */

static struct group *find_group(struct meet_members *m, const struct stream_item *item)
{
    uint32_t number;
    bool added;
    if (!texts_find(&m->keys, (const char *)&item->key[0], sizeof item->key[0], &number, &added))
        return NULL;
    if (added) {
        if (!ARRAY_RESERVE(m->groups, m->capacity, m->ngroups + 1))
            return NULL;
        m->groups[m->ngroups++] = (struct group){.ranks = item->ranks};
    }
    return &m->groups[number];
}

/* The member of a rank. NULL if out of memory, or if the rank has several locations or there are
 * too many ranks. */
static struct member *find_member(struct group *g, uint32_t rank, uint32_t location)
{
    if (rank == NONE || !ARRAY_RESERVE(g->slots, g->slots_capacity, (size_t)rank + 1))
        return NULL;
    while (g->nslots <= rank)
        g->slots[g->nslots++] = NONE;
    if (g->slots[rank] == NONE) {
        if (g->nmembers == g->ranks ||
            !ARRAY_RESERVE(g->members, g->members_capacity, g->nmembers + 1))
            return NULL;
        g->slots[rank] = (uint32_t)g->nmembers;
        g->members[g->nmembers++] = (struct member){.location = location};
    }
    struct member *member = &g->members[g->slots[rank]];
    return member->location == location ? member : NULL;
}

static bool add(struct meet_members *m, size_t location, const struct stream_item *item)
{
    const struct event_collective is = meet_members_collective(item);
    struct group *g = find_group(m, item);
    struct member *member = g ? find_member(g, item->key[3], (uint32_t)location) : NULL;
    struct instance *instance = member ? find_open(g, member->count) : NULL;
    struct record record = {.item = *item,
                            .location = (uint32_t)location,
                            .kept = 1,
                            .enters = operation_enters(&is),
                            .leaves = operation_leaves(&is),
                            .gives = operation_gives(&is),
                            .gets = operation_gets(&is)};
    uint32_t at;
    if (!instance || item->time_ticks < 0 || item->time_ticks >= TICKS_MAX || !agrees(item, item))
        return false;
    if (item->interval ? item->other_ticks < member->began_ticks : record.enters)
        return false;
    record.slot = (uint32_t)(member - g->members);
    record.next = instance->first;
    record.item.instance = member->count++;
    member->began_ticks = item->interval ? item->other_ticks : member->began_ticks;
    if ((record.next != NONE && !agrees(&m->records[record.next].item, item)) ||
        !add_record(m, &record, &at))
        return false;
    instance->first = at;
    instance->count++;
    instance->close |= item->close;
    m->waiting++;
    return instance->count < g->ranks || complete(m, g);
}

bool meet_members_item(struct meet_members *m, size_t location, const struct stream_item *item)
{
    m->failed = m->failed || !add(m, location, item);
    return !m->failed;
}

/* --- What is kept --------------------------------------------------------------------------- */

/* All members must have the same number of operations; ranks without operations are missing. */
static bool finish_group(struct meet_members *m, struct group *g)
{
    for (size_t i = 1; i < g->nmembers; i++)
        if (g->members[i].count != g->members[0].count)
            return false;
    for (size_t i = 0; i < g->count; i++)
        if (!count(m, &g->open[(g->begin + i) & (g->room - 1)]))
            return false;
    return true;
}

static bool list_members(const struct meet_members *m, struct meet_members_result *out)
{
    size_t n = 0;
    for (size_t i = 0; i < m->ngroups; i++)
        n += m->groups[i].nmembers;
    out->members = malloc((n + 1) * sizeof *out->members);
    for (size_t i = 0; i < m->ngroups && out->members; i++) {
        uint32_t group;
        memcpy(&group, m->keys.bytes + m->keys.items[i].at, sizeof group);
        for (uint32_t rank = 0; rank < m->groups[i].nslots; rank++)
            if (m->groups[i].slots[rank] != NONE)
                out->members[out->nmembers++] = (struct meet_member){group, rank};
    }
    return out->members != NULL;
}

static int by_instance(const void *a, const void *b)
{
    const struct stream_item *x = &((const struct meet_end *)a)->item,
                             *y = &((const struct meet_end *)b)->item;
    if (x->key[0] != y->key[0])
        return x->key[0] < y->key[0] ? -1 : 1;
    return (x->instance > y->instance) - (x->instance < y->instance);
}

/* Subtract the kept operations, because they will be counted again. */
static void count_kept(const struct meet_end *ends, size_t n, struct meet_members_result *out)
{
    uint64_t enters = 0, leaves = 0;
    for (size_t i = 0; i < n; i++) {
        const struct event_collective is = meet_members_collective(&ends[i].item);
        enters += operation_enters(&is);
        leaves += operation_leaves(&is);
    }
    out->groups -= enters > 0 && leaves > 0;
    out->enters -= enters;
    out->leaves -= leaves;
}

bool meet_members_finish(struct meet_members *m, struct meet_members_result *out)
{
    bool good = !m->failed;
    size_t n = 0;
    for (size_t i = 0; i < m->ngroups && good; i++)
        good = finish_group(m, &m->groups[i]);
    *out = (struct meet_members_result){
        .groups = m->instances, .enters = m->enters, .leaves = m->leaves};
    for (size_t i = 0; i < m->nrecords; i++)
        n += m->records[i].kept > 0;
    out->ends = good ? malloc((n + 1) * sizeof *out->ends) : NULL;
    if (!out->ends || !list_members(m, out))
        return false;
    for (size_t i = 0; i < m->nrecords; i++)
        if (m->records[i].kept > 0)
            out->ends[out->count++] = (struct meet_end){m->records[i].location, m->records[i].item};
    qsort(out->ends, n, sizeof *out->ends, by_instance);
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && by_instance(&out->ends[i], &out->ends[end]) == 0;)
            end++;
        count_kept(&out->ends[i], end - i, out);
    }
    return true;
}

/* Death records. */
#include "graph/deaths.h"

#include "base/array.h"
#include "base/error.h"
#include "base/memory.h"

#include <stdlib.h>

/* Of a block: as much as all before it, within these. */
enum { BLOCK_BYTES_MIN = 1 << 20, BLOCK_BYTES_MAX = 1 << 24 };

#define NONE UINT32_MAX

void death_records_fini(struct death_records *records)
{
    for (size_t i = 0; i < records->nblocks; i++)
        free(records->blocks[i]);
    free(records->blocks);
    free(records->deaths);
    free(records->born);
    *records = (struct death_records){0};
}

/* Room for `bytes` in the blocks, 8-byte aligned. */
static unsigned char *take_bytes(struct death_records *records, size_t bytes)
{
    if (records->nblocks == 0 || records->block_used + bytes > records->block_size) {
        size_t size = records->blocks_size < BLOCK_BYTES_MIN   ? BLOCK_BYTES_MIN
                      : records->blocks_size > BLOCK_BYTES_MAX ? BLOCK_BYTES_MAX
                                                               : records->blocks_size;
        size = bytes > size ? bytes : size;
        if (!ARRAY_RESERVE(records->blocks, records->blocks_capacity, records->nblocks + 1))
            return NULL;
        unsigned char *block = malloc(size);
        if (!block)
            return NULL;
        memory_expect(block, size);
        records->blocks[records->nblocks++] = block;
        records->block_used = 0;
        records->block_size = size;
        records->blocks_size += size;
    }
    unsigned char *taken = records->blocks[records->nblocks - 1] + records->block_used;
    records->block_used += bytes;
    return taken;
}

csy_status death_records_add(struct death_records *records, uint32_t thread, size_t live,
                             struct death_room *room, csy_error *error)
{
    size_t values = 2 * live + (records->has_carrier ? live + 1 : 0);
    size_t id_bytes = (live * sizeof(uint32_t) + 7) / 8 * 8;
    unsigned char *bytes = take_bytes(records, values * sizeof(int64_t) + id_bytes);
    if (!bytes || !ARRAY_RESERVE(records->deaths, records->capacity, records->count + 1))
        return error_memory(error);
    int64_t *row = (int64_t *)(void *)bytes;
    *room = (struct death_room){(uint32_t *)(void *)(row + values), row, row + live,
                                records->has_carrier ? row + 2 * live : NULL};
    records->deaths[records->count++] =
        (struct death){thread, (uint32_t)live, room->ids, room->row, room->column, room->carrier};
    records->live_most = live > records->live_most ? live : records->live_most;
    return CSY_OK;
}

/* By thread: the first death that has it. */
static uint32_t *find_first(const struct death_records *records)
{
    uint32_t *first = malloc((records->nthreads + 1) * sizeof *first);
    for (size_t t = 0; first && t < records->nthreads; t++)
        first[t] = NONE;
    for (size_t k = 0; first && k < records->count; k++) {
        const struct death *d = &records->deaths[k];
        for (uint32_t i = 0; i < d->live; i++)
            if (first[d->ids[i]] == NONE)
                first[d->ids[i]] = (uint32_t)k;
    }
    return first;
}

csy_status death_uses_init(struct death_uses *uses, const struct death_records *records,
                           csy_error *error)
{
    *uses = (struct death_uses){.first = records->born};
    if (!records->born)
        uses->first = uses->found = find_first(records);
    uint32_t *uses_of = calloc(records->count + 1, sizeof *uses_of); /* how many begin at a death */
    if (!uses->first || !uses_of) {
        free(uses_of);
        death_uses_fini(uses);
        return error_memory(error);
    }
    for (size_t t = 0; t < records->nthreads; t++)
        if (uses->first[t] < records->count)
            uses_of[uses->first[t]]++;
    size_t wanted = 0;
    for (size_t k = records->count; k-- > 0; wanted -= uses_of[k]) {
        wanted++;
        uses->most = wanted > uses->most ? wanted : uses->most;
    }
    free(uses_of);
    return CSY_OK;
}

void death_uses_fini(struct death_uses *uses)
{
    free(uses->found);
    *uses = (struct death_uses){0};
}

/* --- Components, by R. Tarjan 1972 --- */

struct search {
    size_t n;
    size_t *start; /* by thread, and one more: its edges in `to` */
    uint32_t *to;
    size_t *next;        /* by thread: its edge to look at */
    uint32_t *met, *low; /* by thread: when it was met; the least met that it reaches */
    uint32_t *path, *open, *component; /* threads on the way; met, and of no component yet */
    size_t npath, nopen, nmet, ncomponents;
};

/* Call for each edge; first to count them, then to fill them in. */
static void take_edge(struct search *s, uint32_t from, uint32_t to, bool count)
{
    if (count)
        s->start[from + 1]++;
    else
        s->to[s->next[from]++] = to;
}

static void take_edges(struct search *s, const struct death_records *records, bool count)
{
    for (size_t k = 0; k < records->count; k++) {
        const struct death *d = &records->deaths[k];
        for (uint32_t i = 0; i + 1 < d->live; i++) {
            if (d->row[i] < WALK_FAR)
                take_edge(s, d->thread, d->ids[i], count);
            if (d->column[i] < WALK_FAR)
                take_edge(s, d->ids[i], d->thread, count);
        }
    }
}

static bool search_init(struct search *s, const struct death_records *records)
{
    size_t n = s->n = records->nthreads;
    s->start = calloc(n + 2, sizeof *s->start);
    s->next = malloc((n + 1) * sizeof *s->next);
    s->met = malloc((4 * n + 1) * sizeof *s->met);
    if (!s->start || !s->next || !s->met)
        return false;
    s->low = s->met + n;
    s->path = s->low + n;
    s->open = s->path + n;
    take_edges(s, records, true);
    for (size_t t = 0; t < n; t++) {
        s->start[t + 1] += s->start[t];
        s->next[t] = s->start[t];
        s->met[t] = NONE;
    }
    s->to = malloc((s->start[n] + 1) * sizeof *s->to);
    if (!s->to)
        return false;
    take_edges(s, records, false);
    for (size_t t = 0; t < n; t++) {
        s->next[t] = s->start[t];
        s->component[t] = NONE;
    }
    return true;
}

static void meet(struct search *s, uint32_t t)
{
    s->met[t] = s->low[t] = (uint32_t)s->nmet++;
    s->path[s->npath++] = s->open[s->nopen++] = t;
}

static void lower(uint32_t *low, uint32_t to)
{
    *low = to < *low ? to : *low;
}

/* All edges of the last thread on the path have been looked at. */
static void leave(struct search *s)
{
    uint32_t t = s->path[--s->npath];
    if (s->npath > 0)
        lower(&s->low[s->path[s->npath - 1]], s->low[t]);
    if (s->low[t] != s->met[t])
        return;
    do
        s->component[s->open[--s->nopen]] = (uint32_t)s->ncomponents;
    while (s->open[s->nopen] != t);
    s->ncomponents++;
}

static void search_from(struct search *s, uint32_t from)
{
    meet(s, from);
    while (s->npath > 0) {
        uint32_t t = s->path[s->npath - 1];
        if (s->next[t] == s->start[t + 1]) {
            leave(s);
            continue;
        }
        uint32_t to = s->to[s->next[t]++];
        if (s->met[to] == NONE)
            meet(s, to);
        else if (s->component[to] == NONE)
            lower(&s->low[t], s->met[to]);
    }
}

/* It is written to by name of the struct: NOLINTNEXTLINE(readability-non-const-parameter) */
csy_status death_components(const struct death_records *records, uint32_t *component, size_t *count,
                            csy_error *error)
{
    struct search s = {.component = component};
    bool good = search_init(&s, records);
    for (uint32_t t = 0; good && t < s.n; t++)
        if (s.met[t] == NONE)
            search_from(&s, t);
    *count = s.ncomponents;
    free(s.start);
    free(s.to);
    free(s.next);
    free(s.met);
    return good ? CSY_OK : error_memory(error);
}

/* Ends -> edges: who starts a location, and who waits for its end. */
#include "order/matching.h"

#include "base/error.h"
#include "order/match.h"

#include <stdlib.h>

/* The locations of one who runs, and what says when it began and ended. */
struct life {
    uint32_t first_location; /* or NO_LOCATION */
    const struct match_end *spawn, *join;
    bool several; /* spawns, or joins */
};

/* The first of these that has records, or NULL. */
static struct life *find_life(const struct matching *m, const struct texts *runners,
                              struct life *lives, uint32_t list)
{
    const struct texts *lists = &m->texts[KEYS_LIVES];
    const struct text_item *item = &lists->items[list];
    csy_text rest = {lists->bytes + item->at, item->size}, key;
    while (match_next_key(&rest, &key)) {
        uint32_t number;
        if (texts_look(runners, key.bytes, key.size, &number))
            return &lives[number];
    }
    return NULL;
}

static void note_lives(struct matching *m, const struct match_locations *at, csy_end kind,
                       struct life *lives)
{
    struct match_ends *ends = &m->ends[kind];
    for (size_t i = 0; i < ends->count; i++) {
        const struct match_end *end = &ends->items[i];
        struct life *life = find_life(m, at->runners, lives, end->key);
        if (!life) {
            matching_leave_out(m, kind, CSY_LEFT_UNMATCHED, end);
            continue;
        }
        const struct match_end **of = kind == CSY_END_SPAWN ? &life->spawn : &life->join;
        life->several |= *of != NULL;
        *of = end;
    }
}

/* A spawn before the first records of its location, in each of its streams; the last ones before
 * its join.  Where there are several of either, which lives they are of is not known. */
static csy_status join_life(struct matching *m, const uint32_t *first, const struct life *life,
                            const uint32_t *next_location, csy_error *error)
{
    bool spawns = life->spawn && !life->spawn->begin_unknown;
    csy_status status = CSY_OK;
    if (life->spawn && life->spawn->begin_unknown)
        matching_leave_out(m, CSY_END_SPAWN, CSY_LEFT_NO_BEGIN, life->spawn);
    m->report.spawns += spawns;
    m->report.joins += life->join != NULL;
    for (uint32_t at = life->first_location; at != NO_LOCATION && !status; at = next_location[at]) {
        struct order_edge spawn = {spawns ? life->spawn->begin : NO_POINT, first[at], 0, NO_KEY,
                                   EDGE_SPAWN};
        struct order_edge join = {NO_POINT, NO_POINT, 0, NO_KEY, EDGE_JOIN};
        if (spawns)
            status = points_edge(m->points, &spawn, error);
        if (!status && life->join) {
            status = points_keep_last(m->points, at, &join.from, error);
            join.to = life->join->end;
        }
        if (!status && life->join)
            status = points_edge(m->points, &join, error);
    }
    return status;
}

csy_status matching_lives(struct matching *m, const struct match_locations *at, csy_error *error)
{
    size_t nlives = at->runners->count, nlocations = at->count;
    if (m->ends[CSY_END_SPAWN].count + m->ends[CSY_END_JOIN].count == 0)
        return CSY_OK;
    struct life *lives = calloc(nlives + 1, sizeof *lives);
    uint32_t *next_location = malloc((nlocations + 1) * sizeof *next_location);
    csy_status status = lives && next_location ? CSY_OK : error_memory(error);
    for (size_t i = 0; i < nlives && !status; i++)
        lives[i] = (struct life){.first_location = NO_LOCATION};
    for (size_t i = nlocations; i-- > 0 && !status;) {
        struct life *life = &lives[at->runner_of[i]];
        next_location[i] = life->first_location;
        life->first_location = (uint32_t)i;
    }
    if (!status) {
        note_lives(m, at, CSY_END_SPAWN, lives);
        note_lives(m, at, CSY_END_JOIN, lives);
    }
    for (size_t i = 0; i < nlives && !status; i++)
        if (!lives[i].several)
            status = join_life(m, at->first, &lives[i], next_location, error);
    for (csy_end kind = CSY_END_SPAWN; kind <= CSY_END_JOIN && !status; kind++)
        for (size_t i = 0; i < m->ends[kind].count; i++) {
            const struct match_end *end = &m->ends[kind].items[i];
            const struct life *life = find_life(m, at->runners, lives, end->key);
            if (life && life->several)
                matching_leave_out(m, kind, CSY_LEFT_SEVERAL_LIVES, end);
        }
    free(lives);
    free(next_location);
    return status;
}

/* Spawns and joins beside blocks that are read as they come. */
#include "order/block_lives.h"

#include "base/error.h"

#include <stdlib.h>

struct block_lives {
    struct points points;
    struct match *match;
};

csy_status block_lives_new(struct block_lives **out, csy_error *error)
{
    struct block_lives *lives = calloc(1, sizeof *lives);
    csy_status status =
        lives ? match_new(&lives->points, 0, NULL, &lives->match, error) : error_memory(error);
    *out = status ? NULL : lives;
    if (status)
        block_lives_free(lives);
    return status;
}

void block_lives_free(struct block_lives *lives)
{
    if (!lives)
        return;
    match_free(lives->match);
    points_fini(&lives->points);
    free(lives);
}

csy_status block_lives_locate(struct block_lives *lives, const struct event *event, uint32_t *out,
                              csy_error *error)
{
    return match_find_location(lives->match, event, out, error);
}

/* Its place among blocks is not told here. */
csy_status block_lives_event(struct block_lives *lives, const struct event *event, int64_t x,
                             csy_error *error)
{
    struct event bare = *event;
    struct event_roles roles = *event->roles;
    roles.buffer = roles.block = (csy_text){0};
    roles.flush = FLUSH_NONE;
    bare.roles = &roles;
    return match_event(lives->match, &bare, x, error);
}

csy_status block_lives_end(struct block_lives *lives, const struct instant *last, csy_error *error)
{
    const struct match_kept record = {last->position, last->place, last->clock,
                                      last->location, last->lo,    last->lo};
    const struct location_state *state = &lives->points.locations[last->location];
    return state->last.position == last->position ? CSY_OK
                                                  : match_keep(lives->match, &record, error);
}

csy_status block_lives_finish(struct block_lives *lives, const struct points **out,
                              csy_error *error)
{
    uint64_t place;
    *out = &lives->points;
    return match_finish(lives->match, &place, error);
}

const csy_matched *block_lives_report(const struct block_lives *lives)
{
    return match_report(lives->match);
}

enum edge_kind block_lives_kind(const struct block_lives *lives, const struct instant *from,
                                const struct instant *to)
{
    const struct points *points = &lives->points;
    for (size_t e = 0; e < points->nedges; e++) {
        const struct order_edge *edge = &points->edges[e];
        if ((edge->kind == EDGE_SPAWN || edge->kind == EDGE_JOIN) &&
            points->items[edge->from].position == from->position &&
            points->items[edge->to].position == to->position)
            return (enum edge_kind)edge->kind;
    }
    return EDGE_CHAIN;
}

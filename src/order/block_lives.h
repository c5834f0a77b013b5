/*
 * Who starts locations and waits for their ends, where blocks are read as they come
 * (order/block_line.h): of each location the first record and the last one, and all that spawn or
 * join, in the hands of order/match.h.
 */
#ifndef ORDER_BLOCK_LIVES_H
#define ORDER_BLOCK_LIVES_H

#include "order/match.h"

struct block_lives;

csy_status block_lives_new(struct block_lives **out, csy_error *error);
void block_lives_free(struct block_lives *lives);

/* The number of an event's location, from 0 as they come; all events are asked for. */
csy_status block_lives_locate(struct block_lives *lives, const struct event *event, uint32_t *out,
                              csy_error *error);

/* An event that spawns or joins, or is the first of its location; errors as of match_event. */
csy_status block_lives_event(struct block_lives *lives, const struct event *event, int64_t x,
                             csy_error *error);

/* All events have come, and this is the last one of its location; once for each. */
csy_status block_lives_end(struct block_lives *lives, const struct instant *last, csy_error *error);

/* That was done for all: edges of lives, whose kinds are EDGE_SPAWN and EDGE_JOIN, are among those
 * of these points, which stay until block_lives_free. */
csy_status block_lives_finish(struct block_lives *lives, const struct points **out,
                              csy_error *error);

/* What the locations are, and what was left out; after block_lives_finish. */
const csy_matched *block_lives_report(const struct block_lives *lives);

/* How that point comes before the other one, which positions name: EDGE_SPAWN, EDGE_JOIN, or
 * EDGE_CHAIN if by neither.  O(edges). */
enum edge_kind block_lives_kind(const struct block_lives *lives, const struct instant *from,
                                const struct instant *to);

#endif

/*
 * Drawn partial orders, and what brute force says of them: an instant for every point and an offset
 * for every clock are the vertices of one network, closed by Floyd and Warshall.
 */
#ifndef UNIT_PARTIAL_H
#define UNIT_PARTIAL_H

#include "support.h"

#include "base/number.h"
#include "clock/points.h"

enum { PARTIAL_CLOCKS = 6, PARTIAL_POINTS = 26, PARTIAL_VERTICES = 64 };

struct partial {
    struct points points; /* finished */
    size_t nclocks;
};

/* Records of a few clocks, on locations that share or change them, in chains of buffers too;
 * messages with latencies, hubs, begins, late stamps and flushes.  How late goes from not at all
 * up. */
void partial_draw(struct random *r, struct partial *p);

/* Barriers, most of which all clocks take part in, by stamps that are late; also messages between
 * two of them, and clocks that one lets go long after another one. */
void partial_draw_barriers(struct random *r, struct partial *p);
void partial_discard(struct partial *p);

/* A record of each of n clocks, on a location of its own; its point. */
void partial_add_records(struct points *points, uint32_t n, const int64_t *x, uint32_t *end);

#define PARTIAL_FAR ((int128)1 << 90)

/* bound[s][t], the greatest g[s] - g[t] in units of 1 / den ticks, where stamps are good to delta =
 * half / (2 den); PARTIAL_FAR or more: there is none.  False where nothing is feasible. */
bool partial_answer(const struct partial *p, int64_t twice_num, int64_t den,
                    int128 bound[PARTIAL_CLOCKS][PARTIAL_CLOCKS]);

#endif

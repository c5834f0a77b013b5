/*
 * A world of a PPE and some SPE contexts, acted out from bytes: what they do becomes a valid .pex,
 * and the truth is known.
 *
 * An act is a byte, of which three bits choose whose, and what its kind takes:
 *
 *   tell      a record of that context, or of the PPE; with interval, payload, a tail or not
 *   wait      time passes: little, much, or about whole wraps of a decrementer
 *   switch    that context leaves its SPE or gets one; its clock is restored with an error
 *   chatter   many records of all that run, plain ones, for the fast lanes
 *   disturb   a stamp that is off, a switch that is lost, a clock that is written: the world is
 *             lawful no more
 */
#ifndef FUZZ_WORLD_H
#define FUZZ_WORLD_H

#include "support.h"

enum { WORLD_BYTES_MAX = 64 * 1024, WORLD_RECORDS_MAX = 2048 };

struct world {
    uint8_t bytes[WORLD_BYTES_MAX]; /* the .pex */
    size_t size;
    int64_t now[WORLD_RECORDS_MAX]; /* when each record was written, in ticks of the PPE's clock */
    size_t records;
    bool lawful; /* all clocks are exact and of one rate; each switch is told */
};

void world_act(struct world *world, struct drawing *d);

#endif

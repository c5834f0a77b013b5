/*
 * What functions programs call, where that is recorded: --calls.
 *
 * Steps of a program enter and leave functions.  Work of a step may be done by functions that call
 * one another, as trees of calls whose levels take equal parts of the time:
 *
 *      subdivide        ---[ E own part ]-----------------------------------------[ X ]---
 *        subdivide                        [ E own part ... X ]
 *        subdivide                                             [ E own part ... X ]
 *
 * Without --calls such steps are passed over, and work is done at one go.
 */
#ifndef PDTSIM_ROUTINES_H
#define PDTSIM_ROUTINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Those of SPEs, then those of the PPE. */
enum routine {
    ROUTINE_NONE,
    ROUTINE_SPU_MAIN,
    ROUTINE_FFT,
    ROUTINE_FFT_PASS,
    ROUTINE_FFT_RADIX,
    ROUTINE_PRICE_ALL,
    ROUTINE_PRICE,
    ROUTINE_CND,
    ROUTINE_DRAW_ROW,
    ROUTINE_SUBDIVIDE,
    ROUTINE_TILE,
    ROUTINE_MULTIPLY,
    ROUTINE_SERVE,
    ROUTINE_SORT,
    ROUTINE_UPDATE,
    ROUTINE_RELAX,
    ROUTINE_STENCIL,
    ROUTINE_EXCHANGE,
    ROUTINE_BLOCK,
    ROUTINE_WORK,
    ROUTINE_MAIN,
    ROUTINE_START_ALL,
    ROUTINE_RUN_ROUND,
    ROUTINE_JOIN_ALL,
    ROUTINES
};

/* How a step's work is done: by a tree of calls. */
enum shape {
    SHAPE_NONE,
    SHAPE_RADIX,
    SHAPE_PRICE,
    SHAPE_SUBDIVIDE,
    SHAPE_MULTIPLY,
    SHAPE_SORT,
    SHAPE_STENCIL,
    SHAPE_WORK,
    SHAPES
};

enum { CALL_DEPTH_MAX = 16, SHAPE_LEVELS_MAX = 3 };

/* Who is active in a thread, the last one at the top. */
struct call_stack {
    enum routine routines[CALL_DEPTH_MAX];
    size_t depth;
};

/* How far a context is with a tree. */
struct call_tour {
    int64_t cycles;                 /* of its work */
    size_t level;                   /* of the call that it is at, from 0 */
    int64_t done[SHAPE_LEVELS_MAX]; /* calls that those above have made */
};

const char *routine_name(enum routine routine);
uint64_t routine_address(enum routine routine);
enum routine routine_at(uint64_t address);
enum { ROUTINE_BYTES = 0x400 };

/* Whether a step's work calls a routine. */
bool shape_calls(enum shape shape, enum routine routine);

/* How many levels a shape has, how many calls each of a level makes of the next one, and what is
 * called at a level, from 0. */
struct shape_levels {
    enum routine first, others;
    size_t levels;
    int64_t calls;
};
extern const struct shape_levels shapes[SHAPES];

#endif

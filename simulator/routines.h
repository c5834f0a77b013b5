/* Functions called by programs, if these are recorded: --calls.
 *
 * Steps of a program enter and leave functions. The work of a step may be done by functions that
 * call each other, as trees of calls with equal parts of the time for each level:
 *
 *      subdivide        ---[ E own part ]-----------------------------------------[ X ]---
 *        subdivide                        [ E own part ... X ]
 *        subdivide                                             [ E own part ... X ]
 *
 * Without --calls, such steps are skipped, and work is not divided. */
#ifndef PDTSIM_ROUTINES_H
#define PDTSIM_ROUTINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Routines of SPEs, then of the PPE. */
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

/* The tree of calls that does a step's work. */
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

/* The active routines of a thread, the last one at the top. */
struct call_stack {
    enum routine routines[CALL_DEPTH_MAX];
    size_t depth;
};

/* The progress of a context in a tree. */
struct call_tour {
    int64_t cycles;                 /* of its work */
    size_t level;                   /* of the present call, from 0 */
    int64_t done[SHAPE_LEVELS_MAX]; /* by level above: calls made */
};

const char *routine_name(enum routine routine);
uint64_t routine_address(enum routine routine);
enum routine routine_at(uint64_t address);
enum { ROUTINE_BYTES = 0x400 };

/* True if a step's work calls a routine. */
bool shape_calls(enum shape shape, enum routine routine);

/* The levels of a shape: their number, how many calls each call makes of the next level, and the
 * routine at each level, from 0. */
struct shape_levels {
    enum routine first, others;
    size_t levels;
    int64_t calls;
};
extern const struct shape_levels shapes[SHAPES];

#endif

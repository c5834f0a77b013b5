/* The functions of the simulated programs, for --calls.
 *
 * Some steps of a program enter or leave a function. The work of a step may be done by functions
 * that call each other. Their calls form a tree in which every level takes an equal part of the
 * time. E enters a function, and X leaves it:
 *
 *      subdivide        ---[ E own part ]-----------------------------------------[ X ]---
 *        subdivide                        [ E own part ... X ]
 *        subdivide                                             [ E own part ... X ]
 *
 * Without --calls, programs do not enter functions, and their work is not divided. */
#ifndef PDTSIM_ROUTINES_H
#define PDTSIM_ROUTINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The functions of SPEs, followed by the functions of the PPE. */
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

/* Trees of calls that do the work of a step. */
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

/* The functions that a thread has entered and not left, outermost first. */
struct call_stack {
    enum routine routines[CALL_DEPTH_MAX];
    size_t depth;
};

/* The position of a context in a tree of calls. */
struct call_tour {
    int64_t cycles; /* work of all calls of the tree, in cycles */
    size_t level;   /* level of the current call, from 0 */
    /* for each level: how many calls its current call has made */
    int64_t done[SHAPE_LEVELS_MAX];
};

const char *routine_name(enum routine routine);
uint64_t routine_address(enum routine routine);
enum routine routine_at(uint64_t address);
enum { ROUTINE_BYTES = 0x400 };

/* Returns true if the tree contains calls of `routine`. */
bool shape_calls(enum shape shape, enum routine routine);

/* A tree of calls: the function at level 0, the function at all other levels, the number of levels,
 * and how many calls each call makes. Calls at the last level make none. */
struct shape_levels {
    enum routine first, others;
    size_t levels;
    int64_t calls;
};
extern const struct shape_levels shapes[SHAPES];

#endif

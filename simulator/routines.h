/* The functions of the simulated programs, for --calls.
 *
 * Some steps of a program enter or leave a function. The work of a step may be done by functions
 * that call each other. Their calls form a tree, and every level of it takes an equal part of the
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
/* clang-format off */
#define ROUTINE_TABLE(ROUTINE)                                                                     \
    ROUTINE(SPU_MAIN, spu_main) ROUTINE(FFT, fft) ROUTINE(FFT_PASS, fft_pass)                      \
    ROUTINE(FFT_RADIX, fft_radix) ROUTINE(PRICE_ALL, price_all) ROUTINE(PRICE, price)              \
    ROUTINE(CND, cnd) ROUTINE(DRAW_ROW, draw_row) ROUTINE(SUBDIVIDE, subdivide)                    \
    ROUTINE(TILE, tile) ROUTINE(MULTIPLY, multiply) ROUTINE(SERVE, serve) ROUTINE(SORT, sort)      \
    ROUTINE(UPDATE, update) ROUTINE(RELAX, relax) ROUTINE(STENCIL, stencil)                        \
    ROUTINE(EXCHANGE, exchange) ROUTINE(BLOCK, block) ROUTINE(WORK, work) ROUTINE(MAIN, main)      \
    ROUTINE(START_ALL, start_all) ROUTINE(RUN_ROUND, run_round) ROUTINE(JOIN_ALL, join_all)
/* clang-format on */

/* Trees of calls that do the work of a step. Columns: name, function at level 0, function at other
 * levels, number of levels, and number of calls by each call above the last level. */
#define SHAPE_TABLE(SHAPE)                                                                         \
    SHAPE(RADIX, FFT_RADIX, FFT_RADIX, 2, 2)                                                       \
    SHAPE(PRICE, PRICE, CND, 2, 2)                                                                 \
    SHAPE(SUBDIVIDE, SUBDIVIDE, SUBDIVIDE, 3, 2)                                                   \
    SHAPE(MULTIPLY, MULTIPLY, MULTIPLY, 2, 4)                                                      \
    SHAPE(SORT, SORT, SORT, 3, 2)                                                                  \
    SHAPE(STENCIL, STENCIL, STENCIL, 1, 0)                                                         \
    SHAPE(WORK, WORK, WORK, 2, 2)

#define ROUTINE_NUMBER(number, name) ROUTINE_##number,
enum routine { ROUTINE_NONE, ROUTINE_TABLE(ROUTINE_NUMBER) ROUTINES };

#define SHAPE_NUMBER(number, ...) SHAPE_##number,
enum shape { SHAPE_NONE, SHAPE_TABLE(SHAPE_NUMBER) SHAPES };

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

struct shape_levels {
    enum routine first, others;
    size_t levels;
    int64_t calls;
};
extern const struct shape_levels shapes[SHAPES];

#endif

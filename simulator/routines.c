/* Functions called by programs. */
#include "simulator/routines.h"

/* The first address of functions in a local store, where tracing functions precede them, and in
 * main memory. */
enum { FIRST_ON_SPE = 0x4000, FIRST_ON_PPE = 0x10000000 };

static const char *const names[ROUTINES] = {
    [ROUTINE_SPU_MAIN] = "spu_main",
    [ROUTINE_FFT] = "fft",
    [ROUTINE_FFT_PASS] = "fft_pass",
    [ROUTINE_FFT_RADIX] = "fft_radix",
    [ROUTINE_PRICE_ALL] = "price_all",
    [ROUTINE_PRICE] = "price",
    [ROUTINE_CND] = "cnd",
    [ROUTINE_DRAW_ROW] = "draw_row",
    [ROUTINE_SUBDIVIDE] = "subdivide",
    [ROUTINE_TILE] = "tile",
    [ROUTINE_MULTIPLY] = "multiply",
    [ROUTINE_SERVE] = "serve",
    [ROUTINE_SORT] = "sort",
    [ROUTINE_UPDATE] = "update",
    [ROUTINE_RELAX] = "relax",
    [ROUTINE_STENCIL] = "stencil",
    [ROUTINE_EXCHANGE] = "exchange",
    [ROUTINE_BLOCK] = "block",
    [ROUTINE_WORK] = "work",
    [ROUTINE_MAIN] = "main",
    [ROUTINE_START_ALL] = "start_all",
    [ROUTINE_RUN_ROUND] = "run_round",
    [ROUTINE_JOIN_ALL] = "join_all",
};

const struct shape_levels shapes[SHAPES] = {
    [SHAPE_RADIX] = {ROUTINE_FFT_RADIX, ROUTINE_FFT_RADIX, 2, 2},
    [SHAPE_PRICE] = {ROUTINE_PRICE, ROUTINE_CND, 2, 2},
    [SHAPE_SUBDIVIDE] = {ROUTINE_SUBDIVIDE, ROUTINE_SUBDIVIDE, 3, 2},
    [SHAPE_MULTIPLY] = {ROUTINE_MULTIPLY, ROUTINE_MULTIPLY, 2, 4},
    [SHAPE_SORT] = {ROUTINE_SORT, ROUTINE_SORT, 3, 2},
    [SHAPE_STENCIL] = {ROUTINE_STENCIL, ROUTINE_STENCIL, 1, 0},
    [SHAPE_WORK] = {ROUTINE_WORK, ROUTINE_WORK, 2, 2},
};

const char *routine_name(enum routine routine)
{
    return names[routine];
}

uint64_t routine_address(enum routine routine)
{
    uint64_t at = (uint64_t)routine * ROUTINE_BYTES;
    return (routine < ROUTINE_MAIN ? FIRST_ON_SPE : FIRST_ON_PPE) + at;
}

enum routine routine_at(uint64_t address)
{
    uint64_t first = address < FIRST_ON_PPE ? FIRST_ON_SPE : FIRST_ON_PPE;
    return (enum routine)((address - first) / ROUTINE_BYTES);
}

bool shape_calls(enum shape shape, enum routine routine)
{
    return shape != SHAPE_NONE &&
           (shapes[shape].first == routine || shapes[shape].others == routine);
}

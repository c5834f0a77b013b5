/* Functions called by programs. */
#include "simulator/routines.h"

/* The first address of functions in a local store, where tracing functions precede them, and in
 * main memory. */
enum { FIRST_ON_SPE = 0x4000, FIRST_ON_PPE = 0x10000000 };

#define NAME(number, name) [ROUTINE_##number] = #name,
static const char *const names[ROUTINES] = {ROUTINE_TABLE(NAME)};

#define SHAPE(number, first, others, levels, calls)                                                \
    [SHAPE_##number] = {ROUTINE_##first, ROUTINE_##others, levels, calls},
const struct shape_levels shapes[SHAPES] = {SHAPE_TABLE(SHAPE)};

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

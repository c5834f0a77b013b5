/*
 * The whole pipeline over any trace: a few bytes that choose options, then a CSV or a .pex with its
 * records inside.  What must agree: solving.h.
 */
#include "solving.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct drawing d = {data, size};
    const struct solving solving = solving_draw(&d);
    memory_file(d.at, d.size);
    solve_all_ways(&solving, NULL, NULL);
    return 0;
}

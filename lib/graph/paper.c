/* Runs the relaxation of the paper [BHH08] (graph/paper.h). */
#include "graph/paper.h"

#include "base/error.h"
#include "graph/cycle.h"

#include <stdlib.h>

/* Numbers are integers in units of 2^-bits ticks, where `bits` is at most BITS_MAX. */
enum { BITS_MAX = 60 };

#define UNREACHED ((int128)1 << 126)
#define FAR ((int128)1 << 125)

/* Run Floyd-Warshall phases until a diagonal entry is negative. Returns the least one, or 0. */
static int128 close_phases(const struct constraints *c, int128 *closure)
{
    size_t n = c->count;
    for (size_t k = 0; k < n; k++) {
        for (size_t s = 0; s < n; s++) {
            const int128 *through = closure + k * n;
            int128 *row = closure + s * n, first = row[k];
            for (size_t t = 0; first < FAR && t < n; t++)
                if (first + through[t] < row[t])
                    row[t] = first + through[t];
        }
        progress_tell(c->progress, "relaxing", CSY_UNIT_THREADS, k + 1, n);
        for (size_t i = 0; i < n; i++)
            if (closure[i * n + i] < 0)
                return closure[i * n + i];
    }
    return 0;
}

csy_status paper_relax(const struct constraints *c, csy_fraction *added, csy_error *error)
{
    struct cycle cycle;
    *added = (csy_fraction){0, 1};
    csy_status status = cycle_find(c, *added, false, &cycle, error);
    bool feasible = cycle.length == 0, fits = true;
    cycle_fini(&cycle);
    if (status || feasible)
        return status;
    size_t n = c->count;
    int128 *closure = malloc(n * n * sizeof *closure), sum = 0, negative = -1;
    unsigned bits = 0;
    if (!closure)
        return error_memory(error);
    while (fits && negative < 0) {
        for (size_t s = 0; s < n; s++)
            for (size_t t = 0; t < n; t++) {
                int64_t w = s == t ? 0 : constraints_weight(c, s, t);
                int128 scaled = ((int128)w * ((int128)1 << bits)) + sum;
                closure[s * n + t] = s == t ? 0 : w >= WALK_FAR ? UNREACHED : scaled;
            }
        negative = close_phases(c, closure);
        /* Add half of -negative to every constraint. If it is odd, first halve the unit. */
        if (negative % 2 != 0) {
            fits = bits < BITS_MAX;
            bits += fits;
            sum *= 2;
            negative *= 2;
        }
        sum -= negative / 2;
    }
    free(closure);
    if (!fits || !fraction_make(sum, (int128)1 << bits, added))
        return error_set(error, CSY_INPUT,
                         "the paper's relaxation needs a finer fraction than 64 bits hold");
    return CSY_OK;
}

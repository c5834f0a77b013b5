/* By how much each clock can be moved against each other one. */
#include "analysis/ranges/reach.h"

#include "base/error.h"

#include <stdlib.h>

csy_status reach_init(struct reach *reach, const struct moves *moves, csy_error *error)
{
    size_t n = moves->n;
    csy_status status = CSY_OK;
    status = error_check_memory((uint128)n * n * sizeof *reach->matrix, NULL,
                                "moves of all pairs of clocks", error);
    if (status)
        return status;
    *reach = (struct reach){.n = n, .added_ticks = moves->sync->imprecision.added_ticks};
    reach->matrix = malloc((n * n + 1) * sizeof *reach->matrix);
    if (!reach->matrix)
        return error_memory(error);
    for (size_t s = 0; s < n; s++) {
        reach->matrix[s * n + s] = 0;
        for (size_t t = s + 1; !status && t < n; t++) {
            int64_t there = REACH_APART, back = REACH_APART;
            if (moves_live_together(moves, s, t))
                status = moves_between(moves, s, t, &there, &back, error);
            reach->matrix[s * n + t] = there;
            reach->matrix[t * n + s] = back;
            reach->greatest = there > reach->greatest ? there : reach->greatest;
            reach->greatest = back > reach->greatest ? back : reach->greatest;
        }
    }
    return status;
}

void reach_fini(struct reach *reach)
{
    free(reach->matrix);
    *reach = (struct reach){0};
}

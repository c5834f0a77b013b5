/* The figures of [BHH08] Table 1. */
#include "graph/statistics.h"

#include "base/error.h"

#include <string.h>

struct sums {
    int128 ppe, spe;
};

static void take_pair(csy_summary *out, struct sums *sums, int64_t error_ticks, bool both_spe)
{
    out->bounded++;
    if (error_ticks > out->max_error_ticks)
        out->max_error_ticks = error_ticks;
    if (both_spe) {
        if (error_ticks > out->max_error_spe_ticks)
            out->max_error_spe_ticks = error_ticks;
        sums->spe += error_ticks;
        out->error_spe.pairs++;
    } else {
        sums->ppe += error_ticks;
        out->error_ppe.pairs++;
    }
}

csy_status statistics_gather(const struct dense *d, const bool *spe, csy_summary *out,
                             csy_error *error)
{
    struct sums sums = {0, 0};
    memset(out, 0, sizeof *out);
    out->max_error_ticks = out->max_error_spe_ticks = -1;
    for (size_t s = 0; s < d->n; s++) {
        for (size_t t = s + 1; t < d->n; t++) {
            int64_t there = dense_bound(d, s, t), back = dense_bound(d, t, s);
            out->pairs++;
            if (there != TICKS_INF && back != TICKS_INF)
                take_pair(out, &sums, there + back, spe[s] && spe[t]);
        }
    }
    if (!fits_int64(sums.ppe) || !fits_int64(sums.spe))
        return error_set(error, CSY_INPUT, "the sum of the error bounds leaves 64 bits");
    out->error_ppe.sum_ticks = (int64_t)sums.ppe;
    out->error_spe.sum_ticks = (int64_t)sums.spe;
    return CSY_OK;
}

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

/* The pairs of thread s with those behind it. */
static void take_row(csy_summary *out, struct sums *sums, const struct bound_row *row, size_t s,
                     const bool *spe, size_t n)
{
    for (size_t t = s + 1; t < n; t++) {
        int64_t error_ticks = bound_error(row, t);
        out->pairs++;
        if (error_ticks >= 0)
            take_pair(out, sums, error_ticks, spe[s] && spe[t]);
    }
}

csy_status statistics_gather(const struct bounds *b, const bool *spe, csy_summary *out,
                             csy_error *error)
{
    struct sums sums = {0, 0};
    struct bound_rows rows;
    memset(out, 0, sizeof *out);
    out->max_error_ticks = out->max_error_spe_ticks = -1;
    csy_status status = bound_rows_init(&rows, b, error);
    for (size_t s = 0; s < b->n && !status; s++) {
        struct bound_row row;
        status = bound_rows_get(&rows, s, &row, error);
        if (!status)
            take_row(out, &sums, &row, s, spe, b->n);
    }
    bound_rows_fini(&rows);
    if (status)
        return status;
    if (!fits_int64(sums.ppe) || !fits_int64(sums.spe))
        return error_set(error, CSY_INPUT, "the sum of the error bounds leaves 64 bits");
    out->error_ppe.sum_ticks = (int64_t)sums.ppe;
    out->error_spe.sum_ticks = (int64_t)sums.spe;
    return CSY_OK;
}

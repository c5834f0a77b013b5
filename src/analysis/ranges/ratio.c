/* The extreme ratio of two times. */
#include "analysis/ranges/ratio.h"

#include "base/error.h"

#include <stdlib.h>

enum { ROUNDS_MAX = 64 };

/* What supplies of a flow, and the factors that make them, may come to together. */
#define SUPPLY_MAX ((int128)1 << 60)

static int128 value_at(const struct ratio_sum *sum, const int64_t *x, size_t nclocks)
{
    int128 value = sum->ticks;
    for (size_t t = 0; t < nclocks; t++)
        value += (int128)sum->c[t] * x[t];
    return value;
}

/* The supplies of sign * (whole_factor * part - part_factor * whole); false if they are too large.
 * */
static bool combine(const struct ratio_sum *part, const struct ratio_sum *whole,
                    const struct ratio *factors, int sign, int64_t *c, size_t nclocks)
{
    int128 sum = 0;
    if (factors->part > SUPPLY_MAX || factors->whole > SUPPLY_MAX)
        return false;
    for (size_t t = 0; t < nclocks; t++) {
        int128 supply = factors->whole * part->c[t] - factors->part * whole->c[t];
        sum += supply < 0 ? -supply : supply;
        if (sum > SUPPLY_MAX)
            return false;
        c[t] = (int64_t)(sign * supply);
    }
    return true;
}

/* Each round asks whether any moves have a more extreme ratio than those of the round before. */
csy_status ratio_find(const struct moves *moves, const struct ratio_sum *part,
                      const struct ratio_sum *whole, int sign, struct ratio *out, bool *attained,
                      csy_error *error)
{
    size_t n = moves->n;
    int64_t *c = malloc((n + 1) * sizeof *c), *x = calloc(n + 1, sizeof *x);
    csy_status status = c && x ? CSY_OK : error_memory(error);
    *attained = false;
    for (int round = 0; !status && !*attained && round < ROUNDS_MAX; round++) {
        int128 more;
        bool limited;
        *out = (struct ratio){value_at(part, x, n), value_at(whole, x, n)};
        if (out->part < 0 || out->whole <= 0)
            break;
        int128 divisor = (int128)common_divisor((uint128)out->part, (uint128)out->whole);
        struct ratio factors = {out->part / divisor, out->whole / divisor};
        if (!combine(part, whole, &factors, sign, c, n))
            break;
        status = moves_find(moves, c, x, &more, &limited, error);
        if (status || !limited)
            break;
        more += sign * (factors.whole * part->ticks - factors.part * whole->ticks);
        *attained = more <= 0;
    }
    free(c);
    free(x);
    return status;
}

/* The relaxation of the paper. */
#include "graph/paper.h"

#include "base/error.h"
#include "graph/cycle.h"

#include <stdlib.h>

/* Values are in units of 2^-bits ticks. */
enum { BITS_MAX = 60 };

#define UNREACHED ((int128)1 << 126)
#define FAR ((int128)1 << 125)

struct relaxation {
    const struct constraints *c;
    int128 *closure;
    unsigned bits;
    int128 added;
};

static void close_phase(struct relaxation *r, size_t k)
{
    size_t n = r->c->count;
    const int128 *through = r->closure + k * n;
    for (size_t s = 0; s < n; s++) {
        int128 *row = r->closure + s * n;
        int128 first = row[k];
        for (size_t t = 0; first < FAR && t < n; t++)
            if (first + through[t] < row[t])
                row[t] = first + through[t];
    }
}

/* Close phase by phase, until a diagonal entry becomes negative. Returns the first such entry, or
 * 0. */
static int128 first_negative(struct relaxation *r)
{
    size_t n = r->c->count;
    for (size_t k = 0; k < n; k++) {
        close_phase(r, k);
        progress_tell(r->c->progress, "relaxing", CSY_UNIT_THREADS, k + 1, n);
        for (size_t i = 0; i < n; i++)
            if (r->closure[i * n + i] < 0)
                return r->closure[i * n + i];
    }
    return 0;
}

/* Add d / 2 to every constraint. If d is odd, values get one more bit. */
static bool add_half(struct relaxation *r, int128 d)
{
    if (d % 2 != 0) {
        if (r->bits == BITS_MAX)
            return false;
        r->bits++;
        r->added *= 2;
        d *= 2;
    }
    r->added += d / 2;
    return true;
}

csy_status paper_relax(const struct constraints *c, csy_fraction *added, csy_error *error)
{
    struct cycle cycle;
    *added = (csy_fraction){0, 1};
    csy_status status = cycle_find(c, *added, false, &cycle, error);
    bool feasible = cycle.length == 0;
    cycle_fini(&cycle);
    if (status || feasible)
        return status;
    struct relaxation r = {.c = c, .closure = malloc(c->count * c->count * sizeof *r.closure)};
    if (!r.closure)
        return error_memory(error);
    bool fits = true;
    size_t n = c->count;
    for (;;) {
        for (size_t s = 0; s < n; s++) {
            for (size_t t = 0; t < n; t++) {
                int64_t w = s == t ? 0 : constraints_weight(c, s, t);
                int128 scaled = ((int128)w * ((int128)1 << r.bits)) + r.added;
                r.closure[s * n + t] = s == t ? 0 : w >= WALK_FAR ? UNREACHED : scaled;
            }
        }
        int128 negative = first_negative(&r);
        if (negative == 0 || !(fits = add_half(&r, -negative)))
            break;
    }
    free(r.closure);
    if (!fits || !fraction_make(r.added, (int128)1 << r.bits, added))
        return error_set(error, CSY_INPUT,
                         "the paper's relaxation needs a finer fraction than 64 bits hold");
    return CSY_OK;
}

/*
 * Together: for how long at least one actor is active, without how many are: cheaper than levels
 * (analysis/ranges/levels.h).  The range is exact where the order decides; else it is that of each
 * change by itself (analysis/ranges/levels_outer.h), which is wider than that of levels.
 */
#ifndef ANALYSIS_RANGES_TOGETHER_H
#define ANALYSIS_RANGES_TOGETHER_H

#include "analysis/ranges/forms.h"
#include "analysis/ranges/levels_outer.h"
#include "instants/instants.h"

struct together {
    struct forms forms; /* one, of the base order */
    struct reach reach;
    struct levels_outer outer;
    int64_t active;
    struct moment since; /* active is above 0 */
    bool some_unordered; /* a begin changes it */
};

/* Moves need not be finished; they must outlive it. */
csy_status together_init(struct together *together, const struct instants *instants,
                         const struct moves *moves, csy_error *error);
void together_fini(struct together *together);

/* An actor begins to be active (sign 1), or ceases (-1); false on no memory. */
bool together_take(struct together *together, const struct actor_instant *instant, int sign);

/* After the last, with moves finished. */
csy_status together_find(struct together *together, const struct instants *instants,
                         const struct moves *moves, csy_range *out, csy_error *error);

#endif

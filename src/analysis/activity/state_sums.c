/* Sums of times in states, and their shares. */
#include "analysis/activity/state_sums.h"

#include "analysis/ranges/ranges.h"
#include "base/number.h"

enum { PPM = 1000000 };

csy_range state_sum(const csy_range *ranges, size_t first, size_t end)
{
    csy_range sum = {.kind = CSY_RANGE_CLOCK};
    int128 estimate = 0;
    for (size_t i = first; i < end; i++) {
        const csy_range *r = &ranges[i];
        bool low = r->lo == INT64_MIN || sum.lo == INT64_MIN;
        bool high = r->hi == INT64_MAX || sum.hi == INT64_MAX;
        int128 lo = (int128)sum.lo + r->lo, hi = (int128)sum.hi + r->hi;
        estimate += r->estimate;
        sum.lo = low || !fits_int64(lo) ? INT64_MIN : (int64_t)lo;
        sum.hi = high || !fits_int64(hi) ? INT64_MAX : (int64_t)hi;
        if (r->kind == CSY_RANGE_UNKNOWN || sum.kind == CSY_RANGE_UNKNOWN)
            sum.kind = CSY_RANGE_UNKNOWN;
        else if (r->kind != CSY_RANGE_CLOCK) /* ends of several need not be attained together */
            sum.kind = r->kind == CSY_RANGE_STAR || sum.kind == CSY_RANGE_STAR ? CSY_RANGE_STAR
                                                                               : CSY_RANGE_PROVEN;
    }
    sum.estimate = fits_int64(estimate) ? (int64_t)estimate : INT64_MAX;
    return sum;
}

csy_range state_share(const csy_range *a, const csy_range *b)
{
    csy_range share = {.hi = PPM, .kind = state_sum((const csy_range[]){*a, *b}, 0, 2).kind};
    share.estimate = (int64_t)((int128)a->estimate * PPM / ((int128)a->estimate + b->estimate));
    if (share.kind == CSY_RANGE_CLOCK)
        share.lo = share.hi = share.estimate;
    else if (a->lo >= 0 && b->lo >= 0 && a->hi < INT64_MAX && b->hi < INT64_MAX) {
        int128 least = (int128)a->lo + b->hi, most = (int128)a->hi + b->lo;
        share.lo = least > 0 ? (int64_t)floor_div((int128)a->lo * PPM, least) : 0;
        share.hi = most > 0 ? (int64_t)ceil_div((int128)a->hi * PPM, most) : PPM;
    }
    range_include_estimate(&share);
    return share;
}

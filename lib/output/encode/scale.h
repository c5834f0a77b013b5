/* Positions of numbers in drawings, in integer arithmetic, so that all machines draw the same.
 *
 * A page has one scale for bounds: SHADES steps of colour from the tightest to the widest, linear,
 * or logarithmic as log(1 + ticks) if a few bounds are far above the others. */
#ifndef OUTPUT_ENCODE_SCALE_H
#define OUTPUT_ENCODE_SCALE_H

#include "base/number.h"

enum { SHADES = 8 };

struct scale {
    int64_t most; /* 0 to INT64_MAX - 1 */
    bool logarithmic;
};

/* Make a scale from 0 to `most`. `usual` is a typical value, which decides whether the scale is
 * logarithmic. */
struct scale scale_make(int64_t most, int64_t usual);

/* The position of `ticks`, between 0 and `room`; scale->most is at `room`. */
int scale_place(const struct scale *scale, int64_t ticks, int room);

/* scale_step: the step that contains `ticks`, if the scale is divided into `steps` steps; the first
 * step is 0. scale_step_begin: the least ticks in a step or in a later one; scale->most + 1 if
 * there are none. */
int scale_step(const struct scale *scale, int64_t ticks, int steps);
int64_t scale_step_begin(const struct scale *scale, int step, int steps);

/* The least of 1, 2, 5, 10, 20, ... that is at least value. */
int128 scale_nice(int128 value);

enum { MOMENT_TEXT_MAX = 64 };

/* Nanoseconds as the label of a mark on an axis that ends at `end`, with marks every step: "0.2
 * ms", or "0". Returns text or a constant. */
const char *moment_text(int128 ns, int128 step_ns, int128 end_ns, char text[MOMENT_TEXT_MAX]);

#endif

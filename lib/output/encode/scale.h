/* Positions of numbers in drawings. Integer arithmetic makes all machines draw the same. All bounds
 * of a page have one scale, with SHADES colours from the tightest to the widest bound. The scale is
 * linear, or log(1 + ticks) if a few bounds are far above the others. */
#ifndef OUTPUT_ENCODE_SCALE_H
#define OUTPUT_ENCODE_SCALE_H

#include "base/number.h"

enum { SHADES = 8 };

struct scale {
    int64_t most; /* greatest value on the scale, at most INT64_MAX - 1 */
    bool logarithmic;
};

/* Make a scale from 0 to `most`. It is logarithmic if `usual`, a typical value, is far below. */
struct scale scale_make(int64_t most, int64_t usual);

/* Returns the position of `ticks` on an axis that shows 0 at 0 and scale->most at `room`. */
int scale_place(const struct scale *scale, int64_t ticks, int room);

/* Divide the scale into `steps` equal steps. scale_step returns the step of `ticks`.
 * scale_step_begin returns the least ticks from `step` on, or scale->most + 1 if there are none. */
int scale_step(const struct scale *scale, int64_t ticks, int steps);
int64_t scale_step_begin(const struct scale *scale, int step, int steps);

/* Returns the least number of the series 1, 2, 5, 10, 20, 50, ... that is at least `value`. */
int128 scale_nice(int128 value);

enum { MOMENT_TEXT_MAX = 64 };

/* Format the label of a mark on a time axis, such as "0.2 ms" or "0". The axis ends at end_ns and
 * has a mark every step_ns. Returns text or a constant. */
const char *moment_text(int128 ns, int128 step_ns, int128 end_ns, char text[MOMENT_TEXT_MAX]);

#endif

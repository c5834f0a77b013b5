/* Positions of numbers in drawings. Integer arithmetic makes all machines draw the same.
 *
 * A page has one scale for bounds: SHADES steps of colour from the tightest to the widest. The
 * scale is linear, or log(1 + ticks) if a few bounds are far above the others. */
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

/* The position of `ticks`, from 0 to `room`, where scale->most is at `room`. */
int scale_place(const struct scale *scale, int64_t ticks, int room);

/* scale_step: the number, from 0, of the step that contains `ticks` if the scale has `steps` steps.
 * scale_step_begin: the least ticks in this step or a later one, or scale->most + 1 if there are
 * none. */
int scale_step(const struct scale *scale, int64_t ticks, int steps);
int64_t scale_step_begin(const struct scale *scale, int step, int steps);

/* The least number of the series 1, 2, 5, 10, 20, ... that is at least value. */
int128 scale_nice(int128 value);

enum { MOMENT_TEXT_MAX = 64 };

/* Format nanoseconds as the label of a mark on an axis: "0.2 ms", or "0". The axis ends at end_ns
 * and has a mark every step_ns. Returns text or a constant. */
const char *moment_text(int128 ns, int128 step_ns, int128 end_ns, char text[MOMENT_TEXT_MAX]);

#endif

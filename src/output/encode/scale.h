/*
 * Numbers to places on paper, by integers alone, so that every machine draws the same.
 *
 * One scale of bounds serves a whole page: SHADES steps of colour from the tightest to the widest,
 * linear, or where a few are far above the others logarithmic, as log(1 + ticks).
 */
#ifndef OUTPUT_ENCODE_SCALE_H
#define OUTPUT_ENCODE_SCALE_H

#include "base/number.h"

enum { SHADES = 8 };

struct scale {
    int64_t most; /* 0 to INT64_MAX - 1 */
    bool logarithmic;
};

/* usual: what most of them are about. */
struct scale scale_make(int64_t most, int64_t usual);

/* 0 to room for ticks of 0 to most. */
int scale_place(const struct scale *scale, int64_t ticks, int room);

/* Which of so many steps, from 0, and the least ticks that have this one or a later one:
 * scale->most + 1 where none has. */
int scale_step(const struct scale *scale, int64_t ticks, int steps);
int64_t scale_step_begin(const struct scale *scale, int step, int steps);

/* The least of 1, 2, 5, 10, 20, ... that is not below value. */
int128 scale_nice(int128 value);

enum { MOMENT_TEXT_MAX = 64 };

/* Nanoseconds as a mark on an axis that ends at `end` and has a mark each step: "0.2 ms", or "0".
 * Returns text or a word. */
const char *moment_text(int128 ns, int128 step_ns, int128 end_ns, char text[MOMENT_TEXT_MAX]);

#endif

/*
 * Whether clocks count in different units: how much each of them counted between the same places
 * of the trace.  cellsync-model(7), Diagnosis.
 *
 *   records --units_event--> stamps around marks --units_find--> powers of ten
 *           --units_left---> what delta is with these allowed for
 *
 * What a clock read at a mark is between its stamps just before the mark and just after it, so that
 * a clock is judged by the part of the trace in which it has stamps, and by no more.
 */
#ifndef DIAGNOSIS_UNITS_H
#define DIAGNOSIS_UNITS_H

#include "graph/windows.h"
#include "sync/solution.h"

/* Marks, equally many records apart; how far 2 delta must fall for units to explain it. */
enum { UNITS_MARKS = 64, UNITS_FACTOR = 8 };

/* Stamps of clock c around mark m, in ticks; INT64_MIN: none. */
struct units {
    size_t n; /* clocks, at most WINDOWS_CLOCKS_MAX */
    uint64_t total;
    size_t passed; /* marks */
    size_t served[WINDOWS_CLOCKS_MAX];
    int64_t latest[WINDOWS_CLOCKS_MAX];
    int64_t before[UNITS_MARKS][WINDOWS_CLOCKS_MAX];
    int64_t after[UNITS_MARKS][WINDOWS_CLOCKS_MAX];
};

/* n clocks in a trace of so many positions, above 0. */
void units_init(struct units *units, size_t n, uint64_t total);

/* The next record, of a clock below n.  O(1), and once O(n) a mark. */
void units_event(struct units *units, uint64_t position, uint32_t clock, int64_t local);

/* Clocks that count 10^power[c] times as much as `against`; 0: as much, or it is not known. */
struct units_found {
    size_t against;
    int power[WINDOWS_CLOCKS_MAX];
};

/* Whether some clocks, not more than count alike, count in another unit.  O(n^2). */
bool units_find(const struct units *units, struct units_found *out);

/* How much faster than 1 a clock of this power runs, in parts of 10^9. */
int64_t units_ppb(int power);

/* 2 delta of the clocks, whose windows are given, and what is left of it with what was found
 * allowed for, by one more pass; clock[thread] is WINDOWS_ABSENT for one that is not looked at.
 * Where times would get too large, nothing is gained. */
csy_status units_left(struct csy_trace *trace, const struct csy_sync *sync, const uint32_t *clock,
                      const struct windows *windows, const struct units_found *found,
                      csy_fraction *whole, csy_fraction *left, csy_error *error);

#endif

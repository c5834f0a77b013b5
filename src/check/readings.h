/*
 * The readings of clocks that drift: which global times each can have, by rates.
 *
 * Global times are in parts of AGE_UNIT (clock/knots.h).  Of a clock t that gains or loses at most
 * R, and of readings a <= b of it,
 *
 *   (AGE_UNIT - R) (b - a) <= time of b - time of a <= (AGE_UNIT + R) (b - a)
 *
 * with R = 0 for the reference.
 */
#ifndef CHECK_READINGS_H
#define CHECK_READINGS_H

#include "clock/knots.h"

/* Nothing is known: minus that, below all times; or above them. */
#define READINGS_NOTHING ((int128)1 << 120)

/* A clock at one local time. */
struct reading {
    int64_t x; /* local ticks from the first record of the clock on */
    int64_t global_ticks;
    uint64_t position; /* of its record, or of one of them */
    uint32_t clock;
    uint32_t records; /* that have it as their time */
    uint32_t part;    /* of global time beyond its ticks, of AGE_UNIT */
    bool written;     /* the global time is there; else only a point has this reading */
};

struct readings {
    struct reading *items; /* by clock and x, each once, when all have come */
    size_t count, capacity;
    size_t *first_of; /* by clock, and one more: where its readings begin */
    size_t nclocks, reference;
    int64_t rate_ppb;
    int128 *least, *greatest; /* by reading */
    bool changed;             /* by any of the functions below */
};

/* Its global time, as it is written. */
static inline int128 reading_written(const struct reading *reading)
{
    return (int128)reading->global_ticks * AGE_UNIT + reading->part;
}

void readings_fini(struct readings *readings);

/* Before they are sorted.  CSY_MEMORY also beyond 2^32 - 1. */
csy_status readings_add(struct readings *readings, const struct reading *reading, csy_error *error);

/* All have come: sort them.  *wrong: the position of one that has another global time than one of
 * the same clock and local time, or UINT64_MAX.  O(n log n); 32 bytes a reading. */
csy_status readings_sort(struct readings *readings, size_t nclocks, size_t reference,
                         uint64_t *wrong, csy_error *error);

/* The place of one that is there.  O(log n). */
uint32_t readings_find(const struct readings *readings, uint32_t clock, int64_t x);

static inline void readings_raise(struct readings *readings, size_t i, int128 least)
{
    readings->changed |= least > readings->least[i];
    readings->least[i] = least > readings->least[i] ? least : readings->least[i];
}

static inline void readings_lower(struct readings *readings, size_t i, int128 greatest)
{
    readings->changed |= greatest < readings->greatest[i];
    readings->greatest[i] = greatest < readings->greatest[i] ? greatest : readings->greatest[i];
}

/* What the next reading below says of one, and the next one above; or each of all. */
void readings_age_up(struct readings *readings, size_t i);
void readings_age_down(struct readings *readings, size_t i);
void readings_age(struct readings *readings);

#endif

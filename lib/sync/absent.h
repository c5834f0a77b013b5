/* Compares the global times of records that were left out of the constraints with the global times
 * of their neighbours. */
#ifndef SYNC_ABSENT_H
#define SYNC_ABSENT_H

#include "base/number.h"

struct absentee {
    int64_t global_ticks;
    /* ticks by which the record is below the greatest global time of earlier records; negative:
     * ticks above the least of later records */
    int64_t early_ticks;
    int64_t greatest_ticks;
    /* least global time of the used records between this left-out record and the next one */
    int64_t least_ticks;
};

struct absent {
    struct absentee *items;
    size_t count, room;
    int64_t greatest_ticks;
};

/* Initialize the comparison for at most `room` left-out records; `room` may be 0. */
csy_status absent_init(struct absent *absent, size_t room, csy_error *error);
void absent_fini(struct absent *absent);

/* Take the records in the order of the buffer: call absent_add for each left-out record (at most
 * `room` times), and absent_other for all others. */
void absent_other(struct absent *absent, int64_t global_ticks);
void absent_add(struct absent *absent, int64_t global_ticks);

/* Set early_ticks of all left-out records. Call this after the last record. */
void absent_finish(struct absent *absent);

#endif

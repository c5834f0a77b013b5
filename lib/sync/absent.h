/* Compares the global times of left-out records with the global times of their neighbours. */
#ifndef SYNC_ABSENT_H
#define SYNC_ABSENT_H

#include "base/number.h"

struct absentee {
    int64_t global_ticks;
    /* how far the record is before the greatest time before it; if negative, how far it is after
     * the least time after it */
    int64_t early_ticks;
    int64_t greatest_ticks;
    /* least time of the used records from this record to the next one that is left out */
    int64_t least_ticks;
};

struct absent {
    struct absentee *items;
    size_t count, room;
    int64_t greatest_ticks;
};

/* room is the number of records that are left out; it may be 0. */
csy_status absent_init(struct absent *absent, size_t room, csy_error *error);
void absent_fini(struct absent *absent);

/* Add the next record of the buffer: absent_add if it is left out, at most `room` times, otherwise
 * absent_other. */
void absent_other(struct absent *absent, int64_t global_ticks);
void absent_add(struct absent *absent, int64_t global_ticks);

/* Set early_ticks of all items, after the last record. */
void absent_finish(struct absent *absent);

#endif

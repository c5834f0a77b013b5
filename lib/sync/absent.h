/* Compares records that are left out with the global times of their neighbours. */
#ifndef SYNC_ABSENT_H
#define SYNC_ABSENT_H

#include "base/number.h"

struct absentee {
    int64_t global_ticks;
    /* ticks by which the record is below the greatest time before it; below 0: minus the ticks
     * by which it is above the least time after it */
    int64_t early_ticks;
    int64_t greatest_ticks;
    /* the least time of the other records between this record and the next one that is left out */
    int64_t least_ticks;
};

struct absent {
    struct absentee *items;
    size_t count, room;
    int64_t greatest_ticks;
};

/* room is the number of records that are left out; 0 if there are none. */
csy_status absent_init(struct absent *absent, size_t room, csy_error *error);
void absent_fini(struct absent *absent);

/* Add the next record in the order of the buffer: absent_add for a record that is left out,
 * absent_other for the others. At most `room` calls of absent_add. */
void absent_other(struct absent *absent, int64_t global_ticks);
void absent_add(struct absent *absent, int64_t global_ticks);

/* Set early_ticks; call after the last record. */
void absent_finish(struct absent *absent);

#endif

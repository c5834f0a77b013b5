/* Records that are left out, against the global times of the others around them. */
#ifndef SYNC_ABSENT_H
#define SYNC_ABSENT_H

#include "base/number.h"

struct absentee {
    int64_t global_ticks;
    int64_t early_ticks; /* below the greatest before it; late (above the least after it): < 0 */
    int64_t greatest_ticks;
    int64_t least_ticks; /* up to the next absentee */
};

struct absent {
    struct absentee *items;
    size_t count, room;
    int64_t greatest_ticks;
};

/* Room for so many of them; 0: none will come. */
csy_status absent_init(struct absent *absent, size_t room, csy_error *error);
void absent_fini(struct absent *absent);

/* The next record in buffer order: one of the others, or one that is left out, of which there are
 * no more than there is room for. */
void absent_other(struct absent *absent, int64_t global_ticks);
void absent_add(struct absent *absent, int64_t global_ticks);

/* All have passed: early_ticks is known. */
void absent_finish(struct absent *absent);

#endif

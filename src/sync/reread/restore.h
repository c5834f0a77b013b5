/* Records of a synchronized .pex as they were before: what its table says, undone. */
#ifndef SYNC_REREAD_RESTORE_H
#define SYNC_REREAD_RESTORE_H

#include "sync/reread/table.h"

struct restore {
    const struct table *table;
    uint8_t original[RECORD_BYTES_MAX + 8];
    struct record global;            /* the present record as it is in the file */
    const struct table_thread *said; /* whose it is by the table */
};

/* Make the record what it was; its bytes hold until the next.  NULL, or what is wrong with it. */
const char *restore_record(struct restore *restore, struct record *record);

#endif

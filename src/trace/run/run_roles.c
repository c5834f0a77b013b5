/* What records of a run order: what their types say, but for what the recorder knows better. */
#include "trace/run/run_roles.h"

#include "base/near.h"

enum {
    GROUP_MPI = 0x08,
    GROUP_THREADS = 0x0c,
    GROUP_SYNC = 0x0d,
    COMMUNICATOR = 3, /* of records of MPI, the value that names it */
};

/* Calls of MPI, as the recorder knows them: without a communicator they are not matched; and it may
 * have missed sends, never the order of receives, which began when they were posted. */
static void keep_call(struct event_roles *own, const struct record *record)
{
    const uint8_t *payload = record_payload(record, false);
    if (record->npayload > COMMUNICATOR && load64(payload + 8 * (size_t)COMMUNICATOR) == 0) {
        own->send = own->recv = own->members = (csy_text){0};
        own->sync = false;
    }
    if (own->recv.size > 0 && record->interval) {
        own->posting = POSTING_GIVEN;
        own->posted_ticks = (int64_t)record->begin;
    }
}

/* What is said within a process, which has one clock, says nothing of clocks. */
struct event_roles run_roles(const struct record *record, const struct event_roles *said)
{
    uint8_t group = (uint8_t)record->id;
    bool within = group == GROUP_THREADS || group == GROUP_SYNC;
    struct event_roles own = *said;
    if (within)
        own = (struct event_roles){.late = true};
    if (group == GROUP_MPI)
        keep_call(&own, record);
    own.location = own.stream = own.buffer = own.block = (csy_text){0};
    own.spawn = own.join = (csy_text){0};
    own.spawned = false;
    own.flush = FLUSH_NONE;
    return own;
}

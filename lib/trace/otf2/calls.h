/* Passes records of all kinds to one function. libotf2 calls a different function for each kind of
 * record, with different parameters. calls.c defines these functions. */
#ifndef TRACE_OTF2_CALLS_H
#define TRACE_OTF2_CALLS_H

#include <otf2/otf2.h>
#include <stdbool.h>

enum otf2_record_kind {
    OTF2_RECORD_OTHER, /* an event that does not affect the order of events */
    OTF2_RECORD_ENTER,
    OTF2_RECORD_LEAVE,
    OTF2_RECORD_SEND,
    OTF2_RECORD_ISEND,
    OTF2_RECORD_RECEIVE_REQUEST,
    OTF2_RECORD_CANCELLED,
    OTF2_RECORD_RECEIVE,
    OTF2_RECORD_IRECEIVE,
    OTF2_RECORD_COLLECTIVE_BEGIN,
    OTF2_RECORD_COLLECTIVE_END,
    OTF2_RECORD_COLLECTIVE_REQUEST,
    OTF2_RECORD_COLLECTIVE_COMPLETE
};

struct otf2_record {
    enum otf2_record_kind kind;
    const char *name; /* name of the event, or NULL if its region or operation gives the name */
    uint64_t time;
    uint32_t region;
    uint32_t comm;
    uint32_t peer; /* partner of a message, or root of a collective operation */
    uint32_t tag;  /* tag of a message, or OTF2_CollectiveOp of a collective operation */
    uint64_t bytes, sent, received;
    uint64_t request;
};

/* First member of the struct that callbacks get as `user`. If `take` returns false, reading
 * ends. */
struct otf2_taker {
    bool (*take)(void *user, const struct otf2_record *record);
};

/* Make callbacks for all record kinds. The caller deletes them. Returns NULL if memory runs out. */
OTF2_EvtReaderCallbacks *otf2_calls_new(void);

#endif

/* Passes records of all kinds on to one common function. For each kind of record, libotf2 calls
 * another function with other parameters. calls.c defines these functions, which convert the
 * parameters to numbers, and call the common function. */
#ifndef TRACE_OTF2_CALLS_H
#define TRACE_OTF2_CALLS_H

#include <otf2/otf2.h>
#include <stdbool.h>

enum otf2_record_kind {
    OTF2_RECORD_OTHER, /* an event that does not affect the order */
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
    const char *name; /* name of the event; NULL: name of the region or operation */
    uint64_t time;
    uint32_t region;
    uint32_t comm;
    uint32_t peer; /* partner of a message, or root of an operation */
    uint32_t tag;  /* tag of a message, or OTF2_CollectiveOp of an operation */
    uint64_t bytes, sent, received;
    uint64_t request;
};

/* The `user` of a callback must begin with this struct. Reading stops if `take` returns false. */
struct otf2_taker {
    bool (*take)(void *user, const struct otf2_record *record);
};

/* Make callbacks for all kinds of records. Returns NULL if memory runs out. */
OTF2_EvtReaderCallbacks *otf2_calls_new(void);

#endif

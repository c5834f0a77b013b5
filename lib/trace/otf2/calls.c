/* See calls.h. */
#include "trace/otf2/calls.h"

static OTF2_CallbackCode take(void *user, const struct otf2_record *record)
{
    const struct otf2_taker *taker = user;
    return taker->take(user, record) ? OTF2_CALLBACK_SUCCESS : OTF2_CALLBACK_ERROR;
}

#define UNUSED __attribute__((unused))
#define RECORD                                                                                     \
    OTF2_LocationRef location UNUSED, OTF2_TimeStamp time, uint64_t position UNUSED, void *user,   \
        OTF2_AttributeList *attributes UNUSED

/* Defines the callback of an event. `parameters` begin with RECORD, in parentheses; the members of
 * struct otf2_record follow.
 * NOLINTBEGIN(bugprone-macro-parentheses): parameters and members cannot be in parentheses */
#define ON(event, parameters, ...)                                                                 \
    static OTF2_CallbackCode on_##event parameters                                                 \
    {                                                                                              \
        return take(user, &(struct otf2_record){.time = time, __VA_ARGS__});                       \
    }

/* Events that do not affect the order of events. */
#define OTHER0(kind, fields, event, text) ON(event, (RECORD), .name = text)
#define OTHER1(kind, fields, event, text, A) ON(event, (RECORD, A a UNUSED), .name = text)
#define OTHER2(kind, fields, event, text, A, B)                                                    \
    ON(event, (RECORD, A a UNUSED, B b UNUSED), .name = text)
#define OTHER3(kind, fields, event, text, A, B, C)                                                 \
    ON(event, (RECORD, A a UNUSED, B b UNUSED, C c UNUSED), .name = text)
#define OTHER4(kind, fields, event, text, A, B, C, D)                                              \
    ON(event, (RECORD, A a UNUSED, B b UNUSED, C c UNUSED, D d UNUSED), .name = text)
#define OTHER5(kind, fields, event, text, A, B, C, D, E)                                           \
    ON(event, (RECORD, A a UNUSED, B b UNUSED, C c UNUSED, D d UNUSED, E e UNUSED), .name = text)
#define OTHER6(kind, fields, event, text, A, B, C, D, E, F)                                        \
    ON(event, (RECORD, A a UNUSED, B b UNUSED, C c UNUSED, D d UNUSED, E e UNUSED, F f UNUSED),    \
       .name = text)
#include "trace/otf2/others.h"

ON(Unknown, (RECORD), .name = "UNKNOWN")
ON(Enter, (RECORD, OTF2_RegionRef region), .kind = OTF2_RECORD_ENTER, .region = region)
ON(Leave, (RECORD, OTF2_RegionRef region), .kind = OTF2_RECORD_LEAVE, .region = region)
ON(MpiSend, (RECORD, uint32_t receiver, OTF2_CommRef comm, uint32_t tag, uint64_t bytes),
   .kind = OTF2_RECORD_SEND, .name = "MPI_SEND", .comm = comm, .peer = receiver, .tag = tag,
   .bytes = bytes)
ON(MpiIsend,
   (RECORD, uint32_t receiver, OTF2_CommRef comm, uint32_t tag, uint64_t bytes, uint64_t request),
   .kind = OTF2_RECORD_ISEND, .name = "MPI_ISEND", .comm = comm, .peer = receiver, .tag = tag,
   .bytes = bytes, .request = request)
ON(MpiIrecvRequest, (RECORD, uint64_t request), .kind = OTF2_RECORD_RECEIVE_REQUEST,
   .name = "MPI_IRECV_REQUEST", .request = request)
ON(MpiRequestCancelled, (RECORD, uint64_t request), .kind = OTF2_RECORD_CANCELLED,
   .name = "MPI_REQUEST_CANCELLED", .request = request)
ON(MpiRecv, (RECORD, uint32_t sender, OTF2_CommRef comm, uint32_t tag, uint64_t bytes),
   .kind = OTF2_RECORD_RECEIVE, .name = "MPI_RECV", .comm = comm, .peer = sender, .tag = tag,
   .bytes = bytes)
ON(MpiIrecv,
   (RECORD, uint32_t sender, OTF2_CommRef comm, uint32_t tag, uint64_t bytes, uint64_t request),
   .kind = OTF2_RECORD_IRECEIVE, .name = "MPI_IRECV", .comm = comm, .peer = sender, .tag = tag,
   .bytes = bytes, .request = request)
ON(MpiCollectiveBegin, (RECORD), .kind = OTF2_RECORD_COLLECTIVE_BEGIN)
ON(MpiCollectiveEnd,
   (RECORD, OTF2_CollectiveOp operation, OTF2_CommRef comm, uint32_t root, uint64_t sent,
    uint64_t received),
   .kind = OTF2_RECORD_COLLECTIVE_END, .comm = comm, .peer = root, .tag = operation, .sent = sent,
   .received = received)
ON(NonBlockingCollectiveRequest, (RECORD, uint64_t request), .kind = OTF2_RECORD_COLLECTIVE_REQUEST,
   .name = "NON_BLOCKING_COLLECTIVE_REQUEST", .request = request)
ON(NonBlockingCollectiveComplete,
   (RECORD, OTF2_CollectiveOp operation, OTF2_CommRef comm, uint32_t root, uint64_t sent,
    uint64_t received, uint64_t request),
   .kind = OTF2_RECORD_COLLECTIVE_COMPLETE, .comm = comm, .peer = root, .tag = operation,
   .sent = sent, .received = received, .request = request)

/* NOLINTEND(bugprone-macro-parentheses) */

OTF2_EvtReaderCallbacks *otf2_calls_new(void)
{
    OTF2_EvtReaderCallbacks *calls = OTF2_EvtReaderCallbacks_New();
    if (!calls)
        return NULL;
#define SET(event) OTF2_EvtReaderCallbacks_Set##event##Callback(calls, on_##event);
#define OTHER0(kind, fields, event, ...) SET(event)
#define OTHER1 OTHER0
#define OTHER2 OTHER0
#define OTHER3 OTHER0
#define OTHER4 OTHER0
#define OTHER5 OTHER0
#define OTHER6 OTHER0
#include "trace/otf2/others.h"
    SET(Unknown)
    SET(Enter)
    SET(Leave)
    SET(MpiSend)
    SET(MpiIsend)
    SET(MpiIrecvRequest)
    SET(MpiRequestCancelled)
    SET(MpiRecv)
    SET(MpiIrecv)
    SET(MpiCollectiveBegin)
    SET(MpiCollectiveEnd)
    SET(NonBlockingCollectiveRequest)
    SET(NonBlockingCollectiveComplete)
    return calls;
}

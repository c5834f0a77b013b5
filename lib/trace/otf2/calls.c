/* See calls.h. */
#include "trace/otf2/calls.h"

static OTF2_CallbackCode take(void *user, const struct otf2_record *record)
{
    const struct otf2_taker *taker = user;
    return taker->take(user, record) ? OTF2_CALLBACK_SUCCESS : OTF2_CALLBACK_ERROR;
}

#define TAKE(...) return take(user, &(struct otf2_record){.time = time, __VA_ARGS__})

#define UNUSED __attribute__((unused))
#define RECORD                                                                                     \
    OTF2_LocationRef location UNUSED, OTF2_TimeStamp time, uint64_t position UNUSED, void *user,   \
        OTF2_AttributeList *attributes UNUSED

/* Defines the callback of an event that does not affect the order of events. */
#define DEFINE(event, text, ...)                                                                   \
    static OTF2_CallbackCode on_##event(__VA_ARGS__)                                               \
    {                                                                                              \
        TAKE(.name = text);                                                                        \
    }
#define OTHER0(event, name) DEFINE(event, name, RECORD)
#define OTHER1(event, name, A) DEFINE(event, name, RECORD, A a UNUSED)
#define OTHER2(event, name, A, B) DEFINE(event, name, RECORD, A a UNUSED, B b UNUSED)
#define OTHER3(event, name, A, B, C) DEFINE(event, name, RECORD, A a UNUSED, B b UNUSED, C c UNUSED)
#define OTHER4(event, name, A, B, C, D)                                                            \
    DEFINE(event, name, RECORD, A a UNUSED, B b UNUSED, C c UNUSED, D d UNUSED)
#define OTHER5(event, name, A, B, C, D, E)                                                         \
    DEFINE(event, name, RECORD, A a UNUSED, B b UNUSED, C c UNUSED, D d UNUSED, E e UNUSED)
#define OTHER6(event, name, A, B, C, D, E, F)                                                      \
    DEFINE(event, name, RECORD, A a UNUSED, B b UNUSED, C c UNUSED, D d UNUSED, E e UNUSED,        \
           F f UNUSED)
#include "trace/otf2/others.h"

static OTF2_CallbackCode on_Enter(RECORD, OTF2_RegionRef region)
{
    TAKE(.kind = OTF2_RECORD_ENTER, .region = region);
}

static OTF2_CallbackCode on_Leave(RECORD, OTF2_RegionRef region)
{
    TAKE(.kind = OTF2_RECORD_LEAVE, .region = region);
}

static OTF2_CallbackCode on_MpiSend(RECORD, uint32_t receiver, OTF2_CommRef comm, uint32_t tag,
                                    uint64_t bytes)
{
    TAKE(.kind = OTF2_RECORD_SEND, .name = "MPI_SEND", .comm = comm, .peer = receiver, .tag = tag,
         .bytes = bytes);
}

static OTF2_CallbackCode on_MpiIsend(RECORD, uint32_t receiver, OTF2_CommRef comm, uint32_t tag,
                                     uint64_t bytes, uint64_t request)
{
    TAKE(.kind = OTF2_RECORD_ISEND, .name = "MPI_ISEND", .comm = comm, .peer = receiver, .tag = tag,
         .bytes = bytes, .request = request);
}

static OTF2_CallbackCode on_MpiIrecvRequest(RECORD, uint64_t request)
{
    TAKE(.kind = OTF2_RECORD_RECEIVE_REQUEST, .name = "MPI_IRECV_REQUEST", .request = request);
}

static OTF2_CallbackCode on_MpiRequestCancelled(RECORD, uint64_t request)
{
    TAKE(.kind = OTF2_RECORD_CANCELLED, .name = "MPI_REQUEST_CANCELLED", .request = request);
}

static OTF2_CallbackCode on_MpiRecv(RECORD, uint32_t sender, OTF2_CommRef comm, uint32_t tag,
                                    uint64_t bytes)
{
    TAKE(.kind = OTF2_RECORD_RECEIVE, .name = "MPI_RECV", .comm = comm, .peer = sender, .tag = tag,
         .bytes = bytes);
}

static OTF2_CallbackCode on_MpiIrecv(RECORD, uint32_t sender, OTF2_CommRef comm, uint32_t tag,
                                     uint64_t bytes, uint64_t request)
{
    TAKE(.kind = OTF2_RECORD_IRECEIVE, .name = "MPI_IRECV", .comm = comm, .peer = sender,
         .tag = tag, .bytes = bytes, .request = request);
}

static OTF2_CallbackCode on_MpiCollectiveBegin(RECORD)
{
    TAKE(.kind = OTF2_RECORD_COLLECTIVE_BEGIN);
}

static OTF2_CallbackCode on_MpiCollectiveEnd(RECORD, OTF2_CollectiveOp operation, OTF2_CommRef comm,
                                             uint32_t root, uint64_t sent, uint64_t received)
{
    TAKE(.kind = OTF2_RECORD_COLLECTIVE_END, .comm = comm, .peer = root, .tag = operation,
         .sent = sent, .received = received);
}

static OTF2_CallbackCode on_NonBlockingCollectiveRequest(RECORD, uint64_t request)
{
    TAKE(.kind = OTF2_RECORD_COLLECTIVE_REQUEST, .name = "NON_BLOCKING_COLLECTIVE_REQUEST",
         .request = request);
}

static OTF2_CallbackCode on_NonBlockingCollectiveComplete(RECORD, OTF2_CollectiveOp operation,
                                                          OTF2_CommRef comm, uint32_t root,
                                                          uint64_t sent, uint64_t received,
                                                          uint64_t request)
{
    TAKE(.kind = OTF2_RECORD_COLLECTIVE_COMPLETE, .comm = comm, .peer = root, .tag = operation,
         .sent = sent, .received = received, .request = request);
}

OTF2_EvtReaderCallbacks *otf2_calls_new(void)
{
    OTF2_EvtReaderCallbacks *calls = OTF2_EvtReaderCallbacks_New();
    if (!calls)
        return NULL;
#define SET(event) OTF2_EvtReaderCallbacks_Set##event##Callback(calls, on_##event);
#define OTHER0(event, ...) SET(event)
#define OTHER1 OTHER0
#define OTHER2 OTHER0
#define OTHER3 OTHER0
#define OTHER4 OTHER0
#define OTHER5 OTHER0
#define OTHER6 OTHER0
#include "trace/otf2/others.h"
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

/* What libotf2 calls for each kind of event: on_KIND, all defined before this is included. */
static void set_calls(OTF2_EvtReaderCallbacks *calls)
{
#define OTHER0(event, ...) OTF2_EvtReaderCallbacks_Set##event##Callback(calls, on_##event);
#define OTHER1 OTHER0
#define OTHER2 OTHER0
#define OTHER3 OTHER0
#define OTHER4 OTHER0
#define OTHER5 OTHER0
#define OTHER6 OTHER0
#include "trace/otf2/others.h"
    OTF2_EvtReaderCallbacks_SetEnterCallback(calls, on_enter);
    OTF2_EvtReaderCallbacks_SetLeaveCallback(calls, on_leave);
    OTF2_EvtReaderCallbacks_SetMpiSendCallback(calls, on_send);
    OTF2_EvtReaderCallbacks_SetMpiIsendCallback(calls, on_isend);
    OTF2_EvtReaderCallbacks_SetMpiIrecvRequestCallback(calls, on_irecv_request);
    OTF2_EvtReaderCallbacks_SetMpiRequestCancelledCallback(calls, on_cancelled);
    OTF2_EvtReaderCallbacks_SetMpiRecvCallback(calls, on_recv);
    OTF2_EvtReaderCallbacks_SetMpiIrecvCallback(calls, on_irecv);
    OTF2_EvtReaderCallbacks_SetMpiCollectiveBeginCallback(calls, on_collective_begin);
    OTF2_EvtReaderCallbacks_SetMpiCollectiveEndCallback(calls, on_collective_end);
    OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveRequestCallback(calls, on_collective_request);
    OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveCompleteCallback(calls, on_collective_complete);
}

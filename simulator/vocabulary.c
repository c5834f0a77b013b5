/* See vocabulary.h. */
#include "simulator/vocabulary.h"

#include <stddef.h>

enum {
    BASIC = LEVEL_BASIC | LEVEL_OUTER | LEVEL_STALLS | LEVEL_FULL,
    OUTER = LEVEL_OUTER | LEVEL_FULL,
    STALLS = LEVEL_STALLS | LEVEL_FULL,
    FULL = LEVEL_FULL
};

const struct event_type event_types[EVENTS] = {
    [EVENT_SWITCH_IN] = {0x0100, "SPE_SWITCH_IN", BASIC, false, false, 2, {"ctx", "spe"}},
    [EVENT_SWITCH_OUT] = {0x0200, "SPE_SWITCH_OUT", BASIC, false, false, 2, {"ctx", "spe"}},
    [EVENT_TRACE_START] = {0x0300, "TRACE_START", BASIC, false, false, 0, {NULL}},
    [EVENT_TRACE_STOP] = {0x0400, "TRACE_STOP", BASIC, false, false, 0, {NULL}},
    [EVENT_THREAD_START] = {0x0500, "SPE_THREAD_START", BASIC, false, false, 1, {"ctx"}},
    [EVENT_THREAD_STOP] = {0x0600, "SPE_THREAD_STOP", BASIC, false, false, 1, {"ctx"}},
    [EVENT_SPE_ENTRY] = {0x0700, "SPE_ENTRY", BASIC, false, false, 0, {NULL}},
    [EVENT_SPE_EXIT] = {0x0800, "SPE_EXIT", BASIC, false, false, 0, {NULL}},
    [EVENT_CONTEXT_CREATE] = {0x0101, "SPE_CONTEXT_CREATE", FULL, true, false, 1, {"ctx"}},
    [EVENT_IN_MBOX_WRITE] = {0x0201, "SPE_IN_MBOX_WRITE", FULL, true, false, 1, {"ctx"}},
    [EVENT_OUT_MBOX_READ] = {0x0301, "SPE_OUT_MBOX_READ", STALLS, true, true, 1, {"ctx"}},
    [EVENT_CONTEXT_RUN] = {0x0401, "SPE_CONTEXT_RUN", STALLS, true, true, 1, {"ctx"}},
    [EVENT_GET] = {0x0102, "MFC_GET", FULL, false, false, 2, {"bytes", "tag"}},
    [EVENT_PUT] = {0x0202, "MFC_PUT", FULL, false, false, 2, {"bytes", "tag"}},
    [EVENT_TAG_WAIT] = {0x0302, "MFC_READ_TAG_STATUS", STALLS, true, true, 1, {"tag"}},
    [EVENT_IN_MBOX_READ] = {0x0402, "SPU_READ_IN_MBOX", STALLS, true, true, 0, {NULL}},
    [EVENT_OUT_MBOX_WRITE] =
        {0x0502, "SPU_WRITE_OUT_MBOX", STALLS, true, true, 1, {"interrupting"}},
    [EVENT_ATOMIC_ADD] = {0x0103, "ATOMIC_ADD", FULL, true, false, 1, {"value"}},
    [EVENT_BARRIER] = {0x0203, "BARRIER", STALLS, true, true, 0, {NULL}},
    [EVENT_MUTEX_LOCK] = {0x0503, "MUTEX_LOCK", STALLS, true, true, 2, {"lock", "miss"}},
    [EVENT_MUTEX_UNLOCK] = {0x0703, "MUTEX_UNLOCK", FULL, false, false, 1, {"lock"}},
    [EVENT_OUTER_LOOP] = {0x0105, "OUTER_LOOP", OUTER, false, false, 1, {"round"}},
    [EVENT_CLOCK_PROBE] = {0x0205, "CLOCK_PROBE", BASIC, false, false, 1, {"index"}},
    [EVENT_MPI_SEND] = {0x040b, "MPI_SEND", STALLS, true, true, 3, {"peer", "tag", "bytes"}},
    [EVENT_MPI_SSEND] = {0x140b, "MPI_SSEND", STALLS, true, true, 3, {"peer", "tag", "bytes"}},
    [EVENT_MPI_RECV] = {0x050b, "MPI_RECV", STALLS, true, true, 3, {"peer", "tag", "bytes"}},
    [EVENT_MPI_BARRIER] = {0x080b, "MPI_BARRIER", STALLS, true, true, 1, {"round"}},
    [EVENT_BUFFER_FLUSH] =
        {0x0900, "BUFFER_FLUSH", BASIC, true, false, 3, {"records", "lost", "block"}},
    [EVENT_E] = {0x020b, "E", BASIC, false, false, 2, {"enx", "exx"}},
    [EVENT_X] = {0x030b, "X", BASIC, false, false, 2, {"enx", "exx"}},
};

const struct event_group event_groups[EVENT_GROUPS] = {
    {0x00, "GENERAL"}, {0x01, "LIBSPE2"}, {0x02, "MFCIO"},
    {0x03, "LIBSYNC"}, {0x05, "USER"},    {0x0b, "CML"},
};

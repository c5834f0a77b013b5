/* The definitions of one location of an OTF2 archive. */
#include "trace/otf2/local.h"

#include "base/array.h"

#include <stdatomic.h>
#include <stdlib.h>

static OTF2_CallbackCode on_offset(void *user, OTF2_TimeStamp time, int64_t offset,
                                   double deviation)
{
    struct otf2_offsets *offsets = user;
    if (time > INT64_MAX)
        return OTF2_CALLBACK_SUCCESS;
    if (!ARRAY_RESERVE(offsets->items, offsets->capacity, offsets->count + 1)) {
        offsets->no_memory = true;
        return OTF2_CALLBACK_ERROR;
    }
    offsets->items[offsets->count++] = (struct tracer_reading){(int64_t)time, offset, deviation};
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_ErrorCode read_all(OTF2_Reader *reader, OTF2_DefReader *definitions,
                               struct otf2_offsets *offsets)
{
    uint64_t n;
    OTF2_DefReaderCallbacks *calls = OTF2_DefReaderCallbacks_New();
    OTF2_ErrorCode code = OTF2_ERROR_MEM_ALLOC_FAILED;
    if (calls) {
        OTF2_DefReaderCallbacks_SetClockOffsetCallback(calls, on_offset);
        code = OTF2_Reader_RegisterDefCallbacks(reader, definitions, calls, offsets);
        OTF2_DefReaderCallbacks_Delete(calls);
    }
    if (code == OTF2_SUCCESS)
        code = OTF2_Reader_ReadAllLocalDefinitions(reader, definitions, &n);
    return offsets->no_memory ? OTF2_ERROR_MEM_ALLOC_FAILED : code;
}

/* Unless another reading of the trace has kept them before. */
static void keep(struct otf2_location *location, struct otf2_offsets *offsets)
{
    struct otf2_offsets *none = NULL;
    if (!atomic_compare_exchange_strong(&location->offsets, &none, offsets))
        otf2_offsets_free(offsets);
}

static OTF2_ErrorCode read_local(OTF2_Reader *reader, struct otf2_location *location)
{
    OTF2_ErrorCode code = OTF2_SUCCESS;
    struct otf2_offsets *offsets = calloc(1, sizeof *offsets);
    if (!offsets)
        return OTF2_ERROR_MEM_ALLOC_FAILED;
    OTF2_DefReader *definitions = OTF2_Reader_GetDefReader(reader, location->id);
    if (definitions) {
        code = read_all(reader, definitions, offsets);
        OTF2_Reader_CloseDefReader(reader, definitions);
    } else {
        otf2_forget_said(); /* it has none */
    }
    if (code == OTF2_SUCCESS)
        keep(location, offsets);
    else
        otf2_offsets_free(offsets);
    return code;
}

OTF2_ErrorCode otf2_open_events(OTF2_Reader *reader, struct otf2_location *location,
                                OTF2_EvtReader **out)
{
    OTF2_ErrorCode code = read_local(reader, location);
    *out = code == OTF2_SUCCESS ? OTF2_Reader_GetEvtReader(reader, location->id) : NULL;
    if (code == OTF2_SUCCESS && !*out)
        code = OTF2_ERROR_INVALID_DATA;
    if (code == OTF2_SUCCESS)
        code = OTF2_EvtReader_ApplyClockOffsets(*out, false);
    return code == OTF2_SUCCESS ? OTF2_EvtReader_ApplyMappingTables(*out, true) : code;
}

/* See local.h. */
#include "trace/otf2/local.h"

#include "base/array.h"
#include "base/error.h"

#include <inttypes.h>
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

static OTF2_ErrorCode read_local(OTF2_Reader *reader, struct otf2_location *location,
                                 const char *path)
{
    struct otf2_checked checked = {.there = false};
    struct otf2_offsets *offsets = calloc(1, sizeof *offsets);
    if (!offsets)
        return OTF2_ERROR_MEM_ALLOC_FAILED;
    OTF2_ErrorCode code = otf2_check_definitions(reader, path, OTF2_LOCAL_DEFINITIONS, &checked);
    /* Skip an empty file, for which libotf2 would allocate and clear a chunk of mostly 4 MiB. */
    bool empty = checked.records.records == 0;
    OTF2_DefReader *definitions =
        empty || code != OTF2_SUCCESS ? NULL : OTF2_Reader_GetDefReader(reader, location->id);
    if (definitions) {
        code = otf2_confirm(path, &checked, read_all(reader, definitions, offsets));
        OTF2_Reader_CloseDefReader(reader, definitions);
    } else if (!empty && code == OTF2_SUCCESS) {
        code = OTF2_ERROR_INVALID_DATA; /* without definitions, events must not be read */
    }
    if (code == OTF2_SUCCESS) {
        struct otf2_offsets *none = NULL; /* another reading may have stored the offsets */
        if (!atomic_compare_exchange_strong(&location->offsets, &none, offsets))
            otf2_offsets_free(offsets);
    } else
        otf2_offsets_free(offsets);
    return code;
}

/* Check a file of events, unless it was checked and is unchanged. False if memory runs out. */
static bool check_events(struct otf2_location *location, const char *path, uint64_t chunk_bytes,
                         struct otf2_checked *checked)
{
    const struct otf2_checked *earlier = atomic_load(&location->checked);
    if (earlier && otf2_is_unchanged(path, earlier)) {
        *checked = *earlier;
        return true;
    }
    if (!otf2_check_file(path, OTF2_EVENTS, chunk_bytes, checked))
        return false;
    struct otf2_checked *none = NULL, *kept = malloc(sizeof *kept);
    if (!kept)
        return false;
    *kept = *checked;
    if (!atomic_compare_exchange_strong(&location->checked, &none, kept))
        free(kept);
    return true;
}

/* Check a file of events, and open it if its first event is valid. */
static OTF2_ErrorCode open_checked(OTF2_Reader *reader, struct otf2_location *location,
                                   const char *path, struct otf2_checked *checked,
                                   OTF2_EvtReader **out)
{
    uint64_t chunk_bytes = 0, definitions = 0;
    OTF2_ErrorCode code = OTF2_Reader_GetChunkSize(reader, &chunk_bytes, &definitions);
    if (code != OTF2_SUCCESS)
        return code;
    if (!check_events(location, path, chunk_bytes, checked))
        return OTF2_ERROR_MEM_ALLOC_FAILED;
    if (otf2_whole_events(checked) > 0)
        *out = OTF2_Reader_GetEvtReader(reader, location->id);
    if (!*out)
        return OTF2_ERROR_INVALID_DATA;
    code = OTF2_EvtReader_ApplyClockOffsets(*out, false);
    return code == OTF2_SUCCESS ? OTF2_EvtReader_ApplyMappingTables(*out, true) : code;
}

OTF2_ErrorCode otf2_open_events(const struct otf2_archive *archive, OTF2_Reader *reader,
                                struct otf2_location *location, struct otf2_checked *checked,
                                OTF2_EvtReader **out, const char **suffix)
{
    static const char *const suffixes[] = {".def", ".evt"};
    OTF2_ErrorCode code = OTF2_SUCCESS;
    *checked = (struct otf2_checked){.there = false};
    *out = NULL;
    for (int i = 0; i < 2 && code == OTF2_SUCCESS; i++) {
        char *path;
        *suffix = suffixes[i];
        if (asprintf(&path, "%s/%" PRIu64 "%s", archive->folder, location->id, *suffix) < 0)
            return OTF2_ERROR_MEM_ALLOC_FAILED;
        code = i == 0 ? read_local(reader, location, path)
                      : open_checked(reader, location, path, checked, out);
        free(path);
    }
    return code;
}

csy_status otf2_open_locations(const struct otf2_archive *archive, size_t first, size_t step,
                               OTF2_Reader **out, csy_error *error)
{
    OTF2_Reader *reader;
    csy_status status = otf2_open(archive->anchor, &reader, error);
    if (status)
        return status;
    size_t n = 0;
    for (size_t i = first; i < archive->nlocations && n < OTF2_LOCATIONS_A_READER && !status;
         i += step, n++)
        if (OTF2_Reader_SelectLocation(reader, archive->locations[i].id) != OTF2_SUCCESS)
            status = error_memory(error);
    if (!status)
        OTF2_Reader_OpenDefFiles(reader);
    if (!status && OTF2_Reader_OpenEvtFiles(reader) != OTF2_SUCCESS)
        status = error_set(error, CSY_INPUT, "%s: the event files cannot be read", archive->folder);
    if (status)
        OTF2_Reader_Close(reader);
    else
        *out = reader;
    return status;
}

/* Copies definitions with libotf2, from reader to writer, kind by kind. */
#include "output/trace/otf2_definitions.h"

#include "base/error.h"
#include "output/file/tempname.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

struct otf2_definitions {
    const struct otf2_copy *copy;
    OTF2_Reader *reader;
    OTF2_Archive *archive;
    OTF2_DefReaderCallbacks *local_calls;
    OTF2_GlobalDefReaderCallbacks *global_calls;
    OTF2_DefWriter *local; /* of the present location */
    OTF2_GlobalDefWriter *global;
    uint64_t length_ticks;
    uint64_t met; /* definitions read */
    bool unknown;
    OTF2_ErrorCode failure; /* of the first definition that could not be written */
};

/* A definition was read, and written with this result. */
static OTF2_CallbackCode passed(struct otf2_definitions *d, OTF2_ErrorCode code)
{
    d->met++;
    if (d->failure == OTF2_SUCCESS)
        d->failure = code;
    return d->failure == OTF2_SUCCESS ? OTF2_CALLBACK_SUCCESS : OTF2_CALLBACK_ERROR;
}

#define LIST(...) __VA_ARGS__

/* Callsite is deprecated, but old archives contain it. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

/* A function for each kind: of a location, and of the archive. */
#define KIND(kind, parameters, names)                                                              \
    static OTF2_CallbackCode local_##kind(void *user, LIST parameters)                             \
    {                                                                                              \
        struct otf2_definitions *into = user;                                                      \
        return passed(into, OTF2_DefWriter_Write##kind(into->local, LIST names));                  \
    }                                                                                              \
    GLOBAL_KIND(kind, parameters, names)
#define GLOBAL_KIND(kind, parameters, names)                                                       \
    static OTF2_CallbackCode global_##kind(void *user, LIST parameters)                            \
    {                                                                                              \
        struct otf2_definitions *into = user;                                                      \
        return passed(into, OTF2_GlobalDefWriter_Write##kind(into->global, LIST names));           \
    }
#include "output/trace/otf2_kinds.h"
#undef KIND
#undef GLOBAL_KIND
#pragma GCC diagnostic pop

static OTF2_CallbackCode local_MappingTable(void *user, OTF2_MappingType type,
                                            const OTF2_IdMap *table)
{
    struct otf2_definitions *d = user;
    return passed(d, OTF2_DefWriter_WriteMappingTable(d->local, type, table));
}

/* New offsets replace these. */
static OTF2_CallbackCode local_ClockOffset(void *user, OTF2_TimeStamp time, int64_t offset,
                                           double deviation)
{
    (void)time, (void)offset, (void)deviation;
    return passed(user, OTF2_SUCCESS);
}

static OTF2_CallbackCode global_ClockProperties(void *user, uint64_t resolution, uint64_t offset,
                                                uint64_t length, uint64_t date)
{
    struct otf2_definitions *d = user;
    (void)length;
    return passed(d, OTF2_GlobalDefWriter_WriteClockProperties(d->global, resolution, offset,
                                                               d->length_ticks, date));
}

static OTF2_CallbackCode on_unknown(void *user)
{
    ((struct otf2_definitions *)user)->unknown = true;
    return OTF2_CALLBACK_ERROR;
}

static void set_calls(struct otf2_definitions *d)
{
    OTF2_DefReaderCallbacks *local = d->local_calls;
    OTF2_GlobalDefReaderCallbacks *global = d->global_calls;
#define KIND(kind, parameters, names)                                                              \
    OTF2_DefReaderCallbacks_Set##kind##Callback(local, local_##kind);                              \
    GLOBAL_KIND(kind, parameters, names)
#define GLOBAL_KIND(kind, parameters, names)                                                       \
    OTF2_GlobalDefReaderCallbacks_Set##kind##Callback(global, global_##kind);
#include "output/trace/otf2_kinds.h"
#undef KIND
#undef GLOBAL_KIND
    OTF2_DefReaderCallbacks_SetMappingTableCallback(local, local_MappingTable);
    OTF2_DefReaderCallbacks_SetClockOffsetCallback(local, local_ClockOffset);
    OTF2_DefReaderCallbacks_SetUnknownCallback(local, on_unknown);
    OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(global, global_ClockProperties);
    OTF2_GlobalDefReaderCallbacks_SetUnknownCallback(global, on_unknown);
}

/* --- Errors --------------------------------------------------------------------------------- */

static csy_status refuse_write(const struct otf2_definitions *d, OTF2_ErrorCode code,
                               csy_error *error)
{
    static const struct {
        OTF2_ErrorCode code;
        int number;
    } known[] = {{OTF2_ERROR_ENOSPC, ENOSPC}, {OTF2_ERROR_EDQUOT, EDQUOT},
                 {OTF2_ERROR_EFBIG, EFBIG},   {OTF2_ERROR_EIO, EIO},
                 {OTF2_ERROR_EMFILE, EMFILE}, {OTF2_ERROR_EACCES, EACCES}};
    code = otf2_said_first(code);
    otf2_forget_said();
    if (code == OTF2_ERROR_MEM_FAULT || code == OTF2_ERROR_MEM_ALLOC_FAILED ||
        code == OTF2_ERROR_ENOMEM)
        return error_memory(error);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (code == known[i].code) {
            errno = known[i].number;
            return error_io(error, d->copy->target, NULL);
        }
    return error_set(error, CSY_IO, "%s: %s", d->copy->target, OTF2_Error_GetDescription(code));
}

/* The result of reading `read` definitions of a file; location NULL: the archive's. */
static csy_status judge(const struct otf2_definitions *d, const struct otf2_location *location,
                        OTF2_ErrorCode code, uint64_t read, csy_error *error)
{
    char text[OTF2_SAID_MAX], what[OTF2_SAID_MAX + 64], number[24] = "";
    if (d->failure != OTF2_SUCCESS)
        return refuse_write(d, d->failure, error);
    if (code == OTF2_SUCCESS && !d->unknown && read == d->met)
        return CSY_OK;
    if (d->unknown || code == OTF2_SUCCESS)
        snprintf(what, sizeof what, "it has definitions that %s",
                 d->unknown ? "this libotf2 does not know" : "this cellsync does not know");
    else
        snprintf(what, sizeof what, "its definitions cannot be read: %s", otf2_said(code, text));
    otf2_forget_said();
    if (location)
        snprintf(number, sizeof number, "/%" PRIu64, location->id);
    return error_set(error, CSY_INPUT, "%s%s.def: %s", d->copy->archive->folder, number, what);
}

/* --- The archive ------------------------------------------------------------------------------ */

static OTF2_FlushType flush(void *user, OTF2_FileType type, OTF2_LocationRef location, void *data,
                            bool last)
{
    (void)user, (void)type, (void)location, (void)data, (void)last;
    return OTF2_FLUSH;
}

static csy_status open_reader(struct otf2_definitions *d, uint64_t *definition_bytes,
                              uint64_t *event_bytes, csy_error *error)
{
    char text[OTF2_SAID_MAX];
    const struct otf2_archive *a = d->copy->archive;
    csy_status status = otf2_open(d->copy->from, &d->reader, error);
    if (status)
        return status;
    for (size_t i = 0; i < a->nlocations; i++)
        if (OTF2_Reader_SelectLocation(d->reader, a->locations[i].id) != OTF2_SUCCESS)
            return error_memory(error);
    OTF2_Reader_OpenDefFiles(d->reader); /* there may be no files */
    otf2_forget_said();
    OTF2_ErrorCode code = OTF2_Reader_GetChunkSize(d->reader, event_bytes, definition_bytes);
    return code == OTF2_SUCCESS
               ? CSY_OK
               : error_set(error, CSY_INPUT, "%s: %s", d->copy->from, otf2_said(code, text));
}

static csy_status open_archive(struct otf2_definitions *d, uint64_t definition_bytes,
                               uint64_t event_bytes, csy_error *error)
{
    static const OTF2_FlushCallbacks calls = {.otf2_pre_flush = flush};
    d->archive = OTF2_Archive_Open(d->copy->folder, d->copy->name, OTF2_FILEMODE_WRITE, event_bytes,
                                   definition_bytes, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    if (!d->archive)
        return refuse_write(d, OTF2_ERROR_FILE_CAN_NOT_OPEN, error);
    OTF2_ErrorCode code = OTF2_Archive_SetFlushCallbacks(d->archive, &calls, NULL);
    if (code == OTF2_SUCCESS)
        code = OTF2_Archive_SetSerialCollectiveCallbacks(d->archive);
    if (code == OTF2_SUCCESS)
        code = OTF2_Archive_OpenDefFiles(d->archive);
    return code == OTF2_SUCCESS ? CSY_OK : refuse_write(d, code, error);
}

csy_status otf2_definitions_open(const struct otf2_copy *copy, struct otf2_definitions **out,
                                 csy_error *error)
{
    uint64_t definition_bytes = 0, event_bytes = 0;
    struct otf2_definitions *d = *out = calloc(1, sizeof *d);
    if (!d)
        return error_memory(error);
    d->copy = copy;
    d->failure = OTF2_SUCCESS;
    d->local_calls = OTF2_DefReaderCallbacks_New();
    d->global_calls = OTF2_GlobalDefReaderCallbacks_New();
    if (!d->local_calls || !d->global_calls)
        return error_memory(error);
    set_calls(d);
    csy_status status = open_reader(d, &definition_bytes, &event_bytes, error);
    tempname_hold(); /* libotf2 creates a folder */
    if (!status)
        status = open_archive(d, definition_bytes, event_bytes, error);
    tempname_release();
    return status;
}

/* Copy the definitions of a location, from a checked file. */
static OTF2_ErrorCode pass_local(struct otf2_definitions *d, const struct otf2_location *location,
                                 uint64_t *read)
{
    OTF2_DefReader *reader = OTF2_Reader_GetDefReader(d->reader, location->id);
    if (!reader)
        return OTF2_ERROR_FILE_CAN_NOT_OPEN;
    OTF2_ErrorCode code = OTF2_Reader_RegisterDefCallbacks(d->reader, reader, d->local_calls, d);
    if (code == OTF2_SUCCESS)
        code = OTF2_Reader_ReadAllLocalDefinitions(d->reader, reader, read);
    OTF2_Reader_CloseDefReader(d->reader, reader);
    return code;
}

static OTF2_ErrorCode pass_global(struct otf2_definitions *d, uint64_t *read)
{
    OTF2_GlobalDefReader *reader = OTF2_Reader_GetGlobalDefReader(d->reader);
    if (!reader)
        return OTF2_ERROR_INVALID_DATA;
    OTF2_ErrorCode code =
        OTF2_Reader_RegisterGlobalDefCallbacks(d->reader, reader, d->global_calls, d);
    if (code == OTF2_SUCCESS)
        code = OTF2_Reader_ReadAllGlobalDefinitions(d->reader, reader, read);
    OTF2_Reader_CloseGlobalDefReader(d->reader, reader);
    return code;
}

/* Check a file of definitions and copy it; location NULL: the archive's. */
static csy_status pass(struct otf2_definitions *d, const struct otf2_location *location,
                       csy_error *error)
{
    char *path;
    uint64_t read = 0;
    struct otf2_checked checked;
    const char *folder = d->copy->archive->folder;
    if ((location ? asprintf(&path, "%s/%" PRIu64 ".def", folder, location->id)
                  : asprintf(&path, "%s.def", folder)) < 0)
        return error_memory(error);
    d->met = 0;
    otf2_forget_said();
    OTF2_ErrorCode code = otf2_check_definitions(
        d->reader, path, location ? OTF2_LOCAL_DEFINITIONS : OTF2_GLOBAL_DEFINITIONS, &checked);
    if (code == OTF2_SUCCESS && !location && checked.records.records > 0)
        code = pass_global(d, &read);
    else if (code == OTF2_SUCCESS && checked.records.records > 0)
        code = pass_local(d, location, &read);
    if (code == OTF2_SUCCESS)
        code = otf2_confirm(path, &checked, code);
    free(path);
    return code == OTF2_ERROR_MEM_ALLOC_FAILED ? error_memory(error)
                                               : judge(d, location, code, read, error);
}

csy_status otf2_definitions_location(struct otf2_definitions *d,
                                     const struct otf2_location *location,
                                     const struct otf2_offset *offsets, size_t n, csy_error *error)
{
    OTF2_ErrorCode code = OTF2_SUCCESS;
    tempname_hold(); /* libotf2 creates files */
    d->local = OTF2_Archive_GetDefWriter(d->archive, location->id);
    csy_status status =
        d->local ? pass(d, location, error) : refuse_write(d, OTF2_ERROR_FILE_CAN_NOT_OPEN, error);
    for (size_t i = 0; i < n && !status && code == OTF2_SUCCESS; i++)
        code = OTF2_DefWriter_WriteClockOffset(d->local, offsets[i].time_ticks,
                                               offsets[i].offset_ticks, offsets[i].deviation_ticks);
    if (d->local) {
        OTF2_ErrorCode closing = OTF2_Archive_CloseDefWriter(d->archive, d->local);
        code = code == OTF2_SUCCESS ? closing : code;
    }
    tempname_release();
    return status || code == OTF2_SUCCESS ? status : refuse_write(d, code, error);
}

csy_status otf2_definitions_global(struct otf2_definitions *d, uint64_t length_ticks,
                                   csy_error *error)
{
    d->length_ticks = length_ticks;
    tempname_hold();
    d->global = OTF2_Archive_GetGlobalDefWriter(d->archive);
    csy_status status =
        d->global ? pass(d, NULL, error) : refuse_write(d, OTF2_ERROR_FILE_CAN_NOT_OPEN, error);
    OTF2_ErrorCode code =
        d->global ? OTF2_Archive_CloseGlobalDefWriter(d->archive, d->global) : OTF2_SUCCESS;
    tempname_release();
    return status || code == OTF2_SUCCESS ? status : refuse_write(d, code, error);
}

csy_status otf2_definitions_close(struct otf2_definitions *d, csy_status status, csy_error *error)
{
    OTF2_ErrorCode code = OTF2_SUCCESS;
    if (!d)
        return status;
    tempname_hold();
    if (d->archive) {
        code = OTF2_Archive_CloseDefFiles(d->archive);
        OTF2_ErrorCode closing = OTF2_Archive_Close(d->archive);
        code = code == OTF2_SUCCESS ? closing : code;
    }
    tempname_release();
    if (!status && code != OTF2_SUCCESS)
        status = refuse_write(d, code, error);
    otf2_forget_said();
    if (d->reader)
        OTF2_Reader_Close(d->reader);
    if (d->local_calls)
        OTF2_DefReaderCallbacks_Delete(d->local_calls);
    if (d->global_calls)
        OTF2_GlobalDefReaderCallbacks_Delete(d->global_calls);
    free(d);
    return status;
}

/* Writes an OTF2 archive again, with other ClockOffset records. Readers add them to timestamps.
 *
 *   NAME.otf2       with properties for --check
 *   NAME.def        unchanged, except for the length of the trace if that has grown
 *   NAME/LOC.def    unchanged, except for its ClockOffset records
 *   all others      byte for byte
 *
 * A location needs two ClockOffsets: libotf2 interpolates between two, and extrapolates beyond the
 * last. It rounds to whole ticks, so a drifting clock may be wrong by 1 tick. */
#include "base/array.h"
#include "base/error.h"
#include "base/texts.h"
#include "io/path.h"
#include "io/range.h"
#include "output/file/outfolder.h"
#include "output/file/tempname.h"
#include "output/trace/settings.h"
#include "output/trace/sheet.h"
#include "output/trace/trace_out.h"
#include "output/trace/writer.h"
#include "sync/drift/drift.h"
#include "sync/placement.h"
#include "trace/otf2/archive.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A ClockOffset record of OTF2. */
struct otf2_offset {
    uint64_t time_ticks;    /* local timestamp */
    int64_t offset_ticks;   /* global time minus local time at this timestamp */
    double deviation_ticks; /* half the width of the offset's range */
};

struct extent {
    int64_t first_ticks, last_ticks;
    bool any;
};

struct archive_copy {
    struct csy_trace *trace;
    const struct csy_sync *sync;
    const struct csy_output *output;
    const struct otf2_archive *archive;
    const char *target; /* final path of the folder, for messages */
    char *name;         /* name of the OTF2 archive */
    struct outfolder *folder;
    struct texts clocks;    /* names of clocks, numbered by the indexes of their threads */
    struct extent *extents; /* first and last timestamp of each thread */
    int128 shift_ticks;     /* number of ticks added to all global times */
    uint64_t length_ticks;
    struct otf2_offset *offsets; /* offsets for the location that is being written */
    size_t noffsets, offsets_capacity;
    uint32_t crc32; /* checksum of all event files, in the order of locations */
};

/* The state of copying definitions. libotf2 writes them anew, because they contain old offsets. */
struct otf2_definitions {
    const struct archive_copy *copy;
    OTF2_Reader *reader;
    OTF2_Archive *archive;
    OTF2_DefReaderCallbacks *local_calls;
    OTF2_GlobalDefReaderCallbacks *global_calls;
    OTF2_DefWriter *local; /* writer for the location that is being copied */
    OTF2_GlobalDefWriter *global;
    uint64_t met; /* number of definitions that were read */
    bool unknown;
    OTF2_ErrorCode failure; /* error of the first definition that could not be written */
};

/* Count a definition that was read. `code` is the result of writing the definition. */
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

/* For each kind of definition, define a callback for a location and one for the archive. */
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

/* Drop an old offset, because copy_location writes new ones. */
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
                                                               d->copy->length_ticks, date));
}

static OTF2_CallbackCode on_unknown(void *user)
{
    ((struct otf2_definitions *)user)->unknown = true;
    return OTF2_CALLBACK_ERROR;
}

static OTF2_FlushType flush(void *user, OTF2_FileType type, OTF2_LocationRef location, void *data,
                            bool last)
{
    (void)user, (void)type, (void)location, (void)data, (void)last;
    return OTF2_FLUSH;
}

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

/* Open the definitions of both archives, which write_files closes. */
static csy_status definitions_open(struct otf2_definitions *d, csy_error *error)
{
    static const OTF2_FlushCallbacks calls = {.otf2_pre_flush = flush};
    const struct archive_copy *copy = d->copy;
    const char *from = copy->trace->name;
    char text[OTF2_SAID_MAX];
    uint64_t definition_bytes = 0, event_bytes = 0;
    OTF2_DefReaderCallbacks *local = d->local_calls = OTF2_DefReaderCallbacks_New();
    OTF2_GlobalDefReaderCallbacks *global = d->global_calls = OTF2_GlobalDefReaderCallbacks_New();
    if (!local || !global)
        return error_memory(error);
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
    csy_status status = otf2_open(from, &d->reader, error);
    if (status)
        return status;
    for (size_t i = 0; i < copy->archive->nlocations; i++)
        if (OTF2_Reader_SelectLocation(d->reader, copy->archive->locations[i].id) != OTF2_SUCCESS)
            return error_memory(error);
    OTF2_Reader_OpenDefFiles(d->reader); /* fails without harm if no location has definitions */
    otf2_forget_said();
    OTF2_ErrorCode code = OTF2_Reader_GetChunkSize(d->reader, &event_bytes, &definition_bytes);
    if (code != OTF2_SUCCESS)
        return error_set(error, CSY_INPUT, "%s: %s", from, otf2_said(code, text));
    tempname_hold(); /* no signal may end this process while libotf2 creates a folder */
    d->archive = OTF2_Archive_Open(outfolder_temp(copy->folder), copy->name, OTF2_FILEMODE_WRITE,
                                   event_bytes, definition_bytes, OTF2_SUBSTRATE_POSIX,
                                   OTF2_COMPRESSION_NONE);
    code = d->archive ? OTF2_Archive_SetFlushCallbacks(d->archive, &calls, NULL)
                      : OTF2_ERROR_FILE_CAN_NOT_OPEN;
    if (code == OTF2_SUCCESS)
        code = OTF2_Archive_SetSerialCollectiveCallbacks(d->archive);
    if (code == OTF2_SUCCESS)
        code = OTF2_Archive_OpenDefFiles(d->archive);
    if (code != OTF2_SUCCESS)
        status = refuse_write(d, code, error);
    tempname_release();
    return status;
}

/* Check and copy a file of definitions. `location` is NULL for the archive's file. Returns
 * CSY_INPUT if definitions cannot be read or are unknown, CSY_IO if they cannot be written. */
static csy_status copy_definitions(struct otf2_definitions *d, const struct otf2_location *location,
                                   csy_error *error)
{
    char *path, text[OTF2_SAID_MAX];
    uint64_t read = 0;
    struct otf2_checked checked;
    const char *folder = d->copy->archive->folder;
    if ((location ? asprintf(&path, "%s/%" PRIu64 ".def", folder, location->id)
                  : asprintf(&path, "%s.def", folder)) < 0)
        return error_memory(error);
    csy_status status = CSY_OK;
    d->met = 0;
    otf2_forget_said();
    OTF2_ErrorCode code = otf2_check_definitions(
        d->reader, path, location ? OTF2_LOCAL_DEFINITIONS : OTF2_GLOBAL_DEFINITIONS, &checked);
    if (code == OTF2_SUCCESS && checked.records.records > 0 && !location) {
        OTF2_GlobalDefReader *reader = OTF2_Reader_GetGlobalDefReader(d->reader);
        code = reader
                   ? OTF2_Reader_RegisterGlobalDefCallbacks(d->reader, reader, d->global_calls, d)
                   : OTF2_ERROR_INVALID_DATA;
        if (code == OTF2_SUCCESS)
            code = OTF2_Reader_ReadAllGlobalDefinitions(d->reader, reader, &read);
        if (reader)
            OTF2_Reader_CloseGlobalDefReader(d->reader, reader);
    } else if (code == OTF2_SUCCESS && checked.records.records > 0) {
        OTF2_DefReader *reader = OTF2_Reader_GetDefReader(d->reader, location->id);
        code = reader ? OTF2_Reader_RegisterDefCallbacks(d->reader, reader, d->local_calls, d)
                      : OTF2_ERROR_FILE_CAN_NOT_OPEN;
        if (code == OTF2_SUCCESS)
            code = OTF2_Reader_ReadAllLocalDefinitions(d->reader, reader, &read);
        if (reader)
            OTF2_Reader_CloseDefReader(d->reader, reader);
    }
    if (code == OTF2_SUCCESS)
        code = otf2_confirm(path, &checked, code);
    if (code == OTF2_ERROR_MEM_ALLOC_FAILED)
        status = error_memory(error);
    else if (d->failure != OTF2_SUCCESS)
        status = refuse_write(d, d->failure, error);
    else if (d->unknown || (code == OTF2_SUCCESS && read != d->met))
        status = error_set(error, CSY_INPUT,
                           "%s: the archive has definitions that this %s does not know", path,
                           d->unknown ? "libotf2" : "cellsync");
    else if (code != OTF2_SUCCESS)
        status =
            error_set(error, CSY_INPUT, "%s: the definitions of the archive cannot be read: %s",
                      path, otf2_said(code, text));
    if (status)
        otf2_forget_said();
    free(path);
    return status;
}

/* --- Offsets -------------------------------------------------------------------------------- */

static void extend(struct extent *extent, int64_t ticks)
{
    if (!extent->any || ticks < extent->first_ticks)
        extent->first_ticks = ticks;
    if (!extent->any || ticks > extent->last_ticks)
        extent->last_ticks = ticks;
    extent->any = true;
}

static csy_status take_stamps(void *user, const struct event *source, const csy_event *event,
                              csy_error *error)
{
    struct archive_copy *w = user;
    (void)error;
    extend(&w->extents[event->thread], source->stamp.time_ticks);
    if (source->stamp.interval)
        extend(&w->extents[event->thread], source->stamp.begin_ticks);
    return CSY_OK;
}

/* Add a ClockOffset record with the timestamp time_ticks and the clock's offset at local_ticks. */
static csy_status add_offset(struct archive_copy *w, size_t thread, int64_t local_ticks,
                             int64_t time_ticks, csy_error *error)
{
    const struct csy_sync *sync = w->sync;
    const csy_thread *view = &sync->views[thread];
    int128 offset = placement_of(sync, thread, local_ticks) - local_ticks + w->shift_ticks;
    int128 least, greatest;
    double deviation = HUGE_VAL; /* half the width of the offset's range, or infinite */
    if (sync->drift && drift_bounds(sync, thread, local_ticks, &least, &greatest))
        deviation = (double)(greatest - least) / (2.0 * AGE_UNIT);
    else if (!sync->drift && view->earliest_ticks != INT64_MIN && view->latest_ticks != INT64_MAX)
        deviation = (double)((int128)view->latest_ticks - view->earliest_ticks) / 2;
    if (!fits_int64(offset))
        return error_set(error, CSY_INPUT, "%s: the offset of %s does not fit 64 bits",
                         w->trace->name, view->name);
    return ARRAY_PUSH(w->offsets, w->noffsets, w->offsets_capacity,
                      {(uint64_t)time_ticks, (int64_t)offset, deviation})
               ? CSY_OK
               : error_memory(error);
}

/* --- Files ---------------------------------------------------------------------------------- */

static csy_status copy_file(struct archive_copy *w, const char *suffix, bool optional, bool linked,
                            uint32_t *crc32, csy_error *error)
{
    uint32_t own = 0;
    char *from = NULL, *to = NULL;
    from = asprintf(&from, "%s%s", w->archive->folder, suffix) < 0 ? NULL : from;
    to = asprintf(&to, "%s%s", w->name, suffix) < 0 ? NULL : to;
    csy_status status = from && to ? CSY_OK : error_memory(error);
    if (!status && (!optional || access(from, F_OK) == 0))
        status = outfolder_copy(w->folder, to, from, linked, crc32 ? crc32 : &own, error);
    FREE_ALL(from, to);
    return status;
}

/* Copy the files of a location, with new offsets in its definitions. */
static csy_status copy_location(struct archive_copy *w, struct otf2_definitions *d,
                                const struct otf2_location *location, csy_error *error)
{
    char suffix[40];
    uint32_t thread;
    OTF2_ErrorCode code = OTF2_SUCCESS;
    csy_status status = CSY_OK;
    w->noffsets = 0;
    /* A clock without events gets no offsets. */
    if (texts_look(&w->clocks, location->clock.bytes, location->clock.size, &thread)) {
        /* A drifting clock has offsets at its ends and where its rate changes. */
        const struct knots *knots = w->sync->drift ? &w->sync->drift->clocks[thread] : NULL;
        const struct extent *extent = &w->extents[thread];
        int64_t last = knots ? extent->first_ticks : 0;
        status = add_offset(w, thread, last, last, error);
        for (size_t i = 0; knots && i <= knots->count && !status; i++) {
            int64_t local = i < knots->count ? knots->items[i].local_ticks : extent->last_ticks;
            if (local <= last || local > extent->last_ticks)
                continue;
            status = add_offset(w, thread, local, local, error);
            last = local;
        }
        if (!status && w->noffsets < 2)
            status = add_offset(w, thread, last, last + 1, error);
    }
    if (status)
        return status;
    tempname_hold(); /* no signal may end this process while libotf2 creates files */
    d->local = OTF2_Archive_GetDefWriter(d->archive, location->id);
    status = d->local ? copy_definitions(d, location, error)
                      : refuse_write(d, OTF2_ERROR_FILE_CAN_NOT_OPEN, error);
    for (size_t i = 0; i < w->noffsets && !status && code == OTF2_SUCCESS; i++)
        code = OTF2_DefWriter_WriteClockOffset(d->local, w->offsets[i].time_ticks,
                                               w->offsets[i].offset_ticks,
                                               w->offsets[i].deviation_ticks);
    if (d->local) {
        OTF2_ErrorCode closing = OTF2_Archive_CloseDefWriter(d->archive, d->local);
        code = code == OTF2_SUCCESS ? closing : code;
    }
    tempname_release();
    if (!status && code != OTF2_SUCCESS)
        status = refuse_write(d, code, error);
    snprintf(suffix, sizeof suffix, "/%" PRIu64 ".evt", location->id);
    if (!status)
        status = copy_file(w, suffix, w->trace->salvage, w->output->linked, &w->crc32, error);
    snprintf(suffix, sizeof suffix, "/%" PRIu64 ".snap", location->id);
    return status ? status : copy_file(w, suffix, true, w->output->linked, NULL, error);
}

static csy_status write_files(struct archive_copy *w, csy_error *error)
{
    struct otf2_definitions d = {.copy = w, .failure = OTF2_SUCCESS};
    bool same = w->length_ticks == w->archive->length_ticks;
    OTF2_ErrorCode code = OTF2_SUCCESS;
    csy_status status = copy_file(w, ".otf2", false, false, NULL, error); /* replaced later */
    status = status ? status : definitions_open(&d, error);
    for (size_t i = 0; i < w->archive->nlocations && !status; i++) {
        progress_tell(&w->trace->progress, "writing", CSY_UNIT_THREADS, i, w->archive->nlocations);
        if (outfolder_failed(w->folder))
            break;
        status = copy_location(w, &d, &w->archive->locations[i], error);
    }
    if (!status && !same) {
        tempname_hold();
        d.global = OTF2_Archive_GetGlobalDefWriter(d.archive);
        status = d.global ? copy_definitions(&d, NULL, error)
                          : refuse_write(&d, OTF2_ERROR_FILE_CAN_NOT_OPEN, error);
        if (d.global)
            code = OTF2_Archive_CloseGlobalDefWriter(d.archive, d.global);
        tempname_release();
    }
    tempname_hold();
    if (d.archive) { /* libotf2 writes an anchor file here, and write_anchor replaces it */
        OTF2_ErrorCode closing = OTF2_Archive_CloseDefFiles(d.archive);
        code = code == OTF2_SUCCESS ? closing : code;
        closing = OTF2_Archive_Close(d.archive);
        code = code == OTF2_SUCCESS ? closing : code;
    }
    tempname_release();
    if (!status && code != OTF2_SUCCESS)
        status = refuse_write(&d, code, error);
    otf2_forget_said();
    if (d.reader)
        OTF2_Reader_Close(d.reader);
    if (d.local_calls)
        OTF2_DefReaderCallbacks_Delete(d.local_calls);
    if (d.global_calls)
        OTF2_GlobalDefReaderCallbacks_Delete(d.global_calls);
    if (!status && same)
        status = copy_file(w, ".def", false, false, NULL, error);
    return status ? status : copy_file(w, ".marker", true, false, NULL, error);
}

/* --- The anchor file ------------------------------------------------------------------------ */

/* Changes only the properties in the anchor file. libotf2 would write another trace id, too. Fields
 * and their sizes in bytes:
 *
 *   03 'B' (otherwise numbers are big-endian) | "OTF2" NUL | format of the anchor: 2 or more |
 *   format of the trace, version: 4 bytes | sizes of chunks: 16 | substrate, compression: 2 |
 *   locations, definitions: 16 | machine, creator, description: texts |
 *   number of properties: 4 | name and value of each: texts | the rest
 *
 * A text ends in a NUL. */
enum {
    ANCHOR_MAGIC = 7, /* number of bytes that identify an anchor file */
    FORMAT_AT = 7,
    TEXTS_AT = 46,
    TEXTS = 3,
    COUNT_BYTES = 4,
    FORMAT_OF_PROPERTIES = 2
};

struct property {
    const char *name; /* in capitals: libotf2 does not find other names */
    const char *value;
};

static bool is_anchor(const uint8_t *bytes, size_t size)
{
    return size >= ANCHOR_MAGIC && bytes[0] == 3 && memcmp(bytes + 2, "OTF2", 5) == 0;
}

/* Returns by how many bits the byte `i` of a number is shifted, in the byte order of the file. */
static unsigned count_shift(const uint8_t *file, unsigned i)
{
    return 8 * (file[1] == 'B' ? i : COUNT_BYTES - 1 - i);
}

/* Returns the text at *at, and moves *at behind the text. Returns NULL if the text does not end. */
static const char *next_text(const uint8_t *bytes, size_t size, size_t *at)
{
    const uint8_t *text = bytes + *at, *end = memchr(text, 0, size - *at);
    if (end)
        *at += (size_t)(end - text) + 1;
    return end ? (const char *)text : NULL;
}

static uint8_t *put_text(uint8_t *at, const char *text)
{
    size_t size = strlen(text) + 1;
    memcpy(at, text, size);
    return at + size;
}

/* Make an anchor file from `bytes`, the old one. The n properties replace properties with equal
 * names. The caller frees *out. CSY_INPUT: `bytes`, the file `name`, cannot have properties. */
static csy_status set_properties(const char *name, const uint8_t *bytes, size_t size,
                                 const struct property *properties, size_t n, uint8_t **out,
                                 size_t *out_size, csy_error *error)
{
    size_t at = TEXTS_AT, room = size;
    uint32_t count = 0, kept = (uint32_t)n;
    bool good =
        is_anchor(bytes, size) && size > TEXTS_AT && bytes[FORMAT_AT] >= FORMAT_OF_PROPERTIES;
    for (int i = 0; i < TEXTS && good; i++)
        good = next_text(bytes, size, &at) != NULL;
    for (size_t i = 0; i < n; i++)
        room += strlen(properties[i].name) + strlen(properties[i].value) + 2;
    uint8_t *made = good ? malloc(room) : NULL;
    if (good && !made)
        return error_memory(error);
    size_t count_at = at;
    uint8_t *to = good ? made + at + COUNT_BYTES : NULL;
    good = good && size - at >= COUNT_BYTES;
    for (unsigned i = 0; good && i < COUNT_BYTES; i++)
        count |= (uint32_t)bytes[at++] << count_shift(bytes, i);
    for (uint32_t i = 0; good && i < count; i++) { /* copy those properties that are kept */
        const char *key = next_text(bytes, size, &at);
        const char *value = key ? next_text(bytes, size, &at) : NULL;
        bool replaced = false;
        for (size_t k = 0; k < n && value; k++)
            replaced |= strcmp(key, properties[k].name) == 0;
        good = value != NULL;
        if (good && !replaced) {
            to = put_text(put_text(to, key), value);
            kept++;
        }
    }
    if (!good) {
        free(made);
        return error_set(
            error, CSY_INPUT,
            "%s: this version of OTF2 has no properties of archives, which cellsync needs", name);
    }
    memcpy(made, bytes, count_at);
    for (size_t i = 0; i < n; i++)
        to = put_text(put_text(to, properties[i].name), properties[i].value);
    for (unsigned i = 0; i < COUNT_BYTES; i++)
        made[count_at + i] = (uint8_t)(kept >> count_shift(bytes, i));
    memcpy(to, bytes + at, size - at);
    *out = made;
    *out_size = (size_t)(to - made) + (size - at);
    return CSY_OK;
}

static csy_status write_anchor(struct archive_copy *w, csy_error *error)
{
    enum { ANCHOR_MAX = 16 << 20 };
    const struct facts_line line = {
        .trace = w->trace, .sync = w->sync, .archive = true, .clock_per = w->archive->clock_per};
    const char *from = w->trace->name;
    char crc32[16], *facts = facts_line_text(&line), *name = NULL, *path = NULL;
    const struct property properties[] = {{OTF2_PROPERTY_CRC, crc32}, {OTF2_PROPERTY_FACTS, facts}};
    uint8_t *made = NULL;
    size_t size = 0, got = 1, made_size = 0;
    struct stat st;
    name = asprintf(&name, "%s.otf2", w->name) < 0 ? NULL : name;
    snprintf(crc32, sizeof crc32, "0x%08" PRIx32, w->crc32);
    int fd = open(from, O_RDONLY | O_CLOEXEC);
    bool good = fd >= 0 && fstat(fd, &st) == 0;
    size_t room = good && st.st_size < ANCHOR_MAX ? (size_t)st.st_size : ANCHOR_MAX;
    uint8_t *old = good && name && facts ? malloc(room + 1) : NULL;
    csy_status status = good ? CSY_OK : error_io(error, from, NULL);
    if (good && !old)
        status = error_memory(error);
    struct range range = {.fd = fd, .name = from};
    for (; !status && got > 0 && size < room; size += got)
        status = range_read(&range, old + size, room - size, &got, error);
    if (fd >= 0)
        close(fd);
    if (!status && old)
        status = set_properties(from, old, size, properties, sizeof properties / sizeof *properties,
                                &made, &made_size, error);
    if (!status) {
        path = outfolder_path(w->folder, name);
        status = path ? CSY_OK : error_memory(error);
    }
    if (!status) {
        /* Empty the anchor file of libotf2, which has a wrong trace id. Do not remove it, because
         * an anchor file identifies an archive. */
        if (truncate(path, 0) < 0)
            status = error_io(error, path, NULL);
        else
            outfolder_append(w->folder, name, made, made_size);
    }
    FREE_ALL(path, facts, name, old, made);
    return status;
}

/* --- The folder ----------------------------------------------------------------------------- */

/* The apparent contents of a folder: an archive and its name. */
struct folder_contents {
    const char *path;
    char *name; /* name of the archive, as in its anchor file */
};

/* Returns true if `name` is the name of the archive, followed by `suffix`. */
static bool is_of(const struct folder_contents *looking, const char *name, const char *suffix)
{
    size_t size = strlen(looking->name);
    return strncmp(name, looking->name, size) == 0 && strcmp(name + size, suffix) == 0;
}

static bool find_anchor(void *user, int folder_fd, const char *name)
{
    static const char suffix[] = ".otf2";
    struct folder_contents *looking = user;
    uint8_t head[ANCHOR_MAGIC];
    size_t size = strlen(name), cut = sizeof suffix - 1;
    if (size <= cut || strcmp(name + size - cut, suffix) != 0)
        return true;
    ssize_t n = outfolder_read_head(folder_fd, name, head, sizeof head);
    if (looking->name || n < 0 || !is_anchor(head, (size_t)n))
        return false;
    looking->name = strndup(name, size - cut);
    return looking->name != NULL;
}

/* Returns true if the file is empty or begins like other files of libotf2. */
static bool is_file(int folder_fd, const char *name)
{
    uint8_t head[2];
    ssize_t n = outfolder_read_head(folder_fd, name, head, sizeof head);
    return n == 0 || (n == sizeof head && head[0] == 3 && (head[1] == 'B' || head[1] == '#'));
}

static bool is_location_file(void *user, int folder_fd, const char *name)
{
    const char *end = name + strspn(name, "0123456789");
    (void)user;
    return end > name &&
           (strcmp(end, ".evt") == 0 || strcmp(end, ".def") == 0 || strcmp(end, ".snap") == 0) &&
           is_file(folder_fd, name);
}

static bool is_archive_entry(void *user, int folder_fd, const char *name)
{
    const struct folder_contents *looking = user;
    struct stat st;
    if (is_of(looking, name, ".otf2"))
        return true;
    if (is_of(looking, name, ".def") || is_of(looking, name, ".marker"))
        return is_file(folder_fd, name);
    if (strcmp(name, looking->name) != 0 ||
        fstatat(folder_fd, name, &st, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISDIR(st.st_mode))
        return false;
    char *path;
    if (asprintf(&path, "%s/%s", looking->path, name) < 0)
        return false;
    bool good = outfolder_visit(path, is_location_file, NULL);
    free(path);
    return good;
}

static bool holds_archive(const char *path)
{
    struct folder_contents looking = {.path = path};
    bool good = outfolder_visit(path, find_anchor, &looking) && looking.name &&
                outfolder_visit(path, is_archive_entry, &looking);
    free(looking.name);
    return good;
}

csy_status otf2_check_target(const struct csy_trace *trace, const char *path, csy_error *error)
{
    struct stat st, of_trace;
    char *anchor = path_canonical(trace->name), *folder = anchor ? path_folder(anchor) : NULL;
    bool input = folder && stat(path, &st) == 0 && stat(folder, &of_trace) == 0 &&
                 of_trace.st_dev == st.st_dev && of_trace.st_ino == st.st_ino;
    FREE_ALL(folder, anchor);
    return input ? error_set(error, CSY_INPUT,
                             "%s: this is the folder of the input trace; name another folder", path)
                 : outfolder_check_target(path, "an OTF2 archive", holds_archive, error);
}

/* Find the first and the last timestamp of each clock. Shift global times so that they begin like
 * the original archive, or at 0 if a timestamp would exceed INT64_MAX. */
static csy_status prepare(struct archive_copy *w, csy_error *error)
{
    static const struct writer_format format = {.event = take_stamps};
    const struct threads *threads = &w->sync->survey.threads;
    int128 least = 0, greatest = 0, begin = w->archive->offset_ticks;
    uint32_t number;
    bool added, any = false;
    w->extents = calloc(threads->count + 1, sizeof *w->extents);
    w->name = strdup(path_name(w->archive->folder));
    csy_status status = w->extents && w->name ? CSY_OK : error_memory(error);
    for (size_t t = 0; t < threads->count && !status; t++) {
        const char *name = threads->items[t].name;
        if (!texts_find(&w->clocks, name, strlen(name), &number, &added))
            status = error_memory(error);
    }
    if (!status)
        status = writer_walk(&(struct writer){w->trace, w->sync, NULL, &format, w}, error);
    for (size_t t = 0; t < threads->count && !status; t++) {
        const struct extent *extent = &w->extents[t];
        if (!extent->any)
            continue;
        int128 first = placement_of(w->sync, t, extent->first_ticks);
        int128 last = placement_of(w->sync, t, extent->last_ticks);
        least = !any || first < least ? first : least;
        greatest = !any || last > greatest ? last : greatest;
        any = true;
    }
    if (status)
        return status;
    if (greatest - least > INT64_MAX)
        return error_set(error, CSY_INPUT, "%s: the global times span 2^63 ticks or more",
                         w->trace->name);
    if (begin + (greatest - least) > INT64_MAX) /* the last timestamp would exceed INT64_MAX */
        begin = 0;
    w->shift_ticks = begin - least;
    bool known = begin == w->archive->offset_ticks;
    int128 ends = (int128)w->archive->offset_ticks + w->archive->length_ticks;
    w->length_ticks = known && greatest + w->shift_ticks > ends
                          ? (uint64_t)(greatest + w->shift_ticks - begin)
                          : w->archive->length_ticks;
    return CSY_OK;
}

csy_status otf2_write(struct csy_trace *trace, const struct csy_sync *sync,
                      const csy_output *output, const char *path, csy_error *error)
{
    struct archive_copy w = {.trace = trace,
                             .sync = sync,
                             .output = output,
                             .archive = otf2_archive_of(trace),
                             .target = path};
    csy_status status = otf2_check_target(trace, path, error);
    status = status ? status : prepare(&w, error);
    status = status ? status : outfolder_open(path, &w.folder, error);
    status = status ? status : write_files(&w, error);
    status = status ? status : write_anchor(&w, error);
    status = status ? status : trace_check_unchanged(trace, error);
    status =
        status ? status : otf2_check_target(trace, path, error); /* the target may have changed */
    status = status ? status : outfolder_publish(w.folder, &trace->progress, error);
    outfolder_close(w.folder);
    texts_fini(&w.clocks);
    FREE_ALL(w.extents, w.offsets, w.name);
    return status;
}

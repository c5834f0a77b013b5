/* A synchronized OTF2 archive: the same archive with other ClockOffset records, which readers
 * apply.
 *
 *   NAME.otf2       with properties for --check
 *   NAME.def        unchanged, except for the length of the trace if that has grown
 *   NAME/LOC.def    unchanged, except for its ClockOffset records
 *   all others      byte for byte
 *
 * A single ClockOffset has no effect: libotf2 interpolates between two, and extrapolates beyond the
 * last. It rounds to whole ticks, in double, so a drifting clock is correct to 1 tick. */
#include "base/array.h"
#include "base/error.h"
#include "base/texts.h"
#include "io/path.h"
#include "output/file/outfolder.h"
#include "output/file/tempname.h"
#include "output/trace/facts_line.h"
#include "output/trace/otf2_anchor.h"
#include "output/trace/otf2_folder.h"
#include "output/trace/settings.h"
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

/* Definitions of an OTF2 archive are rewritten, because copied files would keep the old offsets. */

/* A ClockOffset record: a timestamp, the offset to global time there, and the deviation. */
struct otf2_offset {
    uint64_t time_ticks;
    int64_t offset_ticks;
    double deviation_ticks;
};

/* Source and destination. */
struct otf2_copy {
    const char *from; /* path of an anchor file */
    const struct otf2_archive *archive;
    const char *folder, *name; /* present names of the new archive */
    const char *target;        /* final name of the folder, for messages */
};

struct otf2_definitions;

struct otf2_definitions {
    const struct otf2_copy *copy;
    OTF2_Reader *reader;
    OTF2_Archive *archive;
    OTF2_DefReaderCallbacks *local_calls;
    OTF2_GlobalDefReaderCallbacks *global_calls;
    OTF2_DefWriter *local; /* writes the present location */
    OTF2_GlobalDefWriter *global;
    uint64_t length_ticks;
    uint64_t met; /* number of definitions read */
    bool unknown;
    OTF2_ErrorCode failure; /* why the first definition could not be written */
};

/* Count a definition that was read, and note whether it could be written (code). */
static OTF2_CallbackCode passed(struct otf2_definitions *d, OTF2_ErrorCode code)
{
    d->met++;
    if (d->failure == OTF2_SUCCESS)
        d->failure = code;
    return d->failure == OTF2_SUCCESS ? OTF2_CALLBACK_SUCCESS : OTF2_CALLBACK_ERROR;
}

#define LIST(...) __VA_ARGS__

/* Copy Callsite, too: it is deprecated, but old archives contain it. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

/* Define two functions for each kind: one for a location, one for the archive. */
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

/* Drop an old offset, because new ones replace it. */
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

/* The status after reading `read` definitions; location is NULL for the archive's file. */
static csy_status definitions_status(const struct otf2_definitions *d,
                                     const struct otf2_location *location, OTF2_ErrorCode code,
                                     uint64_t read, csy_error *error)
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
    OTF2_Reader_OpenDefFiles(d->reader); /* fails harmlessly if there are no files */
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

/* Open the definitions. Call otf2_definitions_close in any case, and keep *copy until then. */
static csy_status otf2_definitions_open(const struct otf2_copy *copy, struct otf2_definitions **out,
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
    tempname_hold(); /* because libotf2 creates a folder */
    if (!status)
        status = open_archive(d, definition_bytes, event_bytes, error);
    tempname_release();
    return status;
}

/* Copy the definitions of a location from a file that was checked. */
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

/* Check a file of definitions and copy it. location is NULL for the archive's file. */
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
                                               : definitions_status(d, location, code, read, error);
}

/* Copy the definitions of a location, with new offsets instead of the old ones. CSY_INPUT if they
 * cannot be read or have an unknown kind; CSY_IO. */
static csy_status otf2_definitions_location(struct otf2_definitions *d,
                                            const struct otf2_location *location,
                                            const struct otf2_offset *offsets, size_t n,
                                            csy_error *error)
{
    OTF2_ErrorCode code = OTF2_SUCCESS;
    tempname_hold(); /* because libotf2 creates files */
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

/* Copy the definitions of the archive, except for the length of the trace. */
static csy_status otf2_definitions_global(struct otf2_definitions *d, uint64_t length_ticks,
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

/* Free. Returns status, or a new failure. After CSY_OK, there is an anchor file, which must still
 * be replaced. */
static csy_status otf2_definitions_close(struct otf2_definitions *d, csy_status status,
                                         csy_error *error)
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

/* The first and last timestamp of a clock. */
struct extent {
    int64_t first_ticks, last_ticks;
    bool any;
};

struct archive_copy {
    struct csy_trace *trace;
    const struct csy_sync *sync;
    const struct csy_output *output;
    const struct otf2_archive *archive;
    const char *target;
    char *name; /* name of the archive */
    struct outfolder *folder;
    struct texts clocks;    /* names of clocks, numbered like threads */
    struct extent *extents; /* one for each thread */
    int128 shift_ticks;     /* added to all global times */
    uint64_t length_ticks;
    struct otf2_offset *offsets; /* offsets of one location */
    size_t noffsets, offsets_capacity;
    uint32_t crc32; /* checksum of the event files, ordered by location */
};

/* --- Offsets -----------------------------------------------------------------------------------
 */

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

/* Shift global times so that the least one is at the previous origin, unless a timestamp would
 * leave 64 bits. */
static csy_status find_shift(struct archive_copy *w, csy_error *error)
{
    int128 least = 0, greatest = 0, begin = w->archive->offset_ticks;
    bool any = false;
    for (size_t t = 0; t < w->sync->survey.threads.count; t++) {
        const struct extent *extent = &w->extents[t];
        if (!extent->any)
            continue;
        int128 first = placement_of(w->sync, t, extent->first_ticks);
        int128 last = placement_of(w->sync, t, extent->last_ticks);
        least = !any || first < least ? first : least;
        greatest = !any || last > greatest ? last : greatest;
        any = true;
    }
    if (begin + (greatest - least) > INT64_MAX) /* treat the origin as unknown */
        begin = 0;
    if (greatest - least > INT64_MAX)
        return error_set(error, CSY_INPUT, "%s: its global times span 2^63 ticks or more",
                         w->trace->name);
    w->shift_ticks = begin - least;
    uint64_t span = (uint64_t)(greatest + w->shift_ticks - begin);
    bool known = begin == w->archive->offset_ticks;
    int128 ends = (int128)w->archive->offset_ticks + w->archive->length_ticks;
    w->length_ticks = known && greatest + w->shift_ticks > ends ? span : w->archive->length_ticks;
    return CSY_OK;
}

/* Half the width of the range of the offset; infinite if it is unbounded. */
static double deviation(const struct csy_sync *sync, size_t t, int64_t local_ticks)
{
    const csy_thread *thread = &sync->views[t];
    int128 least, greatest;
    if (sync->drift)
        return drift_bounds(sync, t, local_ticks, &least, &greatest)
                   ? (double)(greatest - least) / (2.0 * AGE_UNIT)
                   : HUGE_VAL;
    if (thread->earliest_ticks == INT64_MIN || thread->latest_ticks == INT64_MAX)
        return HUGE_VAL;
    return (double)((int128)thread->latest_ticks - thread->earliest_ticks) / 2;
}

/* Add a record, with this time, of a clock's offset at a local time. */
static csy_status add_offset(struct archive_copy *w, size_t thread, int64_t local_ticks,
                             int64_t time_ticks, csy_error *error)
{
    int128 offset = placement_of(w->sync, thread, local_ticks) - local_ticks + w->shift_ticks;
    if (!fits_int64(offset))
        return error_set(error, CSY_INPUT, "%s: the offset of %s would leave 64 bits",
                         w->trace->name, w->sync->views[thread].name);
    if (!ARRAY_RESERVE(w->offsets, w->offsets_capacity, w->noffsets + 1))
        return error_memory(error);
    w->offsets[w->noffsets++] = (struct otf2_offset){(uint64_t)time_ticks, (int64_t)offset,
                                                     deviation(w->sync, thread, local_ticks)};
    return CSY_OK;
}

/* Add the offsets of a drifting clock where its rate changes, and at its first and last
 * timestamp. */
static csy_status make_kinks(struct archive_copy *w, size_t thread, csy_error *error)
{
    const struct knots *knots = &w->sync->drift->clocks[thread];
    const struct extent *extent = &w->extents[thread];
    int64_t last = extent->first_ticks;
    csy_status status = add_offset(w, thread, last, last, error);
    for (size_t i = 0; i <= knots->count && !status; i++) {
        int64_t local = i < knots->count ? knots->items[i].local_ticks : extent->last_ticks;
        if (local <= last || local > extent->last_ticks)
            continue;
        status = add_offset(w, thread, local, local, error);
        last = local;
    }
    return status || w->noffsets > 1 ? status : add_offset(w, thread, last, last + 1, error);
}

/* --- Files ---------------------------------------------------------------------------------- */

static char *spell(const char *front, const char *suffix)
{
    char *path;
    return asprintf(&path, "%s%s", front, suffix) < 0 ? NULL : path;
}

/* Copy a file of the archive. If it is optional, it may be absent. */
static csy_status copy_file(struct archive_copy *w, const char *suffix, bool optional, bool linked,
                            uint32_t *crc32, csy_error *error)
{
    uint32_t own = 0;
    char *from = spell(w->archive->folder, suffix), *to = spell(w->name, suffix);
    csy_status status = from && to ? CSY_OK : error_memory(error);
    if (!status && (!optional || access(from, F_OK) == 0))
        status = outfolder_copy(w->folder, to, from, linked, crc32 ? crc32 : &own, error);
    free(from);
    free(to);
    return status;
}

static csy_status copy_location(struct archive_copy *w, struct otf2_definitions *definitions,
                                const struct otf2_location *location, csy_error *error)
{
    char suffix[40];
    uint32_t thread;
    csy_status status = CSY_OK;
    w->noffsets = 0;
    /* A clock without events has no offsets. */
    if (texts_look(&w->clocks, location->clock.bytes, location->clock.size, &thread)) {
        status = w->sync->drift ? make_kinks(w, thread, error) : add_offset(w, thread, 0, 0, error);
        if (!status && !w->sync->drift)
            status = add_offset(w, thread, 0, 1, error);
    }
    if (!status)
        status = otf2_definitions_location(definitions, location, w->offsets, w->noffsets, error);
    snprintf(suffix, sizeof suffix, "/%" PRIu64 ".evt", location->id);
    if (!status)
        status = copy_file(w, suffix, w->trace->salvage, w->output->linked, &w->crc32, error);
    snprintf(suffix, sizeof suffix, "/%" PRIu64 ".snap", location->id);
    if (!status)
        status = copy_file(w, suffix, true, w->output->linked, NULL, error);
    return status;
}

static csy_status write_files(struct archive_copy *w, csy_error *error)
{
    struct otf2_definitions *definitions = NULL;
    const struct otf2_copy copy = {w->trace->name, w->archive, outfolder_temp(w->folder), w->name,
                                   w->target};
    bool same = w->length_ticks == w->archive->length_ticks;
    csy_status status = copy_file(w, ".otf2", false, false, NULL, error); /* replaced below */
    if (!status)
        status = otf2_definitions_open(&copy, &definitions, error);
    for (size_t i = 0; i < w->archive->nlocations && !status; i++) {
        progress_tell(&w->trace->progress, "writing", CSY_UNIT_THREADS, i, w->archive->nlocations);
        if (outfolder_failed(w->folder))
            break;
        status = copy_location(w, definitions, &w->archive->locations[i], error);
    }
    if (!status && !same)
        status = otf2_definitions_global(definitions, w->length_ticks, error);
    status = otf2_definitions_close(definitions, status, error);
    if (!status && same)
        status = copy_file(w, ".def", false, false, NULL, error);
    return status ? status : copy_file(w, ".marker", true, false, NULL, error);
}

/* Read an anchor file. Such files are small. */
static csy_status read_anchor(const char *name, uint8_t **out, size_t *size, csy_error *error)
{
    enum { ANCHOR_MAX = 16 << 20 };
    struct stat st;
    int fd = open(name, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &st) < 0) {
        csy_status status = error_io(error, name, NULL);
        if (fd >= 0)
            close(fd);
        return status;
    }
    size_t room = st.st_size < ANCHOR_MAX ? (size_t)st.st_size : ANCHOR_MAX;
    uint8_t *bytes = malloc(room + 1);
    ssize_t n = bytes ? pread(fd, bytes, room, 0) : 0;
    csy_status status = !bytes ? error_memory(error) : n < 0 ? error_io(error, name, NULL) : CSY_OK;
    close(fd);
    if (status) {
        free(bytes);
        return status;
    }
    *out = bytes;
    *size = (size_t)n;
    return CSY_OK;
}

static csy_status write_anchor(struct archive_copy *w, csy_error *error)
{
    const struct facts_line line = {
        .trace = w->trace, .sync = w->sync, .archive = true, .clock_per = w->archive->clock_per};
    char crc32[16], *facts = facts_line_text(&line);
    const struct otf2_property properties[] = {{OTF2_PROPERTY_CRC, crc32},
                                               {OTF2_PROPERTY_FACTS, facts}};
    uint8_t *old = NULL, *made = NULL;
    size_t size = 0, made_size = 0;
    char *name = spell(w->name, ".otf2"), *path = NULL;
    snprintf(crc32, sizeof crc32, "0x%08" PRIx32, w->crc32);
    csy_status status =
        name && facts ? read_anchor(w->trace->name, &old, &size, error) : error_memory(error);
    if (!status)
        status = otf2_anchor_set(w->trace->name, old, size, properties,
                                 sizeof properties / sizeof *properties, &made, &made_size, error);
    if (!status) {
        path = outfolder_path(w->folder, name);
        status = path ? CSY_OK : error_memory(error);
    }
    if (!status) {
        /* Empty the anchor file of libotf2, which has another trace id. The file itself stays,
         * because it identifies an archive. */
        if (truncate(path, 0) < 0)
            status = error_io(error, path, NULL);
        else
            outfolder_append(w->folder, name, made, made_size);
    }
    free(path);
    free(facts);
    free(name);
    free(old);
    free(made);
    return status;
}

/* --- The archive ------------------------------------------------------------------------------ */

static csy_status prepare(struct archive_copy *w, csy_error *error)
{
    static const struct writer_format format = {.event = take_stamps};
    const struct threads *threads = &w->sync->survey.threads;
    uint32_t number;
    bool added;
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
    return status ? status : find_shift(w, error);
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
    if (!status)
        status = prepare(&w, error);
    if (!status)
        status = outfolder_open(path, &w.folder, error);
    if (!status)
        status = write_files(&w, error);
    if (!status)
        status = write_anchor(&w, error);
    if (!status)
        status = trace_check_unchanged(trace, error);
    if (!status)
        status = otf2_check_target(trace, path, error); /* the folder may have changed */
    if (!status)
        status = outfolder_publish(w.folder, &trace->progress, error);
    outfolder_close(w.folder);
    texts_fini(&w.clocks);
    free(w.extents);
    free(w.offsets);
    free(w.name);
    return status;
}

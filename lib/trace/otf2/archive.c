/* Opens and checks files of an OTF2 archive, and keeps error messages of libotf2. See archive.h. */
#include "trace/otf2/archive.h"

#include "base/array.h"
#include "base/ascii.h"
#include "base/error.h"
#include "io/range.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

static void note_file(const struct stat *st, struct otf2_checked *out)
{
    out->device = st->st_dev;
    out->inode = st->st_ino;
    out->bytes = st->st_size;
    out->changed = st->st_ctim;
}

/* Open a regular file, without waiting. Returns -1 if the file cannot be opened, and stores the
 * reason in *out. */
static int open_file(const char *path, struct otf2_checked *out)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    out->there = fd >= 0 || errno != ENOENT;
    if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode)) {
        note_file(&st, out);
        return fd;
    }
    if (out->there)
        out->records.fault = fd >= 0 ? "this is not a regular file" : "the file cannot be opened";
    if (fd >= 0)
        close(fd);
    return -1;
}

bool otf2_check_file(const char *path, enum otf2_part part, uint64_t chunk_bytes,
                     struct otf2_checked *out)
{
    *out = (struct otf2_checked){.records = {.part = part, .chunk_bytes = chunk_bytes}};
    int fd = open_file(path, out);
    if (fd < 0)
        return true;
    if (out->bytes == 0 && part == OTF2_LOCAL_DEFINITIONS) {
        close(fd);
        return true;
    }
    uint64_t room = (uint64_t)out->bytes < chunk_bytes ? (uint64_t)out->bytes : chunk_bytes;
    uint8_t *bytes = room > 0 ? malloc((size_t)room) : NULL;
    bool good = bytes != NULL;
    struct otf2_records *r = &out->records;
    if (!good) {
        r->fault = "the file was cut off";
        r->cut = true;
    }
    for (bool more = good; more;) {
        uint64_t left = (uint64_t)out->bytes - r->offset;
        bool last = left <= chunk_bytes;
        size_t size = (size_t)(last ? left : chunk_bytes);
        bool got = range_read_at(fd, bytes, size, r->offset);
        if (!got)
            r->fault = "the file cannot be read";
        more = got && otf2_records_check(r, bytes, size, last);
    }
    free(bytes);
    close(fd);
    return good || room == 0;
}

bool otf2_is_unchanged(const char *path, const struct otf2_checked *checked)
{
    struct stat st;
    struct otf2_checked now;
    if (stat(path, &st) != 0)
        return !checked->there;
    note_file(&st, &now);
    return now.device == checked->device && now.inode == checked->inode &&
           now.bytes == checked->bytes && now.changed.tv_sec == checked->changed.tv_sec &&
           now.changed.tv_nsec == checked->changed.tv_nsec;
}

/* --- Errors of libotf2 ---------------------------------------------------------------------- */

static _Thread_local char said[OTF2_SAID_MAX - 64];
static _Thread_local OTF2_ErrorCode said_first;
static _Thread_local bool said_by_us;

static OTF2_ErrorCode note_said(void *user, const char *file, uint64_t line, const char *function,
                                OTF2_ErrorCode code, const char *format, va_list values)
    __attribute__((format(printf, 6, 0)));

static OTF2_ErrorCode note_said(void *user, const char *file, uint64_t line, const char *function,
                                OTF2_ErrorCode code, const char *format, va_list values)
{
    (void)user, (void)file, (void)line, (void)function;
    if (*said == 0) /* later errors are consequences of the first error */
        said_first = code;
    if (*said == 0 && format)
        (void)vsnprintf(said, sizeof said, format, values);
    said[strcspn(said, "\n")] = 0;
    return code;
}

/* Note a fault that cellsync found, unless an error is noted already. Returns
 * OTF2_ERROR_INVALID_DATA. */
static OTF2_ErrorCode say(const char *format, ...) __attribute__((format(printf, 1, 2)));

static OTF2_ErrorCode say(const char *format, ...)
{
    va_list values;
    said_by_us = *said == 0;
    va_start(values, format);
    note_said(NULL, NULL, 0, NULL, OTF2_ERROR_INVALID_DATA, format, values);
    va_end(values);
    return OTF2_ERROR_INVALID_DATA;
}

void otf2_forget_said(void)
{
    *said = 0;
    said_by_us = false;
}

OTF2_ErrorCode otf2_said_first(OTF2_ErrorCode code)
{
    return *said ? said_first : code;
}

const char *otf2_said(OTF2_ErrorCode code, char text[OTF2_SAID_MAX])
{
    char shown[ERROR_ESCAPED_MAX];
    const char *name = OTF2_Error_GetName(code);
    bool more = *said && strcmp(said, name) != 0;
    if (said_by_us)
        snprintf(text, OTF2_SAID_MAX, "%s", said);
    else
        snprintf(text, OTF2_SAID_MAX, "%s%s%s%s", name, more ? " (" : "",
                 more ? error_escape(shown, said, strlen(said)) : "", more ? ")" : "");
    otf2_forget_said();
    return text;
}

/* --- Definitions and the anchor file --------------------------------------------------------- */

OTF2_ErrorCode otf2_check_definitions(OTF2_Reader *reader, const char *path, enum otf2_part part,
                                      struct otf2_checked *out)
{
    uint64_t events = 0, chunk_bytes = 0;
    OTF2_ErrorCode code = OTF2_Reader_GetChunkSize(reader, &events, &chunk_bytes);
    if (code != OTF2_SUCCESS)
        return code;
    if (!otf2_check_file(path, part, chunk_bytes, out))
        return OTF2_ERROR_MEM_ALLOC_FAILED;
    const struct otf2_records *r = &out->records;
    return r->fault ? say("offset %" PRIu64 ": %s", r->offset, r->fault) : OTF2_SUCCESS;
}

OTF2_ErrorCode otf2_confirm(const char *path, const struct otf2_checked *checked,
                            OTF2_ErrorCode code)
{
    if (code != OTF2_SUCCESS || otf2_is_unchanged(path, checked))
        return code;
    otf2_forget_said();
    return say("the file has changed since it was checked");
}

csy_status otf2_open(const char *name, OTF2_Reader **out, csy_error *error)
{
    char text[OTF2_SAID_MAX];
    struct otf2_checked anchor = {.there = false};
    uint64_t events = 0, definitions = 0;
    OTF2_Error_RegisterCallback(note_said, NULL);
    otf2_forget_said();
    int fd = open_file(name, &anchor);
    if (fd >= 0) {
        size_t size = (size_t)anchor.bytes;
        uint8_t *bytes = malloc(size > 0 ? size : 1);
        if (bytes)
            anchor.records.fault = size > 0 && !range_read_at(fd, bytes, size, 0)
                                       ? "the file cannot be read"
                                       : otf2_anchor_fault(bytes, size);
        free(bytes);
        close(fd);
        if (!bytes)
            return error_memory(error);
    }
    if (anchor.records.fault)
        say("%s", anchor.records.fault);
    OTF2_Reader *reader = anchor.records.fault ? NULL : OTF2_Reader_Open(name);
    if (reader && otf2_confirm(name, &anchor, OTF2_SUCCESS) != OTF2_SUCCESS) {
        OTF2_Reader_Close(reader);
        reader = NULL;
    }
    if (!reader)
        return error_set(error, CSY_INPUT, "%s: this anchor file cannot be read: %s", name,
                         otf2_said(OTF2_ERROR_INVALID_DATA, text));
    csy_status status = CSY_OK;
    /* Refuse great chunk sizes, because libotf2 allocates and clears whole chunks. */
    if (OTF2_Reader_GetChunkSize(reader, &events, &definitions) != OTF2_SUCCESS ||
        events > OTF2_CHUNK_SIZE_MAX || definitions > OTF2_CHUNK_SIZE_MAX)
        status = error_set(error, CSY_INPUT,
                           "%s: the chunks of the archive have %" PRIu64 " and %" PRIu64
                           " bytes, expected at most 2^24",
                           name, events, definitions);
    else if (OTF2_Reader_SetSerialCollectiveCallbacks(reader) != OTF2_SUCCESS)
        status = error_memory(error);
    if (status)
        OTF2_Reader_Close(reader);
    else
        *out = reader;
    return status;
}

/* --- Locations ------------------------------------------------------------------------------ */

static OTF2_CallbackCode on_offset(void *user, OTF2_TimeStamp time, int64_t offset,
                                   double deviation)
{
    struct otf2_offsets *offsets = user;
    if (time > INT64_MAX)
        return OTF2_CALLBACK_SUCCESS;
    offsets->no_memory = !ARRAY_PUSH(offsets->items, offsets->count, offsets->capacity,
                                     (struct tracer_reading){(int64_t)time, offset, deviation});
    return offsets->no_memory ? OTF2_CALLBACK_ERROR : OTF2_CALLBACK_SUCCESS;
}

/* Read the local definitions of a location, and store its clock offsets. */
static OTF2_ErrorCode read_local(OTF2_Reader *reader, struct otf2_location *location,
                                 const char *path)
{
    struct otf2_checked checked = {.there = false};
    struct otf2_offsets *offsets = calloc(1, sizeof *offsets);
    if (!offsets)
        return OTF2_ERROR_MEM_ALLOC_FAILED;
    OTF2_ErrorCode code = otf2_check_definitions(reader, path, OTF2_LOCAL_DEFINITIONS, &checked);
    /* Skip an empty file, because libotf2 would allocate and clear a chunk of about 4 MiB. */
    bool empty = checked.records.records == 0;
    OTF2_DefReader *definitions =
        empty || code != OTF2_SUCCESS ? NULL : OTF2_Reader_GetDefReader(reader, location->id);
    if (definitions) {
        uint64_t n;
        OTF2_DefReaderCallbacks *calls = OTF2_DefReaderCallbacks_New();
        code = OTF2_ERROR_MEM_ALLOC_FAILED;
        if (calls) {
            OTF2_DefReaderCallbacks_SetClockOffsetCallback(calls, on_offset);
            code = OTF2_Reader_RegisterDefCallbacks(reader, definitions, calls, offsets);
            OTF2_DefReaderCallbacks_Delete(calls);
        }
        if (code == OTF2_SUCCESS)
            code = OTF2_Reader_ReadAllLocalDefinitions(reader, definitions, &n);
        if (offsets->no_memory)
            code = OTF2_ERROR_MEM_ALLOC_FAILED;
        code = otf2_confirm(path, &checked, code);
        OTF2_Reader_CloseDefReader(reader, definitions);
    } else if (!empty && code == OTF2_SUCCESS) {
        code = OTF2_ERROR_INVALID_DATA; /* events cannot be read without their definitions */
    }
    if (code == OTF2_SUCCESS) {
        struct otf2_offsets *none = NULL; /* another thread may have stored the offsets */
        if (!atomic_compare_exchange_strong(&location->offsets, &none, offsets))
            otf2_offsets_free(offsets);
    } else
        otf2_offsets_free(offsets);
    return code;
}

/* Check a file of events, unless an earlier check is still valid. Open the file if its first event
 * is valid. */
static OTF2_ErrorCode open_checked(OTF2_Reader *reader, struct otf2_location *location,
                                   const char *path, struct otf2_checked *checked,
                                   OTF2_EvtReader **out)
{
    uint64_t chunk_bytes = 0, definitions = 0;
    OTF2_ErrorCode code = OTF2_Reader_GetChunkSize(reader, &chunk_bytes, &definitions);
    if (code != OTF2_SUCCESS)
        return code;
    const struct otf2_checked *earlier = atomic_load(&location->checked);
    if (earlier && otf2_is_unchanged(path, earlier)) {
        *checked = *earlier;
    } else {
        struct otf2_checked *none = NULL, *kept = malloc(sizeof *kept);
        if (!kept || !otf2_check_file(path, OTF2_EVENTS, chunk_bytes, checked)) {
            free(kept);
            return OTF2_ERROR_MEM_ALLOC_FAILED;
        }
        *kept = *checked;
        if (!atomic_compare_exchange_strong(&location->checked, &none, kept))
            free(kept);
    }
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
        char *path = NULL;
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
    OTF2_Reader *reader = NULL;
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

/* --- Memory, names, and ranks ---------------------------------------------------------------- */

void *otf2_own(struct otf2_archive *archive, size_t size)
{
    void *made = NULL;
    if (ARRAY_RESERVE(archive->owned, archive->owned_capacity, archive->nowned + 1))
        made = calloc(1, size ? size : 1);
    if (made)
        archive->owned[archive->nowned++] = made;
    return made;
}

const char *otf2_string(const struct otf2_archive *archive, uint32_t id)
{
    const char *text = id_map_find(&archive->strings, id);
    return text ? text : "";
}

void otf2_offsets_free(struct otf2_offsets *offsets)
{
    if (!offsets)
        return;
    free(offsets->items);
    free(offsets);
}

void otf2_archive_free(struct otf2_archive *a)
{
    if (!a)
        return;
    for (size_t i = 0; i < a->nowned; i++)
        free(a->owned[i]);
    free(a->owned);
    id_map_fini(&a->strings);
    id_map_fini(&a->nodes);
    id_map_fini(&a->processes);
    id_map_fini(&a->regions);
    id_map_fini(&a->groups);
    id_map_fini(&a->comms);
    for (size_t i = 0; i < a->nlocations; i++) {
        otf2_offsets_free(atomic_load(&a->locations[i].offsets));
        free(atomic_load(&a->locations[i].checked));
    }
    free(a->locations);
    free(a->folder);
    free(a->facts);
    free(a);
}

csy_text otf2_region_name(const struct otf2_archive *archive, uint32_t id)
{
    const uint32_t *name = id_map_find(&archive->regions, id);
    csy_text text = ascii_trim(name ? otf2_string(archive, *name) : NULL);
    return text.size > 0 ? text : (csy_text){"?", 1};
}

/* The name and kind of each OTF2_CollectiveOp. Operations from ORDERED on have no kind, because
 * they do not affect the order of events. */
enum { ORDERED = OTF2_COLLECTIVE_OP_CREATE_HANDLE };
static const struct {
    const char *name;
    enum collective_kind kind;
} operations[] = {
    [OTF2_COLLECTIVE_OP_BARRIER] = {"MPI_BARRIER", COLLECTIVE_BARRIER},
    [OTF2_COLLECTIVE_OP_BCAST] = {"MPI_BCAST", COLLECTIVE_BCAST},
    [OTF2_COLLECTIVE_OP_GATHER] = {"MPI_GATHER", COLLECTIVE_GATHER},
    [OTF2_COLLECTIVE_OP_GATHERV] = {"MPI_GATHERV", COLLECTIVE_GATHERV},
    [OTF2_COLLECTIVE_OP_SCATTER] = {"MPI_SCATTER", COLLECTIVE_SCATTER},
    [OTF2_COLLECTIVE_OP_SCATTERV] = {"MPI_SCATTERV", COLLECTIVE_SCATTERV},
    [OTF2_COLLECTIVE_OP_ALLGATHER] = {"MPI_ALLGATHER", COLLECTIVE_ALLGATHER},
    [OTF2_COLLECTIVE_OP_ALLGATHERV] = {"MPI_ALLGATHERV", COLLECTIVE_ALLGATHERV},
    [OTF2_COLLECTIVE_OP_ALLTOALL] = {"MPI_ALLTOALL", COLLECTIVE_ALLTOALL},
    [OTF2_COLLECTIVE_OP_ALLTOALLV] = {"MPI_ALLTOALLV", COLLECTIVE_ALLTOALLV},
    [OTF2_COLLECTIVE_OP_ALLTOALLW] = {"MPI_ALLTOALLW", COLLECTIVE_ALLTOALLW},
    [OTF2_COLLECTIVE_OP_ALLREDUCE] = {"MPI_ALLREDUCE", COLLECTIVE_ALLREDUCE},
    [OTF2_COLLECTIVE_OP_REDUCE] = {"MPI_REDUCE", COLLECTIVE_REDUCE},
    [OTF2_COLLECTIVE_OP_REDUCE_SCATTER] = {"MPI_REDUCE_SCATTER", COLLECTIVE_REDUCE_SCATTER},
    [OTF2_COLLECTIVE_OP_SCAN] = {"MPI_SCAN", COLLECTIVE_SCAN},
    [OTF2_COLLECTIVE_OP_EXSCAN] = {"MPI_EXSCAN", COLLECTIVE_EXSCAN},
    [OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK] = {"MPI_REDUCE_SCATTER_BLOCK",
                                                 COLLECTIVE_REDUCE_SCATTER},
    [OTF2_COLLECTIVE_OP_CREATE_HANDLE] = {.name = "MPI_CREATE_HANDLE"},
    [OTF2_COLLECTIVE_OP_DESTROY_HANDLE] = {.name = "MPI_DESTROY_HANDLE"},
    [OTF2_COLLECTIVE_OP_ALLOCATE] = {.name = "MPI_ALLOCATE"},
    [OTF2_COLLECTIVE_OP_DEALLOCATE] = {.name = "MPI_DEALLOCATE"},
    [OTF2_COLLECTIVE_OP_CREATE_HANDLE_AND_ALLOCATE] = {.name = "MPI_CREATE_HANDLE_AND_ALLOCATE"},
    [OTF2_COLLECTIVE_OP_DESTROY_HANDLE_AND_DEALLOCATE] = {.name =
                                                              "MPI_DESTROY_HANDLE_AND_DEALLOCATE"}};

csy_text otf2_operation_name(uint32_t operation)
{
    const char *name = operation < sizeof operations / sizeof *operations
                           ? operations[operation].name
                           : "MPI_COLLECTIVE";
    return (csy_text){name, strlen(name)};
}

bool otf2_operation_kind(uint32_t operation, enum collective_kind *kind)
{
    if (operation >= ORDERED)
        return false;
    *kind = operations[operation].kind;
    return true;
}

static uint32_t rank_of(const struct otf2_comm *comm, const struct otf2_location *location)
{
    size_t low = 0, high = comm->nmembers;
    BISECT(low, high, middle, comm->members[middle].process < location->process);
    uint32_t rank = OTF2_NO_RANK;
    for (size_t i = low; i < comm->nmembers && comm->members[i].process == location->process; i++) {
        rank = rank == OTF2_NO_RANK ? comm->members[i].rank : rank;
        if (comm->members[i].location == location->id)
            return comm->members[i].rank;
    }
    return rank;
}

const struct otf2_comm *otf2_find_comm(const struct otf2_archive *archive,
                                       const struct otf2_location *location, uint32_t id,
                                       struct otf2_place *place)
{
    if (!place->comm || place->id != id) {
        const struct otf2_comm *comm = id_map_find(&archive->comms, id);
        place->id = id;
        place->comm = comm && comm->usable ? comm : NULL;
        if (place->comm)
            place->self = rank_of(comm, location);
    }
    return place->comm;
}

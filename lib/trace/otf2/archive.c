/* Opens and checks files of an OTF2 archive, keeps error messages of libotf2, and reads the
 * definitions. They give names and ranks. See archive.h. */
#include "trace/otf2/archive.h"

#include "base/array.h"
#include "base/ascii.h"
#include "base/error.h"
#include "base/sort.h"
#include "base/texts.h"
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

/* Open a regular file, without waiting. Returns -1 on failure, with the reason in *out. */
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

/* Check all chunks of a file. There is no fault if the file is missing, or is an empty file of
 * local definitions. Returns false if memory runs out. */
static bool check_file(const char *path, enum otf2_part part, uint64_t chunk_bytes,
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

/* Note a fault, unless an earlier one was noted. Returns OTF2_ERROR_INVALID_DATA. */
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
    if (!check_file(path, part, chunk_bytes, out))
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

static void free_offsets(struct otf2_offsets *offsets)
{
    if (offsets)
        free(offsets->items);
    free(offsets);
}

/* Results of read_local: clock offsets, and global ids of regions and communicators. */
struct local {
    struct otf2_offsets *offsets;
    struct otf2_ids *regions, *comms;
};

static OTF2_CallbackCode on_offset(void *user, OTF2_TimeStamp time, int64_t offset,
                                   double deviation)
{
    struct otf2_offsets *offsets = ((struct local *)user)->offsets;
    if (time > INT64_MAX)
        return OTF2_CALLBACK_SUCCESS;
    offsets->no_memory = !ARRAY_PUSH(offsets->items, offsets->count, offsets->capacity,
                                     (struct tracer_reading){(int64_t)time, offset, deviation});
    return offsets->no_memory ? OTF2_CALLBACK_ERROR : OTF2_CALLBACK_SUCCESS;
}

static void add_id(uint64_t id, uint64_t global, void *user)
{
    struct otf2_ids *ids = user;
    if (id > UINT32_MAX || id == (uint32_t)global)
        return;
    ids->no_memory |= !ARRAY_PUSH(ids->items, ids->count, ids->capacity,
                                  ((struct otf2_id){(uint32_t)id, (uint32_t)global}));
}

static OTF2_CallbackCode on_table(void *user, OTF2_MappingType type, const OTF2_IdMap *table)
{
    const struct local *local = user;
    struct otf2_ids *ids = type == OTF2_MAPPING_REGION ? local->regions
                           : type == OTF2_MAPPING_COMM ? local->comms
                                                       : NULL;
    if (!ids)
        return OTF2_CALLBACK_SUCCESS;
    ids->count = 0;
    OTF2_IdMap_Traverse(table, add_id, ids);
    return ids->no_memory ? OTF2_CALLBACK_ERROR : OTF2_CALLBACK_SUCCESS;
}

/* Read the local definitions of a location, and store its clock offsets and its ids. */
static OTF2_ErrorCode read_local(OTF2_Reader *reader, struct otf2_location *location,
                                 const char *path, struct otf2_events *events)
{
    struct otf2_checked checked = {.there = false};
    struct otf2_offsets *offsets = calloc(1, sizeof *offsets);
    struct local local = {offsets, &events->regions, &events->comms};
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
            OTF2_DefReaderCallbacks_SetMappingTableCallback(calls, on_table);
            code = OTF2_Reader_RegisterDefCallbacks(reader, definitions, calls, &local);
            OTF2_DefReaderCallbacks_Delete(calls);
        }
        if (code == OTF2_SUCCESS)
            code = OTF2_Reader_ReadAllLocalDefinitions(reader, definitions, &n);
        if (offsets->no_memory || local.regions->no_memory || local.comms->no_memory)
            code = OTF2_ERROR_MEM_ALLOC_FAILED;
        code = otf2_confirm(path, &checked, code);
        OTF2_Reader_CloseDefReader(reader, definitions);
    } else if (!empty && code == OTF2_SUCCESS) {
        code = OTF2_ERROR_INVALID_DATA; /* events cannot be read without their definitions */
    }
    if (code == OTF2_SUCCESS) {
        struct otf2_offsets *none = NULL;
        if (!atomic_compare_exchange_strong(&location->offsets, &none, offsets))
            free_offsets(offsets);
    } else
        free_offsets(offsets);
    return code;
}

/* Open a file of events. Returns OTF2_ERROR_INVALID_DATA, with a fault, if that is impossible. */
static OTF2_ErrorCode open_file_of_events(OTF2_Reader *reader, const char *path,
                                          struct otf2_events *events)
{
    uint64_t definitions = 0;
    struct otf2_records *r = &events->checked.records;
    r->part = OTF2_EVENTS;
    OTF2_ErrorCode code = OTF2_Reader_GetChunkSize(reader, &r->chunk_bytes, &definitions);
    if (code != OTF2_SUCCESS)
        return code;
    events->fd = open_file(path, &events->checked);
    if (events->fd < 0 && !r->fault)
        r->fault = "the file cannot be opened";
    if (r->fault)
        return OTF2_ERROR_INVALID_DATA;
    uint64_t bytes = (uint64_t)events->checked.bytes,
             room = bytes < r->chunk_bytes ? bytes : r->chunk_bytes;
    events->bytes = malloc(room > 0 ? (size_t)room : 1);
    r->more = true;
    return events->bytes ? OTF2_SUCCESS : OTF2_ERROR_MEM_ALLOC_FAILED;
}

bool otf2_next_chunk(struct otf2_events *events)
{
    struct otf2_records *r = &events->checked.records;
    uint64_t left = (uint64_t)events->checked.bytes - r->offset;
    bool last = left <= r->chunk_bytes, more = r->more;
    size_t size = (size_t)(last ? left : r->chunk_bytes);
    r->more = false;
    if (more && size > 0 && !range_read_at(events->fd, events->bytes, size, r->offset))
        r->fault = "the file cannot be read";
    return more && !r->fault && otf2_records_begin(r, events->bytes, size, last);
}

/* Replace a local id by its global id. An id that is not mapped is a global id. */
static void map_id(const struct otf2_ids *ids, uint64_t *id)
{
    uint32_t local = (uint32_t)*id;
    size_t low = 0, high = ids->count;
    BISECT(low, high, middle, ids->items[middle].local < local);
    if (low < ids->count && ids->items[low].local == local)
        *id = ids->items[low].global;
}

void otf2_map_ids(const struct otf2_events *events, struct otf2_record *event)
{
    switch (event->kind) {
    case OTF2_RECORD_ENTER:
    case OTF2_RECORD_LEAVE:
        map_id(&events->regions, &event->region);
        break;
    case OTF2_RECORD_SEND:
    case OTF2_RECORD_ISEND:
    case OTF2_RECORD_RECEIVE:
    case OTF2_RECORD_IRECEIVE:
        map_id(&events->comms, &event->message.comm);
        break;
    case OTF2_RECORD_COLLECTIVE_END:
    case OTF2_RECORD_COLLECTIVE_COMPLETE:
        map_id(&events->comms, &event->operation.comm);
        break;
    default:
        break;
    }
}

void otf2_close_events(struct otf2_events *events)
{
    if (events->fd >= 0)
        close(events->fd);
    FREE_ALL(events->bytes, events->regions.items, events->comms.items);
    *events = (struct otf2_events){.fd = -1, .checked = events->checked};
}

OTF2_ErrorCode otf2_open_events(const struct otf2_archive *archive, OTF2_Reader *reader,
                                struct otf2_location *location, struct otf2_events *out,
                                const char **suffix)
{
    static const char *const suffixes[] = {".def", ".evt"};
    OTF2_ErrorCode code = OTF2_SUCCESS;
    *out = (struct otf2_events){.fd = -1};
    for (int i = 0; i < 2 && code == OTF2_SUCCESS; i++) {
        char *path = NULL;
        *suffix = suffixes[i];
        if (asprintf(&path, "%s/%" PRIu64 "%s", archive->folder, location->id, *suffix) < 0)
            return OTF2_ERROR_MEM_ALLOC_FAILED;
        code = i == 0 ? read_local(reader, location, path, out)
                      : open_file_of_events(reader, path, out);
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
    if (status)
        OTF2_Reader_Close(reader);
    else
        *out = reader;
    return status;
}

/* --- Memory, names, and ranks ---------------------------------------------------------------- */

/* Allocate zeroed memory for otf2_archive_free. Returns NULL and sets no_memory on failure. */
static void *own(struct otf2_archive *archive, size_t size)
{
    void *made = NULL;
    if (ARRAY_RESERVE(archive->owned, archive->owned_capacity, archive->nowned + 1))
        made = calloc(1, size ? size : 1);
    if (made)
        archive->owned[archive->nowned++] = made;
    else
        archive->no_memory = true;
    return made;
}

/* Returns the text with this id, or "" if the id is not defined. */
static const char *text_of(const struct otf2_archive *archive, uint32_t id)
{
    const char *text = id_map_find(&archive->strings, id);
    return text ? text : "";
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
    for (size_t i = 0; i < a->nlocations; i++)
        free_offsets(atomic_load(&a->locations[i].offsets));
    FREE_ALL(a->locations, a->folder, a->facts, a);
}

csy_text otf2_region_name(const struct otf2_archive *archive, uint32_t id)
{
    const uint32_t *name = id_map_find(&archive->regions, id);
    csy_text text = ascii_trim(name ? text_of(archive, *name) : NULL);
    return text.size > 0 ? text : (csy_text){"?", 1};
}

/* The name and kind of each OTF2_CollectiveOp. From ORDERED on, `kind` is not used: operations such
 * as creating a communicator do not order events. */
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

enum { SUFFIX_MAX = 40, LABEL_MAX = 96 };

/* --- Names of threads, clocks, and nodes ----------------------------------------------------- */

/* A thread, clock, or node. No other one of the same kind will have the same `text`. */
struct named {
    const char *name, *kind;
    uint64_t id;
    csy_text text;
    uint32_t number; /* number of the text; equal texts have equal numbers */
};

/* Set the text of an item to its name. Add its id if `numbered` is true or the name is empty. */
static void spell(struct otf2_archive *a, struct named *item, bool numbered)
{
    const csy_text name = ascii_trim(item->name);
    size_t size = name.size;
    char *text = own(a, size + SUFFIX_MAX);
    if (!text)
        return;
    memcpy(text, name.bytes, size);
    if (numbered || size == 0)
        size += (size_t)snprintf(text + size, SUFFIX_MAX, "%s[%s %" PRIu64 "]", size ? " " : "",
                                 item->kind, item->id);
    item->text = (csy_text){text, size};
}

/* Number the texts of all items; equal texts have equal numbers. has_twin[number] becomes true if
 * several items have this text. Returns how many items have the text of an earlier item. */
static size_t number_names(struct otf2_archive *a, struct named *items, size_t n, bool *has_twin)
{
    struct texts texts = {0};
    size_t same = 0;
    bool added;
    for (size_t i = 0; i < n && !a->no_memory; i++)
        has_twin[i] = false;
    for (size_t i = 0; i < n && !a->no_memory; i++) {
        const csy_text text = items[i].text;
        if (!texts_find(&texts, text.bytes, text.size, &items[i].number, &added)) {
            a->no_memory = true;
        } else if (!added) {
            has_twin[items[i].number] = true;
            same++;
        }
    }
    texts_fini(&texts);
    return same;
}

/* Set all names. Equal names get ids. If some names are still equal, all names get ids. */
static void name_all(struct otf2_archive *a, struct named *items, size_t n)
{
    bool *has_twin = malloc(n + 1);
    a->no_memory |= !has_twin;
    for (size_t i = 0; i < n && !a->no_memory; i++)
        spell(a, &items[i], false);
    size_t same = number_names(a, items, n, has_twin);
    for (size_t i = 0; i < n && !a->no_memory && same > 0; i++)
        if (has_twin[items[i].number])
            spell(a, &items[i], true);
    same = same > 0 ? number_names(a, items, n, has_twin) : 0;
    for (size_t i = 0; i < n && !a->no_memory && same > 0; i++)
        spell(a, &items[i], true);
    free(has_twin);
}

/* Name the threads of all locations. If two locations have the same name, put the name of the
 * process before the name of every thread. */
static void name_threads(struct otf2_archive *a)
{
    size_t n = a->nlocations;
    bool *has_twin = malloc(n + 1);
    struct named *items = calloc(n + 1, sizeof *items);
    a->no_memory |= !has_twin || !items;
    for (size_t i = 0; i < n && !a->no_memory; i++) {
        items[i] = (struct named){
            text_of(a, a->locations[i].name), "location", a->locations[i].id, {NULL, 0}, 0};
        spell(a, &items[i], false);
    }
    size_t same = number_names(a, items, n, has_twin);
    for (size_t i = 0; i < n && !a->no_memory && same > 0; i++) {
        const struct otf2_process *process = id_map_find(&a->processes, a->locations[i].process);
        const char *group = process ? text_of(a, process->name) : "";
        size_t size = strlen(group) + strlen(items[i].name) + 2;
        char *text = process ? own(a, size) : NULL;
        if (text) {
            snprintf(text, size, "%s:%s", group, items[i].name);
            items[i].name = text;
        }
    }
    free(has_twin);
    if (!a->no_memory)
        name_all(a, items, n);
    for (size_t i = 0; i < n && !a->no_memory; i++)
        a->locations[i].thread = items[i].text;
    free(items);
}

/* --- Clocks --------------------------------------------------------------------------------- */

/* Returns the nearest ancestor of a process with the class "node" in the system tree, or NULL. */
static struct otf2_node *node_of(const struct otf2_archive *a, const struct otf2_process *process)
{
    struct otf2_node *node = id_map_find(&a->nodes, process->parent);
    for (size_t steps = 0; node && steps < 64; steps++) {
        if (ascii_same(text_of(a, node->kind), "node", sizeof "node"))
            return node;
        node = id_map_find(&a->nodes, node->parent);
    }
    return NULL;
}

static void note_first(struct otf2_node *node, const struct otf2_process *process)
{
    if (node && (!node->first || process->id < node->first->id))
        node->first = process;
}

/* Returns the process with the clock that timestamps the events of `process`. For an accelerator,
 * it is its creator, otherwise the first process with the same parent or on the same node. */
static const struct otf2_process *stamper_of(const struct otf2_archive *a,
                                             const struct otf2_process *process)
{
    const struct otf2_process *creator = id_map_find(&a->processes, process->creator);
    if (!process->accelerator)
        return process;
    if (creator && !creator->accelerator)
        return creator;
    const struct otf2_node *parent = id_map_find(&a->nodes, process->parent),
                           *node = node_of(a, process);
    return parent && parent->first ? parent->first : node && node->first ? node->first : process;
}

static struct named clock_of(const struct otf2_archive *a, const struct otf2_location *location,
                             csy_clock_per per)
{
    struct named own_clock = {text_of(a, location->name), "location", location->id, {NULL, 0}, 0};
    const struct otf2_process *process = id_map_find(&a->processes, location->process);
    if (!process || per == CSY_CLOCK_PER_LOCATION)
        return own_clock;
    process = stamper_of(a, process);
    const struct otf2_node *node = per == CSY_CLOCK_PER_NODE ? node_of(a, process) : NULL;
    if (node)
        return (struct named){text_of(a, node->name), "node", node->id, {NULL, 0}, 0};
    return (struct named){text_of(a, process->name), "process", process->id, {NULL, 0}, 0};
}

struct use {
    struct named used;
    size_t location;
};

static int compare_uses(const void *a, const void *b)
{
    const struct use *x = a, *y = b;
    int kinds = strcmp(x->used.kind, y->used.kind);
    return kinds != 0 ? kinds : COMPARE(x->used.id, y->used.id);
}

/* Sort the uses by clock or node, and give each clock or node a unique name. Returns the number of
 * different clocks or nodes. */
static size_t name_uses(struct otf2_archive *a, struct use *uses, size_t n)
{
    struct named *items = calloc(n + 1, sizeof *items);
    size_t count = 0;
    a->no_memory |= !items;
    SORT(uses, n, compare_uses);
    for (size_t i = 0; i < n && !a->no_memory; i++)
        if (i == 0 || compare_uses(&uses[i - 1], &uses[i]) != 0)
            items[count++] = uses[i].used;
    if (!a->no_memory)
        name_all(a, items, count);
    for (size_t i = 0, item = 0; i < n && !a->no_memory; i++) {
        struct use *before = i > 0 ? &uses[i - 1] : NULL;
        item += before && compare_uses(before, &uses[i]) != 0;
        uses[i].used.text = items[item].text;
    }
    free(items);
    return count;
}

static void name_clocks(struct otf2_archive *a, csy_clock_per per)
{
    size_t n = a->nlocations, on_nodes = 0;
    struct use *uses = calloc(n + 1, sizeof *uses);
    if (!uses) {
        a->no_memory = true;
        return;
    }
    for (size_t i = 0; i < n; i++) {
        const struct otf2_process *process = id_map_find(&a->processes, a->locations[i].process);
        if (!process || process->accelerator)
            continue;
        note_first(id_map_find(&a->nodes, process->parent), process);
        note_first(node_of(a, process), process);
    }
    for (size_t i = 0; i < n; i++) {
        const struct otf2_process *process = id_map_find(&a->processes, a->locations[i].process);
        uses[i] = (struct use){clock_of(a, &a->locations[i], per), i};
        a->nconverted += process && process->accelerator && per != CSY_CLOCK_PER_LOCATION &&
                         stamper_of(a, process) != process;
    }
    a->nclocks = name_uses(a, uses, n);
    for (size_t i = 0; i < n; i++)
        a->locations[uses[i].location].clock = uses[i].used.text;
    for (size_t i = 0; i < n; i++) {
        const struct otf2_process *process = id_map_find(&a->processes, a->locations[i].process);
        const struct otf2_node *node = process ? node_of(a, process) : NULL;
        if (node)
            uses[on_nodes++] =
                (struct use){{text_of(a, node->name), "node", node->id, {NULL, 0}, 0}, i};
    }
    a->nhosts = name_uses(a, uses, on_nodes);
    for (size_t i = 0; i < on_nodes; i++)
        a->locations[uses[i].location].node = uses[i].used.text;
    free(uses);
}

/* --- Records ------------------------------------------------------------------------------- */

struct otf2_group {
    OTF2_GroupType type;
    uint64_t *members;
    size_t n;
};

/* Returns a pointer to the value of an id (zeros for a new id), or NULL if memory runs out. */
static void *entry(struct otf2_archive *a, struct id_map *map, uint32_t id, size_t size)
{
    void **place = id_map_place(map, id);
    if (place && !*place)
        *place = own(a, size);
    a->no_memory |= !place || !*place;
    return place ? *place : NULL;
}

#define GO_ON(a) ((a)->no_memory ? OTF2_CALLBACK_ERROR : OTF2_CALLBACK_SUCCESS)

static OTF2_CallbackCode on_clock(void *user, uint64_t resolution, uint64_t offset, uint64_t length,
                                  uint64_t date)
{
    struct otf2_archive *a = user;
    (void)date;
    a->resolution_hz = resolution;
    a->offset_ticks = offset;
    a->length_ticks = length;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_string(void *user, OTF2_StringRef self, const char *text)
{
    struct otf2_archive *a = user;
    size_t size = strlen(text) + 1;
    char *copy = own(a, size);
    void **place = id_map_place(&a->strings, self);
    a->no_memory |= !copy || !place;
    if (copy && place)
        *place = memcpy(copy, text, size);
    return GO_ON(a);
}

static OTF2_CallbackCode on_node(void *user, OTF2_SystemTreeNodeRef self, OTF2_StringRef name,
                                 OTF2_StringRef kind, OTF2_SystemTreeNodeRef parent)
{
    struct otf2_archive *a = user;
    struct otf2_node *node = entry(a, &a->nodes, self, sizeof *node);
    if (node)
        *node = (struct otf2_node){self, name, kind, parent, NULL};
    return GO_ON(a);
}

static OTF2_CallbackCode on_process(void *user, OTF2_LocationGroupRef self, OTF2_StringRef name,
                                    OTF2_LocationGroupType type, OTF2_SystemTreeNodeRef parent,
                                    OTF2_LocationGroupRef creator)
{
    struct otf2_archive *a = user;
    struct otf2_process *process = entry(a, &a->processes, self, sizeof *process);
    if (process)
        *process = (struct otf2_process){self, name, parent, creator,
                                         type == OTF2_LOCATION_GROUP_TYPE_ACCELERATOR};
    return GO_ON(a);
}

static OTF2_CallbackCode on_location(void *user, OTF2_LocationRef self, OTF2_StringRef name,
                                     OTF2_LocationType type, uint64_t events,
                                     OTF2_LocationGroupRef process)
{
    struct otf2_archive *a = user;
    (void)type, (void)events;
    a->no_memory |=
        !ARRAY_PUSH(a->locations, a->nlocations, a->locations_capacity,
                    (struct otf2_location){
                        .id = self, .number = a->nlocations, .name = name, .process = process});
    return GO_ON(a);
}

static OTF2_CallbackCode on_region(void *user, OTF2_RegionRef self, OTF2_StringRef name,
                                   OTF2_StringRef canonical, OTF2_StringRef description,
                                   OTF2_RegionRole role, OTF2_Paradigm paradigm,
                                   OTF2_RegionFlag flags, OTF2_StringRef file, uint32_t begin,
                                   uint32_t end)
{
    struct otf2_archive *a = user;
    (void)canonical, (void)description, (void)role, (void)paradigm, (void)flags, (void)file;
    (void)begin, (void)end;
    uint32_t *region = entry(a, &a->regions, self, sizeof *region);
    if (region)
        *region = name;
    return GO_ON(a);
}

static OTF2_CallbackCode on_group(void *user, OTF2_GroupRef self, OTF2_StringRef name,
                                  OTF2_GroupType type, OTF2_Paradigm paradigm, OTF2_GroupFlag flags,
                                  uint32_t n, const uint64_t *members)
{
    struct otf2_archive *a = user;
    (void)name, (void)flags;
    if (paradigm != OTF2_PARADIGM_MPI)
        return OTF2_CALLBACK_SUCCESS;
    struct otf2_group *group = own(a, sizeof *group);
    void **place = id_map_place(&a->groups, self);
    uint64_t *copy = own(a, n * sizeof *copy);
    a->no_memory |= !group || !place || !copy;
    if (a->no_memory)
        return OTF2_CALLBACK_ERROR;
    if (n > 0)
        memcpy(copy, members, n * sizeof *copy);
    *group = (struct otf2_group){type, copy, n};
    *place = group;
    if (type == OTF2_GROUP_TYPE_COMM_LOCATIONS)
        a->world = group;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_comm(void *user, OTF2_CommRef self, OTF2_StringRef name,
                                 OTF2_GroupRef group, OTF2_CommRef parent, OTF2_CommFlag flags)
{
    struct otf2_archive *a = user;
    (void)parent, (void)flags;
    struct otf2_comm *comm = entry(a, &a->comms, self, sizeof *comm);
    if (comm)
        *comm = (struct otf2_comm){.id = self, .name = name, .group = group};
    return GO_ON(a);
}

static OTF2_CallbackCode on_intercomm(void *user, OTF2_CommRef self, OTF2_StringRef name,
                                      OTF2_GroupRef one, OTF2_GroupRef other, OTF2_CommRef common,
                                      OTF2_CommFlag flags)
{
    struct otf2_archive *a = user;
    (void)self, (void)name, (void)one, (void)other, (void)common, (void)flags;
    a->nintercomms++;
    return OTF2_CALLBACK_SUCCESS;
}

static csy_status read_definitions(struct otf2_archive *a, OTF2_Reader *reader, const char *name,
                                   csy_error *error)
{
    char text[OTF2_SAID_MAX], *path;
    struct otf2_checked checked;
    if (asprintf(&path, "%s.def", a->folder) < 0)
        return error_memory(error);
    OTF2_ErrorCode code = otf2_check_definitions(reader, path, OTF2_GLOBAL_DEFINITIONS, &checked);
    if (code == OTF2_SUCCESS) {
        uint64_t read = 0;
        OTF2_GlobalDefReader *definitions = OTF2_Reader_GetGlobalDefReader(reader);
        OTF2_GlobalDefReaderCallbacks *calls = OTF2_GlobalDefReaderCallbacks_New();
        code = definitions && calls ? OTF2_SUCCESS : OTF2_ERROR_INVALID_DATA;
        if (code == OTF2_SUCCESS) {
            OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(calls, on_clock);
            OTF2_GlobalDefReaderCallbacks_SetStringCallback(calls, on_string);
            OTF2_GlobalDefReaderCallbacks_SetSystemTreeNodeCallback(calls, on_node);
            OTF2_GlobalDefReaderCallbacks_SetLocationGroupCallback(calls, on_process);
            OTF2_GlobalDefReaderCallbacks_SetLocationCallback(calls, on_location);
            OTF2_GlobalDefReaderCallbacks_SetRegionCallback(calls, on_region);
            OTF2_GlobalDefReaderCallbacks_SetGroupCallback(calls, on_group);
            OTF2_GlobalDefReaderCallbacks_SetCommCallback(calls, on_comm);
            OTF2_GlobalDefReaderCallbacks_SetInterCommCallback(calls, on_intercomm);
            code = OTF2_Reader_RegisterGlobalDefCallbacks(reader, definitions, calls, a);
        }
        if (code == OTF2_SUCCESS)
            code = OTF2_Reader_ReadAllGlobalDefinitions(reader, definitions, &read);
        if (calls)
            OTF2_GlobalDefReaderCallbacks_Delete(calls);
        if (definitions)
            OTF2_Reader_CloseGlobalDefReader(reader, definitions);
        code = otf2_confirm(path, &checked, code);
    }
    free(path);
    if (a->no_memory || code == OTF2_ERROR_MEM_ALLOC_FAILED)
        return error_memory(error);
    return code == OTF2_SUCCESS ? CSY_OK
                                : error_set(error, CSY_INPUT,
                                            "%s: the definitions of the archive cannot be read: %s",
                                            name, otf2_said(code, text));
}

/* --- Communicators -------------------------------------------------------------------------- */

static int compare_members(const void *a, const void *b)
{
    const struct otf2_member *x = a, *y = b;
    return COMPARE_THEN(x->process, y->process, COMPARE(x->rank, y->rank));
}

/* Find the members of a communicator. Its group has the ids of locations or, unless `listed`,
 * indexes into a->world (the group of all MPI ranks). */
static void find_members(struct otf2_archive *a, struct otf2_comm *comm)
{
    const struct otf2_group *group = id_map_find(&a->groups, comm->group);
    if (!group || group->type == OTF2_GROUP_TYPE_COMM_SELF)
        return;
    bool listed = group->type == OTF2_GROUP_TYPE_COMM_LOCATIONS;
    const struct otf2_group *world = a->world;
    comm->members = own(a, group->n * sizeof *comm->members);
    comm->world_ranks = own(a, group->n * sizeof *comm->world_ranks);
    if (!comm->members || !comm->world_ranks)
        return;
    for (size_t rank = 0; rank < group->n; rank++) {
        uint64_t id = group->members[rank];
        uint64_t known = !listed ? id : group == world ? rank : OTF2_NO_RANK;
        comm->world_ranks[rank] = known < OTF2_NO_RANK ? (uint32_t)known : OTF2_NO_RANK;
        if (!listed && (!world || id >= world->n))
            continue;
        id = listed ? id : world->members[id];
        size_t low = 0, high = a->nlocations;
        BISECT(low, high, middle, a->locations[middle].id < id);
        if (low < a->nlocations && a->locations[low].id == id)
            comm->members[comm->nmembers++] =
                (struct otf2_member){a->locations[low].process, (uint32_t)rank, id};
    }
    SORT(comm->members, comm->nmembers, compare_members);
    comm->usable = true;
    comm->size = group->n;
}

/* Make the label of a communicator from its name. Blanks and slashes are replaced, because they
 * separate the parts of channel names. */
static void label_comm(struct otf2_archive *a, struct otf2_comm *comm, bool numbered)
{
    char *text = own(a, LABEL_MAX);
    if (!text)
        return;
    size_t size = (size_t)snprintf(text, LABEL_MAX - SUFFIX_MAX, "%s", text_of(a, comm->name));
    size = size < LABEL_MAX - SUFFIX_MAX ? size : LABEL_MAX - SUFFIX_MAX - 1;
    for (size_t i = 0; i < size; i++)
        if ((unsigned char)text[i] <= ' ' || text[i] == '/')
            text[i] = '_';
    if (numbered || size == 0)
        size += (size_t)snprintf(text + size, SUFFIX_MAX, "#%" PRIu32, comm->id);
    comm->label = (csy_text){text, size};
}

struct labels {
    struct texts texts;
    bool numbered; /* true if all labels contain the id */
    bool twins;
};

/* For all communicators below a node of the map, find members and make labels. A label contains the
 * id if an earlier communicator has the same name. The recursion has few levels.
 * NOLINTNEXTLINE(misc-no-recursion) */
static void set_up_comms(struct otf2_archive *a, void **node, unsigned level, struct labels *labels)
{
    for (unsigned i = 0; node && i < ID_MAP_FAN && !a->no_memory; i++) {
        struct otf2_comm *comm = node[i];
        if (comm && level + 1 < ID_MAP_LEVELS) {
            set_up_comms(a, node[i], level + 1, labels);
            continue;
        }
        bool added = false;
        if (comm && !labels->numbered)
            find_members(a, comm);
        for (int tries = 0; tries < 2 && comm && !a->no_memory && !added; tries++) {
            uint32_t number;
            label_comm(a, comm, labels->numbered || tries > 0);
            if (!a->no_memory &&
                !texts_find(&labels->texts, comm->label.bytes, comm->label.size, &number, &added))
                a->no_memory = true;
        }
        labels->twins |= comm && !a->no_memory && !added;
    }
}

/* --- The archive ---------------------------------------------------------------------------- */

static int compare_locations(const void *a, const void *b)
{
    const struct otf2_location *x = a, *y = b;
    return COMPARE_THEN(x->id, y->id, COMPARE(x->number, y->number));
}

csy_status otf2_archive_read(OTF2_Reader *reader, const char *name, csy_clock_per per,
                             struct otf2_archive **out, csy_error *error)
{
    struct otf2_archive *a = calloc(1, sizeof *a);
    if (!a)
        return error_memory(error);
    size_t name_size = strlen(name), suffix_size = strlen(".otf2");
    char *anchor = own(a, name_size + 1);
    a->clock_per = per;
    a->folder = strdup(name);
    csy_status status = a->folder && anchor ? CSY_OK : error_memory(error);
    if (!status) {
        a->anchor = memcpy(anchor, name, name_size + 1);
        if (name_size > suffix_size && strcmp(name + name_size - suffix_size, ".otf2") == 0)
            a->folder[name_size - suffix_size] = 0; /* the folder of x/traces.otf2 is x/traces */
        status = read_definitions(a, reader, name, error);
    }
    if (!status && (a->resolution_hz == 0 || a->resolution_hz > INT64_MAX))
        status = error_set(error, CSY_INPUT,
                           "%s: the clocks of the archive have %" PRIu64
                           " ticks per second, expected 1 to 2^63 - 1",
                           name, a->resolution_hz);
    if (!status && a->nlocations == 0)
        status = error_set(error, CSY_INPUT, "%s: the archive has no locations", name);
    if (!status) {
        size_t kept = 0;
        SORT(a->locations, a->nlocations, compare_locations);
        for (size_t i = 0; i < a->nlocations; i++)
            if (i + 1 == a->nlocations || a->locations[i + 1].id != a->locations[i].id)
                a->locations[kept++] = a->locations[i];
        a->nlocations = kept;
        name_threads(a);
        if (!a->no_memory)
            name_clocks(a, per);
        struct labels labels = {0};
        set_up_comms(a, a->comms.root, 0, &labels);
        texts_fini(&labels.texts);
        if (labels.twins) {
            labels = (struct labels){.numbered = true};
            set_up_comms(a, a->comms.root, 0, &labels);
            texts_fini(&labels.texts);
        }
        status = a->no_memory ? error_memory(error) : CSY_OK;
    }
    if (status)
        otf2_archive_free(a);
    else
        *out = a;
    return status;
}

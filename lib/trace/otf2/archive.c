/* See archive.h. Also keeps the error messages of libotf2. */
#include "trace/otf2/archive.h"

#include "base/array.h"
#include "base/error.h"
#include "trace/otf2/otf2_records.h"

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

/* Open a file such that reading cannot block. Returns -1 without a file, and the reason in *out. */
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
        out->records.fault = fd >= 0 ? "this is no plain file" : "the file cannot be opened";
    if (fd >= 0)
        close(fd);
    return -1;
}

static bool read_at(int fd, uint8_t *bytes, size_t size, off_t from)
{
    size_t got = 0;
    while (got < size) {
        ssize_t n = pread(fd, bytes + got, size - got, from + (off_t)got);
        if (n == 0 || (n < 0 && errno != EINTR))
            return false;
        got += n > 0 ? (size_t)n : 0;
    }
    return true;
}

/* Check a file of at least one byte. `room` has the size of a chunk. */
static void check_records(int fd, uint8_t *room, struct otf2_checked *out)
{
    struct otf2_records *r = &out->records;
    bool more = true;
    while (more) {
        uint64_t left = (uint64_t)out->bytes - r->offset;
        bool last = left <= r->chunk_bytes;
        size_t size = (size_t)(last ? left : r->chunk_bytes);
        if (!read_at(fd, room, size, (off_t)r->offset)) {
            r->fault = "the file cannot be read";
            return;
        }
        more = otf2_records_check(r, room, size, last);
    }
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
    if (good) {
        check_records(fd, bytes, out);
    } else {
        out->records.fault = "the file was cut off";
        out->records.cut = true;
    }
    free(bytes);
    close(fd);
    return good || room == 0;
}

/* Check the anchor file, as otf2_check_file does for other files. */
static bool otf2_check_anchor(const char *path, struct otf2_checked *out)
{
    *out = (struct otf2_checked){.there = false};
    int fd = open_file(path, out);
    if (fd < 0)
        return true;
    size_t size = (size_t)out->bytes;
    uint8_t *bytes = malloc(size > 0 ? size : 1);
    bool good = bytes != NULL;
    if (good)
        out->records.fault = size > 0 && !read_at(fd, bytes, size, 0)
                                 ? "the file cannot be read"
                                 : otf2_anchor_fault(bytes, size);
    free(bytes);
    close(fd);
    return good;
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

uint64_t otf2_whole_events(const struct otf2_checked *checked)
{
    return checked->records.fault ? checked->records.records : UINT64_MAX;
}

/* --- What libotf2 says ---------------------------------------------------------------------- */

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
    if (*said == 0) /* later messages are consequences of the first one */
        said_first = code;
    if (*said == 0 && format)
        (void)vsnprintf(said, sizeof said, format, values);
    said[strcspn(said, "\n")] = 0;
    return code;
}

/* Report a fault that this program found, unless libotf2 has reported an earlier one. */
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

/* Check the sizes of chunks. libotf2 allocates and clears chunks of the size in the anchor file,
 * even if it exceeds the size that it permits for writing. */
static csy_status check_chunks(OTF2_Reader *reader, const char *name, csy_error *error)
{
    uint64_t events = 0, definitions = 0;
    if (OTF2_Reader_GetChunkSize(reader, &events, &definitions) == OTF2_SUCCESS &&
        events <= OTF2_CHUNK_SIZE_MAX && definitions <= OTF2_CHUNK_SIZE_MAX)
        return CSY_OK;
    return error_set(error, CSY_INPUT,
                     "%s: its chunks have %" PRIu64 " and %" PRIu64 " bytes, expected at most 2^24",
                     name, events, definitions);
}

/* --- Files that are checked ----------------------------------------------------------------- */

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

/* Open an archive by its anchor file. Returns NULL if libotf2 has refused it. */
static OTF2_Reader *open_anchor(const char *name, const struct otf2_checked *anchor)
{
    if (anchor->records.fault)
        say("%s", anchor->records.fault);
    OTF2_Reader *reader = anchor->records.fault ? NULL : OTF2_Reader_Open(name);
    if (!reader || otf2_confirm(name, anchor, OTF2_SUCCESS) == OTF2_SUCCESS)
        return reader;
    OTF2_Reader_Close(reader);
    return NULL;
}

csy_status otf2_open(const char *name, OTF2_Reader **out, csy_error *error)
{
    char text[OTF2_SAID_MAX];
    struct otf2_checked anchor;
    OTF2_Error_RegisterCallback(note_said, NULL);
    otf2_forget_said();
    if (!otf2_check_anchor(name, &anchor))
        return error_memory(error);
    *out = open_anchor(name, &anchor);
    if (!*out)
        return error_set(error, CSY_INPUT, "%s: this anchor file cannot be read: %s", name,
                         otf2_said(OTF2_ERROR_INVALID_DATA, text));
    csy_status status = check_chunks(*out, name, error);
    if (!status && OTF2_Reader_SetSerialCollectiveCallbacks(*out) != OTF2_SUCCESS)
        status = error_memory(error);
    if (status)
        OTF2_Reader_Close(*out);
    return status;
}

/* --- What is kept --------------------------------------------------------------------------- */

void *otf2_own(struct otf2_archive *archive, size_t size)
{
    void *made = NULL;
    if (ARRAY_RESERVE(archive->owned, archive->owned_capacity, archive->nowned + 1))
        made = calloc(1, size ? size : 1);
    if (made)
        archive->owned[archive->nowned++] = made;
    return made;
}

csy_text otf2_trim(const char *text)
{
    text += strspn(text, " \t");
    size_t size = strlen(text);
    while (size > 0 && strchr(" \t", text[size - 1]))
        size--;
    return (csy_text){text, size};
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
    const struct otf2_region *region = id_map_find(&archive->regions, id);
    return region && region->text.size > 0 ? region->text : (csy_text){"?", 1};
}

csy_text otf2_operation_name(uint32_t operation)
{
    static const char *const names[] = {"MPI_BARRIER",
                                        "MPI_BCAST",
                                        "MPI_GATHER",
                                        "MPI_GATHERV",
                                        "MPI_SCATTER",
                                        "MPI_SCATTERV",
                                        "MPI_ALLGATHER",
                                        "MPI_ALLGATHERV",
                                        "MPI_ALLTOALL",
                                        "MPI_ALLTOALLV",
                                        "MPI_ALLTOALLW",
                                        "MPI_ALLREDUCE",
                                        "MPI_REDUCE",
                                        "MPI_REDUCE_SCATTER",
                                        "MPI_SCAN",
                                        "MPI_EXSCAN",
                                        "MPI_REDUCE_SCATTER_BLOCK",
                                        "MPI_CREATE_HANDLE",
                                        "MPI_DESTROY_HANDLE",
                                        "MPI_ALLOCATE",
                                        "MPI_DEALLOCATE",
                                        "MPI_CREATE_HANDLE_AND_ALLOCATE",
                                        "MPI_DESTROY_HANDLE_AND_DEALLOCATE"};
    const char *name =
        operation < sizeof names / sizeof *names ? names[operation] : "MPI_COLLECTIVE";
    return (csy_text){name, strlen(name)};
}

bool otf2_operation_kind(uint32_t operation, enum collective_kind *kind)
{
    static const enum collective_kind kinds[] = {
        [OTF2_COLLECTIVE_OP_BARRIER] = COLLECTIVE_BARRIER,
        [OTF2_COLLECTIVE_OP_BCAST] = COLLECTIVE_BCAST,
        [OTF2_COLLECTIVE_OP_GATHER] = COLLECTIVE_GATHER,
        [OTF2_COLLECTIVE_OP_GATHERV] = COLLECTIVE_GATHERV,
        [OTF2_COLLECTIVE_OP_SCATTER] = COLLECTIVE_SCATTER,
        [OTF2_COLLECTIVE_OP_SCATTERV] = COLLECTIVE_SCATTERV,
        [OTF2_COLLECTIVE_OP_ALLGATHER] = COLLECTIVE_ALLGATHER,
        [OTF2_COLLECTIVE_OP_ALLGATHERV] = COLLECTIVE_ALLGATHERV,
        [OTF2_COLLECTIVE_OP_ALLTOALL] = COLLECTIVE_ALLTOALL,
        [OTF2_COLLECTIVE_OP_ALLTOALLV] = COLLECTIVE_ALLTOALLV,
        [OTF2_COLLECTIVE_OP_ALLTOALLW] = COLLECTIVE_ALLTOALLW,
        [OTF2_COLLECTIVE_OP_ALLREDUCE] = COLLECTIVE_ALLREDUCE,
        [OTF2_COLLECTIVE_OP_REDUCE] = COLLECTIVE_REDUCE,
        [OTF2_COLLECTIVE_OP_REDUCE_SCATTER] = COLLECTIVE_REDUCE_SCATTER,
        [OTF2_COLLECTIVE_OP_SCAN] = COLLECTIVE_SCAN,
        [OTF2_COLLECTIVE_OP_EXSCAN] = COLLECTIVE_EXSCAN,
        [OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK] = COLLECTIVE_REDUCE_SCATTER,
    };
    if (operation >= sizeof kinds / sizeof *kinds)
        return false;
    *kind = kinds[operation];
    return true;
}

const struct otf2_comm *otf2_comm(const struct otf2_archive *archive, uint32_t id)
{
    const struct otf2_comm *comm = id_map_find(&archive->comms, id);
    return comm && comm->usable ? comm : NULL;
}

uint32_t otf2_rank(const struct otf2_comm *comm, const struct otf2_location *location)
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

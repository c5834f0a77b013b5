/* How much of an event file is there. */
#include "trace/otf2/whole.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* What stands in a file: a chunk begins with a mark, the order of bytes, and the numbers of its
 * first and last event; a record with its kind and, but for stamps, its length. */
enum {
    END_OF_CHUNK = 0, /* and padding */
    END_OF_FILE = 1,
    END_OF_EVENTS = 2, /* which the end of the file follows */
    CHUNK_BEGIN = 3,
    STAMP = 5,
    FIRST_EVENT = 10, /* kinds from here on */
    LITTLE_ENDIAN_MARK = 'B',
    HEAD_BYTES = 18,
    STAMP_BYTES = 9,
    LONG = 255 /* the length follows, in 8 bytes */
};

struct chunk {
    uint8_t *bytes;
    size_t size;
    bool little;
};

static uint64_t number_at(const struct chunk *chunk, size_t at)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < 8; i++)
        value = value << 8 | chunk->bytes[at + (chunk->little ? 7 - i : i)];
    return value;
}

/* Where the record there ends; beyond the chunk where it is not whole. */
static size_t end_of(const struct chunk *chunk, size_t at)
{
    if (chunk->bytes[at] == STAMP)
        return at + STAMP_BYTES;
    if (at + 1 >= chunk->size)
        return SIZE_MAX;
    uint64_t length = chunk->bytes[at + 1];
    at += 2;
    if (length == LONG) {
        if (chunk->size - at < 8)
            return SIZE_MAX;
        length = number_at(chunk, at);
        at += 8;
    }
    return length > chunk->size - at ? SIZE_MAX : at + (size_t)length;
}

/* What a chunk adds to the events; false: it is not laid out as one of which there is more, or, if
 * it is cut, as one of which the file ends in the midst. */
static bool add_events(struct chunk *chunk, bool cut, uint64_t *events)
{
    size_t at = HEAD_BYTES;
    if (chunk->size < HEAD_BYTES)
        return cut;
    chunk->little = chunk->bytes[1] == LITTLE_ENDIAN_MARK;
    if (chunk->bytes[0] != CHUNK_BEGIN)
        return false;
    while (at < chunk->size) {
        uint8_t kind = chunk->bytes[at];
        if (kind == END_OF_FILE || kind == CHUNK_BEGIN)
            return false;
        if (kind == END_OF_CHUNK)
            return true; /* another one would follow */
        if (kind == END_OF_EVENTS)
            return at + 1 == chunk->size;
        at = end_of(chunk, at);
        if (at > chunk->size)
            return cut;
        *events += kind >= FIRST_EVENT;
    }
    return true;
}

/* What the chunk at `from` adds, as above; false, too, where it cannot be read. */
static bool add_chunk(int fd, uint64_t from, struct chunk *chunk, bool cut, uint64_t *events)
{
    return pread(fd, chunk->bytes, chunk->size, (off_t)from) == (ssize_t)chunk->size &&
           add_events(chunk, cut, events);
}

/* Of the last chunk and, where the file ends in the midst of that, of those before it: what their
 * heads say of events may be damaged. */
static bool look_at(int fd, uint64_t size, uint64_t chunk_bytes, struct otf2_whole *out)
{
    uint64_t last = (size - 1) / chunk_bytes * chunk_bytes, events = 0;
    struct chunk chunk = {malloc((size_t)(last > 0 ? chunk_bytes : size)), (size_t)(size - last),
                          false};
    if (!chunk.bytes)
        return false;
    bool cut = add_chunk(fd, last, &chunk, true, &events);
    chunk.size = (size_t)chunk_bytes;
    for (uint64_t from = 0; from < last && cut; from += chunk_bytes)
        cut = add_chunk(fd, from, &chunk, false, &events);
    if (cut)
        *out = (struct otf2_whole){events, true};
    free(chunk.bytes);
    return true;
}

bool otf2_find_whole(const struct otf2_archive *archive, OTF2_Reader *reader,
                     const struct otf2_location *location, struct otf2_whole *out)
{
    uint64_t chunk_bytes = 0, definitions;
    OTF2_Compression compression = OTF2_COMPRESSION_UNDEFINED;
    struct stat st;
    char *path;
    *out = (struct otf2_whole){.events = UINT64_MAX};
    if (asprintf(&path, "%s/%" PRIu64 ".evt", archive->folder, location->id) < 0)
        return false;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    free(path);
    bool good = true;
    if (fd >= 0 && fstat(fd, &st) == 0 && st.st_size > 0 &&
        OTF2_Reader_GetCompression(reader, &compression) == OTF2_SUCCESS &&
        compression == OTF2_COMPRESSION_NONE) {
        out->events = (uint64_t)st.st_size;
        if (OTF2_Reader_GetChunkSize(reader, &chunk_bytes, &definitions) == OTF2_SUCCESS &&
            chunk_bytes > 0 && chunk_bytes <= OTF2_CHUNK_SIZE_MAX)
            good = look_at(fd, (uint64_t)st.st_size, chunk_bytes, out);
    }
    if (fd >= 0)
        close(fd);
    return good;
}

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
    LAST_AT = 10, /* the number of the last event */
    HEAD_BYTES = 18,
    STAMP_BYTES = 9,
    LONG = 255 /* the length follows, in 8 bytes */
};

struct chunk {
    const uint8_t *bytes;
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

/* Events of a chunk that has its head, of which the file ends in the midst; false: it does not, or
 * the chunk is something else. */
static bool count_cut(const struct chunk *chunk, uint64_t *events)
{
    size_t at = HEAD_BYTES;
    *events = 0;
    while (at < chunk->size) {
        uint8_t kind = chunk->bytes[at];
        if (kind == END_OF_FILE || kind == CHUNK_BEGIN)
            return false;
        if (kind == END_OF_CHUNK)
            return true; /* another one would follow */
        if (kind == END_OF_EVENTS)
            return at + 1 == chunk->size;
        at = end_of(chunk, at);
        *events += kind >= FIRST_EVENT && at <= chunk->size;
    }
    return true;
}

static bool has_head(const struct chunk *chunk)
{
    return chunk->size >= HEAD_BYTES && chunk->bytes[0] == CHUNK_BEGIN;
}

/* Of the last chunk and, for the events before it, the head of the one before that. */
static bool look_at(int fd, uint64_t size, uint64_t chunk_bytes, struct otf2_whole *out)
{
    uint64_t first = (size - 1) / chunk_bytes * chunk_bytes;
    uint8_t head[HEAD_BYTES], *bytes = malloc((size_t)(size - first));
    struct chunk last = {bytes, (size_t)(size - first), false}, before = {head, HEAD_BYTES, false};
    uint64_t events = 0, earlier = 0;
    if (!bytes)
        return false;
    bool good = pread(fd, bytes, last.size, (off_t)first) == (ssize_t)last.size;
    if (good && first > 0) {
        good = pread(fd, head, HEAD_BYTES, (off_t)(first - chunk_bytes)) == HEAD_BYTES &&
               has_head(&before);
        before.little = head[1] == LITTLE_ENDIAN_MARK;
        earlier = good ? number_at(&before, LAST_AT) : 0;
    }
    if (good && last.size >= HEAD_BYTES) {
        last.little = bytes[1] == LITTLE_ENDIAN_MARK;
        good = has_head(&last) && count_cut(&last, &events);
    }
    if (good && earlier <= first)
        *out = (struct otf2_whole){earlier + events, true};
    free(bytes);
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

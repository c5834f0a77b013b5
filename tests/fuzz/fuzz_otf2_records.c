/*
 * The check of the files of an OTF2 archive, alone: nothing of libotf2 is called.  A byte chooses
 * the kind of file, another one the size of its chunks.
 *
 * The check stays within each chunk, and within the file where it has a fault.  A file that is good
 * is good a second time, and is cut off, or faulty, where it ends before its end.
 */
#include "support.h"

#include "trace/otf2/otf2_records.h"

#include <stdlib.h>
#include <string.h>

enum { CHOICES = 2, KINDS = 4, ANCHOR = 3, CHUNK_MIN = 32, CHUNK_STEP = 16 };

/* A copy, so that ASan sees its end. */
static uint8_t *copy(const uint8_t *bytes, size_t size)
{
    uint8_t *made = malloc(size ? size : 1);
    must(made, "no memory");
    if (size > 0)
        memcpy(made, bytes, size);
    return made;
}

static struct otf2_records check(enum otf2_part part, size_t chunk_bytes, const uint8_t *bytes,
                                 size_t size)
{
    struct otf2_records r = {.part = part, .chunk_bytes = chunk_bytes};
    bool more = true;
    while (more) {
        size_t left = size - (size_t)r.offset, n = left < chunk_bytes ? left : chunk_bytes;
        uint8_t *chunk = copy(bytes + r.offset, n);
        more = otf2_records_check(&r, chunk, n, n == left);
        free(chunk);
        must(r.offset <= size && r.records <= size, "a place beyond the file");
    }
    must(!r.fault || *r.fault, "a fault says nothing");
    must(r.fault || r.ended, "neither a fault nor an end");
    must(!r.cut || r.fault, "cut off without a fault");
    return r;
}

/* Read the events one by one, as the reader does, which takes another way for the usual events. */
static struct otf2_records read(size_t chunk_bytes, const uint8_t *bytes, size_t size)
{
    struct otf2_records r = {.part = OTF2_EVENTS, .chunk_bytes = chunk_bytes};
    do {
        size_t left = size - (size_t)r.offset, n = left < chunk_bytes ? left : chunk_bytes;
        uint8_t *chunk = copy(bytes + r.offset, n);
        struct otf2_record event;
        if (otf2_records_begin(&r, chunk, n, n == left))
            while (otf2_records_next(&r, &event))
                ;
        free(chunk);
    } while (r.more && !r.fault);
    return r;
}

static void check_anchor(const uint8_t *bytes, size_t size)
{
    uint8_t *anchor = copy(bytes, size);
    const char *fault = otf2_anchor_fault(anchor, size);
    must(!fault || *fault, "a fault says nothing");
    free(anchor);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct drawing d = {data, size};
    if (size < CHOICES)
        return 0;
    unsigned kind = draw_below(&d, KINDS), chunk = draw_below(&d, 256);
    if (kind == ANCHOR) {
        check_anchor(d.at, d.size);
        return 0;
    }
    size_t chunk_bytes = CHUNK_MIN + CHUNK_STEP * (size_t)chunk;
    struct otf2_records r = check((enum otf2_part)kind, chunk_bytes, d.at, d.size);
    struct otf2_records again = check((enum otf2_part)kind, chunk_bytes, d.at, d.size);
    must(r.fault == again.fault && r.records == again.records && r.offset == again.offset,
         "another time");
    if (kind == OTF2_EVENTS) {
        again = read(chunk_bytes, d.at, d.size);
        must(r.fault == again.fault && r.records == again.records && r.offset == again.offset,
             "event by event");
    }
    if (r.fault || d.size == 0)
        return 0;
    again = check((enum otf2_part)kind, chunk_bytes, d.at, (size_t)r.offset);
    must(again.fault, "a file without its last chunk is good");
    must(again.records <= r.records, "records of a shorter file");
    return 0;
}

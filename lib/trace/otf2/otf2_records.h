/*
 * The records of an OTF2 archive, checked before libotf2 reads them.
 *
 * libotf2 checks that a record ends within its chunk, but not that its fields end within the
 * record: a count or a length that is too great makes it read beyond its memory.  This reader
 * walks over the same bytes by the same rules, calls nothing of libotf2, and looks at every field.
 *
 * A file is chunks of one size; the last one may be shorter.  A chunk begins with 18 bytes: the
 * mark 3, the byte order ('B': little, '#': big), and the numbers of its first and last event.
 * Records follow, each with its kind, its length (a byte, or 255 and 8 bytes), and its fields:
 *
 *   0  the chunk ends; another one follows       5  a timestamp of 8 bytes, without a length
 *   2  the file ends, and byte 1 follows         6  the attributes of the event that follows
 *
 * The table in otf2_records.c has the fields of all other kinds, as of OTF2 3.0.  Newer
 * versions append fields and add kinds, which libotf2 3.0 skips by the length.
 */
#ifndef TRACE_OTF2_OTF2_RECORDS_H
#define TRACE_OTF2_OTF2_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum otf2_part { OTF2_GLOBAL_DEFINITIONS, OTF2_LOCAL_DEFINITIONS, OTF2_EVENTS };

/* The state of the check of a file. */
struct otf2_records {
    enum otf2_part part;
    uint64_t chunk_bytes;
    uint64_t records;  /* number of good records; attributes and timestamps do not count */
    bool ended;        /* the mark of the end of the file was found */
    bool empty;        /* the previous chunk had no records */
    const char *fault; /* the fault of the record at this offset in the file; NULL: there is none */
    uint64_t offset;
    bool cut; /* the fault is that the file ends too early */
};

/* Check the next chunk of a file, which has `size` bytes. last: there is no further chunk. Returns
 * false if the check is finished, because the file ended or a fault was found. */
bool otf2_records_check(struct otf2_records *records, const uint8_t *bytes, size_t size, bool last);

/* The fault of an anchor file; NULL if it has none, so that libotf2 may read it. */
const char *otf2_anchor_fault(const uint8_t *bytes, size_t size);

#endif

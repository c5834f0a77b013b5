/* Checks the records of an OTF2 archive before libotf2 reads them.
 *
 * libotf2 checks that a record ends within its chunk, but not that fields end within their record.
 * An excessive count or length thus makes libotf2 read beyond its memory. This reader follows the
 * same rules without libotf2, and checks every field.
 *
 * A file consists of chunks of one size; the last may be shorter. A chunk begins with 18 bytes:
 * the mark 3, the byte order ('B': little, '#': big), and the numbers of its first and last event.
 * Records follow, each with its kind, its length (a byte, or 255 and 8 bytes), and its fields:
 *
 *   0  the chunk ends; another one follows       5  a timestamp of 8 bytes, without a length
 *   2  the file ends, and byte 1 follows         6  the attributes of the event that follows
 *
 * The table in otf2_records.c has the fields of all other kinds, as of OTF2 3.0. Newer versions
 * append fields and add kinds, which libotf2 3.0 skips by the length. */
#ifndef TRACE_OTF2_OTF2_RECORDS_H
#define TRACE_OTF2_OTF2_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum otf2_part { OTF2_GLOBAL_DEFINITIONS, OTF2_LOCAL_DEFINITIONS, OTF2_EVENTS };

struct otf2_records {
    enum otf2_part part;
    uint64_t chunk_bytes;
    uint64_t records;  /* number of valid records, without attributes and timestamps */
    bool ended;        /* true if the end mark of the file was found */
    bool empty;        /* true if the previous chunk had no records */
    const char *fault; /* fault of the record at `offset`, or NULL */
    uint64_t offset;
    bool cut; /* true if the fault is that the file ends too early */
};

/* Check the next chunk, which has `size` bytes. `last` is true if no chunk follows. Returns false
 * at the end mark of the file, or after a fault. */
bool otf2_records_check(struct otf2_records *records, const uint8_t *bytes, size_t size, bool last);

/* Returns the fault of an anchor file, or NULL if libotf2 may read the file. */
const char *otf2_anchor_fault(const uint8_t *bytes, size_t size);

#endif

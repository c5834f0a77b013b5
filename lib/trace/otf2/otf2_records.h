/* Reads the events of an OTF2 archive, and checks its definitions before libotf2 reads them.
 *
 * libotf2 checks that a record ends within its chunk, but not that fields end within their record.
 * So a wrong count or length makes libotf2 read beyond its memory. This reader checks every field.
 *
 * A file consists of chunks of equal size, except the last one. A chunk begins with 18 bytes: the
 * byte 3, the byte order ('B': little, '#': big), and the numbers of its first and last event. Then
 * records follow, each with its kind (a byte), its length (a byte, or the byte 255 and a length of
 * 8 bytes), and its fields. Four kinds differ:
 *
 *   0  the chunk ends; another one follows       5  a timestamp of 8 bytes, without a length
 *   2  the file ends, and byte 1 follows         6  the attributes of the event that follows
 *
 * The tables in otf2_records.c have the fields of all other kinds in OTF2 3.0. Newer versions add
 * fields and kinds, which libotf2 3.0 skips. */
#ifndef TRACE_OTF2_OTF2_RECORDS_H
#define TRACE_OTF2_OTF2_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum otf2_part { OTF2_GLOBAL_DEFINITIONS, OTF2_LOCAL_DEFINITIONS, OTF2_EVENTS };

/* Kinds of events that affect the order of events, or that belong to regions. */
enum otf2_record_kind {
    OTF2_RECORD_ENTER = 12,
    OTF2_RECORD_LEAVE = 13,
    OTF2_RECORD_SEND = 14,
    OTF2_RECORD_ISEND = 15,
    OTF2_RECORD_RECEIVE_REQUEST = 17,
    OTF2_RECORD_RECEIVE = 18,
    OTF2_RECORD_IRECEIVE = 19,
    OTF2_RECORD_CANCELLED = 21,
    OTF2_RECORD_COLLECTIVE_BEGIN = 22,
    OTF2_RECORD_COLLECTIVE_END = 23,
    OTF2_RECORD_COLLECTIVE_REQUEST = 85,
    OTF2_RECORD_COLLECTIVE_COMPLETE = 86
};

/* Greatest number of integers that are read at the begin of a record. Events have at most 6. */
enum { OTF2_VALUES_MOST = 8 };

/* An event. Its kind determines which member of the union is valid. */
struct otf2_record {
    uint64_t time;
    uint8_t kind; /* an enum otf2_record_kind, or another kind */
    union {
        uint64_t values[OTF2_VALUES_MOST]; /* bytes and integers at the begin of the record */
        uint64_t region;
        uint64_t request;
        struct {
            uint64_t peer, comm, tag, bytes, request;
        } message;
        struct {
            uint64_t code, comm, root, sent, received, request; /* code: an OTF2_CollectiveOp */
        } operation;
    };
};

/* Returns the name of an event, or NULL if its region or operation gives the name. */
const char *otf2_event_name(uint8_t kind);

struct otf2_records {
    enum otf2_part part;
    uint64_t chunk_bytes;
    uint64_t records;  /* number of valid records, without attributes and timestamps */
    bool ended;        /* true if the end mark of the file was found */
    bool empty;        /* true if the previous chunk had no records */
    const char *fault; /* fault of the record at `offset`, or NULL */
    uint64_t offset;
    bool cut; /* true if the fault is that the file ends too early */
    /* The members below are about the current chunk. */
    const uint8_t *bytes, *end;
    const uint8_t *at; /* position of the next record; NULL at the end and after a fault */
    bool last, little;
    bool more;       /* true after the end of the chunk, if another one follows */
    uint64_t before; /* number of records before the chunk */
    uint64_t time;   /* last timestamp */
};

/* Begin the next chunk, which has `size` bytes that must stay valid while it is read. `last` is
 * true if no chunk follows. Returns false after a fault. */
bool otf2_records_begin(struct otf2_records *records, const uint8_t *bytes, size_t size, bool last);

/* Check the next record of the chunk, and set *event, unless NULL, to an event. Returns false at
 * the end of the chunk and of the file, and after a fault. */
bool otf2_records_next(struct otf2_records *records, struct otf2_record *event);

/* Check all records of the next chunk. Returns false at the end mark of the file, or after a
 * fault. */
bool otf2_records_check(struct otf2_records *records, const uint8_t *bytes, size_t size, bool last);

/* Returns the fault of an anchor file, or NULL if libotf2 may read the file. */
const char *otf2_anchor_fault(const uint8_t *bytes, size_t size);

#endif

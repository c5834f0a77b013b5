/* A log of Dursun's profiler: the records of one SPE, in time order, by its clock. See
 * cellsync-run(5), EVENT LOGS.
 *
 *   record, 80 bytes, in the byte order that the document says
 *    0  f64  time stamp, in seconds          32  u64     exx, the caller
 *    8  f64  duration, in seconds            40  i16     output flag; 0: the slot is not used
 *   16  u32  type                            42  6 bytes
 *   20  4 bytes                              48  i32[8]  data
 *   24  u64  enx, the callee
 *
 * With pages, 16 bytes, which are not read, precede every 64 records. */
#ifndef TRACE_EVENT80_LOG_H
#define TRACE_EVENT80_LOG_H

#include "base/number.h"
#include "io/bytes.h"

enum log_type {
    LOG_PROFILE_START,
    LOG_PROFILE_STOP,
    LOG_E,
    LOG_X,
    LOG_MPI_SEND,
    LOG_MPI_RECV,
    LOG_MPI_ALLREDUCE,
    LOG_MPI_REDUCE,
    LOG_MPI_BARRIER,
    LOG_MPI_BCAST,
    LOG_MFC_PUT,
    LOG_MFC_PUT64,
    LOG_MFC_GET64,
    LOG_MFC_PUT32,
    LOG_MFC_GET32,
    LOG_TYPES
};

enum {
    LOG_RECORD_BYTES = 80,
    LOG_PAGE_HEAD_BYTES = 16,
    LOG_PAGE_RECORDS = 64,
    LOG_PAGE_BYTES = LOG_PAGE_HEAD_BYTES + LOG_PAGE_RECORDS * LOG_RECORD_BYTES,
    LOG_DATA = 8
};

/* Indexes of the data of MPI records. Index 2 is the count, and index 3 the data type. */
enum { LOG_PARTNER = 0, LOG_BYTES = 1, LOG_TAG = 4, LOG_COMMUNICATOR = 5 };

struct log_record {
    uint64_t place; /* offset of the record in the log */
    enum log_type type;
    int64_t begin_ticks, time_ticks; /* in ticks since the start of the SPE; begin <= time */
    bool interval;                   /* this record, or all records of its type, have a duration */
    uint64_t enx, exx;
    int16_t flag;
    int32_t data[LOG_DATA];
};

/* The layout of a log. */
struct log_shape {
    uint64_t timebase_hz;
    bool little; /* byte order: true for little-endian */
    bool ends;   /* timestamps are ends of records, otherwise begins */
    bool pages;
};

/* The greatest distance of a timestamp from a whole tick, beyond rounding of doubles. */
struct log_remainder {
    uint128 most; /* in units of 2^-64 tick; 0: all timestamps are whole ticks */
    uint64_t place;
};

struct log_reader {
    struct bytes *bytes;
    const char *name; /* name of the log for messages; belongs to the caller */
    struct log_shape shape;
    /* number of slots read in the current page; LOG_PAGE_RECORDS: a page begins */
    unsigned in_page;
    uint64_t records; /* number of records so far, except unused slots */
    struct log_remainder remainder;
    bool salvage; /* end the events of a log that is cut off without an error */
    bool is_cut;  /* reading has reached the cut */
    csy_cut cut;
};

/* Read the next record. *more is false at the end. CSY_INPUT, with the place, if the log is cut off
 * there or contains an impossible value. */
csy_status log_read(struct log_reader *reader, struct log_record *out, bool *more,
                    csy_error *error);

#endif

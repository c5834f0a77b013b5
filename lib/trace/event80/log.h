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

/* --- Seconds and ticks ---------------------------------------------------------------------- */

/* One tick, in units of 2^-64 tick. */
#define FINE_TICK ((uint128)1 << 64)

/* A double represents each whole number of ticks up to this number. */
#define FINE_TICKS_MAX (INT64_C(1) << 53)

enum fine_fault { FINE_GOOD, FINE_NEGATIVE, FINE_NO_NUMBER, FINE_BEYOND };

struct fine_time {
    uint128 ticks; /* the time, in units of 2^-64 tick; at most FINE_TICKS_MAX ticks */
    uint128 ulp;   /* value of the last bit of the double, in units of 2^-64 tick; at least 1 */
};

/* Convert the bits of an IEEE 754 double, a time in seconds, to ticks. The result has 64 bits for
 * the fraction of a tick; lower bits are cut off. Sets *out only for FINE_GOOD. */
enum fine_fault fine_time(uint64_t bits, uint64_t timebase_hz, struct fine_time *out);

/* Returns the nearest tick, halves up. *remainder is the distance in units of 2^-64 tick. */
int64_t fine_nearest(uint128 ticks, uint128 *remainder);

/* --- Records ------------------------------------------------------------------------------- */

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

/* Indexes in log_record.data, for MPI records. */
enum { LOG_PARTNER = 0, LOG_BYTES = 1, LOG_TAG = 4, LOG_COMMUNICATOR = 5 };

struct log_record {
    uint64_t place; /* byte offset of the record in the log */
    enum log_type type;
    /* ticks since the start of the SPE; begin_ticks <= time_ticks */
    int64_t begin_ticks, time_ticks;
    bool interval; /* true if the record or all records of its type have a duration */
    uint64_t enx, exx;
    int16_t flag;
    int32_t data[LOG_DATA];
};

struct log_shape {
    uint64_t timebase_hz;
    bool little; /* true if the byte order is little-endian */
    bool ends;   /* true if timestamps are ends of records; false if they are begins */
    bool pages;
};

/* The largest distance of a timestamp from a whole tick that is no rounding error. */
struct log_remainder {
    uint128 most; /* in units of 2^-64 tick; 0 if all timestamps are whole ticks */
    uint64_t place;
};

struct log_reader {
    struct bytes *bytes;
    const char *name; /* name of the log for messages; the caller owns it */
    struct log_shape shape;
    unsigned in_page; /* number of slots read in the page; LOG_PAGE_RECORDS at its end */
    uint64_t records; /* number of records so far, without unused slots */
    struct log_remainder remainder;
    bool salvage; /* true if a log that is cut off is read without an error */
    bool is_cut;  /* true after the reader has reached the end of a log that is cut off */
    csy_cut cut;
};

/* Read the next record. *more is false at the end. Returns CSY_INPUT if the log is cut off or
 * contains an impossible value; the message states the offset. */
csy_status log_read(struct log_reader *reader, struct log_record *out, bool *more,
                    csy_error *error);

/* --- Records in the order of their ends ---------------------------------------------------- */

/* Sorts the records of a log by their ends. The log may be sorted by begins, which is another order
 * if intervals overlap. A record waits here until another record begins after its end. */
struct backlog {
    struct log_record *items; /* the waiting records: a heap with the earliest end first */
    size_t count, capacity;
    int64_t latest_begin_ticks;
};

void backlog_clear(struct backlog *backlog);
void backlog_fini(struct backlog *backlog);

bool backlog_put(struct backlog *backlog, const struct log_record *record);

/* Take the record with the earliest end. Returns false if no record waits. Also returns false if a
 * later record may end earlier, unless no records follow (`all` is true) or too many wait. */
bool backlog_take(struct backlog *backlog, bool all, struct log_record *out);

#endif

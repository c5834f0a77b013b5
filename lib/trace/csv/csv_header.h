/* Reads the header line of a CSV: the separator, the meaning of columns, and the unit of time.
 * Names are compared without case and without blanks around them. The caller may choose columns
 * with unknown names, as --columns does: "thread=NAME,time=NAME". */
#ifndef TRACE_CSV_CSV_HEADER_H
#define TRACE_CSV_CSV_HEADER_H

#include "base/error.h"
#include "trace/csv/csv_time.h"

#define CSV_NO_COLUMN SIZE_MAX

enum { CSV_COUNTER_BITS_MIN = 4, CSV_COUNTER_BITS_MAX = 62 };

/* A field of a row, without the quotes around it. */
struct csv_field {
    const char *at;
    size_t size;
    bool quoted; /* true if the field was in quotes; inner quotes are then doubled */
};

/* Memory for a field in which doubled quotes were replaced by single ones. */
struct csv_text {
    char *bytes;
    size_t capacity;
};

/* Settings for reading a CSV, from options or from its line "# cellsync". */
struct csv_asked {
    const char *columns;   /* value of the option --columns, or NULL */
    bool recorded;         /* true if the line "# cellsync" states `columns`, not an option */
    enum csv_unit unit;    /* unit of time; CSV_AUTO if the name of the column states it */
    unsigned counter_bits; /* number of bits of counters that no line describes; 0 if not given */
    bool partial;          /* true if a comment declares a partial order */
    bool packed;           /* true if gzip compressed the file; used in messages */
    bool joined;           /* true if a file without a comment # order= is in partial order */
    bool measured;         /* true if the CSV contains measured offsets, in order columns */
};

enum csv_order_column {
    CSV_LOCATION,
    CSV_BUFFER,
    CSV_BLOCK,
    CSV_FLUSH,
    CSV_SEND,
    CSV_RECV,
    CSV_LATENCY,
    CSV_SYNC,
    CSV_ENTER,
    CSV_LEAVE,
    CSV_ID,
    CSV_AFTER,
    CSV_LATENCY_MAX,
    CSV_SAME,
    CSV_OTHER_CLOCK,
    CSV_OTHER_TIME,
    CSV_WITHIN,
    CSV_ORDER_COLUMNS
};
extern const char *const csv_order_names[CSV_ORDER_COLUMNS];

/* Columns that synchronization adds: global times in ticks, in seconds, and as dates; ranges of
 * these times in ticks; and a mark. The input has such columns after an earlier run. */
enum csv_global {
    GLOBAL_TIME,
    GLOBAL_TIME_S,
    GLOBAL_DATE,
    GLOBAL_BEGIN,
    GLOBAL_BEGIN_S,
    GLOBAL_BEGIN_DATE,
    GLOBAL_EARLIEST,
    GLOBAL_LATEST,
    GLOBAL_BEGIN_EARLIEST,
    GLOBAL_BEGIN_LATEST,
    GLOBAL_MARK,
    GLOBALS
};
/* Units of these columns: for --csv-time or, from GLOBAL_LEAST_TICKS on, for --ranges. */
enum csv_global_unit {
    GLOBAL_IN_TICKS,
    GLOBAL_IN_SECONDS,
    GLOBAL_AS_DATE,
    GLOBAL_LEAST_TICKS, /* least time of a range; the next unit is for the greatest time */
    GLOBAL_GREATEST_TICKS,
    GLOBAL_MARKED /* CSV_MARK_STEP in rows at which the clock may have been set */
};
#define CSV_MARK_STEP "step"
struct csv_global_column {
    const char *name;
    bool of_begin; /* true if the column contains times of begins */
    enum csv_global_unit unit;
};
extern const struct csv_global_column csv_globals[GLOBALS];

/* The indexes of columns, or CSV_NO_COLUMN. The columns of thread and time always exist. */
struct csv_header {
    size_t thread, time, clock, core, event, begin, duration;
    size_t order[CSV_ORDER_COLUMNS]; /* CSV_NO_COLUMN unless the order is partial */
    size_t global[GLOBALS];          /* columns that an earlier run of cellsync added */
    const char *pair;       /* names of two existing columns, such as "send and recv"; or NULL */
    const char *foreign;    /* name of a column that has a meaning only in a .pex, or NULL */
    bool begins_are_stamps; /* true for a column begin_stamp: a begin may be after its end */
    enum csv_unit unit;
};

static inline bool csv_header_is_global(const struct csv_header *header, size_t column)
{
    bool is = false;
    for (size_t i = 0; i < GLOBALS; i++)
        is |= header->global[i] == column;
    return is;
}

static inline bool csv_header_has_global(const struct csv_header *header)
{
    bool has = false;
    for (size_t i = 0; i < GLOBALS; i++)
        has |= header->global[i] != CSV_NO_COLUMN;
    return has;
}

/* Set the error "FILE: line N: WHAT". The format and its arguments give WHAT. Returns CSY_INPUT. */
csy_status csv_refuse(const char *file, uint64_t line, csy_error *error, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

struct csv_spot {
    uint64_t line;
    const char *called;
    const struct csv_field *field;
};

/* Refuse a field, with a message such as: time "1.5": expected a whole number. */
csy_status csv_refuse_field(const char *file, const struct csv_spot *spot, const char *want,
                            csy_error *error);

/* Returns the field without surrounding blanks. A quoted field is not changed. */
struct csv_field csv_field_trim(struct csv_field field);

bool csv_field_is(const struct csv_field *field, const char *word);

bool csv_field_number(struct csv_field field, uint64_t *out);

/* Returns the separator of a header line: comma, semicolon, or tab. */
char csv_header_separator(const char *line, size_t size);

/* Find the meaning of each column. Messages contain `file`, `line`, and the names of columns. */
csy_status csv_header_read(struct csv_header *header, const struct csv_asked *asked,
                           const struct csv_field *fields, size_t n, char separator,
                           const char *file, uint64_t line, csy_error *error);

csy_status csv_header_check_text(const uint8_t *head, size_t size, const char *file, bool packed,
                                 csy_error *error);

enum { CSV_SHELL_MAX = 512 };

#endif

/* Reads CSV traces (RFC 4180). They have comment lines, a header line, and a line for each record
 * in the order of the buffer. See cellsync-csv(5), CSV traces. */
#ifndef TRACE_CSV_CSV_H
#define TRACE_CSV_CSV_H

#include "base/ascii.h"
#include "base/error.h"
#include "base/texts.h"
#include "io/bytes.h"
#include "trace/csv/csv_time.h"
#include "trace/event.h"

/* --- The header line -------------------------------------------------------------------------
 *
 * Reads the header line: the separator, the meaning of columns, and the unit of time. Names are
 * compared without case and without blanks around them. The caller may choose columns with unknown
 * names, as --columns does: "thread=NAME,time=NAME". */

#define CSV_NO_COLUMN SIZE_MAX

enum { CSV_COUNTER_BITS_MIN = 4, CSV_COUNTER_BITS_MAX = 62 };

/* A field of a row, without the quotes around it. */
struct csv_field {
    const char *at;
    size_t size;
    bool quoted; /* true if the field was in quotes; inner quotes are then doubled */
};

/* Memory for a field after doubled quotes were replaced by single ones. */
struct csv_text {
    char *bytes;
    size_t capacity;
};

/* Settings for reading a CSV, from options or from its line "# cellsync". */
struct csv_asked {
    const char *columns;   /* value of the option --columns, or NULL */
    bool recorded;         /* true if `columns` is from the line "# cellsync", not an option */
    enum csv_unit unit;    /* unit of time; CSV_AUTO if the name of the column states it */
    unsigned counter_bits; /* bits of counters without a comment # clock; 0 if not given */
    bool partial;          /* true if a comment declares a partial order */
    bool packed;           /* true if gzip compressed the file; used in messages */
    bool joined;           /* true if a partial order is assumed, as in a joined trace */
    bool measured;         /* true if the CSV is a file of measured offsets (trace/offsets.h) */
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

/* Columns that cellsync adds to a CSV: global times, their ranges, and the mark CSV_MARK_STEP. */
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
/* Units of the columns in csv_globals, for --csv-time or, from GLOBAL_LEAST_TICKS on, --ranges. */
enum csv_global_unit {
    GLOBAL_IN_TICKS,
    GLOBAL_IN_SECONDS,
    GLOBAL_AS_DATE,
    GLOBAL_LEAST_TICKS, /* least possible global time, in ticks */
    GLOBAL_GREATEST_TICKS,
    GLOBAL_MARKED /* the text CSV_MARK_STEP if the clock may have been set during the row */
};
#define CSV_MARK_STEP "step"
struct csv_global_column {
    const char *name;
    bool of_begin; /* true if the column is about the begins of events */
    enum csv_global_unit unit;
};
extern const struct csv_global_column csv_globals[GLOBALS];

/* The indexes of columns, or CSV_NO_COLUMN. The columns of thread and time always exist. */
struct csv_header {
    size_t thread, time, clock, core, event, begin, duration;
    size_t order[CSV_ORDER_COLUMNS]; /* CSV_NO_COLUMN unless the order is partial */
    size_t global[GLOBALS];          /* columns that an earlier run of cellsync added */
    const char *pair;       /* columns that may order events, such as "send and recv"; or NULL */
    const char *foreign;    /* a column such as "spawn", which only a .pex may have; or NULL */
    bool begins_are_stamps; /* true if begins are in the column begin_stamp, so a begin may be after
                             * the end */
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

/* Set the error "FILE: line N: WHAT". WHAT is printed as by printf. Returns CSY_INPUT. */
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
static inline struct csv_field csv_field_trim(struct csv_field field)
{
    csy_text trimmed = ascii_trim_bytes(field.at, field.size);
    return field.quoted ? field : (struct csv_field){trimmed.bytes, trimmed.size, false};
}

static inline bool csv_field_is(const struct csv_field *field, const char *word)
{
    return field->size == strlen(word) && memcmp(field->at, word, field->size) == 0;
}

bool csv_field_number(struct csv_field field, uint64_t *out);

/* Returns the separator of a header line: comma, semicolon, or tab. */
char csv_header_separator(const char *line, size_t size);

/* Find the meaning of each column by its name. Messages contain `file` and `line`. */
csy_status csv_header_read(struct csv_header *header, const struct csv_asked *asked,
                           const struct csv_field *fields, size_t n, char separator,
                           const char *file, uint64_t line, csy_error *error);

csy_status csv_header_check_text(const uint8_t *head, size_t size, const char *file, bool packed,
                                 csy_error *error);

enum { CSV_SHELL_MAX = 512 };

/* --- Facts, comments, and rows --------------------------------------------------------------- */

/* The line of facts of a synchronized CSV, "# cellsync KEY=VALUE ...". In names, blanks, control
 * characters, and % are written as %XX. The values may be wrong. See cellsync-csv(5). */
struct csv_facts {
    const char *line;
    size_t size; /* size with line end, or 0 if there are no facts */
};

/* Copy the value of a key to `text`, and add a NUL. `text` must have room for the whole line.
 * Returns false if the line does not contain the key. */
bool csv_fact_find(struct csv_facts facts, const char *key, char *text);

/* Decode %20 and other codes in place. Returns false if the text is malformed or contains a NUL. */
bool csv_fact_unescape(char *text);

struct clock_steps; /* defined in trace/steps.h */
struct keys;        /* defined in base/keys.h */

struct csv_counter {
    uint64_t line;        /* number of the line that describes the clock, or 0 if there is none */
    uint64_t timebase_hz; /* ticks per second; 0 means the timebase of the trace */
    unsigned bits;        /* number of bits; 0 if the counter does not wrap */
    int64_t factor;       /* number of ticks of the trace in a tick of the counter */
    int64_t wrap_ticks;   /* ticks of the trace after which the counter wraps, or 0 if never */
    uint64_t rows;        /* number of rows of this clock so far */
    int64_t last_ticks;
    uint32_t location; /* location of the clock's last row, as an index in csv_counters.locations */
    uint64_t runs, nlocations;
    uint64_t first_line; /* line of the clock's first row since the last change of the location */
};

struct csv_counters {
    const char *file; /* name of the file for messages; the caller owns it */
    struct csv_counter *items;
    size_t count, capacity;
    struct texts clocks;    /* names of clocks, with the same indexes as `items` */
    struct texts locations; /* names of the locations of all clocks that wrap */
    struct keys *met;       /* pairs of a clock and a location that occur together in a row */
    bool active;            /* true if some clock wraps, or has its own timebase */
    bool wraps;             /* true if some clock wraps */
    bool scaled;
    unsigned bits; /* number of bits of counters without a comment # clock; 0: no wrap */
    uint64_t hz;   /* the lowest timebase */
    enum csv_unit unit;
    uint64_t common_hz; /* the least common multiple of all timebases */
    uint64_t own_hz;    /* timebase in the comment timebase_hz */
    int64_t factor;     /* number of ticks of the trace in a tick of own_hz */
};

/* The time of a row. `counter` is valid until the next row. */
struct csv_shown {
    struct csv_counter *counter; /* counter that the row shows; NULL if the times of the file are
                                  * not counters */
    int64_t shown_ticks;         /* reading of the counter, in ticks of the trace */
    int64_t time_ticks;          /* reading of the counter plus the ticks of all its wraps so far */
};

void csv_counters_fini(struct csv_counters *counters);

/* Read a comment after its word "clock". *is_clock is false if it describes no clock. */
csy_status csv_counters_read_line(struct csv_counters *counters, uint64_t line, const char *text,
                                  size_t size, bool *is_clock, csy_error *error);

csy_status csv_counters_begin(struct csv_counters *counters, enum csv_unit unit, unsigned bits,
                              uint64_t timebase_hz, bool stated, csy_error *error);

/* Convert the time of a row to ticks of the trace. Each wrap of the counter so far is added. */
csy_status csv_counters_take(struct csv_counters *counters, const char *clock, size_t size,
                             const struct csv_spot *spot, struct csv_shown *shown, int64_t *ticks,
                             csy_error *error);

/* Convert the begin of a row's event to ticks. If times are readings of a counter that wraps,
 * assume that the event lasted less than 3/4 of the counter's period. */
csy_status csv_counters_begin_of(const struct csv_counters *counters, const struct csv_shown *shown,
                                 const struct csv_spot *spot, int64_t *ticks, csy_error *error);

/* Convert a timestamp by the row's clock to the ticks between the row's time and the timestamp. */
csy_status csv_counters_since(const struct csv_counters *counters, const struct csv_shown *shown,
                              const struct csv_spot *spot, int64_t *ticks, csy_error *error);

/* Convert a reading of another clock to ticks. Returns CSY_INPUT for a counter that wraps. */
csy_status csv_counters_other(const struct csv_counters *counters, const char *clock, size_t size,
                              const struct csv_spot *spot, int64_t *ticks, csy_error *error);

/* Convert a duration to ticks of the trace. `shown` is NULL unless the row's clock measured it. */
csy_status csv_counters_length(const struct csv_counters *counters, const struct csv_shown *shown,
                               const struct csv_spot *spot, int64_t *ticks, csy_error *error);

/* Note the location of a row in a partial order, for the check by csv_counters_finish. */
csy_status csv_counters_note(struct csv_counters *counters, const struct csv_shown *shown,
                             uint64_t line, const char *location, size_t size, csy_error *error);

/* Call this after the last row. Returns CSY_INPUT if the rows of a counter that wraps are sorted by
 * location instead of time. Also returns CSY_INPUT if a comment names a clock that no row has,
 * unless `cut` is true. */
csy_status csv_counters_finish(const struct csv_counters *counters, bool cut, csy_error *error);

/* Returns the number of ticks in the unit of time. Returns 0 for dates, or if it is not whole. */
int64_t csv_counters_unit(const struct csv_counters *counters);

enum { CSV_ROW_BYTES_MAX = 1024 * 1024 };

/* A row. Its pointers are valid until the next read. */
struct csv_row {
    uint64_t line; /* line number of the row's first byte, from 1 */
    const char *bytes;
    size_t size;     /* size of the row in bytes, without the line end */
    size_t end_size; /* size of the line end in bytes; 0 if the file ends without a line end */
    const struct csv_field *fields;
    size_t nfields;
    const struct csv_field *named; /* the field with the name of the thread */
    struct named_stamp stamp;      /* thread, clock, and time; texts are without quotes */
    struct csv_shown shown;        /* the time that the counter of the clock showed */
};

enum { CSV_KEY_MAX = 48, CSV_WARNING_MAX = 256, CSV_NEAR_MAX = 3, CSV_WARNINGS_MAX = 4 };

enum csv_word_key { CSV_WORD_ORDER, CSV_WORD_BLOCK_AFTER, CSV_WORD_SENDS, CSV_WORD_KEYS };

enum { CSV_ORDER_BUFFER, CSV_ORDER_PARTIAL, CSV_ORDER_MESSAGES };

struct csv_comments {
    uint64_t timebase_line;             /* line of the comment timebase_hz, or 0 if there is none */
    uint64_t word_lines[CSV_WORD_KEYS]; /* for each key: line number of its comment, or 0 */
    unsigned words[CSV_WORD_KEYS];      /* for each key: value, such as CSV_ORDER_PARTIAL */
    uint64_t near;                      /* number of comments that may be misspelled */
    char near_texts[CSV_NEAR_MAX][CSV_WARNING_MAX]; /* warnings about misspelled comments */
    char same_within[CSV_KEY_MAX];                  /* value of the comment same_within, as text */
    uint64_t same_within_line;                      /* line of the comment same_within, or 0 */
    uint64_t unknown, first_line, last_line; /* comments with unknown keys: number, first, last */
    char first_key[CSV_KEY_MAX];
};

struct csv_reader {
    int64_t same_within_ticks; /* value of # same_within in ticks, for rows without `within` */
    struct bytes *bytes;
    const char *name; /* name of the file for messages; the caller owns it */
    uint64_t line;    /* line number of the next byte */
    uint64_t timebase_hz;
    bool timebase_assumed; /* true if no comment states the length of a tick */
    bool synchronized;     /* true if the first row has a global time */
    struct csv_comments comments;
    struct csv_counters counters;
    char *preamble; /* all bytes before the first row */
    size_t preamble_size, preamble_capacity;
    size_t header_size; /* size of the header without line end; it is the last line of `preamble` */
    size_t header_end_size;
    size_t facts_at, facts_size; /* place of "# cellsync ..." in `preamble`; size 0: none */
    size_t warnings_size;        /* size of the warnings after "# cellsync", from an earlier run */
    struct csv_asked asked;      /* settings from the caller or from the line "# cellsync" */
    struct csv_text said;        /* memory for texts in `asked` from the line "# cellsync" */
    bool has_epoch;              /* true if "# cellsync" states the date of global time 0 */
    int64_t epoch_ticks;         /* date of global time 0, in ticks since 1970 */
    char separator;
    size_t ncolumns;
    struct csv_header columns;
    struct csv_scale scale;    /* conversion of the columns time and begin to ticks */
    struct csv_scale duration; /* conversion of the column duration to ticks */
    struct csv_field *fields;
    size_t fields_capacity;
    bool salvage; /* true if a last row without a line end is left out */
    bool is_cut;  /* true after the reader has found a last row without a line end */
    csy_cut cut;  /* where the file is cut off; the caller sets cut.records */
    struct csv_text unquoted_thread, unquoted_clock, unquoted_event;
    struct csv_text unquoted_keys[CSV_ORDER_COLUMNS];
};

/* A reader without columns, which is in csy_trace.lines if the trace is not a CSV. */
extern const struct csv_reader csv_no_lines;

/* Read the lines before the first row. `asked` may be NULL. Call csv_close even after a failure. */
csy_status csv_open(struct csv_reader *reader, struct bytes *bytes, const char *name,
                    const struct csv_asked *asked, csy_error *error);
void csv_close(struct csv_reader *reader);

static inline struct csv_facts csv_reader_facts(const struct csv_reader *reader)
{
    if (reader->facts_size == 0) /* `preamble` may be NULL */
        return (struct csv_facts){NULL, 0};
    return (struct csv_facts){reader->preamble + reader->facts_at, reader->facts_size};
}

/* Returns the column with the exact global times of events or, if of_begin is true, of begins: a
 * column of ticks or, if has_epoch is true, of dates. Returns CSV_NO_COLUMN if both are missing. */
static inline size_t csv_reader_exact_global(const struct csv_reader *reader, bool of_begin)
{
    const size_t *global = reader->columns.global;
    size_t ticks = global[of_begin ? GLOBAL_BEGIN : GLOBAL_TIME];
    size_t dates = global[of_begin ? GLOBAL_BEGIN_DATE : GLOBAL_DATE];
    return ticks != CSV_NO_COLUMN ? ticks : reader->has_epoch ? dates : CSV_NO_COLUMN;
}

/* Get the value of a key in the line "# cellsync". Returns false if line or key is missing. */
bool csv_reader_fact(const struct csv_reader *reader, const char *key, struct csv_field *value);

/* Add the moments when clocks were set to `steps`. The line "# cellsync" states them. */
csy_status csv_reader_steps(const struct csv_reader *reader, struct clock_steps *steps,
                            csy_error *error);

/* Write warnings about misspelled and unknown comments. Returns the number of warnings. */
size_t csv_comment_warnings(const struct csv_comments *comments,
                            char texts[CSV_WARNINGS_MAX][CSV_WARNING_MAX]);

/* Returns the offset in the preamble after the line "# cellsync" and its warnings. */
static inline size_t csv_reader_facts_end(const struct csv_reader *reader)
{
    return reader->facts_at + reader->facts_size + reader->warnings_size;
}

#define CSV_WARNING "# cellsync-warning: "

/* Get the header line as a row, valid until the next read. csv_no_lines gives no fields. */
csy_status csv_header(struct csv_reader *reader, struct csv_row *out, csy_error *error);

csy_status csv_read(struct csv_reader *reader, struct csv_row *out, bool *more, csy_error *error);

/* Get the text in the column `event`, without quotes and blanks around it. *size is 0 for none. */
csy_status csv_event_name(struct csv_reader *reader, const struct csv_row *row, const char **out,
                          size_t *size, csy_error *error);

csy_status csv_read_time(const struct csv_reader *reader, const struct csv_spot *spot,
                         const struct csv_scale *scale, int64_t *ticks, csy_error *error);

/* Get a name without quotes. *out points into *text or the row. A NUL in the name is an error. */
csy_status csv_read_name(const struct csv_reader *reader, const struct csv_row *row,
                         const char *called, size_t column, struct csv_text *text, const char **out,
                         size_t *size, csy_error *error);

#endif

/* An open trace: metadata, and records (.pex) or rows (CSV), which can be read several times. */
#ifndef TRACE_TRACE_H
#define TRACE_TRACE_H

#include "base/progress.h"
#include "trace/csv/csv.h"
#include "trace/pex/metadata.h"
#include "trace/pex/record.h"
#include "trace/source.h"
#include "trace/steps.h"

#include <sys/stat.h>
#include <time.h>

/* The state of a file when it was opened, to find changes, and outputs that would overwrite it. */
struct file_identity {
    const char *name; /* name of the file; the caller owns it, and it outlives the struct */
    dev_t device;
    ino_t inode;
    int fd; /* descriptor of the file, or -1 if the file was copied, so changes do not matter */
    off_t size;
    nlink_t links;
    struct timespec modified, changed;
};

/* Tells whether a channel that lacks receives may have sends without records. */
enum trace_sends {
    SENDS_UNKNOWN, /* sends may be missing */
    SENDS_STATED,  /* the trace states that no send is missing */
    SENDS_COUNTED  /* no send is missing: if a channel lacks receives, the recorder lost them */
};

/* Values of events, besides their times and order, on which bounds of global times depend. */
enum trace_stated {
    STATED_LATENCY = 1,
    STATED_LATENCY_MAX = 2,
    STATED_SAME = 4,
    STATED_OTHER_TIME = 8
};

enum { TRACE_WARNINGS_MAX = CSV_WARNINGS_MAX + 3, HEAD_BYTES = 64 };

struct record_file {
    char *name;
    int fd; /* descriptor of the file, or -1 if the records are in the .pex itself */
    uint64_t start, bytes;
    uint8_t *header_extra; /* the bytes of the header from offset 32 on */
    size_t header_bytes;
    uint64_t records;   /* number of complete records; set after they were read */
    const char *buffer; /* unique name of the buffer */
    struct tag place;   /* place in the document of the start tag <trace_file> for this file */
};

/* A trace that was joined from several files has one of these for each file. Events of the file
 * have the numbers event.place from `first` on. `first` stands for the place `own` in the file. */
struct part_places {
    uint64_t first, own;
};

struct csy_trace {
    char *name; /* name as the user gave it */
    /* Parts of a joined trace (trace/open.c), in the order of the operands, owned by the joined
     * trace. event.file is the index of a part. NULL: the trace is not joined. */
    struct csy_trace **parts;
    size_t nparts;
    struct part_places *part_places;
    bool is_part;    /* true if a joined trace may use the trace, and read its file later */
    char *part_name; /* NAME of an operand NAME=FILE, put before thread and clock names; or NULL */
    const struct source *source; /* describes the format, and reads the trace */
    uint64_t timebase_hz;
    unsigned workers; /* number of threads that read in parallel; 1: only the caller */
    struct progress progress;
    size_t segment_bytes; /* number of bytes that a worker of fast/fast.c reads at a time */
    struct head head;
    uint8_t head_bytes[HEAD_BYTES];
    bool gzip;                        /* true if the whole file is compressed by gzip */
    int fd;                           /* descriptor of the file that the user named */
    uint64_t document_start;          /* byte offset of the .pex document in `fd` */
    struct record_file *record_files; /* record files of a .pex */
    size_t nrecord_files;
    bool is_fork;            /* true if trace_fork made the trace; the original owns the files */
    size_t record_file;      /* number of the record file that is being read */
    int record_fd;           /* descriptor of that file, or -1 if the .pex contains the records */
    const char *record_name; /* file that has the last event; NULL: the file `name` */
    uint64_t record_start;   /* byte offset of that record file in its descriptor */
    uint64_t record_bytes;   /* size of the record file on disk, in bytes; used to show progress */
    struct file_identity *files;
    size_t nfiles, files_capacity;
    struct metadata metadata;           /* metadata of a .pex */
    const struct event_types *types;    /* event types, or NULL if records lack numeric types */
    const struct places *places;        /* places in the .pex; outputs replace their text */
    const struct element *table;        /* last synchronization element of the document */
    struct table_rows *table_rows;      /* the rows of `table` */
    const struct listed_thread *listed; /* threads that the trace names, even without records */
    size_t nlisted;
    const struct said_meanings *meanings; /* descriptions of event types and fields that the trace
                                           * contains */
    const struct said_symbols *symbols;   /* symbols that the trace contains */
    bool is_global; /* true if the file has global times, which yield the local times */
    bool notifier;  /* true if another program recorded the switches (clock/timeline.h) */
    enum granularity granularity;
    struct record_roles *roles; /* reader of order constraints, for a .pex in partial order */
    bool was_cut;               /* true if an earlier file is cut off, at first_cut */
    csy_cut first_cut;
    const uint8_t *header_extra; /* bytes of the header from offset 32 to header.header_bytes */
    struct bytes *bytes;
    bool replaced; /* true if the file was replaced while it was opened, so its records are gone */
    bool salvage;
    uint64_t written;             /* number of records in the last CSV or JSON output */
    struct record_reader records; /* reader of the record file of a .pex */
    struct record record;         /* the last record that was read */
    struct csv_reader lines;      /* reader of a CSV; for other formats, it has no columns */
    struct csv_row row;           /* the last row that was read */
    struct event_roles csv_roles; /* order constraints of `row` */
    struct csv_asked csv_asked;
    struct clock_steps steps; /* where clocks were set, by the line "# cellsync" of a CSV */
    char *csv_columns;        /* storage of csv_asked.columns, or NULL */
    void *state;              /* private data of the source; a .pex or CSV needs none */
    bool timebase_assumed;
    bool has_begins;   /* true if threads have names and events may be intervals */
    bool partial;      /* true if the file orders only events within a location */
    bool loose;        /* true if the file's order means nothing; `partial` is also true */
    size_t loose_kept; /* if `loose`: number of constraints kept in any case */
    bool skips_roles;  /* true during a pass that needs no event.roles, so that the source need not
                        * set them */
    bool limits;       /* true if events have values, such as a latency, that may limit clock
                        * offsets */
    unsigned stated;   /* bits of enum trace_stated: which values the events read so far have */
    struct measured_offsets *offsets; /* offsets from a separate file (trace/offsets.h), or NULL */
    bool has_routines;                /* true if threads have names and events may have routines */
    bool has_keys;                    /* false if no event is known to have the key of a message,
                                       * group, or lock */
    enum block_after block_after;
    bool complete; /* true if the trace states that both ends of all messages are recorded */
    enum trace_sends sends;
    bool independent;         /* true if clocks do not tick at the same moments; the timestamp error
                               * is then at least half a tick */
    size_t hosts;             /* number of hosts with clocks; 0 if the trace does not name hosts */
    bool skewed;              /* true if `celltrace --skew` shifted clocks during the recording */
    size_t converted;         /* number of accelerator locations with times that the tracer
                               * converted to their process's clock */
    const char *unread_order; /* names of ignored columns that give the order of events, or NULL */
    csy_clock_per clock_per;  /* value of --clock-per, for an OTF2 archive */
    csy_spans spans;          /* value of --spans, for a trace of spans */
    char warnings[TRACE_WARNINGS_MAX][CSV_WARNING_MAX];
    size_t nwarnings;
};

enum { SEGMENT_BYTES = 2 * 1024 * 1024, LOOSE_KEPT = 1 << 15 };

/* Make a trace with default settings and no source. The caller frees it by csy_trace_free. */
csy_status trace_allocate(const char *name, struct csy_trace **out, csy_error *error);

/* Like csy_trace_open, but does not read the file of measured offsets. */
csy_status trace_open(const char *path, const csy_input *input, struct csy_trace **out,
                      csy_error *error);

/* Start a second reading at the first record. If the source cannot fork, *out is `trace` itself.
 * Call trace_join before `trace` is freed. */
csy_status trace_fork(struct csy_trace *trace, struct csy_trace **out, csy_error *error);
void trace_join(struct csy_trace *trace, struct csy_trace *fork);

/* Go back to the first record. A trace that was just opened is already at its first record. */
csy_status trace_rewind(struct csy_trace *trace, csy_error *error);

/* Returns where a salvaged trace is cut off, or NULL if it is complete or not read so far. */
const csy_cut *trace_cut(const struct csy_trace *trace);

/* The place for trace_at_place if the error message already has the file and the place. */
#define TRACE_NO_PLACE UINT64_MAX

/* Add file and place to an error message, unless `place` is TRACE_NO_PLACE. Returns `status`. */
csy_status trace_at_place(const struct csy_trace *trace, uint64_t place, csy_status status,
                          csy_error *error);

void trace_warn(struct csy_trace *trace, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Remember a file of the trace, and its present state, which is also written to *st. `name` must
 * outlive the trace. Returns CSY_IO for a folder, unless the source reads folders. */
csy_status trace_remember_file(struct csy_trace *trace, int fd, struct stat *st, const char *name,
                               csy_error *error);

bool trace_is_replaced(const struct csy_trace *trace);

/* Returns CSY_IO if size or times of a file of the trace have changed since it was opened. */
csy_status trace_check_unchanged(const struct csy_trace *trace, csy_error *error);

/* Returns true if a CSV written from this trace lacks the order constraints. */
static inline bool trace_loses_order(const struct csy_trace *trace)
{
    return trace->partial && !trace->types && !trace->source->shaped &&
           !trace->source->rows_keep_order;
}

/* Returns the name of the file that contains the event with event.place == *place. In a joined
 * trace, *place becomes the place in this file. */
const char *trace_place(const struct csy_trace *trace, uint64_t *place);

/* Returns CSY_IO if trace->files[file], newly opened as `fd`, has changed or was replaced. */
csy_status trace_check_file(const struct csy_trace *trace, size_t file, int fd, csy_error *error);

/* Returns CSY_IO with the message that the trace changed, for example if two passes differ. */
csy_status trace_refuse_changed(const struct csy_trace *trace, csy_error *error);

#endif

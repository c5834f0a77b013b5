/* A trace that is open for reading: its metadata, and a stream of records (.pex) or rows (CSV) that
 * can be read several times. */
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

/* A file of the trace, with its state when it was opened. It shows whether an output would
 * overwrite the file, and whether the file has changed. */
struct file_identity {
    const char *name; /* owned by the caller, which keeps it longer than this */
    dev_t device;
    ino_t inode;
    int fd; /* descriptor of the trace; -1: the file was copied, so it may change */
    off_t size;
    nlink_t links;
    struct timespec modified, changed;
};

/* What is known about missing sends in a channel with more sends than receives. */
enum trace_sends {
    SENDS_UNKNOWN, /* sends may be missing */
    SENDS_STATED,  /* the trace states that no send is missing */
    SENDS_COUNTED  /* no send is missing, because the recorder can only lose receives */
};

enum { TRACE_WARNINGS_MAX = CSV_WARNINGS_MAX + 2, HEAD_BYTES = 64 };

/* A record file of a .pex. */
struct record_file {
    char *name;
    int fd; /* -1: the records are in the .pex itself */
    uint64_t start, bytes;
    uint8_t *header_extra; /* header bytes from offset 32 on */
    size_t header_bytes;
    uint64_t records;   /* complete records, known after they were read */
    const char *buffer; /* a unique name */
    struct tag place;   /* the start tag of trace_file in the document */
};

/* The places of a part in a joined trace, from `first` to the first place of the next part. `first`
 * stands for the place `own` of its file. */
struct part_places {
    uint64_t first, own;
};

struct csy_trace {
    char *name; /* name as the user gave it */
    /* Traces of a joined trace (trace/join.h), in the order of the operands, which it owns.
     * event.file is the number of the part. NULL: this is no joined trace. */
    struct csy_trace **parts;
    size_t nparts;
    struct part_places *part_places; /* one item for each part, in ascending order */
    bool is_part;    /* the trace may become a part of a joined trace, so reading can wait */
    char *part_name; /* NAME of an operand NAME=FILE, which precedes names of its threads and
                        clocks, and a slash; NULL: none */
    const struct source *source; /* reads the trace */
    uint64_t timebase_hz;
    unsigned workers; /* threads that read in parallel; 1: only the caller */
    struct progress progress;
    size_t segment_bytes; /* for fast/fast.c: bytes that a worker reads at a time */
    struct head head;
    uint8_t head_bytes[HEAD_BYTES];
    bool gzip;                        /* the whole file is compressed with gzip */
    int fd;                           /* the file that the user named */
    uint64_t document_start;          /* offset of the .pex document in it */
    struct record_file *record_files; /* .pex only */
    size_t nrecord_files;
    bool is_fork;            /* made by trace_fork; the original owns the files */
    size_t record_file;      /* number of the file that is being read */
    int record_fd;           /* descriptor of that file; -1: it is in the .pex itself */
    const char *record_name; /* name of that file if it is separate, otherwise NULL */
    uint64_t record_start;   /* offset of that file in the descriptor */
    uint64_t record_bytes;   /* size of that file on disk, for progress */
    struct file_identity *files;
    size_t nfiles, files_capacity;
    struct metadata metadata;           /* .pex only */
    const struct event_types *types;    /* NULL unless event->record has numeric types */
    const struct places *places;        /* places of the document that an output changes */
    const struct element *table;        /* last synchronization element of the document */
    struct table_rows *table_rows;      /* the rows of that element */
    const struct listed_thread *listed; /* threads with names, even if they have no records */
    size_t nlisted;
    const struct said_meanings *meanings; /* meanings of events that the trace defines */
    const struct said_symbols *symbols;   /* symbols that the trace contains */
    bool is_global;                       /* times are global; local times are restored from them */
    bool notifier; /* a notifier recorded the context switches; see clock/intervals.h */
    enum granularity granularity;
    struct record_roles *roles; /* .pex in partial order only */
    bool was_cut;               /* an earlier record file ends too early, at first_cut */
    csy_cut first_cut;
    const uint8_t *header_extra; /* header bytes from offset 32 on, up to header.header_bytes */
    struct bytes *bytes;
    bool replaced; /* another file took its name while it was opened, so its records are gone */
    bool salvage;
    uint64_t written;             /* records in the last CSV or JSON output */
    struct record_reader records; /* .pex */
    struct record record;         /* the last record read */
    struct csv_reader lines;      /* lines of a CSV, each with one event; no columns: not a CSV */
    struct csv_row row;           /* the last row read */
    struct event_roles csv_roles; /* the order constraints of that row */
    struct csv_asked csv_asked;
    struct clock_steps steps; /* steps in the line of facts of a synchronized CSV */
    char *csv_columns;        /* storage of csv_asked.columns, or NULL */
    void *state;              /* private data of other sources */
    bool timebase_assumed;
    bool has_begins; /* threads have names, and events may be intervals */
    bool partial;    /* the trace is in partial order: events have roles, and only the events of one
                     location are in the order of the file */
    bool loose;      /* partial, and only roles order the events of a location (trace/event.h) */
    size_t loose_kept; /* how many constraints of a loose trace are kept at least; for tests */
    bool limits;       /* events may have limits (clock/points.h) */
    struct measured_offsets *offsets; /* offsets from a separate file (trace/offsets.h), or NULL */
    bool has_routines;                /* threads have names, and events may have routines */
    bool has_keys; /* events may have keys of messages, groups, or locks; false: unknown */
    enum block_after block_after; /* what limits the flushes of its blocks */
    bool complete;                /* the trace states that both ends of all messages are recorded */
    enum trace_sends sends;
    bool independent; /* clocks tick at different instants, so delta is at least half a tick */
    size_t hosts;     /* number of hosts with clocks, if the trace names them; otherwise 0 */
    bool skewed;      /* `celltrace --skew` shifted clocks during the recording */
    size_t converted; /* locations with timestamps that the tracer converted from their own clock */
    const char *unread_order; /* order columns that are ignored, because the trace does not state
                                 that it is in partial order; or NULL */
    csy_clock_per clock_per;  /* OTF2 only: the choice of the user */
    csy_spans spans;          /* spans only: the choice of the user */
    char warnings[TRACE_WARNINGS_MAX][CSV_WARNING_MAX];
    size_t nwarnings;
};

enum { SEGMENT_BYTES = 2 * 1024 * 1024, LOOSE_KEPT = 1 << 15 };

/* Make a trace with a copy of the name, all defaults, and no source yet. The caller frees it with
 * csy_trace_free. */
csy_status trace_allocate(const char *name, struct csy_trace **out, csy_error *error);

/* Open a trace as csy_trace_open does, but without its file of measured offsets. */
csy_status trace_open(const char *path, const csy_input *input, struct csy_trace **out,
                      csy_error *error);

/* Start a second reading of the same files at the first record. If the source cannot fork, *out is
 * the trace itself. Free the fork by trace_join before freeing the trace. */
csy_status trace_fork(struct csy_trace *trace, struct csy_trace **out, csy_error *error);
void trace_join(struct csy_trace *trace, struct csy_trace *fork);

/* Go back to the first record. A trace that was just opened is already there. */
csy_status trace_rewind(struct csy_trace *trace, csy_error *error);

/* Returns where records end too early, if a salvaged trace was read up to there, or NULL. */
const csy_cut *trace_cut(const struct csy_trace *trace);

/* The place of a message that is complete, for trace_at_place. */
#define TRACE_NO_PLACE UINT64_MAX

/* Add file and place to an error message, unless it has them (TRACE_NO_PLACE). Returns `status`. */
csy_status trace_at_place(const struct csy_trace *trace, uint64_t place, csy_status status,
                          csy_error *error);

/* For sources: remember a file of the trace and its present state, which *st returns. `name` must
 * live as long as the trace. CSY_IO if the file is a folder, but the source reads none. */
csy_status trace_remember_file(struct csy_trace *trace, int fd, struct stat *st, const char *name,
                               csy_error *error);

/* Returns true if the name of the trace now belongs to another file. */
bool trace_is_replaced(const struct csy_trace *trace);

/* Returns CSY_IO if a file of the trace was written to since it was opened, by size or times. */
csy_status trace_check_unchanged(const struct csy_trace *trace, csy_error *error);

/* Returns true if rows made from events have no columns for the constraints on their order. */
static inline bool trace_loses_order(const struct csy_trace *trace)
{
    return trace->partial && !trace->types && !trace->source->shaped &&
           !trace->source->rows_keep_order;
}

/* Convert a place to a place in a file, and return the name of that file. Without joined files
 * (trace/join.h), the place does not change, and the name is the trace's. */
const char *trace_place(const struct csy_trace *trace, uint64_t *place);

/* Returns CSY_IO if a file, by its index in trace->files, has changed or was replaced. fd is a
 * newly opened descriptor of it. */
csy_status trace_check_file(const struct csy_trace *trace, size_t file, int fd, csy_error *error);

/* Returns CSY_IO with the message that the trace changed while it was read, for example if two
 * passes read different records. */
csy_status trace_refuse_changed(const struct csy_trace *trace, csy_error *error);

#endif

/*
 * A trace that is open for reading: its metadata, and a stream of records (.pex) or rows (CSV)
 * that can be read several times.
 */
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

/* A file of a trace, so that no output is written onto it, and as it was when it was opened. */
struct file_identity {
    const char *name; /* which outlives it */
    dev_t device;
    ino_t inode;
    int fd; /* the trace's; -1: it was copied, and may change */
    off_t size;
    nlink_t links;
    struct timespec modified, changed;
};

/* What is known of sends where a channel has more sends than receives. */
enum trace_sends {
    SENDS_UNKNOWN, /* some may be missing */
    SENDS_STATED,  /* the trace states that none is */
    SENDS_COUNTED  /* none is: the recorder may only miss receives */
};

enum { TRACE_WARNINGS_MAX = CSV_WARNINGS_MAX + 1, HEAD_BYTES = 64 };

/* A record file of a .pex. */
struct record_file {
    char *name;
    int fd; /* -1: it is in the .pex */
    uint64_t start, bytes;
    uint8_t *header_extra; /* as below */
    size_t header_bytes;
    uint64_t records;   /* whole ones, once they have been passed */
    const char *buffer; /* which no other one has */
    struct tag place;   /* of its start tag in the document */
};

struct csy_trace {
    char *name;                  /* as given */
    const struct source *source; /* what reads it */
    uint64_t timebase_hz;
    unsigned workers; /* 1: the caller alone */
    struct progress progress;
    size_t segment_bytes; /* of fast/fast.c: what one thread takes at a time */
    struct head head;
    uint8_t head_bytes[HEAD_BYTES];
    bool gzip;                        /* all of it is in gzip */
    int fd;                           /* the file that was named */
    uint64_t document_start;          /* of a .pex in it */
    struct record_file *record_files; /* .pex only */
    size_t nrecord_files;
    bool is_fork;            /* of another one, whose files they are */
    size_t record_file;      /* the one that is being read: */
    int record_fd;           /* where it is another file; else -1 */
    const char *record_name; /* or NULL */
    uint64_t record_start;   /* of the record file in its descriptor */
    uint64_t record_bytes;   /* as it lies on disk, for progress */
    struct file_identity *files;
    size_t nfiles, files_capacity;
    struct metadata metadata;        /* .pex only */
    const struct event_types *types; /* NULL unless events have numeric types, in event->record */
    const struct places *places;     /* where its document is changed */
    const struct element *table;     /* the synchronization element of such a document, */
    struct table_rows *table_rows;   /* and its rows */
    const struct listed_thread *listed; /* threads that have names, recorded or not */
    size_t nlisted;
    const struct said_meanings *meanings; /* meanings of events in the trace itself, */
    const struct said_symbols *symbols;   /* and its symbols of addresses */
    bool is_global; /* it has global times; local times are restored from them */
    bool notifier;  /* a notifier records its context switches: clock/intervals.h */
    enum granularity granularity;
    struct record_roles *roles; /* of a .pex in partial order */
    bool was_cut;               /* a record file before this one ends too early: */
    csy_cut first_cut;
    const uint8_t *header_extra; /* header bytes from 32 on, header.header_bytes - 32 of them */
    struct bytes *bytes;
    bool replaced; /* while it was opened, which is why its records are not there */
    bool salvage;
    uint64_t written;             /* records of the last CSV or JSON */
    struct record_reader records; /* .pex */
    struct record record;         /* the one that was read last */
    struct csv_reader lines;      /* each the bytes of an event; without columns: there are none */
    struct csv_row row;           /* the one that was read last */
    struct event_roles csv_roles; /* and what it says of order */
    struct csv_asked csv_asked;
    struct clock_steps steps; /* of a synchronized CSV, by its line of facts */
    char *csv_columns;        /* of csv_asked, or NULL */
    void *state;              /* of other sources */
    bool timebase_assumed;
    bool has_begins; /* of named threads: events may be intervals */
    bool partial; /* its records are in no line: events have roles, and those of a location are in
                     the order of the file */
    bool limits;  /* events may state limits (clock/points.h) */
    bool has_routines; /* events of named threads may be of a routine */
    bool has_keys; /* events of a .pex say of order what must be matched: messages, groups, locks */
    enum block_after block_after; /* of its blocks */
    bool complete;                /* it says that both ends of all messages are there */
    enum trace_sends sends;
    bool independent; /* its clocks do not tick together: delta is at least 1/2 */
    size_t hosts;     /* of its clocks, if a run or an archive names them; 0 otherwise */
    bool skewed;      /* a run whose clocks were moved apart while it was recorded */
    size_t converted; /* locations whose timestamps a tracer converted from a clock of their own */
    const char *unread_order; /* columns of a partial order, which it does not say that it is */
    csy_clock_per clock_per;  /* of OTF2: as it was asked for */
    char warnings[TRACE_WARNINGS_MAX][CSV_WARNING_MAX];
    size_t nwarnings;
};

enum { SEGMENT_BYTES = 2 * 1024 * 1024 };

/* A trace that has a name and all defaults, but no source yet. */
csy_status trace_allocate(const char *name, struct csy_trace **out, csy_error *error);

/* Another reading of the same files, with a place of its own, for as long as the trace is there; it
 * is the trace itself where its source cannot.  trace_join frees what was forked. */
csy_status trace_fork(struct csy_trace *trace, struct csy_trace **out, csy_error *error);
void trace_join(struct csy_trace *trace, struct csy_trace *fork);

/* Stand in front of the first record again.  A trace is opened there. */
csy_status trace_rewind(struct csy_trace *trace, csy_error *error);

/* Where the records end too early, once the trace is salvaged and has been read up to there; else
 * NULL. */
const csy_cut *trace_cut(const struct csy_trace *trace);

/* Say where in the trace an error is, where the layer that failed could not; returns status. */
csy_status trace_at_place(const struct csy_trace *trace, uint64_t place, csy_status status,
                          csy_error *error);

/* For sources: note a file, as it is now, that the trace is read from; *st says how it is. */
csy_status trace_remember_file(struct csy_trace *trace, int fd, struct stat *st, const char *name,
                               csy_error *error);

/* Whether another file has the name of the trace by now. */
bool trace_is_replaced(const struct csy_trace *trace);

/* CSY_IO where one of its files has been written to since it was opened, as its size or a
 * time says. */
csy_status trace_check_unchanged(const struct csy_trace *trace, csy_error *error);

/* Whether rows that are made of its events have no columns for what gives their order. */
static inline bool trace_loses_order(const struct csy_trace *trace)
{
    return trace->partial && !trace->types && !trace->source->shaped;
}

/* The same of one that was opened anew, by its number among its files. */
csy_status trace_check_file(const struct csy_trace *trace, size_t file, int fd, csy_error *error);

/* CSY_IO: one pass over it has met what another one has not. */
csy_status trace_refuse_changed(const struct csy_trace *trace, csy_error *error);

#endif

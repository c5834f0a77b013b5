/* A run: a folder with records of a program's processes, written by celltrace(1). */
#ifndef TRACE_RUN_RUN_H
#define TRACE_RUN_RUN_H

#include "base/texts.h"
#include "trace/addresses.h"
#include "trace/event.h"
#include "trace/pex/metadata.h"
#include "trace/pex/record.h"
#include "trace/pex/record_files.h"
#include "trace/pex/record_roles.h"
#include "trace/trace.h"

#include <pthread.h>

/* Fields of an event type: address of a routine (function), and id of the thread concerned. */
struct process_routine {
    uint32_t field; /* number of the field with the routine's address, from 1; 0: none */
    enum event_call call;
    uint32_t thread; /* number of the field with the other thread's id, from 1; 0: none */
};

struct run_thread {
    uint64_t key; /* thread id, or RUN_WRITER for records that the recorder wrote itself */
    uint32_t location;
};

#define RUN_WRITER UINT64_MAX

struct process {
    char *stem;       /* HOST.PID, the start of the names of the process's files */
    char *trace_name; /* name of the record file */
    struct metadata metadata;
    char *clock;   /* name of the clock */
    char **labels; /* names of the threads in metadata.listed, in the same order */
    struct addresses addresses;
    struct process_routine *routines; /* one for each type in metadata.types; NULL: no routines */
    bool has_routines;                /* true if some types contain a routine */
    uint64_t bytes;                   /* size of the record file in bytes */
    size_t file;                      /* index in trace->files */
    bool is_pieced;                   /* true if run_piece has set `written` and `rest`, because the
                                       * recording did not end properly */
    uint64_t written;                 /* number of records in complete blocks of the record file */
    uint8_t *rest;                    /* records from the pages of HOST.PID.live, oldest first */
    size_t rest_bytes;
    bool is_cut; /* true if the record file ends within a record */
    csy_cut cut; /* where the record file was cut off, if is_cut is true; cut.records does not count
                  * `rest` */
    struct run_thread *threads; /* threads that have records, sorted by key; set by run/streams.c */
    size_t nthreads;
    uint32_t first_location, nlocations; /* the process's threads in run.locations: index of the
                                          * first one, and number */
    uint64_t first_position;             /* number of the process's first record in the run */
    uint32_t clock_number;
};

struct run {
    struct process *items;
    size_t count;
    size_t nclocks, nhosts;
    bool skewed; /* true if celltrace --skew moved the clock of a process */
    uint64_t bytes;
    struct symbol_files symbols;
    bool is_surveyed;       /* true if run/streams.c has set the members below */
    bool is_streamed;       /* true if the records of each location can be read separately */
    uint32_t nranks;        /* number of processes with an MPI rank; of all if none has one */
    struct texts locations; /* names of threads, sorted by process and then by first record */
    struct texts keys[2];   /* names of channels, and of groups; index: number in stream items */
    pthread_mutex_t lock;
};

/* The state of a trace: how far the run was read. */
struct run_cursor {
    struct run *run;
    size_t next; /* index of the process that is read next */
    int fd;      /* descriptor of the record file of the current process, or -1 */
    struct bytes *bytes;
    struct record_reader reader;
    struct record_roles *roles;
    size_t rest; /* offset of the next record in process.rest */
    bool in_rest;
    uint64_t done; /* size of the record files of all earlier processes, in bytes */
    bool ordered;  /* true if records may have constraints on their order */
    uint32_t tid;  /* thread id of the last event */
    const char *thread;
    size_t thread_size;
    char *room;                     /* buffer for the name of a thread */
    char *writer;                   /* name for records that the recorder itself wrote */
    char *other;                    /* buffer for the name of the thread that an event refers to */
    char *values, *raw;             /* the event's values as text: `values` by their types, `raw`
                                     * all as unsigned numbers */
    struct address_cache addresses; /* cache of symbols in the current process */
    char made[ADDRESS_ROOM];        /* buffer for the name of a routine */
    char *within;                   /* buffer for the name of an address within a routine */
    size_t within_capacity;
    struct record last;       /* the last record read */
    struct named_stamp stamp; /* only contains the names of the process's clock and computer */
    struct event_roles made_roles;
};

/* Returns a cursor before the first process, or NULL if memory runs out. */
struct run_cursor *run_cursor_new(struct run *run);
void run_cursor_free(struct run_cursor *cursor);

/* Begin to read process number cursor->next++, in small pieces if `narrow` is true. */
csy_status run_begin_process(const struct csy_trace *trace, struct run_cursor *cursor, bool narrow,
                             csy_error *error);

void run_end_process(struct run_cursor *cursor);

/* Read the next record of the process. *more is false after the last record. */
csy_status run_next_of_process(struct run_cursor *cursor, struct record *record, bool *more,
                               csy_error *error);

/* Let event->roles point to the order constraints of a record, which the next call overwrites. */
csy_status run_read_roles(struct run_cursor *cursor, const struct record *record,
                          struct event *event, csy_error *error);

/* Returns the name of a record's thread. A record BUFFER_FLUSH belongs to the recorder's own
 * thread, because it may be written late. */
csy_text run_thread_name(struct run_cursor *cursor, const struct record *record);

/* For processes that did not end, read the records of pages, and count the records of blocks.
 * Returns CSY_INPUT if a recording is incomplete, unless trace->salvage is true. */
csy_status run_piece(struct csy_trace *trace, csy_error *error);

extern const struct stream_reading run_streams;

#endif

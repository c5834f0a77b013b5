/* A run: a folder in which celltrace(1) has recorded the processes of a program. */
#ifndef TRACE_RUN_RUN_H
#define TRACE_RUN_RUN_H

#include "base/texts.h"
#include "trace/addresses.h"
#include "trace/event.h"
#include "trace/pex/metadata.h"
#include "trace/pex/record.h"
#include "trace/pex/record_roles.h"
#include "trace/pex/symbol_files.h"
#include "trace/trace.h"

#include <pthread.h>

/* Fields of an event type that refer to a routine and to another thread. */
struct process_routine {
    uint32_t field; /* number of the field with the routine's address, from 1; 0: none */
    enum event_call call;
    uint32_t thread; /* number of the field with the other thread's id, from 1; 0: none */
};

/* A thread that has records. */
struct run_thread {
    uint64_t key; /* the thread id, or RUN_WRITER */
    uint32_t location;
};

#define RUN_WRITER UINT64_MAX

struct process {
    char *stem;       /* HOST.PID */
    char *trace_name; /* name of the record file */
    struct metadata metadata;
    char *clock;   /* name of the clock */
    char **labels; /* names of the threads in metadata.listed, which is sorted by tid */
    struct addresses addresses;
    struct process_routine *routines; /* for each type in metadata.types; NULL: no routines */
    bool has_routines;                /* some types refer to a routine */
    uint64_t bytes;                   /* size of the record file */
    size_t file;                      /* index in trace->files */
    bool is_pieced;                   /* the process did not end, or the record file is cut off */
    uint64_t written;                 /* if pieced: number of records in complete blocks */
    uint8_t *rest;                    /* if pieced: records of pages, the oldest page first */
    size_t rest_bytes;
    bool is_cut;                /* the record file ends within a record */
    csy_cut cut;                /* where the file ends; cut.records counts records of this file */
    struct run_thread *threads; /* after the survey: threads with records, sorted by key */
    size_t nthreads;
    uint32_t first_location, nlocations; /* threads in run.locations */
    uint64_t first_position;             /* number of the first record in the run */
    uint32_t clock_number;
};

struct run {
    struct process *items;
    size_t count;
    size_t nclocks, nhosts; /* number of clocks; number of hosts */
    bool skewed;            /* celltrace --skew moved the clock of a process */
    uint64_t bytes;
    struct symbol_files symbols;
    bool is_surveyed; /* the survey has set the following members */
    bool is_streamed; /* the locations can be read separately */
    uint32_t nranks;  /* number of processes with a rank or, without ranks, of all processes */
    struct texts locations; /* names of threads, sorted by process and first record */
    /* The keys of channels and of groups for which an item exists. All workers together number the
     * keys in the order of first use. */
    struct texts keys[2];
    pthread_mutex_t lock;
};

/* The state of a trace: a position in the run. */
struct run_cursor {
    struct run *run;
    size_t next; /* index of the process to read next */
    int fd;      /* record file of the current process, or -1 */
    struct bytes *bytes;
    struct record_reader reader;
    struct record_roles *roles;
    size_t rest; /* offset of the next record in process.rest */
    bool in_rest;
    uint64_t done; /* size of the record files of all earlier processes */
    bool ordered;  /* records may have constraints on the order */
    uint32_t tid;  /* thread id of the last event */
    const char *thread;
    size_t thread_size;
    char *room;                     /* buffer for the name of a thread */
    char *writer;                   /* name of the recorder's writer */
    char *other;                    /* buffer for the thread that an event is about */
    char *values, *raw;             /* values of an event as text: typed; as unsigned numbers */
    struct address_cache addresses; /* cache for the current process */
    char made[ADDRESS_ROOM];        /* name of a routine */
    char *within;                   /* name of a place within a routine */
    size_t within_capacity;
    struct record last;            /* the last record read */
    struct named_stamp stamp;      /* the clock and the computer of the process */
    struct event_roles made_roles; /* roles of an event that was made from an item */
};

/* Returns a cursor before the first process, or NULL if memory runs out. */
struct run_cursor *run_cursor_new(struct run *run);
void run_cursor_free(struct run_cursor *cursor);

/* Begin to read process number cursor->next, and increment this number. If `narrow` is true, reads
 * are small, because many processes are read at the same time. */
csy_status run_begin_process(const struct csy_trace *trace, struct run_cursor *cursor, bool narrow,
                             csy_error *error);

/* Stop reading the process. */
void run_end_process(struct run_cursor *cursor);

/* Read the next record of the process. *more is false after the last record. */
csy_status run_next_of_process(struct run_cursor *cursor, struct record *record, bool *more,
                               csy_error *error);

/* Read the constraints of a record, and set event->roles, which are valid until the next call. */
csy_status run_read_roles(struct run_cursor *cursor, const struct record *record,
                          struct event *event, csy_error *error);

/* Returns the name of the thread of a record. A flush record belongs to the recorder's writer,
 * because the flush may be later than other records of the thread. */
csy_text run_thread_name(struct run_cursor *cursor, const struct record *record);

/* Read the pages of processes that did not end, and count the records of these processes. Returns
 * CSY_INPUT if a process did not end, unless trace->salvage is true. */
csy_status run_piece(struct csy_trace *trace, csy_error *error);

extern const struct stream_reading run_streams;

#endif

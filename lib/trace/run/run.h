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
    uint32_t field; /* number of the field with the address, from 1; 0: none */
    enum event_call call;
    uint32_t thread; /* number of the field with the other thread's id, from 1; 0: none */
};

/* A thread that has records. */
struct run_thread {
    uint64_t key; /* the tid, or RUN_WRITER */
    uint32_t location;
};

#define RUN_WRITER UINT64_MAX

struct process {
    char *stem;       /* HOST.PID */
    char *trace_name; /* name of its record file */
    struct metadata metadata;
    char *clock;   /* name of its clock */
    char **labels; /* names of the threads in metadata.listed, which is sorted by tid */
    struct addresses addresses;
    struct process_routine *routines; /* for each type in metadata.types; NULL: none */
    bool has_routines;                /* some types refer to a routine */
    uint64_t bytes;                   /* size of the record file */
    size_t file;                      /* index in trace->files */
    bool is_pieced;                   /* the process did not end or its file is cut off; then: */
    uint64_t written;                 /* records of complete blocks in the file */
    uint8_t *rest;                    /* records from pages, oldest page first */
    size_t rest_bytes;
    bool is_cut;                /* the record file ends within a record, at: */
    csy_cut cut;                /* cut.records counts records of this file */
    struct run_thread *threads; /* with records; sorted by key, after run_survey */
    size_t nthreads;
    uint32_t first_location, nlocations; /* its threads by names */
    uint64_t first_position;             /* the number of its first record in the run */
    uint32_t clock_number;
};

struct run {
    struct process *items;
    size_t count;
    size_t nclocks, nhosts; /* a host without a name is not counted */
    bool skewed;            /* celltrace --skew moved the clock of a process */
    uint64_t bytes;
    struct symbol_files symbols;
    bool is_surveyed;       /* by run_survey: */
    bool is_streamed;       /* its locations can be read separately */
    uint32_t nranks;        /* the most members of a group: processes with a rank, if any */
    struct texts locations; /* the names of its threads, by processes and first records */
    /* The keys of channels, and of groups, that an item was made for. They are numbered in the
     * order of their first use, by all workers. */
    struct texts keys[2];
    pthread_mutex_t lock;
};

/* The state of a trace: a position in the run. */
struct run_cursor {
    struct run *run;
    size_t next; /* the process to read next */
    int fd;      /* record file of the current process, or -1 */
    struct bytes *bytes;
    struct record_reader reader;
    struct record_roles *roles;
    size_t rest; /* offset of the next record in process.rest, which follows the file */
    bool in_rest;
    uint64_t done; /* bytes of all earlier processes */
    bool ordered;  /* records may have constraints on their order */
    uint32_t tid;  /* of the last event, with its name: */
    const char *thread;
    size_t thread_size;
    char *room;                     /* buffer for the name of a thread */
    char *writer;                   /* name of the recorder's writer */
    char *other;                    /* buffer for the thread that an event is about */
    char *values, *raw;             /* values of an event as text: by type; as unsigned numbers */
    struct address_cache addresses; /* for the current process */
    char made[ADDRESS_ROOM];        /* name of a routine */
    char *within;                   /* name of a place within a routine */
    size_t within_capacity;
    struct record last;            /* the last record read */
    struct named_stamp stamp;      /* the clock and the computer of the process */
    struct event_roles made_roles; /* of an event that was made of an item */
};

/* Returns a cursor before the first process, or NULL if memory runs out. */
struct run_cursor *run_cursor_new(struct run *run);
void run_cursor_free(struct run_cursor *cursor);

/* Begin to read the process `next`, and increment `next`. narrow: use small reads, because many
 * processes are read at the same time. */
csy_status run_begin_process(const struct csy_trace *trace, struct run_cursor *cursor, bool narrow,
                             csy_error *error);

/* Stop reading the process. */
void run_end_process(struct run_cursor *cursor);

/* Read the next record of the process. *more is false after the last record. */
csy_status run_next_of_process(struct run_cursor *cursor, struct record *record, bool *more,
                               csy_error *error);

/* Read the constraints of the last record, and set event->roles, which are valid until the next
 * call. *event contains the time and the begin of the record. */
csy_status run_read_roles(struct run_cursor *cursor, const struct record *record,
                          struct event *event, csy_error *error);

/* Returns the name of the thread of a record. A flush belongs to the recorder's writer, because its
 * timestamp may be later than other records of the thread. */
csy_text run_thread_name(struct run_cursor *cursor, const struct record *record);

/* Read the pages of processes that did not end, and count their records. CSY_INPUT if some process
 * did not end, unless the trace is salvaged. */
csy_status run_piece(struct csy_trace *trace, csy_error *error);

extern const struct stream_reading run_streams;

#endif

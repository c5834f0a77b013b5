/*
 * A process of a run: its document, and its records, which are in two places where it did not end:
 *
 *     HOST.PID.trace   whole blocks, and the begin of the one that was being written
 *     HOST.PID.live    the pages that were not written, that one's among them
 */
#ifndef TRACE_RUN_PROCESS_H
#define TRACE_RUN_PROCESS_H

#include "trace/pex/metadata.h"
#include "trace/pex/symbol_files.h"
#include "trace/trace.h"

/* What events of a type have to do with a routine, and with another thread. */
struct process_routine {
    uint32_t field; /* that is its address, from 1; 0: none */
    enum event_call call;
    uint32_t thread; /* field that is the other one's id, from 1; 0: none */
};

struct process {
    char *stem;       /* HOST.PID */
    char *trace_name; /* of its record file */
    struct metadata metadata;
    char *clock;   /* what its clock is called */
    char **labels; /* of metadata.listed, which are sorted by their tids */
    struct addresses addresses;
    struct process_routine *routines; /* of each of metadata.types; NULL: nothing is said */
    bool has_routines;                /* some are of one */
    uint64_t bytes;                   /* of the record file */
    size_t file;                      /* its place in trace->files */
    bool is_pieced;                   /* it did not end, or is cut off, and was pieced together: */
    uint64_t written;                 /* records of whole blocks in the file */
    uint8_t *rest;                    /* records of pages, in the order in which these were begun */
    size_t rest_bytes;
    bool is_cut; /* the record file ends within a record: */
    csy_cut cut; /* records: of this file */
};

/* Read the document FOLDER/STEM.pex and its symbols, which get to files, and see its record file;
 * trace->files gets it.  The caller calls process_fini, also after a failure. */
csy_status process_open(struct csy_trace *trace, const char *stem, struct symbol_files *files,
                        struct process *out, csy_error *error);
void process_fini(struct process *process);

/* Find what the record file has, and what only pages have.  Once, before it is read. */
csy_status process_piece(const struct csy_trace *trace, struct process *process, csy_error *error);

/* What a thread is called: "STEM/NAME", or "STEM/TID" in room; *size is that of the text. */
enum { PROCESS_TID_MAX = 16 };
const char *process_thread(const struct process *process, uint32_t tid, char *room, size_t *size);

/* Whom a record is about: of a flush the thread whose block it was, else the one that a field (from
 * 1; 0: none) names, as process_thread has it; nothing where there is none. */
csy_text process_other(const struct process *process, const struct record *record, uint32_t field,
                       char *room);

/* Room for any thread's name that is made. */
size_t process_room(const struct process *process);

#endif

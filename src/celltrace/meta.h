/* The document of a process, HOST.PID.pex: pex(5), Runs. */
#ifndef CELLTRACE_META_H
#define CELLTRACE_META_H

#include "celltrace/folder.h"

#include <stdbool.h>
#include <stdint.h>

enum { META_TEXT_MAX = 256 };

/* What it says of the process.  Texts outlive all calls. */
struct meta {
    struct folder *folder;
    const char *name, *temporary, *trace_name; /* of the document, also while it is written, and of
                                                  the record file */
    char program[META_TEXT_MAX], host[META_TEXT_MAX], start[META_TEXT_MAX];
    char clock_id[META_TEXT_MAX]; /* one id, one clock */
    const char *clock_source;
    uint64_t hz;
    uint32_t pid, ppid;
    bool is_buffer;     /* records are in the order in which they reached one buffer */
    bool has_addresses; /* records may hold some of functions */
    bool has_rank;
    uint64_t rank, ranks;
};

/* How the recording went. */
struct meta_recording {
    const char *complete; /* "yes", "no" or "exec" */
    const char *fault;    /* why records could not be written, or NULL */
    bool known;           /* what follows */
    uint64_t records, lost, waits, wait_ticks, unbalanced, refused;
};

/* Note what is mapped now, for addresses; images that were there before stay. */
void meta_note_images(void);

/* Write the document anew, under a temporary name first.  False with errno, and the old one is as
 * it was. */
bool meta_write(const struct meta *meta, const struct meta_recording *recording);

#endif

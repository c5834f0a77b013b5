/* The recording of a process: from CELLTRACE to its files. */
#ifndef CELLTRACE_SESSION_H
#define CELLTRACE_SESSION_H

#include "recorder/settings.h"

#include <stdint.h>

/* Begin as CELLTRACE specifies, unless that has been tried. The library's constructor calls it;
 * earlier ones may need to. */
void session_begin(void);

/* Constructors of hooks run after the session's. The last constructor writes the document with
 * their types, so that they are known even if the program is killed or calls exec. */
enum { SESSION_PRIORITY = 101, HOOK_PRIORITY, NAMED_PRIORITY };

/* The events to record, of enum event_set; 0 if nothing is recorded. */
unsigned session_events(void);

/* Stop and start recording. */
void session_stop(void);
void session_start(void);

/* Call a function once before recording ends, for hooks that depend on reports from elsewhere. */
void session_before_end(void (*call)(void));

/* A type was defined, or a thread named. wait: until the document contains it. */
void session_note_change(bool wait);

/* The process is rank `rank` of `ranks`. */
void session_set_rank(uint64_t rank, uint64_t ranks);

/* Write all records to the files, once, and stop recording. In a child that shares memory with the
 * process, or during an event, do nothing: the pages are left as after a kill. */
void session_leave(void);

/* True if session_leave would do something. */
bool session_can_leave(void);

#endif

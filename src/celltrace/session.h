/* The recording of a process: from CELLTRACE to its files. */
#ifndef CELLTRACE_SESSION_H
#define CELLTRACE_SESSION_H

#include "celltrace/settings.h"

#include <stdint.h>

/* Begin as CELLTRACE says, unless the process has done so, or cannot.  The library's constructor
 * does; others before it may need to. */
void session_begin(void);

/* Constructors of what is recorded beside the program's own events run after the session's; last of
 * all the document names their types, so that it does if the program is killed or runs exec. */
enum { SESSION_PRIORITY = 101, HOOK_PRIORITY, NAMED_PRIORITY };

/* The events that are wanted, of enum event_set; 0 where nothing is recorded. */
unsigned session_events(void);

/* Recording off and on. */
void session_stop(void);
void session_start(void);

/* Have that called before recording ends, once, by who records what others tell. */
void session_before_end(void (*call)(void));

/* A type was defined, or a thread named; wait until the document says so. */
void session_note_change(bool wait);

/* The process is rank `rank` of `ranks`. */
void session_set_rank(uint64_t rank, uint64_t ranks);

/* All that was recorded goes to the files, once, and nothing is recorded from then on.  In a child
 * that shares the memory of the process, or in the midst of an event, nothing is done: the pages
 * are left as they are, as after a kill. */
void session_leave(void);

/* Whether session_leave would do something. */
bool session_can_leave(void);

#endif

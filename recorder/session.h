/* The recording of a process: from CELLTRACE to its files. */
#ifndef CELLTRACE_SESSION_H
#define CELLTRACE_SESSION_H

#include "recorder/settings.h"

#include <stdint.h>

/* Begin to record as CELLTRACE specifies, unless this was tried before. The constructor of the
 * library calls this function. It may also be needed earlier, by constructors that run before. */
void session_begin(void);

/* Priorities of constructors. Constructors of hooks run after the constructor of the session. The
 * last constructor writes the document with the types of the hooks, so that the types are known
 * even if the program is killed or calls exec. */
enum { SESSION_PRIORITY = 101, HOOK_PRIORITY, NAMED_PRIORITY };

/* The events to record, as bits of enum event_set; 0 if nothing is recorded. */
unsigned session_events(void);

/* Stop and start recording. */
void session_stop(void);
void session_start(void);

/* Have a function called once before recording ends. This is for hooks that get their events from
 * reports of other libraries. */
void session_before_end(void (*call)(void));

/* Note that a type was defined, or that a thread got a name. wait: return only when the document
 * contains it. */
void session_note_change(bool wait);

/* Note the rank of the process, and the number of ranks. */
void session_set_rank(uint64_t rank, uint64_t ranks);

/* Stop recording and write all records to the files; later calls do nothing. It also does nothing
 * in a child that shares memory with the process, and while an event is being recorded. The pages
 * are then left as if the program had been killed. */
void session_leave(void);

/* True if session_leave would do something. */
bool session_can_leave(void);

#endif

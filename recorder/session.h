/* The recording of a process, with the settings in CELLTRACE. */
#ifndef CELLTRACE_SESSION_H
#define CELLTRACE_SESSION_H

#include "recorder/settings.h"

#include <stdint.h>

/* Begin to record as CELLTRACE specifies. Later calls do nothing. The constructor of the library
 * calls this function, but other constructors may have to call it first. */
void session_begin(void);

/* Priorities of constructors. Hooks come after the session. The last constructor writes the
 * document with the types of the hooks, in case the program is killed or calls exec. */
enum { SESSION_PRIORITY = 101, HOOK_PRIORITY, NAMED_PRIORITY };

/* Marks functions of the library that programs call. */
#define HOOK __attribute__((visibility("default"), no_instrument_function))

/* Returns the events to record, as bits of enum event_set, or 0 if nothing is recorded. */
unsigned session_events(void);

void session_stop(void);
void session_start(void);

/* Set a function to be called once before recording ends, for example to record the last events
 * that the kernel or a library collected. */
void session_before_end(void (*call)(void));

/* Note that a type was defined or a thread was named. If `wait`, return after the document was
 * written. */
void session_note_change(bool wait);

void session_set_rank(uint64_t rank, uint64_t ranks);

/* Stop recording and write all records. Does nothing if it was called before, in a child that
 * shares memory with the process, or while an event is being recorded. */
void session_leave(void);

bool session_can_leave(void);

#endif

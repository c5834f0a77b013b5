/* libcelltrace: records what the threads of a program do, for cellsync(1).
 *
 * All functions may be called in any thread and in signal handlers. They cost almost nothing if
 * nothing is recorded, and never report failures: events that could not be recorded are counted in
 * the trace. Nothing is recorded unless the environment variable CELLTRACE gives the output, as set
 * by celltrace(1). If CELLTRACE_OFF is defined, all calls are empty and no library is needed.
 *
 * Timestamps are in ticks of one clock that all threads of the machine share. */
#ifndef CELLSYNC_CELLTRACE_H
#define CELLSYNC_CELLTRACE_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A type of event. NULL is valid: its events are dropped, so callers need no check. */
typedef struct ct_type *ct_type;

enum ct_kind {
    CT_MARK,  /* something happened at the time of the event */
    CT_ENTRY, /* the begin of a block, which ends with the CT_EXIT of the same name */
    CT_EXIT,
    CT_INTERVAL, /* something lasted from a begin until the time of the event */
    CT_SEND,     /* a message is sent; the fields identify the message */
    CT_RECV,     /* an interval of waiting for a message, which has then arrived */
    CT_WAIT,     /* an interval in which the thread was blocked */
    CT_STATE,    /* the thread has entered another state, given by the fields */
    CT_COUNTER   /* the fields are values of counters */
};

/* Maximum number of the fields of a type, and of the values of an event. */
#define CT_VALUES_MAX 255

/* Define a type of event: its group, such as the name of a part of the program; its name; and its
 * fields, separated by blanks, as NAME[/TYPE][:ROLE]. TYPE is u64 (the default), i64, f64 (the bits
 * of a double), or address. ROLE is any word; two roles have a meaning in types of kind CT_SEND and
 * CT_RECV: a `partner` is the rank of the receiver or sender, and each `key` distinguishes
 * messages. NULL or "": no fields. All texts are copied.
 *
 * Defining a type again with the same kind and fields returns the same type; a CT_ENTRY and a
 * CT_EXIT with the same name are two types. The function returns NULL, and counts that, if kind or
 * fields differ, if a name is empty, longer than 127 bytes, or has control characters, or if there
 * are too many types (255 in a group, 200 groups, 4096 in total). It is slow: define a type once
 * and keep it. */
ct_type ct_define(const char *group, const char *name, enum ct_kind kind, const char *fields);

/* Returns the current time in ticks, for the begin of an interval. Returns 0 if nothing is
 * recorded. */
uint64_t ct_now(void);

/* Record an event without a begin and with 0 to 4 values, of kind CT_MARK, CT_ENTRY, CT_EXIT,
 * CT_SEND, CT_STATE, or CT_COUNTER. Its timestamp is the time of the call. */
void ct_mark0(ct_type type);
void ct_mark1(ct_type type, uint64_t a);
void ct_mark2(ct_type type, uint64_t a, uint64_t b);
void ct_mark3(ct_type type, uint64_t a, uint64_t b, uint64_t c);
void ct_mark4(ct_type type, uint64_t a, uint64_t b, uint64_t c, uint64_t d);

/* Record an interval from begin, a result of ct_now, until now, of kind CT_INTERVAL, CT_RECV, or
 * CT_WAIT. All loads before the call complete before the timestamp is taken, so a receive is not
 * stamped before its message has arrived. */
void ct_interval0(ct_type type, uint64_t begin);
void ct_interval1(ct_type type, uint64_t begin, uint64_t a);
void ct_interval2(ct_type type, uint64_t begin, uint64_t a, uint64_t b);
void ct_interval3(ct_type type, uint64_t begin, uint64_t a, uint64_t b, uint64_t c);
void ct_interval4(ct_type type, uint64_t begin, uint64_t a, uint64_t b, uint64_t c, uint64_t d);
void ct_interval5(ct_type type, uint64_t begin, uint64_t a, uint64_t b, uint64_t c, uint64_t d,
                  uint64_t e);
void ct_interval6(ct_type type, uint64_t begin, uint64_t a, uint64_t b, uint64_t c, uint64_t d,
                  uint64_t e, uint64_t f);

/* Record an event of any kind with n values. begin is used only for intervals. An event with more
 * than CT_VALUES_MAX values is not recorded, but counted as lost. */
void ct_values(ct_type type, uint64_t begin, const uint64_t *values, unsigned n);

/* Record that a basic block was entered: an event of kind CT_MARK in the group BLOCK, which is
 * defined on first use. name must be the same text each time. */
#define CT_BLOCK(name)                                                                             \
    do {                                                                                           \
        static ct_type ct_block_type;                                                              \
        ct_type ct_block_now = __atomic_load_n(&ct_block_type, __ATOMIC_ACQUIRE);                  \
        if (!ct_block_now) {                                                                       \
            ct_block_now = ct_define("BLOCK", (name), CT_MARK, "");                                \
            __atomic_store_n(&ct_block_type, ct_block_now, __ATOMIC_RELEASE);                      \
        }                                                                                          \
        ct_mark0(ct_block_now);                                                                    \
    } while (0)

/* Name the calling thread; at most 63 bytes are kept. */
void ct_name_thread(const char *name);

/* Write the events of the calling thread to the trace, and wait until they are written. */
void ct_flush(void);

/* Returns true if events are being recorded. */
bool ct_recording(void);

/* Resume recording in all threads, and record an event. Recording is on when a recorded program
 * starts. */
void ct_start(void);

/* Record an event, and stop recording in all threads. */
void ct_stop(void);

/* The times of the calling thread since its start. Times that the system does not provide are 0. */
struct ct_times {
    uint64_t user_ns, system_ns; /* CPU time in the program, and in the system on behalf of the
                                  * program */
    uint64_t running_ns;         /* time on a core */
    uint64_t runnable_ns;        /* time spent waiting for a core */
    uint64_t page_faults;
};

void ct_times(struct ct_times *out);

/* Record the times of the calling thread (struct ct_times) as an event with this name. Differences
 * between two such events are the times spent between the events. */
void ct_sample(const char *name);

#ifdef CELLTRACE_OFF
#include <cellsync/celltrace_off.h>
#endif

#ifdef __cplusplus
}
#endif

#endif

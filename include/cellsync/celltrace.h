/*
 * libcelltrace: record what the threads of a program do, for cellsync(1).
 *
 * Everything here may be called in any thread and in signal handlers, costs next to nothing where
 * nothing is recorded, and never fails loudly: what could not be recorded is counted, and the
 * trace says so.  Nothing is recorded unless the environment variable CELLTRACE says where to, as
 * celltrace(1) sets it.  With CELLTRACE_OFF defined all calls are empty and no library is needed.
 *
 * A stamp is in ticks of one clock that all threads of the machine share.
 */
#ifndef CELLSYNC_CELLTRACE_H
#define CELLSYNC_CELLTRACE_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A type of event.  NULL is one, too, of which nothing is recorded. */
typedef struct ct_type *ct_type;

enum ct_kind {
    CT_MARK,  /* something happened */
    CT_ENTRY, /* a block was entered, and left again by the CT_EXIT of the same name */
    CT_EXIT,
    CT_INTERVAL, /* something lasted from a begin to now */
    CT_SEND,     /* a message began; fields say which */
    CT_RECV,     /* an interval: a message was waited for, and has come */
    CT_WAIT,     /* an interval in which the thread could do nothing else */
    CT_STATE,    /* the thread is in another state, which the fields say */
    CT_COUNTER   /* the fields are values of counters */
};

/* The most fields of a type, and values of an event. */
#define CT_VALUES_MAX 255

/* A type of event: its group, such as the name of the program's part; its name; and its fields,
 * with blanks between them, as NAME[/TYPE][:ROLE].  TYPE is u64 (the default), i64, f64 (the bits
 * of a double), or address.  ROLE is free, but two mean something to cellsync(1): in types of
 * kind CT_SEND and CT_RECV a `partner` is the rank of who gets the message, or sent it, and each
 * `key` tells messages apart.  NULL or "": no fields.
 *
 * Defined again, with the same kind and fields, it is the same type; a CT_ENTRY and a CT_EXIT of
 * one name are two.  With others, with a name that is empty, longer than 127 bytes or has control
 * characters, or if there are too many (255 in a group, 200 groups, 4096 in all): NULL, which is
 * counted.  It is slow: define once and keep the type. */
ct_type ct_define(const char *group, const char *name, enum ct_kind kind, const char *fields);

/* The time now, for the begin of an interval: ticks of the raw clock.  0 where nothing is
 * recorded. */
uint64_t ct_now(void);

/* Record an event that has no begin, with so many values, of the kinds CT_MARK, CT_ENTRY, CT_EXIT,
 * CT_SEND, CT_STATE and CT_COUNTER.  It is stamped at the call. */
void ct_mark0(ct_type type);
void ct_mark1(ct_type type, uint64_t a);
void ct_mark2(ct_type type, uint64_t a, uint64_t b);
void ct_mark3(ct_type type, uint64_t a, uint64_t b, uint64_t c);
void ct_mark4(ct_type type, uint64_t a, uint64_t b, uint64_t c, uint64_t d);

/* Record an interval from begin, which ct_now gave, to now, of the kinds CT_INTERVAL, CT_RECV and
 * CT_WAIT.  All that was loaded before the call was loaded before it ends: a receive is not stamped
 * before its message has come. */
void ct_interval0(ct_type type, uint64_t begin);
void ct_interval1(ct_type type, uint64_t begin, uint64_t a);
void ct_interval2(ct_type type, uint64_t begin, uint64_t a, uint64_t b);
void ct_interval3(ct_type type, uint64_t begin, uint64_t a, uint64_t b, uint64_t c);
void ct_interval4(ct_type type, uint64_t begin, uint64_t a, uint64_t b, uint64_t c, uint64_t d);
void ct_interval5(ct_type type, uint64_t begin, uint64_t a, uint64_t b, uint64_t c, uint64_t d,
                  uint64_t e);
void ct_interval6(ct_type type, uint64_t begin, uint64_t a, uint64_t b, uint64_t c, uint64_t d,
                  uint64_t e, uint64_t f);

/* The same with n values, of any kind; begin is that of an interval and else means nothing.  More
 * than CT_VALUES_MAX are not recorded but counted as lost. */
void ct_values(ct_type type, uint64_t begin, const uint64_t *values, unsigned n);

/* Record that a basic block was entered: an event of kind CT_MARK of the group BLOCK,
 * which is defined when it is first reached.  name is the same text each time. */
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

/* Call the calling thread so; at most 63 bytes are kept. */
void ct_name_thread(const char *name);

/* Give what the calling thread has recorded to the trace, and wait until it is there. */
void ct_flush(void);

/* Whether events are recorded now. */
bool ct_recording(void);

/* Stop recording events of all threads, and go on; both leave an event that says so.  A program
 * that is recorded begins with recording on. */
void ct_start(void);
void ct_stop(void);

/* What the calling thread has spent since it began.  What the system does not tell is 0. */
struct ct_times {
    uint64_t user_ns, system_ns; /* executing, in the program and in the system for it */
    uint64_t running_ns;         /* on a core */
    uint64_t runnable_ns;        /* waiting for one */
    uint64_t page_faults;
};

void ct_times(struct ct_times *out);

/* Record them as an event of that name; the difference of two is what was spent between them. */
void ct_sample(const char *name);

#ifdef CELLTRACE_OFF
#include <cellsync/celltrace_off.h>
#endif

#ifdef __cplusplus
}
#endif

#endif

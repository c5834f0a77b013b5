/* The words that describe the meaning of events. See cellsync-events(5), MEANING. */
#ifndef MEANING_WORDS_H
#define MEANING_WORDS_H

#include <stddef.h>

/* Roles of events, ordered as role_words. */
enum role {
    ROLE_UNSAID,
    ROLE_NONE,
    ROLE_MARK,
    ROLE_ENTER,
    ROLE_EXIT,
    ROLE_CALL,
    ROLE_WAIT,
    ROLE_STATE,
    ROLE_COUNTER,
    ROLE_SEND,
    ROLE_RECV,
    ROLE_COLLECTIVE,
    ROLE_TRANSFER,
    ROLE_LOOP,
    ROLE_LOOP_ENTER,
    ROLE_LOOP_EXIT,
    ROLE_ACQUIRE,
    ROLE_RELEASE,
    ROLE_BARRIER,
    ROLE_POST,
    ROLE_CLEAR,
    ROLE_CREATE,
    ROLE_START,
    ROLE_STOP,
    ROLE_DELETE,
    ROLE_QUEUE,
    ROLE_RESUME,
    ROLE_SUSPEND,
    ROLE_PROFILE_START,
    ROLE_PROFILE_STOP,
    ROLES
};

/* Roles of fields, ordered as field_words. */
enum field_role {
    FIELD_UNSAID,
    FIELD_ROUTINE,
    FIELD_CALLER,
    FIELD_PARTNER,
    FIELD_BYTES,
    FIELD_COUNT,
    FIELD_TAG,
    FIELD_COMM,
    FIELD_ROOT,
    FIELD_OBJECT,
    FIELD_TASK,
    FIELD_VALUE,
    FIELD_STATE,
    FIELD_SPE,
    FIELD_DATATYPE,
    FIELD_THREAD,
    /* CPU time in user code, in ns; this and the next ones are counted since the actor began */
    FIELD_USER_NS,
    FIELD_SYSTEM_NS,
    FIELD_RUNNABLE_NS,
    FIELD_CPU, /* core that the actor had, or has again */
    FIELD_ROLES
};

/* What the number of a partner or task means. */
enum field_of { OF_UNSAID, OF_CONTEXT, OF_RANK, OF_TID };

/* States of actors, ordered as state_words. The first three are active. */
enum state {
    STATE_USER,
    STATE_SYSTEM,
    STATE_OVERHEAD,
    /* the actor has a unit, but this is before its first record there, or after its last */
    STATE_SWITCH,
    STATE_READY,
    STATE_BLOCKED,
    STATE_IDLE,
    STATE_ABSENT,
    STATES,
    STATE_UNSAID = STATES
};

/* The words for these values, followed by NULL. The first word for roles and fields is empty. */
extern const char *const role_words[ROLES + 1];
extern const char *const field_words[FIELD_ROLES + 1];
extern const char *const state_words[STATES + 1];

/* The index of a text in one of these lists, or the number of its words if it is not there. */
size_t word_find(const char *const *words, const char *text);

static inline int state_is_active(enum state state)
{
    return state <= STATE_OVERHEAD;
}

#endif

/* Rules state the meanings of events. They come from documents. If several rules apply to an event,
 * each property, such as the role, comes from the first rule that states it
 * (meaning/event_kinds.h). */
#ifndef MEANING_RULES_H
#define MEANING_RULES_H

#include "trace/addresses.h"
#include "trace/pex/document.h"

#include <cellsync/analysis.h>

/* Words that describe the meaning of events. See cellsync-events(5), MEANING. */

/* The roles of events, in the order of role_words. */
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

/* The roles of fields, in the order of field_words. */
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
    /* CPU times in user code, in the system, and while runnable, in ns since the actor began */
    FIELD_USER_NS,
    FIELD_SYSTEM_NS,
    FIELD_RUNNABLE_NS,
    FIELD_CPU, /* number of the core on which the actor ran, or runs next */
    /* counters that celltrace records, and that no figure uses */
    FIELD_CPU_NS,
    FIELD_RUNNING_NS,
    FIELD_PAGE_FAULTS,
    FIELD_KEY, /* only cellsync matches messages by keys */
    FIELD_ROLES
};

/* The number of a partner or a task identifies an SPE context, a rank, or a thread. */
enum field_of { OF_UNSAID, OF_CONTEXT, OF_RANK, OF_TID };

/* The states of actors, in the order of state_words. The first three states are active. */
enum state {
    STATE_USER,
    STATE_SYSTEM,
    STATE_OVERHEAD,
    /* the actor is just being switched in or out on a processor */
    STATE_SWITCH,
    STATE_READY,
    STATE_BLOCKED,
    STATE_IDLE,
    STATE_ABSENT,
    STATES,
    STATE_UNSAID = STATES
};

/* The words for roles, fields, and states, with NULL at the end. Roles begin with "". */
extern const char *const role_words[ROLES + 1];
extern const char *const field_words[FIELD_ROLES + 1];
extern const char *const state_words[STATES + 1];

/* Returns the index of a text in a list, or the number of words if the text is absent or NULL. */
size_t word_find(const char *const *words, const char *text);

/* Returns the length of a name without a suffix such as _ENTRY or _EXIT. *ends, unless NULL,
 * becomes true if the suffix marks the end of a call. */
size_t name_stem(const char *name, size_t size, bool *ends);

static inline int state_is_active(enum state state)
{
    return state <= STATE_OVERHEAD;
}

#define RULE_NO_ID UINT32_MAX
#define RULE_NO_PLACE UINT32_MAX

struct field_rule {
    char *name;     /* name of the field, or NULL if `place` identifies it */
    uint32_t place; /* offset of the field in the event's data, or RULE_NO_PLACE */
    enum field_role role;
    enum field_of of;
    uint64_t unit; /* size of an item in bytes if the field counts items, or 0 if unknown */
};

struct rule {
    uint32_t id; /* id of the events in a .pex, or RULE_NO_ID */
    char *name;  /* name of the events, or NULL; if `wild`, a pattern of fnmatch(3) */
    bool wild;
    bool stall;  /* true if the time of the events is spent waiting */
    bool active; /* true if the actor does not wait, even if waiting is usual for `role` */
    bool call;   /* true if the events are calls, even if the role does not imply it */
    enum role role;
    char *class; /* kind of waiting, such as "message"; texts are NULL if not stated */
    char *state; /* name of the state that the events report */
    char *routine, *block;
    long line; /* number of the rule's line in the document */
    struct field_rule *fields;
    size_t nfields, fields_capacity;
};

struct named_state {
    char *name;
    enum state state;
};

/* A place that a document states for a context, a rank, or a thread. NO_NUMBER means not stated. */
#define NO_NUMBER UINT64_MAX
struct said_place {
    uint64_t context, rank, tid;
    uint64_t node, cell, spe;
};

/* The number of SPEs in a Cell, and of Cells in a node. 0 means that the number is not stated. */
struct topology {
    uint64_t spes, cells;
};

/* Limits of cost: kinds of events are compared with all patterns, and states with all names. */
enum { RULES_PATTERNS_MAX = 1000, RULES_STATES_MAX = 1000 };

struct rules {
    struct rule *items;
    size_t count, capacity;
    const struct rule **sorted; /* rules with an id, then with a name, then with a pattern */
    size_t nids, nnames, npatterns;
    struct said_place *places;
    size_t nplaces, places_capacity;
    struct topology topology;
    struct named_state *states;
    size_t nstates, states_capacity;
    struct symbols symbols; /* symbols of the document; sorted after all have been added */
    char *name;             /* name of the document, or NULL if the rules are in the trace itself */
};

/* All documents in the order of reading. The first one is the built-in document. */
struct csy_meaning {
    struct rules *documents;
    size_t count, capacity;
    struct topology topology; /* a topology that takes precedence over all documents */
    struct symbols symbols;   /* symbols of --symbols, for addresses that no document names */
};

struct rules_fault {
    bool no_memory;
    long line;
    char text[512]; /* message, or "" if there is no error */
};

/* Begin a rule from an element recordType. An invalid word is reported in *fault and ignored. `id`
 * is the id in a .pex, or RULE_NO_ID if the element itself states an id or a name. */
void rules_add_type(struct rules *rules, const struct element *type, uint32_t id,
                    struct rules_fault *fault);

/* Make the last rule apply to all events with this name, whatever their id is. */
void rules_name_type(struct rules *rules, const char *name, struct rules_fault *fault);

/* Add a field to the last rule. If `place` is RULE_NO_PLACE, the field's name identifies it. */
void rules_add_field(struct rules *rules, const struct element *field, uint32_t place,
                     struct rules_fault *fault);

void rules_add_state(struct rules *rules, const struct element *state, struct rules_fault *fault);

/* Add the place (node, Cell, or SPE) of a context, a rank, or a thread from its element. */
void rules_add_place(struct rules *rules, const struct element *place, struct rules_fault *fault);
void rules_add_topology(struct rules *rules, const struct element *topology,
                        struct rules_fault *fault);

/* Sort the rules. Afterwards, rules must not be added or moved. Returns false if out of memory. */
bool rules_seal(struct rules *rules);

/* The rules for one kind of event, from three lists: rules with its id, with its name, and with a
 * pattern for names. rules_next returns them in the order of the document. */
struct rules_found {
    const struct rule *const *at[3], *const *end[3];
    uint32_t id;
    const char *name;
};

/* Find the rules for a kind of events in O(log rules). Pass RULE_NO_ID if the events have no id. */
struct rules_found rules_find(const struct rules *rules, uint32_t id, const char *name);

/* Returns the next rule, or NULL. Together, all calls for one kind of events take O(patterns). */
const struct rule *rules_next(struct rules_found *found);

void rules_fini(struct rules *rules);

#endif

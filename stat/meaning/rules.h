/* Rules are what the elements of a document state about events. Several documents may have rules
 * for one kind of events. The first rule that states a property, such as the role, determines this
 * property (meaning/senses.h). */
#ifndef MEANING_RULES_H
#define MEANING_RULES_H

#include "trace/pex/element.h"
#include "trace/symbols.h"

#include <cellsync/analysis.h>

/* These words describe the meaning of events. See cellsync-events(5), MEANING. */

/* The roles of events, ordered as role_words. */
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

/* The roles of fields, ordered as field_words. */
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
    /* CPU time in user code since the actor began, in ns; the next two are such times, too */
    FIELD_USER_NS,
    FIELD_SYSTEM_NS,
    FIELD_RUNNABLE_NS,
    FIELD_CPU, /* core that the actor had, or gets again */
    FIELD_ROLES
};

/* The meaning of a number that stands for a partner or a task. */
enum field_of { OF_UNSAID, OF_CONTEXT, OF_RANK, OF_TID };

/* The states of actors, ordered as state_words. The first three states are active. */
enum state {
    STATE_USER,
    STATE_SYSTEM,
    STATE_OVERHEAD,
    /* the actor has a unit, but not yet its first record there, or no more records there */
    STATE_SWITCH,
    STATE_READY,
    STATE_BLOCKED,
    STATE_IDLE,
    STATE_ABSENT,
    STATES,
    STATE_UNSAID = STATES
};

/* The words for roles, fields, and states, with NULL at the end. Roles and fields begin with "". */
extern const char *const role_words[ROLES + 1];
extern const char *const field_words[FIELD_ROLES + 1];
extern const char *const state_words[STATES + 1];

/* Find the index of a text in a list of words. Returns the number of words if the text is missing
 * or NULL. */
size_t word_find(const char *const *words, const char *text);

/* Return the size of an event's name without a suffix of a begin or an end, such as _ENTRY. If
 * `ends` is not NULL, set it to whether the suffix is of an end. A name without a suffix keeps its
 * size. */
size_t name_stem(const char *name, size_t size, bool *ends);

static inline int state_is_active(enum state state)
{
    return state <= STATE_OVERHEAD;
}

#define RULE_NO_ID UINT32_MAX
#define RULE_NO_PLACE UINT32_MAX

/* A rule for a field of a type of events. */
struct field_rule {
    char *name;     /* NULL: the member `place` identifies the field */
    uint32_t place; /* offset of the field in the payload, or RULE_NO_PLACE */
    enum field_role role;
    enum field_of of;
    uint64_t unit; /* bytes of an item, if the field counts items; 0: unknown */
};

struct rule {
    uint32_t id; /* id of events in a .pex, or RULE_NO_ID */
    char *name;  /* name of events, or if `wild`, a pattern of fnmatch(3); or NULL */
    bool wild;
    bool stall; /* the time of the events is spent waiting */
    /* the time of the events is not spent waiting, even if the role implies waiting */
    bool active;
    bool call; /* the events are calls of a routine, even if the role does not imply calls */
    enum role role;
    /* class of waits; here and below, NULL means that the rule does not state a text */
    char *class;
    char *state; /* name of the state */
    char *routine, *block;
    long line; /* line of the rule in the document */
    struct field_rule *fields;
    size_t nfields, fields_capacity;
};

/* A state to which a document gives a name. */
struct named_state {
    char *name;
    enum state state;
};

/* The place that a document states for a context, a rank, or a thread of the PPE. NO_NUMBER means
 * that a number is not stated. */
#define NO_NUMBER UINT64_MAX
struct said_place {
    uint64_t context, rank, tid;
    uint64_t node, cell, spe;
};

/* The number of SPEs of a Cell, and the number of Cells of a node. 0 means not stated. */
struct topology {
    uint64_t spes, cells;
};

/* Limits for a document, because matching takes time. Each kind of events is compared with all
 * patterns. Each state in an event is compared with all named states. */
enum { RULES_PATTERNS_MAX = 1000, RULES_STATES_MAX = 1000 };

struct rules {
    struct rule *items;
    size_t count, capacity;
    /* set by rules_seal: rules with an id, then rules with a name, then rules with a pattern; the
     * first two kinds are sorted by id and name, and equal ones keep their order */
    const struct rule **sorted;
    size_t nids, nnames, npatterns;
    struct said_place *places;
    size_t nplaces, places_capacity;
    struct topology topology;
    struct named_state *states;
    size_t nstates, states_capacity;
    struct symbols symbols; /* symbols; sealed (sorted) when all symbols are known */
    char *name;             /* name of the document; NULL: the rules are in the trace itself */
};

/* The documents in the order of reading. The built-in document is the first one. */
struct csy_meaning {
    struct rules *documents;
    size_t count, capacity;
    struct topology topology; /* topology that takes precedence over all documents */
    struct symbols symbols;   /* symbols for addresses that no document names; sealed */
};

/* The first error that was found in a document. */
struct rules_fault {
    bool no_memory;
    long line;
    char text[512]; /* message; an empty text means that there is no error */
};

/* Begin the rule of an element recordType. An invalid word is noted in *fault and ignored. `id` is
 * the id of the type in a .pex. RULE_NO_ID means that the element itself has an id or a name. */
void rules_add_type(struct rules *rules, const struct element *type, uint32_t id,
                    struct rules_fault *fault);

/* Let the last type apply to all events with this name, whatever their id. */
void rules_name_type(struct rules *rules, const char *name, struct rules_fault *fault);

/* Add a field to the last type. The place or the name of the field identifies it. */
void rules_add_field(struct rules *rules, const struct element *field, uint32_t place,
                     struct rules_fault *fault);

void rules_add_state(struct rules *rules, const struct element *state, struct rules_fault *fault);

/* Add a symbol with the attributes name, at, and size. It may also have file and line. */
void rules_add_symbol(struct rules *rules, const struct element *symbol, struct rules_fault *fault);
/* Add a place, from an element for places or from one for a context's file. */
void rules_add_place(struct rules *rules, const struct element *place, struct rules_fault *fault);
void rules_add_topology(struct rules *rules, const struct element *topology,
                        struct rules_fault *fault);

/* Sort the rules, which must not be added or moved later. Returns false if out of memory. */
bool rules_seal(struct rules *rules);

/* The rules for a kind of events, which rules_next returns in the order of the document. */
struct rules_found {
    /* rules that are not returned yet: with the id, with the name, and with a pattern */
    const struct rule *const *at[3], *const *end[3];
    uint32_t id;
    const char *name;
};

/* Find the rules for a kind of events. `id` is RULE_NO_ID without an id. O(log rules). */
struct rules_found rules_find(const struct rules *rules, uint32_t id, const char *name);

/* Returns the next rule, or NULL after the last one. All calls together take O(patterns). */
const struct rule *rules_next(struct rules_found *found);

void rules_fini(struct rules *rules);

#endif

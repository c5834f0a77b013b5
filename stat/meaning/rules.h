/* Rules: what the elements of a document state about events. Several documents may have rules for
 * one kind of events. Each property, such as the role, is determined by the first rule that states
 * it (meaning/senses.h). */
#ifndef MEANING_RULES_H
#define MEANING_RULES_H

#include "trace/pex/element.h"
#include "trace/symbols.h"

#include <cellsync/analysis.h>

/* The words that describe the meaning of events. See cellsync-events(5), MEANING. */

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

/* The kind of number that a partner or task has. */
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

#define RULE_NO_ID UINT32_MAX
#define RULE_NO_PLACE UINT32_MAX

/* A rule for a field of a type of events. */
struct field_rule {
    char *name;     /* NULL: its place identifies it */
    uint32_t place; /* offset in the payload, or RULE_NO_PLACE */
    enum field_role role;
    enum field_of of;
    uint64_t unit; /* bytes of an item, if it counts items; 0: unknown */
};

struct rule {
    uint32_t id; /* id of events in a .pex, or RULE_NO_ID */
    char *name;  /* name of events; a pattern of fnmatch(3) if `wild`; or NULL */
    bool wild;
    bool stall; /* the events' time is spent waiting */
    /* their time is not spent waiting, even if their role implies that */
    bool active;
    bool call; /* events are calls of a routine, even if their role does not imply that */
    enum role role;
    char *class; /* class of waits; NULL: not stated; the same holds below */
    char *state; /* name of a state */
    char *routine, *block;
    long line; /* line in the document */
    struct field_rule *fields;
    size_t nfields, fields_capacity;
};

/* A state to which a document gives a name. */
struct named_state {
    char *name;
    enum state state;
};

/* The place that a document states for a context, a rank, or a thread of the PPE. NO_NUMBER: not
 * stated. */
#define NO_NUMBER UINT64_MAX
struct said_place {
    uint64_t context, rank, tid;
    uint64_t node, cell, spe;
};

/* Number of SPEs of a Cell, and of Cells of a node; 0: not stated. */
struct topology {
    uint64_t spes, cells;
};

/* Limits for a document, because matching takes time: each kind of events is compared with all
 * patterns, and each state in an event with all named states. */
enum { RULES_PATTERNS_MAX = 1000, RULES_STATES_MAX = 1000 };

struct rules {
    struct rule *items;
    size_t count, capacity;
    /* set by rules_seal: rules with an id, then with a name, each sorted by it, then with a
     * pattern. Equal keys keep their order. */
    const struct rule **sorted;
    size_t nids, nnames, npatterns;
    struct said_place *places;
    size_t nplaces, places_capacity;
    struct topology topology;
    struct named_state *states;
    size_t nstates, states_capacity;
    struct symbols symbols; /* sealed when all symbols are known */
    char *name;             /* name of the document; NULL: the trace itself */
};

/* Documents in the order of reading. The built-in document is the first. */
struct csy_meaning {
    struct rules *documents;
    size_t count, capacity;
    struct topology topology; /* takes precedence over all documents */
    struct symbols symbols;   /* for addresses that no document names; sealed */
};

/* The first error found in a document. */
struct rules_fault {
    bool no_memory;
    long line;
    char text[512]; /* message; "" without an error */
};

/* Begin the rule of an element recordType. An invalid word is noted in *fault and ignored. id: of
 * the type in a .pex; RULE_NO_ID: the element itself has an id or a name. */
void rules_add_type(struct rules *rules, const struct element *type, uint32_t id,
                    struct rules_fault *fault);

/* Apply the last type to all events with this name, whatever their id. */
void rules_name_type(struct rules *rules, const char *name, struct rules_fault *fault);

/* Add a field to the last type. The place or the name identifies the field. */
void rules_add_field(struct rules *rules, const struct element *field, uint32_t place,
                     struct rules_fault *fault);

void rules_add_state(struct rules *rules, const struct element *state, struct rules_fault *fault);

/* Add a symbol with the attributes name, at, size, and maybe file and line. */
void rules_add_symbol(struct rules *rules, const struct element *symbol, struct rules_fault *fault);
/* Add a place, or an element for a context's file that has attributes of its place. */
void rules_add_place(struct rules *rules, const struct element *place, struct rules_fault *fault);
void rules_add_topology(struct rules *rules, const struct element *topology,
                        struct rules_fault *fault);

/* Sort the rules, after the last rule was added. Rules must not move afterwards. Returns false if
 * out of memory. */
bool rules_seal(struct rules *rules);

/* The rules for a kind of events. rules_next returns them in the order of the document. */
struct rules_found {
    /* rules that are left: with the id, with the name, with a pattern */
    const struct rule *const *at[3], *const *end[3];
    uint32_t id;
    const char *name;
};

/* Find the rules for a kind of events. id is RULE_NO_ID without an id. O(log rules). */
struct rules_found rules_find(const struct rules *rules, uint32_t id, const char *name);

/* Return the next rule, or NULL after the last. All calls together take O(patterns). */
const struct rule *rules_next(struct rules_found *found);

void rules_fini(struct rules *rules);

#endif

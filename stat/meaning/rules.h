/*
 * Rules: what elements of a document say of events.  Several documents may speak of the same kind
 * of events; the first rule that says something of it counts (meaning/senses.h).
 */
#ifndef MEANING_RULES_H
#define MEANING_RULES_H

#include "meaning/words.h"
#include "trace/pex/element.h"
#include "trace/symbols.h"

#define RULE_NO_ID UINT32_MAX
#define RULE_NO_PLACE UINT32_MAX

/* A field of a type. */
struct field_rule {
    char *name;     /* NULL: it is told by its place */
    uint32_t place; /* in the payload, or RULE_NO_PLACE */
    enum field_role role;
    enum field_of of;
    uint64_t unit; /* bytes of a counted item; 0: unknown */
};

struct rule {
    uint32_t id; /* of events in a .pex, or RULE_NO_ID: */
    char *name;  /* of events, or with `wild` a pattern of fnmatch(3); NULL: none */
    bool wild;
    bool stall;  /* it is time spent waiting */
    bool active; /* it is not, whatever its role */
    bool call;   /* it is a call of a routine, whatever its role */
    enum role role;
    char *class; /* NULL: not said; as the next one */
    char *state; /* name of one */
    char *routine, *block;
    long line; /* where it is said */
    struct field_rule *fields;
    size_t nfields, fields_capacity;
};

/* A state that a document names. */
struct named_state {
    char *name;
    enum state state;
};

/* The place of a context, a rank, or a thread of the PPE; NO_NUMBER: unknown. */
#define NO_NUMBER UINT64_MAX
struct said_place {
    uint64_t context, rank, tid;
    uint64_t node, cell, spe;
};

/* How many SPEs a Cell has, and Cells a node; 0: not said. */
struct topology {
    uint64_t spes, cells;
};

/* In one document.  Every kind of events is compared with every pattern, and every state that an
 * event names with every state. */
enum { RULES_PATTERNS_MAX = 1000, RULES_STATES_MAX = 1000 };

struct rules {
    struct rule *items;
    size_t count, capacity;
    const struct rule **sorted; /* once sealed: those with an id by it, then those with a name by
                                   it, then those with a pattern; among equals in their order */
    size_t nids, nnames, npatterns;
    struct said_place *places;
    size_t nplaces, places_capacity;
    struct topology topology;
    struct named_state *states;
    size_t nstates, states_capacity;
    struct symbols symbols; /* sealed once all are there */
    char *name;             /* of the document; NULL: it is the trace */
};

/* The first fault that reading has found. */
struct rules_fault {
    bool no_memory;
    long line;
    char text[512]; /* "": nothing */
};

/* Begin a recordType.  Invalid words are noted in *fault and ignored. id: the id in a .pex;
 * RULE_NO_ID: the element has an id or a name. */
void rules_add_type(struct rules *rules, const struct element *type, uint32_t id,
                    struct rules_fault *fault);

/* Let the last type apply to events with that name, whatever its id. */
void rules_name_type(struct rules *rules, const char *name, struct rules_fault *fault);

/* A field of the last type, at that place or told by its name. */
void rules_add_field(struct rules *rules, const struct element *field, uint32_t place,
                     struct rules_fault *fault);

void rules_add_state(struct rules *rules, const struct element *state, struct rules_fault *fault);

/* A symbol: name, at and size; file and line where it has them. */
void rules_add_symbol(struct rules *rules, const struct element *symbol, struct rules_fault *fault);
/* A place, or a file of a context that says where that is. */
void rules_add_place(struct rules *rules, const struct element *place, struct rules_fault *fault);
void rules_add_topology(struct rules *rules, const struct element *topology,
                        struct rules_fault *fault);

/* All have come, and none moves any more; false on no memory. */
bool rules_seal(struct rules *rules);

/* The rules that speak of a kind of events, one after another in the order of the document. */
struct rules_found {
    const struct rule *const *at[3], *const *end[3]; /* by id, by name, by pattern */
    uint32_t id;
    const char *name;
};

/* id: RULE_NO_ID for events without one.  O(log rules). */
struct rules_found rules_find(const struct rules *rules, uint32_t id, const char *name);

/* NULL after the last.  O(patterns) for all of them together. */
const struct rule *rules_next(struct rules_found *found);

void rules_fini(struct rules *rules);

#endif

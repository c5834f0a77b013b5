/* Types of events: predefined types, and types that programs define.
 *
 * This module uses no locks and no malloc, so types can be defined in signal handlers. Types are
 * never removed. */
#ifndef CELLTRACE_TYPES_H
#define CELLTRACE_TYPES_H

#include <cellsync/celltrace.h>

#include <stddef.h>

/* Numbers of groups of types. The low byte of the id of an event is the number of its group. */
enum group_number {
    GROUP_GENERAL = 0x00,
    GROUP_USER = 0x05,
    GROUP_MPI = 0x08,
    GROUP_FUNCTIONS = 0x09,
    GROUP_SWITCHES = 0x0a,
    GROUP_THREADS = 0x0c,
    GROUP_SYNC = 0x0d,
    GROUP_SAMPLES = 0x0e,
    GROUP_BLOCKS = 0x0f,
    GROUP_LOOPS = 0x10,
    GROUP_FIRST_OWN = 0x20, /* the first number of a group that a program defines */
    GROUPS_MAX = 256
};

#define EVENT_ID(n, group) ((uint16_t)((n) << 8 | (group)))

struct ct_type {
    uint16_t id;
    uint8_t kind; /* enum ct_kind */
    uint8_t nfields;
    const char *group, *name;
    const char *fields; /* fields as in ct_define; NULL: none */
    /* further attributes of its recordType, as XML; NULL: the attributes of its kind */
    const char *attributes;
};

/* A further kind, besides enum ct_kind, which only the recorder uses. It is for intervals that are
 * not calls: an operation that a call began, and that continued while other calls ran. */
enum { KIND_DONE = CT_COUNTER + 1 };

/* True if records of this kind have a begin. */
static inline bool kind_is_interval(unsigned kind)
{
    return kind == CT_INTERVAL || kind == CT_RECV || kind == CT_WAIT || kind == KIND_DONE;
}

/* The predefined types of one group. As soon as a table is registered, the document of every run
 * contains its types. The table must not be moved or freed. */
struct type_table {
    struct ct_type *types;
    size_t n;
    struct type_table *next; /* the next registered table; used by types.c */
};

void types_register(struct type_table *table);

/* As ct_define. *added is set to true if the type is new. */
struct ct_type *types_define(const char *group, const char *name, enum ct_kind kind,
                             const char *fields, bool *added);

/* The type with this definition, or NULL. */
const struct ct_type *types_find(const char *group, const char *name, enum ct_kind kind);

/* The number of definitions that were rejected. */
uint64_t types_refused(void);

/* Call visit for all types, group by group. */
void types_visit(void (*visit)(void *user, const struct ct_type *type), void *user);

/* The number of a group. */
static inline uint8_t type_group(const struct ct_type *type)
{
    return (uint8_t)type->id;
}

/* A field of a type, as parts of the text `fields`. */
struct type_field {
    const char *name, *type, *role;
    size_t name_size, type_size, role_size; /* 0: the part is missing */
};

/* Parse the field at *at, and move *at behind it. Returns false if there is no further field. The
 * types in use contain only valid fields. */
bool type_field_next(const char **at, struct type_field *out);

#endif

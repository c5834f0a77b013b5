/* Types of events: predefined ones, and those that programs define.
 *
 * No locks and no malloc, so that types can be defined in signal handlers. Types are never removed.
 */
#ifndef CELLTRACE_TYPES_H
#define CELLTRACE_TYPES_H

#include <cellsync/celltrace.h>

#include <stddef.h>

/* Numbers of groups: the low byte of their events' ids. */
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
    GROUP_FIRST_OWN = 0x20, /* of groups that programs define */
    GROUPS_MAX = 256
};

#define EVENT_ID(n, group) ((uint16_t)((n) << 8 | (group)))

struct ct_type {
    uint16_t id;
    uint8_t kind; /* enum ct_kind */
    uint8_t nfields;
    const char *group, *name;
    const char *fields; /* as for ct_define; NULL: none */
    const char
        *attributes; /* further attributes of its recordType, as XML; NULL: those of its kind */
};

/* In addition to enum ct_kind, for the recorder: an interval that is not a call, but in which
 * something begun by a call continued alongside other calls. */
enum { KIND_DONE = CT_COUNTER + 1 };

/* True if records of this kind have a begin. */
static inline bool kind_is_interval(unsigned kind)
{
    return kind == CT_INTERVAL || kind == CT_RECV || kind == CT_WAIT || kind == KIND_DONE;
}

/* Predefined types of one group. A registered table is in the metadata of every run from then on,
 * and must stay in place. */
struct type_table {
    struct ct_type *types;
    size_t n;
    struct type_table *next; /* for types.c */
};

void types_register(struct type_table *table);

/* Like ct_define; *added is true if the type is new. */
struct ct_type *types_define(const char *group, const char *name, enum ct_kind kind,
                             const char *fields, bool *added);

/* The type with this definition, or NULL. */
const struct ct_type *types_find(const char *group, const char *name, enum ct_kind kind);

/* The number of rejected definitions. */
uint64_t types_refused(void);

/* Call visit for all types, group by group. */
void types_visit(void (*visit)(void *user, const struct ct_type *type), void *user);

/* The number of a group. */
static inline uint8_t type_group(const struct ct_type *type)
{
    return (uint8_t)type->id;
}

/* A field in a type's fields. */
struct type_field {
    const char *name, *type, *role;
    size_t name_size, type_size, role_size; /* 0: none */
};

/* Parse the next field at *at, which is moved behind it. False after the last. Existing types
 * contain only valid fields. */
bool type_field_next(const char **at, struct type_field *out);

#endif

/* Predefined types of events, and types that programs define.
 *
 * Types can be defined in signal handlers, since this module uses neither locks nor malloc. Types
 * are never removed. */
#ifndef CELLTRACE_TYPES_H
#define CELLTRACE_TYPES_H

#include <cellsync/celltrace.h>

#include <stddef.h>

/* Numbers of groups. The low byte of an event id is the number of its group. */
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
    GROUP_FIRST_OWN = 0x20, /* first number for groups that the traced program defines */
    GROUPS_MAX = 256
};

#define EVENT_ID(n, group) ((uint16_t)((n) << 8 | (group)))

struct ct_type {
    uint16_t id;
    uint8_t kind; /* an enum ct_kind, or KIND_DONE */
    uint8_t nfields;
    const char *group, *name;
    const char *fields; /* in the form of ct_define; NULL: no fields */
    /* further XML attributes of the type in the document; NULL: default for the kind */
    const char *attributes;
};

/* Kind of the record of an operation that continues after the call that began it, such as a
 * nonblocking receive. The record is an interval. Only the recorder itself makes such records. */
enum { KIND_DONE = CT_COUNTER + 1 };

/* Returns true if records of this kind have a begin. */
static inline bool kind_is_interval(unsigned kind)
{
    return kind == CT_INTERVAL || kind == CT_RECV || kind == CT_WAIT || kind == KIND_DONE;
}

/* The predefined types of a group. Documents contain the types of all registered tables. A table
 * must not be moved or freed after types_register. */
struct type_table {
    struct ct_type *types;
    size_t n;
    struct type_table *next; /* the next registered table; used by types.c */
};

void types_register(struct type_table *table);

/* Define a type as ct_define does. Sets *added to true if it is new. */
struct ct_type *types_define(const char *group, const char *name, enum ct_kind kind,
                             const char *fields, bool *added);

/* Returns the type with this definition, or NULL. */
const struct ct_type *types_find(const char *group, const char *name, enum ct_kind kind);

uint64_t types_refused(void);

void types_visit(void (*visit)(void *user, const struct ct_type *type), void *user);

static inline uint8_t type_group(const struct ct_type *type)
{
    return (uint8_t)type->id;
}

/* A field of a type. The parts point into the text `fields`. */
struct type_field {
    const char *name, *type, *role;
    size_t name_size, type_size, role_size; /* lengths of the parts; 0: the part is missing */
};

/* Parse the field at *at, and move *at after it. Returns false after the last field. */
bool type_field_next(const char **at, struct type_field *out);

#endif

/*
 * Types of events: those that programs define, and those that are there from the start.
 *
 * Without locks and without malloc, so that types can be defined in signal handlers.  A type, once
 * there, stays.
 */
#ifndef CELLTRACE_TYPES_H
#define CELLTRACE_TYPES_H

#include <cellsync/celltrace.h>

#include <stddef.h>

/* Numbers of groups: the low byte of the ids of their events. */
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
    const char *fields;     /* as ct_define takes them; NULL: none */
    const char *attributes; /* more of its recordType, as XML; NULL: what its kind says */
};

/* Beside enum ct_kind, of the recorder's own types: an interval that is no call, but in which what
 * a call began went on, beside other calls. */
enum { KIND_DONE = CT_COUNTER + 1 };

/* Whether records of this kind have a begin. */
static inline bool kind_is_interval(unsigned kind)
{
    return kind == CT_INTERVAL || kind == CT_RECV || kind == CT_WAIT || kind == KIND_DONE;
}

/* Types that are there from the start, of one group.  A table that is registered is in the metadata
 * of every run from then on; it stays where it is. */
struct type_table {
    struct ct_type *types;
    size_t n;
    struct type_table *next; /* types.c's */
};

void types_register(struct type_table *table);

/* As ct_define, and true in *added if it was not there. */
struct ct_type *types_define(const char *group, const char *name, enum ct_kind kind,
                             const char *fields, bool *added);

/* The one that was defined so, or NULL. */
const struct ct_type *types_find(const char *group, const char *name, enum ct_kind kind);

/* How many definitions were refused. */
uint64_t types_refused(void);

/* Call for all types, those of a group one after the other. */
void types_visit(void (*visit)(void *user, const struct ct_type *type), void *user);

/* The number of a group. */
static inline uint8_t type_group(const struct ct_type *type)
{
    return (uint8_t)type->id;
}

/* A field of a type's fields. */
struct type_field {
    const char *name, *type, *role;
    size_t name_size, type_size, role_size; /* of none 0 */
};

/* The next one at *at, which is moved on; false after the last.  A type that exists has only good
 * ones. */
bool type_field_next(const char **at, struct type_field *out);

#endif

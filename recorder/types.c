/* See types.h. */
#include "recorder/types.h"

#include <stdatomic.h>
#include <string.h>

enum {
    TYPES_MAX = 4096,
    PLACES = 2 * TYPES_MAX, /* size of the hash table */
    IN_GROUP_MAX = 255,
    NAME_BYTES_MAX = 127,
    TEXT_BYTES = 1024 * 1024
};

static struct ct_type types[TYPES_MAX];
static atomic_uint ntypes; /* number of requested types; may exceed TYPES_MAX */
static _Atomic(struct ct_type *) places[PLACES];
static atomic_uint group_types[GROUPS_MAX]; /* number of types in each group so far */
static _Atomic(const char *) group_names[GROUPS_MAX];
static char texts[TEXT_BYTES];
static atomic_size_t text_bytes; /* number of requested bytes; may exceed TEXT_BYTES */
static atomic_uint_fast64_t refused;
static _Atomic(struct type_table *) tables;

void types_register(struct type_table *table)
{
    table->next = atomic_load(&tables);
    while (!atomic_compare_exchange_weak(&tables, &table->next, table))
        ;
}

uint64_t types_refused(void)
{
    return atomic_load(&refused);
}

static const char *keep_text(const char *text)
{
    size_t size = strlen(text) + 1, at = atomic_fetch_add(&text_bytes, size);
    return at + size <= TEXT_BYTES && at < TEXT_BYTES ? memcpy(texts + at, text, size) : NULL;
}

static bool is_good(const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if ((unsigned char)text[i] < ' ' || text[i] == 0x7f)
            return false;
    return size > 0 && size <= NAME_BYTES_MAX;
}

bool type_field_next(const char **at, struct type_field *out)
{
    const char *text = *at + strspn(*at, " ");
    *out = (struct type_field){.name = text, .name_size = strcspn(text, " /:")};
    text += out->name_size;
    if (*text == '/') {
        out->type = ++text;
        text += out->type_size = strcspn(text, " :");
    }
    if (*text == ':') {
        out->role = ++text;
        text += out->role_size = strcspn(text, " ");
    }
    *at = text;
    return out->name_size > 0 || out->type || out->role;
}

static bool type_is_known(const struct type_field *field)
{
    static const char *const known[] = {"u64", "i64", "f64", "address"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strlen(known[i]) == field->type_size &&
            memcmp(known[i], field->type, field->type_size) == 0)
            return true;
    return false;
}

/* Returns the number of fields, or -1 if a field is invalid. */
static int count_fields(const char *fields)
{
    struct type_field field;
    int n = 0;
    while (fields && type_field_next(&fields, &field)) {
        if (!is_good(field.name, field.name_size) || (field.type && !type_is_known(&field)) ||
            (field.role && !is_good(field.role, field.role_size)) || ++n > CT_VALUES_MAX)
            return -1;
    }
    return n;
}

/* A name identifies one type, but an ENTRY and an EXIT with equal names are two types. */
static bool same_name(const struct ct_type *type, const char *group, const char *name,
                      enum ct_kind kind)
{
    bool exits = kind == CT_EXIT, is_exit = type->kind == CT_EXIT;
    return exits == is_exit && strcmp(type->name, name) == 0 && strcmp(type->group, group) == 0;
}

static size_t hash_of(const char *group, const char *name, enum ct_kind kind)
{
    uint32_t hash = kind == CT_EXIT ? 2166136261U : 2166136262U;
    for (; *group; group++)
        hash = (hash ^ (unsigned char)*group) * 16777619U;
    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * 16777619U;
    return (hash ^ hash >> 15) % PLACES;
}

/* Returns the number of a group that a program names, and adds the group if it is new. Returns 0 if
 * there are too many groups. */
static unsigned find_group(const char *name)
{
    if (strcmp(name, "USER") == 0)
        return GROUP_USER;
    const char *kept = NULL;
    for (unsigned i = GROUP_FIRST_OWN; i < GROUPS_MAX; i++) {
        const char *there = atomic_load(&group_names[i]);
        if (!there) {
            kept = kept ? kept : keep_text(name);
            if (!kept)
                return 0;
            if (atomic_compare_exchange_strong(&group_names[i], &there, kept))
                return i;
        }
        if (strcmp(there, name) == 0)
            return i;
    }
    return 0;
}

/* Returns true for groups of the recorder and of other tracers, which programs must not use. */
static bool is_reserved(const char *group)
{
    static const char *const names[] = {"GENERAL", "MPI",     "FUNCTIONS", "SWITCHES", "LIBSPE2",
                                        "MFCIO",   "LIBSYNC", "LIBDACS",   "ALF",      "EVENT80",
                                        "THREADS", "SYNC",    "BLOCKS",    "LOOPS"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], group) == 0)
            return true;
    return false;
}

/* Returns a new type, or NULL if too many types exist. Other threads cannot see the type yet. */
static struct ct_type *make(const char *group, const char *name, enum ct_kind kind,
                            const char *fields, int nfields)
{
    unsigned number = strcmp(group, "SAMPLE") == 0 ? GROUP_SAMPLES : find_group(group);
    unsigned n = number ? atomic_fetch_add(&group_types[number], 1) + 1 : 0;
    if (n == 0 || n > IN_GROUP_MAX)
        return NULL;
    unsigned at = atomic_fetch_add(&ntypes, 1);
    if (at >= TYPES_MAX)
        return NULL;
    struct ct_type *type = &types[at];
    *type = (struct ct_type){.id = EVENT_ID(n, number),
                             .kind = (uint8_t)kind,
                             .nfields = (uint8_t)nfields,
                             .group = keep_text(group),
                             .name = keep_text(name),
                             .fields = nfields ? keep_text(fields) : NULL};
    return type->group && type->name && (type->fields || nfields == 0) ? type : NULL;
}

static struct ct_type *refuse_type(void)
{
    atomic_fetch_add(&refused, 1);
    return NULL;
}

struct ct_type *types_define(const char *group, const char *name, enum ct_kind kind,
                             const char *fields, bool *added)
{
    int nfields = count_fields(fields);
    *added = false;
    if (!group || !name || !is_good(group, strlen(group)) || !is_good(name, strlen(name)) ||
        is_reserved(group) || (unsigned)kind > CT_COUNTER || nfields < 0)
        return refuse_type();
    struct ct_type *new = NULL;
    size_t at = hash_of(group, name, kind);
    for (size_t n = 0; n < PLACES; n++, at = (at + 1) % PLACES) {
        struct ct_type *there = atomic_load(&places[at]);
        if (!there) {
            new = new ? new : make(group, name, kind, fields, nfields);
            if (!new)
                return refuse_type();
            if (atomic_compare_exchange_strong(&places[at], &there, new)) {
                *added = true;
                return new;
            }
        }
        if (same_name(there, group, name, kind))
            return there->kind == (uint8_t)kind &&
                           strcmp(there->fields ? there->fields : "", nfields ? fields : "") == 0
                       ? there
                       : refuse_type();
    }
    return refuse_type();
}

const struct ct_type *types_find(const char *group, const char *name, enum ct_kind kind)
{
    size_t at = hash_of(group, name, kind);
    const struct ct_type *there;
    for (size_t n = 0; n < PLACES && (there = atomic_load(&places[at])); n++) {
        if (same_name(there, group, name, kind) && there->kind == (uint8_t)kind)
            return there;
        at = (at + 1) % PLACES;
    }
    return NULL;
}

void types_visit(void (*visit)(void *user, const struct ct_type *type), void *user)
{
    for (struct type_table *table = atomic_load(&tables); table; table = table->next)
        for (size_t i = 0; i < table->n; i++)
            visit(user, &table->types[i]);
    for (unsigned group = 0; group < GROUPS_MAX; group++) {
        if (atomic_load(&group_types[group]) == 0)
            continue;
        for (size_t i = 0; i < PLACES; i++) {
            const struct ct_type *type = atomic_load(&places[i]);
            if (type && type_group(type) == group)
                visit(user, type);
        }
    }
}

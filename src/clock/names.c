/* Rows of a CSV -> threads and local times. */
#include "clock/names.h"

#include "base/error.h"
#include "base/portable.h"

#include <inttypes.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

enum { CACHE_SLOTS = 256 };

/* The bytes stand behind the struct in a stored name, elsewhere in a key. */
struct name {
    const char *bytes;
    size_t size;
    uint32_t thread;
};

struct names {
    struct threads *threads;
    void *tree; /* of struct name */
    struct name *cache[CACHE_SLOTS];
};

csy_status names_new(struct threads *threads, struct names **out, csy_error *error)
{
    struct names *names = calloc(1, sizeof *names);
    if (!names)
        return error_memory(error);
    names->threads = threads;
    *out = names;
    return CSY_OK;
}

void names_free(struct names *names)
{
    if (!names)
        return;
    portable_tdestroy(names->tree, free);
    free(names);
}

static int compare_names(const void *a, const void *b)
{
    const struct name *x = a, *y = b;
    if (x->size != y->size)
        return x->size < y->size ? -1 : 1;
    return memcmp(x->bytes, y->bytes, x->size);
}

/* A new name, in the tree. */
static csy_status name_add(struct names *names, const struct name *key, uint64_t position,
                           struct name **out, csy_error *error)
{
    struct thread thread = {.kind = CSY_KIND_SPE,
                            .context = CSY_NO_CONTEXT,
                            .spe = CSY_NO_SPE,
                            .split_from = NO_THREAD,
                            .first_record = position,
                            .name = strndup(key->bytes, key->size)};
    struct name *name = malloc(sizeof *name + key->size);
    if (!name || !thread.name) {
        free(name);
        free(thread.name);
        return error_memory(error);
    }
    char *bytes = (char *)(name + 1);
    memcpy(bytes, key->bytes, key->size);
    *name = (struct name){bytes, key->size, NO_THREAD};
    csy_status status = threads_add(names->threads, &thread, &name->thread, error);
    if (status)
        free(thread.name);
    if (!status && !tsearch(name, &names->tree, compare_names))
        status = error_memory(error);
    if (status)
        free(name);
    else
        *out = name;
    return status;
}

/* Where in the cache a name is looked for; an unlucky one only costs a search of the tree. */
static size_t hash(const struct name *name)
{
    uint64_t value = name->size;
    for (size_t i = 0; i < name->size; i++)
        value = (value ^ (unsigned char)name->bytes[i]) * 0x100000001b3u;
    return (size_t)(value ^ value >> 32);
}

static csy_status find_named(struct names *names, const struct csv_row *row, uint64_t position,
                             uint32_t *thread, csy_error *error)
{
    struct name key = {row->thread, row->thread_size, NO_THREAD};
    struct name **slot = &names->cache[hash(&key) % CACHE_SLOTS];
    if (!*slot || compare_names(*slot, &key) != 0) {
        struct name **found = tfind(&key, &names->tree, compare_names);
        csy_status status = CSY_OK;
        if (found)
            *slot = *found;
        else
            status = name_add(names, &key, position, slot, error);
        if (status)
            return status;
    }
    *thread = (*slot)->thread;
    return CSY_OK;
}

static csy_status find_ppe(struct names *names, uint64_t position, uint32_t *thread,
                           csy_error *error)
{
    csy_status status = CSY_OK;
    if (names->threads->ppe == NO_THREAD) {
        struct thread ppe = {.kind = CSY_KIND_PPE,
                             .context = CSY_NO_CONTEXT,
                             .spe = CSY_NO_SPE,
                             .split_from = NO_THREAD,
                             .first_record = position};
        status = threads_add(names->threads, &ppe, thread, error);
    }
    *thread = names->threads->ppe;
    return status;
}

csy_status names_push(struct names *names, const struct csv_row *row, uint64_t position,
                      const char *file, uint32_t *thread, csy_error *error)
{
    bool called_ppe = row->thread_size == 3 && memcmp(row->thread, "ppe", 3) == 0;
    if (called_ppe && row->core == CSV_CORE_SPE)
        return error_set(error, CSY_INPUT,
                         "%s: line %" PRIu64 ": thread ppe with core spe: the name is the PPE's",
                         file, row->line);
    bool ppe = row->core == CSV_CORE_PPE || (called_ppe && row->core == CSV_CORE_NONE);
    csy_status status = ppe ? find_ppe(names, position, thread, error)
                            : find_named(names, row, position, thread, error);
    if (!status)
        threads_note(names->threads, *thread, position, row->time_ticks);
    return status;
}

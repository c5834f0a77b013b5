/* Names of threads and clocks of an OTF2 archive. */
#include "trace/otf2/names.h"

#include "base/ascii.h"
#include "base/error.h"
#include "base/texts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SUFFIX_MAX = 40 };

/* --- Names ---------------------------------------------------------------------------------- */

/* Something that needs a name of its own. */
struct named {
    const char *name, *kind;
    uint64_t id;
    csy_text text;
    uint32_t number; /* of its name among all */
};

/* The name, with the number of what has it where several have one, or all are to have it. */
static csy_status spell(struct otf2_archive *a, struct named *item, bool numbered, csy_error *error)
{
    const csy_text name = otf2_trim(item->name);
    size_t size = name.size;
    char *text = otf2_own(a, size + SUFFIX_MAX);
    if (!text)
        return error_memory(error);
    memcpy(text, name.bytes, size);
    if (numbered || size == 0)
        size += (size_t)snprintf(text + size, SUFFIX_MAX, "%s[%s %" PRIu64 "]", size ? " " : "",
                                 item->kind, item->id);
    item->text = (csy_text){text, size};
    return CSY_OK;
}

/* Number the names, equal ones alike; *same: how many have one that another has. */
static csy_status number_names(struct named *items, size_t n, bool *has_twin, size_t *same,
                               csy_error *error)
{
    struct texts texts = {0};
    bool added, good = true;
    memset(has_twin, 0, n * sizeof *has_twin);
    *same = 0;
    for (size_t i = 0; i < n && good; i++) {
        good =
            texts_find(&texts, items[i].text.bytes, items[i].text.size, &items[i].number, &added);
        if (good && !added) {
            has_twin[items[i].number] = true;
            ++*same;
        }
    }
    texts_fini(&texts);
    return good ? CSY_OK : error_memory(error);
}

/* Names that are alike get numbers; all of them where that makes others alike. */
static csy_status name_all(struct otf2_archive *a, struct named *items, size_t n, csy_error *error)
{
    bool *has_twin = malloc(n + 1);
    size_t same = 0;
    csy_status status = has_twin ? CSY_OK : error_memory(error);
    for (size_t i = 0; i < n && !status; i++)
        status = spell(a, &items[i], false, error);
    if (!status)
        status = number_names(items, n, has_twin, &same, error);
    for (size_t i = 0; i < n && !status && same > 0; i++)
        if (has_twin[items[i].number])
            status = spell(a, &items[i], true, error);
    if (!status && same > 0)
        status = number_names(items, n, has_twin, &same, error);
    for (size_t i = 0; i < n && !status && same > 0; i++)
        status = spell(a, &items[i], true, error);
    free(has_twin);
    return status;
}

static char *join_names(struct otf2_archive *a, const char *one, const char *other)
{
    size_t size = strlen(one) + strlen(other) + 2;
    char *text = otf2_own(a, size);
    if (text)
        snprintf(text, size, "%s:%s", one, other);
    return text;
}

/* By their own names where these differ, else by those of their processes, too. */
csy_status otf2_name_threads(struct otf2_archive *a, csy_error *error)
{
    size_t n = a->nlocations, same = 0;
    bool *has_twin = malloc(n + 1);
    struct named *items = calloc(n + 1, sizeof *items);
    csy_status status = has_twin && items ? CSY_OK : error_memory(error);
    for (size_t i = 0; i < n && !status; i++) {
        items[i] = (struct named){
            otf2_string(a, a->locations[i].name), "location", a->locations[i].id, {NULL, 0}, 0};
        status = spell(a, &items[i], false, error);
    }
    if (!status)
        status = number_names(items, n, has_twin, &same, error);
    for (size_t i = 0; i < n && !status && same > 0; i++) {
        const struct otf2_process *process = id_map_find(&a->processes, a->locations[i].process);
        if (process)
            items[i].name = join_names(a, otf2_string(a, process->name), items[i].name);
        if (!items[i].name)
            status = error_memory(error);
    }
    free(has_twin);
    if (!status)
        status = name_all(a, items, n, error);
    for (size_t i = 0; i < n && !status; i++)
        a->locations[i].thread = items[i].text;
    free(items);
    return status;
}

/* --- Clocks --------------------------------------------------------------------------------- */

/* The node that a process runs on: the nearest one of that class; or NULL. */
static struct otf2_node *node_of(const struct otf2_archive *a, const struct otf2_process *process)
{
    struct otf2_node *node = id_map_find(&a->nodes, process->parent);
    for (size_t steps = 0; node && steps < 64; steps++) {
        if (ascii_same(otf2_string(a, node->kind), "node", sizeof "node"))
            return node;
        node = id_map_find(&a->nodes, node->parent);
    }
    return NULL;
}

static void note_first(struct otf2_node *node, const struct otf2_process *process)
{
    if (node && (!node->first || process->id < node->first->id))
        node->first = process;
}

/* What accelerators need. */
static void find_first(struct otf2_archive *a)
{
    for (size_t i = 0; i < a->nlocations; i++) {
        const struct otf2_process *process = id_map_find(&a->processes, a->locations[i].process);
        if (!process || process->accelerator)
            continue;
        note_first(id_map_find(&a->nodes, process->parent), process);
        note_first(node_of(a, process), process);
    }
}

/* An accelerator is stamped by the process that made it, or by the first one beside it, or on its
 * node. */
static const struct otf2_process *stamper_of(const struct otf2_archive *a,
                                             const struct otf2_process *process)
{
    const struct otf2_process *creator = id_map_find(&a->processes, process->creator);
    if (!process->accelerator)
        return process;
    if (creator && !creator->accelerator)
        return creator;
    const struct otf2_node *parent = id_map_find(&a->nodes, process->parent),
                           *node = node_of(a, process);
    return parent && parent->first ? parent->first : node && node->first ? node->first : process;
}

static struct named clock_of(const struct otf2_archive *a, const struct otf2_location *location,
                             csy_clock_per per)
{
    struct named own_clock = {
        otf2_string(a, location->name), "location", location->id, {NULL, 0}, 0};
    const struct otf2_process *process = id_map_find(&a->processes, location->process);
    if (!process || per == CSY_CLOCK_PER_LOCATION)
        return own_clock;
    process = stamper_of(a, process);
    const struct otf2_node *node = per == CSY_CLOCK_PER_NODE ? node_of(a, process) : NULL;
    if (node)
        return (struct named){otf2_string(a, node->name), "node", node->id, {NULL, 0}, 0};
    return (struct named){otf2_string(a, process->name), "process", process->id, {NULL, 0}, 0};
}

/* What a location uses: a clock, a node. */
struct use {
    struct named used;
    size_t location;
};

static int compare_uses(const void *a, const void *b)
{
    const struct use *x = a, *y = b;
    int kinds = strcmp(x->used.kind, y->used.kind);
    if (kinds != 0)
        return kinds;
    return (x->used.id > y->used.id) - (x->used.id < y->used.id);
}

/* Sort them by what they use, and give each of these its name, of *count. */
static csy_status name_uses(struct otf2_archive *a, struct use *uses, size_t n, size_t *count,
                            csy_error *error)
{
    struct named *items = calloc(n + 1, sizeof *items);
    csy_status status = items ? CSY_OK : error_memory(error);
    *count = 0;
    if (n > 1)
        qsort(uses, n, sizeof *uses, compare_uses);
    for (size_t i = 0; i < n && !status; i++)
        if (i == 0 || compare_uses(&uses[i - 1], &uses[i]) != 0)
            items[(*count)++] = uses[i].used;
    if (!status)
        status = name_all(a, items, *count, error);
    for (size_t i = 0, item = 0; i < n && !status; i++) {
        struct use *before = i > 0 ? &uses[i - 1] : NULL;
        item += before && compare_uses(before, &uses[i]) != 0;
        uses[i].used.text = items[item].text;
    }
    free(items);
    return status;
}

csy_status otf2_name_clocks(struct otf2_archive *a, csy_clock_per per, csy_error *error)
{
    size_t n = a->nlocations;
    struct use *uses = calloc(n + 1, sizeof *uses);
    csy_status status = uses ? CSY_OK : error_memory(error);
    find_first(a);
    for (size_t i = 0; i < n && !status; i++)
        uses[i] = (struct use){clock_of(a, &a->locations[i], per), i};
    if (!status)
        status = name_uses(a, uses, n, &a->nclocks, error);
    for (size_t i = 0; i < n && !status; i++)
        a->locations[uses[i].location].clock = uses[i].used.text;
    free(uses);
    return status;
}

csy_status otf2_name_nodes(struct otf2_archive *a, csy_error *error)
{
    size_t n = 0;
    struct use *uses = calloc(a->nlocations + 1, sizeof *uses);
    csy_status status = uses ? CSY_OK : error_memory(error);
    for (size_t i = 0; i < a->nlocations && !status; i++) {
        const struct otf2_process *process = id_map_find(&a->processes, a->locations[i].process);
        const struct otf2_node *node = process ? node_of(a, process) : NULL;
        if (node)
            uses[n++] =
                (struct use){{otf2_string(a, node->name), "node", node->id, {NULL, 0}, 0}, i};
    }
    if (!status)
        status = name_uses(a, uses, n, &a->nhosts, error);
    for (size_t i = 0; i < n && !status; i++)
        a->locations[uses[i].location].node = uses[i].used.text;
    free(uses);
    return status;
}

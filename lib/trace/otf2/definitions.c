/* Reads the definitions of an OTF2 archive, and derives names and ranks from these definitions. */
#include "base/array.h"
#include "base/ascii.h"
#include "base/error.h"
#include "base/sort.h"
#include "base/texts.h"
#include "trace/otf2/archive.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SUFFIX_MAX = 40, LABEL_MAX = 96 };

/* --- Names of threads, clocks, and nodes ----------------------------------------------------- */

/* A thread, clock, or node that gets a unique name among the items of its kind. */
struct named {
    const char *name, *kind;
    uint64_t id;
    csy_text text;
    uint32_t number; /* number of the text; equal texts have equal numbers */
};

/* Set the text of an item to its name. If `numbered` is true or the name is empty, append the id of
 * the item to the text. */
static csy_status spell(struct otf2_archive *a, struct named *item, bool numbered, csy_error *error)
{
    const csy_text name = ascii_trim(item->name);
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

/* Number the texts of all items, so that equal texts have equal numbers. has_twin[number] becomes
 * true if several items have this text. *same is the number of items whose text an earlier item
 * has. */
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

/* Name all items. Append ids to equal names. If names are still equal, append ids to all names. */
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

/* Name the threads of all locations. If two locations have the same name, put the name of the
 * process before the name of every thread. */
static csy_status otf2_name_threads(struct otf2_archive *a, csy_error *error)
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
        if (!process)
            continue;
        const char *group = otf2_string(a, process->name);
        size_t size = strlen(group) + strlen(items[i].name) + 2;
        char *text = otf2_own(a, size);
        if (text)
            snprintf(text, size, "%s:%s", group, items[i].name);
        items[i].name = text;
        status = text ? CSY_OK : error_memory(error);
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

/* Returns the nearest ancestor of a process with the class "node" in the system tree, or NULL. */
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

/* Returns the process whose clock gives the timestamps of a process. An accelerator uses the clock
 * of its creator, otherwise of the first process with the same parent or on the same node. */
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

/* A location, and the clock or node that the location uses. */
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
    return COMPARE(x->used.id, y->used.id);
}

/* Sort the uses by clock or node, and give each clock or node a unique name. *count is the number
 * of different clocks or nodes. */
static csy_status name_uses(struct otf2_archive *a, struct use *uses, size_t n, size_t *count,
                            csy_error *error)
{
    struct named *items = calloc(n + 1, sizeof *items);
    csy_status status = items ? CSY_OK : error_memory(error);
    *count = 0;
    SORT(uses, n, compare_uses);
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

static csy_status otf2_name_nodes(struct otf2_archive *a, csy_error *error)
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

/* --- Records ------------------------------------------------------------------------------- */

struct otf2_group {
    OTF2_GroupType type;
    uint64_t *members;
    size_t n;
};

struct reading {
    struct otf2_archive *archive;
    bool failed; /* true if memory ran out */
};

/* Returns the value of an id in a map. If the id is new, `size` zeroed bytes are added. Returns
 * NULL if memory runs out. */
static void *entry(struct reading *r, struct id_map *map, uint32_t id, size_t size)
{
    void **place = id_map_place(map, id);
    if (place && !*place)
        *place = otf2_own(r->archive, size);
    r->failed |= !place || !*place;
    return place ? *place : NULL;
}

#define GO_ON(r) ((r)->failed ? OTF2_CALLBACK_ERROR : OTF2_CALLBACK_SUCCESS)

static OTF2_CallbackCode on_clock(void *user, uint64_t resolution, uint64_t offset, uint64_t length,
                                  uint64_t date)
{
    struct reading *r = user;
    (void)date;
    r->archive->resolution_hz = resolution;
    r->archive->offset_ticks = offset;
    r->archive->length_ticks = length;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_string(void *user, OTF2_StringRef self, const char *text)
{
    struct reading *r = user;
    size_t size = strlen(text) + 1;
    char *copy = otf2_own(r->archive, size);
    void **place = id_map_place(&r->archive->strings, self);
    r->failed |= !copy || !place;
    if (copy && place)
        *place = memcpy(copy, text, size);
    return GO_ON(r);
}

static OTF2_CallbackCode on_node(void *user, OTF2_SystemTreeNodeRef self, OTF2_StringRef name,
                                 OTF2_StringRef kind, OTF2_SystemTreeNodeRef parent)
{
    struct reading *r = user;
    struct otf2_node *node = entry(r, &r->archive->nodes, self, sizeof *node);
    if (node)
        *node = (struct otf2_node){self, name, kind, parent, NULL};
    return GO_ON(r);
}

static OTF2_CallbackCode on_process(void *user, OTF2_LocationGroupRef self, OTF2_StringRef name,
                                    OTF2_LocationGroupType type, OTF2_SystemTreeNodeRef parent,
                                    OTF2_LocationGroupRef creator)
{
    struct reading *r = user;
    struct otf2_process *process = entry(r, &r->archive->processes, self, sizeof *process);
    if (process)
        *process = (struct otf2_process){self, name, parent, creator,
                                         type == OTF2_LOCATION_GROUP_TYPE_ACCELERATOR};
    return GO_ON(r);
}

static OTF2_CallbackCode on_location(void *user, OTF2_LocationRef self, OTF2_StringRef name,
                                     OTF2_LocationType type, uint64_t events,
                                     OTF2_LocationGroupRef process)
{
    struct reading *r = user;
    struct otf2_archive *a = r->archive;
    (void)type, (void)events;
    r->failed |=
        !ARRAY_PUSH(a->locations, a->nlocations, a->locations_capacity,
                    (struct otf2_location){
                        .id = self, .number = a->nlocations, .name = name, .process = process});
    return GO_ON(r);
}

static OTF2_CallbackCode on_region(void *user, OTF2_RegionRef self, OTF2_StringRef name,
                                   OTF2_StringRef canonical, OTF2_StringRef description,
                                   OTF2_RegionRole role, OTF2_Paradigm paradigm,
                                   OTF2_RegionFlag flags, OTF2_StringRef file, uint32_t begin,
                                   uint32_t end)
{
    struct reading *r = user;
    (void)canonical, (void)description, (void)role, (void)paradigm, (void)flags, (void)file;
    (void)begin, (void)end;
    uint32_t *region = entry(r, &r->archive->regions, self, sizeof *region);
    if (region)
        *region = name;
    return GO_ON(r);
}

static OTF2_CallbackCode on_group(void *user, OTF2_GroupRef self, OTF2_StringRef name,
                                  OTF2_GroupType type, OTF2_Paradigm paradigm, OTF2_GroupFlag flags,
                                  uint32_t n, const uint64_t *members)
{
    struct reading *r = user;
    struct otf2_archive *a = r->archive;
    (void)name, (void)flags;
    if (paradigm != OTF2_PARADIGM_MPI)
        return OTF2_CALLBACK_SUCCESS;
    struct otf2_group *group = otf2_own(a, sizeof *group);
    void **place = id_map_place(&a->groups, self);
    uint64_t *copy = otf2_own(a, n * sizeof *copy);
    r->failed |= !group || !place || !copy;
    if (r->failed)
        return OTF2_CALLBACK_ERROR;
    if (n > 0)
        memcpy(copy, members, n * sizeof *copy);
    *group = (struct otf2_group){type, copy, n};
    *place = group;
    if (type == OTF2_GROUP_TYPE_COMM_LOCATIONS)
        a->world = group;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_comm(void *user, OTF2_CommRef self, OTF2_StringRef name,
                                 OTF2_GroupRef group, OTF2_CommRef parent, OTF2_CommFlag flags)
{
    struct reading *r = user;
    (void)parent, (void)flags;
    struct otf2_comm *comm = entry(r, &r->archive->comms, self, sizeof *comm);
    if (comm)
        *comm = (struct otf2_comm){.id = self, .name = name, .group = group};
    return GO_ON(r);
}

static OTF2_CallbackCode on_intercomm(void *user, OTF2_CommRef self, OTF2_StringRef name,
                                      OTF2_GroupRef one, OTF2_GroupRef other, OTF2_CommRef common,
                                      OTF2_CommFlag flags)
{
    struct reading *r = user;
    (void)self, (void)name, (void)one, (void)other, (void)common, (void)flags;
    r->archive->nintercomms++;
    return OTF2_CALLBACK_SUCCESS;
}

/* Check the file of global definitions, and let libotf2 read it. */
static csy_status read_definitions(struct reading *r, OTF2_Reader *reader, const char *name,
                                   csy_error *error)
{
    char text[OTF2_SAID_MAX], *path;
    struct otf2_checked checked;
    if (asprintf(&path, "%s.def", r->archive->folder) < 0)
        return error_memory(error);
    OTF2_ErrorCode code = otf2_check_definitions(reader, path, OTF2_GLOBAL_DEFINITIONS, &checked);
    if (code == OTF2_SUCCESS) {
        uint64_t read = 0;
        OTF2_GlobalDefReader *definitions = OTF2_Reader_GetGlobalDefReader(reader);
        OTF2_GlobalDefReaderCallbacks *calls = OTF2_GlobalDefReaderCallbacks_New();
        code = definitions && calls ? OTF2_SUCCESS : OTF2_ERROR_INVALID_DATA;
        if (code == OTF2_SUCCESS) {
            OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(calls, on_clock);
            OTF2_GlobalDefReaderCallbacks_SetStringCallback(calls, on_string);
            OTF2_GlobalDefReaderCallbacks_SetSystemTreeNodeCallback(calls, on_node);
            OTF2_GlobalDefReaderCallbacks_SetLocationGroupCallback(calls, on_process);
            OTF2_GlobalDefReaderCallbacks_SetLocationCallback(calls, on_location);
            OTF2_GlobalDefReaderCallbacks_SetRegionCallback(calls, on_region);
            OTF2_GlobalDefReaderCallbacks_SetGroupCallback(calls, on_group);
            OTF2_GlobalDefReaderCallbacks_SetCommCallback(calls, on_comm);
            OTF2_GlobalDefReaderCallbacks_SetInterCommCallback(calls, on_intercomm);
            code = OTF2_Reader_RegisterGlobalDefCallbacks(reader, definitions, calls, r);
        }
        if (code == OTF2_SUCCESS)
            code = OTF2_Reader_ReadAllGlobalDefinitions(reader, definitions, &read);
        if (calls)
            OTF2_GlobalDefReaderCallbacks_Delete(calls);
        if (definitions)
            OTF2_Reader_CloseGlobalDefReader(reader, definitions);
        code = otf2_confirm(path, &checked, code);
    }
    free(path);
    if (r->failed || code == OTF2_ERROR_MEM_ALLOC_FAILED)
        return error_memory(error);
    return code == OTF2_SUCCESS ? CSY_OK
                                : error_set(error, CSY_INPUT,
                                            "%s: the definitions of the archive cannot be read: %s",
                                            name, otf2_said(code, text));
}

/* --- Communicators -------------------------------------------------------------------------- */

static int compare_members(const void *a, const void *b)
{
    const struct otf2_member *x = a, *y = b;
    return COMPARE_THEN(x->process, y->process, COMPARE(x->rank, y->rank));
}

/* Find the members of a communicator. Unless its group lists locations, the members of the group
 * are indexes into a->world, the group of all MPI ranks. */
static csy_status find_members(struct otf2_archive *a, struct otf2_comm *comm, csy_error *error)
{
    const struct otf2_group *group = id_map_find(&a->groups, comm->group);
    if (!group || group->type == OTF2_GROUP_TYPE_COMM_SELF)
        return CSY_OK;
    bool listed = group->type == OTF2_GROUP_TYPE_COMM_LOCATIONS;
    const struct otf2_group *world = a->world;
    comm->members = otf2_own(a, group->n * sizeof *comm->members);
    comm->world_ranks = otf2_own(a, group->n * sizeof *comm->world_ranks);
    if (!comm->members || !comm->world_ranks)
        return error_memory(error);
    for (size_t rank = 0; rank < group->n; rank++) {
        uint64_t id = group->members[rank];
        uint64_t known = !listed ? id : group == world ? rank : OTF2_NO_RANK;
        comm->world_ranks[rank] = known < OTF2_NO_RANK ? (uint32_t)known : OTF2_NO_RANK;
        if (!listed && (!world || id >= world->n))
            continue;
        id = listed ? id : world->members[id];
        size_t low = 0, high = a->nlocations;
        BISECT(low, high, middle, a->locations[middle].id < id);
        if (low < a->nlocations && a->locations[low].id == id)
            comm->members[comm->nmembers++] =
                (struct otf2_member){a->locations[low].process, (uint32_t)rank, id};
    }
    SORT(comm->members, comm->nmembers, compare_members);
    comm->usable = true;
    comm->size = group->n;
    return CSY_OK;
}

/* Make the label of a communicator from its name. Blanks and slashes are replaced, because they
 * separate the parts of channel names. */
static csy_status label_comm(struct otf2_archive *a, struct otf2_comm *comm, bool numbered,
                             csy_error *error)
{
    char *text = otf2_own(a, LABEL_MAX);
    if (!text)
        return error_memory(error);
    size_t size = (size_t)snprintf(text, LABEL_MAX - SUFFIX_MAX, "%s", otf2_string(a, comm->name));
    size = size < LABEL_MAX - SUFFIX_MAX ? size : LABEL_MAX - SUFFIX_MAX - 1;
    for (size_t i = 0; i < size; i++)
        if ((unsigned char)text[i] <= ' ' || text[i] == '/')
            text[i] = '_';
    if (numbered || size == 0)
        size += (size_t)snprintf(text + size, SUFFIX_MAX, "#%" PRIu32, comm->id);
    comm->label = (csy_text){text, size};
    return CSY_OK;
}

struct labels {
    struct texts texts;
    bool numbered; /* true if all labels contain the id */
    bool twins;    /* true if two labels are equal */
};

/* Find the members of a communicator, and label it. The label contains the id if an earlier
 * communicator has the same name. */
static csy_status set_up_comm(struct otf2_archive *a, struct otf2_comm *comm, struct labels *labels,
                              csy_error *error)
{
    uint32_t number;
    bool added = false;
    csy_status status = labels->numbered ? CSY_OK : find_members(a, comm, error);
    if (!status)
        status = label_comm(a, comm, labels->numbered, error);
    for (int tries = 0; tries < 2 && !status && !added; tries++) {
        if (tries > 0)
            status = label_comm(a, comm, true, error);
        if (!status &&
            !texts_find(&labels->texts, comm->label.bytes, comm->label.size, &number, &added))
            status = error_memory(error);
    }
    labels->twins |= !status && !added;
    return status;
}

/* Set up the communicators below a node of the map. The recursion has few levels.
 * NOLINTNEXTLINE(misc-no-recursion) */
static csy_status set_up_comms(struct otf2_archive *a, void **node, unsigned level,
                               struct labels *labels, csy_error *error)
{
    csy_status status = CSY_OK;
    for (unsigned i = 0; node && i < ID_MAP_FAN && !status; i++)
        if (node[i])
            status = level + 1 == ID_MAP_LEVELS
                         ? set_up_comm(a, node[i], labels, error)
                         : set_up_comms(a, node[i], level + 1, labels, error);
    return status;
}

/* --- The archive ---------------------------------------------------------------------------- */

static int compare_locations(const void *a, const void *b)
{
    const struct otf2_location *x = a, *y = b;
    return COMPARE_THEN(x->id, y->id, COMPARE(x->number, y->number));
}

csy_status otf2_archive_read(OTF2_Reader *reader, const char *name, csy_clock_per per,
                             struct otf2_archive **out, csy_error *error)
{
    struct otf2_archive *a = calloc(1, sizeof *a);
    if (!a)
        return error_memory(error);
    struct reading r = {.archive = a};
    size_t name_size = strlen(name), suffix_size = strlen(".otf2");
    char *anchor = otf2_own(a, name_size + 1);
    a->clock_per = per;
    a->folder = strdup(name);
    csy_status status = a->folder && anchor ? CSY_OK : error_memory(error);
    if (!status) {
        a->anchor = memcpy(anchor, name, name_size + 1);
        if (name_size > suffix_size && strcmp(name + name_size - suffix_size, ".otf2") == 0)
            a->folder[name_size - suffix_size] = 0; /* the folder of x/traces.otf2 is x/traces */
        status = read_definitions(&r, reader, name, error);
    }
    if (!status && (a->resolution_hz == 0 || a->resolution_hz > INT64_MAX))
        status = error_set(error, CSY_INPUT,
                           "%s: the clocks of the archive have %" PRIu64
                           " ticks per second, expected 1 to 2^63 - 1",
                           name, a->resolution_hz);
    if (!status && a->nlocations == 0)
        status = error_set(error, CSY_INPUT, "%s: the archive has no locations", name);
    if (!status) {
        size_t kept = 0;
        SORT(a->locations, a->nlocations, compare_locations);
        for (size_t i = 0; i < a->nlocations; i++)
            if (i + 1 == a->nlocations || a->locations[i + 1].id != a->locations[i].id)
                a->locations[kept++] = a->locations[i];
        a->nlocations = kept;
        status = otf2_name_threads(a, error);
        if (!status) {
            size_t n = a->nlocations;
            struct use *uses = calloc(n + 1, sizeof *uses);
            status = uses ? CSY_OK : error_memory(error);
            for (size_t i = 0; i < a->nlocations; i++) {
                const struct otf2_process *process =
                    id_map_find(&a->processes, a->locations[i].process);
                if (!process || process->accelerator)
                    continue;
                note_first(id_map_find(&a->nodes, process->parent), process);
                note_first(node_of(a, process), process);
            }
            for (size_t i = 0; i < n && !status; i++) {
                const struct otf2_process *process =
                    id_map_find(&a->processes, a->locations[i].process);
                uses[i] = (struct use){clock_of(a, &a->locations[i], per), i};
                a->nconverted += process && process->accelerator && per != CSY_CLOCK_PER_LOCATION &&
                                 stamper_of(a, process) != process;
            }
            if (!status)
                status = name_uses(a, uses, n, &a->nclocks, error);
            for (size_t i = 0; i < n && !status; i++)
                a->locations[uses[i].location].clock = uses[i].used.text;
            free(uses);
        }
        if (!status)
            status = otf2_name_nodes(a, error);
        struct labels labels = {0};
        if (!status)
            status = set_up_comms(a, a->comms.root, 0, &labels, error);
        texts_fini(&labels.texts);
        if (!status && labels.twins) {
            labels = (struct labels){.numbered = true};
            status = set_up_comms(a, a->comms.root, 0, &labels, error);
            texts_fini(&labels.texts);
        }
    }
    if (status)
        otf2_archive_free(a);
    else
        *out = a;
    return status;
}

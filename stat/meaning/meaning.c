/* Reads rules, which state the meanings of events, from documents, and adds a built-in document.
 * Together, they are a csy_meaning. */
#include "meaning/rules.h"

#include "base/array.h"
#include "base/error.h"
#include "base/near.h"
#include "base/sort.h"
#include "trace/pex/document.h"

#include <fcntl.h>
#include <fnmatch.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *const role_words[ROLES + 1] = {
    "",         "none",  "mark",       "enter",     "exit",          "call",
    "wait",     "state", "counter",    "send",      "recv",          "collective",
    "transfer", "loop",  "loop-enter", "loop-exit", "acquire",       "release",
    "barrier",  "post",  "clear",      "create",    "start",         "stop",
    "delete",   "queue", "resume",     "suspend",   "profile-start", "profile-stop",
    NULL};

const char *const field_words[FIELD_ROLES + 1] = {
    "",           "routine",     "caller",  "partner",   "bytes",       "count", "tag",
    "comm",       "root",        "object",  "task",      "value",       "state", "spe",
    "datatype",   "thread",      "user_ns", "system_ns", "runnable_ns", "cpu",   "cpu_ns",
    "running_ns", "page_faults", "key",     NULL};

const char *const state_words[STATES + 1] = {"user",    "system", "overhead", "switch", "ready",
                                             "blocked", "idle",   "absent",   NULL};

size_t word_find(const char *const *words, const char *text)
{
    size_t i = 0;
    while (words[i] && !(text && strcmp(words[i], text) == 0))
        i++;
    return i;
}

size_t name_stem(const char *name, size_t size, bool *ends)
{
    static const char *const suffixes[] = {"_ENTRY", "_ENTER", "_BEGIN", "_EXIT", "_LEAVE", "_END"};
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        size_t n = strlen(suffixes[i]);
        if (size <= n || memcmp(name + size - n, suffixes[i], n) != 0)
            continue;
        if (ends)
            *ends = i >= 3;
        return size - n;
    }
    return size;
}

/* Store the error of an attribute in *fault, unless an earlier error is stored there. */
static void refuse(struct rules_fault *fault, const struct element *element, const char *attribute,
                   const char *value, const char *const *words, const char *want)
{
    char escaped[ERROR_ESCAPED_MAX];
    if (fault->text[0])
        return;
    const char *nearest = words ? near_word(value, words) : NULL;
    error_escape(escaped, value, strlen(value));
    fault->line = element->line;
    if (nearest && nearest[0])
        snprintf(fault->text, sizeof fault->text, "%s %s=\"%s\": unknown value; did you mean '%s'?",
                 element->text, attribute, escaped, nearest);
    else
        snprintf(fault->text, sizeof fault->text, "%s %s=\"%s\": %s", element->text, attribute,
                 escaped, want);
}

/* Returns the index of an attribute's value in `words`, or the number of words if it is absent. */
static size_t read_word(const struct element *element, const char *attribute,
                        const char *const *words, const char *want, struct rules_fault *fault)
{
    const char *text = element_text(element, attribute);
    size_t found = word_find(words, text && *text ? text : NULL);
    if (text && *text && !words[found])
        refuse(fault, element, attribute, text, words, want);
    return found;
}

static char *read_text(const struct element *element, const char *attribute,
                       struct rules_fault *fault)
{
    const char *text = element_text(element, attribute);
    char *copy = text && *text ? strdup(text) : NULL;
    fault->no_memory |= text && *text && !copy;
    return copy;
}

void rules_add_type(struct rules *rules, const struct element *type, uint32_t id,
                    struct rules_fault *fault)
{
    /* Documents for celltrace give events a class. These classes also set the role of the
     * events. */
    static const struct {
        const char *class;
        enum role role;
    } kinds[] = {{"mark", ROLE_MARK},   {"entry", ROLE_ENTER},    {"exit", ROLE_EXIT},
                 {"send", ROLE_SEND},   {"recv", ROLE_RECV},      {"wait", ROLE_WAIT},
                 {"state", ROLE_STATE}, {"counter", ROLE_COUNTER}};
    uint64_t number;
    fault->no_memory |= !ARRAY_RESERVE(rules->items, rules->capacity, rules->count + 1);
    if (fault->no_memory)
        return;
    struct rule *rule = &rules->items[rules->count++];
    *rule = (struct rule){.id = id, .line = type->line};
    if (id == RULE_NO_ID) {
        const char *said = element_text(type, "id");
        if (said && element_number(type, "id", &number) && number <= UINT16_MAX)
            rule->id = (uint32_t)number;
        else if (said)
            refuse(fault, type, "id", said, NULL, "expected a number of at most 16 bits");
        else
            rule->name = read_text(type, "name", fault);
        rule->wild = rule->name && strpbrk(rule->name, "*?[\\");
        if (!said && !rule->name)
            refuse(fault, type, "name", "", NULL, "expected a name or an id");
        if (rule->wild && ++rules->npatterns == RULES_PATTERNS_MAX + 1)
            refuse(fault, type, "name", rule->name, NULL,
                   "a document can have at most 1000 names with *, ?, [, or \\");
    }
    size_t role =
        read_word(type, "role", role_words, "expected a role of cellsync-events(5)", fault);
    rule->role = role == ROLES ? ROLE_UNSAID : (enum role)role;
    rule->stall = element_says(type, "stall", "yes");
    rule->active = element_says(type, "stall", "no");
    rule->call = element_says(type, "call", "yes");
    rule->class = read_text(type, "class", fault);
    rule->state = read_text(type, "state", fault);
    rule->routine = read_text(type, "routine", fault);
    rule->block = read_text(type, "block", fault);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (rule->role == ROLE_UNSAID && rule->class && strcmp(rule->class, kinds[i].class) == 0) {
            rule->role = kinds[i].role;
            free(rule->class);
            rule->class = NULL;
        }
}

void rules_name_type(struct rules *rules, const char *name, struct rules_fault *fault)
{
    if (fault->no_memory)
        return;
    struct rule *rule = &rules->items[rules->count - 1];
    char *copy = strdup(name);
    fault->no_memory = !copy;
    if (!copy)
        return;
    free(rule->name);
    rule->name = copy;
    rule->wild = false;
    rule->id = RULE_NO_ID;
}

void rules_add_field(struct rules *rules, const struct element *field, uint32_t place,
                     struct rules_fault *fault)
{
    static const char *const ofs[] = {"ctx", "rank", "tid", NULL};
    uint64_t bytes;
    if (fault->no_memory)
        return;
    struct rule *rule = &rules->items[rules->count - 1];
    fault->no_memory |= !ARRAY_RESERVE(rule->fields, rule->fields_capacity, rule->nfields + 1);
    if (fault->no_memory)
        return;
    struct field_rule *out = &rule->fields[rule->nfields++];
    *out = (struct field_rule){.place = place};
    if (place == RULE_NO_PLACE) {
        out->name = read_text(field, "name", fault);
        if (!out->name)
            refuse(fault, field, "name", "", NULL, "expected the name of a field");
    }
    size_t role =
        read_word(field, "role", field_words, "expected a role of cellsync-events(5)", fault);
    out->role = role == FIELD_ROLES ? FIELD_UNSAID : (enum field_role)role;
    size_t of = read_word(field, "of", ofs, "expected ctx, rank, or tid", fault);
    out->of = ofs[of] ? (enum field_of)(OF_CONTEXT + of) : OF_UNSAID;
    const char *unit = element_text(field, "unit");
    if (unit && element_number(field, "unit", &bytes) && bytes > 0)
        out->unit = bytes;
    else if (unit)
        refuse(fault, field, "unit", unit, NULL, "expected a number of bytes above 0");
}

void rules_add_state(struct rules *rules, const struct element *state, struct rules_fault *fault)
{
    static const char *const kinds[] = {"active", "ready", "blocked", "idle", "absent", NULL};
    static const enum state states[] = {STATE_USER, STATE_READY,  STATE_BLOCKED,
                                        STATE_IDLE, STATE_ABSENT, STATE_USER};
    static const char *const parts[] = {"user", "system", "overhead", NULL};
    size_t kind =
        read_word(state, "kind", kinds, "expected active, ready, blocked, idle, or absent", fault);
    size_t part = read_word(state, "part", parts, "expected user, system, or overhead", fault);
    fault->no_memory |= !ARRAY_RESERVE(rules->states, rules->states_capacity, rules->nstates + 1);
    if (fault->no_memory)
        return;
    struct named_state *out = &rules->states[rules->nstates];
    *out = (struct named_state){read_text(state, "name", fault), states[kind]};
    if (!out->name) {
        refuse(fault, state, "name", "", NULL, "expected a name");
        return;
    }
    if (rules->nstates == RULES_STATES_MAX) {
        refuse(fault, state, "name", out->name, NULL,
               "a document can have at most 1000 names of states");
        free(out->name);
        return;
    }
    if (states[kind] == STATE_USER && parts[part])
        out->state = (enum state)(STATE_USER + part);
    rules->nstates++;
}

/* Add a symbol from an element with name and at, and possibly size, file, and line. */
static void rules_add_symbol(struct rules *rules, const struct element *symbol,
                             struct rules_fault *fault)
{
    const char *line = element_text(symbol, "line"), *name = element_text(symbol, "name");
    uint64_t at = 0, size = 0, number = 0;
    if (!element_number(symbol, "at", &at))
        refuse(fault, symbol, "at", "", NULL, "expected an address");
    else if (element_text(symbol, "size") && !element_number(symbol, "size", &size))
        refuse(fault, symbol, "size", element_text(symbol, "size"), NULL,
               "expected a number of bytes");
    else if (line && (!element_number(symbol, "line", &number) || number > UINT32_MAX))
        refuse(fault, symbol, "line", line, NULL, "expected a number of at most 32 bits");
    else if (!name || !*name)
        refuse(fault, symbol, "name", "", NULL, "expected a name");
    else
        fault->no_memory |= !symbols_add(&rules->symbols, at, size, name,
                                         element_text(symbol, "file"), (uint32_t)number);
}

static uint64_t read_number(const struct element *element, const char *attribute,
                            struct rules_fault *fault)
{
    uint64_t number;
    const char *text = element_text(element, attribute);
    if (!text)
        return NO_NUMBER;
    if (element_number(element, attribute, &number) && number < UINT32_MAX)
        return number;
    refuse(fault, element, attribute, text, NULL, "expected a number below 2^32 - 1");
    return NO_NUMBER;
}

void rules_add_place(struct rules *rules, const struct element *place, struct rules_fault *fault)
{
    fault->no_memory |= !ARRAY_RESERVE(rules->places, rules->places_capacity, rules->nplaces + 1);
    if (fault->no_memory)
        return;
    struct said_place *out = &rules->places[rules->nplaces];
    *out = (struct said_place){
        .context = read_number(place, "ctx", fault),
        .rank = read_number(place, "rank", fault),
        .tid = read_number(place, "tid", fault),
        .node = read_number(place, "node", fault),
        .cell = read_number(place, "cell", fault),
        .spe = read_number(place, "spe", fault),
    };
    if (out->context == NO_NUMBER && out->rank == NO_NUMBER && out->tid == NO_NUMBER)
        refuse(fault, place, "ctx", "", NULL, "expected a ctx, a rank, or a tid");
    else
        rules->nplaces++;
}

void rules_add_topology(struct rules *rules, const struct element *topology,
                        struct rules_fault *fault)
{
    static const char *const names[] = {"spes_per_cell", "cells_per_node"};
    uint64_t *const numbers[] = {&rules->topology.spes, &rules->topology.cells};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        uint64_t number = read_number(topology, names[i], fault);
        if (number == 0)
            refuse(fault, topology, names[i], "0", NULL, "expected a number above 0");
        else if (number != NO_NUMBER)
            *numbers[i] = number;
    }
}

/* --- Rules for a kind of events --------------------------------------------------------------- */

enum { BY_ID, BY_NAME, BY_PATTERN, WAYS };

static int by_id(const void *a, const void *b)
{
    const struct rule *x = *(const struct rule *const *)a, *y = *(const struct rule *const *)b;
    return 2 * COMPARE(x->id, y->id) + COMPARE(x, y);
}

static int by_name(const void *a, const void *b)
{
    const struct rule *x = *(const struct rule *const *)a, *y = *(const struct rule *const *)b;
    int names = strcmp(x->name, y->name);
    return names != 0 ? names : COMPARE(x, y);
}

bool rules_seal(struct rules *rules)
{
    size_t n[WAYS + 1] = {0}, at = 0;
    const size_t size = sizeof(const struct rule *);
    rules->sorted = malloc((rules->count + 1) * size);
    if (!rules->sorted)
        return false;
    for (int way = 0; way < WAYS; way++)
        for (size_t i = 0; i < rules->count; i++) {
            const struct rule *rule = &rules->items[i];
            int own = rule->id != RULE_NO_ID ? BY_ID
                      : !rule->name          ? WAYS
                      : rule->wild           ? BY_PATTERN
                                             : BY_NAME;
            if (own == way) {
                rules->sorted[at++] = rule;
                n[way]++;
            }
        }
    rules->nids = n[BY_ID];
    rules->nnames = n[BY_NAME];
    rules->npatterns = n[BY_PATTERN];
    qsort(rules->sorted, rules->nids, size, by_id);
    qsort(rules->sorted + rules->nids, rules->nnames, size, by_name);
    return true;
}

/* Returns 0 if a rule applies, less than 0 if it precedes all rules that apply in their list. */
static int compare(const struct rules_found *found, int way, const struct rule *rule)
{
    return way == BY_ID     ? COMPARE(rule->id, found->id)
           : way == BY_NAME ? strcmp(rule->name, found->name)
                            : fnmatch(rule->name, found->name, 0) != 0;
}

struct rules_found rules_find(const struct rules *rules, uint32_t id, const char *name)
{
    struct rules_found found = {.id = id, .name = name};
    const size_t sizes[WAYS] = {rules->nids, rules->nnames, rules->npatterns};
    const struct rule *const *at = rules->sorted;
    for (int way = 0; way < WAYS; way++) {
        size_t low = 0, high = way == BY_PATTERN ? 0 : sizes[way];
        BISECT(low, high, middle, compare(&found, way, at[middle]) < 0);
        found.at[way] = at + low;
        found.end[way] = at + sizes[way];
        at += sizes[way];
    }
    return found;
}

const struct rule *rules_next(struct rules_found *found)
{
    int next = WAYS;
    for (int way = 0; way < WAYS; way++) {
        while (way == BY_PATTERN && found->at[way] < found->end[way] &&
               compare(found, way, *found->at[way]) != 0)
            found->at[way]++;
        if (found->at[way] < found->end[way] && compare(found, way, *found->at[way]) == 0 &&
            (next == WAYS || *found->at[way] < *found->at[next]))
            next = way;
    }
    return next == WAYS ? NULL : *found->at[next]++;
}

void rules_fini(struct rules *rules)
{
    for (size_t i = 0; i < rules->count; i++) {
        struct rule *rule = &rules->items[i];
        for (size_t j = 0; j < rule->nfields; j++)
            free(rule->fields[j].name);
        FREE_ALL(rule->fields, rule->name, rule->class, rule->state, rule->routine, rule->block);
    }
    for (size_t i = 0; i < rules->nstates; i++)
        free(rules->states[i].name);
    symbols_fini(&rules->symbols);
    FREE_ALL(rules->items, rules->sorted, rules->states, rules->name, rules->places);
    *rules = (struct rules){0};
}

/* --- Documents ------------------------------------------------------------------------------- */

/* --- What well-known events mean, unless a document says otherwise -------------------------- */

#define TYPE(name, says) "<recordType name=\"" name "\" " says "/>"
#define TYPE_OF(name, says, fields) "<recordType name=\"" name "\" " says ">" fields "</recordType>"
#define FIELD(name, role) "<field name=\"" name "\" role=\"" role "\"/>"
#define SIZED FIELD("bytes", "bytes") FIELD("tag", "tag")
#define MESSAGE                                                                                    \
    "<field name=\"peer\" role=\"partner\" of=\"rank\"/>"                                          \
    "<field name=\"partner\" role=\"partner\" of=\"rank\"/>" FIELD("tag", "tag")                   \
        FIELD("bytes", "bytes") FIELD("count", "count") FIELD("communicator", "comm")              \
            FIELD("datatype", "datatype")
#define SEND(name) TYPE_OF(name, "role=\"send\" class=\"message\"", MESSAGE)
#define SEND_AT_ONCE(name) TYPE_OF(name, "role=\"send\" class=\"message\" stall=\"no\"", MESSAGE)
#define COLLECTIVE(name)                                                                           \
    TYPE_OF(name, "role=\"collective\" class=\"message\"",                                         \
            FIELD("root", "root") "<field name=\"instance\"/>" FIELD("sent", "bytes")              \
                FIELD("received", "bytes") FIELD("communicator", "comm"))
/* An MPI call during which a process may wait. */
#define WAITS(name) TYPE("MPI_" name, "stall=\"yes\" class=\"message\"")
/* An MPI region during which a process may wait, and its variant for large counts. */
#define BLOCKS(name, class)                                                                        \
    TYPE("MPI_" name, "stall=\"yes\" class=\"" class "\"")                                         \
    TYPE("MPI_" name "_c", "stall=\"yes\" class=\"" class "\"")

/* The lines of the built-in document, as in a file of csy_meaning_add_file. */
static const char *const vocabulary[] = {
    "<events version=\"1\">",
    /* The tracer PDT: DMA transfers (MFC), mailboxes, and calls of libsync and libspe2. */
    TYPE_OF("MFC_GET*", "role=\"transfer\" class=\"dma\"", SIZED),
    TYPE_OF("MFC_PUT*", "role=\"transfer\" class=\"dma\"", SIZED),
    TYPE("MFC_READ_TAG_STATUS*", "role=\"wait\" class=\"dma\""),
    TYPE("SPU_READ_IN_MBOX", "role=\"wait\" class=\"mailbox\" state=\"idle\""),
    TYPE("SPU_WRITE_OUT_MBOX", "role=\"wait\" class=\"mailbox\""),
    TYPE_OF("SPE_OUT_MBOX_READ", "role=\"wait\" class=\"mailbox\"", FIELD("ctx", "partner")),
    TYPE_OF("SPE_IN_MBOX_WRITE", "role=\"post\" class=\"mailbox\"", FIELD("ctx", "partner")),
    TYPE_OF("MUTEX_LOCK", "role=\"acquire\" class=\"mutex\"",
            FIELD("lock", "object") FIELD("miss", "value")),
    TYPE_OF("MUTEX_UNLOCK", "role=\"release\" class=\"mutex\"", FIELD("lock", "object")),
    TYPE("BARRIER", "role=\"barrier\" class=\"barrier\""),
    TYPE_OF("SPE_CONTEXT_CREATE", "role=\"create\"", FIELD("ctx", "task")),
    TYPE_OF("SPE_THREAD_START", "role=\"start\"", FIELD("ctx", "task")),
    TYPE_OF("SPE_THREAD_STOP", "role=\"stop\"", FIELD("ctx", "task")),
    TYPE_OF("SPE_CONTEXT_RUN", "role=\"wait\" class=\"task\"", FIELD("ctx", "task")),
    /* Calls of the message libraries CML and MPI. */
    SEND("MPI_SEND"), SEND("MPI_BSEND"), SEND("MPI_SSEND"), SEND("MPI_RSEND"),
    SEND_AT_ONCE("MPI_ISEND"), SEND_AT_ONCE("MPI_IBSEND"), SEND_AT_ONCE("MPI_ISSEND"),
    SEND_AT_ONCE("MPI_IRSEND"), TYPE_OF("MPI_RECV", "role=\"recv\" class=\"message\"", MESSAGE),
    /* In some traces, MPI_IRECV is a call, and in others only the end of a call. */
    TYPE_OF("MPI_IRECV", "", MESSAGE),
    TYPE_OF("MPI_BARRIER", "role=\"collective\" class=\"barrier\"",
            "<field name=\"root\"/><field name=\"instance\"/><field name=\"sent\"/>" FIELD(
                "communicator", "comm")),
    COLLECTIVE("MPI_BCAST"), COLLECTIVE("MPI_GATHER"), COLLECTIVE("MPI_GATHERV"),
    COLLECTIVE("MPI_SCATTER"), COLLECTIVE("MPI_SCATTERV"), COLLECTIVE("MPI_ALLGATHER"),
    COLLECTIVE("MPI_ALLGATHERV"), COLLECTIVE("MPI_ALLTOALL"), COLLECTIVE("MPI_ALLTOALLV"),
    COLLECTIVE("MPI_ALLTOALLW"), COLLECTIVE("MPI_REDUCE"), COLLECTIVE("MPI_ALLREDUCE"),
    COLLECTIVE("MPI_REDUCE_SCATTER"), COLLECTIVE("MPI_REDUCE_SCATTER_BLOCK"),
    COLLECTIVE("MPI_SCAN"), COLLECTIVE("MPI_EXSCAN"), WAITS("MRECV"), WAITS("SENDRECV"),
    WAITS("SENDRECV_REPLACE"), WAITS("PROBE"), WAITS("MPROBE"), WAITS("WAIT"), WAITS("WAITALL"),
    WAITS("WAITANY"), WAITS("WAITSOME"),
    /* MPI regions of OTF2, without collective operations, which have events of their own. */
    BLOCKS("Send", "message"), BLOCKS("Bsend", "message"), BLOCKS("Ssend", "message"),
    BLOCKS("Rsend", "message"), BLOCKS("Recv", "message"), BLOCKS("Mrecv", "message"),
    BLOCKS("Sendrecv", "message"), BLOCKS("Sendrecv_replace", "message"),
    BLOCKS("Probe", "message"), BLOCKS("Mprobe", "message"), BLOCKS("Wait", "message"),
    BLOCKS("Waitall", "message"), BLOCKS("Waitany", "message"), BLOCKS("Waitsome", "message"),
    TYPE("PROFILE_START", "role=\"profile-start\""), TYPE("PROFILE_STOP", "role=\"profile-stop\""),
    /* Tasks and loops of Cedar Fortran. */
    TYPE_OF("CREATE_TASK", "role=\"create\"", FIELD("task", "task")),
    TYPE("CDOALL_BEGIN", "role=\"loop-enter\" class=\"cdoall\""),
    TYPE("CDOALL_END", "role=\"loop-exit\" class=\"cdoall\""),
    TYPE("CDOACROSS_BEGIN", "role=\"loop-enter\" class=\"cdoacross\""),
    TYPE("CDOACROSS_END", "role=\"loop-exit\" class=\"cdoacross\""),
    TYPE("SDOALL_BEGIN", "role=\"loop-enter\" class=\"sdoall\""),
    TYPE("SDOALL_END", "role=\"loop-exit\" class=\"sdoall\""),
    TYPE("SDOACROSS_BEGIN", "role=\"loop-enter\" class=\"sdoacross\""),
    TYPE("SDOACROSS_END", "role=\"loop-exit\" class=\"sdoacross\""),
    /* SPE_ENTRY and SPE_EXIT mark the begin and end of an SPE program, which is no routine. */
    TYPE("SPE_ENTRY", "role=\"mark\""), TYPE("SPE_EXIT", "role=\"mark\""),
    /* Other events with a name that ends with the suffix of an entry or an exit. */
    TYPE("*_ENTRY", "role=\"enter\""), TYPE("*_ENTER", "role=\"enter\""),
    TYPE("*_BEGIN", "role=\"enter\""), TYPE("*_EXIT", "role=\"exit\""),
    TYPE("*_LEAVE", "role=\"exit\""), TYPE("*_END", "role=\"exit\""),
    TYPE_OF("E", "role=\"enter\"", FIELD("enx", "routine") FIELD("exx", "caller")),
    TYPE_OF("X", "role=\"exit\"", FIELD("enx", "routine")),
    TYPE_OF("ENTER", "role=\"enter\"", FIELD("routine", "routine")),
    TYPE_OF("EXIT", "role=\"exit\"", FIELD("routine", "routine")),
    /* Names of events that report a state of an actor. */
    TYPE("RUNNING", "role=\"state\" state=\"running\""),
    TYPE("READY", "role=\"state\" state=\"ready\""),
    TYPE("BLOCK", "role=\"state\" state=\"blocked\""),
    TYPE("IDLE", "role=\"state\" state=\"idle\""),
    "<state name=\"running\" kind=\"active\" part=\"user\"/>",
    "<state name=\"active\" kind=\"active\" part=\"user\"/>",
    "<state name=\"block\" kind=\"blocked\"/>", "</events>", NULL};

struct reader {
    struct rules *rules;
    struct rules_fault fault;
    bool in_type; /* true if fields belong to the type that was added last */
    bool in_symbols;
};

static void refuse_unknown(struct reader *r, const struct element *element, const char *what,
                           const char *word, const char *const *words)
{
    char escaped[ERROR_ESCAPED_MAX];
    const char *nearest = near_word(word, words);
    if (r->fault.text[0])
        return;
    r->fault.line = element->line;
    snprintf(r->fault.text, sizeof r->fault.text, "unknown %s '%s'%s%s%s", what,
             error_escape(escaped, word, strlen(word)), nearest ? ", did you mean '" : "",
             nearest ? nearest : "", nearest ? "'?" : "");
}

/* Report an error for each attribute that is not in the list `names`. */
static void check_attributes(struct reader *r, const struct element *element,
                             const char *const *names)
{
    const char *at = element->text + strlen(element->text) + 1;
    while (at < element->text + element->size) {
        if (names[word_find(names, at)] == NULL)
            refuse_unknown(r, element, "attribute", at, names);
        at += strlen(at) + 1;
        at += strlen(at) + 1;
    }
}

static bool begin_element(void *user, const struct element *element)
{
    static const char *const elements[] = {"recordType", "state",    "symbols", "symbol",
                                           "place",      "topology", NULL};
    static const char *const inner[] = {"field", NULL};
    static const char *const of_types[] = {"name", "id",      "role",  "class", "state", "stall",
                                           "call", "routine", "block", "type",  NULL};
    static const char *const of_fields[] = {"name", "role", "unit", "of", "type", NULL};
    static const char *const of_states[] = {"name", "kind", "part", NULL};
    static const char *const of_symbols[] = {"image", NULL};
    static const char *const of_symbol[] = {"at", "size", "name", "file", "line", "image", NULL};
    static const char *const of_places[] = {"ctx", "rank", "tid", "node", "cell", "spe", NULL};
    static const char *const of_topology[] = {"spes_per_cell", "cells_per_node", NULL};
    struct reader *r = user;
    if (element->depth == 0) {
        static const char *const names[] = {"version", NULL};
        uint64_t version;
        if (!element_is(element, "events") || !element_number(element, "version", &version) ||
            version != 1) {
            r->fault.line = element->line;
            snprintf(r->fault.text, sizeof r->fault.text,
                     "expected the root element events version=\"1\"");
        } else {
            check_attributes(r, element, names);
        }
    } else if (element->depth == 1 && element_is(element, "recordType")) {
        check_attributes(r, element, of_types);
        rules_add_type(r->rules, element, RULE_NO_ID, &r->fault);
        r->in_type = true;
    } else if (element->depth == 1 && element_is(element, "state")) {
        check_attributes(r, element, of_states);
        rules_add_state(r->rules, element, &r->fault);
    } else if (element->depth == 1 && element_is(element, "symbols")) {
        check_attributes(r, element, of_symbols);
        r->in_symbols = true;
    } else if (element->depth == (r->in_symbols ? 2 : 1) && element_is(element, "symbol")) {
        check_attributes(r, element, of_symbol);
        rules_add_symbol(r->rules, element, &r->fault);
    } else if (element->depth == 1 && element_is(element, "place")) {
        check_attributes(r, element, of_places);
        rules_add_place(r->rules, element, &r->fault);
    } else if (element->depth == 1 && element_is(element, "topology")) {
        check_attributes(r, element, of_topology);
        rules_add_topology(r->rules, element, &r->fault);
    } else if (element->depth == 2 && r->in_type && element_is(element, "field")) {
        check_attributes(r, element, of_fields);
        rules_add_field(r->rules, element, RULE_NO_PLACE, &r->fault);
    } else {
        refuse_unknown(r, element, "element", element->text,
                       element->depth == 1 ? elements : inner);
    }
    return !r->fault.no_memory;
}

static bool end_element(void *user, unsigned depth)
{
    struct reader *r = user;
    if (depth == 1)
        r->in_type = r->in_symbols = false;
    return true;
}

/* Read a document and add its rules. If the document has an error, no rule is added. */
static csy_status add_document(struct csy_meaning *meaning, const char *name, const char *xml,
                               size_t size, csy_error *error)
{
    struct document_bytes src = {name, xml, size, error};
    struct document_layout document;
    struct rules rules = {0};
    struct reader r = {.rules = &rules};
    csy_status status = document_parse(&src, begin_element, end_element, &r, &document);
    if (!status && r.fault.text[0])
        status = error_set(error, CSY_INPUT, "%s: line %ld: %s", name, r.fault.line, r.fault.text);
    rules.name = status ? NULL : strdup(name);
    if (!status && (!rules.name || !symbols_seal(&rules.symbols) || !rules_seal(&rules)))
        status = error_memory(error);
    if (!status && !ARRAY_RESERVE(meaning->documents, meaning->capacity, meaning->count + 1))
        status = error_memory(error);
    if (status)
        rules_fini(&rules);
    else
        meaning->documents[meaning->count++] = rules;
    return status;
}

csy_status csy_meaning_new(csy_meaning **out, csy_error *error)
{
    char *xml = NULL;
    size_t size = 0;
    struct csy_meaning *meaning = calloc(1, sizeof *meaning);
    FILE *stream = meaning ? open_memstream(&xml, &size) : NULL;
    if (!stream) {
        free(meaning);
        return error_memory(error);
    }
    for (const char *const *line = vocabulary; *line; line++)
        fputs(*line, stream);
    csy_status status = fclose(stream) == 0 ? CSY_OK : error_memory(error);
    if (!status)
        status = add_document(meaning, "built-in", xml, size, error);
    free(xml);
    if (status)
        csy_meaning_free(meaning);
    else
        *out = meaning;
    return status;
}

csy_status csy_meaning_add_file(csy_meaning *meaning, const char *path, csy_error *error)
{
    char name[ERROR_ESCAPED_MAX];
    char *xml = NULL;
    size_t size;
    bool embedded;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    error_escape(name, path, strlen(path));
    if (fd < 0)
        return error_io(error, name, NULL);
    csy_status status = document_load(fd, name, 0, &xml, &size, &embedded, error);
    if (!status)
        status = add_document(meaning, name, xml, size, error);
    free(xml);
    close(fd);
    return status;
}

csy_status csy_meaning_set_symbols(csy_meaning *meaning, const char *path, csy_error *error)
{
    char name[ERROR_ESCAPED_MAX];
    struct symbols symbols = {0};
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    error_escape(name, path, strlen(path));
    if (fd < 0)
        return error_io(error, name, NULL);
    csy_status status = symbols_read(&symbols, fd, name, error);
    if (!status && !symbols_seal(&symbols))
        status = error_memory(error);
    close(fd);
    symbols_fini(status ? &symbols : &meaning->symbols);
    if (!status)
        meaning->symbols = symbols;
    return status;
}

csy_status csy_meaning_set_topology(csy_meaning *meaning, uint64_t spes_per_cell,
                                    uint64_t cells_per_node, csy_error *error)
{
    if (spes_per_cell == 0)
        return error_set(error, CSY_USAGE, "a Cell has at least 1 SPE");
    meaning->topology = (struct topology){spes_per_cell, cells_per_node};
    return CSY_OK;
}

void csy_meaning_free(csy_meaning *meaning)
{
    if (!meaning)
        return;
    for (size_t i = 0; i < meaning->count; i++)
        rules_fini(&meaning->documents[i]);
    symbols_fini(&meaning->symbols);
    FREE_ALL(meaning->documents, meaning);
}

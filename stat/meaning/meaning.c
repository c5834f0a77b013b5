/* Reads the documents that describe the meanings of events, and adds a built-in document. Together,
 * they are a csy_meaning. */
#include "meaning/rules.h"

#include "base/array.h"
#include "base/error.h"
#include "base/near.h"
#include "trace/pex/document.h"

#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
    /* Other events whose names end with the suffix of an entry or an exit. */
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

/* A document while it is being read. */
struct reader {
    struct rules *rules;
    struct rules_fault fault;
    bool in_type; /* true if fields belong to the type that was added last */
    bool in_symbols;
};

static void refuse(struct reader *r, const struct element *element, const char *what,
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
            refuse(r, element, "attribute", at, names);
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
        refuse(r, element, "element", element->text, element->depth == 1 ? elements : inner);
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
    struct document document;
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
    free(meaning->documents);
    symbols_fini(&meaning->symbols);
    free(meaning);
}

/* The definitions of an OTF2 archive: locations, clocks, and ranks of communicators. A definition
 * replaces an earlier definition with the same id. */
#ifndef TRACE_OTF2_ARCHIVE_H
#define TRACE_OTF2_ARCHIVE_H

#include "base/id_map.h"
#include "trace/event.h"
#include "trace/otf2/otf2_records.h"
#include "trace/tracer.h"

#include <cellsync/cellsync.h>
#include <otf2/otf2.h>
#include <sys/types.h>
#include <time.h>

/* The result of checking a file, and the state of the file at that time. libotf2 reads only
 * definitions, and only from checked files. */
struct otf2_checked {
    bool there;
    /* result of checking the records, up to the first fault */
    struct otf2_records records;
    dev_t device; /* device, inode, bytes, changed: used to notice that the file was changed or
                   * replaced */
    ino_t inode;
    off_t bytes;
    struct timespec changed;
};

/* Returns true if the path leads to the file that was checked, and the file is unchanged. */
bool otf2_is_unchanged(const char *path, const struct otf2_checked *checked);

/* A table from the local ids of a location to global ids, sorted by local id. It omits ids that are
 * equal to their global ids. */
struct otf2_ids {
    struct otf2_id {
        uint32_t local, global;
    } * items;
    size_t count, capacity;
    bool no_memory;
};

/* The file of a location's events while it is read. */
struct otf2_events {
    int fd;
    struct otf2_checked checked; /* checked.records has the fault, if any */
    uint8_t *bytes;              /* bytes of the current chunk of the file */
    struct otf2_ids regions, comms;
};

#define OTF2_NO_RANK UINT32_MAX

/* A process, or an accelerator that belongs to a process. */
struct otf2_process {
    uint32_t id, name, parent, creator; /* ids of process, name, node, and creator */
    bool accelerator;
};

/* The clock offsets that the tracer measured (ClockOffset records) for a location, sorted by time.
 * Records at or after 2^63 ticks are omitted, because timestamps are less than 2^63. */
struct otf2_offsets {
    size_t count, capacity;
    struct tracer_reading *items;
    bool no_memory;
};

struct otf2_location {
    uint64_t id;
    size_t number; /* position in the order of the definitions, from 0 */
    uint32_t name, process;
    csy_text thread, clock; /* name of the thread at the location, and name of its clock */
    csy_text node;          /* name of the location's node; empty if unknown */
    /* shared by all readers; NULL until a reader has read the local definitions of the location */
    _Atomic(struct otf2_offsets *) offsets;
};

struct otf2_member {
    uint32_t process, rank;
    uint64_t location;
};

/* A node in the tree of machines and processes. `kind` is the id of a text, such as "machine". */
struct otf2_node {
    uint32_t id, name, kind, parent;
    /* process with the lowest id on this node, without accelerators; or NULL */
    const struct otf2_process *first;
};

struct otf2_comm {
    uint32_t id, name, group;
    csy_text label; /* unique name, without blanks and slashes */
    /* true if the members are known, and the group is not MPI_COMM_SELF */
    bool usable;
    struct otf2_member *members; /* ranks with a defined location, sorted by process and rank */
    uint32_t *world_ranks;       /* rank in MPI_COMM_WORLD of each rank, or OTF2_NO_RANK */
    size_t nmembers, size;       /* length of `members`, and number of all ranks */
};

struct otf2_archive {
    const char *anchor; /* name of the anchor file */
    char *folder;       /* folder of the event files */
    uint64_t resolution_hz;
    uint64_t offset_ticks, length_ticks; /* begin and length of the trace on the global clock */
    struct otf2_location *locations;     /* sorted by id */
    size_t nlocations, locations_capacity;
    struct id_map strings;    /* maps the id of a text to a char * */
    struct id_map nodes;      /* maps an id to a struct otf2_node */
    struct id_map processes;  /* maps an id to a struct otf2_process */
    struct id_map regions;    /* maps the id of a region to the id of its name, a uint32_t */
    struct id_map groups;     /* maps an id to a struct otf2_group */
    struct id_map comms;      /* maps an id to a struct otf2_comm */
    struct otf2_group *world; /* group of all locations that are MPI ranks, or NULL */
    void **owned;             /* memory blocks that are freed with the archive */
    size_t nowned, owned_capacity;
    size_t nclocks, nhosts; /* number of different clocks; number of different nodes */
    /* number of locations of accelerators with timestamps of the clock of a process */
    size_t nconverted;
    csy_clock_per clock_per; /* each location, each process, or each node has its own clock */
    /* line that describes how cellsync synchronized the archive (trace/csv/csv.h), or NULL */
    char *facts;
    size_t nintercomms; /* number of MPI intercommunicators */
    bool no_memory;     /* true if memory ran out while the archive was read */
};

/* Properties that cellsync writes to a synchronized archive. CRC: CRC-32 of all event files of the
 * original archive. FACTS: how it was synchronized (struct csv_facts). */
#define OTF2_PROPERTY_CRC "CELLSYNC::CRC"
#define OTF2_PROPERTY_FACTS "CELLSYNC::FACTS"

const struct otf2_archive *otf2_archive_of(const struct csy_trace *trace);

void otf2_archive_free(struct otf2_archive *archive);

/* Returns the name of a region, or "?" if the region is not defined. */
csy_text otf2_region_name(const struct otf2_archive *archive, uint32_t id);

csy_text otf2_operation_name(uint32_t operation);

/* Find the kind of a collective operation. The kind determines which members send or receive data.
 * Returns false if the operation does not affect the order of events. */
bool otf2_operation_kind(uint32_t operation, enum collective_kind *kind);

/* The communicator that a location used last. */
struct otf2_place {
    const struct otf2_comm *comm; /* NULL if the communicator is unknown or not usable */
    /* id of the communicator, and rank of the location's process in it, or OTF2_NO_RANK */
    uint32_t id, self;
};

/* Find a communicator by its id, and store it in *place. The search is skipped if *place has this
 * communicator already. Returns NULL if the communicator is not defined or not usable. */
const struct otf2_comm *otf2_find_comm(const struct otf2_archive *archive,
                                       const struct otf2_location *location, uint32_t id,
                                       struct otf2_place *place);

/* Check an anchor file and open the archive. Later errors of libotf2 are stored for otf2_said. */
csy_status otf2_open(const char *name, OTF2_Reader **out, csy_error *error);

/* Check a file of definitions before `reader` reads it. Returns OTF2_ERROR_INVALID_DATA if the file
 * is faulty, with the fault in otf2_said, and OTF2_ERROR_MEM_ALLOC_FAILED if memory runs out. */
OTF2_ErrorCode otf2_check_definitions(OTF2_Reader *reader, const char *path, enum otf2_part part,
                                      struct otf2_checked *out);

/* Call this function after libotf2 has read a file, with the result `code`. Returns
 * OTF2_ERROR_INVALID_DATA if `code` is no error, but the file has changed since the check;
 * otherwise `code`. */
OTF2_ErrorCode otf2_confirm(const char *path, const struct otf2_checked *checked,
                            OTF2_ErrorCode code);

/* Write the first error of this thread since otf2_forget_said to `text`, return `text`, and forget
 * the error. An example is "INVALID_DATA (This is no chunk header!)". */
enum { OTF2_SAID_MAX = 320 };
const char *otf2_said(OTF2_ErrorCode code, char text[OTF2_SAID_MAX]);
/* Returns the code of the first error of this thread, or `code` if no error occurred. */
OTF2_ErrorCode otf2_said_first(OTF2_ErrorCode code);
void otf2_forget_said(void);

/* Read all definitions of an archive. `name` is the name of its anchor file. */
csy_status otf2_archive_read(OTF2_Reader *reader, const char *name, csy_clock_per per,
                             struct otf2_archive **out, csy_error *error);

/* Number of locations that one reader opens. libotf2 takes longer for each if there are more. */
enum { OTF2_LOCATIONS_A_READER = 512 };

/* Open a reader for every `step`-th location from `first` on, at most OTF2_LOCATIONS_A_READER
 * locations. */
csy_status otf2_open_locations(const struct otf2_archive *archive, size_t first, size_t step,
                               OTF2_Reader **out, csy_error *error);

/* Open the events of a location, with uncorrected timestamps. First reads the location's local
 * definitions, which map local ids to global ids and contain clock offsets. After a failure,
 * *suffix is the suffix of the faulty file, ".def" or ".evt". Returns OTF2_ERROR_MEM_ALLOC_FAILED
 * if memory runs out. Call otf2_close_events afterwards, even after a failure. */
OTF2_ErrorCode otf2_open_events(const struct otf2_archive *archive, OTF2_Reader *reader,
                                struct otf2_location *location, struct otf2_events *out,
                                const char **suffix);

/* For otf2_next_event only: read the next chunk; replace the local ids of an event. */
bool otf2_next_chunk(struct otf2_events *events);
void otf2_map_ids(const struct otf2_events *events, struct otf2_record *event);

/* Read the next event. Returns false at the end of the file, and after a fault. */
static inline bool otf2_next_event(struct otf2_events *events, struct otf2_record *event)
{
    while (!otf2_records_next(&events->checked.records, event))
        if (!otf2_next_chunk(events))
            return false;
    if (events->regions.count + events->comms.count > 0)
        otf2_map_ids(events, event);
    return true;
}

/* Close the file. Its fault and state stay known. May be called again. */
void otf2_close_events(struct otf2_events *events);

extern const struct stream_reading otf2_streams;

/* The function `event` of otf2_streams. */
struct stream_item;
void otf2_set_item(struct csy_trace *trace, size_t number, const struct stream_item *item,
                   struct event *event);

#endif

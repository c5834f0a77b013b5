/* The definitions of an OTF2 archive: locations, clocks, and ranks of communicators. A later
 * definition of an id replaces an earlier definition of this id. */
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

/* Files of an OTF2 archive that were checked (otf2_records.h), so that libotf2 may read them.
 *
 * libotf2 opens files by their names, after the check. Call otf2_is_unchanged after libotf2 has
 * read a file, so that a file that is still being written is refused. The check does not protect
 * from an attacker who writes to the archive at the right moment. */

struct otf2_checked {
    bool there;
    /* result of the check of all records before the first fault */
    struct otf2_records records;
    dev_t device; /* `device` to `changed` identify the file and its state */
    ino_t inode;
    off_t bytes;
    struct timespec changed;
};

/* Check all chunks of a file. A missing file, or an empty file of local definitions, has no fault.
 * Returns false if memory runs out. */
bool otf2_check_file(const char *path, enum otf2_part part, uint64_t chunk_bytes,
                     struct otf2_checked *out);

/* Returns true if the path still leads to the checked file, and the file is unchanged. */
bool otf2_is_unchanged(const char *path, const struct otf2_checked *checked);

/* Returns the number of events that may be read from a checked file. */
static inline uint64_t otf2_whole_events(const struct otf2_checked *checked)
{
    return checked->records.fault ? checked->records.records : UINT64_MAX;
}

#define OTF2_NO_RANK UINT32_MAX

/* A process, or an accelerator that belongs to a process. */
struct otf2_process {
    uint32_t id, name, parent, creator; /* numbers of definitions */
    bool accelerator;
};

/* The ClockOffset records of a location, sorted by time. Records at or after 2^63 ticks are
 * omitted, because timestamps are less than 2^63. */
struct otf2_offsets {
    size_t count, capacity;
    struct tracer_reading *items;
    bool no_memory;
};

struct otf2_location {
    uint64_t id;
    size_t number; /* position in the order of the definitions */
    uint32_t name, process;
    csy_text thread, clock; /* names of the location and its clock */
    csy_text node;          /* name of the location's node; size 0: unknown */
    /* All readings of the trace share these two pointers. A pointer is NULL until a reading has
     * read the offsets, or has checked the events. */
    _Atomic(struct otf2_offsets *) offsets;
    _Atomic(struct otf2_checked *) checked;
};

/* A rank of a communicator. */
struct otf2_member {
    uint32_t process, rank;
    uint64_t location;
};

/* A node of the system tree. The kind is the name of a class, such as "machine" or "node". */
struct otf2_node {
    uint32_t id, name, kind, parent;
    /* first process of this node that is no accelerator, or NULL */
    const struct otf2_process *first;
};

struct otf2_comm {
    uint32_t id, name, group;
    csy_text label; /* a unique name without blanks */
    /* the members are known, and the group is not MPI_COMM_SELF */
    bool usable;
    struct otf2_member *members; /* ranks with a location, sorted by process and rank */
    uint32_t *world_ranks;       /* for each rank: rank in MPI_COMM_WORLD, or OTF2_NO_RANK */
    size_t nmembers, size;       /* nmembers: length of `members`; size: number of all ranks */
};

struct otf2_archive {
    const char *anchor; /* name of the anchor file */
    char *folder;       /* folder of the event files */
    uint64_t resolution_hz;
    uint64_t offset_ticks, length_ticks; /* begin and length of the trace in global time */
    struct otf2_location *locations;     /* sorted by id */
    size_t nlocations, locations_capacity;
    struct id_map strings;    /* char * */
    struct id_map nodes;      /* struct otf2_node */
    struct id_map processes;  /* struct otf2_process */
    struct id_map regions;    /* uint32_t: number of the name */
    struct id_map groups;     /* struct otf2_group */
    struct id_map comms;      /* struct otf2_comm */
    struct otf2_group *world; /* the group of locations that are ranks of MPI, or NULL */
    void **owned;             /* allocated memory of the archive */
    size_t nowned, owned_capacity;
    size_t nclocks, nhosts; /* number of clocks and of hosts of all locations */
    /* number of accelerator locations that use the clock of a process */
    size_t nconverted;
    csy_clock_per clock_per; /* owner of a clock: a location, a process, or a host */
    /* line of facts of a synchronized archive (trace/csv/csv_facts.h), or NULL */
    char *facts;
    size_t nintercomms; /* number of communicators between two groups */
};

/* Properties of an archive that cellsync has synchronized: the CRC-32 of all event files in the
 * order of location numbers, and the line of facts. */
#define OTF2_PROPERTY_CRC "CELLSYNC::CRC"
#define OTF2_PROPERTY_FACTS "CELLSYNC::FACTS"

const struct otf2_archive *otf2_archive_of(const struct csy_trace *trace);

void otf2_archive_free(struct otf2_archive *archive);
void otf2_offsets_free(struct otf2_offsets *offsets);

/* Allocate cleared memory that is freed with the archive. Returns NULL if memory runs out. */
void *otf2_own(struct otf2_archive *archive, size_t size);

/* Returns the text with this id, or "" if the id is not defined. */
const char *otf2_string(const struct otf2_archive *archive, uint32_t id);

/* Returns the name of a region, or "?" if the region is not defined. */
csy_text otf2_region_name(const struct otf2_archive *archive, uint32_t id);

csy_text otf2_operation_name(uint32_t operation);

/* Find the kind of a collective operation. The kind determines which members send or receive data.
 * Returns false if the operation does not affect the order. */
bool otf2_operation_kind(uint32_t operation, enum collective_kind *kind);

/* The last communicator of a location. */
struct otf2_place {
    const struct otf2_comm *comm; /* NULL: no communicator that affects the order */
    /* id: id of the communicator; self: rank of the location's process, or OTF2_NO_RANK */
    uint32_t id, self;
};

/* Find a communicator, and store it in *place. The search is fast if *place already has this
 * communicator. Returns NULL if the communicator is not defined or not usable. */
const struct otf2_comm *otf2_find_comm(const struct otf2_archive *archive,
                                       const struct otf2_location *location, uint32_t id,
                                       struct otf2_place *place);

/* Check an anchor file, and open the archive. Afterwards, otf2_said returns errors of libotf2. */
csy_status otf2_open(const char *name, OTF2_Reader **out, csy_error *error);

/* Check a file of definitions before `reader` reads it. A faulty file gives INVALID_DATA, and
 * otf2_said returns the fault. Returns OTF2_ERROR_MEM_ALLOC_FAILED if memory runs out. */
OTF2_ErrorCode otf2_check_definitions(OTF2_Reader *reader, const char *path, enum otf2_part part,
                                      struct otf2_checked *out);

/* Returns `code`, the result of reading a file, or INVALID_DATA if the file has changed. */
OTF2_ErrorCode otf2_confirm(const char *path, const struct otf2_checked *checked,
                            OTF2_ErrorCode code);

/* Returns the first error of this worker since otf2_forget_said, and forgets the error. An example
 * is "INVALID_DATA (This is no chunk header!)". */
enum { OTF2_SAID_MAX = 320 };
const char *otf2_said(OTF2_ErrorCode code, char text[OTF2_SAID_MAX]);
/* Returns the code of the first error of this worker, or `code` if no error occurred. */
OTF2_ErrorCode otf2_said_first(OTF2_ErrorCode code);
void otf2_forget_said(void);

/* Read all definitions. `name` is the anchor file of the reader. */
csy_status otf2_archive_read(OTF2_Reader *reader, const char *name, csy_clock_per per,
                             struct otf2_archive **out, csy_error *error);

/* Number of locations that one reader opens. libotf2 takes more time for a location if its reader
 * has more locations. */
enum { OTF2_LOCATIONS_A_READER = 512 };

/* Open a reader for locations first, first + step, and so on. */
csy_status otf2_open_locations(const struct otf2_archive *archive, size_t first, size_t step,
                               OTF2_Reader **out, csy_error *error);

/* Check and open the events of a location, with raw timestamps. The local definitions of the
 * location are read first: they map local ids, and contain the clock offsets that the tracer
 * measured. The caller may read otf2_whole_events(checked) events. After a failure, *suffix is
 * ".def" or ".evt", for the faulty file. Returns OTF2_ERROR_MEM_ALLOC_FAILED if memory runs out. */
OTF2_ErrorCode otf2_open_events(const struct otf2_archive *archive, OTF2_Reader *reader,
                                struct otf2_location *location, struct otf2_checked *checked,
                                OTF2_EvtReader **out, const char **suffix);

#endif

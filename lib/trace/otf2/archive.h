/*
 * The definitions of an OTF2 archive: its locations, their clocks, and the ranks of its
 * communicators.
 *
 * A later definition of an id replaces an earlier one, so definitions may come in any order.
 */
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

/*
 * Files of an OTF2 archive, checked (otf2_records.h) so that libotf2 may read them.
 *
 * libotf2 opens files by their names, after the check. Ask otf2_is_unchanged once it has read one:
 * a file that is still being written is refused. The check cannot protect from somebody who writes
 * to the archive at the right moment.
 */

struct otf2_checked {
    bool there;
    struct otf2_records records; /* up to its end, or to its fault */
    dev_t device;                /* which file it is: */
    ino_t inode;
    off_t bytes;
    struct timespec changed;
};

/* Check all chunks of a file.  A missing file has no fault, and neither has an empty file of local
 * definitions.  False on no memory. */
bool otf2_check_file(const char *path, enum otf2_part part, uint64_t chunk_bytes,
                     struct otf2_checked *out);

/* Return whether the path still leads to the checked file, and that has not changed. */
bool otf2_is_unchanged(const char *path, const struct otf2_checked *checked);

/* Return how many events of a checked file may be read. */
uint64_t otf2_whole_events(const struct otf2_checked *checked);

#define OTF2_NO_RANK UINT32_MAX

/* A process, or an accelerator of one. */
struct otf2_process {
    uint32_t id, name, parent, creator; /* numbers of definitions */
    bool accelerator;
};

/* ClockOffset records of a location, by their times; records at 2^63 ticks or more are left out,
 * because no timestamp reaches them. */
struct otf2_offsets {
    size_t count, capacity;
    struct tracer_reading *items;
    bool no_memory;
};

struct otf2_location {
    uint64_t id;
    size_t number; /* in the order of the definitions */
    uint32_t name, process;
    csy_text thread, clock; /* names of the location and of its clock */
    csy_text node;          /* that it ran on; size 0: not known */
    /* NULL until any of several readings has read its definitions, and checked its events: */
    _Atomic(struct otf2_offsets *) offsets;
    _Atomic(struct otf2_checked *) checked;
};

/* A rank of a communicator. */
struct otf2_member {
    uint32_t process, rank;
    uint64_t location;
};

/* A node of the system tree: a machine, a node, or a socket, as its kind tells. */
struct otf2_node {
    uint32_t id, name, kind, parent;
    const struct otf2_process *first; /* of those on it that are no accelerators; or NULL */
};

struct otf2_region {
    uint32_t name;
    csy_text text;
};

struct otf2_comm {
    uint32_t id, name, group;
    csy_text label;              /* unique and without blanks */
    bool usable;                 /* its members are known, and are not each one alone */
    struct otf2_member *members; /* those that are locations, by processes, then by ranks */
    uint32_t *world_ranks;       /* by ranks; OTF2_NO_RANK: it is not known */
    size_t nmembers, size;       /* of all ranks */
};

struct otf2_archive {
    const char *anchor; /* the file */
    char *folder;       /* where its events are */
    uint64_t resolution_hz;
    uint64_t offset_ticks, length_ticks; /* of global time: where it begins, and its span */
    struct otf2_location *locations;     /* by their ids */
    size_t nlocations, locations_capacity;
    struct id_map strings;   /* char * */
    struct id_map nodes;     /* struct otf2_node */
    struct id_map processes; /* struct otf2_process */
    struct id_map regions;   /* struct otf2_region */
    struct id_map groups;
    struct id_map comms;      /* struct otf2_comm */
    struct otf2_group *world; /* the locations that are ranks of MPI, or NULL */
    void **owned;             /* memory that is freed with the archive */
    size_t nowned, owned_capacity;
    size_t nclocks, nhosts;  /* of locations */
    size_t nconverted;       /* locations of accelerators that have the clock of a process */
    csy_clock_per clock_per; /* what these are */
    char *facts; /* how cellsync has synchronized it (trace/csv/csv_facts.h); NULL: it has not */
    size_t nintercomms; /* communicators between groups */
};

/* Properties of an archive that cellsync has synchronized: the CRC-32 of its event files, one after
 * the other by the numbers of locations; and how. */
#define OTF2_PROPERTY_CRC "CELLSYNC::CRC"
#define OTF2_PROPERTY_FACTS "CELLSYNC::FACTS"

/* That of a trace that was opened as one. */
const struct otf2_archive *otf2_archive_of(const struct csy_trace *trace);

void otf2_archive_free(struct otf2_archive *archive);
void otf2_offsets_free(struct otf2_offsets *offsets);

/* Memory that is freed with the archive, zeroed; NULL: none. */
void *otf2_own(struct otf2_archive *archive, size_t size);

/* A text by its number, "" where it is not defined. */
const char *otf2_string(const struct otf2_archive *archive, uint32_t id);

/* Without blanks around it. */
csy_text otf2_trim(const char *text);

/* The name of a region; "?" if it is not defined. */
csy_text otf2_region_name(const struct otf2_archive *archive, uint32_t id);

/* The name of a collective operation. */
csy_text otf2_operation_name(uint32_t operation);

/* Set which members of an operation give and get; false: it orders nothing. */
bool otf2_operation_kind(uint32_t operation, enum collective_kind *kind);

/* NULL where it is not defined, or its members are not known. */
const struct otf2_comm *otf2_comm(const struct otf2_archive *archive, uint32_t id);

/* The rank of a location in a communicator, through its process; or OTF2_NO_RANK. */
uint32_t otf2_rank(const struct otf2_comm *comm, const struct otf2_location *location);

/* An anchor file, checked, and what libotf2 says to it; errors are no longer printed. */
csy_status otf2_open(const char *name, OTF2_Reader **out, csy_error *error);

/* Check a file of definitions that reader is to read: a fault is INVALID_DATA, and is said as
 * libotf2 says its own.  OTF2_ERROR_MEM_ALLOC_FAILED: no memory. */
OTF2_ErrorCode otf2_check_definitions(OTF2_Reader *reader, const char *path, enum otf2_part part,
                                      struct otf2_checked *out);

/* Return code, the result of reading a checked file; INVALID_DATA if the file has changed. */
OTF2_ErrorCode otf2_confirm(const char *path, const struct otf2_checked *checked,
                            OTF2_ErrorCode code);

/* "INVALID_DATA (This is no chunk header!)": what this worker was told first since it forgot. */
enum { OTF2_SAID_MAX = 320 };
const char *otf2_said(OTF2_ErrorCode code, char text[OTF2_SAID_MAX]);
OTF2_ErrorCode otf2_said_first(OTF2_ErrorCode code); /* its code; the given one: it was told none */
void otf2_forget_said(void);

/* Read the definitions of reader, which was opened with the anchor file of that name. */
csy_status otf2_archive_read(OTF2_Reader *reader, const char *name, csy_clock_per per,
                             struct otf2_archive **out, csy_error *error);

#endif

/* Writes a small OTF2 archive from lines on standard input: otf2gen FOLDER < LINES.
 *
 *   resolution HZ [OFFSET LENGTH]   ticks per second of the global clock
 *   node ID CLASS NAME [PARENT] process ID NODE NAME      accelerator ID PROCESS NODE NAME
 *   location ID PROCESS NAME    region ID NAME
 *   world ID...                 the locations that are ranks of MPI
 *   comm ID NAME RANK...        a communicator of these ranks of the world
 *   self ID NAME                a communicator such as MPI_COMM_SELF
 *   intercomm ID GROUP GROUP    an intercommunicator of two groups
 *   complete                    state in the archive that it contains all messages
 *   at ID                       write all following events for this location
 *   offset TIME TICKS [DEVIATION]   a clock offset that a tracer measured
 *   map COUNT                   a mapping table of the local regions 0 to COUNT - 1 to themselves
 *   every local|global          a definition of each kind, for the location or for the archive
 *   TIME enter|leave REGION     TIME send|recv COMM PEER TAG [BYTES]
 *   TIME isend|irecv COMM PEER TAG REQUEST [BYTES]
 *   TIME post|cancel|test|request|isendcomplete REQUEST        TIME begin|mark
 *   TIME end OPERATION COMM ROOT SENT RECEIVED
 *   TIME complete OPERATION COMM ROOT SENT RECEIVED REQUEST
 *
 * ROOT is -1 if there is none. Names contain %20 for each blank. */
#include <inttypes.h>
#include <otf2/otf2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 8192, WORDS = 1024, LOCATIONS = 4096 };

static OTF2_Archive *archive;
static OTF2_GlobalDefWriter *defs;
static OTF2_EvtWriter *events;
static OTF2_DefWriter *local;
static uint64_t locations[LOCATIONS];
static size_t nlocations;
static uint32_t strings, groups;
static const char *words[WORDS];
static size_t nwords;

static void check(bool good, const char *what)
{
    if (good)
        return;
    fprintf(stderr, "otf2gen: %s\n", what);
    exit(1);
}

#define MUST(call) check((call) == OTF2_SUCCESS, #call)

static uint64_t number(size_t i)
{
    check(i < nwords, "a number is missing");
    return strtoull(words[i], NULL, 0);
}

static uint32_t small(size_t i)
{
    return (uint32_t)number(i);
}

/* Returns the length of a message: word i, or 8 if there is no such word. */
static uint64_t length(size_t i)
{
    return i < nwords ? number(i) : 8;
}

static uint32_t text(const char *word)
{
    char plain[LINE];
    size_t n = 0;
    for (; *word; word++)
        if (strncmp(word, "%20", 3) == 0) {
            plain[n++] = ' ';
            word += 2;
        } else {
            plain[n++] = *word;
        }
    plain[n] = 0;
    MUST(OTF2_GlobalDefWriter_WriteString(defs, strings, plain));
    return strings++;
}

static uint32_t name(size_t i)
{
    check(i < nwords, "a name is missing");
    return text(words[i]);
}

static uint32_t write_group(OTF2_GroupType type, uint32_t title, const uint64_t *members, size_t n)
{
    MUST(OTF2_GlobalDefWriter_WriteGroup(defs, groups, title, type, OTF2_PARADIGM_MPI,
                                         OTF2_GROUP_FLAG_NONE, (uint32_t)n, members));
    return groups++;
}

/* Write a group of the ids in the words from `first` on. Returns the id of the group. */
static uint32_t group_of(OTF2_GroupType type, uint32_t title, size_t first)
{
    uint64_t members[WORDS];
    for (size_t i = first; i < nwords; i++)
        members[i - first] = number(i);
    return write_group(type, title, members, nwords > first ? nwords - first : 0);
}

static void define_comm(bool self)
{
    uint32_t title = name(2);
    uint32_t group = self ? write_group(OTF2_GROUP_TYPE_COMM_SELF, title, NULL, 0)
                          : group_of(OTF2_GROUP_TYPE_COMM_GROUP, title, 3);
    MUST(OTF2_GlobalDefWriter_WriteComm(defs, small(1), title, group, OTF2_UNDEFINED_COMM,
                                        OTF2_COMM_FLAG_NONE));
}

static void go_to(uint64_t id)
{
    events = OTF2_Archive_GetEvtWriter(archive, id);
    local = OTF2_Archive_GetDefWriter(archive, id);
    check(events && local, "no writer for the location");
}

static void define_map(uint64_t n)
{
    OTF2_IdMap *map = OTF2_IdMap_Create(OTF2_ID_MAP_DENSE, n);
    check(map, "no mapping table");
    for (uint64_t i = 0; i < n; i++)
        MUST(OTF2_IdMap_AddIdPair(map, i, i));
    MUST(OTF2_DefWriter_WriteMappingTable(local, OTF2_MAPPING_REGION, map));
    OTF2_IdMap_Free(map);
}

/* OTF2 declares the definition Callsite as deprecated. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
static void define_every(bool global)
{
#define LOCAL(kind, ...)                                                                           \
    if (!global)                                                                                   \
        MUST(OTF2_DefWriter_Write##kind(local, __VA_ARGS__));
#define GLOBAL(kind, ...)                                                                          \
    if (global)                                                                                    \
        MUST(OTF2_GlobalDefWriter_Write##kind(defs, __VA_ARGS__));
#define EVERY(kind, ...) LOCAL(kind, __VA_ARGS__) GLOBAL(kind, __VA_ARGS__)
#include "otf2every.h"
}
#pragma GCC diagnostic pop

static bool define(const char *word)
{
    if (!strcmp(word, "resolution"))
        MUST(OTF2_GlobalDefWriter_WriteClockProperties(defs, number(1), nwords > 2 ? number(2) : 0,
                                                       nwords > 3 ? number(3) : UINT64_C(1) << 62,
                                                       OTF2_UNDEFINED_TIMESTAMP));
    else if (!strcmp(word, "node"))
        MUST(OTF2_GlobalDefWriter_WriteSystemTreeNode(
            defs, small(1), name(3), name(2),
            nwords > 4 ? small(4) : OTF2_UNDEFINED_SYSTEM_TREE_NODE));
    else if (!strcmp(word, "process"))
        MUST(OTF2_GlobalDefWriter_WriteLocationGroup(defs, small(1), name(3),
                                                     OTF2_LOCATION_GROUP_TYPE_PROCESS, small(2),
                                                     OTF2_UNDEFINED_LOCATION_GROUP));
    else if (!strcmp(word, "accelerator"))
        MUST(OTF2_GlobalDefWriter_WriteLocationGroup(
            defs, small(1), name(4), OTF2_LOCATION_GROUP_TYPE_ACCELERATOR, small(3), small(2)));
    else if (!strcmp(word, "location")) {
        check(nlocations < LOCATIONS, "too many locations");
        locations[nlocations++] = number(1);
        MUST(OTF2_GlobalDefWriter_WriteLocation(defs, number(1), name(3),
                                                OTF2_LOCATION_TYPE_CPU_THREAD, 2, small(2)));
        go_to(number(1));
    } else if (!strcmp(word, "region")) {
        uint32_t title = name(2);
        MUST(OTF2_GlobalDefWriter_WriteRegion(defs, small(1), title, title, title,
                                              OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_USER,
                                              OTF2_REGION_FLAG_NONE, title, 0, 0));
    } else if (!strcmp(word, "world"))
        group_of(OTF2_GROUP_TYPE_COMM_LOCATIONS, text("world"), 1);
    else if (!strcmp(word, "comm") || !strcmp(word, "self"))
        define_comm(*word == 's');
    else if (!strcmp(word, "intercomm"))
        MUST(OTF2_GlobalDefWriter_WriteInterComm(defs, small(1), text("between"), small(2),
                                                 small(3), OTF2_UNDEFINED_COMM,
                                                 OTF2_COMM_FLAG_NONE));
    else if (!strcmp(word, "complete"))
        MUST(OTF2_Archive_SetBoolProperty(archive, "OTF2::MPI_COMMUNICATION_COMPLETE", true, true));
    else if (!strcmp(word, "at"))
        go_to(number(1));
    else if (!strcmp(word, "offset"))
        MUST(OTF2_DefWriter_WriteClockOffset(local, number(1), strtoll(words[2], NULL, 0),
                                             nwords > 3 ? strtod(words[3], NULL) : 0));
    else if (!strcmp(word, "map"))
        define_map(number(1));
    else if (!strcmp(word, "every"))
        define_every(!strcmp(words[1], "global"));
    else
        return false;
    return true;
}

static void write_event(void)
{
    uint64_t at = number(0);
    check(nwords > 1 && events, "no event");
    const char *word = words[1];
    if (!strcmp(word, "enter"))
        MUST(OTF2_EvtWriter_Enter(events, NULL, at, small(2)));
    else if (!strcmp(word, "leave"))
        MUST(OTF2_EvtWriter_Leave(events, NULL, at, small(2)));
    else if (!strcmp(word, "send"))
        MUST(OTF2_EvtWriter_MpiSend(events, NULL, at, small(3), small(2), small(4), length(5)));
    else if (!strcmp(word, "recv"))
        MUST(OTF2_EvtWriter_MpiRecv(events, NULL, at, small(3), small(2), small(4), length(5)));
    else if (!strcmp(word, "isend"))
        MUST(OTF2_EvtWriter_MpiIsend(events, NULL, at, small(3), small(2), small(4), length(6),
                                     number(5)));
    else if (!strcmp(word, "irecv"))
        MUST(OTF2_EvtWriter_MpiIrecv(events, NULL, at, small(3), small(2), small(4), length(6),
                                     number(5)));
    else if (!strcmp(word, "post"))
        MUST(OTF2_EvtWriter_MpiIrecvRequest(events, NULL, at, number(2)));
    else if (!strcmp(word, "cancel"))
        MUST(OTF2_EvtWriter_MpiRequestCancelled(events, NULL, at, number(2)));
    else if (!strcmp(word, "isendcomplete"))
        MUST(OTF2_EvtWriter_MpiIsendComplete(events, NULL, at, number(2)));
    else if (!strcmp(word, "test"))
        MUST(OTF2_EvtWriter_MpiRequestTest(events, NULL, at, number(2)));
    else if (!strcmp(word, "request"))
        MUST(OTF2_EvtWriter_NonBlockingCollectiveRequest(events, NULL, at, number(2)));
    else if (!strcmp(word, "begin"))
        MUST(OTF2_EvtWriter_MpiCollectiveBegin(events, NULL, at));
    else if (!strcmp(word, "mark"))
        MUST(OTF2_EvtWriter_MeasurementOnOff(events, NULL, at, OTF2_MEASUREMENT_ON));
    else if (!strcmp(word, "end"))
        MUST(OTF2_EvtWriter_MpiCollectiveEnd(events, NULL, at, (OTF2_CollectiveOp)small(2),
                                             small(3), small(4), number(5), number(6)));
    else if (!strcmp(word, "complete"))
        MUST(OTF2_EvtWriter_NonBlockingCollectiveComplete(
            events, NULL, at, (OTF2_CollectiveOp)small(2), small(3), small(4), number(5), number(6),
            number(7)));
    else
        check(false, word);
}

static OTF2_FlushType flush(void *user, OTF2_FileType type, OTF2_LocationRef location, void *data,
                            bool final)
{
    (void)user, (void)type, (void)location, (void)data, (void) final;
    return OTF2_FLUSH;
}

static OTF2_TimeStamp flushed(void *user, OTF2_FileType type, OTF2_LocationRef location)
{
    (void)user, (void)type, (void)location;
    return 0;
}

int main(int argc, char **argv)
{
    static const OTF2_FlushCallbacks calls = {flush, flushed};
    char line[LINE];
    check(argc == 2, "usage: otf2gen FOLDER");
    archive = OTF2_Archive_Open(argv[1], "traces", OTF2_FILEMODE_WRITE, 256 * 1024, 256 * 1024,
                                OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    check(archive, "no archive");
    MUST(OTF2_Archive_SetFlushCallbacks(archive, &calls, NULL));
    MUST(OTF2_Archive_SetSerialCollectiveCallbacks(archive));
    MUST(OTF2_Archive_OpenEvtFiles(archive));
    MUST(OTF2_Archive_OpenDefFiles(archive));
    defs = OTF2_Archive_GetGlobalDefWriter(archive);
    check(defs, "no definitions");
    text("");
    while (fgets(line, sizeof line, stdin)) {
        nwords = 0;
        for (char *word = strtok(line, " \n"); word && nwords < WORDS; word = strtok(NULL, " \n"))
            words[nwords++] = word;
        if (nwords > 0 && *words[0] != '#' && !define(words[0]))
            write_event();
    }
    for (size_t i = 0; i < nlocations; i++) {
        MUST(
            OTF2_Archive_CloseEvtWriter(archive, OTF2_Archive_GetEvtWriter(archive, locations[i])));
        MUST(
            OTF2_Archive_CloseDefWriter(archive, OTF2_Archive_GetDefWriter(archive, locations[i])));
    }
    MUST(OTF2_Archive_CloseEvtFiles(archive));
    MUST(OTF2_Archive_CloseDefFiles(archive));
    MUST(OTF2_Archive_Close(archive));
    return 0;
}

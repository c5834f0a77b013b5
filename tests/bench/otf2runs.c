/*
 * Writes OTF2 archives of runs that never were, one location after another, so that they may be of
 * any size:
 *
 *   otf2runs FOLDER ring RANKS EVENTS
 *       in steps: a region, in it a receive that is posted, two regions that compute, a send to the
 *       next rank, and the receive from the one before
 *   otf2runs FOLDER funneled|multiple|shared RANKS EVENTS
 *       the same of four threads a rank, of which the first one sends and receives; or each does,
 *       in a ring of its own, by its tag; or all in one ring, by one tag
 *   otf2runs FOLDER sweep WIDTH HEIGHT SWEEPS
 *       as Sweep3D does: wavefronts from the corners of a grid of ranks, each of which receives
 *       from two neighbours and sends on to the other two
 *   otf2runs FOLDER collectives RANKS EVENTS
 *       in steps: two regions that compute, and a collective operation of all ranks, of all kinds
 *       in turn, or of half of the ranks
 *   otf2runs FOLDER backlog RANKS EVENTS
 *       in steps: the first rank and the third one answer one another, and the first sends to the
 *       second, which receives nothing until all was sent
 *
 * EVENTS are of all ranks and threads.  Every rank has a clock of its own, some seconds off the
 * others, which gains or loses up to PPM if that follows; nothing else is random, and no receive is
 * before its send.
 */
#include <inttypes.h>
#include <otf2/otf2.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COMPUTE = 0, EXCHANGE = 1, REGIONS = 2, BYTES = 4800 };
enum { STEP_NS = 20000, EVENTS_A_STEP = 10, WAVE_NS = 2000 };
enum { OPERATION_NS = 10000, EVENTS_AN_OPERATION = 6, OPERATIONS = 17 };
enum { EVENTS_A_BACKLOG = 6 };

enum { THREADS = 4 }; /* of a rank, where there are several */

static OTF2_Archive *archive;
static uint64_t threads = 1;
static OTF2_GlobalDefWriter *defs;
static uint32_t strings;

static void check(bool good, const char *what)
{
    if (good)
        return;
    fprintf(stderr, "otf2runs: %s\n", what);
    exit(1);
}

#define MUST(call) check((call) == OTF2_SUCCESS, #call)

static uint64_t mix(uint64_t a, uint64_t b)
{
    uint64_t x = (a * UINT64_C(0x9e3779b97f4a7c15)) ^ (b + UINT64_C(0xff51afd7ed558ccd));
    x = (x ^ x >> 32) * UINT64_C(0xc4ceb9fe1a85ec53);
    return x ^ x >> 29;
}

/* How far the clock of a rank is off. */
static uint64_t offset_of(uint64_t rank)
{
    return UINT64_C(10000000000) + mix(rank, 1) % UINT64_C(10000000000);
}

/* What it shows so long after the beginning. */
static int64_t ppm;

static uint64_t stamp(uint64_t rank, uint64_t ns)
{
    int64_t gain = ppm == 0 ? 0 : (int64_t)(mix(rank, 2) % (uint64_t)(2 * ppm + 1)) - ppm;
    return offset_of(rank) + ns + (uint64_t)((int64_t)(ns / 1000) * gain / 1000);
}

static uint32_t text(const char *plain)
{
    MUST(OTF2_GlobalDefWriter_WriteString(defs, strings, plain));
    return strings++;
}

static void define_ranks(uint64_t ranks)
{
    char name[32];
    uint64_t *members = malloc((size_t)ranks * sizeof *members);
    check(members, "no memory");
    MUST(OTF2_GlobalDefWriter_WriteSystemTreeNode(defs, 0, text("node0"), text("node"),
                                                  OTF2_UNDEFINED_SYSTEM_TREE_NODE));
    for (uint64_t rank = 0; rank < ranks; rank++) {
        snprintf(name, sizeof name, "rank %" PRIu64, rank);
        uint32_t title = text(name);
        MUST(OTF2_GlobalDefWriter_WriteLocationGroup(defs, (uint32_t)rank, title,
                                                     OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                                     OTF2_UNDEFINED_LOCATION_GROUP));
        for (uint64_t thread = 0; thread < threads; thread++)
            MUST(OTF2_GlobalDefWriter_WriteLocation(defs, rank * threads + thread, title,
                                                    OTF2_LOCATION_TYPE_CPU_THREAD, 2,
                                                    (uint32_t)rank));
        members[rank] = rank * threads;
    }
    uint32_t world = text("MPI_COMM_WORLD");
    MUST(OTF2_GlobalDefWriter_WriteGroup(defs, 0, world, OTF2_GROUP_TYPE_COMM_LOCATIONS,
                                         OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, (uint32_t)ranks,
                                         members));
    for (uint64_t rank = 0; rank < ranks; rank++)
        members[rank] = rank;
    MUST(OTF2_GlobalDefWriter_WriteGroup(defs, 1, world, OTF2_GROUP_TYPE_COMM_GROUP,
                                         OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, (uint32_t)ranks,
                                         members));
    MUST(OTF2_GlobalDefWriter_WriteGroup(defs, 2, text("half"), OTF2_GROUP_TYPE_COMM_GROUP,
                                         OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE,
                                         (uint32_t)(ranks + 1) / 2, members));
    for (uint32_t comm = 0; comm < 2; comm++)
        MUST(OTF2_GlobalDefWriter_WriteComm(defs, comm, world, comm + 1, OTF2_UNDEFINED_COMM,
                                            OTF2_COMM_FLAG_NONE));
    free(members);
}

static void define(uint64_t ranks)
{
    static const char *const names[REGIONS] = {"compute", "exchange"};
    MUST(OTF2_GlobalDefWriter_WriteClockProperties(defs, 1000000000, 0, UINT64_C(1) << 62,
                                                   OTF2_UNDEFINED_TIMESTAMP));
    text("");
    for (uint32_t i = 0; i < REGIONS; i++) {
        uint32_t title = text(names[i]);
        MUST(OTF2_GlobalDefWriter_WriteRegion(defs, i, title, title, title,
                                              OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_USER,
                                              OTF2_REGION_FLAG_NONE, 0, 0, 0));
    }
    define_ranks(ranks);
}

/* --- Ring ----------------------------------------------------------------------------------- */

/* Who is in which ring: of a tag. */
struct runner {
    uint64_t rank, thread;
    uint32_t tag;
    bool silent; /* it is in none */
};

/* Sends are in the first half of a step, receives in the second. */
static void write_ring(OTF2_EvtWriter *out, const struct runner *runner, uint64_t ranks,
                       uint64_t events)
{
    uint64_t rank = runner->rank;
    uint32_t before = (uint32_t)((rank + ranks - 1) % ranks),
             after = (uint32_t)((rank + 1) % ranks);
    for (uint64_t step = 0, n = 0; n < events; step++, n += EVENTS_A_STEP) {
        uint64_t at = stamp(rank, step * STEP_NS), noise = mix(rank + (runner->thread << 32), step);
        uint64_t send = at + 1000 + noise % 7000, recv = at + 11000 + (noise >> 32) % 7000;
        MUST(OTF2_EvtWriter_Enter(out, NULL, at, EXCHANGE));
        if (!runner->silent)
            MUST(OTF2_EvtWriter_MpiIrecvRequest(out, NULL, at + 100, step & 1));
        for (unsigned i = 0; i < 2; i++) {
            MUST(OTF2_EvtWriter_Enter(out, NULL, at + 200 + 200 * i, COMPUTE));
            MUST(OTF2_EvtWriter_Leave(out, NULL, at + 300 + 200 * i, COMPUTE));
        }
        if (!runner->silent) {
            MUST(OTF2_EvtWriter_MpiIsend(out, NULL, send, after, 0, runner->tag, BYTES, 2));
            MUST(OTF2_EvtWriter_MpiIsendComplete(out, NULL, send + 500, 2));
            MUST(OTF2_EvtWriter_MpiIrecv(out, NULL, recv, before, 0, runner->tag, BYTES, step & 1));
        }
        MUST(OTF2_EvtWriter_Leave(out, NULL, recv + 100, EXCHANGE));
    }
}

/* --- Operations ----------------------------------------------------------------------------- */

/* Begins are in the first half of a step, ends in the second; every fifth one is of half of the
 * ranks. */
static void write_operations(OTF2_EvtWriter *out, uint64_t rank, uint64_t ranks, uint64_t events)
{
    for (uint64_t step = 0, n = 0; n < events; step++, n += EVENTS_AN_OPERATION) {
        uint64_t at = stamp(rank, step * OPERATION_NS), noise = mix(rank, step);
        uint64_t begin = at + 1000 + noise % 3000, end = at + 5000 + (noise >> 32) % 3000;
        bool half = step % 5 == 4;
        uint32_t kind = (uint32_t)(step % OPERATIONS), root = OTF2_UNDEFINED_UINT32;
        for (unsigned i = 0; i < 2; i++) {
            MUST(OTF2_EvtWriter_Enter(out, NULL, at + 200 + 200 * i, COMPUTE));
            MUST(OTF2_EvtWriter_Leave(out, NULL, at + 300 + 200 * i, COMPUTE));
        }
        if (half && rank >= (ranks + 1) / 2)
            continue;
        if ((kind >= 1 && kind <= 5) || kind == 12)
            root = (uint32_t)(step % ((ranks + 1) / 2));
        MUST(OTF2_EvtWriter_MpiCollectiveBegin(out, NULL, begin));
        MUST(OTF2_EvtWriter_MpiCollectiveEnd(out, NULL, end, (OTF2_CollectiveOp)kind, half, root,
                                             BYTES, BYTES));
    }
}

/* --- Backlog -------------------------------------------------------------------------------- */

static void write_backlog(OTF2_EvtWriter *out, uint64_t rank, uint64_t steps)
{
    enum { ALL_SENT = 1, LATE, THERE, BACK };
    for (uint64_t step = 0; step < steps; step++) {
        uint64_t at = step * STEP_NS, noise = mix(rank, step) % 10;
        if (rank == 0) {
            MUST(OTF2_EvtWriter_MpiSend(out, NULL, stamp(0, at + 100), 1, 0, LATE, BYTES));
            MUST(OTF2_EvtWriter_MpiSend(out, NULL, stamp(0, at + 200), 2, 0, THERE, BYTES));
            MUST(OTF2_EvtWriter_MpiRecv(out, NULL, stamp(0, at + 2300 + noise), 2, 0, BACK, BYTES));
        } else if (rank == 2) {
            MUST(
                OTF2_EvtWriter_MpiRecv(out, NULL, stamp(2, at + 1200 + noise), 0, 0, THERE, BYTES));
            MUST(OTF2_EvtWriter_MpiSend(out, NULL, stamp(2, at + 1300), 0, 0, BACK, BYTES));
        }
    }
    uint64_t end = steps * STEP_NS;
    if (rank == 0)
        MUST(OTF2_EvtWriter_MpiSend(out, NULL, stamp(0, end), 1, 0, ALL_SENT, BYTES));
    if (rank == 1)
        MUST(OTF2_EvtWriter_MpiRecv(out, NULL, stamp(1, end + 1000), 0, 0, ALL_SENT, BYTES));
    for (uint64_t step = 0; rank == 1 && step < steps; step++)
        MUST(OTF2_EvtWriter_MpiRecv(out, NULL, stamp(1, end + 1100 + 100 * step), 0, 0, LATE,
                                    BYTES));
}

/* --- Sweeps --------------------------------------------------------------------------------- */

/* A rank of the wavefront that begins in a corner: `far` steps from it. */
static void write_wave(OTF2_EvtWriter *out, const uint64_t size[2], const uint64_t place[2],
                       uint64_t sweep, uint64_t offset)
{
    static const uint64_t stride_of[2] = {1, 0};
    uint64_t far = 0, noise = mix(place[1] * size[0] + place[0], sweep);
    uint32_t from[2], to[2];
    size_t nfrom = 0, nto = 0;
    for (unsigned axis = 0; axis < 2; axis++) {
        bool up = (sweep >> axis & 1) == 0;
        uint64_t steps = up ? place[axis] : size[axis] - 1 - place[axis];
        uint64_t stride = stride_of[axis] ? 1 : size[0];
        uint64_t self = place[1] * size[0] + place[0];
        far += steps;
        if (steps > 0)
            from[nfrom++] = (uint32_t)(up ? self - stride : self + stride);
        if (steps + 1 < size[axis])
            to[nto++] = (uint32_t)(up ? self + stride : self - stride);
    }
    uint64_t at = offset + sweep * (size[0] + size[1]) * WAVE_NS + far * WAVE_NS;
    MUST(OTF2_EvtWriter_Enter(out, NULL, at, COMPUTE));
    for (size_t i = 0; i < nfrom; i++)
        MUST(OTF2_EvtWriter_MpiRecv(out, NULL, at + 100 + 100 * i + noise % 400, from[i], 0, 7,
                                    BYTES));
    for (size_t i = 0; i < nto; i++)
        MUST(OTF2_EvtWriter_MpiSend(out, NULL, at + 700 + 100 * i + (noise >> 32) % 400, to[i], 0,
                                    7, BYTES));
    MUST(OTF2_EvtWriter_Leave(out, NULL, at + 1400, COMPUTE));
}

static void write_sweeps(OTF2_EvtWriter *out, uint64_t rank, const uint64_t size[2],
                         uint64_t sweeps)
{
    const uint64_t place[2] = {rank % size[0], rank / size[0]};
    for (uint64_t sweep = 0; sweep < sweeps; sweep++)
        write_wave(out, size, place, sweep, offset_of(rank));
}

/* --- All of it ------------------------------------------------------------------------------ */

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

/* What a thread of a rank does. */
static struct runner runner_of(const char *kind, uint64_t location)
{
    struct runner runner = {location / threads, location % threads, 1, false};
    runner.silent = strcmp(kind, "funneled") == 0 && runner.thread > 0;
    if (strcmp(kind, "multiple") == 0)
        runner.tag += (uint32_t)runner.thread;
    return runner;
}

static bool is_threaded(const char *kind)
{
    return strcmp(kind, "funneled") == 0 || strcmp(kind, "multiple") == 0 ||
           strcmp(kind, "shared") == 0;
}

int main(int argc, char **argv)
{
    static const OTF2_FlushCallbacks calls = {flush, flushed};
    uint64_t numbers[3] = {0};
    check(argc >= 5,
          "usage: otf2runs FOLDER ring|funneled|multiple|shared|collectives|backlog RANKS EVENTS "
          "[PPM] | sweep WIDTH HEIGHT SWEEPS");
    for (int i = 0; i < argc - 3 && i < 3; i++)
        numbers[i] = strtoull(argv[3 + i], NULL, 10);
    const char *kind = argv[2];
    threads = is_threaded(kind) ? THREADS : 1;
    bool ring = strcmp(kind, "ring") == 0 || threads > 1,
         collectives = strcmp(kind, "collectives") == 0, backlog = strcmp(kind, "backlog") == 0,
         events = ring || collectives || backlog;
    uint64_t ranks = events ? numbers[0] : numbers[0] * numbers[1];
    check(ranks > 0, "no ranks");
    ppm = events ? (int64_t)numbers[2] : 0;
    /* Of small chunks, as libotf2 zeroes one for each file; that of definitions holds all ranks. */
    archive = OTF2_Archive_Open(argv[1], "traces", OTF2_FILEMODE_WRITE, 256 * 1024, 512 * 1024,
                                OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    check(archive, "no archive");
    MUST(OTF2_Archive_SetFlushCallbacks(archive, &calls, NULL));
    MUST(OTF2_Archive_SetSerialCollectiveCallbacks(archive));
    MUST(OTF2_Archive_OpenEvtFiles(archive));
    for (uint64_t location = 0; location < ranks * threads; location++) {
        OTF2_EvtWriter *out = OTF2_Archive_GetEvtWriter(archive, location);
        const struct runner runner = runner_of(kind, location);
        check(out, "no writer for a location");
        if (ring)
            write_ring(out, &runner, ranks, numbers[1] / ranks / threads);
        else if (backlog)
            write_backlog(out, location, numbers[1] / EVENTS_A_BACKLOG);
        else if (collectives)
            write_operations(out, location, ranks, numbers[1] / ranks);
        else
            write_sweeps(out, location, numbers, numbers[2]);
        MUST(OTF2_Archive_CloseEvtWriter(archive, out));
    }
    MUST(OTF2_Archive_CloseEvtFiles(archive));
    MUST(OTF2_Archive_OpenDefFiles(archive));
    for (uint64_t location = 0; location < ranks * threads; location++)
        MUST(OTF2_Archive_CloseDefWriter(archive, OTF2_Archive_GetDefWriter(archive, location)));
    MUST(OTF2_Archive_CloseDefFiles(archive));
    defs = OTF2_Archive_GetGlobalDefWriter(archive);
    check(defs, "no definitions");
    define(ranks);
    MUST(OTF2_Archive_Close(archive));
    return 0;
}

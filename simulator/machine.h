/* The machines, and the costs of operations.
 *
 * Times are in cycles of the processor since the start of the run. This file defines every constant
 * of the model. doc/simulator.md, Constants, gives their sources, or states that they are
 * assumptions. Parameters of workloads, such as block sizes, are in workloads.c. */
#ifndef PDTSIM_MACHINE_H
#define PDTSIM_MACHINE_H

#include <stdint.h>

/* The time of an actor that waits until another actor wakes it. */
#define NEVER INT64_MAX

/* The latest time, in cycles: more than a year after the start. Later times could overflow sums. */
#define END_OF_TIME (INT64_C(1) << 57)

struct machine {
    const char *label; /* name of the machine in the .pex */
    int64_t timebase_hz, cpu_hz;
    int ncells, nspes; /* number of Cells, and number of SPEs of all Cells that a program may use */
};

enum { CELLS_MAX = 2, SPES_MAX = 16, CELL_SPES = 8 };

/* The machines, in the order of the values of --machine. */
enum { MACHINE_QS20, MACHINE_QS21, MACHINE_QS22, MACHINE_PS3, MACHINES };
extern const struct machine machines[MACHINES];

/* Costs in cycles. */
enum {
    /* to read a 128-byte line from the cache of another core, on the same Cell or on the other */
    LINE_SAME_CELL = 320,
    LINE_OTHER_CELL = 800,
    LINE_OWN = 50,
    LINE_UPDATE = 320, /* for a conditional store, which invalidates other copies of the line */

    /* to read the clock for a timestamp; only then can the next slot be reserved */
    SPE_STAMP = 100,
    PPE_STAMP = 400,
    /* to write the record, after the slot is released */
    SPE_RECORD = 500,
    PPE_RECORD = 1500,

    /* for the single store that writes a record with --tracer=hardware */
    STORE_RECORD = 10,

    /* DMA transfers */
    DMA_ISSUE = 12,
    DMA_LATENCY = 1600,
    DMA_BYTES_PER_CYCLE = 8, /* rate of the port of an SPE, and of the memory of a Cell */
    SPE_RECORD_BYTES = 40,   /* maximum size of a record of an SPE */

    /* mailboxes */
    CHANNEL = 10,
    MMIO_WRITE = 500,
    MMIO_READ = 1000,
    MAILBOX_POLL = 3200,
    INTERRUPT_WAKE = 32000,

    /* to transfer messages between ranks */
    NET_CALL = 3200,
    NET_SAME_NODE = 1600,
    NET_OTHER_NODE = 9600,
    NET_QUEUE = 64000,
    NET_BYTES_PER_CYCLE = 1,

    /* ranks of clusters, which log their steps; cluster/wires.c has the costs of messages */
    LOG_CALL = 960,            /* to log one event */
    SEND_CALL = 320,           /* from the end of a transfer to the end of the send */
    MEET_CALL = 320,           /* from the end of a collective operation to the end of the step */
    ROOM_CALL = 32000,         /* to allocate memory for logs, on the PPE */
    LAUNCH_CYCLES = 320000000, /* time within which all nodes begin */

    /* starting and ending threads and SPE programs */
    CONTEXT_CREATE = 800000,
    THREAD_WAKE = 64000,
    THREAD_RETURN = 160000,
    SPE_START = 160000,

    /* context switches by the kernel */
    SAVE_WORK = 320000,
    RESTORE_WORK = 320000,
    DECR_HALT = 3200,
    DECR_START = 16000,
    STORE_MOVE = 34368, /* to move the local store by DMA: 262144 / 8 + 1600 */
    NOTIFIER_LAG = 64000,
    WORK_SPREAD_PERCENT = 25
};

/* Number of Cells in a node of a cluster. A node consists of two QS22 blades. */
enum { TRIBLADE_CELLS = 4 };

enum { IN_MAILBOX_DEPTH = 4, MFC_COMMANDS = 16, MFC_TAGS = 32, PPE_THREADS_PER_CELL = 2 };

#define QUANTUM_NS 100000000

static inline int64_t later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Convert cycles to whole ticks of the timebase, rounded down. */
int64_t machine_ticks(const struct machine *machine, int64_t cycles);

int64_t machine_ns(const struct machine *machine, int64_t cycles);

#endif

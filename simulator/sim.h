/* The simulation: a blade, its contexts, and shared resources.
 *
 *      main thread (ppe.c) --mailboxes--> contexts (context.c) <--loaded by-- SPEs (kernel.c)
 *                  \                        |    |                          /
 *                   +--- trace buffer ------+    +-- memory, barrier, mutex, counter (shared.c)
 *
 * Actors of the event queue are numbered: SPEs, then contexts, then the main thread, then those
 * that write extra records (probe.c). Each has a step function: called at the actor's moment, it
 * does its next step and returns when the actor acts again, or NEVER if another actor will wake
 * it. */
#ifndef PDTSIM_SIM_H
#define PDTSIM_SIM_H

#include "simulator/advice.h"
#include "simulator/mailbox.h"
#include "simulator/memory.h"
#include "simulator/queue.h"
#include "simulator/slots.h"
#include "simulator/workloads.h"

/* Contexts that wait, first come, first served. A context can be in two lines: for a mutex (or at
 * the barrier) and, while it is taken off its SPE, for an SPE. */
enum line_kind { LINE_SHARED, LINE_RUNNABLE, LINES };

struct line {
    enum line_kind kind;
    struct context *first, *last;
};

struct loop {
    int op;
    int64_t turn;
};

/* CREATED: its thread will call spe_context_run; CALLED: the SPE program has not begun. */
enum context_stage { CONTEXT_CREATED, CONTEXT_CALLED, CONTEXT_RUNNING, CONTEXT_ENDED };

struct context {
    struct writer writer; /* on an SPE */
    struct writer thread; /* its thread on the PPE */
    struct context *next[LINES];
    enum context_stage stage;
    int64_t run_begin;     /* cycles: spe_context_run was called */
    int64_t left;          /* while not on an SPE: cycles to its next step, or NEVER */
    int64_t writing_until; /* cycles: it writes a record, and is not stopped before this time */
    int64_t lost_cycles;   /* lag of its decrementer after being halted */
    size_t node;
    int swap; /* half swaps done with its neighbours (network.c) */
    bool loaded;
    bool joinable; /* spe_context_run has returned */
    bool missed;   /* it did not get the mutex at once */
    bool waits;    /* for the PPE to use a mailbox */

    int op, phase; /* position in its program */
    int64_t round, begin, piece;
    struct loop loops[LOOPS_MAX];
    int nloops;
    struct call_stack calls;
    struct call_tour tour;
    struct mfc mfc;
    struct mailbox in, out, out_interrupting;
};

/* The kernel's side of an SPE. */
enum spe_state {
    SPE_IDLE,
    SPE_RESTORING,
    SPE_REPORTING,
    SPE_RUNNING,
    SPE_STOPPING,
    SPE_SAVING,
    SPE_ENDING
};

struct spe {
    enum spe_state state;
    struct context *context;
    int64_t quantum_end;
    bool in_reported, out_reported; /* of this residency */
    struct clock clock;             /* with drift */
    int end_phase;
};

/* Shared resources besides memory. */
struct shared {
    int64_t line_free_at; /* of the barrier and the counter */
    int line_cell;
    int64_t counter_round, counter;
    struct line barrier;
    size_t arrived;
    struct line mutex;
    struct context *mutex_owner;
};

struct main_thread {
    struct writer writer;
    int op, phase;
    size_t index; /* of the present context */
    int64_t round, begin;
    bool started, ended;
    int64_t ended_at;        /* cycles: the program is over */
    struct context *awaited; /* it waits for the context's mailbox or end */
    struct call_stack calls;
};

/* A blade. The traced PPE is on node 0, which keeps true time. */
struct node {
    struct slots slots;
    struct clock clock; /* of the other nodes */
};

struct link;

/* The progress of an actor in a plan (probe.c). */
struct probe {
    int64_t next;
    bool ready;
};

struct sim {
    const struct machine *machine;
    struct workload workload;
    struct node *nodes;
    size_t nnodes;
    struct queue queue;
    struct rng rng;
    struct memory memory;
    struct shared shared;
    struct main_thread main;
    struct spe *spes;
    struct context *contexts;
    size_t nspes, ncontexts;
    struct link *links; /* network.h: NEIGHBOURS for each rank; NULL without ranks */
    size_t width;       /* columns of the grid of ranks */
    struct line runnable;
    int64_t ppe_free_at[CELLS_MAX * PPE_THREADS_PER_CELL];
    int64_t rounds; /* begun so far */
    bool last_round;
    int64_t limit; /* no round begins after this many records; 0: workload.rounds */
    bool notifier, drifts;
    bool calls; /* calls are recorded */
    uint64_t switches;
    const struct advice *advice; /* or NULL */
    struct probe *probes;        /* two for each plan */
    struct writer probe_thread;  /* on the PPE */
    uint64_t probed;             /* extra records written */
};

static inline size_t actor_of_spe(const struct sim *sim, const struct spe *spe)
{
    return (size_t)(spe - sim->spes);
}

static inline size_t actor_of_context(const struct sim *sim, const struct context *context)
{
    return sim->nspes + (size_t)(context - sim->contexts);
}

static inline size_t actor_of_main(const struct sim *sim)
{
    return sim->nspes + sim->ncontexts;
}

static inline void line_join(struct line *line, struct context *context)
{
    context->next[line->kind] = NULL;
    if (line->first)
        line->last->next[line->kind] = context;
    else
        line->first = context;
    line->last = context;
}

/* Remove and return the first context of a line; NULL if there is none. */
static inline struct context *line_leave(struct line *line)
{
    struct context *context = line->first;
    if (context)
        line->first = context->next[line->kind];
    return context;
}

/* The number of records. */
uint64_t sim_records(const struct sim *sim);

/* True if round `round`, counted from 0, takes place: all contexts get the same answer. */
bool sim_round(struct sim *sim, int64_t round);

/* Do kernel work on the first free thread of the PPEs. Returns its end. */
int64_t sim_ppe_work(struct sim *sim, int64_t cycles, int64_t now);

/* context.c: the program of a context. */
int64_t context_step(struct sim *sim, struct context *context, int64_t now);

/* Write a record of a context. Returns when it continues. */
int64_t context_record(struct sim *sim, struct context *context, enum event event, int64_t now,
                       uint64_t a, uint64_t b);

/* Wake a context that waits: now if it is on an SPE, otherwise when it is loaded. */
void context_wake(struct sim *sim, struct context *context, int64_t now);

/* calls.c: steps of a context and of the main thread, if calls are recorded. They return when the
 * step continues. */
int64_t calls_enter(struct sim *sim, struct context *context, enum routine routine, int64_t now);
int64_t calls_leave(struct sim *sim, struct context *context, int64_t now);
int64_t calls_main_enter(struct sim *sim, enum routine routine, int64_t now);
int64_t calls_main_leave(struct sim *sim, int64_t now);
/* A step that works, in phases from 0; it is over, and the next step is current, when the phase is
 * 0 again. */
int64_t calls_work(struct sim *sim, struct context *context, const struct op *op, int64_t now);

/* kernel.c: loading contexts on SPEs, and unloading them. */
int64_t kernel_step(struct sim *sim, struct spe *spe, int64_t now);
/* A context can run. */
void kernel_enqueue(struct sim *sim, struct context *context, int64_t now);
/* A context on an SPE stops for good at this time. */
void kernel_stopped(struct sim *sim, struct context *context, int64_t at);

/* ppe.c: the main thread. */
int64_t main_step(struct sim *sim, int64_t now);
/* A context has used a mailbox, or ended. */
void main_notice(struct sim *sim, struct context *context, bool interrupt, int64_t now);

/* probe.c: actors that write advised records. Set their first moments; does nothing without advice.
 */
void probe_start(struct sim *sim);
/* Step actor i of them: the PPE's of plan i / 2, or its SPE's. */
int64_t probe_step(struct sim *sim, size_t i, int64_t now);

/* shared.c: these return when the context continues, or NEVER. */
int64_t shared_add(struct sim *sim, struct context *context, int64_t now);
int64_t shared_arrive(struct sim *sim, struct context *context, int64_t now);
int64_t shared_lock(struct sim *sim, struct context *context, int64_t now);
int64_t shared_unlock(struct sim *sim, struct context *context, int64_t now);

/* Run until nothing is left to do; returns an error of the sink. */
csy_status sim_run(struct sim *sim, csy_error *error);

#endif

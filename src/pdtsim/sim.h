/*
 * The simulation: a blade, the contexts on it, and what they share.
 *
 *      main thread (ppe.c) --mailboxes--> contexts (context.c) <--loaded by-- SPEs (kernel.c)
 *                  \                        |    |                          /
 *                   +--- trace buffer ------+    +-- memory, barrier, mutex, counter (shared.c)
 *
 * Actors of the event queue are numbered: the SPEs, then the contexts, then the main thread, then
 * those that write extra records (probe.c).  Each
 * has a step function: given that it is its moment, do what comes next, and say when it acts again,
 * or NEVER if another will wake it.
 */
#ifndef PDTSIM_SIM_H
#define PDTSIM_SIM_H

#include "pdtsim/advice.h"
#include "pdtsim/mailbox.h"
#include "pdtsim/memory.h"
#include "pdtsim/queue.h"
#include "pdtsim/slots.h"
#include "pdtsim/workloads.h"

/* Contexts that wait, first come, first served.  One can stand in two lines at a time: for a mutex
 * (or at the barrier), and, taken off its SPE meanwhile, for an SPE. */
enum line_kind { LINE_SHARED, LINE_RUNNABLE, LINES };

struct line {
    enum line_kind kind;
    struct context *first, *last;
};

struct loop {
    int op;
    int64_t turn;
};

/* CREATED: its thread is to call spe_context_run; CALLED: the SPE program has not begun. */
enum context_stage { CONTEXT_CREATED, CONTEXT_CALLED, CONTEXT_RUNNING, CONTEXT_ENDED };

struct context {
    struct writer writer; /* on an SPE */
    struct writer thread; /* its thread on the PPE */
    struct context *next[LINES];
    enum context_stage stage;
    int64_t run_begin;     /* cycles: spe_context_run was called */
    int64_t left;          /* while it is on no SPE: cycles to its next step, or NEVER */
    int64_t writing_until; /* cycles: it is writing a record, and is not stopped before */
    int64_t lost_cycles;   /* by which its decrementer lags since it was halted */
    size_t node;
    int swap; /* how many halves of swaps with its neighbours it has done (network.c) */
    bool loaded;
    bool joinable; /* spe_context_run has returned */
    bool missed;   /* the mutex, when it asked for it */
    bool waits;    /* for the PPE to touch a mailbox */

    int op, phase; /* in its program */
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
    struct clock clock;             /* under drift */
    int end_phase;
};

/* What the contexts share beside memory. */
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
    size_t index; /* of the context it is at */
    int64_t round, begin;
    bool started, ended;
    int64_t ended_at;        /* cycles: the program is over */
    struct context *awaited; /* whose mailbox, or end, it waits for */
    struct call_stack calls;
};

/* A blade.  The PPE that is traced is the one of node 0, which keeps true time. */
struct node {
    struct slots slots;
    struct clock clock; /* of all others */
};

struct link;

/* How far an actor is with a plan (probe.c). */
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
    struct link *links; /* network.h: NEIGHBOURS a rank; NULL where there are no ranks */
    size_t width;       /* columns of the ranks' grid */
    struct line runnable;
    int64_t ppe_free_at[CELLS_MAX * PPE_THREADS_PER_CELL];
    int64_t rounds; /* begun so far */
    bool last_round;
    int64_t limit; /* no round begins after that many records; 0: workload.rounds are done */
    bool notifier, drifts;
    bool calls; /* are recorded */
    uint64_t switches;
    const struct advice *advice; /* NULL: none */
    struct probe *probes;        /* two a plan */
    struct writer probe_thread;  /* on the PPE */
    uint64_t probed;             /* records */
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

/* The first of a line, taken out of it; NULL if there is none. */
static inline struct context *line_leave(struct line *line)
{
    struct context *context = line->first;
    if (context)
        line->first = context->next[line->kind];
    return context;
}

/* How many records there are. */
uint64_t sim_records(const struct sim *sim);

/* Whether that round (counted from 0) takes place: all contexts get the same answer. */
bool sim_round(struct sim *sim, int64_t round);

/* Kernel work on whichever thread of the PPEs is free first: when it is done. */
int64_t sim_ppe_work(struct sim *sim, int64_t cycles, int64_t now);

/* context.c: the program of a context. */
int64_t context_step(struct sim *sim, struct context *context, int64_t now);

/* Write a record of a context; when it goes on. */
int64_t context_record(struct sim *sim, struct context *context, enum event event, int64_t now,
                       uint64_t a, uint64_t b);

/* Wake a context that waits: now if it is on an SPE, else once it is. */
void context_wake(struct sim *sim, struct context *context, int64_t now);

/* calls.c: steps of a context and of the main thread, where calls are recorded: when they go on. */
int64_t calls_enter(struct sim *sim, struct context *context, enum routine routine, int64_t now);
int64_t calls_leave(struct sim *sim, struct context *context, int64_t now);
int64_t calls_main_enter(struct sim *sim, enum routine routine, int64_t now);
int64_t calls_main_leave(struct sim *sim, int64_t now);
/* A step that works, in phases from 0; it is over, and the next step is up, where the phase is 0
 * again. */
int64_t calls_work(struct sim *sim, struct context *context, const struct op *op, int64_t now);

/* kernel.c: loading contexts on SPEs, and taking them off. */
int64_t kernel_step(struct sim *sim, struct spe *spe, int64_t now);
/* A context can run. */
void kernel_enqueue(struct sim *sim, struct context *context, int64_t now);
/* A context on an SPE stops for good at that time. */
void kernel_stopped(struct sim *sim, struct context *context, int64_t at);

/* ppe.c: the main thread. */
int64_t main_step(struct sim *sim, int64_t now);
/* A context has touched a mailbox, or ended. */
void main_notice(struct sim *sim, struct context *context, bool interrupt, int64_t now);

/* probe.c: actors that write advised records.  Set their first moments; nothing without an
 * advice. */
void probe_start(struct sim *sim);
/* Actor i of them: the PPE's of plan i / 2, or its SPE's. */
int64_t probe_step(struct sim *sim, size_t i, int64_t now);

/* shared.c: these return when the context goes on, or NEVER. */
int64_t shared_add(struct sim *sim, struct context *context, int64_t now);
int64_t shared_arrive(struct sim *sim, struct context *context, int64_t now);
int64_t shared_lock(struct sim *sim, struct context *context, int64_t now);
int64_t shared_unlock(struct sim *sim, struct context *context, int64_t now);

/* Everything until nothing is left to do; an error of the sink shows there. */
csy_status sim_run(struct sim *sim, csy_error *error);

#endif

/* The simulation of a blade with its contexts and shared resources.
 *
 *      main thread (ppe.c) --mailboxes--> contexts (context.c) <--loaded by-- SPEs (kernel.c)
 *                  \                        |    |                          /
 *                   +--- trace buffer ------+    +-- memory, barrier, mutex, counter (shared.c)
 *
 * Actors of the event queue have numbers: first SPEs, then contexts, then the main thread, and then
 * the actors that write extra records (probe.c). Each actor has a step function, which is called at
 * the next moment of the actor. It does the next step of the actor. It returns the time when the
 * actor acts again, or NEVER if another actor will wake it. */
#ifndef PDTSIM_SIM_H
#define PDTSIM_SIM_H

#include "simulator/advice.h"
#include "simulator/mailbox.h"
#include "simulator/memory.h"
#include "simulator/queue.h"
#include "simulator/slots.h"
#include "simulator/workloads.h"

/* Lines of contexts that wait; the first context in a line is served first. A context can be in two
 * lines at the same time: in LINE_SHARED for the mutex or the barrier, and, while it is switched
 * out, in LINE_RUNNABLE for an SPE. */
enum line_kind { LINE_SHARED, LINE_RUNNABLE, LINES };

struct line {
    enum line_kind kind;
    struct context *first, *last;
};

struct loop {
    int op;
    int64_t turn;
};

/* CONTEXT_CREATED: the thread of the context has not called spe_context_run yet. CONTEXT_CALLED: it
 * has, but the SPE program has not begun. */
enum context_stage { CONTEXT_CREATED, CONTEXT_CALLED, CONTEXT_RUNNING, CONTEXT_ENDED };

struct context {
    struct writer writer; /* writes records of the context on an SPE */
    struct writer thread; /* writes records of the context's thread on the PPE */
    struct context *next[LINES];
    enum context_stage stage;
    int64_t run_begin; /* cycles: when spe_context_run was called */
    /* while the context is switched out: cycles from being loaded to its next step, or NEVER */
    int64_t left;
    /* cycles: end of the record that it writes now; it is not stopped before this time */
    int64_t writing_until;
    int64_t lost_cycles; /* cycles by which its decrementer lags, because it was halted */
    size_t node;
    int swap; /* number of half swaps that it has done with its neighbours (network.c) */
    bool loaded;
    bool joinable; /* spe_context_run has returned */
    bool missed;   /* the context had to wait for the mutex */
    bool waits;    /* the context waits until the PPE uses a mailbox */

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
    bool in_reported, out_reported; /* the switches of the current stay were recorded */
    struct clock clock;             /* used if clocks drift */
    int end_phase;
};

/* Shared resources besides memory. */
struct shared {
    int64_t line_free_at; /* when the cache line of the barrier and of the counter is free */
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
    size_t index; /* index of the context that the current step is about */
    int64_t round, begin;
    bool started, ended;
    int64_t ended_at;        /* cycles: when the program ended */
    struct context *awaited; /* the context whose mailbox or end the thread waits for; NULL: none */
    struct call_stack calls;
};

/* A blade. The PPE that is traced is on node 0, whose clock shows true time. */
struct node {
    struct slots slots;
    struct clock clock; /* the clock of a node other than node 0 */
};

struct link;

/* The progress of an actor in its plan of extra records (probe.c). */
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
    struct link *links; /* NEIGHBOURS items for each rank (network.h); NULL if there are no ranks */
    size_t width;       /* number of columns of the grid of ranks */
    struct line runnable;
    int64_t ppe_free_at[CELLS_MAX * PPE_THREADS_PER_CELL];
    int64_t rounds; /* number of rounds that have begun */
    bool last_round;
    /* after this many records, no further round begins; 0: workload.rounds is the limit */
    int64_t limit;
    bool notifier, drifts;
    bool calls; /* calls of functions are recorded */
    uint64_t switches;
    const struct advice *advice; /* the plans of extra records, or NULL */
    struct probe *probes;        /* two actors for each plan: one of the PPE, one of its SPE */
    struct writer probe_thread;  /* writes the extra records of the PPE */
    uint64_t probed;             /* number of extra records written */
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

/* The number of records written so far. */
uint64_t sim_records(const struct sim *sim);

/* True if a round takes place; the first round is 0. The answer is the same for all contexts. */
bool sim_round(struct sim *sim, int64_t round);

/* Do kernel work on the first hardware thread of the PPEs that is free. Returns the time when the
 * work ends. */
int64_t sim_ppe_work(struct sim *sim, int64_t cycles, int64_t now);

/* context.c: run the next step of a context. */
int64_t context_step(struct sim *sim, struct context *context, int64_t now);

/* Write a record of a context. Returns when it continues. */
int64_t context_record(struct sim *sim, struct context *context, enum event event, int64_t now,
                       uint64_t a, uint64_t b);

/* Wake a waiting context. It continues now if it is on an SPE, and otherwise as soon as it is
 * loaded. */
void context_wake(struct sim *sim, struct context *context, int64_t now);

/* calls.c: enter or leave a function, in a context or in the main thread. If calls are recorded,
 * this writes a record. The functions return the time when the step continues. */
int64_t calls_enter(struct sim *sim, struct context *context, enum routine routine, int64_t now);
int64_t calls_leave(struct sim *sim, struct context *context, int64_t now);
int64_t calls_main_enter(struct sim *sim, enum routine routine, int64_t now);
int64_t calls_main_leave(struct sim *sim, int64_t now);
/* Do a part of a step that computes. The parts are phases, from 0 on. When the phase is 0 again,
 * the step has ended, and the next step is current. */
int64_t calls_work(struct sim *sim, struct context *context, const struct op *op, int64_t now);

/* kernel.c: the kernel's side of an SPE, which loads and unloads contexts. */
int64_t kernel_step(struct sim *sim, struct spe *spe, int64_t now);
/* Note that a context can run, so that it gets an SPE when one is free. */
void kernel_enqueue(struct sim *sim, struct context *context, int64_t now);
/* Note that a context on an SPE ends at this time. */
void kernel_stopped(struct sim *sim, struct context *context, int64_t at);

/* ppe.c: run the next step of the main thread. */
int64_t main_step(struct sim *sim, int64_t now);
/* Note that a context used a mailbox, or ended. The main thread may be waiting for this. */
void main_notice(struct sim *sim, struct context *context, bool interrupt, int64_t now);

/* probe.c: the actors that write extra records. Set their first moments. Does nothing without
 * advice. */
void probe_start(struct sim *sim);
/* Run the next step of the i-th of these actors: the one of the PPE, or the one of the SPE, for
 * plan i / 2. */
int64_t probe_step(struct sim *sim, size_t i, int64_t now);

/* shared.c: operations on shared resources. They return the time when the context continues, or
 * NEVER if it must be woken. */
int64_t shared_add(struct sim *sim, struct context *context, int64_t now);
int64_t shared_arrive(struct sim *sim, struct context *context, int64_t now);
int64_t shared_lock(struct sim *sim, struct context *context, int64_t now);
int64_t shared_unlock(struct sim *sim, struct context *context, int64_t now);

/* Run until all actors have ended. Returns an error of the sink. */
csy_status sim_run(struct sim *sim, csy_error *error);

#endif

/* The simulation of a blade with its contexts and shared resources.
 *
 *      main thread (ppe.c) --mailboxes--> contexts (context.c) <--loaded by-- SPEs (kernel.c)
 *                  \                        |    |                          /
 *                   +--- trace buffer ------+    +-- memory, barrier, mutex, counter (shared.c)
 *
 * The event queue numbers its actors: first SPEs, then contexts, then the main thread, and then the
 * actors that write extra records (probe.c). The step function of an actor is called when its time
 * comes. It does one step, and returns the time of the next one, or NEVER if another actor will
 * wake this one. */
#ifndef PDTSIM_SIM_H
#define PDTSIM_SIM_H

#include "simulator/advice.h"
#include "simulator/mailbox.h"
#include "simulator/memory.h"
#include "simulator/queue.h"
#include "simulator/slots.h"
#include "simulator/workloads.h"

/* Lines of waiting contexts; the first is served first. A context can be in two lines: in
 * LINE_SHARED for the mutex or the barrier and, while switched out, in LINE_RUNNABLE for an SPE. */
enum line_kind { LINE_SHARED, LINE_RUNNABLE, LINES };

struct line {
    enum line_kind kind;
    struct context *first, *last;
};

struct loop {
    int op;
    int64_t turn;
};

/* CONTEXT_CREATED: spe_context_run was not called yet. CONTEXT_CALLED: it was called, but the SPE
 * program has not begun. */
enum context_stage { CONTEXT_CREATED, CONTEXT_CALLED, CONTEXT_RUNNING, CONTEXT_ENDED };

struct context {
    struct writer writer; /* writes records of the context on an SPE */
    struct writer thread; /* writes records of the context's thread on the PPE */
    struct context *next[LINES];
    enum context_stage stage;
    int64_t run_begin; /* cycles: when spe_context_run was called */
    /* if switched out: cycles from loading until the next step, or NEVER */
    int64_t left;
    /* cycles: end of the current record, before which the context is not stopped */
    int64_t writing_until;
    int64_t lost_cycles; /* lag of the decrementer after being halted, in cycles */
    size_t node;
    int swap; /* number of finished half swaps with neighbours (network.c) */
    bool loaded;
    bool joinable; /* spe_context_run has returned */
    bool missed;   /* the mutex was taken, so the context had to wait */
    bool waits;    /* the context waits for the PPE to use a mailbox */

    int op, phase; /* position in the program */
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
    bool in_reported, out_reported; /* the current stay's switches were recorded */
    struct clock clock;             /* used if clocks drift */
    int end_phase;
};

/* Shared resources besides memory. */
struct shared {
    int64_t line_free_at; /* when the cache line of barrier and counter is free */
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
    size_t index; /* index of the context that the step handles */
    int64_t round, begin;
    bool started, ended;
    int64_t ended_at;        /* cycles: when the program ended */
    struct context *awaited; /* the context whose mailbox or end is awaited, or NULL */
    struct call_stack calls;
};

/* A blade. Node 0 has the traced PPE; its clock shows true time. */
struct node {
    struct slots slots;
    struct clock clock; /* the clock of a node other than node 0 */
};

struct link;

/* The progress of an actor in a plan of extra records (probe.c). */
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
    struct link *links; /* NEIGHBOURS links for each rank (network.h); NULL without ranks */
    size_t width;       /* number of columns of the grid of ranks */
    struct line runnable;
    int64_t ppe_free_at[CELLS_MAX * PPE_THREADS_PER_CELL];
    int64_t rounds; /* number of rounds that have begun */
    bool last_round;
    /* no round begins after this many records; 0: workload.rounds is the limit */
    int64_t limit;
    bool notifier, drifts;
    bool calls; /* calls of functions are recorded */
    uint64_t switches;
    const struct advice *advice; /* the plans of extra records, or NULL */
    struct probe *probes;        /* two actors for each plan: on the PPE and on the SPE */
    struct writer probe_thread;  /* writes extra records of the PPE */
    uint64_t probed;             /* number of written extra records */
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

/* Remove and return the first context of a line, or NULL if the line is empty. */
static inline struct context *line_leave(struct line *line)
{
    struct context *context = line->first;
    if (context)
        line->first = context->next[line->kind];
    return context;
}

uint64_t sim_records(const struct sim *sim);

/* Returns true if a round takes place, the same for all contexts. Rounds are counted from 0. */
bool sim_round(struct sim *sim, int64_t round);

/* Do kernel work on the first free hardware thread of the PPEs. Returns when it ends. */
int64_t sim_ppe_work(struct sim *sim, int64_t cycles, int64_t now);

/* context.c: run the next step of a context. */
int64_t context_step(struct sim *sim, struct context *context, int64_t now);

/* Write a record of a context. Returns when the context continues. */
int64_t context_record(struct sim *sim, struct context *context, enum event event, int64_t now,
                       uint64_t a, uint64_t b);

/* Wake a waiting context. It continues now, or when it is loaded. */
void context_wake(struct sim *sim, struct context *context, int64_t now);

/* calls.c: enter or leave a function, in a context or the main thread, with a record if calls are
 * recorded. Returns when the step continues. */
int64_t calls_enter(struct sim *sim, struct context *context, enum routine routine, int64_t now);
int64_t calls_leave(struct sim *sim, struct context *context, int64_t now);
int64_t calls_main_enter(struct sim *sim, enum routine routine, int64_t now);
int64_t calls_main_leave(struct sim *sim, int64_t now);
/* Do one phase of a step that computes. The last one sets phase to 0 and begins the next step. */
int64_t calls_work(struct sim *sim, struct context *context, const struct op *op, int64_t now);

/* kernel.c: the kernel's side of an SPE, which loads and unloads contexts. */
int64_t kernel_step(struct sim *sim, struct spe *spe, int64_t now);
/* Let a context that can run wait for a free SPE. */
void kernel_enqueue(struct sim *sim, struct context *context, int64_t now);
void kernel_stopped(struct sim *sim, struct context *context, int64_t at);

/* ppe.c: run the next step of the main thread. */
int64_t main_step(struct sim *sim, int64_t now);
/* Wake the main thread if it waits for this context, which used a mailbox or ended. */
void main_notice(struct sim *sim, struct context *context, bool interrupt, int64_t now);

/* probe.c: set the first times of actors that write extra records, if there is advice. */
void probe_start(struct sim *sim);
/* Run the next step of actor i, which works for plan i / 2 on the PPE (even i) or on the SPE. */
int64_t probe_step(struct sim *sim, size_t i, int64_t now);

/* shared.c: shared resources. Return when the context continues, or NEVER if it must be woken. */
int64_t shared_add(struct sim *sim, struct context *context, int64_t now);
int64_t shared_arrive(struct sim *sim, struct context *context, int64_t now);
int64_t shared_lock(struct sim *sim, struct context *context, int64_t now);
int64_t shared_unlock(struct sim *sim, struct context *context, int64_t now);

/* Run until all actors have ended. Returns an error of the sink, if any. */
csy_status sim_run(struct sim *sim, csy_error *error);

#endif

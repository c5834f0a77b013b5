/* The simulation of a blade with its contexts and shared resources.
 *
 *      main thread (ppe.c) --mailboxes--> contexts (context.c) <--loaded by-- SPEs (kernel.c)
 *                  \                        |    |                          /
 *                   +--- trace buffer ------+    +-- memory, barrier, mutex, counter
 *
 * The event queue numbers its actors: first SPEs, then contexts, then the main thread, and then the
 * actors that write extra records (sim.c). Each kind of actor has a step function, which is
 * called when the actor's time comes. It does one step, and returns the time of the actor's next
 * step, or NEVER if another actor will wake the actor. Times are in cycles (machine.h). */
#ifndef PDTSIM_SIM_H
#define PDTSIM_SIM_H

#include "simulator/memory.h"
#include "simulator/queue.h"
#include "simulator/slots.h"
#include "simulator/workloads.h"

/* --- Extra records (advice.c): those that cellsync(1) recommends with --advise ---------------- */

/* Extra records while a context is loaded on an SPE. The SPE writes its first one at its local time
 * thread_ticks, and the next ones fine_ticks apart. The PPE writes its first one at its time
 * reference_ticks, and the next ones coarse_ticks apart. */
struct plan {
    /* id of the context, and number of the live interval in the context, from 1 */
    uint32_t context, ordinal;
    int64_t thread_ticks, fine_ticks, reference_ticks, coarse_ticks;
};

struct advice {
    int64_t records;
    struct plan *plans;
    size_t count;
};

/* Read a report. Threads without time for extra records get no plan. Returns CSY_INPUT if the
 * report contains no advice, or advice for a context other than 1 to ncontexts. */
csy_status advice_read(const char *path, size_t ncontexts, struct advice *out, csy_error *error);
void advice_fini(struct advice *advice);

/* --- Actors ------------------------------------------------------------------------------- */

/* The kinds of lines of waiting contexts; the first context of a line is served first. Contexts
 * wait in LINE_SHARED for the mutex or the barrier, and in LINE_RUNNABLE for an SPE. A context can
 * be in both lines at once. */
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
    int64_t run_begin; /* time of the call of spe_context_run, in cycles */
    /* while the context is not on an SPE: number of cycles from its next loading to its next step,
     * or NEVER while it waits for another actor */
    int64_t left;
    /* end of the current record, in cycles; the kernel waits for it before it stops the context */
    int64_t writing_until;
    int64_t lost_cycles; /* cycles for which the decrementer was halted in this context switch */
    size_t node;
    int swap; /* number of sends and receives of this OP_SWAP that are done or not needed */
    bool loaded;
    bool joinable; /* true if spe_context_run has returned */
    bool missed;   /* true if the mutex was taken when the context tried to take it */
    bool waits;    /* true if the context waits for the PPE to use a mailbox */

    int op, phase; /* index of the current step in the program, and phase of this step */
    int64_t round, begin, piece;
    struct loop loops[LOOPS_MAX];
    int nloops;
    struct call_stack calls;
    struct call_tour tour;
    struct mfc mfc;
    struct mailbox in, out, out_interrupting;
};

/* The states of an SPE, as the kernel sees it (kernel.c). */
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
    bool in_reported, out_reported; /* true if the context's loading, or unloading, was recorded */
    struct clock clock;             /* clock of the SPE, which is used only if clocks drift */
    int end_phase;
};

/* The resources that contexts share, besides memory: a work counter, a barrier, and a mutex. */
struct shared {
    int64_t line_free_at; /* time when the cache line of these resources is free, in cycles */
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
    int64_t ended_at;        /* time when the program ended, in cycles */
    struct context *awaited; /* the thread waits for this context's mailbox or end; or NULL */
    struct call_stack calls;
};

/* A blade. Node 0 runs the traced PPE. Its clock defines true time. */
struct node {
    struct slots slots;
    struct clock clock; /* clock of the node; not used for node 0 */
};

struct link;

/* Progress of one of the two writers of extra records (struct plan): the PPE or the SPE. */
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
    struct link *links; /* NEIGHBOURS links for each context (network.h); only ranks use them */
    size_t width;       /* number of columns of the grid of ranks */
    struct line runnable;
    int64_t ppe_free_at[CELLS_MAX * PPE_THREADS_PER_CELL];
    int64_t rounds;
    bool last_round;
    /* number of records after which no round begins; 0 if workload.rounds is the limit */
    int64_t limit;
    bool notifier, drifts;
    bool calls; /* true if calls of functions are recorded */
    uint64_t switches;
    const struct advice *advice; /* the plans of extra records, or NULL */
    struct probe *probes;        /* two for each plan: the PPE and the SPE write extra records */
    struct writer probe_thread;  /* writes extra records of the PPE */
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

/* Remove and return the first context of a line, or NULL if the line is empty. */
static inline struct context *line_leave(struct line *line)
{
    struct context *context = line->first;
    if (context)
        line->first = context->next[line->kind];
    return context;
}

uint64_t sim_records(const struct sim *sim);

/* Returns true if the round with this number, from 0, takes place. The first call for a round
 * decides for all contexts. */
bool sim_round(struct sim *sim, int64_t round);

/* Do kernel work of `cycles` on the hardware thread of a PPE that is free first. Returns the time
 * when the work ends. */
int64_t sim_ppe_work(struct sim *sim, int64_t cycles, int64_t now);

/* Run the next step of a context (context.c). Returns the time of the following step, or NEVER if
 * another actor must wake the context. */
int64_t context_step(struct sim *sim, struct context *context, int64_t now);

/* Write a record for a context. Returns the time when the context continues. */
int64_t context_record(struct sim *sim, struct context *context, enum event event, int64_t now,
                       const uint64_t *payload);

/* Wake a waiting context. It continues at `now`, or as soon as it is loaded on an SPE. */
void context_wake(struct sim *sim, struct context *context, int64_t now);

/* Enter or leave a function in a context, or in the main thread if `context` is NULL, and write a
 * record of the call (calls.c). Return the time when the step continues. */
int64_t calls_enter(struct sim *sim, struct context *context, enum routine routine, int64_t now);
int64_t calls_leave(struct sim *sim, struct context *context, int64_t now);
/* Do one phase of an OP_COMPUTE step with work that consists of calls. The last phase goes on to
 * the next step of the program. Returns the time of the next phase. */
int64_t calls_work(struct sim *sim, struct context *context, const struct op *op, int64_t now);

/* Run the next step of an SPE, which loads or unloads a context (kernel.c). Returns the time of the
 * following step, or NEVER. */
int64_t kernel_step(struct sim *sim, struct spe *spe, int64_t now);
/* Let a context wait for an SPE. If no SPE is idle, a running context is switched out at the end of
 * its quantum. */
void kernel_enqueue(struct sim *sim, struct context *context, int64_t now);
void kernel_stopped(struct sim *sim, struct context *context, int64_t at);

/* Run the next step of the main thread (ppe.c). Returns the time of the following step, or
 * NEVER. */
int64_t main_step(struct sim *sim, int64_t now);
/* Wake the main thread if it waits for this context. Call this after the context has used a mailbox
 * or ended. `interrupt` is true if an interrupt wakes the thread, and false if the thread polls. */
void main_notice(struct sim *sim, struct context *context, bool interrupt, int64_t now);

/* Run the simulation until all actors have ended, or until memory runs out or a sink fails; the
 * caller checks for these two failures. Returns CSY_INPUT if the program runs for more than a
 * year. */
csy_status sim_run(struct sim *sim, csy_error *error);

#endif

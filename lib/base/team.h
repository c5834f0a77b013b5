/* Threads that do a job together, step by step. */
#ifndef BASE_TEAM_H
#define BASE_TEAM_H

struct team;

typedef void team_job(void *user, struct team *team, unsigned self);

/* Run job in nworkers workers, including the caller with self = 0, and return after all have
 * finished. If not all can be started, fewer do the job. */
void team_run(unsigned nworkers, team_job *job, void *user);

/* The number of workers. */
unsigned team_size(const struct team *team);

/* Wait until all workers call this function; everything written before is then visible to all.
 * NULL: a single worker. */
void team_wait(struct team *team);

#endif

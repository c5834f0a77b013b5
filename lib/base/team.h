/* Threads that do a job together, in steps. */
#ifndef BASE_TEAM_H
#define BASE_TEAM_H

struct team;

typedef void team_job(void *user, struct team *team, unsigned self);

/* Run job in nworkers workers; the caller is number 0. Returns after all have finished. If some
 * cannot be started, fewer workers do the job. */
void team_run(unsigned nworkers, team_job *job, void *user);

unsigned team_size(const struct team *team);

/* Wait until all workers have called this function. Everything written before is then visible to
 * all. A NULL team is a single worker. */
void team_wait(struct team *team);

#endif

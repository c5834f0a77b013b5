/* Workers that do a job together, in steps. */
#ifndef BASE_TEAM_H
#define BASE_TEAM_H

struct team;

typedef void team_job(void *user, struct team *team, unsigned self);

/* Run `job` in nworkers workers; the caller is worker 0. Returns after all workers have finished.
 * If some workers cannot be started, fewer do the job. */
void team_run(unsigned nworkers, team_job *job, void *user);

unsigned team_size(const struct team *team);

/* Wait until all workers have called team_wait. Everything that they wrote before is then visible
 * to all workers. NULL stands for a team of one worker. */
void team_wait(struct team *team);

#endif

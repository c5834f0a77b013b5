/* Runs a job in several workers (threads of the system) at once, which can wait for each other. */
#ifndef BASE_TEAM_H
#define BASE_TEAM_H

struct team;

typedef void team_job(void *user, struct team *team, unsigned self);

/* Run `job` in nworkers workers. Worker 0 is the caller. Fewer workers run if some cannot be
 * started. Returns after all workers have finished. */
void team_run(unsigned nworkers, team_job *job, void *user);

unsigned team_size(const struct team *team);

/* Wait until all workers have called team_wait; then they see each other's earlier writes. `team`
 * is NULL if there is only one worker. */
void team_wait(struct team *team);

#endif

/* Threads that do one job together, step by step. */
#ifndef BASE_TEAM_H
#define BASE_TEAM_H

struct team;

typedef void team_job(void *user, struct team *team, unsigned self);

/* Run job in nworkers workers, of which the caller is the one with self = 0, and return when all
 * are done.  Where so many cannot be had, fewer do it. */
void team_run(unsigned nworkers, team_job *job, void *user);

/* How many they are. */
unsigned team_size(const struct team *team);

/* Wait until all of them are here: what each of them wrote before, all see after.  NULL: one
 * alone. */
void team_wait(struct team *team);

#endif

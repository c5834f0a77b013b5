/* See team.h. */
#include "base/team.h"

#include "base/worker.h"

#include <limits.h>
#include <pthread.h>
#include <stdlib.h>

struct member {
    struct team *team;
    unsigned self;
    pthread_t thread;
};

struct team {
    pthread_mutex_t lock;
    pthread_cond_t complete;
    unsigned size, here;
    unsigned long meetings;
    team_job *job;
    void *user;
};

unsigned team_size(const struct team *team)
{
    return team->size;
}

void team_wait(struct team *team)
{
    if (!team)
        return;
    pthread_mutex_lock(&team->lock);
    unsigned long meeting = team->meetings;
    if (++team->here == team->size) {
        team->here = 0;
        team->meetings++;
        pthread_cond_broadcast(&team->complete);
    }
    while (team->meetings == meeting)
        pthread_cond_wait(&team->complete, &team->lock);
    pthread_mutex_unlock(&team->lock);
}

static void *join_in(void *argument)
{
    struct member *member = argument;
    team_wait(member->team); /* afterwards all members have been started, and team->size is final */
    member->team->job(member->team->user, member->team, member->self);
    return NULL;
}

void team_run(unsigned nworkers, team_job *job, void *user)
{
    struct team team = {.lock = PTHREAD_MUTEX_INITIALIZER,
                        .complete = PTHREAD_COND_INITIALIZER,
                        .size = UINT_MAX,
                        .job = job,
                        .user = user};
    struct member *members = nworkers > 1 ? calloc(nworkers, sizeof *members) : NULL;
    unsigned wanted = members ? nworkers : 1, size = 1;
    while (size < wanted) {
        members[size] = (struct member){.team = &team, .self = size};
        if (!worker_start(&members[size].thread, join_in, &members[size]))
            break;
        size++;
    }
    pthread_mutex_lock(&team.lock);
    team.size = size;
    pthread_mutex_unlock(&team.lock);
    team_wait(&team);
    job(user, &team, 0);
    for (unsigned i = 1; i < size; i++)
        pthread_join(members[i].thread, NULL);
    free(members);
}

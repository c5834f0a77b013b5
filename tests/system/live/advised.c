/* See advised.h. */
#include "advised.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

enum { PAUSE_NS = 1000000, MARGINS_PER_SECOND = 200 };

void advised_init(struct advised *a)
{
    *a = (struct advised){.ready = 0};
    pthread_mutex_init(&a->mutex, NULL);
    pthread_cond_init(&a->changed, NULL);
}

void advised_fini(struct advised *a)
{
    pthread_cond_destroy(&a->changed);
    pthread_mutex_destroy(&a->mutex);
}

static struct event probe(const struct plan *plan, uint64_t i)
{
    return (struct event){CLOCK_PROBE, 0, 2, {plan->context, i}};
}

static void wait_until(const struct recorder *r, int64_t zero, int64_t time)
{
    while ((int64_t)recorder_now(r) - zero < time)
        ;
}

void advised_spe(struct advised *a, struct context *c)
{
    int64_t zero = (int64_t)c->offsets[0]; /* local times count from the first record */
    pthread_mutex_lock(&a->mutex);
    a->ready++;
    pthread_cond_broadcast(&a->changed);
    while (!a->ended) {
        struct plan plan = a->plan;
        if (plan.records == 0 || plan.context != c->id) {
            pthread_cond_wait(&a->changed, &a->mutex);
            continue;
        }
        pthread_mutex_unlock(&a->mutex);
        for (uint64_t i = 0; i < plan.records; i++) {
            wait_until(c->recorder, zero, plan.thread + (int64_t)i * plan.fine + plan.moved);
            context_event(c, probe(&plan, i));
        }
        pthread_mutex_lock(&a->mutex);
        a->plan.records = 0;
        pthread_cond_broadcast(&a->changed);
    }
    pthread_mutex_unlock(&a->mutex);
}

static void follow(struct advised *a, struct recorder *r, uint32_t tid, uint64_t hz,
                   struct plan plan)
{
    int64_t margin = plan.coarse + (int64_t)hz / MARGINS_PER_SECOND;
    plan.moved = (int64_t)recorder_now(r) + margin - plan.reference;
    pthread_mutex_lock(&a->mutex);
    a->plan = plan;
    pthread_cond_broadcast(&a->changed);
    pthread_mutex_unlock(&a->mutex);
    for (uint64_t i = 0; i < plan.records; i++) {
        struct event event = probe(&plan, i);
        wait_until(r, 0, plan.reference + (int64_t)i * plan.coarse + plan.moved);
        recorder_ppe(r, tid, &event);
    }
    pthread_mutex_lock(&a->mutex);
    while (a->plan.records > 0)
        pthread_cond_wait(&a->changed, &a->mutex);
    pthread_mutex_unlock(&a->mutex);
    printf("moved %" PRIu32 " %" PRId64 "\n", plan.context, plan.moved);
}

static bool read_plan(struct plan *plan, unsigned contexts, bool *end)
{
    char line[256];
    *end = fgets(line, sizeof line, stdin) == NULL;
    return *end ||
           (sscanf(line, "%" SCNu32 " %" SCNu64 " %" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd64,
                   &plan->context, &plan->records, &plan->thread, &plan->fine, &plan->reference,
                   &plan->coarse) == 6 &&
            plan->context >= 1 && plan->context <= contexts && plan->records >= 1);
}

static void pause_a_little(void)
{
    const struct timespec pause = {0, PAUSE_NS};
    nanosleep(&pause, NULL);
}

/* All that contexts waited for is over. */
static void end(struct advised *a)
{
    pthread_mutex_lock(&a->mutex);
    a->ended = true;
    pthread_cond_broadcast(&a->changed);
    pthread_mutex_unlock(&a->mutex);
}

bool advised_ppe(struct advised *a, struct recorder *r, uint32_t tid, uint64_t hz,
                 unsigned contexts, const char *name)
{
    pthread_mutex_lock(&a->mutex);
    while (a->ready < contexts)
        pthread_cond_wait(&a->changed, &a->mutex);
    pthread_mutex_unlock(&a->mutex);
    pause_a_little();
    recorder_ppe(r, tid, &(struct event){QUEUE_PUT, 0, 1, {0}});
    char first[4096];
    snprintf(first, sizeof first, "%s.first", name);
    bool good = recorder_save(r, first, "advised"), over = false;
    printf("first %s.pex\n", first);
    fflush(stdout);
    while (good && !over) {
        struct plan plan = {0};
        good = read_plan(&plan, contexts, &over);
        if (good && !over)
            follow(a, r, tid, hz, plan);
    }
    end(a);
    return good;
}

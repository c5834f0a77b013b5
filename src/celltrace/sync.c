/*
 * Synchronization of threads: each call is an interval, of what it is about and what it returned.
 * Those that can wait are waits.
 */
#include "celltrace/event.h"
#include "celltrace/real.h"
#include "celltrace/session.h"

#include <pthread.h>
#include <semaphore.h>

#define HOOK __attribute__((visibility("default")))

static atomic_bool wanted;

/* Name, function, wait or not, what its object is, parameters and arguments. */
#define CALLS(CALL)                                                                                \
    CALL(MUTEX_LOCK, pthread_mutex_lock, CT_WAIT, "mutex", (pthread_mutex_t * object), (object))   \
    CALL(MUTEX_TRYLOCK, pthread_mutex_trylock, CT_INTERVAL, "mutex", (pthread_mutex_t * object),   \
         (object))                                                                                 \
    CALL(MUTEX_TIMEDLOCK, pthread_mutex_timedlock, CT_WAIT, "mutex",                               \
         (pthread_mutex_t * object, const struct timespec *until), (object, until))                \
    CALL(MUTEX_UNLOCK, pthread_mutex_unlock, CT_INTERVAL, "mutex", (pthread_mutex_t * object),     \
         (object))                                                                                 \
    CALL(RWLOCK_RDLOCK, pthread_rwlock_rdlock, CT_WAIT, "rwlock", (pthread_rwlock_t * object),     \
         (object))                                                                                 \
    CALL(RWLOCK_TRYRDLOCK, pthread_rwlock_tryrdlock, CT_INTERVAL, "rwlock",                        \
         (pthread_rwlock_t * object), (object))                                                    \
    CALL(RWLOCK_TIMEDRDLOCK, pthread_rwlock_timedrdlock, CT_WAIT, "rwlock",                        \
         (pthread_rwlock_t * object, const struct timespec *until), (object, until))               \
    CALL(RWLOCK_WRLOCK, pthread_rwlock_wrlock, CT_WAIT, "rwlock", (pthread_rwlock_t * object),     \
         (object))                                                                                 \
    CALL(RWLOCK_TRYWRLOCK, pthread_rwlock_trywrlock, CT_INTERVAL, "rwlock",                        \
         (pthread_rwlock_t * object), (object))                                                    \
    CALL(RWLOCK_TIMEDWRLOCK, pthread_rwlock_timedwrlock, CT_WAIT, "rwlock",                        \
         (pthread_rwlock_t * object, const struct timespec *until), (object, until))               \
    CALL(RWLOCK_UNLOCK, pthread_rwlock_unlock, CT_INTERVAL, "rwlock", (pthread_rwlock_t * object), \
         (object))                                                                                 \
    CALL(COND_WAIT, pthread_cond_wait, CT_WAIT, "cond",                                            \
         (pthread_cond_t * object, pthread_mutex_t * mutex), (object, mutex))                      \
    CALL(COND_TIMEDWAIT, pthread_cond_timedwait, CT_WAIT, "cond",                                  \
         (pthread_cond_t * object, pthread_mutex_t * mutex, const struct timespec *until),         \
         (object, mutex, until))                                                                   \
    CALL(COND_SIGNAL, pthread_cond_signal, CT_INTERVAL, "cond", (pthread_cond_t * object),         \
         (object))                                                                                 \
    CALL(COND_BROADCAST, pthread_cond_broadcast, CT_INTERVAL, "cond", (pthread_cond_t * object),   \
         (object))                                                                                 \
    CALL(BARRIER_WAIT, pthread_barrier_wait, CT_WAIT, "barrier", (pthread_barrier_t * object),     \
         (object))                                                                                 \
    CALL(SEM_WAIT, sem_wait, CT_WAIT, "sem", (sem_t * object), (object))                           \
    CALL(SEM_TRYWAIT, sem_trywait, CT_INTERVAL, "sem", (sem_t * object), (object))                 \
    CALL(SEM_TIMEDWAIT, sem_timedwait, CT_WAIT, "sem",                                             \
         (sem_t * object, const struct timespec *until), (object, until))                          \
    CALL(SEM_POST, sem_post, CT_INTERVAL, "sem", (sem_t * object), (object))

#define NUMBER(name, function, kind, object, parameters, arguments) NUMBER_##name,
enum { CALLS(NUMBER) SYNC_TYPES };

#define TYPE(name, function, kind, object, parameters, arguments)                                  \
    {EVENT_ID(NUMBER_##name + 1, GROUP_SYNC), kind, 2, "SYNC", #name,                              \
     "object/address:" object " result/i64",  NULL},
static struct ct_type types[] = {CALLS(TYPE)};

static struct type_table table = {types, SYNC_TYPES, NULL};

__attribute__((constructor(HOOK_PRIORITY))) static void construct(void)
{
    if (!(session_events() & EVENTS_SYNC))
        return;
    types_register(&table);
    session_note_change(false);
    atomic_store(&wanted, true);
}

/* What the recorder itself brings about, as where malloc has been replaced, is none of the
 * program's. */
static bool records(void)
{
    return atomic_load_explicit(&wanted, memory_order_relaxed) &&
           atomic_load_explicit(&pages_record, memory_order_relaxed) &&
           !atomic_load_explicit(&local.busy, memory_order_relaxed);
}

static void record(unsigned which, uint64_t begin, const void *object, int result)
{
    const uint64_t values[] = {(uint64_t)(uintptr_t)object, (uint64_t)(int64_t)result};
    event_record(&types[which], true, begin, 0, values, 2);
}

/* sync_NAME, which the linker knows as NAME.  Arguments come with their parentheses:
 * NOLINTBEGIN(bugprone-macro-parentheses) */
#define WRAP(name, function, kind, what, parameters, arguments)                                    \
    REAL(int, function, parameters)                                                                \
    HOOK int sync_##function parameters __asm__(#function);                                        \
    int sync_##function parameters                                                                 \
    {                                                                                              \
        if (!records())                                                                            \
            return real_##function() arguments;                                                    \
        uint64_t begin = clock_now();                                                              \
        int result = real_##function() arguments;                                                  \
        record(NUMBER_##name, begin, object, result);                                              \
        return result;                                                                             \
    }
/* NOLINTEND(bugprone-macro-parentheses) */
CALLS(WRAP)

/* Records calls that synchronize threads. Each call is an interval with its object and result; a
 * call that may block is a wait. */
#include "recorder/event.h"
#include "recorder/real.h"
#include "recorder/session.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

static atomic_bool wanted;

/* Attributes of types, which cellstat(1) interprets. */
#define OF(what) "class=\"" what "\""
#define ACQUIRE(what) "role=\"acquire\" " OF(what)
#define RELEASE(what) "role=\"release\" " OF(what)
#define BUSY "role=\"mark\""
#define TRY(what) ACQUIRE(what) " stall=\"no\""

/* Columns: name of the event, function, kind, attributes, parameters, and arguments. */
#define CALLS(CALL)                                                                                \
    CALL(MUTEX_LOCK, pthread_mutex_lock, CT_WAIT, ACQUIRE("mutex"), (pthread_mutex_t * object),    \
         (object))                                                                                 \
    CALL(MUTEX_TRYLOCK, pthread_mutex_trylock, CT_INTERVAL, TRY("mutex"),                          \
         (pthread_mutex_t * object), (object))                                                     \
    CALL(MUTEX_TIMEDLOCK, pthread_mutex_timedlock, CT_WAIT, ACQUIRE("mutex"),                      \
         (pthread_mutex_t * object, const struct timespec *until), (object, until))                \
    CALL(MUTEX_UNLOCK, pthread_mutex_unlock, CT_INTERVAL, RELEASE("mutex"),                        \
         (pthread_mutex_t * object), (object))                                                     \
    CALL(RWLOCK_RDLOCK, pthread_rwlock_rdlock, CT_WAIT, ACQUIRE("rwlock"),                         \
         (pthread_rwlock_t * object), (object))                                                    \
    CALL(RWLOCK_TRYRDLOCK, pthread_rwlock_tryrdlock, CT_INTERVAL, TRY("rwlock"),                   \
         (pthread_rwlock_t * object), (object))                                                    \
    CALL(RWLOCK_TIMEDRDLOCK, pthread_rwlock_timedrdlock, CT_WAIT, ACQUIRE("rwlock"),               \
         (pthread_rwlock_t * object, const struct timespec *until), (object, until))               \
    CALL(RWLOCK_WRLOCK, pthread_rwlock_wrlock, CT_WAIT, ACQUIRE("rwlock"),                         \
         (pthread_rwlock_t * object), (object))                                                    \
    CALL(RWLOCK_TRYWRLOCK, pthread_rwlock_trywrlock, CT_INTERVAL, TRY("rwlock"),                   \
         (pthread_rwlock_t * object), (object))                                                    \
    CALL(RWLOCK_TIMEDWRLOCK, pthread_rwlock_timedwrlock, CT_WAIT, ACQUIRE("rwlock"),               \
         (pthread_rwlock_t * object, const struct timespec *until), (object, until))               \
    CALL(RWLOCK_UNLOCK, pthread_rwlock_unlock, CT_INTERVAL, RELEASE("rwlock"),                     \
         (pthread_rwlock_t * object), (object))                                                    \
    CALL(COND_SIGNAL, pthread_cond_signal, CT_INTERVAL, OF("cond"), (pthread_cond_t * object),     \
         (object))                                                                                 \
    CALL(COND_BROADCAST, pthread_cond_broadcast, CT_INTERVAL, OF("cond"),                          \
         (pthread_cond_t * object), (object))                                                      \
    CALL(BARRIER_WAIT, pthread_barrier_wait, CT_WAIT, "role=\"barrier\" " OF("barrier"),           \
         (pthread_barrier_t * object), (object))                                                   \
    CALL(SEM_WAIT, sem_wait, CT_WAIT, OF("sem"), (sem_t * object), (object))                       \
    CALL(SEM_TRYWAIT, sem_trywait, CT_INTERVAL, OF("sem"), (sem_t * object), (object))             \
    CALL(SEM_TIMEDWAIT, sem_timedwait, CT_WAIT, OF("sem"),                                         \
         (sem_t * object, const struct timespec *until), (object, until))                          \
    CALL(SEM_POST, sem_post, CT_INTERVAL, OF("sem"), (sem_t * object), (object))

/* Calls that release a mutex while they wait, with the same columns as in CALLS. */
#define WAITS(CALL)                                                                                \
    CALL(COND_WAIT, pthread_cond_wait, CT_WAIT, OF("cond"),                                        \
         (pthread_cond_t * object, pthread_mutex_t * mutex), (object, mutex))                      \
    CALL(COND_TIMEDWAIT, pthread_cond_timedwait, CT_WAIT, OF("cond"),                              \
         (pthread_cond_t * object, pthread_mutex_t * mutex, const struct timespec *until),         \
         (object, mutex, until))

#define NUMBER(name, function, kind, says, parameters, arguments) NUMBER_##name,
enum {
    CALLS(NUMBER) WAITS(NUMBER) MUTEX_FAILED,
    RWLOCK_FAILED,
    COND_UNLOCK,
    COND_LOCK,
    MUTEX_BUSY,
    RWLOCK_BUSY,
    SYNC_TYPES
};

#define TYPE(name, function, kind, says, parameters, arguments)                                    \
    TYPE_OF(NUMBER_##name, kind, #name, says)
#define TYPE_OF(number, kind, name, says)                                                          \
    {EVENT_ID((number) + 1, GROUP_SYNC), kind, 2, "SYNC", name,                                    \
     "object/address:object result/i64", says},
static struct ct_type types[] = {CALLS(TYPE) WAITS(TYPE)
                                 /* calls that failed to acquire a lock, with an error */
                                 TYPE_OF(MUTEX_FAILED, CT_WAIT, "MUTEX_FAILED", OF("mutex"))
                                     TYPE_OF(RWLOCK_FAILED, CT_WAIT, "RWLOCK_FAILED", OF("rwlock"))
                                 /* The mutex of a condition variable is released before the wait,
                                  * and acquired again after it. */
                                 TYPE_OF(COND_UNLOCK, CT_MARK, "COND_UNLOCK", RELEASE("mutex"))
                                     TYPE_OF(COND_LOCK, CT_MARK, "COND_LOCK", ACQUIRE("mutex"))
                                 /* attempts to acquire a lock without waiting, while another thread
                                  * holds it */
                                 TYPE_OF(MUTEX_BUSY, CT_INTERVAL, "MUTEX_BUSY", BUSY)
                                     TYPE_OF(RWLOCK_BUSY, CT_INTERVAL, "RWLOCK_BUSY", BUSY)};

static struct type_table table = {types, SYNC_TYPES, NULL};

__attribute__((constructor(HOOK_PRIORITY))) static void construct(void)
{
    if (!(session_events() & EVENTS_SYNC))
        return;
    types_register(&table);
    atomic_store(&wanted, true);
}

/* Returns true if calls of the calling thread are to be recorded. Calls by the recorder itself are
 * not recorded, and neither are calls by the C library at the end of a thread. */
static bool records(void)
{
    return event_wanted(&wanted) && !local.ended;
}

static void record(unsigned which, uint64_t begin, const void *object, int result)
{
    const uint64_t values[] = {(uint64_t)(uintptr_t)object, (uint64_t)(int64_t)result};
    event_record(&types[which], true, begin, 0, values, 2);
}

/* Returns `which`, or the type of a busy or failed lock if the result is an error. */
static unsigned outcome(unsigned which, int result)
{
    bool had = result == 0 || result == EOWNERDEAD;
    if (!had && which == NUMBER_MUTEX_TRYLOCK)
        return MUTEX_BUSY;
    if (!had && (which == NUMBER_RWLOCK_TRYRDLOCK || which == NUMBER_RWLOCK_TRYWRLOCK))
        return RWLOCK_BUSY;
    if (!had && (which == NUMBER_MUTEX_LOCK || which == NUMBER_MUTEX_TIMEDLOCK))
        return MUTEX_FAILED;
    if (!had && which >= NUMBER_RWLOCK_RDLOCK && which < NUMBER_RWLOCK_UNLOCK)
        return RWLOCK_FAILED;
    return which;
}

/* sync_NAME, which the linker knows as NAME. Arguments include their parentheses:
 * NOLINTBEGIN(bugprone-macro-parentheses) */
#define WRAP_WITH(name, function, parameters, arguments, before, after)                            \
    REAL(int, function, parameters)                                                                \
    HOOK int sync_##function parameters __asm__(#function);                                        \
    int sync_##function parameters                                                                 \
    {                                                                                              \
        if (!records())                                                                            \
            return real_##function() arguments;                                                    \
        before;                                                                                    \
        uint64_t begin = clock_now();                                                              \
        int result = real_##function() arguments;                                                  \
        record(outcome(NUMBER_##name, result), begin, object, result);                             \
        after;                                                                                     \
        return result;                                                                             \
    }
#define WRAP(name, function, kind, says, parameters, arguments)                                    \
    WRAP_WITH(name, function, parameters, arguments, , )
#define WRAP_WAIT(name, function, kind, says, parameters, arguments)                               \
    WRAP_WITH(name, function, parameters, arguments, record(COND_UNLOCK, 0, mutex, 0),             \
              record(COND_LOCK, 0, mutex, 0))
/* NOLINTEND(bugprone-macro-parentheses) */
CALLS(WRAP)
WAITS(WRAP_WAIT)

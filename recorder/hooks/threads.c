/* Records the creation, begin, end, and join of threads, with the kernel's thread ids.
 *
 * The creator of a thread records the id of the new thread. If the new thread runs first, it stores
 * its id. Otherwise the creator reads the id from the CPU clock of the new thread, which meanwhile
 * waits and thus cannot end. */
#include "recorder/event.h"
#include "recorder/real.h"
#include "recorder/session.h"

#include <pthread.h>

enum { CREATE, START, STOP, JOIN, THREAD_TYPES };

/* clang-format off */
static struct ct_type types[THREAD_TYPES] = {
    {EVENT_ID(1, GROUP_THREADS), CT_INTERVAL, 2, "THREADS", "THREAD_CREATE",
     "thread:thread routine/address", "role=\"create\" order=\"spawn\" thread=\"thread\""},
    {EVENT_ID(2, GROUP_THREADS), CT_MARK, 1, "THREADS", "THREAD_START", "routine/address",
     "role=\"start\""},
    {EVENT_ID(3, GROUP_THREADS), CT_MARK, 0, "THREADS", "THREAD_STOP", NULL, NULL},
    {EVENT_ID(4, GROUP_THREADS), CT_WAIT, 1, "THREADS", "THREAD_JOIN", "thread:thread",
     "order=\"join\" thread=\"thread\" class=\"task\""}};
/* clang-format on */

static struct type_table table = {types, THREAD_TYPES, NULL};
static atomic_bool wanted;

enum passing { NOT_YET, STARTED, ASKING, ANSWERED };

/* A created thread. The struct is kept until a later thread has the same handle. */
struct child {
    void *(*routine)(void *);
    void *argument;
    pthread_t handle;
    atomic_uint id;
    atomic_uint passing;
    atomic_bool read; /* true if the thread no longer uses this struct */
    struct child *next;
};

static struct {
    struct system_lock lock;
    struct child *first;
} children;

__attribute__((constructor(HOOK_PRIORITY))) static void construct(void)
{
    if (!(session_events() & EVENTS_THREADS))
        return;
    types_register(&table);
    atomic_store(&wanted, true);
}

REAL(int, pthread_create, (pthread_t *, const pthread_attr_t *, void *(*)(void *), void *))
REAL(int, pthread_join, (pthread_t, void **))

/* The functions have other names in C; __asm__ gives the linker the names that they replace. */
HOOK int threads_create(pthread_t *handle, const pthread_attr_t *attributes,
                        void *(*routine)(void *), void *argument) __asm__("pthread_create");
HOOK int threads_join(pthread_t handle, void **value) __asm__("pthread_join");

static bool records(void)
{
    return atomic_load_explicit(&wanted, memory_order_relaxed) &&
           atomic_load_explicit(&pages_record, memory_order_relaxed);
}

static void record_stop(void *unused)
{
    (void)unused;
    event_record(&types[STOP], false, 0, 0, NULL, 0);
}

static void *run(void *argument)
{
    struct child *child = argument;
    void *(*routine)(void *) = child->routine;
    const uint64_t values[] = {(uint64_t)(uintptr_t)routine};
    void *result;
    argument = child->argument;
    atomic_store(&child->id, system_thread());
    unsigned passing = NOT_YET;
    if (!atomic_compare_exchange_strong(&child->passing, &passing, STARTED))
        while (atomic_load(&child->passing) == ASKING)
            system_wait(&child->passing, ASKING);
    atomic_store(&child->read, true);
    event_record(&types[START], false, 0, 0, values, 1);
    pthread_cleanup_push(record_stop, NULL)
        /* pthread_cleanup_push opens a block, which pthread_cleanup_pop closes */
        result = routine(argument);
    pthread_cleanup_pop(1);
    return result;
}

int threads_create(pthread_t *handle, const pthread_attr_t *attributes, void *(*routine)(void *),
                   void *argument)
{
    bool ours = system_is_own_routine(routine);
    struct child *child = records() && !ours ? calloc(1, sizeof *child) : NULL;
    if (!child)
        return real_pthread_create()(handle, attributes, routine, argument);
    child->routine = routine;
    child->argument = argument;
    uint64_t begin = clock_now();
    int result = real_pthread_create()(handle, attributes, run, child);
    if (result) {
        free(child);
        return result;
    }
    child->handle = *handle;
    unsigned passing = NOT_YET;
    if (atomic_compare_exchange_strong(&child->passing, &passing, ASKING)) {
        clockid_t clock; /* encodes the id of the thread */
        bool known = pthread_getcpuclockid(child->handle, &clock) == 0;
        atomic_store(&child->id, known ? (uint32_t)(~clock >> 3) : 0);
        atomic_store(&child->passing, ANSWERED);
        system_wake(&child->passing);
    }
    const uint64_t values[] = {atomic_load(&child->id), (uint64_t)(uintptr_t)routine};
    event_record(&types[CREATE], false, begin, 0, values, 2);
    /* Add the child to the list. Remove older children with its handle; their threads have
     * ended. */
    system_lock(&children.lock);
    for (struct child **at = &children.first; *at;) {
        struct child *old = *at;
        if (!pthread_equal(old->handle, child->handle)) {
            at = &old->next;
            continue;
        }
        *at = old->next;
        if (atomic_load(&old->read)) /* If false, the thread of `old` still needs it: it has just
                                      * started, with the handle of a thread that has ended. */
            free(old);
    }
    child->next = children.first;
    children.first = child;
    system_unlock(&children.lock);
    return 0;
}

int threads_join(pthread_t handle, void **value)
{
    if (!records())
        return real_pthread_join()(handle, value);
    uint64_t id = 0;
    system_lock(&children.lock);
    for (const struct child *child = children.first; child && !id; child = child->next)
        if (pthread_equal(child->handle, handle))
            id = atomic_load(&child->id);
    system_unlock(&children.lock);
    uint64_t begin = clock_now();
    int result = real_pthread_join()(handle, value);
    if (result == 0)
        event_record(&types[JOIN], true, begin, 0, &id, 1);
    return result;
}

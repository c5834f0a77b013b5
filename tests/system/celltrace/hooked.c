/*
 * A program that knows nothing of the recorder, of threads and what they wait for, for
 * hooks_test.py; compiled with -finstrument-functions.  It prints what it did: lines of a name and
 * a number.
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { THREADS = 3, ROUNDS = 20 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t sem;
static unsigned arrived;
static long ids[THREADS];
static pthread_rwlock_t late_lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_key_t key;
static _Atomic unsigned late;

static inline __attribute__((always_inline)) unsigned expanded(unsigned n)
{
    return n + 1;
}

__attribute__((noinline, no_instrument_function)) static unsigned hidden(unsigned n)
{
    return n * 2;
}

__attribute__((noinline)) static unsigned work(unsigned n)
{
    return hidden(expanded(n));
}

/* Of a thread's key as often as there are rounds: the last one is after the recorder's end. */
__attribute__((no_instrument_function)) static void lock_late(void *value)
{
    pthread_rwlock_rdlock(&late_lock);
    pthread_rwlock_unlock(&late_lock);
    late++;
    pthread_setspecific(key, value);
}

__attribute__((no_instrument_function)) static void *run(void *index)
{
    unsigned sum = 0;
    pthread_setspecific(key, &key);
    ids[(uintptr_t)index] = syscall(SYS_gettid);
    for (unsigned i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&mutex);
        sum += work(i);
        pthread_mutex_unlock(&mutex);
        pthread_rwlock_rdlock(&rwlock);
        pthread_rwlock_unlock(&rwlock);
    }
    pthread_barrier_wait(&barrier);
    sem_post(&sem);
    pthread_mutex_lock(&mutex);
    arrived++;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    if (index)
        pthread_exit(NULL);
    return sum ? NULL : index;
}

__attribute__((no_instrument_function)) int main(void)
{
    pthread_t threads[THREADS];
    unsigned waits = 0;
    pthread_key_create(&key, lock_late);
    pthread_barrier_init(&barrier, NULL, THREADS);
    sem_init(&sem, 0, 0);
    for (uintptr_t i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, run, (void *)i);
    for (int i = 0; i < THREADS; i++)
        sem_wait(&sem);
    pthread_mutex_lock(&mutex);
    if (pthread_mutex_trylock(&mutex) == 0 || pthread_rwlock_trywrlock(&rwlock) != 0)
        return 1;
    pthread_rwlock_unlock(&rwlock);
    for (; arrived < THREADS; waits++)
        pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; i++)
        printf("id %ld\n", ids[i]);
    printf("late %u\n", late);
    printf("mutex %lu\nwaits %u\nwork %lu\nhidden %lu\npid %d\n", (unsigned long)(uintptr_t)&mutex,
           waits, (unsigned long)(uintptr_t)work, (unsigned long)(uintptr_t)hidden, (int)getpid());
    return 0;
}

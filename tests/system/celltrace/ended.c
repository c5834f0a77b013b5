/*
 * Threads that are cancelled, and main threads that end before the process, for ended_test.py.
 *
 *   ended cancel THREADS    threads without a cancellation point are cancelled as they begin: each
 *                           returns nevertheless
 *   ended wait ROUNDS       threads that wait for a condition are cancelled, 8 in each round
 *   ended torn ROUNDS       the same of threads that call functions and can be cancelled anywhere
 *   ended spend THREADS     the same of threads that ask what they have spent
 *   ended pthread_exit [N]  main ends before N threads, 1 by default; exit handlers run
 *   ended syscall STATUS    main ends by the system call exit alone
 *   ended quick_exit STATUS main ends by quick_exit
 *   ended daemon KEEP       main becomes a daemon, which keeps its folder (1), its files (2), or
 *                           both (3), and says on descriptor 3 what it has
 */
#include <cellsync/celltrace.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { AT_ONCE = 8, CALLS = 10000 };

#define PLAIN __attribute__((no_instrument_function))

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static volatile unsigned calls;

PLAIN static void sleep_us(long us)
{
    struct timespec time = {.tv_nsec = us * 1000};
    nanosleep(&time, NULL);
}

PLAIN static void *lock_often(void *argument)
{
    for (int i = 0; i < CALLS; i++) {
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
    }
    return argument;
}

PLAIN static void *ask_often(void *argument)
{
    struct ct_times times;
    for (int i = 0; i < CALLS / 100; i++)
        ct_times(&times);
    ct_flush();
    return argument;
}

PLAIN static void unlock(void *unused)
{
    (void)unused;
    pthread_mutex_unlock(&mutex);
}

/* The argument is NULL, here and below: compilers complain of code after an endless loop. */
PLAIN static void *wait_for_ever(void *argument)
{
    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(unlock, NULL)
        /* a block, which pop ends */
        while (!argument) pthread_cond_wait(&never, &mutex);
    pthread_cleanup_pop(1);
    return argument;
}

__attribute__((noinline)) static void count(void)
{
    calls++;
}

PLAIN static void *call_for_ever(void *argument)
{
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    while (!argument)
        count();
    return argument;
}

/* How many of the threads, `together` of them at once, returned in spite of it. */
PLAIN static int cancel(void *(*routine)(void *), int n, int together, bool later)
{
    pthread_t threads[AT_ONCE];
    void *result;
    int returned = 0;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < together; k++)
            if (pthread_create(&threads[k], NULL, routine, NULL))
                exit(1);
        if (later)
            sleep_us(i % 50 * 20);
        for (int k = 0; k < together; k++)
            pthread_cancel(threads[k]);
        for (int k = 0; k < together; k++) {
            pthread_join(threads[k], &result);
            returned += result != PTHREAD_CANCELED;
        }
    }
    return returned;
}

PLAIN static void say_end(void)
{
    puts("exit handler");
}

PLAIN static void *end_later(void *argument)
{
    sleep_us(100000);
    puts("thread ends");
    return argument;
}

PLAIN static int end_before(int threads)
{
    pthread_t thread;
    atexit(say_end);
    for (int i = 0; i < threads; i++)
        if (pthread_create(&thread, NULL, end_later, NULL))
            return 1;
    pthread_exit(NULL);
}

/* The daemon's folder, where its standard output goes, and whether it leads its session. */
PLAIN static int become_daemon(int keep)
{
    struct stat st, null;
    char folder[4096], text[sizeof folder + 64];
    if (daemon(keep & 1, keep & 2) || !getcwd(folder, sizeof folder) || fstat(STDOUT_FILENO, &st) ||
        stat("/dev/null", &null))
        return 1;
    int n = snprintf(text, sizeof text, "%s %s %s\n", folder,
                     st.st_rdev == null.st_rdev ? "null" : "kept",
                     getsid(0) == getpid() ? "leader" : "member");
    return write(3, text, (size_t)n) != n;
}

PLAIN int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    int n = argc > 2 ? atoi(argv[2]) : 1;
    if (strcmp(what, "cancel") == 0)
        printf("%d returned\n", cancel(lock_often, n, 1, false));
    else if (strcmp(what, "spend") == 0)
        printf("%d returned\n", cancel(ask_often, n, 1, false));
    else if (strcmp(what, "wait") == 0)
        printf("%d returned\n", cancel(wait_for_ever, n, AT_ONCE, true));
    else if (strcmp(what, "torn") == 0)
        printf("%d returned\n", cancel(call_for_ever, n, AT_ONCE, true));
    else if (strcmp(what, "pthread_exit") == 0)
        return end_before(n);
    else if (strcmp(what, "daemon") == 0)
        return become_daemon(n);
    else if (strcmp(what, "syscall") == 0 && write(STDOUT_FILENO, "main ends\n", 10) == 10)
        syscall(SYS_exit, n);
    else if (strcmp(what, "quick_exit") == 0 && write(STDOUT_FILENO, "main ends\n", 10) == 10)
        quick_exit(n);
    else
        return 2;
    return 0;
}

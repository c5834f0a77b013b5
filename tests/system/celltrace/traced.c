/*
 * A program that records, for celltrace_test.py.
 *
 *   traced count THREADS EVENTS   each thread records the numbers 0, 1, ... in turn
 *   traced sizes EVENTS           events of 0 to 30 values
 *   traced kinds                  one event of each kind and function
 *   traced until-killed FD THREADS  threads record numbers, and say after each 64th, by storing it
 *                                 in the file of that descriptor, how many there are at least
 *   traced storm                  threads that come and go, forks, signals whose handlers record
 *   traced talk ME ROUNDS IN OUT  sends numbered messages by a descriptor, gets some by another
 *   traced fork | exec SELF       a child records; another program takes over
 *   traced spend                  threads 0 works, 1 asks the system, 2 waits, 3 never ends; what
 *                                 the others have spent, as the system says it to themselves
 *   traced step EVENTS            a child records numbers, and before the n-th instruction of
 *                                 recording the n-th one a signal, whose handler records 10^6 and
 *                                 how many signals there were before
 *   traced closes FILE            closes all descriptors, opens others, records more in two threads
 */
#include <cellsync/celltrace.h>

#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { THREADS_MAX = 64, STORM_THREADS = 300, STORM_FORKS = 20, STORM_EVENTS = 500 };

static ct_type number;

static void *count(void *events)
{
    uint64_t n = *(const uint64_t *)events;
    for (uint64_t i = 0; i < n; i++)
        ct_mark1(number, i);
    return NULL;
}

static int count_in_threads(int threads, uint64_t events)
{
    pthread_t thread[THREADS_MAX];
    for (int i = 0; i < threads; i++)
        if (pthread_create(&thread[i], NULL, count, &events))
            return 1;
    for (int i = 0; i < threads; i++)
        pthread_join(thread[i], NULL);
    return 0;
}

static int record_kinds(void)
{
    static const uint64_t values[] = {1, 2, 3, 4, 5, 6, 7, 8};
    ct_type interval = ct_define("kinds", "INTERVAL", CT_INTERVAL, "a b c d e f");
    ct_type entry = ct_define("kinds", "block", CT_ENTRY, "");
    ct_type leaving = ct_define("kinds", "block", CT_EXIT, NULL);
    ct_type send = ct_define("kinds", "SEND", CT_SEND, "to:partner tag:key bytes:bytes");
    ct_type recv = ct_define("kinds", "RECV", CT_RECV, "from:partner tag:key bytes:bytes");
    ct_type state = ct_define("kinds", "STATE", CT_STATE, "state/i64");
    ct_type counter = ct_define("kinds", "COUNTER", CT_COUNTER, "a/f64 b");
    ct_type wait = ct_define("kinds", "WAIT", CT_WAIT, NULL);
    ct_type many = ct_define("kinds", "MANY", CT_MARK, "a b c d e f g h");
    ct_name_thread("kinds & <more>");
    uint64_t begin = ct_now();
    ct_mark0(entry);
    ct_mark1(state, (uint64_t)-3);
    ct_mark2(counter, 4, 5);
    ct_mark3(send, 6, 7, 8);
    ct_mark4(number, 9, 10, 11, 12);
    ct_interval0(wait, begin);
    ct_interval1(interval, begin, 1);
    ct_interval2(interval, begin, 1, 2);
    ct_interval3(recv, begin, 1, 2, 3);
    ct_interval4(interval, begin, 1, 2, 3, 4);
    ct_interval5(interval, begin, 1, 2, 3, 4, 5);
    ct_interval6(interval, begin, 1, 2, 3, 4, 5, 6);
    ct_values(many, 0, values, 8);
    ct_mark0(leaving);
    ct_mark0(entry); /* left never */
    ct_mark0(NULL);
    ct_stop();
    ct_mark1(number, 99);
    bool stopped = !ct_recording();
    ct_start();
    ct_sample("sample");
    ct_flush();
    bool same = ct_define("kinds", "WAIT", CT_WAIT, "") == wait;
    bool others =
        !ct_define("kinds", "WAIT", CT_WAIT, "a") && !ct_define("kinds", "", CT_MARK, "") &&
        !ct_define("GENERAL", "MINE", CT_MARK, "") && !ct_define("kinds", "BAD", CT_MARK, "a/u99");
    return stopped && same && others && ct_recording() ? 0 : 1;
}

/* Pairs of numbers, of a signed and of a real value, as the words say their bits. */
static int record_typed(int n, char **bits)
{
    ct_type typed = ct_define("kinds", "TYPED", CT_COUNTER, "signed/i64 real/f64 plain at/address");
    for (int i = 0; i + 1 < n; i += 2) {
        uint64_t a = strtoull(bits[i], NULL, 16), b = strtoull(bits[i + 1], NULL, 16);
        ct_mark4(typed, a, b, a, b);
    }
    return 0;
}

static void *count_forever(void *said)
{
    enum { EVERY = 64 };
    for (uint64_t i = 0;; i++) {
        ct_mark1(number, i);
        if (i % EVERY == 0)
            __atomic_store_n((uint64_t *)said, i + 1, __ATOMIC_RELEASE);
    }
    return NULL;
}

static int record_until_killed(int fd, int threads)
{
    size_t size = (size_t)threads * sizeof(uint64_t);
    uint64_t *said = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    pthread_t thread;
    if (said == MAP_FAILED)
        return 1;
    for (int i = 1; i < threads; i++)
        if (pthread_create(&thread, NULL, count_forever, &said[i]))
            return 1;
    count_forever(&said[0]);
    return 0;
}

static void handle(int signal_number)
{
    ct_mark1(number, (uint64_t)signal_number);
}

static int storm(void)
{
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
    struct itimerval often = {{0, 200}, {0, 200}}, never = {{0, 0}, {0, 0}};
    uint64_t events = STORM_EVENTS;
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &often, NULL);
    for (int i = 0; i < STORM_THREADS; i += 10) {
        if (i % (STORM_THREADS / STORM_FORKS) == 0) {
            pid_t child = fork();
            if (child == 0) {
                ct_mark1(number, 7);
                _exit(ct_recording());
            }
            int status;
            while (child > 0 && waitpid(child, &status, 0) < 0)
                ;
            if (child < 0 || status)
                return 1;
        }
        if (count_in_threads(10, events))
            return 1;
    }
    setitimer(ITIMER_REAL, &never, NULL);
    printf("%d\n", STORM_THREADS * STORM_EVENTS);
    return 0;
}

/* Event i has i * 7 % 31 values, all i: pages end at every place. */
static int record_sizes(uint64_t events)
{
    enum { MOST = 31, STEP = 7 };
    uint64_t values[MOST];
    ct_type sized = ct_define("test", "SIZED", CT_MARK, "");
    for (uint64_t i = 0; i < events; i++) {
        for (unsigned k = 0; k < MOST; k++)
            values[k] = i;
        ct_values(sized, 0, values, (unsigned)(i * STEP % MOST));
    }
    return 0;
}

/* Message k from each to the other, in turns; the number of one says who sent it. */
static int talk(uint64_t me, uint64_t rounds, int in, int out)
{
    ct_type send = ct_define("talk", "SEND", CT_SEND, "from:key serial");
    ct_type recv = ct_define("talk", "RECV", CT_RECV, "from:key serial");
    uint64_t other = 1 - me, got;
    for (uint64_t k = 0; k < rounds; k++)
        for (uint64_t turn = 0; turn < 2; turn++) {
            uint64_t begin = ct_now();
            if (turn == me)
                ct_mark2(send, me, k);
            if (turn == me && write(out, &k, sizeof k) != (ssize_t)sizeof k)
                return 1;
            if (turn != me && read(in, &got, sizeof got) != (ssize_t)sizeof got)
                return 1;
            if (turn != me)
                ct_interval2(recv, begin, other, got);
        }
    return 0;
}

static int fork_once(void)
{
    ct_mark1(number, 1);
    pid_t child = fork();
    if (child == 0) {
        ct_mark1(number, 2);
        ct_flush();
        exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    ct_mark1(number, 3);
    return status;
}

static uint64_t clock_ns(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static uint64_t cpu_ns(void)
{
    return clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

enum { SPEND_NS = 25000000 };

/* What the kernel counted for this thread, in nanoseconds; ready -1: it does not count that. */
struct counted {
    long long running, ready;
};

static struct counted counted_of(const char *path)
{
    struct counted out = {0, 0};
    FILE *schedstat = fopen(path, "r");
    if (!schedstat || fscanf(schedstat, "%lld %lld", &out.running, &out.ready) != 2)
        out.ready = -1;
    if (schedstat)
        fclose(schedstat);
    return out;
}

static struct counted counted_now(void)
{
    cpu_ns(); /* brings up to date what the kernel has counted */
    return counted_of("/proc/thread-self/schedstat");
}

/* "KIND THREAD USER SYSTEM READY BLOCKED": the first two in microseconds, the others in
 * nanoseconds. */
static void say_spent(uint64_t kind, long long blocked)
{
    enum { US_PER_S = 1000000 };
    struct rusage usage;
    struct counted counted = counted_now();
    getrusage(RUSAGE_THREAD, &usage);
    printf("%d %ld %lld %lld %lld %lld\n", (int)kind, (long)syscall(SYS_gettid),
           (long long)usage.ru_utime.tv_sec * US_PER_S + usage.ru_utime.tv_usec,
           (long long)usage.ru_stime.tv_sec * US_PER_S + usage.ru_stime.tv_usec, counted.ready,
           blocked);
}

/* Sleep for SPEND_NS; returns for how long the thread neither ran nor was ready to run. That is
 * less than SPEND_NS where the thread had to wait for a CPU after its timer had started. */
static long long sleep_blocked(void)
{
    static const struct timespec a_while = {.tv_nsec = SPEND_NS};
    struct counted before = counted_now();
    uint64_t start = clock_ns(CLOCK_MONOTONIC);
    nanosleep(&a_while, NULL);
    long long passed = (long long)(clock_ns(CLOCK_MONOTONIC) - start);
    struct counted after = counted_now();
    return passed - (after.running - before.running) - (after.ready - before.ready);
}

/* The thread that never ends, what the kernel had counted for it before it paused, and when. */
static struct {
    long tid;
    struct counted counted;
    uint64_t at;
} paused;
static atomic_bool will_pause;

/* "3 THREAD BLOCKED": for how long it has been blocked since, in nanoseconds. */
static void say_paused(void)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/self/task/%ld/schedstat", paused.tid);
    uint64_t now = clock_ns(CLOCK_MONOTONIC);
    struct counted counted = counted_of(path);
    printf("3 %ld %lld\n", paused.tid,
           (long long)(now - paused.at) - (counted.running - paused.counted.running) -
               (counted.ready - paused.counted.ready));
}

static void *spend(void *how)
{
    static char bytes[65536];
    static volatile uint64_t sum;
    uint64_t kind = *(const uint64_t *)how;
    long long blocked = 0;
    ct_mark1(number, kind);
    while (kind == 0 && cpu_ns() < SPEND_NS)
        for (unsigned i = 0; i < 10000; i++)
            sum = sum + i;
    int zero = kind == 1 ? open("/dev/zero", O_RDONLY) : -1;
    while (kind == 1 && cpu_ns() < SPEND_NS && read(zero, bytes, sizeof bytes) > 0)
        ;
    if (kind == 2)
        blocked = sleep_blocked();
    if (kind == 3) {
        paused.tid = (long)syscall(SYS_gettid);
        paused.counted = counted_now();
        paused.at = clock_ns(CLOCK_MONOTONIC);
        will_pause = true;
        for (;;)
            pause();
    }
    say_spent(kind, blocked);
    return NULL;
}

static int spend_in_threads(void)
{
    enum { KINDS = 4 };
    static const uint64_t kinds[KINDS] = {0, 1, 2, 3};
    pthread_t threads[KINDS];
    for (int i = 0; i < KINDS; i++)
        if (pthread_create(&threads[i], NULL, spend, (void *)(uintptr_t)&kinds[i]))
            return 1;
    for (int i = 0; i < KINDS - 1; i++)
        pthread_join(threads[i], NULL);
    static const struct timespec a_while = {.tv_nsec = 1000000};
    while (!will_pause || clock_ns(CLOCK_MONOTONIC) - paused.at < SPEND_NS)
        nanosleep(&a_while, NULL);
    say_paused();
    return 0;
}

/* Of its own: how far the events have come when a signal arrives depends on how many instructions
 * recording takes, which differ by clock. */
static volatile uint64_t signals;

static void handle_step(int signal_number)
{
    (void)signal_number;
    ct_mark1(number, 1000000 + signals++);
}

/* It stops before each event, and once more. */
static int be_stepped(uint64_t events)
{
    struct sigaction action = {.sa_handler = handle_step};
    sigaction(SIGUSR1, &action, NULL);
    if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) < 0)
        return 1;
    for (uint64_t i = 0; i < events; i++) {
        raise(SIGSTOP);
        ct_mark1(number, i);
    }
    return 0;
}

static int step(const char *self, const char *events)
{
    int status;
    pid_t child = fork();
    if (child == 0) {
        execl(self, self, "be-stepped", events, (char *)NULL);
        _exit(1);
    }
    uint64_t n = 0;
    while (waitpid(child, &status, 0) == child && WIFSTOPPED(status)) {
        long signal_number = 0;
        if (WSTOPSIG(status) == SIGSTOP) {
            status = SIGTRAP << 8 | 0x7f;
            for (uint64_t i = 0; i < n && WIFSTOPPED(status) && WSTOPSIG(status) == SIGTRAP; i++)
                if (ptrace(PTRACE_SINGLESTEP, child, NULL, NULL) < 0 ||
                    waitpid(child, &status, 0) < 0) {
                    fprintf(stderr, "ptrace: it does not step\n");
                    return 1;
                }
            if (!WIFSTOPPED(status))
                break;
            signal_number = SIGUSR1;
            n++;
        } else if (WSTOPSIG(status) != SIGTRAP) {
            signal_number = WSTOPSIG(status);
        }
        if (ptrace(PTRACE_CONT, child, NULL, (void *)signal_number) < 0) {
            fprintf(stderr, "ptrace: it does not go on\n");
            return 1;
        }
    }
    printf("%llu\n", (unsigned long long)n);
    return !WIFEXITED(status) || WEXITSTATUS(status);
}

/* What was open to the library is the program's then. */
static int close_all(const char *file)
{
    enum { MOST = 1024 };
    int other;
    ct_mark1(number, 1);
    for (int fd = 3; fd < MOST; fd++)
        close(fd);
    while ((other = open(file, O_RDWR | O_CREAT, 0600)) >= 0 && other < MOST - 1)
        ;
    ct_mark1(number, 2);
    return count_in_threads(1, 1);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    number = ct_define("test", "NUMBER", CT_MARK, "number");
    if (strcmp(what, "count") == 0 && argc == 4)
        return count_in_threads(atoi(argv[2]), strtoull(argv[3], NULL, 10));
    if (strcmp(what, "sizes") == 0 && argc == 3)
        return record_sizes(strtoull(argv[2], NULL, 10));
    if (strcmp(what, "kinds") == 0)
        return record_kinds();
    if (strcmp(what, "typed") == 0)
        return record_typed(argc - 2, argv + 2);
    if (strcmp(what, "until-killed") == 0 && argc == 4)
        return record_until_killed(atoi(argv[2]), atoi(argv[3]));
    if (strcmp(what, "storm") == 0)
        return storm();
    if (strcmp(what, "talk") == 0 && argc == 6)
        return talk(strtoull(argv[2], NULL, 10), strtoull(argv[3], NULL, 10), atoi(argv[4]),
                    atoi(argv[5]));
    if (strcmp(what, "fork") == 0)
        return fork_once();
    if (strcmp(what, "spend") == 0)
        return spend_in_threads();
    if (strcmp(what, "step") == 0 && argc == 3)
        return step(argv[0], argv[2]);
    if (strcmp(what, "be-stepped") == 0 && argc == 3)
        return be_stepped(strtoull(argv[2], NULL, 10));
    if (strcmp(what, "closes") == 0 && argc == 3)
        return close_all(argv[2]);
    if (strcmp(what, "exec") == 0 && argc == 3) {
        ct_mark1(number, 1);
        execl(argv[2], argv[2], "count", "1", "5", (char *)NULL);
    }
    return 2;
}

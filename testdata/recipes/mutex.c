/* Threads that write one trace: each locks, then reads its clock, then writes its line. */
#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void note(const char *thread, const char *event)
{
    struct timespec now;
    pthread_mutex_lock(&lock);
    clock_gettime(CLOCK_MONOTONIC, &now);
    printf("%s,monotonic,%lld.%09ld,%s\n", thread, (long long)now.tv_sec, now.tv_nsec, event);
    pthread_mutex_unlock(&lock);
}

static void *work(void *name)
{
    for (int i = 0; i < 10; i++) {
        note(name, "step");
        usleep(1000); /* what a step takes */
    }
    return NULL;
}

int main(void)
{
    static char names[][8] = {"red", "green", "blue"};
    pthread_t threads[3];
    printf("thread,clock,time_s,event\n");
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, work, names[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}

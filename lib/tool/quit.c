/* See quit.h. */
#include "tool/quit.h"

#include <cellsync/cellsync.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

static sigset_t awaited;
static const char *const *watched;
static size_t nwatched;

static volatile sig_atomic_t pipe_broke;

static void note_pipe(int unused)
{
    (void)unused;
    pipe_broke = 1;
}

void quit_heed_pipe(void)
{
    struct sigaction old, heed = {.sa_handler = note_pipe};
    sigemptyset(&heed.sa_mask);
    if (sigaction(SIGPIPE, NULL, &old) == 0 && old.sa_handler != SIG_IGN)
        sigaction(SIGPIPE, &heed, NULL);
}

bool quit_pipe_broke(void)
{
    return pipe_broke != 0;
}

void quit_by_pipe(void)
{
    signal(SIGPIPE, SIG_DFL);
    raise(SIGPIPE);
}

static void *watch(void *unused)
{
    (void)unused;
    int got;
    if (sigwait(&awaited, &got) != 0)
        return NULL;
    for (size_t i = 0; i < nwatched; i++)
        if (watched[i])
            csy_abandon(watched[i]);
    signal(got, SIG_DFL);
    raise(got);
    pthread_sigmask(SIG_UNBLOCK, &awaited, NULL);
    return NULL;
}

void quit_watch(const char *const *paths, size_t n)
{
    pthread_t thread;
    sigset_t before;
    bool any = false;
    for (size_t i = 0; i < n; i++)
        any |= paths[i] != NULL;
    if (!any)
        return;
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU};
    struct sigaction old;
    sigemptyset(&awaited);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaddset(&awaited, signals[i]);
    if (pthread_sigmask(SIG_BLOCK, &awaited, &before) != 0)
        return;
    watched = paths;
    nwatched = n;
    if (pthread_create(&thread, NULL, watch, NULL) == 0)
        pthread_detach(thread);
    else
        pthread_sigmask(SIG_SETMASK, &before, NULL);
}

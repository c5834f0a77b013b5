/* Ends by signals. */
#include "cli/quit.h"

#include <pthread.h>
#include <signal.h>
#include <stddef.h>

static sigset_t awaited;
static const struct cli_options *watched;

static void abandon(const struct cli_options *options)
{
    const char *paths[] = {options->output, options->report, options->graph, options->clocks,
                           options->figures};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        if (paths[i])
            csy_abandon(paths[i]);
}

static volatile sig_atomic_t pipe_broke;

static void note_pipe(int unused)
{
    (void)unused;
    pipe_broke = 1;
}

void cli_quit_heed_pipe(void)
{
    struct sigaction old, heed = {.sa_handler = note_pipe};
    sigemptyset(&heed.sa_mask);
    if (sigaction(SIGPIPE, NULL, &old) == 0 && old.sa_handler != SIG_IGN)
        sigaction(SIGPIPE, &heed, NULL);
}

bool cli_quit_pipe_broke(void)
{
    return pipe_broke != 0;
}

void cli_quit_by_pipe(void)
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
    abandon(watched);
    signal(got, SIG_DFL);
    raise(got);
    pthread_sigmask(SIG_UNBLOCK, &awaited, NULL);
    return NULL;
}

/* Those that somebody wants to have ignored, as nohup(1) does, stay so. */
static void collect(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU};
    struct sigaction old;
    sigemptyset(&awaited);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaddset(&awaited, signals[i]);
}

void cli_quit_watch(const struct cli_options *options)
{
    pthread_t thread;
    sigset_t before;
    if (!options->output && !options->report && !options->graph && !options->clocks &&
        !options->figures)
        return;
    collect();
    if (pthread_sigmask(SIG_BLOCK, &awaited, &before) != 0)
        return;
    watched = options;
    if (pthread_create(&thread, NULL, watch, NULL) == 0)
        pthread_detach(thread);
    else
        pthread_sigmask(SIG_SETMASK, &before, NULL);
}

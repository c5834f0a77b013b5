/*
 * Preloaded, it has a program wait in front of its main, all linked and constructed, for requests
 * to run: each is a fork, which costs a quarter of a start.  started.py asks.
 *
 *   CELLSYNC_STARTER_FD=N   the requests come from there, a socket of packets; without it the
 *                           program runs as ever
 *
 * One byte says that it waits.  A request is a struct request and four descriptors: the three
 * standard streams and the working folder.  The answer is the status, as of waitpid(2).  When the
 * other end is closed, a program that still runs is killed, and all ends.
 */
#include <dlfcn.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434 /* headers older than the kernel lack it */
#endif

enum { STREAMS = 3, FOLDER = STREAMS, DESCRIPTORS, TEXT_MAX = 1 << 17 };

/* Strings, each with its zero: nargs arguments, then nvariables of the environment. */
struct request {
    uint32_t nargs, nvariables;
    char text[TEXT_MAX];
};

typedef int main_function(int argc, char **argv, char **envp);

static main_function *main_of_program;
static int requests;
/* Not of the heap, which main is to find as it is.  No string is shorter than its zero. */
static struct request request;
static char *words[TEXT_MAX + 2];

/* False: there is no more to come. */
static bool receive(int fds[DESCRIPTORS])
{
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(DESCRIPTORS * sizeof(int))];
    } control;
    struct iovec text = {&request, sizeof request};
    struct msghdr message = {.msg_iov = &text,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof control};
    ssize_t n = recvmsg(requests, &message, 0);
    const struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (n <= (ssize_t)offsetof(struct request, text) ||
        (message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) || !header ||
        header->cmsg_len != CMSG_LEN(DESCRIPTORS * sizeof(int)))
        return false;
    memcpy(fds, CMSG_DATA(header), DESCRIPTORS * sizeof *fds);
    return true;
}

static void close_all(const int fds[DESCRIPTORS])
{
    for (int i = 0; i < DESCRIPTORS; i++)
        close(fds[i]);
}

/* Ends the list that is written at *word by NULL; returns its begin. */
static char **list(char ***word, char **text, uint32_t n)
{
    char **begin = *word;
    for (; n; n--) {
        *(*word)++ = *text;
        *text += strlen(*text) + 1;
    }
    *(*word)++ = NULL;
    return begin;
}

static int run(const int fds[DESCRIPTORS])
{
    char **word = words, *text = request.text;
    close(requests);
    for (int i = 0; i < STREAMS; i++)
        if (dup2(fds[i], i) < 0)
            abort();
    if (fchdir(fds[FOLDER]) < 0)
        abort();
    close_all(fds);
    char **args = list(&word, &text, request.nargs);
    environ = list(&word, &text, request.nvariables);
    return main_of_program((int)request.nargs, args, environ);
}

/* The status that the process ends with; once the other end is closed it is killed. */
static int wait_for(pid_t process)
{
    int status = -1;
    int ended = (int)syscall(SYS_pidfd_open, process, 0);
    struct pollfd fds[] = {{.fd = ended, .events = POLLIN}, {.fd = requests}};
    if (ended < 0 || poll(fds, 2, -1) < 0 || fds[1].revents)
        kill(process, SIGKILL);
    if (ended >= 0)
        close(ended);
    waitpid(process, &status, 0);
    return status;
}

/* In place of main.  The program's own is called by a process that has done no more than fork. */
static int serve(int argc, char **argv, char **envp)
{
    int fds[DESCRIPTORS];
    (void)argc, (void)argv, (void)envp;
    int itself = (int)syscall(SYS_pidfd_open, getpid(), 0);
    if (itself < 0 || close(itself) < 0) /* kernels before Linux 5.3 have none */
        _exit(0);
    send(requests, "", 1, MSG_NOSIGNAL);
    while (receive(fds)) {
        pid_t process = fork();
        if (process == 0)
            return run(fds);
        close_all(fds);
        if (process < 0)
            break;
        int status = wait_for(process);
        send(requests, &status, sizeof status, MSG_NOSIGNAL);
    }
    _exit(0);
}

/* The C library's, which calls constructors, then main. */
int __libc_start_main(main_function *main, int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*rtld_fini)(void), void *stack_end);
int __libc_start_main(main_function *main, int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*rtld_fini)(void), void *stack_end)
{
    int (*real)(main_function *, int, char **, void (*)(void), void (*)(void), void (*)(void),
                void *);
    *(void **)&real = dlsym(RTLD_NEXT, "__libc_start_main");
    const char *fd = getenv("CELLSYNC_STARTER_FD");
    if (fd) {
        main_of_program = main;
        requests = (int)strtol(fd, NULL, 10);
        main = serve;
    }
    return real(main, argc, argv, init, fini, rtld_fini, stack_end);
}

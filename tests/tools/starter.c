/* Lets a program start quickly many times: if this library is preloaded, the program waits in front
 * of main for requests, and forks for each. A fork takes a quarter of the time of a start.
 *
 *   CELLSYNC_STARTER_FD=N   descriptor of the socket of requests (SOCK_SEQPACKET); if it is not
 *                           set, the program runs as usual
 *
 * The library sends a byte when it is ready for requests. A request is a struct request with four
 * descriptors: the standard streams and the working folder. The answer is a status as from
 * waitpid(2). If the other end of the socket is closed, a running program is killed, and the
 * library exits. started.py sends the requests. */
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
#define SYS_pidfd_open 434 /* missing in older headers */
#endif

enum { STREAMS = 3, FOLDER = STREAMS, DESCRIPTORS, TEXT_MAX = 1 << 17 };

/* A request. text: nargs arguments and then nvariables environment variables, each ending in
 * NUL. */
struct request {
    uint32_t nargs, nvariables;
    char text[TEXT_MAX];
};

typedef int main_function(int argc, char **argv, char **envp);

static main_function *main_of_program;
static int requests;
/* Static, because main must find an unused heap. Every word takes at least one byte of `text`. */
static struct request request;
static char *words[TEXT_MAX + 2];

/* Receive a request and its descriptors. Returns false if there are no more requests. */
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

/* Split the next n strings of *text into a list at *word, which ends in NULL. Returns the list. */
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

/* Returns the exit status of the process, which is killed if the other end of the socket closes. */
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

/* Runs instead of main. Each request runs the program's main in a new fork. */
static int serve(int argc, char **argv, char **envp)
{
    int fds[DESCRIPTORS];
    (void)argc, (void)argv, (void)envp;
    int itself = (int)syscall(SYS_pidfd_open, getpid(), 0);
    if (itself < 0 || close(itself) < 0) /* pidfd_open requires Linux 5.3 */
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

/* Replaces the function of the C library that calls constructors, and then main. */
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

/* Completes the records of programs that end by _exit, as some shells do, or by daemon(3). */
#include "recorder/session.h"
#include "recorder/system.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

/* The functions have other names in C; __asm__ gives the linker the names that they replace. */
HOOK void exit_at_once(int status) __asm__("_exit") __attribute__((noreturn));
HOOK void exit_by_standard(int status) __asm__("_Exit") __attribute__((noreturn));
HOOK int exit_into_daemon(int keep_folder, int keep_files) __asm__("daemon");

void exit_at_once(int status)
{
    session_leave();
    for (;;)
        syscall(SYS_exit_group, status);
}

void exit_by_standard(int status)
{
    exit_at_once(status);
}

/* A copy of glibc's daemon(). glibc's function cannot be called, because it ends the parent without
 * calling the _exit of this file. */
int exit_into_daemon(int keep_folder, int keep_files)
{
    pid_t child = fork();
    if (child > 0) {
        if (session_can_leave())
            system_say("the program called daemon(3): the daemon is not recorded; to record it, "
                       "have the program stay in the foreground");
        exit_at_once(0);
    }
    if (child < 0 || setsid() < 0)
        return -1;
    int moved = keep_folder ? 0 : chdir("/");
    (void)moved; /* if chdir fails, the daemon stays in its folder */
    if (keep_files)
        return 0;
    /* Redirect the standard descriptors to /dev/null. Fails with ENODEV if it is another device. */
    struct stat st;
    int null = open("/dev/null", O_RDWR);
    if (null < 0)
        return -1;
    bool good = fstat(null, &st) == 0;
    if (good && (!S_ISCHR(st.st_mode) || st.st_rdev != makedev(1, 3))) {
        errno = ENODEV;
        good = false;
    }
    for (int fd = STDIN_FILENO; good && fd <= STDERR_FILENO; fd++)
        dup2(null, fd);
    if (!good || null > STDERR_FILENO)
        close(null);
    return good ? 0 : -1;
}

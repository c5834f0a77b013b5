/*
 * peak - run a command and print the most memory it held, in KiB.
 *
 * Usage: peak COMMAND [ARGUMENT]...  A process begins with the mark of the one that started it:
 * this program is small, an interpreter is not.
 */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int status;
    struct rusage usage;
    pid_t child = argc > 1 ? fork() : -1;
    if (child == 0) {
        execvp(argv[1], argv + 1);
        _exit(127);
    }
    if (child < 0 || wait4(child, &status, 0, &usage) < 0 || status != 0)
        return 1;
    printf("%ld\n", usage.ru_maxrss);
    return 0;
}

/* Tests tubes (analysis/ranges/tube.h). Reads lines "least greatest slow fast c", one for each
 * instant of a clock. At an empty line, writes "lower upper", the range of the weighted sum. */
#include "analysis/ranges/tube.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void put_end(struct tube *tube, int sign)
{
    int128 end;
    if (!tube_greatest(tube, &end))
        printf("none");
    else
        printf("%" PRId64, (int64_t)(sign * end));
    tube_fini(tube);
}

int main(void)
{
    char line[256];
    struct tube up = {.begun = false}, down = {.begun = false};
    while (fgets(line, sizeof line, stdin)) {
        int64_t number[5];
        char *at = line;
        if (*line == '\n') {
            put_end(&down, -1);
            putchar(' ');
            put_end(&up, 1);
            putchar('\n');
            continue;
        }
        for (int i = 0; i < 5; i++)
            number[i] = strtoll(at, &at, 10);
        struct tube_instant instant = {number[0], number[1], number[2], number[3], number[4]};
        if (!tube_add(&up, &instant))
            return EXIT_FAILURE;
        instant.c = -instant.c;
        if (!tube_add(&down, &instant))
            return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}

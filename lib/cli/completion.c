/* A build tool that writes the shell completions of cellsync(1). */
#include "tool/completion.h"
#include "cli/table.h"

int main(int argc, char **argv)
{
    return completion_main(argc, argv, &cli_table);
}

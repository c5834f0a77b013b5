/* A build tool that writes the shell completions of cellstat(1). */
#include "tool/completion.h"
#include "cellstat/table.h"

int main(int argc, char **argv)
{
    return completion_main(argc, argv, &cellstat_table);
}

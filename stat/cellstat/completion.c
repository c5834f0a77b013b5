/* Writes the shell completions of cellstat(1) during the build. */
#include "tool/completion.h"
#include "cellstat/table.h"

int main(int argc, char **argv)
{
    return completion_main(argc, argv, &cellstat_table);
}

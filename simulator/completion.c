/* Writes the shell completions of pdtsim(1); runs at build time. */
#include "tool/completion.h"
#include "simulator/options.h"

int main(int argc, char **argv)
{
    return completion_main(argc, argv, &options_table);
}

/* Writes the completions of pdtsim(1), when it is built. */
#include "tool/completion.h"
#include "simulator/options.h"

int main(int argc, char **argv)
{
    return completion_main(argc, argv, &options_table);
}

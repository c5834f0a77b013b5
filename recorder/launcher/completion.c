/* Writes the shell completions of celltrace(1); runs at build time. */
#include "tool/completion.h"
#include "recorder/launcher/launcher_options.h"

int main(int argc, char **argv)
{
    return completion_main(argc, argv, &launcher_table);
}

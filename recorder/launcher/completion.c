/* Writes the completions of celltrace(1), when it is built. */
#include "tool/completion.h"
#include "recorder/launcher/launcher_options.h"

int main(int argc, char **argv)
{
    return completion_main(argc, argv, &launcher_table);
}

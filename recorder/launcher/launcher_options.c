/* The command line of celltrace(1). */
#include "recorder/launcher/launcher_options.h"

#include "recorder/page.h"
#include "recorder/settings.h"
#include "tool/usage.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char program[] = "celltrace";

#define complain(...) usage_complain(program, __VA_ARGS__)

static void set_option(const struct command *command, const struct option_row *row,
                       const char *text)
{
    memcpy((char *)command->options + row->at, &text, sizeof text);
}

static bool take_events(const struct command *command, const struct option_row *row,
                        const char *text)
{
    unsigned events;
    set_option(command, row, text);
    return settings_events(text, strlen(text), &events) ||
           complain("--%s: '%s' is not a comma-separated list of mpi, functions, threads, sync, "
                    "loops, blocks, and switches, or the word none",
                    row->name, usage_visible(text));
}

static bool take_bytes(const struct command *command, const struct option_row *row,
                       const char *text)
{
    uint64_t bytes;
    set_option(command, row, text);
    return settings_bytes(text, strlen(text), row->least, row->most, &bytes) ||
           complain("--%s: '%s' is not a number of bytes from %llu to %llu, such as 64k", row->name,
                    usage_visible(text), (unsigned long long)row->least,
                    (unsigned long long)row->most);
}

static bool take_skew(const struct command *command, const struct option_row *row, const char *text)
{
    uint64_t ns, ppm;
    set_option(command, row, text);
    return settings_skew(text, strlen(text), &ns, &ppm) ||
           complain("--%s: '%s' is not NS or NS,PPM with whole numbers up to %d and %d", row->name,
                    usage_visible(text), SKEW_NS_MAX, SKEW_PPM_MAX);
}

static bool take_word(const struct command *command, const struct option_row *row, const char *text)
{
    int chosen = option_choose(command, row, text);
    set_option(command, row, chosen >= 0 ? row->words[chosen] : NULL);
    return chosen >= 0;
}

#define AT(member) OPTION_AT(struct launcher_options, member)
#define WORDS(...) .words = OPTION_WORDS(__VA_ARGS__)

/* clang-format off */
static const struct option_row rows[] = {
    {.name = "output", .letter = 'o', .value = "RUN", AT(run), .files = "/",
     .help = "the folder of the run (default: celltrace.PID)",
     .hint = "the folder of the run", .value_hint = "folder"},
    {.name = "events", .letter = 'e', .value = "LIST", AT(events), .take = take_events,
     .suggested = OPTION_WORDS("mpi", "functions", "threads", "sync", "loops", "blocks",
                               "switches", "none"),
     .help = "events to record besides those of the program:\n"
             "mpi,functions,threads,sync (the default), loops,\n"
             "blocks,switches, or none",
     .hint = "events to record", .value_hint = "list"},
    {.name = "order", WORDS("block", "buffer"), AT(order), .take = take_word,
     .help = "pages of each thread (the default), or one buffer for\n"
             "all, in the order in which records reach it",
     .hint = "order of records"},
    {.name = "page", .value = "BYTES", AT(page), .least = PAGE_BYTES_MIN, .most = PAGE_BYTES_MAX,
     .take = take_bytes,
     .help = "size of one page; each thread, or the shared buffer,\n"
             "has several pages (default: 128k)",
     .hint = "size of a page", .value_hint = "bytes"},
    {.name = "buffer", .value = "BYTES", AT(buffer), .least = PAGE_BYTES_MIN,
     .most = UINT64_C(1) << 40, .take = take_bytes,
     .help = "maximum size of all pages of a process (default: 256M)",
     .hint = "size of all pages", .value_hint = "bytes"},
    {.name = "full", WORDS("wait", "drop"), AT(full), .take = take_word,
     .help = "if both pages of a thread are full: wait for the\n"
             "writer (the default), or drop events and count them",
     .hint = "behaviour if both pages are full"},
    {.name = "skew", .value = "NS[,PPM]", AT(skew), .take = take_skew,
     .help = "falsify the clock of each process, for tests: by up to\n"
             "NS and PPM; the true offsets are in RUN/truth.csv",
     .hint = "skew the clock of each process", .value_hint = "NS or NS,PPM"},
    {.name = "help", .letter = 'h', .action = COMMAND_HELP,
     .help = "show this help and exit",
     .hint = "show help and exit"},
    {.name = "version", .letter = 'V', .action = COMMAND_VERSION,
     .help = "show the version and exit"},
};
/* clang-format on */

const struct option_table launcher_table = {program, rows, sizeof rows / sizeof *rows, true, NULL};

static const char help_head[] =
    "Usage: celltrace [OPTION]... PROGRAM [ARGUMENT]...\n"
    "Run a program and record what its threads do, for cellsync.\n"
    "\n"
    "  celltrace -o run ./app                 record into the folder run\n"
    "  mpirun -n 8 celltrace -o run ./app     the same of 8 processes\n"
    "  cellsync run -o synced.csv             all of it, in one time\n"
    "\n";

static const char help_tail[] = "\nExit status: the status of PROGRAM; 125 if celltrace fails, 126 "
                                "if PROGRAM cannot be\nrun, 127 if PROGRAM is not found.\n";

void launcher_print_help(void)
{
    fputs(help_head, stdout);
    option_table_help(&launcher_table, NULL);
    fputs(help_tail, stdout);
}

static uint64_t bytes_of(const char *text, uint64_t usual)
{
    uint64_t bytes;
    return text && settings_bytes(text, strlen(text), 0, UINT64_MAX, &bytes) ? bytes : usual;
}

enum command_action launcher_read(int argc, char **argv, struct launcher_options *out)
{
    struct command command = {.table = &launcher_table, .options = out};
    *out = (struct launcher_options){.run = NULL};
    enum command_action action = command_read(&command, argc, argv);
    if (action != COMMAND_RUN)
        return action;
    out->program = command.operands;
    unsigned events = 0;
    uint64_t page = bytes_of(out->page, PAGE_BYTES);
    uint64_t two = pages_of_thread(page, (uint64_t)sysconf(_SC_PAGESIZE));
    if (bytes_of(out->buffer, BUFFER_BYTES) < two) {
        complain("--buffer: '%s' is too small for two pages of %s, which need %llu bytes",
                 out->buffer, out->page ? out->page : "128k", (unsigned long long)two);
        return COMMAND_USAGE;
    }
    if (command.noperands == 0) {
        complain("the name of a program (PROGRAM) is missing");
        return COMMAND_USAGE;
    }
    if (out->events && settings_events(out->events, strlen(out->events), &events) &&
        (events & EVENTS_SWITCHES) && out->order && strcmp(out->order, "buffer") == 0) {
        complain(
            "--events=switches requires --order=block, because the kernel reports switches late, "
            "and one buffer keeps records in the order of their timestamps");
        return COMMAND_USAGE;
    }
    return COMMAND_RUN;
}

/* tool/completion: what shells are told of a table of options. */
#include "support.h"
#include "tool/completion.h"

#include <stdio.h>
#include <string.h>

static const char *city(size_t i)
{
    static const char *const cities[] = {"rome", "oslo"};
    return i < 2 ? cities[i] : NULL;
}

static const struct option_row rows[] = {
    {.name = "output", .letter = 'o', .value = "FILE", .files = "", .help = "write it"},
    {.name = "page", .value = "FILE", .files = "*.html", .help = "read it"},
    {.name = "folder", .value = "FOLDER", .files = "/", .help = "where", .hint = "where it is"},
    {.name = "how",
     .letter = 'w',
     .words = OPTION_WORDS("fast", "well"),
     .help = "how",
     .excludes = "level"},
    {.name = "city", .value = "CITY", .suggest = city, .help = "whence"},
    {.name = "level",
     .value = "N",
     .optional = true,
     .suggested = OPTION_WORDS("1", "2"),
     .help = "how high",
     .value_hint = "number"},
    {.name = "size", .letter = 's', .value = "SIZE", .help = "how large", .excludes = "level"},
    {.name = "since", .value = "DAY", .help = "from when"},
    {.name = "quiet", .letter = 'q', .help = "say less"},
    {.name = "alone", .help = "do without"},
    {.name = "help", .letter = 'h', .action = COMMAND_HELP, .help = "help"},
};

static const struct option_table table = {"tool", rows, sizeof rows / sizeof *rows, false, city};

static const char template[] = "first @VALUES@\n"
                               "    case in\n"
                               "  @VALUES@\n"
                               "    esac\n"
                               "@OPTIONS@\n"
                               "    @ARGUMENTS@\n"
                               " @COMPLETE@\n"
                               "last\n";

static const char filled[] =
    "first @VALUES@\n"
    "    case in\n"
    "  -o | --output) _tool_files \"$cur\" ;;\n"
    "  --page) _tool_files \"$cur\" ;;\n"
    "  --folder) _tool_files \"$cur\" /$ ;;\n"
    "  -w | --how) _tool_words \"$cur\" fast well ;;\n"
    "  --city) _tool_words \"$cur\" rome oslo ;;\n"
    "  --level) _tool_words \"$cur\" 1 2 ;;\n"
    "  -s | --size | --since) ;;\n"
    "    esac\n"
    "_tool_words \"$cur\" --output= --page= --folder= --how= --city= --level --size= --since= "
    "--quiet \\\n"
    "    --alone --help\n"
    "    '(-o --output)'{-o+,--output=}'[write it]:file:_files'\n"
    "    '--page=[read it]:file:_files -g \"*.html(-.)\"'\n"
    "    '--folder=[where it is]:folder:_directories'\n"
    "    '(-w --how --level)'{-w+,--how=}'[how]:how:(fast well)'\n"
    "    '--city=[whence]:city:(rome oslo)'\n"
    "    '(-w --how -s --size)--level=-[how high]::number:(1 2)'\n"
    "    '(-s --size --level)'{-s+,--size=}'[how large]:size: '\n"
    "    '--since=[from when]:day: '\n"
    "    '(-q --quiet)'{-q,--quiet}'[say less]'\n"
    "    '--alone[do without]'\n"
    "    '(- *)'{-h,--help}'[help]'\n"
    " complete -c tool -f -n 'test (count (commandline -opc)) -eq 1' -a 'rome oslo'\n"
    " complete -c tool -s o -l output -r -F -d 'write it'\n"
    " complete -c tool -l page -r -F -d 'read it'\n"
    " complete -c tool -l folder -x -a '(__fish_complete_directories)' -d 'where it is'\n"
    " complete -c tool -s w -l how -x -a 'fast well' -d 'how'\n"
    " complete -c tool -l city -x -a 'rome oslo' -d 'whence'\n"
    " complete -c tool -l level -a '1 2' -d 'how high'\n"
    " complete -c tool -s s -l size -x -d 'how large'\n"
    " complete -c tool -l since -x -d 'from when'\n"
    " complete -c tool -s q -l quiet -d 'say less'\n"
    " complete -c tool -l alone -d 'do without'\n"
    " complete -c tool -s h -l help -d 'help'\n"
    "last\n";

START_TEST(templates_are_filled)
{
    struct folder folder;
    char program[] = "complete", in[sizeof folder.path], out[sizeof folder.path], got[4096] = "";
    char *arguments[] = {program, in, out, NULL};
    folder_open(&folder);
    snprintf(in, sizeof in, "%s", folder_file(&folder, "in"));
    snprintf(out, sizeof out, "%s", folder_file(&folder, "out"));
    ck_assert_int_eq(completion_main(3, arguments, &table), 1); /* there is no template */
    ck_assert_uint_eq(folder_count(&folder), 0);
    FILE *file = fopen(in, "w");
    ck_assert_ptr_nonnull(file);
    fputs(template, file);
    ck_assert_int_eq(fclose(file), 0);
    ck_assert_int_eq(completion_main(2, arguments, &table), 1);
    ck_assert_int_eq(completion_main(3, arguments, &table), 0);
    ck_assert_ptr_nonnull(file = fopen(out, "r"));
    ck_assert_uint_gt(fread(got, 1, sizeof got - 1, file), 0);
    fclose(file);
    ck_assert_str_eq(got, filled);
    folder_close(&folder);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("completion");
    tcase_add_test(tests, templates_are_filled);
    return unit_run();
}

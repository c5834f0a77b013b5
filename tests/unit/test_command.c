/* tool/command: options by a table. */
#include "support.h"
#include "tool/command.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum color { RED = 3, GREEN, BLUE };
enum rule { WARM = 1, COLD = 2 };

/* Guards see what is written beside a member. */
struct paint {
    bool thick, before_dry, dry, after_dry;
    uint32_t before_color;
    enum color color;
    uint32_t after_color;
    uint64_t before_count, count, after_count;
    const char *name;
    const char *level; /* of the optional value */
};

static bool take_count(const struct command *command, const struct option_row *row,
                       const char *text)
{
    option_store(command, row, strtoull(text, NULL, 10));
    return row->most == 0 || strtoull(text, NULL, 10) <= row->most;
}

static bool take_level(const struct command *command, const struct option_row *row,
                       const char *text)
{
    (void)row;
    ((struct paint *)command->options)->level = text ? text : "none";
    return true;
}

#define AT(member) OPTION_AT(struct paint, member)

static const struct option_row rows[] = {
    {.name = "name", .letter = 'n', .value = "NAME", AT(name), .help = "a name"},
    {.name = "thick", AT(thick), .rules = WARM, .excludes = "dry", .help = "thick"},
    {.name = "dry", .letter = 'd', .words = OPTION_WORDS("no", "yes"), AT(dry), .help = "dry"},
    {.name = "color",
     .words = OPTION_WORDS("red", "green", "blue"),
     .least = RED,
     AT(color),
     .rules = COLD,
     .needs = "name",
     .help = "its color"},
    {.name = "count",
     .value = "N",
     AT(count),
     .take = take_count,
     .most = UINT64_MAX - 1,
     .rules = WARM | COLD,
     .help = "how many"},
    {.name = "level", .optional = true, .value = "L", .take = take_level, .help = "how high"},
    {.name = "help", .letter = 'h', .action = COMMAND_HELP, .help = "help"},
};

static const struct option_table table = {"paint", rows, sizeof rows / sizeof *rows, false, NULL};

static enum command_action read_line(const char *line, struct command *command)
{
    static char text[256], *words[32];
    static struct paint paint;
    int n = 0;
    snprintf(text, sizeof text, "paint %s", line);
    for (char *word = strtok(text, " "); word; word = strtok(NULL, " "))
        words[n++] = word;
    words[n] = NULL;
    paint = (struct paint){.name = NULL};
    *command = (struct command){.table = &table, .options = &paint};
    optind = 0; /* getopt_long begins anew */
    return command_read(command, n, words);
}

START_TEST(values_reach_their_members_and_no_others)
{
    struct command command;
    ck_assert_int_eq(
        read_line("-n blue --color=blue --dry=yes --count=18446744073709551614 one two", &command),
        COMMAND_RUN);
    const struct paint *paint = command.options;
    ck_assert_str_eq(paint->name, "blue");
    ck_assert_int_eq(paint->color, BLUE);
    ck_assert(paint->dry && !paint->before_dry && !paint->after_dry && !paint->thick);
    ck_assert_uint_eq(paint->before_color | paint->after_color, 0);
    ck_assert(paint->count == UINT64_MAX - 1);
    ck_assert(paint->before_count == 0 && paint->after_count == 0);
    ck_assert_int_eq(command.noperands, 2);
    ck_assert_str_eq(command.operands[1], "two");
    ck_assert(command_has(&command, "color") && !command_has(&command, "thick"));
    ck_assert(command_fits(&command));
}
END_TEST

START_TEST(optional_values_may_be_missing)
{
    struct command command;
    ck_assert_int_eq(read_line("--level --thick x", &command), COMMAND_RUN);
    ck_assert_str_eq(((struct paint *)command.options)->level, "none");
    ck_assert(((struct paint *)command.options)->thick);
    ck_assert_int_eq(read_line("--level=7 x", &command), COMMAND_RUN);
    ck_assert_str_eq(((struct paint *)command.options)->level, "7");
    ck_assert(!((struct paint *)command.options)->thick);
}
END_TEST

START_TEST(rules_are_of_what_was_given)
{
    struct command command;
    read_line("--count=1 --thick", &command);
    ck_assert_str_eq(command_first(&command, WARM)->name, "thick");
    ck_assert_str_eq(command_first(&command, COLD)->name, "count");
    ck_assert(command_fits(&command));
    read_line("--dry=no x", &command);
    ck_assert_ptr_null(command_first(&command, WARM | COLD));
    ck_assert_str_eq(option_shown(&rows[2]), "-d");
    ck_assert_str_eq(option_shown(&rows[3]), "--color");
    read_line("--color=red", &command);
    ck_assert(!command_fits(&command));
    read_line("--thick -d yes", &command);
    ck_assert(!command_fits(&command));
}
END_TEST

START_TEST(reading_ends_at_help_and_at_the_first_fault)
{
    struct command command;
    ck_assert_int_eq(read_line("--thick -h --nothing", &command), COMMAND_HELP);
    ck_assert_int_eq(read_line("--nothing -h", &command), COMMAND_USAGE);
    ck_assert_int_eq(read_line("--color=mauve", &command), COMMAND_USAGE);
    ck_assert_int_eq(read_line("--count=18446744073709551615", &command), COMMAND_USAGE);
    ck_assert_int_eq(read_line("--name", &command), COMMAND_USAGE);
    ck_assert_int_eq(read_line("--thick=1", &command), COMMAND_USAGE);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("command");
    tcase_add_test(tests, values_reach_their_members_and_no_others);
    tcase_add_test(tests, optional_values_may_be_missing);
    tcase_add_test(tests, rules_are_of_what_was_given);
    tcase_add_test(tests, reading_ends_at_help_and_at_the_first_fault);
    return unit_run();
}

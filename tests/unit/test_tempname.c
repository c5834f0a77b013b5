/* What dead processes left is swept, and nothing else. */
#include "output/file/tempname.h"
#include "support.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

typedef char *name_maker(const char *path, unsigned n);

/* A name that a process gave which is dead now. */
static void dead_name(name_maker *make, const char *path, char name[400])
{
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        char *made = make(path, 7);
        ssize_t n = made ? write(ends[1], made, strlen(made)) : 0;
        _exit(n <= 0);
    }
    ck_assert_int_eq(waitpid(child, NULL, 0), child);
    ssize_t n = read(ends[0], name, 399);
    ck_assert_int_gt(n, 0);
    name[n] = 0;
    close(ends[0]);
    close(ends[1]);
}

static bool exists(const char *path)
{
    struct stat st;
    return lstat(path, &st) == 0;
}

static void folder_path(const struct folder *folder, const char *name, char path[300])
{
    snprintf(path, 300, "%s", folder_file(folder, name));
}

/* Whether a file of this name goes when out.pex has been written. */
static bool is_swept(const struct folder *folder, const char *name)
{
    char kept[300];
    folder_path(folder, "out.pex", kept);
    file_write(name, "x", 1);
    tempname_sweep(kept);
    bool swept = !exists(name);
    unlink(name);
    return swept;
}

START_TEST(dead_names_are_swept)
{
    struct folder folder;
    char kept[300], other[300], name[400], longer[410];
    folder_open(&folder);
    folder_path(&folder, "out.pex", kept);
    folder_path(&folder, "other.pex", other);
    dead_name(tempname_name, other, name);
    ck_assert(is_swept(&folder, name));
    snprintf(longer, sizeof longer, "%s.", name);
    ck_assert(!is_swept(&folder, longer));
    snprintf(longer, sizeof longer, "%s0", name);
    longer[strlen(longer) - 2] = '0';
    ck_assert(!is_swept(&folder, longer)); /* a number that no program writes so */
    char *digit = strstr(name, ".cellsync.") + 10;
    *digit = *digit == '0' ? '1' : '0';
    ck_assert(!is_swept(&folder, name)); /* of another host */
    folder_close(&folder);
}
END_TEST

/* Numbers that no process has belong to none. */
START_TEST(names_of_no_process_stay)
{
    static const char *const numbers[] = {"0", "-99999", "4294967297", "8589934591"};
    struct folder folder;
    char kept[300], name[400];
    folder_open(&folder);
    folder_path(&folder, "out.pex", kept);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        dead_name(tempname_name, kept, name);
        char *number = strstr(name, ".cellsync.") + strlen(".cellsync.00000000.");
        snprintf(number, (size_t)(name + sizeof name - number), "%s.7", numbers[i]);
        ck_assert_msg(!is_swept(&folder, name), "%s", name);
    }
    folder_close(&folder);
}
END_TEST

START_TEST(asides_wait_for_their_own_file)
{
    struct folder folder;
    char kept[300], other[300], name[400];
    folder_open(&folder);
    folder_path(&folder, "out.pex", kept);
    folder_path(&folder, "other.pex", other);
    file_write(kept, "x", 1);
    dead_name(tempname_aside_name, other, name);
    ck_assert(!is_swept(&folder, name));
    dead_name(tempname_aside_name, kept, name);
    ck_assert(is_swept(&folder, name));
    folder_close(&folder);
}
END_TEST

START_TEST(names_of_the_living_stay)
{
    struct folder folder;
    char kept[300];
    folder_open(&folder);
    folder_path(&folder, "out.pex", kept);
    char *name = tempname_name(kept, 3), *aside = tempname_aside_name(kept, 3);
    ck_assert(!is_swept(&folder, name));
    ck_assert(!is_swept(&folder, aside));
    free(name);
    free(aside);
    folder_close(&folder);
}
END_TEST

START_TEST(only_files_and_flat_folders_go)
{
    struct folder folder;
    char kept[300], name[400], inner[500];
    folder_open(&folder);
    folder_path(&folder, "out.pex", kept);
    dead_name(tempname_name, kept, name);
    ck_assert_int_eq(symlink("elsewhere", name), 0);
    tempname_sweep(kept);
    ck_assert(exists(name));
    unlink(name);
    ck_assert_int_eq(mkdir(name, 0700), 0);
    snprintf(inner, sizeof inner, "%s/metadata", name);
    file_write(inner, "x", 1);
    tempname_sweep(kept);
    ck_assert(!exists(name));
    folder_close(&folder);
}
END_TEST

/* Of a folder: what does not come from an output, or is no regular file, stays, and the folder. */
START_TEST(folders_of_others_stay)
{
    static const char *const names[] = {"a",    "spe",       "spe1x",   "clock", "clockx",
                                        "ppe1", "metadata2", "others/", ".otf2"};
    static const char *const good[] = {"ppe",    "others",   "spe0",       "context12",
                                       "clock3", "metadata", ".cellsync.x"};
    struct folder folder;
    char kept[300], name[400], inner[500];
    folder_open(&folder);
    folder_path(&folder, "out.pex", kept);
    dead_name(tempname_name, kept, name);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        ck_assert_int_eq(mkdir(name, 0700), 0);
        snprintf(inner, sizeof inner, "%s/ppe", name);
        file_write(inner, "x", 1);
        snprintf(inner, sizeof inner, "%s/%s", name, names[i]);
        if (strchr(names[i], '/'))
            ck_assert_int_eq(mkdir(inner, 0700), 0);
        else
            file_write(inner, "x", 1);
        tempname_sweep(kept);
        ck_assert_msg(exists(inner), "%s", names[i]);
        tempname_remove_folder(name, true);
        ck_assert(!exists(name));
    }
    ck_assert_int_eq(mkdir(name, 0700), 0);
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        snprintf(inner, sizeof inner, "%s/%s", name, good[i]);
        file_write(inner, "x", 1);
    }
    tempname_sweep(kept);
    ck_assert(!exists(name));
    folder_close(&folder);
}
END_TEST

/* A .pex that never got its name takes its records with it, and no others. */
START_TEST(records_go_with_a_pex_that_has_no_name)
{
    static const char text[] = "<a><!-- x --><trace_file x=\"y\" href=\"out.12345678.trace\"/></a>";
    struct folder folder;
    char kept[300], records[300], other[300], name[400];
    folder_open(&folder);
    folder_path(&folder, "out.pex", kept);
    folder_path(&folder, "out.12345678.trace", records);
    folder_path(&folder, "out.12345679.trace", other);
    for (int alone = 0; alone < 2; alone++) {
        file_write(records, "x", 1);
        file_write(other, "x", 1);
        dead_name(alone ? tempname_name : tempname_pex_name, kept, name);
        file_write(name, text, sizeof text - 1);
        tempname_sweep(kept);
        ck_assert(!exists(name) && exists(other));
        ck_assert_int_eq(exists(records), alone);
    }
    folder_close(&folder);
}
END_TEST

/* An OTF2 archive in the making, and then one file more. */
START_TEST(archives_go)
{
    static const char *const good[] = {"t.otf2",  "t.def",   "t.marker", "t/",
                                       "t/7.evt", "t/7.def", "t/12.snap"};
    static const char *const more[] = {"", "t/x.evt", "t/7.txt", "t/7", "t/u/", "u/", "t.evt"};
    struct folder folder;
    char kept[300], name[400], inner[500];
    folder_open(&folder);
    folder_path(&folder, "out.pex", kept);
    dead_name(tempname_name, kept, name);
    for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
        ck_assert_int_eq(mkdir(name, 0700), 0);
        for (size_t k = 0; k < sizeof good / sizeof *good + (*more[i] != 0); k++) {
            const char *entry = k < sizeof good / sizeof *good ? good[k] : more[i];
            snprintf(inner, sizeof inner, "%s/%s", name, entry);
            if (entry[strlen(entry) - 1] == '/')
                ck_assert_int_eq(mkdir(inner, 0700), 0);
            else
                file_write(inner, "x", 1);
        }
        tempname_sweep(kept);
        ck_assert_msg(exists(name) == (*more[i] != 0), "%s", more[i]);
        ck_assert(!*more[i] || exists(inner));
        tempname_remove_folder(name, true);
        ck_assert_int_eq(exists(name), strcmp(more[i], "t/u/") == 0);
        rmdir(inner);
        tempname_remove_folder(name, true);
        ck_assert(!exists(name));
    }
    folder_close(&folder);
}
END_TEST

/* While names are being given in the folder. */
START_TEST(locked_folders_are_not_swept)
{
    struct folder folder;
    char kept[300], name[400];
    folder_open(&folder);
    folder_path(&folder, "out.pex", kept);
    dead_name(tempname_name, kept, name);
    int fd = open(folder.path, O_RDONLY | O_DIRECTORY);
    ck_assert_int_eq(flock(fd, LOCK_EX), 0);
    ck_assert(!is_swept(&folder, name));
    close(fd);
    ck_assert(is_swept(&folder, name));
    folder_close(&folder);
}
END_TEST

/* Only root can make one. */
START_TEST(files_of_other_users_stay)
{
    struct folder folder;
    char kept[300], name[400];
    if (geteuid() != 0)
        return;
    folder_open(&folder);
    folder_path(&folder, "out.pex", kept);
    dead_name(tempname_name, kept, name);
    file_write(name, "x", 1);
    ck_assert_int_eq(chown(name, 12345, 12345), 0);
    tempname_sweep(kept);
    ck_assert(exists(name));
    unlink(name);
    folder_close(&folder);
}
END_TEST

/* In a process of its own, which can give no more names afterwards. */
START_TEST(a_process_that_ends_takes_only_its_own)
{
    struct folder folder;
    char kept[300], dead[400];
    folder_open(&folder);
    folder_path(&folder, "out.pex", kept);
    dead_name(tempname_name, kept, dead);
    file_write(dead, "x", 1);
    file_write(kept, "x", 1);
    pid_t child = fork();
    if (child == 0) {
        char *made[] = {tempname_name(kept, 1), tempname_aside_name(kept, 2)};
        for (size_t i = 0; i < 2; i++)
            file_write(made[i], "x", 1);
        tempname_abandon(kept);
        bool wrong = exists(made[0]) || exists(made[1]) || !exists(dead) || !exists(kept);
        free(made[0]);
        free(made[1]);
        _exit(wrong);
    }
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    unlink(dead);
    folder_close(&folder);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("tempname");
    tcase_add_test(tests, dead_names_are_swept);
    tcase_add_test(tests, names_of_no_process_stay);
    tcase_add_test(tests, asides_wait_for_their_own_file);
    tcase_add_test(tests, names_of_the_living_stay);
    tcase_add_test(tests, only_files_and_flat_folders_go);
    tcase_add_test(tests, folders_of_others_stay);
    tcase_add_test(tests, archives_go);
    tcase_add_test(tests, records_go_with_a_pex_that_has_no_name);
    tcase_add_test(tests, locked_folders_are_not_swept);
    tcase_add_test(tests, files_of_other_users_stay);
    tcase_add_test(tests, a_process_that_ends_takes_only_its_own);
    return unit_run();
}

/* Paths of outputs: their parts, what stands there, and when two are one. */
#include "output/path.h"
#include "support.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct folder folder;

static void setup(void)
{
    folder_open(&folder);
}

static void teardown(void)
{
    folder_close(&folder);
}

static void assert_made(char *got, const char *want)
{
    ck_assert_str_eq(got ? got : "no memory", want);
    free(got);
}

START_TEST(parts_of_paths)
{
    static const struct {
        const char *path, *folder, *name, *plain;
    } cases[] = {{"a", "./", "a", "a"},         {"a/b.pex", "a/", "b.pex", "a/b.pex"},
                 {"/a", "/", "a", "/a"},        {"a//b", "a//", "b", "a//b"},
                 {"a/b//", "a/b//", "", "a/b"}, {"/", "/", "", "/"},
                 {"//", "//", "", "/"},         {"", "./", "", ""}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_made(path_folder(cases[i].path), cases[i].folder);
        ck_assert_str_eq(path_name(cases[i].path), cases[i].name);
        assert_made(path_plain(cases[i].path), cases[i].plain);
    }
}
END_TEST

static void assert_canonical(const char *path, const char *want)
{
    char *got = path_canonical(path);
    ck_assert_str_eq(got ? got : "nowhere", want);
    free(got);
}

START_TEST(kinds_and_names_of_paths)
{
    char real[PATH_MAX], want[PATH_MAX + 8];
    ck_assert_ptr_nonnull(realpath(folder.path, real));
    snprintf(want, sizeof want, "%s/new", real);
    ck_assert(!path_is_regular("-"));
    ck_assert(!path_is_standard(folder_file(&folder, "new")));
    ck_assert(!path_is_regular(folder.path));
    ck_assert(!path_is_regular("/dev/null"));
    ck_assert(path_is_regular(folder_file(&folder, "new")));
    assert_canonical(folder_file(&folder, "new"), want);
    assert_canonical(folder_file(&folder, "./new"), want);
    assert_canonical(folder_file(&folder, "missing/new"), "nowhere");
    file_write(folder_file(&folder, "new"), "", 0);
    ck_assert(path_is_regular(folder_file(&folder, "new")));
    ck_assert_int_eq(symlink("new", folder_file(&folder, "link")), 0);
    assert_canonical(folder_file(&folder, "link"), want);
}
END_TEST

START_TEST(one_file_has_many_paths)
{
    char *file = strdup(folder_file(&folder, "new")), *link = strdup(folder_file(&folder, "link"));
    char *round = strdup(folder_file(&folder, "../new")),
         *other = strdup(folder_file(&folder, "b"));
    ck_assert(file && link && round && other);
    ck_assert(path_same(file, folder_file(&folder, "./new")));
    ck_assert(!path_same(file, other) && !path_same(file, NULL) && !path_same(NULL, NULL));
    ck_assert(!path_same(file, round) && !path_same(file, "-") && path_same("-", "-"));
    ck_assert(!path_same("/dev/null", "/dev/null"));
    file_write(file, "", 0);
    ck_assert_int_eq(symlink("new", link), 0);
    ck_assert(path_same(link, file) && !path_same(link, other));
    assert_made(path_resolve(other), other);
    free(file);
    free(link);
    free(round);
    free(other);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("path");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, parts_of_paths);
    tcase_add_test(tests, kinds_and_names_of_paths);
    tcase_add_test(tests, one_file_has_many_paths);
    return unit_run();
}

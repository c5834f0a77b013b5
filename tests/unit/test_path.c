/* Paths of outputs: their parts, what stands there, and when two are one. */
#include "io/path.h"
#include "support.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct folder folder;

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
    ck_assert_int_eq(symlink("link", folder_file(&folder, "second")), 0);
    assert_canonical(folder_file(&folder, "second"), want);
    ck_assert_int_eq(unlink(folder_file(&folder, "new")), 0);
    assert_canonical(folder_file(&folder, "second"), want);
    ck_assert_int_eq(symlink(want, folder_file(&folder, "absolute")), 0);
    assert_canonical(folder_file(&folder, "absolute"), want);
    ck_assert_int_eq(symlink("circle", folder_file(&folder, "circle")), 0);
    assert_canonical(folder_file(&folder, "circle"), "nowhere");
    ck_assert_int_eq(symlink("missing/new", folder_file(&folder, "far")), 0);
    assert_canonical(folder_file(&folder, "far"), "nowhere");
}
END_TEST

START_TEST(names_of_descriptors)
{
    char name[64];
    int fd = open(folder_file(&folder, "log"), O_WRONLY | O_CREAT, 0600);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(path_descriptor("/dev/stdin"), 0);
    ck_assert_int_eq(path_descriptor("/dev/stderr"), 2);
    ck_assert_int_eq(path_descriptor("/proc/thread-self/fd/2"), 2);
    ck_assert_int_eq(path_descriptor("/proc/1/fd/2"), -1);
    ck_assert_int_eq(path_descriptor("/proc/self/fd/"), -1);
    ck_assert_int_eq(path_descriptor("/dev/null"), -1);
    ck_assert_int_eq(path_descriptor(folder_file(&folder, "log")), -1);
    snprintf(name, sizeof name, "/dev/fd/%d", fd);
    ck_assert_int_eq(path_descriptor(name), fd);
    ck_assert(!path_is_regular(name) && path_is_regular(folder_file(&folder, "log")));
    ck_assert(path_same(name, folder_file(&folder, "log")) && path_same(name, name));
    ck_assert_int_eq(symlink(name, folder_file(&folder, "link")), 0);
    ck_assert_int_eq(path_descriptor(folder_file(&folder, "link")), fd);
    assert_made(path_resolve(folder_file(&folder, "link")), folder_file(&folder, "link"));
    close(fd);
    ck_assert(!path_is_regular(name) && !path_is_regular(folder_file(&folder, "link")));
    ck_assert(!path_is_regular("/dev/cellsync") && !path_is_regular("/proc/1/comm"));
}
END_TEST

/* What paths are depends on what standard output is, but /dev/null is never standard output. */
START_TEST(standard_output_has_other_names)
{
    char *log = strdup(folder_file(&folder, "log"));
    const char *const outputs[] = {"/dev/null", log};
    int saved = dup(STDOUT_FILENO);
    ck_assert(log && saved >= 0);
    for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++) {
        int fd = open(outputs[i], O_WRONLY | O_CREAT, 0600);
        ck_assert(fd >= 0 && dup2(fd, STDOUT_FILENO) == STDOUT_FILENO);
        bool names = path_is_standard("-") && path_is_standard("/dev/stdout") &&
                     path_same("-", "/dev/stdout") && path_same("/dev/stdout", "/dev/stdout");
        bool file = path_is_standard(log) == (i == 1) && path_same(log, "-") == (i == 1);
        bool null = path_is_standard("/dev/null") || path_same("/dev/null", "/dev/null") ||
                    path_same("/dev/null", "-");
        close(fd);
        ck_assert_int_eq(dup2(saved, STDOUT_FILENO), STDOUT_FILENO);
        ck_assert(names && file && !null);
    }
    close(saved);
    free(log);
}
END_TEST

/* One that leads nowhere yet: it may be replaced, or become what it leads to. */
START_TEST(a_link_may_become_a_file)
{
    char *file = strdup(folder_file(&folder, "new")), *link = strdup(folder_file(&folder, "link")),
         *second = strdup(folder_file(&folder, "second"));
    ck_assert(file && link && second);
    ck_assert_int_eq(symlink("new", link), 0);
    ck_assert_int_eq(symlink("link", second), 0);
    ck_assert(path_same(file, link) && path_same(link, file) && path_same(second, file));
    ck_assert(path_same(link, second) && path_same(second, link));
    ck_assert(!path_same(second, folder_file(&folder, "other")));
    free(file);
    free(link);
    free(second);
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
    unit_in_folder(tests, &folder);
    tcase_add_test(tests, parts_of_paths);
    tcase_add_test(tests, kinds_and_names_of_paths);
    tcase_add_test(tests, names_of_descriptors);
    tcase_add_test(tests, standard_output_has_other_names);
    tcase_add_test(tests, a_link_may_become_a_file);
    tcase_add_test(tests, one_file_has_many_paths);
    return unit_run();
}

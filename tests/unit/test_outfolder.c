/* A folder replaces another where folders cannot be exchanged, and whatever fails, one of them
 * stands. */
#include "output/file/outfolder.h"
#include "output/file/tempname.h"
#include "support.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static int renames_until_fault; /* 0: none fails */

/* As file systems do that cannot exchange. */
int renameat2(int from_fd, const char *from, int to_fd, const char *to, unsigned flags)
{
    (void)from_fd, (void)from, (void)to_fd, (void)to, (void)flags;
    errno = EINVAL;
    return -1;
}

int rename(const char *from, const char *to)
{
    if (renames_until_fault > 0 && --renames_until_fault == 0) {
        errno = EIO;
        return -1;
    }
    return renameat(AT_FDCWD, from, AT_FDCWD, to);
}

/* Write a folder with one file of this name at path. */
static csy_status write_one(const char *path, const char *name, csy_error *error)
{
    struct outfolder *out;
    ck_ok(outfolder_open(path, &out, error), *error);
    outfolder_append(out, name, "text", 4);
    ck_assert(!outfolder_failed(out));
    csy_status status = outfolder_publish(out, NULL, error);
    outfolder_close(out);
    return status;
}

static bool holds(const char *path, const char *name)
{
    char file[400];
    struct stat st;
    snprintf(file, sizeof file, "%s/%s", path, name);
    return lstat(file, &st) == 0 && st.st_size == 4;
}

/* Replace a folder, when the rename at this place fails; 0: none does. */
static void replace(int fault)
{
    struct folder folder;
    csy_error error;
    char path[300], want[400];
    folder_open(&folder);
    snprintf(path, sizeof path, "%s", folder_file(&folder, "out.ctf"));
    ck_ok(write_one(path, "old", &error), error);
    ck_assert(holds(path, "old"));

    renames_until_fault = fault;
    csy_status status = write_one(path, "new", &error);
    ck_assert_int_eq(renames_until_fault, 0);
    ck_assert(holds(path, "new") == !fault);
    ck_assert(holds(path, "old") == (fault != 0));
    snprintf(want, sizeof want, "%s: Input/output error", path);
    if (fault)
        ck_refused(status, CSY_IO, error, want);
    else
        ck_ok(status, error);
    ck_assert_uint_eq(folder_count(&folder), 1);
    tempname_remove_folder(path, true);
    folder_close(&folder);
}

START_TEST(the_mode_stays)
{
    struct folder folder;
    struct stat st;
    csy_error error;
    char path[300];
    folder_open(&folder);
    snprintf(path, sizeof path, "%s", folder_file(&folder, "out.ctf"));
    ck_ok(write_one(path, "old", &error), error);
    ck_assert_int_eq(chmod(path, 02710), 0);
    ck_ok(write_one(path, "new", &error), error);
    ck_assert_int_eq(stat(path, &st), 0);
    ck_assert_int_eq(st.st_mode & 07777, 0710); /* as to read, write and enter */
    tempname_remove_folder(path, true);
    folder_close(&folder);
}
END_TEST

START_TEST(it_steps_aside)
{
    replace(0);
}
END_TEST

START_TEST(it_comes_back)
{
    replace(1);
    replace(2);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("outfolder");
    tcase_add_test(tests, the_mode_stays);
    tcase_add_test(tests, it_steps_aside);
    tcase_add_test(tests, it_comes_back);
    return unit_run();
}

/*
 * Output files: published whole or not at all.  Whatever fails, the old file stands and nothing
 * else is left in its folder.
 */
#include "io/path.h"
#include "output/file/outfile.h"
#include "output/file/tempname.h"
#include "support.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/xattr.h>
#endif

static struct folder folder;

static struct outfile *open_well(const char *path)
{
    struct outfile *file;
    csy_error error;
    ck_ok(outfile_open(path, NULL, &file, &error), error);
    return file;
}

static void publish_well(struct outfile *file)
{
    csy_error error;
    ck_ok(outfile_finish(file, &error), error);
    ck_ok(outfile_publish(file, &error), error);
}

static void publish_well_and_close(struct outfile *file)
{
    publish_well(file);
    outfile_close(file);
}

static void assert_content(const char *path, const char *want)
{
    struct buffer got = file_read(path);
    ck_assert(buffer_is(&got, want, strlen(want)));
    buffer_free(&got);
}

static mode_t mode_of(const char *path)
{
    struct stat st;
    ck_assert_int_eq(stat(path, &st), 0);
    return st.st_mode & 07777;
}

START_TEST(new_files_are_published)
{
    const char *path = folder_file(&folder, "new");
    mode_t mask = umask(027);
    struct outfile *file = open_well(path);
    outfile_print(file, "one %d", 2);
    outfile_write(file, " three", 6);
    ck_assert(!outfile_failed(file));
    ck_assert_int_ne(access(path, F_OK), 0);
    publish_well(file);
    assert_content(path, "one 2 three");
    outfile_close(file);
    umask(mask);
    assert_content(path, "one 2 three");
    ck_assert_uint_eq(mode_of(path), 0640);
    ck_assert_uint_eq(folder_count(&folder), 1);
}
END_TEST

START_TEST(files_that_are_given_up_leave_nothing)
{
    csy_error error;
    for (int finished = 0; finished < 2; finished++) {
        struct outfile *file = open_well(folder_file(&folder, "new"));
        outfile_print(file, "text");
        if (finished)
            ck_ok(outfile_finish(file, &error), error);
        outfile_close(file);
        ck_assert_uint_eq(folder_count(&folder), 0);
    }
    outfile_close(NULL);
}
END_TEST

START_TEST(old_files_stand_until_the_new_one_does)
{
    const char *path = folder_file(&folder, "old");
    file_write(path, "old", 3);
    ck_assert_int_eq(chmod(path, 0604), 0);
    struct outfile *file = open_well(path);
    outfile_print(file, "lost");
    outfile_close(file);
    assert_content(path, "old");
    file = open_well(path);
    outfile_print(file, "new");
    assert_content(path, "old");
    publish_well(file);
    outfile_close(file);
    assert_content(path, "new");
    ck_assert_uint_eq(mode_of(path), 0604);
    ck_assert_uint_eq(folder_count(&folder), 1);
}
END_TEST

/* Two files in the roles of a .pex and its records. */
static void publish_two(const char *pex, const char *records, const char *href)
{
    csy_error error;
    struct outfile *first = open_well(pex), *second = open_well(pex);
    outfile_print(first, "<a><trace_file href=\"%s\"/></a>", href);
    outfile_print(second, "records");
    ck_assert(outfile_rename(second, records));
    ck_ok(outfile_finish(second, &error), error);
    ck_ok(outfile_finish(first, &error), error);
    ck_ok(outfile_publish_pex(first, &second, 1, &error), error);
    outfile_close(first);
    outfile_close(second);
}

/* The records that an old .pex names go with it, if they have a name that goes with its own. */
START_TEST(records_go_with_their_pex)
{
    char pex[600], one[600], two[600], other[600];
    snprintf(pex, sizeof pex, "%s", folder_file(&folder, "a.pex"));
    snprintf(one, sizeof one, "%s", folder_file(&folder, "a.00000001.trace"));
    snprintf(two, sizeof two, "%s", folder_file(&folder, "a.0000000f.trace.gz"));
    snprintf(other, sizeof other, "%s", folder_file(&folder, "b.00000001.trace"));
    file_write(other, "other", 5);
    publish_two(pex, one, "a.00000001.trace");
    ck_assert_uint_eq(folder_count(&folder), 3);
    publish_two(pex, one, "a.00000001.trace");
    assert_content(one, "records");
    publish_two(pex, two, "./a.0000000f.trace.gz");
    ck_assert_int_ne(access(one, F_OK), 0);
    publish_two(pex, one, "b.00000001.trace");
    ck_assert_int_ne(access(two, F_OK), 0);
    publish_well_and_close(open_well(pex));
    assert_content(other, "other");
    ck_assert_int_ne(access(one, F_OK), 0); /* the tag is that of its own */
    ck_assert_uint_eq(folder_count(&folder), 2);
}
END_TEST

/* Of an old file that is this user's own the bits to read, write and execute stay, and no
 * others. */
START_TEST(rights_stay)
{
    static const mode_t modes[][2] = {
        {04755, 0755}, {02670, 0670}, {0600, 0600}, {0, 0}, {07777, 0777}};
    const char *path = folder_file(&folder, "old");
    mode_t mask = umask(022);
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        file_write(path, "old", 3);
        ck_assert_int_eq(chmod(path, modes[i][0]), 0);
        publish_well_and_close(open_well(path));
        ck_assert_uint_eq(mode_of(path), modes[i][1]);
        unlink(path);
    }
    umask(mask);
}
END_TEST

/* The mask of an access control list is no right of the group. */
START_TEST(lists_are_lost)
{
#ifdef __linux__
    static const uint16_t list[] = {2,      0,      1,    6, 0xffff, 0xffff, 2,    6,
                                    12345,  0,      4,    0, 0xffff, 0xffff, 0x10, 6,
                                    0xffff, 0xffff, 0x20, 0, 0xffff, 0xffff};
    const char *path = folder_file(&folder, "old");
    uint8_t bytes[sizeof list];
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        bytes[2 * i] = (uint8_t)list[i];
        bytes[2 * i + 1] = (uint8_t)(list[i] >> 8);
    }
    file_write(path, "old", 3);
    ck_assert(!csy_has_attributes(path));
    if (setxattr(path, "system.posix_acl_access", bytes, sizeof bytes, 0) < 0)
        return; /* a file system without */
    ck_assert(csy_has_attributes(path));
    ck_assert_uint_eq(mode_of(path), 0660);
    publish_well_and_close(open_well(path));
    ck_assert_uint_eq(mode_of(path), 0600);
    ck_assert(!csy_has_attributes(path));
#endif
}
END_TEST

/* Only root can make one of another user's: what it gives, the umask gives new files, too. */
START_TEST(rights_of_others_do_not_pass)
{
    static const mode_t modes[][2] = {{04755, 0755}, {0666, 0644}, {0600, 0600}, {0777, 0755}};
    const char *path = folder_file(&folder, "old");
    mode_t mask = umask(022);
    for (size_t i = 0; i < sizeof modes / sizeof *modes && geteuid() == 0; i++) {
        struct stat st;
        file_write(path, "old", 3);
        ck_assert_int_eq(chown(path, 12345, 54321), 0);
        ck_assert_int_eq(chmod(path, modes[i][0]), 0);
        publish_well_and_close(open_well(path));
        ck_assert_int_eq(stat(path, &st), 0);
        ck_assert_uint_eq(st.st_mode & 07777, modes[i][1]);
        ck_assert(st.st_uid == geteuid() && st.st_gid != 54321);
        unlink(path);
    }
    umask(mask);
}
END_TEST

START_TEST(links_are_followed)
{
    const char *target = folder_file(&folder, "target"), *link = folder_file(&folder, "link");
    struct stat st;
    file_write(target, "old", 3);
    ck_assert_int_eq(symlink("target", link), 0);
    struct outfile *file = open_well(link);
    outfile_print(file, "new");
    publish_well(file);
    outfile_close(file);
    ck_assert_int_eq(lstat(link, &st), 0);
    ck_assert(S_ISLNK(st.st_mode));
    assert_content(target, "new");
    ck_assert_uint_eq(folder_count(&folder), 2);
}
END_TEST

START_TEST(inputs_are_not_written_onto)
{
    const char *path = folder_file(&folder, "input"), *name = folder_file(&folder, "other");
    struct file_identity identity = {.fd = -1};
    struct csy_trace trace = {.files = &identity, .nfiles = 1};
    struct outfile *file;
    struct stat st;
    csy_error error;
    char want[700];
    file_write(path, "in", 2);
    ck_assert_int_eq(link(path, name), 0);
    ck_assert_int_eq(stat(path, &st), 0);
    identity.device = st.st_dev;
    identity.inode = st.st_ino;
    snprintf(want, sizeof want, "%s: the output file is also an input file; name another output",
             name);
    ck_refused(outfile_open(name, &trace, &file, &error), CSY_INPUT, error, want);
    ck_refused(refuse_input(&trace, name, &error), CSY_INPUT, error, want);
    ck_ok(refuse_input(&trace, folder_file(&folder, "new"), &error), error);
    assert_content(path, "in");
    ck_assert_uint_eq(folder_count(&folder), 2);
}
END_TEST

/* The same file is one of the same number on the same device; a device may be read and written. */
START_TEST(other_files_are_written_onto)
{
    const char *path = folder_file(&folder, "other");
    struct stat st, device;
    csy_error error;
    file_write(path, "", 0);
    ck_assert_int_eq(stat(path, &st), 0);
    ck_assert_int_eq(stat("/dev/null", &device), 0);
    struct file_identity identity;
    struct csy_trace input = {.files = &identity, .nfiles = 1};
    input.files[0].device = st.st_dev + 1;
    input.files[0].inode = st.st_ino;
    ck_ok(refuse_input(&input, path, &error), error);
    input.files[0].device = st.st_dev;
    ck_assert_int_eq(refuse_input(&input, path, &error), CSY_INPUT);
    input.files[0].device = device.st_dev;
    input.files[0].inode = device.st_ino;
    ck_ok(refuse_input(&input, "/dev/null", &error), error);
    ck_ok(refuse_input(&input, path, &error), error);
}
END_TEST

START_TEST(places_that_cannot_be_written)
{
    struct outfile *file;
    csy_error error;
    char want[1400];
    const char *path = folder_file(&folder, "missing/new");
    snprintf(want, sizeof want, "%s: the folder %s/missing does not exist", path, folder.path);
    ck_refused(outfile_open(path, NULL, &file, &error), CSY_IO, error, want);
    snprintf(want, sizeof want, "%s: Is a directory", folder.path);
    ck_refused(outfile_open(folder.path, NULL, &file, &error), CSY_IO, error, want);
    ck_assert_uint_eq(folder_count(&folder), 0);
}
END_TEST

/* The first failure sticks, though later writes might fit. */
START_TEST(full_devices)
{
    csy_error error;
    char bytes[1000] = {0};
    struct outfile *file = open_well("/dev/full");
    for (int i = 0; i < 10000; i++)
        outfile_write(file, bytes, sizeof bytes);
    ck_assert(outfile_failed(file));
    ck_refused(outfile_finish(file, &error), CSY_IO, error, "/dev/full: No space left on device");
    outfile_close(file);
    file = open_well("/dev/full");
    outfile_print(file, "short");
    ck_assert(!outfile_failed(file));
    ck_assert_int_eq(outfile_finish(file, &error), CSY_IO);
    outfile_close(file);
}
END_TEST

START_TEST(devices_are_not_replaced)
{
    struct stat st;
    struct outfile *file = open_well("/dev/null");
    outfile_print(file, "text");
    publish_well_and_close(file);
    ck_assert_int_eq(stat("/dev/null", &st), 0);
    ck_assert(S_ISCHR(st.st_mode));
}
END_TEST

/* By either name, also where it is a regular file. */
START_TEST(standard_output)
{
    static const char *const names[] = {"-", "/dev/stdout"};
    for (size_t i = 0; i < 2; i++) {
        char back[8];
        fflush(stdout);
        int saved = dup(STDOUT_FILENO), fd = file_of("", 0);
        dup2(fd, STDOUT_FILENO);
        ck_assert(path_is_standard(names[i]) && !path_is_regular(names[i]));
        struct outfile *file = open_well(names[i]);
        outfile_print(file, "text");
        publish_well(file);
        outfile_close(file);
        ck_assert_int_eq(fcntl(STDOUT_FILENO, F_GETFD), 0);
        dup2(saved, STDOUT_FILENO);
        ck_assert_int_eq(pread(fd, back, sizeof back, 0), 4);
        ck_assert_mem_eq(back, "text", 4);
        close(saved);
        close(fd);
    }
}
END_TEST

/* One piece of what is to be written, by any of the ways to write it. */
static void write_piece(struct random *r, struct outfile *file, const char *bytes, size_t size)
{
    int64_t way = random_between(r, 0, 2);
    if (way == 0) {
        outfile_write(file, bytes, size);
    } else if (way == 1 || size > OUTFILE_ROOM_MAX) {
        outfile_print(file, "%.*s", (int)size, bytes);
    } else {
        memcpy(outfile_room(file, size), bytes, size);
        outfile_advance(file, size);
    }
}

/* Pieces of all sizes, some longer than any buffer. */
START_TEST(bytes_arrive_in_order)
{
    static char bytes[1500000];
    struct random r = random_trial(0);
    struct buffer want = {0};
    const char *path = folder_file(&folder, "new");
    struct outfile *file = open_well(path);
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (char)('a' + i % 23);
    while (want.size < 6000000) {
        size_t start = (size_t)random_between(&r, 0, 1000);
        int64_t most = random_chance(&r, 98) ? 2000 : (int64_t)(sizeof bytes - start);
        size_t size = (size_t)random_between(&r, 0, most);
        write_piece(&r, file, bytes + start, size);
        buffer_add(&want, bytes + start, size);
    }
    publish_well(file);
    outfile_close(file);
    struct buffer got = file_read(path);
    ck_assert(buffer_is(&got, want.bytes, want.size));
    buffer_free(&got);
    buffer_free(&want);
}
END_TEST

/* The name that a file would have had while it replaces another one. */
START_TEST(names_that_are_taken)
{
    const char *path = folder_file(&folder, "old");
    char *taken = tempname_name(path, 0);
    file_write(path, "old", 3);
    file_write(taken, "mine", 4);
    struct outfile *file = open_well(path);
    outfile_print(file, "new");
    publish_well(file);
    assert_content(path, "new");
    assert_content(taken, "mine");
    outfile_close(file);
    unlink(taken);
    free(taken);
    ck_assert_uint_eq(folder_count(&folder), 1);
}
END_TEST

/* Text around as much as is printed without asking for memory. */
START_TEST(texts_of_any_length)
{
    static char text[600];
    memset(text, 't', sizeof text - 1);
    for (size_t n = 510; n <= 514; n++) {
        const char *path = folder_file(&folder, "new");
        struct outfile *file = open_well(path);
        outfile_print(file, "%s", text + sizeof text - 1 - n);
        publish_well(file);
        outfile_close(file);
        assert_content(path, text + sizeof text - 1 - n);
    }
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("outfile");
    unit_in_folder(tests, &folder);
    tcase_add_test(tests, new_files_are_published);
    tcase_add_test(tests, files_that_are_given_up_leave_nothing);
    tcase_add_test(tests, old_files_stand_until_the_new_one_does);
    tcase_add_test(tests, records_go_with_their_pex);
    tcase_add_test(tests, rights_stay);
    tcase_add_test(tests, lists_are_lost);
    tcase_add_test(tests, rights_of_others_do_not_pass);
    tcase_add_test(tests, links_are_followed);
    tcase_add_test(tests, inputs_are_not_written_onto);
    tcase_add_test(tests, other_files_are_written_onto);
    tcase_add_test(tests, places_that_cannot_be_written);
    tcase_add_test(tests, full_devices);
    tcase_add_test(tests, devices_are_not_replaced);
    tcase_add_test(tests, standard_output);
    tcase_add_test(tests, names_that_are_taken);
    tcase_add_test(tests, texts_of_any_length);
    tcase_add_test(tests, bytes_arrive_in_order);
    return unit_run();
}

/* What the unit tests share. */
#include "support.h"

#include "../tools/heap.h"

#include <dirent.h>
#include <fcntl.h>
#include <glob.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

enum { TIMEOUT_SECONDS = 600 }; /* for slow machines under sanitizers */

static Suite *suite;

TCase *unit_begin(const char *name)
{
    suite = suite_create(name);
    TCase *tests = tcase_create(name);
    tcase_set_timeout(tests, TIMEOUT_SECONDS);
    suite_add_tcase(suite, tests);
    return tests;
}

csy_status prove(const char *path, csy_proof *out, csy_error *error)
{
    csy_proof *proof;
    csy_status status = csy_check(path, NULL, NULL, NULL, NULL, &proof, error);
    if (status)
        return status;
    *out = *proof;
    csy_proof_free(proof);
    return CSY_OK;
}

static uint64_t random_seed(void)
{
    const char *text = getenv("CELLSYNC_TEST_SEED");
    return text ? strtoull(text, NULL, 0) : 20080826;
}

_Thread_local struct held_assertion last_held;

/* A signal that ends the test: say after which assertion. */
static void on_crash(int signal_number)
{
    signal(signal_number, SIG_DFL);
    if (last_held.file)
        (_mark_point)(last_held.file, last_held.line);
    raise(signal_number);
}

/* Sanitizers have handlers of their own, which say more. */
static void handle_crashes(void)
{
    static const int signals[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct sigaction old, new = {.sa_handler = on_crash};
        if (!sigaction(signals[i], NULL, &old) && old.sa_handler == SIG_DFL)
            sigaction(signals[i], &new, NULL);
    }
}

int unit_run(void)
{
    handle_crashes();
    heap_keep();
    printf("CELLSYNC_TEST_SEED=%" PRIu64 "\n", random_seed());
    fflush(stdout);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

size_t every_of_trials(void)
{
#ifdef __SANITIZE_THREAD__
    long one_in = 10;
#else
    const char *text = getenv("CELLSYNC_TEST_ONE_IN");
    long one_in = text ? strtol(text, NULL, 10) : 1;
#endif
    return one_in > 1 ? (size_t)one_in : 1;
}

int trials_of(int n)
{
    int some = (int)((size_t)n / every_of_trials());
    return some > 0 || n <= 0 ? some : 1;
}

struct random random_trial(uint64_t trial)
{
    struct random r = {random_seed() + (trial << 32)};
    r.state = random_bits(&r);
    return r;
}

/* splitmix64 */
uint64_t random_bits(struct random *r)
{
    uint64_t z = r->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

int64_t random_between(struct random *r, int64_t least, int64_t greatest)
{
    uint64_t span = (uint64_t)greatest - (uint64_t)least + 1;
    uint64_t offset = span ? random_bits(r) % span : random_bits(r);
    return (int64_t)((uint64_t)least + offset);
}

bool random_chance(struct random *r, int percent)
{
    return random_between(r, 0, 99) < percent;
}

void buffer_add(struct buffer *b, const void *bytes, size_t size)
{
    if (b->capacity - b->size < size) {
        b->capacity = 2 * b->capacity + size;
        b->bytes = realloc(b->bytes, b->capacity);
        ck_assert_ptr_nonnull(b->bytes);
    }
    if (size > 0)
        memcpy(b->bytes + b->size, bytes, size);
    b->size += size;
}

void buffer_text(struct buffer *b, const char *text)
{
    buffer_add(b, text, strlen(text));
}

void buffer_number(struct buffer *b, uint64_t value, size_t size)
{
    while (size-- > 0) {
        uint8_t byte = (uint8_t)(value >> (8 * size));
        buffer_add(b, &byte, 1);
    }
}

void buffer_gzip(struct buffer *b, const void *bytes, size_t size)
{
    z_stream stream = {0};
    ck_assert_int_eq(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    size_t room = deflateBound(&stream, size);
    uint8_t *packed = malloc(room);
    ck_assert_ptr_nonnull(packed);
    stream.next_in = (Bytef *)(uintptr_t)bytes;
    stream.avail_in = (uInt)size;
    stream.next_out = packed;
    stream.avail_out = (uInt)room;
    ck_assert_int_eq(deflate(&stream, Z_FINISH), Z_STREAM_END);
    buffer_add(b, packed, room - stream.avail_out);
    deflateEnd(&stream);
    free(packed);
}

bool buffer_is(const struct buffer *b, const void *bytes, size_t size)
{
    return b->size == size && (size == 0 || memcmp(b->bytes, bytes, size) == 0);
}

void buffer_free(struct buffer *b)
{
    free(b->bytes);
    *b = (struct buffer){0};
}

static void write_all(int fd, const char *bytes, size_t size)
{
    while (size > 0) {
        ssize_t n = write(fd, bytes, size);
        ck_assert_int_gt(n, 0);
        bytes += n;
        size -= (size_t)n;
    }
}

int file_of(const void *bytes, size_t size)
{
    int fd = memfd_create("unit", MFD_CLOEXEC);
    ck_assert_int_ge(fd, 0);
    write_all(fd, bytes, size);
    ck_assert_int_eq(lseek(fd, 0, SEEK_SET), 0);
    return fd;
}

void file_write(const char *path, const void *bytes, size_t size)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    ck_assert_int_ge(fd, 0);
    write_all(fd, bytes, size);
    ck_assert_int_eq(close(fd), 0);
}

struct buffer file_read(const char *path)
{
    struct buffer b = {0};
    char part[4096];
    ssize_t n;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ck_assert_msg(fd >= 0, "%s cannot be opened", path);
    while ((n = read(fd, part, sizeof part)) > 0)
        buffer_add(&b, part, (size_t)n);
    close(fd);
    return b;
}

void add_header(struct buffer *b, uint32_t flags, uint64_t records)
{
    buffer_text(b, "PDTTRACE");
    buffer_number(b, 1, 2);
    buffer_number(b, 32, 2);
    buffer_number(b, flags, 4);
    buffer_number(b, records, 8);
    buffer_number(b, 0, 8);
}

/* What stands in front of the stamps. */
static void add_prefix(struct buffer *b, unsigned size, unsigned core, unsigned id, unsigned n,
                       uint32_t thread)
{
    buffer_number(b, size, 2);
    buffer_number(b, core, 1);
    buffer_number(b, 0, 1);
    buffer_number(b, id, 2);
    buffer_number(b, n, 2);
    buffer_number(b, thread, 4);
    buffer_number(b, 0x04a8, 4);
}

void add_ppe_of(struct buffer *b, uint32_t tid, uint64_t time)
{
    add_prefix(b, 32, 0, 0x0105, 0, tid);
    buffer_number(b, time, 8);
    buffer_number(b, 0, 8);
}

void add_ppe(struct buffer *b, uint64_t time)
{
    add_ppe_of(b, 4711, time);
}

void add_spe(struct buffer *b, uint32_t context, uint32_t decr)
{
    add_prefix(b, 24, 1, 0x0105, 0, context);
    buffer_number(b, decr, 4);
    buffer_number(b, 0, 4);
}

void add_switch(struct buffer *b, bool in, uint64_t time, uint64_t context, uint64_t spe)
{
    add_prefix(b, 48, 0, in ? 0x0100 : 0x0200, 2, 0);
    buffer_number(b, time, 8);
    buffer_number(b, 0, 8);
    buffer_number(b, context, 8);
    buffer_number(b, spe, 8);
}

void folder_open(struct folder *folder)
{
    const char *parent = getenv("TMPDIR");
    snprintf(folder->path, sizeof folder->path, "%s/cellsync-unit.XXXXXX",
             parent && *parent ? parent : "/tmp");
    ck_assert_ptr_nonnull(mkdtemp(folder->path));
}

/* Call `each` (may be NULL) for every entry and count them. */
static size_t folder_walk(const struct folder *folder, void (*each)(const char *path))
{
    size_t count = 0;
    DIR *entries = opendir(folder->path);
    ck_assert_ptr_nonnull(entries);
    for (struct dirent *entry; (entry = readdir(entries));) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        count++;
        if (each)
            each(folder_file(folder, entry->d_name));
    }
    closedir(entries);
    return count;
}

static void remove_entry(const char *path)
{
    remove(path);
}

void folder_close(struct folder *folder)
{
    folder_walk(folder, remove_entry);
    ck_assert_int_eq(rmdir(folder->path), 0);
}

static struct folder *of_tests;

static void open_of_tests(void)
{
    folder_open(of_tests);
}

static void close_of_tests(void)
{
    folder_close(of_tests);
}

void unit_in_folder(TCase *tests, struct folder *folder)
{
    of_tests = folder;
    tcase_add_checked_fixture(tests, open_of_tests, close_of_tests);
}

size_t folder_count(const struct folder *folder)
{
    return folder_walk(folder, NULL);
}

const char *folder_file(const struct folder *folder, const char *name)
{
    static char paths[8][600];
    static unsigned next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", folder->path, name);
    return path;
}

const char *folder_records(const struct folder *folder, const char *name)
{
    static char path[600];
    glob_t found;
    snprintf(path, sizeof path, "%s/%s.????????.trace", folder->path, name);
    ck_assert_int_eq(glob(path, 0, NULL, &found), 0);
    ck_assert_uint_eq(found.gl_pathc, 1);
    snprintf(path, sizeof path, "%s", found.gl_pathv[0]);
    globfree(&found);
    return path;
}

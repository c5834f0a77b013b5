/*
 * What the unit tests share: seeded random numbers, bytes laid out as files, a temporary folder.
 *
 * A randomized test draws the n-th trial from the seed and n.  The seed is printed; another one
 * comes from the environment: CELLSYNC_TEST_SEED=N ./test_NAME.
 */
#ifndef UNIT_SUPPORT_H
#define UNIT_SUPPORT_H

#include <cellsync/cellsync.h>

/* Tests set the members of options; test_options.c is for the setters. */
#include "output/trace/settings.h"
#include "sync/options.h"
#include "trace/input.h"

#include <check.h>

/* Check writes down each assertion that holds, by a call of the system, so that it can say after
 * which one a test has crashed: that took longer than most tests.  The last one is kept here
 * instead, and written when a signal comes. */
struct held_assertion {
    const char *file;
    int line;
};

extern _Thread_local struct held_assertion last_held;

static inline void note_held(const char *file, int line)
{
    last_held = (struct held_assertion){file, line};
}

#define _mark_point(file, line) note_held(file, line)

/* Suites that share a program (suites.c) have a main each, under a name of its own. */
#ifdef UNIT_SUITE
#define main                                                                                       \
    UNIT_SUITE(void);                                                                              \
    int UNIT_SUITE
#endif

/* A test case of a new suite, for main to fill; unit_run returns what main does. */
TCase *unit_begin(const char *name);
int unit_run(void);

/* The call went well; or it was refused with this status and exactly this text. */
#define ck_ok(call, error) ck_assert_msg((call) == CSY_OK, "%s", (error).text)
#define ck_refused(call, want, error, want_text)                                                   \
    do {                                                                                           \
        ck_assert_int_eq((call), (want));                                                          \
        ck_assert_int_eq((error).status, (want));                                                  \
        ck_assert_str_eq((error).text, (want_text));                                               \
    } while (0)

/* csy_check with the proof copied. */
csy_status prove(const char *path, csy_proof *out, csy_error *error);

/* So many trials, or only one in a few where every access takes long: in ten under the thread
 * sanitizer, in CELLSYNC_TEST_ONE_IN where the environment has that.  At least one. */
int trials_of(int n);
size_t every_of_trials(void); /* how many there are to each that is made */

/* What holds of counts of trials, unless so few are made that chance decides. */
#define ck_assert_of_trials(condition) ck_assert(every_of_trials() >= 16 || (condition))

/* Random numbers, the same for the same seed and trial. */
struct random {
    uint64_t state;
};

struct random random_trial(uint64_t trial);
uint64_t random_bits(struct random *r);
int64_t random_between(struct random *r, int64_t least, int64_t greatest); /* both included */
bool random_chance(struct random *r, int percent);

/* Bytes that grow; the test fails where there is no memory. */
struct buffer {
    uint8_t *bytes;
    size_t size, capacity;
};

void buffer_add(struct buffer *b, const void *bytes, size_t size);
void buffer_text(struct buffer *b, const char *text);
void buffer_number(struct buffer *b, uint64_t value, size_t size);  /* big-endian */
void buffer_gzip(struct buffer *b, const void *bytes, size_t size); /* one member */
bool buffer_is(const struct buffer *b, const void *bytes, size_t size);
void buffer_free(struct buffer *b);

/* The descriptor of a nameless file that holds these bytes; the caller closes it. */
int file_of(const void *bytes, size_t size);

/* Whole files by name. */
void file_write(const char *path, const void *bytes, size_t size);
struct buffer file_read(const char *path);

/* A record file: its header, and records without begin stamps. */
void add_header(struct buffer *b, uint32_t flags, uint64_t records);
void add_ppe(struct buffer *b, uint64_t time);
void add_ppe_of(struct buffer *b, uint32_t tid, uint64_t time);
void add_spe(struct buffer *b, uint32_t context, uint32_t decr);
void add_switch(struct buffer *b, bool in, uint64_t time, uint64_t context, uint64_t spe);

/* A temporary folder; folder_close removes it with the files in it. */
struct folder {
    char path[256];
};

void folder_open(struct folder *folder);
void folder_close(struct folder *folder);
size_t folder_count(const struct folder *folder); /* files in it, hidden ones too */

/* Have it while each of these tests runs. */
void unit_in_folder(TCase *tests, struct folder *folder);

/* The path of a file in it; one of a few static texts that are used in turn. */
const char *folder_file(const struct folder *folder, const char *name);

/* The path of the one record file of NAME.pex in it, however it is tagged. */
const char *folder_records(const struct folder *folder, const char *name);

#endif

/* Functions for all unit tests: seeded random numbers, files from bytes, and a temporary folder.
 *
 * A randomized test draws its n-th trial from a seed and n, and prints the seed. To set the seed,
 * run CELLSYNC_TEST_SEED=N ./test_NAME. */
#ifndef UNIT_SUPPORT_H
#define UNIT_SUPPORT_H

#include <cellsync/cellsync.h>

/* Most tests set the members of options directly. test_options.c tests the setters. */
#include "output/trace/settings.h"
#include "sync/options.h"
#include "trace/input.h"

#include <check.h>

/* Check writes down each passed assertion by a system call, so that it can report the last one
 * before a crash. This took longer than most tests, so keep the last assertion here, and write it
 * in a signal handler. */
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

/* Several suites may share a program (suites.c), so rename the main function of each suite. */
#ifdef UNIT_SUITE
#define main                                                                                       \
    UNIT_SUITE(void);                                                                              \
    int UNIT_SUITE
#endif

/* Returns the test case of a new suite, for main to fill. main returns the result of unit_run. */
TCase *unit_begin(const char *name);
int unit_run(void);

/* Assert that a call succeeds, or that it fails with this status and exactly this text. */
#define ck_ok(call, error) ck_assert_msg((call) == CSY_OK, "%s", (error).text)
#define ck_refused(call, want, error, want_text)                                                   \
    do {                                                                                           \
        ck_assert_int_eq((call), (want));                                                          \
        ck_assert_int_eq((error).status, (want));                                                  \
        ck_assert_str_eq((error).text, (want_text));                                               \
    } while (0)

/* Run csy_check, and copy the proof to *out. */
csy_status prove(const char *path, csy_proof *out, csy_error *error);

/* Returns how many of n trials to run: at least one, all by default, a tenth with the thread
 * sanitizer, or one in CELLSYNC_TEST_ONE_IN (environment). */
int trials_of(int n);
size_t every_of_trials(void); /* one in this many trials is run */

/* Assert a condition about counts of trials, unless too few trials run to decide it. */
#define ck_assert_of_trials(condition) ck_assert(every_of_trials() >= 16 || (condition))

/* A generator of random numbers that depend only on the seed and the trial. */
struct random {
    uint64_t state;
};

struct random random_trial(uint64_t trial);
uint64_t random_bits(struct random *r);
int64_t random_between(struct random *r, int64_t least, int64_t greatest); /* including both */
bool random_chance(struct random *r, int percent);

/* A growing array of bytes. If memory runs out, the test fails. */
struct buffer {
    uint8_t *bytes;
    size_t size, capacity;
};

void buffer_add(struct buffer *b, const void *bytes, size_t size);
void buffer_text(struct buffer *b, const char *text);
void buffer_number(struct buffer *b, uint64_t value, size_t size);  /* big-endian */
void buffer_gzip(struct buffer *b, const void *bytes, size_t size); /* appends one gzip member */
bool buffer_is(const struct buffer *b, const void *bytes, size_t size);
void buffer_free(struct buffer *b);

/* Returns the descriptor of an unnamed file with these bytes. The caller closes it. */
int file_of(const void *bytes, size_t size);

void file_write(const char *path, const void *bytes, size_t size);
struct buffer file_read(const char *path);

/* Append to a record file: its header, or a record without a begin. */
void add_header(struct buffer *b, uint32_t flags, uint64_t records);
void add_ppe(struct buffer *b, uint64_t time);
void add_ppe_of(struct buffer *b, uint32_t tid, uint64_t time);
void add_spe(struct buffer *b, uint32_t context, uint32_t decr);
void add_switch(struct buffer *b, bool in, uint64_t time, uint64_t context, uint64_t spe);

/* A temporary folder. folder_close removes it with its files. */
struct folder {
    char path[256];
};

void folder_open(struct folder *folder);
void folder_close(struct folder *folder);
size_t folder_count(const struct folder *folder); /* number of files, including hidden files */

/* Create the folder before each of these tests, and remove it after the test. */
void unit_in_folder(TCase *tests, struct folder *folder);

/* Returns the path of a file in the folder, in one of a few static buffers used in turn. */
const char *folder_file(const struct folder *folder, const char *name);

/* Returns the path of the only file NAME.TAG.trace in the folder, in a static buffer. */
const char *folder_records(const struct folder *folder, const char *name);

#endif

/*
 * What the fuzz targets share.
 *
 * A target is LLVMFuzzerTestOneInput: it takes any bytes, and must neither crash nor break what it
 * says of itself at its top.  Clang links it with libFuzzer (preset fuzz, ./dev fuzz); in every
 * other build replay.c runs the files of the corpus through it, as a test.
 */
#ifndef FUZZ_SUPPORT_H
#define FUZZ_SUPPORT_H

#include <cellsync/cellsync.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A finding: print file, line, what does not hold and a text about it, and abort. */
#define must(condition, text)                                                                      \
    do {                                                                                           \
        if (!(condition))                                                                          \
            finding(__FILE__, __LINE__, #condition, (text));                                       \
    } while (0)
_Noreturn void finding(const char *file, int line, const char *condition, const char *text);

/* The call went well; or it failed with its own status and a text. */
#define must_be_ok(call, error) must((call) == CSY_OK, (error).text)
void must_be_told(csy_status status, const csy_error *error);

/* csy_check with the proof copied. */
csy_status prove(const char *path, csy_proof *out, csy_error *error);

/* The descriptor of a file in memory that holds these bytes, the same one at each call; and a path
 * that opens it. */
int memory_file(const void *bytes, size_t size);
const char *memory_path(void);

/* A second file in memory holds these bytes; beside memory_path() its name is MEMORY_RECORDS. */
#define MEMORY_RECORDS "100"
void memory_records(const void *bytes, size_t size);

/* Standard output, which is a file in memory from the first call on: empty it; a path that opens
 * it; whether it holds what it held when output_keep was called last. */
void output_empty(void);
const char *output_path(void);
void output_keep(void);
bool output_is_kept(void);

/* Flip a bit of what output_keep kept, on standard output; at the second call it is as it was. */
const uint8_t *output_kept(size_t *size);
void output_flip(size_t at, unsigned bit);

/* Choices taken from the front of the input; 0 where it has come to its end. */
struct drawing {
    const uint8_t *at;
    size_t size;
};

/* Make files of the rest of the input: a byte chooses the kind of each, two are its size,
 * little-endian, and its bytes follow.  name returns the path of a kind. */
void draw_files(struct drawing *d, unsigned kinds, const char *(*name)(unsigned kind));

uint64_t draw(struct drawing *d, size_t nbytes);       /* little-endian */
unsigned draw_below(struct drawing *d, unsigned most); /* from one byte; most up to 256 */

#endif

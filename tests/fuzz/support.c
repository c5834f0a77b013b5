/* What the fuzz targets share. */
#include "support.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

void finding(const char *file, int line, const char *condition, const char *text)
{
    fprintf(stderr, "%s:%d: does not hold: %s: %s\n", file, line, condition, text);
    abort();
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

void must_be_told(csy_status status, const csy_error *error)
{
    if (status == CSY_OK)
        return;
    must(error->status == status, error->text);
    must(memchr(error->text, 0, sizeof error->text), "the text does not end");
    must(*error->text, "no text");
    for (const char *at = error->text; *at; at++)
        must(*at >= 0x20 && *at < 0x7f, "a byte from outside is not escaped");
}

static int new_file(void)
{
    int fd = memfd_create("fuzz", MFD_CLOEXEC);
    must(fd >= 0, "no file in memory");
    return fd;
}

static int input = -1;
static char input_path[64];

int memory_file(const void *bytes, size_t size)
{
    if (input < 0) {
        input = new_file();
        snprintf(input_path, sizeof input_path, "/proc/self/fd/%d", input);
    }
    must(ftruncate(input, 0) == 0 && pwrite(input, bytes, size, 0) == (ssize_t)size, input_path);
    return input;
}

const char *memory_path(void)
{
    return input_path;
}

void memory_records(const void *bytes, size_t size)
{
    static const int fd = 100; /* MEMORY_RECORDS */
    static bool ours;
    if (!ours) {
        int file = new_file();
        must(dup2(file, fd) == fd && close(file) == 0, MEMORY_RECORDS);
        ours = true;
    }
    must(ftruncate(fd, 0) == 0 && pwrite(fd, bytes, size, 0) == (ssize_t)size, MEMORY_RECORDS);
}

void output_empty(void)
{
    static bool ours;
    if (!ours) {
        int fd = new_file();
        must(fflush(stdout) == 0 && dup2(fd, STDOUT_FILENO) == STDOUT_FILENO, "standard output");
        close(fd);
        ours = true;
    }
    must(ftruncate(STDOUT_FILENO, 0) == 0 && lseek(STDOUT_FILENO, 0, SEEK_SET) == 0, "truncate");
}

const char *output_path(void)
{
    return "/proc/self/fd/1";
}

static uint8_t *kept;
static size_t kept_size;

static uint8_t *output_read(size_t *size)
{
    struct stat st;
    must(fstat(STDOUT_FILENO, &st) == 0, "fstat");
    *size = (size_t)st.st_size;
    uint8_t *bytes = malloc(*size + 1);
    must(bytes && pread(STDOUT_FILENO, bytes, *size, 0) == st.st_size, "standard output");
    return bytes;
}

void output_keep(void)
{
    free(kept);
    kept = output_read(&kept_size);
}

bool output_is_kept(void)
{
    size_t size;
    uint8_t *now = output_read(&size);
    bool same = size == kept_size && memcmp(now, kept, size) == 0;
    free(now);
    return same;
}

const uint8_t *output_kept(size_t *size)
{
    *size = kept_size;
    return kept;
}

void output_flip(size_t at, unsigned bit)
{
    kept[at] ^= (uint8_t)(1u << bit);
    must(pwrite(STDOUT_FILENO, kept + at, 1, (off_t)at) == 1, "standard output");
}

uint64_t draw(struct drawing *d, size_t nbytes)
{
    uint64_t value = 0;
    for (size_t i = 0; i < nbytes && d->size > 0; i++) {
        value |= (uint64_t)*d->at++ << (8 * i);
        d->size--;
    }
    return value;
}

unsigned draw_below(struct drawing *d, unsigned most)
{
    return (unsigned)draw(d, 1) % most;
}

void draw_files(struct drawing *d, unsigned kinds, const char *(*name)(unsigned kind))
{
    while (d->size > 0) {
        const char *path = name(draw_below(d, kinds));
        size_t size = (size_t)draw(d, 2);
        size = size < d->size ? size : d->size;
        int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
        must(fd >= 0 && write(fd, d->at, size) == (ssize_t)size, path);
        close(fd);
        d->at += size;
        d->size -= size;
    }
}

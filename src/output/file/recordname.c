/* Names of record files. */
#include "output/file/recordname.h"

#include "io/path.h"
#include "trace/trace.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* How much of a document is looked through for what it names. */
enum { LOOK_BYTES = 4 * 1024 * 1024, TAG_DIGITS = 8 };

static const char digits[] = "0123456789abcdef";

static size_t stem_bytes(const char *path)
{
    const char *name = path_name(path), *dot = strrchr(name, '.');
    return dot && dot > name ? (size_t)(dot - path) : strlen(path);
}

char *record_path(const char *path, uint32_t tag, bool gzip)
{
    char *made;
    int size = asprintf(&made, "%.*s.%08" PRIx32 ".trace%s", (int)stem_bytes(path), path, tag,
                        gzip ? ".gz" : "");
    return size < 0 ? NULL : made;
}

/* Whether these bytes end as such a name does, and where that end begins. */
static bool find_tail(const char *bytes, size_t size, size_t *at)
{
    size_t end = size >= 3 && memcmp(bytes + size - 3, ".gz", 3) == 0 ? size - 3 : size;
    if (end < TAG_DIGITS + 7 || memcmp(bytes + end - 6, ".trace", 6) != 0)
        return false;
    *at = end - 6 - TAG_DIGITS - 1;
    bool good = bytes[*at] == '.';
    for (size_t i = 1; i <= TAG_DIGITS; i++)
        good = good && memchr(digits, bytes[*at + i], sizeof digits - 1);
    return good;
}

bool record_is_of(const char *path, const char *name)
{
    size_t at, stem = stem_bytes(path);
    return find_tail(name, strlen(name), &at) && at == stem && strncmp(path, name, stem) == 0;
}

/* The value of href in the first trace_file among the children of a document's root, as written. */
static const char *find_href(const char *text, size_t size, size_t *length)
{
    struct tag tag = {0};
    struct tag_attribute attribute;
    long depth = 0;
    bool found = false;
    while (!found && tag_next(text, size, LETTERS_UTF8, &tag)) {
        found =
            tag.starts && depth == 1 && tag_is(text + tag.begin, tag.end - tag.begin, "trace_file");
        depth += (long)tag.starts - (long)tag.ends;
    }
    const char *element = text + tag.begin;
    size_t bytes = tag.end - tag.begin, at = found ? tag_name_bytes(element, bytes) + 1 : 0;
    for (; found && tag_attribute(element, bytes, at, &attribute); at = attribute.end) {
        *length = attribute.value_size;
        if (tag_attribute_is(element, &attribute, "href"))
            return element + attribute.value;
    }
    return NULL;
}

/* As much of a regular file as is looked through, NULL of another one; false where it cannot be
 * read. */
static bool read_head(int fd, char **text, size_t *size)
{
    struct stat st;
    *text = NULL;
    *size = 0;
    if (fstat(fd, &st) < 0)
        return false;
    if (!S_ISREG(st.st_mode))
        return true;
    size_t all = st.st_size < LOOK_BYTES ? (size_t)st.st_size : LOOK_BYTES;
    *text = malloc(all + 1);
    for (ssize_t n = 1; *text && n != 0 && *size < all;) {
        n = read(fd, *text + *size, all - *size);
        if (n < 0 && errno != EINTR)
            return false;
        *size += n > 0 ? (size_t)n : 0;
    }
    return *text != NULL;
}

bool record_tail(int folder_fd, const char *name, char tail[RECORD_TAIL])
{
    char *text;
    size_t size, length, at;
    int fd = openat(folder_fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    *tail = 0;
    if (fd < 0)
        return errno != EMFILE && errno != ENFILE && errno != ENOMEM && errno != EIO;
    bool good = read_head(fd, &text, &size);
    int failure = errno;
    const char *nul = text ? memchr(text, 0, size) : NULL;
    const char *href = text ? find_href(text, nul ? (size_t)(nul - text) : size, &length) : NULL;
    if (good && href && find_tail(href, length, &at))
        snprintf(tail, RECORD_TAIL, "%.*s", (int)(length - at), href + at);
    free(text);
    close(fd);
    errno = failure;
    return good;
}

bool record_beside(const char *path, char **out)
{
    char tail[RECORD_TAIL];
    struct stat st;
    *out = NULL;
    if (!record_tail(AT_FDCWD, path, tail))
        return false;
    if (!*tail)
        return true;
    if (asprintf(out, "%.*s%s", (int)stem_bytes(path), path, tail) < 0) {
        *out = NULL;
        return false;
    }
    if (lstat(*out, &st) < 0 || !S_ISREG(st.st_mode)) {
        free(*out);
        *out = NULL;
    }
    return true;
}

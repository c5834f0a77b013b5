/* Names of record files. */
#include "output/file/recordname.h"

#include "base/array.h"
#include "io/path.h"
#include "trace/trace.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Only the first LOOK_BYTES of a document are searched for names of record files. */
enum { LOOK_BYTES = 4 * 1024 * 1024, TAG_DIGITS = 8 };

static const char digits[] = "0123456789abcdef";

static size_t stem_bytes(const char *path)
{
    const char *name = path_name(path), *dot = strrchr(name, '.');
    return dot && dot > name ? (size_t)(dot - path) : strlen(path);
}

char *record_path(const char *path, const char *buffer, uint32_t tag, bool gzip)
{
    char *made;
    int size = asprintf(&made, "%.*s%s%s.%08" PRIx32 ".trace%s", (int)stem_bytes(path), path,
                        buffer ? "." : "", buffer ? buffer : "", tag, gzip ? ".gz" : "");
    return size < 0 ? NULL : made;
}

/* Find the end of a record file's name, such as ".01234567.trace.gz". Returns false if none. */
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
    return find_tail(name, strlen(name), &at) && at >= stem && strncmp(path, name, stem) == 0 &&
           name[stem] == '.';
}

/* A search for trace_file elements that are children of the root element of an XML document. */
struct href_search {
    char *text; /* beginning of the document, or NULL if there is no regular file */
    size_t size;
    struct tag tag; /* the tag that was read last */
    long depth;
};

/* Returns the attribute href of the next trace_file element, with XML escapes, or NULL. */
static const char *find_href(struct href_search *search, size_t *length)
{
    const struct tag *tag = &search->tag;
    struct tag_attribute attribute;
    bool found = false;
    while (!found && tag_next(search->text, search->size, LETTERS_UTF8, &search->tag)) {
        found = tag->starts && search->depth == 1 &&
                tag_is(search->text + tag->begin, tag->end - tag->begin, "trace_file");
        search->depth += (long)tag->starts - (long)tag->ends;
    }
    const char *element = search->text + tag->begin;
    size_t bytes = tag->end - tag->begin, at = found ? tag_name_bytes(element, bytes) + 1 : 0;
    for (; found && tag_attribute(element, bytes, at, &attribute); at = attribute.end) {
        *length = attribute.value_size;
        if (tag_attribute_is(element, &attribute, "href"))
            return element + attribute.value;
    }
    return NULL;
}

/* Read the beginning of a file. The caller frees search->text. Returns false and sets errno. */
static bool look_at(int folder_fd, const char *name, struct href_search *search)
{
    struct stat st;
    int fd = openat(folder_fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    *search = (struct href_search){0};
    if (fd < 0)
        return errno != EMFILE && errno != ENFILE && errno != ENOMEM && errno != EIO;
    bool good = fstat(fd, &st) == 0;
    if (good && S_ISREG(st.st_mode)) {
        size_t all = st.st_size < LOOK_BYTES ? (size_t)st.st_size : LOOK_BYTES;
        good = (search->text = malloc(all + 1)) != NULL;
        for (ssize_t n = 1; good && n != 0 && search->size < all;) {
            n = read(fd, search->text + search->size, all - search->size);
            good = n >= 0 || errno == EINTR;
            search->size += n > 0 ? (size_t)n : 0;
        }
    }
    int failure = errno;
    const char *nul = search->text ? memchr(search->text, 0, search->size) : NULL;
    search->size = nul ? (size_t)(nul - search->text) : search->size;
    close(fd);
    errno = failure;
    return good;
}

bool record_tail(int folder_fd, const char *name, char tail[RECORD_TAIL])
{
    size_t length, at;
    struct href_search search;
    *tail = 0;
    bool good = look_at(folder_fd, name, &search);
    int failure = errno;
    const char *href = good && search.text ? find_href(&search, &length) : NULL;
    if (href && find_tail(href, length, &at))
        snprintf(tail, RECORD_TAIL, "%.*s", (int)(length - at), href + at);
    free(search.text);
    errno = failure;
    return good;
}

bool record_beside(const char *path, struct record_list *out)
{
    const char *name = path_name(path);
    size_t length, at, stem = stem_bytes(name);
    struct href_search search;
    *out = (struct record_list){0};
    bool good = look_at(AT_FDCWD, path, &search), first = true;
    const char *href = good && search.text ? find_href(&search, &length) : NULL;
    for (; href && good; href = find_href(&search, &length), first = false) {
        struct stat st;
        char *made;
        if (!find_tail(href, length, &at))
            continue;
        if (length > 2 && memcmp(href, "./", 2) == 0) {
            href += 2;
            length -= 2;
            at -= 2;
        }
        bool named = at > stem && memcmp(href, name, stem) == 0 && href[stem] == '.' &&
                     !memchr(href, '/', length);
        if (!named && !first)
            continue;
        /* If only the end of the first href matches, XML may have escaped the bytes before. */
        good = asprintf(&made, "%.*s%.*s", (int)(named ? (size_t)(name - path) : stem_bytes(path)),
                        path, (int)(named ? length : length - at), named ? href : href + at) >= 0;
        if (!good)
            break;
        bool listed = lstat(made, &st) == 0 && S_ISREG(st.st_mode);
        good = !listed || ARRAY_PUSH(out->paths, out->count, out->capacity, made);
        if (!listed || !good)
            free(made);
    }
    int failure = errno;
    free(search.text);
    errno = failure;
    return good;
}

void record_list_fini(struct record_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->paths[i]);
    free(list->paths);
    *list = (struct record_list){0};
}

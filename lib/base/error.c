/* See error.h. */
#include "base/error.h"

#include "base/memory.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

/* Copy as much of a message as fits. Control and non-ASCII bytes, as in file names, become \xNN. */
static void make_visible(char *to, size_t size, const char *message)
{
    size_t used = 0;
    for (; *message; message++) {
        unsigned char c = (unsigned char)*message;
        bool seen = c >= 0x20 && c < 0x7f;
        if (used + (seen ? 1 : 4) >= size)
            break;
        if (seen)
            to[used++] = *message;
        else
            used += (size_t)snprintf(to + used, 5, "\\x%02x", c);
    }
    to[used] = 0;
}

csy_status error_set(csy_error *error, csy_status status, const char *format, ...)
{
    if (error) {
        va_list args;
        va_start(args, format);
        char message[sizeof error->text];
        /* va_start is above: NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized) */
        (void)vsnprintf(message, sizeof message, format, args);
        va_end(args);
        make_visible(error->text, sizeof error->text, message);
        error->status = status;
    }
    return status;
}

csy_status error_io(csy_error *error, const char *name, const char *what)
{
    const char *reason = strerror(errno);
    if (what)
        return error_set(error, CSY_IO, "%s: %s: %s", name, what, reason);
    return error_set(error, CSY_IO, "%s: %s", name, reason);
}

/* Escape n bytes into a buffer of `size` bytes. A text that is too long ends in "...". */
static void escape(char *buffer, size_t size, const char *bytes, size_t n)
{
    size_t used = 0, cut = 0; /* cut: the last place with room for "..." */
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)bytes[i];
        bool seen = c >= 0x20 && c < 0x7f && c != '\\';
        if (used + sizeof "..." <= size)
            cut = used;
        if (used + (seen ? 1 : 4) >= size) {
            memcpy(buffer + cut, "...", sizeof "...");
            return;
        }
        if (seen)
            buffer[used++] = (char)c;
        else
            used += (size_t)snprintf(buffer + used, 5, "\\x%02x", c);
    }
    buffer[used] = 0;
}

csy_status error_check_choice(const char *name, int value, int most, csy_error *error)
{
    return value >= 0 && value <= most
               ? CSY_OK
               : error_set(error, CSY_USAGE, "%s has no value %d", name, value);
}

const char *error_escape(char buffer[ERROR_ESCAPED_MAX], const char *bytes, size_t size)
{
    escape(buffer, ERROR_ESCAPED_MAX, bytes, size);
    return buffer;
}

void csy_escape(char *buffer, size_t size, const char *text)
{
    escape(buffer, size, text, strlen(text));
}

void error_set_memory(csy_error *error)
{
    uint64_t limit = memory_limit();
    if (limit == 0)
        error_set(error, CSY_MEMORY, "no memory");
    else
        error_set(error, CSY_MEMORY,
                  "no memory: more than there is, or than the %" PRIu64
                  " MiB that may be taken (--max-memory)",
                  limit >> 20);
}

csy_status error_check_memory(uint128 bytes, const char *name, const char *what, csy_error *error)
{
    if (memory_allows(bytes))
        return CSY_OK;
    uint64_t mib = bytes >> 84 ? UINT64_MAX : (uint64_t)((bytes + (1 << 20) - 1) >> 20);
    return error_set(error, CSY_MEMORY,
                     "%s%s%s would take %" PRIu64 " MiB of memory; %" PRIu64
                     " MiB may be taken (--max-memory)",
                     name ? name : "", name ? ": " : "", what, mib, memory_limit() >> 20);
}

/* See error.h. */
#include "base/error.h"

#include "base/memory.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

csy_status error_set(csy_error *error, csy_status status, const char *format, ...)
{
    if (error) {
        va_list args;
        va_start(args, format);
        char message[sizeof error->text];
        /* va_start is above: NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized) */
        (void)vsnprintf(message, sizeof message, format, args);
        va_end(args);
        /* escape control bytes and non-ASCII bytes, because a message may quote untrusted text */
        size_t used = 0;
        for (const char *from = message; *from; from++) {
            unsigned char c = (unsigned char)*from;
            bool seen = c >= 0x20 && c < 0x7f;
            if (used + (seen ? 1 : 4) >= sizeof error->text)
                break;
            if (seen)
                error->text[used++] = *from;
            else
                used += (size_t)snprintf(error->text + used, 5, "\\x%02x", c);
        }
        error->text[used] = 0;
        error->status = status;
    }
    return status;
}

csy_status error_offset(csy_error *error, const char *name, uint64_t offset, const char *format,
                        ...)
{
    char text[sizeof error->text];
    va_list args;
    va_start(args, format);
    /* va_start is above: NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized) */
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return error_set(error, CSY_INPUT, "%s: offset %" PRIu64 ": %s", name, offset, text);
}

csy_status error_prefix(csy_error *error, csy_status status, const char *format, ...)
{
    if (error) {
        const csy_error inner = *error;
        char prefix[sizeof error->text];
        va_list args;
        va_start(args, format);
        /* va_start is above: NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized) */
        (void)vsnprintf(prefix, sizeof prefix, format, args);
        va_end(args);
        error_set(error, status, "%s: %s", prefix, inner.text);
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

/* Copy n bytes with escapes for unprintable bytes and the backslash. A cut text ends in "...". */
static void escape(char *buffer, size_t size, const char *bytes, size_t n)
{
    size_t used = 0, cut = 0; /* `cut` is the last offset where "..." still fits */
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
                  "no memory: more than available, or more than the limit of %" PRIu64
                  " MiB (--max-memory)",
                  limit >> 20);
}

csy_status error_check_memory(uint128 bytes, const char *name, const char *what, csy_error *error)
{
    if (memory_allows(bytes))
        return CSY_OK;
    uint64_t mib = bytes >> 84 ? UINT64_MAX : (uint64_t)((bytes + (1 << 20) - 1) >> 20);
    return error_set(error, CSY_MEMORY,
                     "%s%s%s would need %" PRIu64 " MiB of memory; the limit is %" PRIu64
                     " MiB (--max-memory)",
                     name ? name : "", name ? ": " : "", what, mib, memory_limit() >> 20);
}

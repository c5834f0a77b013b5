/* ASCII functions that ignore the locale. The C library does not convert I to i in Turkish. */
#ifndef BASE_ASCII_H
#define BASE_ASCII_H

#include <cellsync/cellsync.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static inline int ascii_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : (unsigned char)c;
}

static inline bool ascii_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static inline bool ascii_is_alnum(char c)
{
    int lower = ascii_lower(c);
    return (lower >= 'a' && lower <= 'z') || ascii_is_digit(c);
}

/* Returns the value of a hexadecimal digit in lower case, or -1. */
static inline int ascii_hex(char c)
{
    return ascii_is_digit(c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static inline bool ascii_is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Returns true for an ASCII character that is printable, including the blank. */
static inline bool ascii_is_print(char c)
{
    return c >= ' ' && c <= '~';
}

/* Returns true if the first n bytes, or all bytes up to a common NUL, are equal, ignoring case. */
static inline bool ascii_same(const char *bytes, const char *text, size_t n)
{
    size_t i = 0;
    while (i < n && text[i] && ascii_lower(bytes[i]) == ascii_lower(text[i]))
        i++;
    return i == n || (text[i] == 0 && bytes[i] == 0);
}

static inline csy_text ascii_trim_bytes(const char *text, size_t size)
{
    for (; size > 0 && ascii_is_blank(*text); size--)
        text++;
    while (size > 0 && ascii_is_blank(text[size - 1]))
        size--;
    return (csy_text){text, size};
}

/* Returns the text without the blanks at its start and end. NULL stands for an empty text. */
static inline csy_text ascii_trim(const char *text)
{
    text = text ? text : "";
    return ascii_trim_bytes(text, strlen(text));
}

#endif

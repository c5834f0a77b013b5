/*
 * Inflating one gzip member at a time.
 *
 * zlib reads every header, and what follows it, too, or leaves that to igzip (of ISA-L, where it
 * is built in), which takes two thirds of the time but says little when it refuses, and knows a
 * few streams for good that zlib does not.  So igzip's refusal is no verdict: the caller has the
 * member inflated again by zlib.
 */
#ifndef IO_INFLATER_H
#define IO_INFLATER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum inflater_result {
    INFLATER_ON,      /* wants more room, or more input if it did not fill what it had */
    INFLATER_ENDED,   /* the member is complete */
    INFLATER_REFUSED, /* see inflater_reason */
    INFLATER_MEMORY
};

/* Packed bytes; what is taken is stepped over. */
struct inflater_input {
    const uint8_t *at;
    size_t size; /* below 4 GiB, and so is what inflater_run may fill */
};

struct inflater;

/* NULL on no memory. */
struct inflater *inflater_new(void);
void inflater_free(struct inflater *f);

/* Begin a member. */
void inflater_start(struct inflater *f, bool by_zlib);

/* Inflate into to[0..size); *got says how many bytes that has made. */
enum inflater_result inflater_run(struct inflater *f, struct inflater_input *input, uint8_t *to,
                                  size_t size, size_t *got);

/* Whether it was zlib that refused, with which words, and whether they are about the trailer,
 * which has been taken then. */
bool inflater_by_zlib(const struct inflater *f);
const char *inflater_reason(const struct inflater *f);
bool inflater_in_trailer(const struct inflater *f);

#endif

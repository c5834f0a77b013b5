/* See real.h. Uses the free-format algorithm of Burger and Dybvig, Printing Floating-Point Numbers
 * Quickly and Accurately (1996).
 *
 * A number v is stored as the quotient r/s. A decimal number is read as v if it lies between (r -
 * below)/s and (r + above)/s, which are halfway to the neighbours of v. These two limits are also
 * read as v if its mantissa is even. Decimal digits of r/s are generated until the digits so far,
 * or the digits with the last one incremented, would be read as v. */
#include "base/real.h"

#include "base/put.h"

#include <string.h>

enum {
    MANTISSA_BITS = 52,
    EXPONENT_MOST = 0x7ff, /* value of the exponent field for infinity and not-a-number */
    EXPONENT_LEAST = 1075, /* exponent field of numbers with an integer mantissa */
    WORDS = 36,            /* enough 32-bit words for 10^324 * 2^55 and another decimal digit */
    WORD_BITS = 32,
    DIGITS_MAX = 17,
    WHOLE_DIGITS_MAX = 16, /* numbers with more digits before the point get an exponent */
    ZEROS_MAX = 3          /* numbers with more zeros after the point get an exponent */
};

/* A natural number, least significant word first. Words from words[size] on are undefined. */
struct natural {
    uint32_t words[WORDS];
    unsigned size;
};

static void multiply(struct natural *n, uint32_t factor)
{
    uint64_t carry = 0;
    for (unsigned i = 0; i < n->size; i++) {
        carry += (uint64_t)n->words[i] * factor;
        n->words[i] = (uint32_t)carry;
        carry >>= WORD_BITS;
    }
    if (carry > 0)
        n->words[n->size++] = (uint32_t)carry;
}

static struct natural shifted(uint64_t value, unsigned bits)
{
    struct natural n = {.size = bits / WORD_BITS};
    for (; value > 0; value >>= WORD_BITS)
        n.words[n.size++] = (uint32_t)value;
    multiply(&n, (uint32_t)1 << bits % WORD_BITS);
    return n;
}

static void multiply_power_of_ten(struct natural *n, unsigned power)
{
    for (; power > 0; power--)
        multiply(n, 10);
}

static int compare_sum(const struct natural *a, const struct natural *b, const struct natural *c)
{
    unsigned size = a->size > b->size ? a->size : b->size;
    uint64_t carry = 0;
    bool differ = false, above = false;
    size = c->size > size ? c->size : size;
    for (unsigned i = 0; i < size; i++) {
        carry += (i < a->size ? a->words[i] : 0);
        carry += (i < b->size ? b->words[i] : 0);
        uint32_t word = (uint32_t)carry, other = i < c->size ? c->words[i] : 0;
        if (word != other) {
            differ = true;
            above = word > other;
        }
        carry >>= WORD_BITS;
    }
    return carry > 0 ? 1 : !differ ? 0 : above ? 1 : -1;
}

static int compare(const struct natural *a, const struct natural *b)
{
    static const struct natural none = {.size = 0};
    return compare_sum(a, &none, b);
}

static void subtract(struct natural *a, const struct natural *b)
{
    int64_t carry = 0;
    for (unsigned i = 0; i < a->size; i++) {
        carry += (int64_t)a->words[i] - (i < b->size ? b->words[i] : 0);
        a->words[i] = (uint32_t)carry;
        carry = carry < 0 ? -1 : 0;
    }
    while (a->size > 0 && a->words[a->size - 1] == 0)
        a->size--;
}

struct quotient {
    struct natural r, s, above, below;
    bool even;
};

static struct quotient quotient_of(uint64_t mantissa, unsigned exponent)
{
    const uint64_t hidden = (uint64_t)1 << MANTISSA_BITS;
    /* the next smaller number than a power of two is half as far away as the next greater one */
    bool power = mantissa == 0 && exponent > 1;
    bool even = mantissa % 2 == 0;
    if (exponent > 0)
        mantissa += hidden;
    else
        exponent = 1;
    unsigned up = exponent > EXPONENT_LEAST ? exponent - EXPONENT_LEAST : 0;
    unsigned down = exponent < EXPONENT_LEAST ? EXPONENT_LEAST - exponent : 0;
    return (struct quotient){.r = shifted(4 * mantissa, up),
                             .s = shifted(4, down),
                             .above = shifted(2, up),
                             .below = shifted(power ? 1 : 2, up),
                             .even = even};
}

/* Returns true if the digits so far identify the number after the last digit is incremented. */
static bool reaches_next(const struct quotient *q)
{
    int sign = compare_sum(&q->r, &q->above, &q->s);
    return sign > 0 || (q->even && sign == 0);
}

/* Scale the positive number q->r / q->s by a power of ten to at least 0.1 and below 1, and return
 * minus the exponent of this power. `bits` is the exponent of the greatest power of two in the
 * number. */
static int scale(struct quotient *q, int bits)
{
    /* bits * log10(2), rounded up; the factor is precise enough for all exponents */
    int power = (bits * 30103 + (bits > 0 ? 99999 : 0)) / 100000;
    if (power >= 0) {
        multiply_power_of_ten(&q->s, (unsigned)power);
    } else {
        multiply_power_of_ten(&q->r, (unsigned)-power);
        multiply_power_of_ten(&q->above, (unsigned)-power);
        multiply_power_of_ten(&q->below, (unsigned)-power);
    }
    if (reaches_next(q)) {
        multiply(&q->s, 10);
        power++;
    }
    return power;
}

static unsigned make_digits(struct quotient *q, char digits[DIGITS_MAX])
{
    for (unsigned n = 0;; n++) {
        char digit = '0';
        multiply(&q->r, 10);
        multiply(&q->above, 10);
        multiply(&q->below, 10);
        for (; compare(&q->r, &q->s) >= 0; digit++)
            subtract(&q->r, &q->s);
        int sign = compare(&q->r, &q->below);
        bool low = sign < 0 || (q->even && sign == 0), high = reaches_next(q);
        int half = compare_sum(&q->r, &q->r, &q->s);
        if (high && (!low || half > 0 || (half == 0 && digit % 2 != 0)))
            digit++;
        digits[n] = digit;
        if (low || high || n + 1 == DIGITS_MAX)
            return n + 1;
    }
}

static char *put_zeros(char *at, int n)
{
    for (; n > 0; n--)
        *at++ = '0';
    return at;
}

bool real_is_finite(uint64_t bits)
{
    return (bits >> MANTISSA_BITS & EXPONENT_MOST) != EXPONENT_MOST;
}

char *real_put(char *at, uint64_t bits)
{
    uint64_t mantissa = bits & (((uint64_t)1 << MANTISSA_BITS) - 1);
    unsigned exponent = (unsigned)(bits >> MANTISSA_BITS) & EXPONENT_MOST;
    if (!real_is_finite(bits) && mantissa > 0)
        return put_text(at, "nan");
    if (bits >> 63)
        *at++ = '-';
    if (!real_is_finite(bits))
        return put_text(at, "inf");
    if (mantissa == 0 && exponent == 0)
        return put_text(at, "0");
    char digits[DIGITS_MAX];
    struct quotient q = quotient_of(mantissa, exponent);
    int greatest = (int)exponent - 1023;
    if (exponent == 0)
        for (greatest = -EXPONENT_LEAST; mantissa > 0; mantissa >>= 1)
            greatest++;
    int power = scale(&q, greatest);
    unsigned n = make_digits(&q, digits);
    int size = (int)n;
    if (power > WHOLE_DIGITS_MAX || power < -ZEROS_MAX) {
        *at++ = digits[0];
        if (size > 1) {
            *at++ = '.';
            at = put_bytes(at, digits + 1, n - 1);
        }
        return number_put(put_text(at, power > 0 ? "e+" : "e"), power - 1);
    }
    if (power <= 0)
        return put_bytes(put_zeros(put_text(at, "0."), -power), digits, n);
    if (size <= power)
        return put_zeros(put_bytes(at, digits, n), power - size);
    at = put_bytes(at, digits, (size_t)power);
    *at++ = '.';
    return put_bytes(at, digits + power, n - (size_t)power);
}

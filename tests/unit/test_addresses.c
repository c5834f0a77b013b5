/* Symbols: what nm and addr2line print is read, the innermost one around an address found. */
#include "support.h"
#include "trace/addresses.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static csy_status read_text(struct symbols *symbols, const char *text, csy_error *error)
{
    FILE *file = tmpfile();
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    rewind(file);
    csy_status status = symbols_read(symbols, fileno(file), "a.nm", error);
    fclose(file);
    ck_assert(symbols_seal(symbols));
    return status;
}

static void expect(const struct symbols *symbols, uint64_t address, const char *name,
                   const char *file, unsigned line)
{
    const struct symbol *found = symbols_find(symbols, address);
    ck_assert_msg(!found == !name, "0x%llx: %s", (unsigned long long)address,
                  found ? found->name : "nothing");
    if (!name || !found)
        return;
    ck_assert_str_eq(found->name, name);
    ck_assert_pstr_eq(found->file, file);
    ck_assert_uint_eq(found->line, line);
}

START_TEST(lines_of_nm)
{
    struct symbols s = {0};
    csy_error error;
    ck_ok(read_text(&s,
                    "\nf.o:\n"
                    "0000000000001110 t __do_global_dtors_aux\n"
                    "                 U puts\n"
                    "                 w __cxa_finalize\r\n"
                    "0000000000001159 0000000000000046 t leaf\t/home/a b/f.c:2\n"
                    "00000000000011fa 0000000000000082 W alias\n"
                    "00000000000011fa 0000000000000082 T main\n"
                    "0000000000004010 0000000000000004 B counter\t/home/f.c:9\n"
                    "000000000000119f 000000000000005b T A::f(int, char)\t/home/f.c:?",
                    &error),
          error);
    expect(&s, 0x110f, NULL, NULL, 0);
    expect(&s, 0x1150, "__do_global_dtors_aux", NULL, 0);
    expect(&s, 0x1159, "leaf", "/home/a b/f.c", 2);
    expect(&s, 0x119e, "leaf", "/home/a b/f.c", 2);
    expect(&s, 0x11f9, "A::f(int, char)", "/home/f.c", 0);
    expect(&s, 0x11fa, "main", NULL, 0);
    expect(&s, 0x127b, "main", NULL, 0);
    expect(&s, 0x127c, NULL, NULL, 0);
    expect(&s, 0x4010, NULL, NULL, 0);
    symbols_fini(&s);
}
END_TEST

START_TEST(lines_of_addr2line)
{
    struct symbols s = {0};
    csy_error error;
    ck_ok(read_text(&s,
                    "0x0000000000001179\ninner\n/home/f.c:2 (discriminator 3)\nouter\n/home/f.c:9\n"
                    "0x1180\n??\n??:0\n"
                    "0x1190\n/home/g.c:4\n"
                    "0x1200: B::at at /home/at at x.c:7\n"
                    " (inlined by) main at /home/f.c:8\n"
                    "0x1300: ?? ??:0\n",
                    &error),
          error);
    expect(&s, 0x1179, "inner", "/home/f.c", 2);
    expect(&s, 0x117a, NULL, NULL, 0);
    expect(&s, 0x1180, NULL, NULL, 0);
    expect(&s, 0x1190, NULL, NULL, 0);
    expect(&s, 0x1300, NULL, NULL, 0);
    ck_assert_uint_eq(s.count, 2);
    symbols_fini(&s);
    ck_ok(read_text(&s, "0x1200: main at /home/f.c:7\n0000000000001200 T main\n", &error), error);
    expect(&s, 0x1200, "main", "/home/f.c", 7);
    symbols_fini(&s);
}
END_TEST

START_TEST(other_lines_are_refused)
{
    static const struct {
        const char *text;
        unsigned line;
    } bad[] = {{"hello\n", 1},
               {"0000000000001159 T main\n12\n", 2},
               {"00000000000000001159 T main\n", 1},
               {"0000000000001159 5 main\n", 1},
               {"0x1159\nmain\nmain\n", 3},
               {"0x\n", 1},
               {"0x12 13\n", 1},
               {"0x12: main at home\n", 1},
               {"   \n", 1}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct symbols s = {0};
        csy_error error;
        char want[80];
        snprintf(want, sizeof want, "a.nm: line %u: this line was not written by nm or addr2line",
                 bad[i].line);
        ck_refused(read_text(&s, bad[i].text, &error), CSY_INPUT, error, want);
        symbols_fini(&s);
    }
}
END_TEST

START_TEST(names_are_made_harmless)
{
    struct symbols s = {0};
    csy_error error;
    ck_ok(read_text(&s, "00000010 00000004 T a\x1b[31m\tb\n", &error), error);
    ck_assert(symbols_add(&s, 0x20, 4, "x\ny", "f\x7f", 1) &&
              symbols_add(&s, 0x30, 4, "", NULL, 0));
    ck_assert(symbols_seal(&s));
    expect(&s, 0x10, "a?[31m?b", NULL, 0);
    expect(&s, 0x20, "x?y", "f?", 1);
    expect(&s, 0x30, NULL, NULL, 0);
    symbols_fini(&s);
}
END_TEST

/* Functions that follow one another or are within one another, as linkers lay them out. */
START_TEST(the_innermost_symbol_is_found)
{
    enum { SYMBOLS = 30, SPACE = 400 };
    for (int trial = 0; trial < trials_of(200); trial++) {
        struct random r = random_trial((uint64_t)trial);
        struct symbols s = {0};
        uint64_t at[SYMBOLS], end[SYMBOLS], from = 0;
        for (unsigned i = 0; i < SYMBOLS; i++) { /* each within the one before, or after it */
            char name[16];
            bool within = i > 0 && end[i - 1] - at[i - 1] > 4 && random_chance(&r, 40);
            uint64_t begin = within ? at[i - 1] + 1 : from + (uint64_t)random_between(&r, 0, 3);
            uint64_t most = within ? end[i - 1] - begin - 1 : SPACE / SYMBOLS;
            at[i] = begin;
            end[i] = begin + (uint64_t)random_between(&r, 1, (int64_t)most);
            from = end[i] > from ? end[i] : from;
            snprintf(name, sizeof name, "f%u", i);
            ck_assert(symbols_add(&s, at[i], end[i] - at[i], name, NULL, i));
        }
        ck_assert(symbols_seal(&s));
        for (uint64_t address = 0; address < 2 * SPACE; address++) {
            const struct symbol *found = symbols_find(&s, address);
            unsigned want = SYMBOLS;
            for (unsigned i = 0; i < SYMBOLS; i++)
                want = address >= at[i] && address < end[i] ? i : want;
            ck_assert_uint_eq(found ? found->line : SYMBOLS, want);
        }
        symbols_fini(&s);
    }
}
END_TEST

static const char *name_of(const struct addresses *a, uint64_t address)
{
    static char room[ADDRESS_ROOM], text[ADDRESS_ROOM];
    static struct address_cache cache;
    csy_text one, other;
    cache = (struct address_cache){0};
    one = addresses_name(a, NULL, address, room, NULL);
    snprintf(text, sizeof text, "%.*s", (int)one.size, one.bytes);
    for (int i = 0; i < 2; i++) {
        other = addresses_name(a, &cache, address, room, NULL);
        ck_assert_uint_eq(other.size, strlen(text));
        ck_assert_mem_eq(other.bytes, text, other.size);
    }
    return text;
}

START_TEST(images_have_their_symbols)
{
    struct addresses a = {0};
    struct symbols app = {0}, lib = {0}, all = {0};
    bool found;
    ck_assert(symbols_add(&app, 0x1000, 16, "main", NULL, 0) && symbols_seal(&app));
    ck_assert(symbols_add(&lib, 0x1000, 16, "cosine", NULL, 0) && symbols_seal(&lib));
    ck_assert(symbols_add(&all, 0x20, 0, "start", NULL, 0) && symbols_seal(&all));
    ck_assert(addresses_add_symbols(&a, NULL, &all, &found) && found);
    ck_assert_str_eq(name_of(&a, 0x25), "start");
    ck_assert_str_eq(name_of(&a, 0x15), "0x00000015");
    addresses_fini(&a);
    ck_assert(addresses_add_image(&a, "/bin/app", 0x555500000000, 0x555500002000, 0x555500000000));
    ck_assert(
        addresses_add_image(&a, "/lib/l\nm.so", 0x7f0000000000, 0x7f0000004000, 0x7effffff0000));
    ck_assert(addresses_add_symbols(&a, "app", &app, &found) && found);
    ck_assert(addresses_add_symbols(&a, "/lib/other.so", &app, &found) && !found);
    ck_assert(addresses_add_symbols(&a, "/lib/l?m.so", &lib, &found) && found);
    addresses_seal(&a);
    ck_assert_str_eq(name_of(&a, 0x555500001000), "main");
    ck_assert_str_eq(name_of(&a, 0x5555000004a8), "0x000004a8");
    ck_assert_str_eq(name_of(&a, 0x7f0000000400), "l?m.so+0x00010400");
    ck_assert_str_eq(name_of(&a, 0x7f0000004000), "0x7f0000004000");
    addresses_fini(&a);
    symbols_fini(&app);
    symbols_fini(&lib);
    symbols_fini(&all);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("addresses");
    tcase_add_test(tests, lines_of_nm);
    tcase_add_test(tests, lines_of_addr2line);
    tcase_add_test(tests, other_lines_are_refused);
    tcase_add_test(tests, names_are_made_harmless);
    tcase_add_test(tests, the_innermost_symbol_is_found);
    tcase_add_test(tests, images_have_their_symbols);
    return unit_run();
}

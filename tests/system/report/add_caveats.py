#!/usr/bin/env python3
"""Add a warning and a condition to the list of caveats.

Usage: add_caveats.py CAVEATS_C OUTPUT
"""
import pathlib
import sys

from caveats_test import ADDED

LIST = "enum class { WARNING"
WARNING, CONDITION = '    {"lost_outs", FIGURES', "};\nenum { SAYERS"


def sayer(name, text):
    text = text.replace("%", "%%").replace('"', '\\"')
    return f"""static const char *{name}(const csy_sync *sync, char text[CSY_WARNING_TEXT_MAX])
{{
    (void)sync;
    snprintf(text, CSY_WARNING_TEXT_MAX, "{text}");
    return text;
}}

"""


def main(source, output):
    code = pathlib.Path(source).read_text("ascii")
    for place, more in ((LIST, sayer("say_added", ADDED[0]) + sayer("say_added_condition", ADDED[1])),
                        (WARNING, '    {"added", WARNING, say_added, NULL, NULL},\n'),
                        (CONDITION, '    {"added", CONDITION, say_added_condition, NULL, NULL},\n')):
        assert code.count(place) == 1, place
        code = code.replace(place, more + place)
    pathlib.Path(output).parent.mkdir(exist_ok=True)
    pathlib.Path(output).write_text(code, "ascii")


if __name__ == "__main__":
    main(*sys.argv[1:])

#!/bin/sh
# The documentation against what it documents: man pages are well-formed and complete, and what
# README.md and the pages show of cellsync is what it prints today.
#
#   man_test.sh CELLSYNC     CC names another compiler than cc
set -u

if [ $# -ne 1 ] || [ ! -x "$1" ]; then
    echo 'usage: man_test.sh CELLSYNC' >&2
    exit 2
fi
cellsync=$(cd -- "$(dirname -- "$1")" && pwd)/$(basename -- "$1")
cd -- "$(dirname -- "$0")/../../.." || exit 1
top=$PWD
header=include/cellsync/cellsync.h
export LC_ALL=C
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM
passed=0
failed=0

good()
{
    passed=$((passed + 1))
}

bad()
{
    failed=$((failed + 1))
    printf 'FAIL: %s\n' "$*"
}

# silent NAME COMMAND...: it succeeds and has nothing to say.
silent()
{
    name=$1
    shift
    if "$@" >"$tmp/said" 2>&1 && [ ! -s "$tmp/said" ]; then
        good
    else
        bad "$name"
        cat "$tmp/said"
    fi
}

# all_in NAME WORDS FILE: every word of the file WORDS, and there are some, is in FILE.
all_in()
{
    [ -s "$2" ] || bad "no $1 is found"
    sort -u "$2" >"$tmp/words"
    while IFS= read -r word; do
        if grep -qw -e "$word" "$3"; then good; else bad "$1 $word is not in $3"; fi
    done <"$tmp/words"
}

# displays FOLDER PAGE: the literal displays of a man page as files, as they look when printed; names of indented
# displays end in .indented.
displays()
{
    mkdir "$1"
    awk -v folder="$1" '
        /^\.Bd -literal/ { file = sprintf("%s/%02d%s", folder, ++n, / -offset indent/ ? ".indented" : ""); next }
        /^\.Ed/ { file = "" }
        file != "" { print >file }' "$2"
    sed -i -e 's/\\-/-/g' -e 's/\\e/\\/g' "$1"/*
}

# begins_with TEXT FOLDER: the file there whose first line begins so.
begins_with()
{
    for file in "$2"/*; do
        case $(head -n 1 "$file") in
            "$1"*) printf '%s\n' "$file" ;;
        esac
    done
}

# Runs of blanks and newlines as one blank: pages break long lines.
squeezed()
{
    tr -s ' \n' '  '
}

# session NAME FILE [squeezed|folded]: the commands behind "$ ", which go on behind "> ", run in one shell from the
# top folder (or where it looks the same, so that what they write is out of the way), print what stands
# below each.  Folded, only lines of more than 120 columns are broken and blanks are as they are printed.
session()
{
    awk -v quote="'" 'function flush() {
            if (shown == "")
                return
            gsub(quote, quote "\\" quote quote, shown)
            printf "status=$?\nprintf %s%%s\\n%s %s%s%s\n", quote, quote, quote, shown, quote
            printf "(exit $status)\n%s\n", command
            shown = ""
        }
        /^> / && shown != "" { shown = shown "\n" $0; command = command "\n" substr($0, 3); next }
        { flush() }
        /^\$ / { shown = $0; command = substr($0, 3) }
        END { flush() }' "$2" >"$tmp/script"
    (cd "$tmp/top" && PATH="$tmp/bin:$PATH" sh "$tmp/script") >"$tmp/found" 2>&1 </dev/null
    cp "$2" "$tmp/wanted"
    if [ "${3-}" = folded ] && ! awk 'NR == FNR { shown[$0] = 1; next }
            length($0) > 0 && length($0) <= 120 && !($0 in shown) { print; wrong = 1 }
            END { exit wrong }' "$2" "$tmp/found" >"$tmp/lines"; then
        bad "$1: not printed so today, blank by blank:"
        cat "$tmp/lines"
    fi
    if [ $# -eq 3 ]; then
        squeezed <"$2" >"$tmp/wanted"
        squeezed <"$tmp/found" >"$tmp/found.squeezed"
        mv "$tmp/found.squeezed" "$tmp/found"
    fi
    if cmp -s "$tmp/wanted" "$tmp/found"; then
        good
    else
        bad "$1: not what cellsync prints today:"
        diff "$tmp/wanted" "$tmp/found"
    fi
}

mkdir "$tmp/bin" "$tmp/top"
ln -s "$cellsync" "$tmp/bin/cellsync"
ln -s "$(dirname -- "$cellsync")/pdtsim" "$tmp/bin/pdtsim"
ln -s "$(dirname -- "$cellsync")/cellstat" "$tmp/bin/cellstat"
ln -s "$top/testdata" "$tmp/top/testdata"
[ ! -x "$(dirname -- "$cellsync")/celltrace" ] || ln -s "$(dirname -- "$cellsync")/celltrace" "$tmp/bin/celltrace"
for page in cellsync.1 cellstat.1 celltrace.1 pdtsim.1 libcellsync.3 libcelltrace.3 pex.5 cellsync-csv.5 cellsync-events.5 cellsync-run.5 cellsync-input.5 cellsync-output.5 cellsync-json.5 cellstat-tables.5 cellsync-analysis.7 cellsync-model.7 cellsync-recipes.7 cellsync-report.7 cellsync-tutorial.7; do
    displays "$tmp/$page" "man/$page"
done

# --- The pages are well-formed -----------------------------------------------------------------

for page in man/*; do
    silent "mandoc has complaints about $page" mandoc -T lint -W warning "$page"
    ! command -v groff >/dev/null || silent "groff has complaints about $page" groff -ww -K utf8 -mandoc -T utf8 -z "$page"
done

# What is read in a browser is the page.
silent 'doc/tutorial.md is not what mandoc -T markdown makes of cellsync-tutorial.7' \
    sh -c 'mandoc -T markdown man/cellsync-tutorial.7 | diff - doc/tutorial.md'

# The picture of README.md is what cellsync draws today of a shipped archive; ./dev pictures draws it.
case $("$cellsync" --version) in
    *'no libotf2'*) ;;
    *)
        "$cellsync" -q testdata/otf2/traces.otf2 --figures="$tmp/pictures"
        silent 'doc/pictures/messages.svg is not what cellsync draws today' \
            cmp doc/pictures/messages.svg "$tmp/pictures/messages.svg"
        ;;
esac

# --- Options: the same in --help, in the man page, in the completion ---------------------------

# list_options PROGRAM: by --help-all, or by --help if the program has no other
list_options()
{
    "$tmp/bin/$1" --help-all 2>/dev/null || "$tmp/bin/$1" --help
}

# options_agree PROGRAM COMPLETION: of what is built as PROGRAM and documented in PROGRAM.1.
options_agree()
{
    list_options "$1" >"$tmp/help" || bad "$1 --help fails"
    sed -nE 's/^ +(-[[:alnum:]], )?(--[a-z-]+=?).*/\1\2/p' "$tmp/help" | sort >"$tmp/options"
    sed -nE -e 's/^\.It Fl ([[:alnum:]]) , Fl (-[a-z-]+)( Ns = Ns .*)?$/-\1, -\2\3/p' \
        -e 's/^\.It Fl (-[a-z-]+)( Ns = Ns .*)?$/-\1\2/p' \
        -e 's/^\.It Fl (-[a-z-]+) Ns Op = Ns .*$/-\1/p' "man/$1.1" |
        sed 's/ Ns = Ns .*/=/' | sort >"$tmp/documented"
    silent "the options of $1 --help (<) are not those of $1.1 (>)" \
        diff "$tmp/options" "$tmp/documented"
    [ -s "$tmp/options" ] || bad "$1 --help lists no options"
    sed 's/.*--/--/' "$tmp/options" >"$tmp/long"
    while IFS= read -r option; do
        if grep -qE -e "(^| )$option( |\$)" "$2"; then
            good
        else
            bad "$option is not in $2"
        fi
    done <"$tmp/long"
}

completions=$(dirname -- "$cellsync")/completion
options_agree cellsync "$completions/cellsync.bash"
options_agree cellstat "$completions/cellstat.bash"
options_agree pdtsim "$completions/pdtsim.bash"
[ ! -x "$tmp/bin/celltrace" ] || options_agree celltrace "$completions/celltrace.bash"

# words_agree PROGRAM COMPLETION HELD: the completions, COMPLETION.bash, .zsh, and .fish, know the options of --help and no other,
# and the words that PROGRAM.1 lists for them; HELD is a pattern of options with words that it does not list so.
words_agree()
{
    list_options "$1" | sed -nE 's/^ +(-[[:alnum:]], )?--([a-z-]+).*/\2/p' | sort >"$tmp/options"
    sed -n "/^ *_$1_words \"\$cur\" --output=/,/version\$/p" "$2.bash" |
        grep -oE -e '--[a-z-]+' | sed 's/--//' | sort >"$tmp/bash"
    sed -n '/^arguments=/,/^)/p' "$2.zsh" | sed -nE "s/^    '?[^[]*--([a-z-]+).*/\1/p" | sort >"$tmp/zsh"
    sed -nE 's/^\.It Fl -([a-z-]+) Ns = Ns Cm (.*)$/\1 \2/p' "man/$1.1" | sed 's/ |//g' | sort >"$tmp/words.man"
    sed -nE "s/^ +--([a-z-]+)\\) _$1_words \"\\\$cur\" (.*) ;;\$/\1 \2/p" "$2.bash" |
        grep -vE "^($3) " | sort >"$tmp/words.bash"
    sed -nE "s/^.*--([a-z-]+)=\\[.*\\]:[a-z ]+:\\((.*)\\)'\$/\1 \2/p" "$2.zsh" |
        grep -vE "^($3) " | sort >"$tmp/words.zsh"
    sed -nE "s/^complete -c $1 (-s . )?-l ([a-z-]+) .*/\\2/p" "$2.fish" | sort >"$tmp/fish"
    sed -nE "s/^complete .*-l ([a-z-]+) -x -a '([^(]*)' -d .*/\\1 \\2/p" "$2.fish" |
        grep -vE "^($3) " | sort >"$tmp/words.fish"
    for shell in bash zsh fish; do
        silent "the options of $1 --help (<) are not those of $2.$shell (>)" \
            diff "$tmp/options" "$tmp/$shell"
        silent "the words of $1.1 (<) are not those of $2.$shell (>)" \
            diff "$tmp/words.man" "$tmp/words.$shell"
    done
    [ -s "$tmp/words.man" ] || bad "$1.1 has no options that take words"
}

words_agree cellsync "$completions/cellsync" 'compress|reference|delta'
words_agree pdtsim "$completions/pdtsim" workload
[ ! -x "$tmp/bin/celltrace" ] || words_agree celltrace "$completions/celltrace" events
"$tmp/bin/pdtsim" --help | sed -n '/^Workloads:/,/^$/s/^  \([a-z0-9_]*\) .*/\1/p' | paste -sd ' ' - >"$tmp/workloads"
for shell in bash zsh fish; do
    if [ -s "$tmp/workloads" ] && grep -qF -f "$tmp/workloads" "$completions/pdtsim.$shell"; then
        good
    else
        bad "the workloads of pdtsim --help are not those of pdtsim.$shell"
    fi
done

# Every constant of the simulator's model is in doc/simulator.md, with its value.
{
    grep -oE '[A-Z_]+ = [0-9]+' simulator/machine.h | sed 's/ =//'
    sed -n 's/^#define \(QUANTUM_NS\) /\1 /p' simulator/machine.h
} | grep -vE '^(MACHINES|CELLS_MAX|SPES_MAX|CELL_SPES) ' >"$tmp/constants"
sed -nE 's/^([A-Z_]+) +([0-9]+) .*/\1 \2/p' doc/simulator.md >"$tmp/documented"
sort "$tmp/constants" >"$tmp/wanted"
silent 'the constants of machine.h (<) are not those of doc/simulator.md (>)' \
    sh -c "sort '$tmp/documented' | diff '$tmp/wanted' -"
[ -s "$tmp/constants" ] || bad 'machine.h has no constants'

# --- The headers are the reference; libcellsync(3) tells how its parts work together ---------------

# What the page names is in a header, and every object and status of these is in the page.
cat "$header" include/cellsync/analysis.h >"$tmp/headers"
header=$tmp/headers
sed -nE 's/^CSY_API .*[ *](csy_[a-z_]+)\(.*/\1/p' "$header" >"$tmp/declared"
[ -s "$tmp/declared" ] || bad 'the header declares no function'
grep -oE '\b(csy_[a-z_]+|CSY_[A-Z_]+)\b' man/libcellsync.3 | grep -vE '_$' >"$tmp/named"
all_in name "$tmp/named" "$header"
sed -nE 's/^typedef struct (csy_[a-z]+) csy_[a-z]+;$/\1/p' "$header" >"$tmp/objects"
all_in object "$tmp/objects" man/libcellsync.3
sed -nE '/^typedef enum csy_status/,/^}/s/^ +(CSY_[A-Z]+).*/\1/p' "$header" >"$tmp/statuses"
all_in status "$tmp/statuses" man/libcellsync.3

# Every function of the header has a comment, its own or that of the group it stands in.
awk '/^$/ { told = 0 } /\*\/$/ { told = 1 } /^CSY_API / && !told { print FILENAME ":" FNR ": " $0 }' "$header" >"$tmp/untold"
silent 'functions without a comment' cat "$tmp/untold"

program=$(begins_with '#include' "$tmp/libcellsync.3")
cp "$program" "$tmp/program.c"
silent 'the program of libcellsync.3 does not compile' "${CC:-cc}" -std=c11 -Wall -Wextra -Wpedantic -Werror \
    -fsyntax-only -I include "$tmp/program.c"

# libcelltrace(3) names every function of its header, and no other.
sed -nE 's/^.*[ *](ct_[a-z_0-9]+)\(.*;?$/\1/p' include/cellsync/celltrace.h | grep -vE '^ct_(mark|interval)[1-35]$' |
    sed -e 's/ct_interval4/ct_interval6/' >"$tmp/declared"
all_in function "$tmp/declared" man/libcelltrace.3
grep -oE '\b(ct_[a-z_0-9]+|CT_[A-Z_]+)\b' man/libcelltrace.3 >"$tmp/named"
all_in name "$tmp/named" include/cellsync/celltrace.h
cp "$(begins_with '#include' "$tmp/libcelltrace.3")" "$tmp/record.c"
for off in -DCELLTRACE_ON -DCELLTRACE_OFF; do
    silent "the program of libcelltrace.3 does not compile, $off" "${CC:-cc}" -std=c11 -Wall -Wextra -Wpedantic \
        -Werror -fsyntax-only "$off" -I include "$tmp/record.c"
done

# --- Sections that comments and pages cite, "doc/algorithms.md, Unwrapping", are there ------------

{
    find include lib stat recorder simulator -name '*.[ch]' -exec cat {} + | tr '\n' ' ' | sed 's, [*] , ,g' | tr -s ' ' |
        grep -oE '([a-z-]+\([1357]\)|doc/[a-z]+\.md), [A-Z][A-Za-z ]*' |
        sed -E -e 's/^([a-z-]+)\(([0-9])\), /man\/\1.\2 /' -e 's/^(doc[^ ]*), /\1 /' \
            -e 's/^([^ ]*) (.*) and ([A-Z].*)$/\1 \2\n\1 \3/'
    cat man/* | tr '\n' ' ' | grep -oE '[. ]Xr cellsync-(model|report) 7 , [A-Z][A-Za-z ]*' |
        sed -E 's/^.Xr ([a-z-]+) 7 , /man\/\1.7 /'
} | sort -u >"$tmp/cited"
[ -s "$tmp/cited" ] || bad 'no section is cited'
while read -r page text; do
    sed -nE 's/^(\.S[hs]|##+) //p' "$page" >"$tmp/sections"
    cited=
    while IFS= read -r section; do
        case "$text " in
            "$section "*) cited=$section ;;
        esac
    done <"$tmp/sections"
    if [ -n "$cited" ]; then good; else bad "a comment or a page cites $page, $text, which has no such section"; fi
done <"$tmp/cited"

# --- cellsync-messages(7) has every key of a caveat, and quotes what the programs print ------------

sed -nE 's/^    \{"([a-z_]+)", (WARNING|FIGURES|UNRANGED|CONDITION), .*/\1/p' lib/output/encode/caveats.c >"$tmp/keys"
all_in 'the key of a caveat,' "$tmp/keys" man/cellsync-messages.7
find lib stat -name '*.[ch]' -exec cat {} + | tr '\n' ' ' | sed -e 's/" *"//g' -e 's/\\"/"/g' >"$tmp/literals"
sed -nE -e 's/""/"/g' -e 's/^\.It "(.*)"$/\1/p' man/cellsync-messages.7 | sed 's/ \.\.\. /\n/g' >"$tmp/quoted"
[ -s "$tmp/quoted" ] || bad 'cellsync-messages(7) quotes no message'
while IFS= read -r text; do
    if grep -qF -e "$text" "$tmp/literals"; then good; else bad "cellsync-messages.7 quotes what nothing prints: $text"; fi
done <"$tmp/quoted"

# --- What the documents show is what happens ---------------------------------------------------

awk -v folder="$tmp" '
    /^```console$/ { file = sprintf("%s/readme.%02d", folder, ++n); next }
    /^```/ { file = "" }
    file != "" { print >file }' README.md
[ -f "$tmp/readme.01" ] || bad 'README.md shows no run of cellsync'
for block in "$tmp"/readme.*; do
    session README.md "$block"
done
# Sessions are the displays that begin with a prompt.  The output of indented ones differs from run to run: live, mpi_* and
# otf2_out run these.
for page in cellsync.1 cellstat.1 celltrace.1 pdtsim.1 cellsync-output.5 cellsync-json.5 cellstat-tables.5 cellsync-analysis.7 cellsync-model.7 cellsync-recipes.7 cellsync-report.7 cellsync-tutorial.7; do
    [ "$page" != celltrace.1 ] || [ -x "$tmp/bin/celltrace" ] || continue
    begins_with "\$ " "$tmp/$page" | grep -v '\.indented$' >"$tmp/sessions"
    [ -s "$tmp/sessions" ] || bad "$page shows no run of a program"
    while IFS= read -r block; do
        session "$page" "$block" folded
    done <"$tmp/sessions"
done

# libcellsync(3) has a program, and what it prints.
built=$(dirname -- "$cellsync")
silent 'the program of libcellsync.3 does not link' "${CC:-cc}" -std=c11 -I include "$tmp/program.c" \
    -o "$tmp/bin/offsets" -L "$built" -lcellsync "-Wl,-rpath,$built"
{
    printf '%s\n' "\$ offsets testdata/samples/plain.pex"
    cat "$(begins_with 'ppe 0 ' "$tmp/libcellsync.3")"
} >"$tmp/offsets"
session 'libcellsync.3, what its program prints' "$tmp/offsets"

# pex(5) makes a trace of three records, byte by byte.
cp "$(begins_with '<?xml' "$tmp/pex.5")" "$tmp/top/tiny.pex"
bytes=$(sed -E 's/^[0-9]* +//' "$(begins_with '0   5044' "$tmp/pex.5")" | tr -d ' \n' | awk '{
    for (i = 1; i < length($0); i += 2)
        printf "\\%03o", 16 * (index("0123456789abcdef", substr($0, i, 1)) - 1) + \
            index("0123456789abcdef", substr($0, i + 1, 1)) - 1
}')
# shellcheck disable=SC2059 # the format is the bytes
printf "$bytes" >"$tmp/top/tiny.trace"
{
    printf '%s\n' "\$ cellsync tiny.pex --to=csv -o -"
    cat "$(begins_with '# cellsync reference=ppe' "$tmp/pex.5" | tail -n 1)"
} >"$tmp/tiny"
session 'pex.5, the example as CSV' "$tmp/tiny"
{
    printf '%s\n' "\$ cellsync tiny.pex -o global.pex" \
        "\$ sed -n 's/.*<sync/<sync/; /<sync/,/<.sync/p' global.pex"
    cat "$(begins_with '<synchronization' "$tmp/pex.5")"
} >"$tmp/tiny"
session 'pex.5, what is added to the example' "$tmp/tiny" squeezed

printf '%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" -eq 0 ]

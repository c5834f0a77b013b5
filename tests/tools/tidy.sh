#!/bin/sh
# Look a file over with clang-tidy, unless it found nothing before in all the same text: that of the file, of all that it
# includes, of how it is compiled and of what is asked.  What was clean is remembered by a hash of all that, as ccache does.
#
#   tidy.sh MEMORY FOLDER [OPTION...] FILE     FOLDER: where compile_commands.json stands, and perhaps `version`,
#                                              which is clang-tidy's; the options are clang-tidy's
set -eu
memory=$1 folder=$2
shift 2
for file; do :; done

# Each way in which the file is compiled, as a command that names what it includes.
ways=$(
    awk -v file="\"$PWD/$file\"" '
        /^ *"command":/ { command = $0 }
        /^ *"file":/ && index($0, file) {
            sub(/^ *"command": "/, "", command)
            sub(/",$/, "", command)
            gsub(/\\"/, "\"", command)
            sub(/ -o [^ ]* -c /, " -M ", command)
            print command
        }' "$folder/compile_commands.json"
)

# Nothing where it cannot be told.
key_of_all()
{
    texts=$(printf '%s\n' "$ways" | while read -r way; do
        eval "$way"
    done | tr -s ' \\\n' '\n\n\n' | grep -v ':$' | sort -u) && [ -n "$texts" ] || return 0
    {
        cat "$folder/version" 2>/dev/null || clang-tidy --version
        cat .clang-tidy
        printf '%s\n' "$@"
        printf '%s\n' "$ways" | sed "s,$PWD,,g"
        # shellcheck disable=SC2086 # a list of paths without spaces
        cat $texts
    } | sha256sum | cut -d ' ' -f 1
}

key=$(key_of_all "$@" 2>/dev/null) || key=
if [ -n "$key" ] && [ -e "$memory/$key" ]; then
    exit 0
fi
clang-tidy --quiet -p "$folder" "$@"
[ -z "$key" ] || : >"$memory/$key"

# bash completion for cellsync(1); bash-completion loads it from
# share/bash-completion/completions/cellsync.  It takes nothing but bash itself.

_cellsync()
{
    local cur=${COMP_WORDS[COMP_CWORD]} option i
    COMPREPLY=()

    # The option whose value the word is: bash splits `--from=p` into --from, =, p.
    option=${COMP_WORDS[COMP_CWORD - 1]}
    [[ $option == --compress && $cur != = ]] && option='' # takes its value behind = only
    [[ $cur == = ]] && cur=''
    [[ $option == = ]] && option=${COMP_WORDS[COMP_CWORD - 2]}

    # Behind -- there are only file names.
    for ((i = 1; i < COMP_CWORD; i++)); do
        [[ ${COMP_WORDS[i]} == -- ]] && option=TRACE
    done

    case $option in
        --from) _cellsync_words "$cur" pex csv ;;
        --time-unit) _cellsync_words "$cur" s ms us ns ticks ;;
        --to) _cellsync_words "$cur" pex csv json ctf ;;
        --csv-header) _cellsync_words "$cur" comment none ;;
        --csv-time) _cellsync_words "$cur" ticks seconds both ;;
        --json-args) _cellsync_words "$cur" all short none ;;
        --pairs) _cellsync_words "$cur" all live reference none ;;
        --report-format) _cellsync_words "$cur" text csv json html tex ;;
        --relax) _cellsync_words "$cur" exact paper none ;;
        --center) _cellsync_words "$cur" reference local ;;
        --method) _cellsync_words "$cur" bhh lamport lamport-clock lsq ;;
        --unit) _cellsync_words "$cur" ticks us ;;
        --graph-of) _cellsync_words "$cur" constraints bounds ;;
        --unwrap) _cellsync_words "$cur" assume strict ;;
        --engine) _cellsync_words "$cur" auto sweep dense ;;
        --progress) _cellsync_words "$cur" auto always never ;;
        --compress) _cellsync_words "$cur" {0..9} ;;
        --reference) _cellsync_words "$cur" ppe ;;
        -o | --output | -r | --report | --graph) _cellsync_files "$cur" ;;
        --alpha | --columns | --delta | --drop | --window | --only | --explain | --max-adjust | --max-imprecision | --max-memory | --threads) ;;
        *)
            if [[ $cur == -* && $option != TRACE ]]; then
                _cellsync_words "$cur" --output= --report= --from= --columns= --time-unit= --to= --report-format= --table \
                    --unit= --pairs= --reference= --alpha= --center= --relax= --delta= --drop= --method= --measure --monotonic --max-adjust= --explain= --graph= --graph-of= --figures= --unwrap= --max-imprecision= --engine= \
                    --threads= --max-memory= --csv-header= --csv-time= --json-args= --window= --only= --embed --compress --salvage --check --no-sandbox --quiet --verbose --progress= --help --version
                [[ ${COMPREPLY[0]-} == *= ]] && compopt -o nospace
            else
                _cellsync_files "$cur" '\.(pex|csv|csv\.gz)$'
            fi
            ;;
    esac
}

# _cellsync_words PREFIX WORD...
_cellsync_words()
{
    local prefix=$1
    shift
    mapfile -t COMPREPLY < <(compgen -W "$*" -- "$prefix")
}

# _cellsync_files PREFIX [REGEX]: files whose names match, and folders.
_cellsync_files()
{
    local name
    while IFS= read -r name; do
        [[ -d ${name/#\~\//$HOME/} || $name =~ ${2-} ]] && COMPREPLY+=("$name")
    done < <(compgen -f -- "$1")
    compopt -o filenames
}

complete -F _cellsync cellsync

# bash completion for pdtsim(1); bash-completion loads it from
# share/bash-completion/completions/pdtsim.  It takes nothing but bash itself.

_pdtsim()
{
    local cur=${COMP_WORDS[COMP_CWORD]} option
    COMPREPLY=()

    # The option whose value the word is: bash splits `--level=f` into --level, =, f.
    option=${COMP_WORDS[COMP_CWORD - 1]}
    [[ $cur == = ]] && cur=''
    [[ $option == = ]] && option=${COMP_WORDS[COMP_CWORD - 2]}

    case $option in
        --machine) _pdtsim_words "$cur" qs20 qs21 qs22 ps3 ;;
        --workload) _pdtsim_words "$cur" fft16m blackscholes juliaset matrix_mul oversubscribed synthetic ;;
        --level) _pdtsim_words "$cur" full stalls outer basic ;;
        --switch-source) _pdtsim_words "$cur" switch_log notifier ;;
        -o | --output | --truth)
            mapfile -t COMPREPLY < <(compgen -f -- "$cur")
            compopt -o filenames
            ;;
        --spes | --contexts | --events | --seed | --jitter | --late-writes) ;;
        *)
            _pdtsim_words "$cur" --output= --truth= --compress --machine= --workload= --spes= \
                --contexts= --level= --events= --seed= --jitter= --late-writes= --switch-source= \
                --verbose --help --version
            [[ ${COMPREPLY[0]-} == *= ]] && compopt -o nospace
            ;;
    esac
}

# _pdtsim_words PREFIX WORD...
_pdtsim_words()
{
    local prefix=$1
    shift
    mapfile -t COMPREPLY < <(compgen -W "$*" -- "$prefix")
}

complete -F _pdtsim pdtsim

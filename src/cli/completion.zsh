#compdef cellsync
# zsh completion for cellsync(1); zsh loads it as _cellsync from a folder of $fpath, such as
# share/zsh/site-functions.

local -a arguments
arguments=(
    '(-o --output)'{-o+,--output=}'[write the synchronized trace]:file:_files'
    '--from=[format of the trace]:format:(pex csv)'
    '--to=[format to write]:format:(pex csv json ctf)'
    '--embed[write a .pex with its records inside, in one file]'
    '--compress=-[gzip the records written]::level:(0 1 2 3 4 5 6 7 8 9)'
    '--csv-header=[comments of a CSV]:how:(comment none)'
    '--csv-time=[global times of a CSV]:unit:(ticks seconds both)'
    '(-r --report)'{-r+,--report=}'[write the error-bound report]:file:_files'
    '--report-format=[format of the report]:format:(text csv json html tex)'
    '--table[report a row a trace]'
    '--pairs=[pairs to list]:which:(all live reference none)'
    '--reference=[thread whose clock is tau]:thread:(ppe)'
    '--alpha=[where in its bound an offset lies]:fraction from 0 to 1: '
    '--center=[where offsets lie]:where:(reference local)'
    '(--delta)--relax=[what to do at contradictions]:how:(exact paper none)'
    '(--relax)--delta=[take stamps to be good to +-D ticks]:ticks, as 3 or 7/2: '
    '--method=[how global times are found]:method:(bhh lamport lamport-clock lsq)'
    '--measure[report also how distances within threads are kept]'
    '--monotonic[never let times go down]'
    '--max-adjust=[refuse to move a record further from its clock]:ticks: '
    '--explain=[show the records that set a bound of two threads]:threads A,B: '
    '--graph=[draw the graph of the threads, for dot]:file:_files'
    '--graph-of=[what its edges are]:what:(constraints bounds)'
    '--unwrap=[what to do with ambiguous gaps]:how:(assume strict)'
    '--max-imprecision=[what unwrapping allows to stamps]:ticks: '
    '--engine=[what makes the bounds]:engine:(auto sweep dense)'
    '--threads=[how many threads work]:number: '
    '--salvage[take the whole records of a trace that is cut off]'
    '--check[prove the guarantees of a synchronized .pex]'
    '--no-sandbox[keep the right to open any file]'
    '(-q --quiet)'{-q,--quiet}'[no warnings, no progress]'
    '(-v --verbose)'{-v,--verbose}'[say what is being done]'
    '--progress=[show progress]:when:(auto always never)'
    '(- *)'{-h,--help}'[show help and exit]'
    '(- *)'{-V,--version}'[show the version and exit]'
    '*:trace:_files -g "*.(pex|csv|csv.gz)(-.)"'
)
_arguments -s -S $arguments

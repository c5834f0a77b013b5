#compdef pdtsim
# zsh completion for pdtsim(1); zsh loads it as _pdtsim from a folder of $fpath, such as
# share/zsh/site-functions.

local -a arguments
arguments=(
    '(-o --output)'{-o+,--output=}'[write the trace]:file:_files -g "*.pex(-.)"'
    '--truth=[write the true offsets]:file:_files'
    '--compress[gzip the records]'
    '--machine=[clocks and cores]:machine:(qs20 qs21 qs22 ps3)'
    '--workload=[the program]:workload:(fft16m blackscholes juliaset matrix_mul oversubscribed synthetic)'
    '--spes=[SPEs that it may use]:number: '
    '--contexts=[SPE contexts]:number: '
    '--level=[what is traced]:level:(full stalls outer basic)'
    '--events=[begin no round behind so many records]:number: '
    '--seed=[another run of the same]:number: '
    '--jitter=[make each stamp wrong by up to so much]:ticks: '
    '--late-writes=[so many records are stamped early]:percent: '
    '--switch-source=[who reports context switches]:who:(switch_log notifier)'
    '(-v --verbose)'{-v,--verbose}'[say what was simulated]'
    '(- *)'{-h,--help}'[show help and exit]'
    '(- *)'{-V,--version}'[show the version and exit]'
)
_arguments -s -S $arguments

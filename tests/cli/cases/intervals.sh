# Rows of a CSV with a begin or a duration, several threads on a clock: what every format makes of them.
printf 'clock,thread,time_us,duration,event,note\nhost1,main,10,40,load,"a ""b"""\nhost2,m,1000,2.5,,\nhost1,io,12,,"read ""x""",-\nhost2,m,1003,1,write,\nhost1,main,16,,,\n' >perf.csv

# JSON: a begin before the first record is shown as it is.
good 'cellsync perf.csv -o - --to=json'

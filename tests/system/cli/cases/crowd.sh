# A profile of 10^5 processes: each has a clock, and nothing relates two of them.
awk 'BEGIN { printf "{\"traceEvents\":["
    for (i = 0; i < 100000; i++)
        printf "%s{\"ph\":\"X\",\"ts\":%d.125,\"dur\":2,\"pid\":%d,\"tid\":1,\"name\":\"a\"}", i ? ",\n" : "", i, i
    print "]}" }' >processes.json
good 'cellsync processes.json -r report.txt; grep -e ^threads -e ^records report.txt'

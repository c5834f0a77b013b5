# Files that are no text: what they look like, or what no text has, and where; through a pipe and packed, too.
begin() { printf '%b' "$1" >"$2"; head -c 3000 "$DATA/demo.trace" >>"$2"; }
begin '\0177ELF\002\001\001\000\000' program
begin '\0211PNG\r\n\032\n\000\000\000' picture.csv
begin '\0377\0330\0377\0340' photo
begin '%PDF-1.7\n%' paper
begin 'PK\003\004' sheet.xlsx
begin '\050\0265\057\0375' t.csv.zst
begin '\0375\0067zXZ\000' t.csv.xz
begin 'BZh91AY' t.csv.bz2
begin 'SQLite format 3\000' base
begin 'PERFILE2' perf.data
begin 'ab\001\002\003' garbage
begin '\0033\0303\0250\n' escapes
for file in program picture.csv photo paper sheet.xlsx t.csv.zst t.csv.xz t.csv.bz2 base perf.data garbage escapes; do
    fails 1 "cellsync $file"
done
gzip -c garbage >garbage.gz
gzip -c garbage.gz >twice.gz
fails 1 'cellsync garbage.gz -o x.csv'
fails 1 'cellsync twice.gz'
fails 1 'cat program | cellsync -'
fails 1 'cellsync --from=csv program'
fails 1 'cellsync --check program'
fails 1 'cellstat summary program'
# Text is told of as text, though some bytes are none in its rows.
printf 'when,who\n\001,\002\n' >text
fails 1 'cellsync text'

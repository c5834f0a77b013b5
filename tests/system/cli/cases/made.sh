# testdata/bad and testdata/good are what their scripts make, byte for byte.
command -v python3 >/dev/null || skip 'there is no python3'
for kind in bad good; do
    python3 "$tests/../../tools/make_$kind.py" "$kind"
    diff -r "$DATA/$kind" "$kind"
done

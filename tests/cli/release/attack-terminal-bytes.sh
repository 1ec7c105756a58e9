# Keys come from the data: what a terminal or a spreadsheet would obey reaches neither, in any format, and JSON reads back
# exactly. ESC, the byte 0x9b, U+009B, U+202E, a line end and formulas.
/usr/bin/python3 - <<'END'
keys = [b'a\x1b[31mred', b'b\x9b31m', 'c\u009b31m'.encode(), 'd\u202etxt'.encode(), b'"e\rf"', b"=cmd|' /C calc'!A0", b'+1+2', b'-2', b'@SUM(1)',
        b"'=x", 'ø'.encode(), b'#k', b'-2-2']
with open('people.csv', 'wb') as file:
    file.write(b'key\n')
    for key in keys:
        file.write((key + b'\n') * 300)
END
ask() { dpnoise release people.csv --count --by key --epsilon 8 --delta 1e-6 "$@"; }
ask --report page.html >text 2>err
cut -c 1-18 text | sed -n 2,14p | sed 's/ *[0-9]*$//'
ask --csv 2>>err | tr -d '\r' >table.csv
cut -d, -f1 table.csv
ask --json >json 2>>err
dpnoise release people.csv --sum "$(printf 'a\233\302\233\033x'):0:1" --epsilon 1 >>err 2>&1 || echo "exit code $?"
/usr/bin/python3 - <<'END'
import json
bad = set(range(0x20)) - {10} | set(range(0x7f, 0xa0)) | {0x202e}
for name in ['text', 'err', 'table.csv', 'json', 'page.html']:
    text = open(name, 'rb').read().decode('utf-8')  # every byte is part of a letter
    print(name, sorted({ord(c) for c in text} & bad))
print(ascii([row['group']['key'] for row in json.load(open('json'))['rows']]))
END
rm people.csv text err table.csv json page.html dpnoise-ledger.db*

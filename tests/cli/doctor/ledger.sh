# What doctor says of the ledger, and that it makes nothing.
unset DPNOISE_LEDGER
ledger() { dpnoise doctor --json "$@" | grep -o '"ledger": {.*'; }
code() { dpnoise doctor "$@" >/dev/null 2>&1 && echo 0 || echo "exit $?"; }
ledger
code
ls -A
dpnoise budget init people --epsilon 3 --ledger mine.db >shown
head=$(sed -n 's/^ *head *//p' shown)
ledger --ledger mine.db | sed "s/$head/HEAD/"
DPNOISE_LEDGER=mine.db dpnoise doctor | sed -n "/^ledger/,\$s/$head/HEAD/p"
code --ledger mine.db
# A key without its ledger, a ledger without its key, one that was changed, and a directory that is not there.
mv mine.db kept.db
code --ledger mine.db
ledger --ledger mine.db 2>&1
code --ledger kept.db
cp kept.db mine.db
python3 - <<'END'
text = bytearray(open("mine.db", "rb").read())
at = text.rindex(b"people")
text[at:at + 6] = b"peoplf"
open("mine.db", "wb").write(text)
END
code --ledger mine.db
code --ledger nowhere/mine.db
DPNOISE_LEDGER=nowhere/mine.db ledger

# The completions are those of the help; tools/completions writes them. And bash does complete.
for shell in bash zsh; do
    case $shell in bash) file=dpnoise.bash ;; zsh) file=_dpnoise ;; esac
    "$CASES"/../../tools/completions "$(command -v dpnoise)" $shell >$file
    diff "$CASES/../../completions/$file" $file || echo "write it anew: tools/completions build/dpnoise $shell >completions/$file"
done
cat >try.bash <<'END'
. "$CASES"/../../completions/dpnoise.bash
try() {
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
    _dpnoise
    echo "${COMPREPLY[*]}"
}
try dpnoise re
try dpnoise release --le
try dpnoise release people.csv --relation ''
try dpnoise release p
try dpnoise budget ''
try dpnoise help com
try dpnoise calibrate st
try dpnoise law disc
try dpnoise add --family k
try dpnoise release census.csv --mean in
try dpnoise release census.csv --by region,ed
try dpnoise release none.csv --mean in
try dpnoise release odd.csv --mean ''
try dpnoise fit l
try dpnoise budget show pe
try dpnoise release pe
try dpnoise budget charge ''
END
# Names of data sets are completed; one that a shell would obey, never.
unset DPNOISE_LEDGER
for name in people 'pets$(touch taken)' 'pears`touch taken`' 'a b'; do dpnoise budget init "$name" --epsilon 1 >/dev/null; done
touch pencils.csv
echo 'region,education,income' >census.csv
echo 'a,$(touch taken),"b",`touch taken`,c d' >odd.csv
bash try.bash
test ! -e taken
# Without a ledger there are none.
rm dpnoise-ledger.db dpnoise-ledger.db.key
bash try.bash | tail -n 3

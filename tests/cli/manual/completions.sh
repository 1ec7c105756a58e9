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
END
bash try.bash

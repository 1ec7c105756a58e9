# zsh completes commands, families, data sets, columns and files. It is asked in a terminal of its own, and each line is waited for.
if ! command -v zsh >/dev/null; then echo "skip: there is no zsh" >&2; exit 77; fi
cat >ask.zsh <<'END'
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PROMPT= RPROMPT=; fpath=($1 \$fpath); autoload -Uz compinit; compinit -u -D; setopt no_beep"
# What compadd would offer is noted; calls that only ask are left alone.
zpty -w shell 'compadd() {
    local -a found
    [[ " $* " == *\ -[OAD]\ * ]] || { builtin compadd -A found "$@"; print -rn -- "$found " >>offered; }
    builtin compadd "$@"
}'
zpty -w shell 'noted() { print >>offered; }; zle -N noted; bindkey "^X^N" noted; zstyle ":completion:*" insert-tab false; print >offered'
shift
# wait_for LINES: until so many are noted; what the shell shows is thrown away.
wait_for() {
    for (( tries = 0; tries < 600; tries++ )); do
        while zpty -r -t shell shown; do :; done
        [[ -e offered && $(wc -l <offered) -ge $1 ]] && return
        sleep 0.1
    done
}
wait_for 1
lines=1
for line; do
    zpty -w -n shell $'\025'"$line"$'\t\030\016'
    wait_for $(( ++lines ))
done
zpty -d shell
sed '1d; s/  */ /g; s/ $//' offered
END
dpnoise example census >/dev/null
unset DPNOISE_LEDGER
for name in people 'pets$(touch taken)' 'a b'; do dpnoise budget init "$name" --epsilon 1 >/dev/null; done
touch pencils.csv
zsh -f ask.zsh "$CASES/../../completions" 'dpnoise rel' 'dpnoise calibrate stair' 'dpnoise law disc' 'dpnoise budget show pe' 'dpnoise release pe' \
    'dpnoise release census.csv --mean inc' 'dpnoise release census.csv --by region,ed' 'dpnoise fit linear census.csv --target ' \
    'dpnoise add --family k' 'dpnoise release --relation '
test ! -e taken

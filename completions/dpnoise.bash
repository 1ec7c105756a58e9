# bash completion for dpnoise, written by tools/completions from the tool's help.
# The data sets of the ledger, if it can be read; names with letters that a shell obeys are left out.
_dpnoise_data_sets() {
    command dpnoise budget show --json --wait 200 2>/dev/null |
        grep -oE '"name": "[A-Za-z0-9_][A-Za-z0-9_./-]*"' | cut -d'"' -f4
}

# The columns of a table, a text file whose first line names them.
_dpnoise_columns() {
    case $1 in *.csv | *.tsv | *.txt) ;; *) return ;; esac
    test -f "$1" && LC_ALL=C head -c 65536 -- "$1" | head -n 1 | tr ',;\t' '\n\n\n' | tr -d '"\r' | grep -xE '[A-Za-z0-9_][A-Za-z0-9_.-]*'
}

_dpnoise() {
    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} words=
    if [ "$COMP_CWORD" -eq 1 ]; then
        words="add ask audit budget calibrate compare convert doctor example explore fit knorm law loss merge predict profile register release renyi sample sql tally help --help --version"
    else
        case $before in
        --relation) words="add-remove replace" ;;
        --unit) words="row person" ;;
        --per-person) words="sum mean" ;;
        --missing) words="skip value:0" ;;
        --objective) words="mse mae interval95" ;;
        --accounting) words="exact zcdp paper" ;;
        --condition) words="exact sufficient zcdp" ;;
        --knorm) words="box l2 blocks" ;;
        --family | --noise) words="blocks discrete-flipped-huber discrete-gaussian discrete-laplace discrete-osgt discrete-staircase flipped-huber gaussian huber k-norm laplace logistic osgt random-box spherical staircase start-box start-staircase subbotin truncated-geometric truncated-laplace truncated-staircase" ;;
        --dataset) words=$(_dpnoise_data_sets) ;;
        --sum | --mean | --variance | --histogram | --quantile | --median | --covariance | --by | --levels | --where | --person-id | --target | --features)
            # Of several with commas between them the last is completed; bounds and levels follow its name.
            local word list=
            case $current in *,*) list=${current%,*}, ;; esac
            for word in "${COMP_WORDS[@]:2}"; do words+=" $(_dpnoise_columns "$word")"; done
            compopt -o nospace 2>/dev/null
            mapfile -t COMPREPLY < <(compgen -P "$list" -W "$words" -- "${current##*,}")
            return
            ;;
        *)
            case ${COMP_WORDS[1]} in
            add)
                words="--epsilon --delta --sensitivity --dim --sensitivities --max-changed --l1 --l2 --linf --vertices --histogram --max-rows --relation --unit --family --knorm --whole --grid --identical --objective --weights --dataset --ledger --ledger-key --wait --note --json --help"
                ;;
            ask)
                words="--analyst --shared --ledger --ledger-key --wait --json --help"
                ;;
            audit)
                words="--release --samples --confidence --epsilon --delta --sensitivity --dim --sensitivities --max-changed --l1 --l2 --linf --vertices --histogram --max-rows --relation --unit --plan --grid --json --help"
                ;;
            budget)
                words="--ledger --ledger-key --wait --epsilon --delta --yes-delta --relation --unit --alias --alias-of --delta-renyi --orders --weights --wal --of --new-ledger --plan --times --law --sensitivity --sample-rate --steps --dry-run --note --head --csv --report --json --help"
                if [ "$COMP_CWORD" -eq 2 ]; then words="init renew charge show history verify export import"; fi
                ;;
            calibrate)
                words="--epsilon --delta --mse --mae --interval95 --sensitivity --dim --sensitivities --max-changed --l1 --l2 --linf --vertices --histogram --max-rows --relation --unit --condition --identical --objective --weights --times --shape --ball --grid --against --variance --scale --construction --inequality --majorises --sample-rate --steps --present --batch --population --plot --json --help"
                ;;
            compare)
                words="--epsilon --delta --mse --mae --interval95 --sensitivity --dim --sensitivities --max-changed --l1 --l2 --linf --vertices --histogram --max-rows --relation --unit --condition --identical --objective --weights --times --plot --report --json --help"
                ;;
            convert)
                words="--epsilon --delta --to --order --group --rule --json --help"
                ;;
            doctor)
                words="--ledger --ledger-key --wait --json --help"
                ;;
            example)
                words="--rows --output --json --help"
                ;;
            explore)
                words="--port --json --help"
                ;;
            fit)
                words="--target --features --levels --method --sample-rate --blocks --points --quantile --no-intercept --regularize --raw --noise --ball --passes --accounting --clip --step --within --share --start --smoothness --identical --experiment --trials --fine --as-declared --tune --rows --where --person-id --max-rows --relation --epsilon --yes-epsilon --yes-delta --delta --missing --na --dry-run --audit --multiline --table --dataset --ledger --new-budget --ledger-key --wait --user --note --fresh --plot --report --json --help"
                if [ "$COMP_CWORD" -eq 2 ]; then words="linear logistic quantile"; fi
                ;;
            knorm)
                words="--epsilon --space --linear --monomials --low --high --moves --dim --at --prob --level --answers --points --count --grid --approximate --plot --json --help"
                ;;
            law)
                words="--at --prob --mgf --plan --plot --list --json --help"
                ;;
            loss)
                words="--shift --at --epsilon --dim --orlicz --r-inverse --plot --json --help"
                ;;
            merge)
                words="--spec --secret --json --help"
                ;;
            predict)
                words="--score --against --table --json --help"
                ;;
            profile)
                words="--epsilon --delta --sensitivity --dim --sensitivities --max-changed --l1 --l2 --linf --vertices --histogram --max-rows --relation --unit --law --pure --block --guarantee --times --import --export --plan --sample-rate --steps --present --batch --population --shuffle --condition --accuracy --method --plot --json --help"
                ;;
            register)
                words="--number --category --text --drop --where-columns --person-id --max-rows --max-groups --relation --missing --na --multiline --population --least-epsilon --most-epsilon --most-delta --memory --log --epsilon --delta --yes-delta --table --from --show --propose --amend --moved --new-version --note --ledger --ledger-key --wait --json --help"
                ;;
            release)
                words="--count --sum --mean --variance --histogram --quantile --median --covariance --by --levels --where --person-id --max-rows --max-groups --per-person --relation --epsilon --yes-epsilon --yes-delta --delta --missing --na --count-left-out --noise --nonnegative --consistent --spec --save-spec --dry-run --check --states --sums --secret --pull --multiline --table --dataset --ledger --new-budget --ledger-key --wait --user --note --fresh --csv --csv-notes --report --title --label --threads --memory --json --help"
                ;;
            renyi)
                words="--order --bound --sensitivity --dim --sensitivities --max-changed --l1 --l2 --linf --vertices --histogram --max-rows --relation --unit --law --pure --block --guarantee --times --import --export --plan --plot --json --help"
                ;;
            sample)
                words="--count --grid --plan --json --help"
                ;;
            sql)
                words="--spec --dialect --table --schema --from --type --secret --json --help"
                ;;
            tally)
                words="--spec --secret --new-secret --sums --table --multiline --threads --memory --json --help"
                ;;
            help) words="add ask audit budget calibrate compare convert doctor example explore fit knorm law loss merge predict profile register release renyi sample sql tally" ;;
            esac
            # What does not begin with a dash is a file or a number, unless it is a word of a list.
            case ${COMP_WORDS[1]}:$COMP_CWORD:$current in
            help:* | budget:2:* | fit:2:* | *:-*) ;;
            calibrate:2:*) words="blocks discrete-flipped-huber discrete-gaussian discrete-laplace discrete-osgt discrete-staircase flipped-huber gaussian huber k-norm laplace logistic osgt random-box spherical staircase start-box start-staircase subbotin truncated-geometric truncated-laplace truncated-staircase" ;;
            law:2:* | loss:2:* | profile:2:* | renyi:2:* | sample:2:*)
                words="discrete-flipped-huber discrete-gaussian discrete-laplace discrete-osgt flipped-huber gaussian huber laplace logistic osgt staircase subbotin truncated-geometric truncated-laplace"
                compopt -o nospace 2>/dev/null # its parameters follow
                ;;
            release:2:* | fit:3:*)
                mapfile -t COMPREPLY < <(compgen -W "$(_dpnoise_data_sets)" -- "$current"; compgen -f -- "$current")
                compopt -o filenames 2>/dev/null
                return
                ;;
            register:2:* | budget:3:*) words=$(_dpnoise_data_sets) ;;
            *) words= ;;
            esac
            ;;
        esac
    fi
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}
complete -o default -F _dpnoise dpnoise

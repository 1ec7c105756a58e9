# Whole releases by a specification keep what it declares, and not a stronger claim.
cat >spec.json <<'END'
{"statistics": [{"kind": "count"}], "by": [{"column": "region"}], "person": "id", "epsilon": "2", "delta": "0.05", "missing": "skip"}
END
dpnoise audit --release spec.json --samples 4000 --confidence 0.9999999999 | sed -n 1,2p
dpnoise audit --release spec.json --samples 4000 --confidence 0.9999999999 --json >a.json
/usr/bin/python3 -c 'import json
a = json.load(open("a.json"))
print(a["pass"], a["claim"], a["confidence"], a["samples"], a["unit"], a["relation"], a["release"]["epsilon"], len(a["profile"]))
print(a["epsilon_claimed"], a["delta"], a["epsilon_lower"] <= 2, a["events"] == 34 * a["pairs"])'
code=0
dpnoise audit --release spec.json --samples 4000 --epsilon 0.2 --delta 0.001 --json >a.json 2>err || code=$?
echo $code
grep -c '"pass": false' a.json
sed 's/:.*//' err
for bad in '--sensitivity 1' '--samples 999' '--confidence 1' '--delta 0.1' 'laplace(scale=1)'; do
    # shellcheck disable=SC2086 # an option and its value
    dpnoise audit --release spec.json $bad 2>&1 || echo $?
done
dpnoise audit 'laplace(scale=1)' --sensitivity 1 --confidence 0.9 2>&1 || echo $?
echo '{"statistics": [{"kind": "count"}]}' >spec.json
dpnoise audit --release spec.json 2>&1 || echo $?
rm spec.json a.json err

# The examples of the manual keep to 80 columns, but for commands, errors and JSON; cases of whole answers do too.
/usr/bin/python3 - <<'END'
import glob, os, re
root = os.environ["CASES"] + "/../.."
for page in sorted(glob.glob(root + "/man/*.1")):
    for display in re.findall(r"^\.Bd -literal.*?\n(.*?)^\.Ed$", open(page).read(), re.M | re.S):
        for line in display.replace(r"\&", "").replace(r"\-", "-").replace(r"\e", "\\").splitlines():
            if len(line) > 80 and not re.match(r"\$ |\{|dpnoise [a-z]+: ", line):
                print(os.path.basename(page), len(line), line)
END
# What a table is too wide for stands below it, or in a second table; sentences go on below their label.
dpnoise compare --epsilon 1 --sensitivities 1,2.5 --times 3 >answer
dpnoise knorm compare 'linf(100,1)' 'l1(110,11)' 'l2(100,10)' >>answer
dpnoise knorm depth 'linf(1,2)' --at 1,1 --prob 0.5 >>answer
dpnoise knorm power --level 0.05 --epsilon 0.123456789 >>answer
dpnoise law 'flipped-huber(alpha=3,gamma=1)' --at 1e-9,30 --prob 1e-12 --mgf 0.5 >>answer
dpnoise loss 'flipped-huber(alpha=2,gamma=1)' --shift 1 --at 0.5 --epsilon 0.5,2.1 >>answer
dpnoise profile 'laplace(scale=3)' --sensitivities 1,2 --max-changed 1 --l1 3 --l2 2 --epsilon 0.1 >>answer
dpnoise profile --condition list >>answer
dpnoise calibrate blocks --epsilon 1 --sensitivities 1,2,8,0.125 >>answer
dpnoise calibrate truncated-laplace --epsilon 1 --delta 1e-6 --sensitivity 1 >>answer
dpnoise convert 'pure(epsilon=1)' --to zcdp --group 3 >>answer
dpnoise renyi 'gaussian(sigma=3)' --sensitivity 1 --order 2,8 >>answer
dpnoise doctor --ledger none.db >>answer
dpnoise example census >>answer
dpnoise budget init census --epsilon 2 --delta 1e-6 --ledger l.db >>answer
dpnoise release census.csv --count --mean income:0:150000 --variance income:0:150000 --by region --levels region=north,south,east,west --epsilon 0.5 --ledger l.db --dry-run >>answer
dpnoise release census.csv --count --mean income:0:150000 --variance income:0:150000 --mean hours:0:100 --by region,sex --levels region=north,south,east,west \
    --levels sex=m,f --epsilon 0.5 --ledger l.db >>answer
dpnoise budget show census --ledger l.db >>answer
dpnoise fit linear census.csv --target income:0:150000 --features age:18:90 --epsilon 0.5 --dry-run --dataset census --ledger l.db >>answer
awk 'length > 80' answer
grep -n ' $' answer || true
test "$(wc -l <answer)" -gt 200

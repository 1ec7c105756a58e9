dpnoise law 'gaussian(sigma=1)' --at "$(seq -s , 20000)" --json | /usr/bin/python3 -c '
import json, sys
at = json.load(sys.stdin)["at"]
print(len(at), int(at[-1]["t"]))'

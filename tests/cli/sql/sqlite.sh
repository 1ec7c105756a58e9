# Random questions in SQLite: the sums of its query are those of the tally (a thousand with DPN_LONG=1).
many=12
if [ -n "${DPN_LONG:-}" ]; then many=1000; fi
/usr/bin/python3 "$CASES/sql/compare.py" sqlite $many 1

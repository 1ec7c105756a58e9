# Random questions in SQLite: the sums of its query are those of the tally (a thousand in three engines with DPN_LONG=1).
many=12
if [ -n "${DPN_LONG:-}" ]; then many=334; fi
/usr/bin/python3 "$CASES/sql/compare.py" sqlite $many 1

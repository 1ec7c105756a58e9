# Random questions in PostgreSQL: the sums of its query are those of the tally, persons included (a thousand with DPN_LONG=1).
many=12
if [ -n "${DPN_LONG:-}" ]; then many=1000; fi
with-postgres /usr/bin/python3 "$CASES/sql/compare.py" postgresql $many 1

# Bad options, specifications, sources and rows: one sentence, the right exit code, the budget as documented.
/usr/bin/python3 "$CASES/release/bad-inputs.py"

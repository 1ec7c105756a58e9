# Every option of the help stands in the manual, and the other way round.
dpnoise help law | sed -n '/^options/,/^$/s/^  \(--[a-z]*\).*/\1/p' | sort >help
sed -n 's/^\.It Fl Fl \([a-z]*\).*/--\1/p' "$CASES/../../man/dpnoise-law.1" | sort >manual
diff help manual

# The demonstration runs and leaves its picture, and only that.
"$CASES"/../../demo/run "$(command -v dpnoise)" out >said
grep -c 'Private release of tables.* comes later' said
ls -A out
grep -c "</svg>" out/*.svg

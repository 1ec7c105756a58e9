# Without DuckDB's library, or with a file that is none, a Parquet file is refused before anything is charged.
printf 'PAR1 and nothing else' >bad.parquet
env -u LD_LIBRARY_PATH dpnoise release bad.parquet --count --epsilon 1 2>&1 | sed 's/cannot be loaded.*/cannot be loaded/; s/DuckDB cannot read the file.*/cannot be loaded/; s/.*cannot be loaded/refused/'
dpnoise release bad.parquet --table people --count --epsilon 1 2>&1 || echo "exit $?"
ls ./*.db 2>/dev/null || true

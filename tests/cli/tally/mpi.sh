# The recipe of docs/engines.md with MPI: the states of four processes are reduced to one, persons among them.
if ! command -v mpirun >/dev/null || ! command -v mpicc >/dev/null; then echo "skip: OpenMPI is not installed" >&2 && exit 77; fi
build=$(dirname "$(readlink -f "$(command -v dpnoise)")")
[ -f "$build/libdpnoise-core.a" ] || { echo "skip: there is no library beside the tool" >&2 && exit 77; }
grep -aq __asan_ "$build/dpnoise" && { echo "skip: the library is built with sanitizers" >&2 && exit 77; }
root=$CASES/../..
# shellcheck disable=SC2046 # flags
mpicc -I"$root/include" -I"$build/include" "$root/examples/tally-mpi.c" "$build/libdpnoise-core.a" $(pkg-config --libs libcerf libcrypto sqlite3) -lm -lpthread -ldl -o tally-mpi
for i in 0 1 2 3; do echo income,id >part-$i.csv; done
echo income,id >all.csv
i=0
while [ "$i" -lt 200 ]; do
    echo "$((i * 37 % 1001)).5,$((i % 23))" | tee -a all.csv >>"part-$((i * i % 4)).csv"
    i=$((i + 1))
done
dpnoise release all.csv --count --sum income:0:1000 --person-id id --max-rows 2 --epsilon 1 --dry-run --save-spec question.json >/dev/null
dpnoise tally --new-secret secret
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_plm_rsh_agent=false OMPI_MCA_btl_vader_single_copy_mechanism=none
mpirun --oversubscribe -n 4 ./tally-mpi question.json secret reduced.state
dpnoise tally all.csv --spec question.json --secret secret -o one.state >/dev/null
dpnoise merge reduced.state --spec question.json --secret secret -o merged.state
cmp merged.state one.state

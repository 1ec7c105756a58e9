dpnoise knorm compare l1 k2 --dim 2 --plot picture.svg --json | grep -o '"plot": "picture.svg"'
grep -c '<svg' picture.svg

dpnoise --help
dpnoise help | cmp - "$CASES/tool/help.out"

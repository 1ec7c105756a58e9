# The version of the build, and nothing else.
wanted=$(sed -n "s/.*version : '\([0-9.]*\)',/\1/p" "$CASES/../../meson.build" | head -n 1)
test "$(dpnoise --version)" = "dpnoise $wanted"

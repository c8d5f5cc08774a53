#!/bin/sh
# The demo: a program that seems to work, and what fathom finds in it.
set -eu
setup_dir=$(cd "$(dirname "$0")" && pwd)
. "$setup_dir/lib.sh"

cd "$repo"
PATH=$repo/target/release:$PATH
example=examples/heap-overflow
program=$(ls "$example"/*.c | head -n 1)
[ -f "$program" ] || die "no C file in $example"
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

# show COMMAND...: print the command, run it, and print how it ended.
show() {
    printf '\n$ %s\n' "$*"
    status=0
    "$@" || status=$?
    [ "$status" -eq 0 ] || printf '(exit status %s)\n' "$status"
}

# The example's first lines may say how to call it: "// demo: native ARGS" and "// demo: run ARGS".
options() { sed -n "s|^// demo: $1 *||p" "$program" | head -n 1; }

printf '%s compiles as usual, and runs without complaint:\n' "$program"
show fathom cc -g "$program" -o "$out/demo"
[ "$status" -eq 0 ] || exit "$status"
show "$out/demo" $(options native)

printf '\nfathom runs it on all inputs at once:\n'
show fathom run $(options run) "$out/demo"

#!/bin/sh
# The demo: a program that seems to work, and what fathom finds in it.
set -eu
setup_dir=$(cd "$(dirname "$0")" && pwd)
. "$setup_dir/lib.sh"

PATH=$repo/target/release:$PATH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$repo/examples/heap-overflow/invoice.c" "$work"
cd "$work"

# show COMMAND...: print a command, run it, and keep how it ended in $status.
show() {
    printf '\n$ %s\n' "$*"
    status=0
    "$@" || status=$?
}

echo "examples/heap-overflow/invoice.c is compiled as usual and runs without complaint:"
show fathom cc -g invoice.c -o invoice
[ "$status" -eq 0 ] || exit "$status"
show ./invoice 1250 300 4999 120
[ "$status" -eq 0 ] || exit "$status"

printf '\nfathom runs the same program and checks every access:\n'
show fathom run --report report.json ./invoice 1250 300 4999 120
mkdir -p "$repo/fathom-out"
cp report.json "$repo/fathom-out/demo.json"
[ "$status" -eq 134 ] || die "the overflow should have ended the run with status 134, not $status"
printf '\nThe same for machines is in fathom-out/demo.json.\n'

#!/bin/sh
# The demo: what fathom finds in a program that seems to work, and in one whose bug lies deep.
set -eu
setup_dir=$(cd "$(dirname "$0")" && pwd)
. "$setup_dir/lib.sh"

PATH=$repo/target/release:$PATH
results=$repo/fathom-out/demo
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$repo/examples/heap-overflow/invoice.c" "$repo/examples/deep-bug/nmea.c" "$work"
cd "$work"

bold='' plain=''
if [ -t 1 ]; then
    bold=$(printf '\033[1m') plain=$(printf '\033[0m')
fi

# tell TEXT: what comes next.
tell() { printf '\n%s%s%s\n' "$bold" "$1" "$plain"; }

# show STATUS COMMAND: print a command line and run it; it has to end with STATUS.
show() {
    printf '\n$ %s\n' "$2"
    status=0
    eval "$2" || status=$?
    [ "$status" -eq "$1" ] || die "this should have ended with status $1, not $status"
}

tell '1. A bug that hides (examples/heap-overflow)'
echo 'The program is compiled as usual and runs without complaint:'
show 0 'fathom cc -g invoice.c -o invoice'
show 0 './invoice 1250 300 4999 120'
printf '\nfathom runs it and checks every access:\n'
show 134 'fathom run --report invoice.json ./invoice 1250 300 4999 120'

tell '2. A bug that no test reaches (examples/deep-bug)'
echo 'The program takes a sentence only with the right checksum:'
show 0 'fathom cc -g nmea.c -o nmea'
show 0 "echo '\$GSV,3,47*72' | ./nmea"
printf '\nfathom is given no input: 12 unknown bytes, and all paths that they open:\n'
show 1 'fathom run --sym-stdin 12 ./nmea'
test=$(fathom tests list --bugs | awk '{ print $1; exit }')
printf '\nThe input that leads to the bug, and the native program on it:\n'
show 0 "fathom tests show last $test"
show 0 "fathom replay ./nmea last#$test"

rm -rf "$results"
mkdir -p "$results"
cp -R fathom-out/1/. invoice.json "$results"
tell 'The reports of both are in fathom-out/demo; docs/FORMATS.md says what is what.'

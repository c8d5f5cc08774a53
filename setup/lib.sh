# What every setup step shares: where things are, how to say so, and how to install a result.
# Sourced by the scripts of this directory, with $setup_dir already set to it.

repo=$(cd "$setup_dir/.." && pwd)
. "$setup_dir/versions"

cache=${FATHOM_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/fathom}
mkdir -p "$cache" || exit 1
cache=$(cd "$cache" && pwd)

say() { printf 'setup: %s\n' "$*" >&2; }
die() { printf 'setup: error: %s\n' "$*" >&2; exit 1; }

# hash_of NAMES PATH...: one hash over the versions whose names start with one of NAMES (a|b|c),
# and the names and contents of the files, independent of where the repository is.
hash_of() {
    (
        cd "$repo" && grep -E "^($1)" setup/versions && shift &&
            find "$@" -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum
    ) | sha256sum | cut -c1-16
}

# lock NAME: hold the cache's lock of that name until this process ends.
lock() {
    exec 9>"$cache/$1.lock"
    flock -n 9 || { say "waiting for another setup of $1"; flock 9; }
}

# work_dir NAME: a fresh directory in the cache, removed when this process ends, whatever the reason.
# Left-overs of a killed run are removed first: the caller holds the lock NAME.
work_dir() {
    rm -rf "$cache/$1.tmp"
    mkdir "$cache/$1.tmp"
    work=$cache/$1.tmp
    trap 'rm -rf "$work"' EXIT
    trap 'exit 130' INT TERM HUP
}

# publish NAME HASH DIR: make DIR the current NAME in one step, and drop the versions before it.
publish() {
    rm -rf "$cache/$1-$2"
    mv "$3" "$cache/$1-$2"
    ln -sfn "$1-$2" "$cache/$1.new"
    mv -T "$cache/$1.new" "$cache/$1"
    for old in "$cache/$1"-*; do
        [ "$old" = "$cache/$1-$2" ] || rm -rf "$old"
    done
}

# is_current NAME HASH: whether NAME was published with this very hash.
is_current() { [ "$(readlink "$cache/$1" 2>/dev/null)" = "$1-$2" ]; }

jobs=$(nproc 2>/dev/null || echo 2)

# run_ninja LABEL ARGS...: build with progress on a terminal and one line otherwise.
run_ninja() {
    label=$1
    shift
    if [ -t 2 ]; then
        NINJA_STATUS="setup: $label [%f/%t] " ninja "$@" >&2 || die "$label failed"
    else
        ninja "$@" >"$work/ninja.log" || { tail -n 30 "$work/ninja.log" >&2; die "$label failed"; }
        say "$label: $(sed -n 's/^\[\([0-9]*\)\/.*/\1/p' "$work/ninja.log" | tail -n 1) steps"
    fi
}

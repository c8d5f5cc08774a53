#!/bin/sh
# Installs the Debian packages that are missing, with sudo when not root.
set -eu
setup_dir=$(cd "$(dirname "$0")" && pwd)
. "$setup_dir/lib.sh"

v=$LLVM_VERSION
needed="
    llvm-$v llvm-$v-dev clang-$v lld-$v libclang-$v-dev libclang-rt-$v-dev libpolly-$v-dev
    libzstd-dev zlib1g-dev libxml2-dev libffi-dev
    gcc g++ make pkg-config linux-libc-dev dpkg-dev xz-utils patch util-linux
    python3-pip meson ninja-build libgmp-dev libmpfr-dev libsymfpu-dev z3
    csmith libcsmith-dev bison flex ed tcl autoconf automake autopoint cmake"

# `ii ` is a package that is installed and configured; virtual packages do not occur in the list.
command -v dpkg-query >/dev/null ||
    die "this is not a Debian system: install the equivalents of:" $needed
missing=
installed=$(dpkg-query -W -f '${db:Status-Abbrev} ${Package}\n' | sed -n 's/^ii  *//p')
for package in $needed; do
    printf '%s\n' "$installed" | grep -qxF "$package" || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

as_root=
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null ||
        die "packages are missing, and there is no sudo; as root, run: apt-get install$missing"
    as_root=sudo
fi
lock packages
say "installing$missing"
log=$cache/packages.log
$as_root apt-get -qq update >"$log" 2>&1 || say "apt-get update failed, going on with the present index"
$as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get -qq -y --no-install-recommends install $missing >>"$log" 2>&1 || {
    tail -n 15 "$log" >&2
    die "apt-get could not install$missing"
}

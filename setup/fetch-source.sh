#!/bin/sh
# usage: fetch-source.sh PACKAGE[=VERSION] DEST
# Unpacks a Debian source package into DEST (which must not exist yet).
#
# The user's apt configuration stays as it is: deb-src entries are derived from the
# machine's own Debian sources into a private list, with private indexes, in the cache.
# Downloaded files are kept there too, so a second call needs no network.
set -eu
setup_dir=$(cd "$(dirname "$0")" && pwd)
. "$setup_dir/lib.sh"

[ $# -eq 2 ] || die "usage: fetch-source.sh PACKAGE[=VERSION] DEST"
package=$1
dest=$2
[ ! -e "$dest" ] || die "$dest exists already"

apt_dir=$cache/apt
store=$cache/sources/$package

# Debian's own entries are those of this release's suites (bookworm, bookworm-updates, ...) with
# component main; third-party repositories name their suites otherwise or have no main.
write_source_list() {
    codename=$(. /etc/os-release && echo "${VERSION_CODENAME:-sid}")
    cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null |
        awk -v codename="$codename" '
            $1 != "deb" && $1 != "deb-src" { next }
            {
                options = ""; rest = $0; sub(/^[^ \t]+[ \t]+/, "", rest)
                if (rest ~ /^\[/) {
                    options = substr(rest, 1, index(rest, "]")) " "
                    rest = substr(rest, index(rest, "]") + 1)
                }
                n = split(rest, field, /[ \t]+/); first = field[1] == "" ? 2 : 1
                main = 0
                for (i = first + 2; i <= n; i++) main = main || field[i] == "main"
                if (main && field[first] !~ /^cdrom:/ && index(field[first + 1], codename) == 1)
                    print "deb-src " options field[first] " " field[first + 1] " main"
            }'
    for file in /etc/apt/sources.list.d/*.sources; do
        [ -f "$file" ] || continue
        awk -v codename="$codename" '
            function finish(   i, j, nu, ns, uri, suite, options) {
                if (" " tolower(value["types"]) " " ~ / deb / && tolower(value["enabled"]) !~ /no|false/ \
                    && " " value["components"] " " ~ / main /) {
                    options = value["signed-by"] ~ /^\// ? "[signed-by=" value["signed-by"] "] " : ""
                    nu = split(value["uris"], uri, " "); ns = split(value["suites"], suite, " ")
                    for (i = 1; i <= nu; i++) for (j = 1; j <= ns; j++)
                        if (index(suite[j], codename) == 1)
                            print "deb-src " options uri[i] " " suite[j] " main"
                }
                split("", value); key = ""
            }
            /^#/ { next }
            /^[ \t]*$/ { finish(); next }
            /^[ \t]/ { value[key] = value[key] " " $0; next }
            {
                key = tolower(substr($0, 1, index($0, ":") - 1))
                value[key] = substr($0, index($0, ":") + 1)
                gsub(/^[ \t]+|[ \t]+$/, "", value[key])
            }
            END { finish() }' "$file"
    done
}

private_apt_get() {
    # Unpacking as root in a directory that only root may enter needs no sandbox user.
    apt-get -qq -o APT::Sandbox::User= \
        -o Dir::Etc::sourcelist="$apt_dir/sources.list" -o Dir::Etc::sourceparts=- \
        -o Dir::State::lists="$apt_dir/lists" -o Dir::Cache="$apt_dir/cache" \
        -o APT::Get::List-Cleanup=false "$@"
}

download() {
    mkdir -p "$apt_dir/lists/partial" "$apt_dir/cache/archives/partial"
    write_source_list | LC_ALL=C sort -u >"$apt_dir/sources.new"
    [ -s "$apt_dir/sources.new" ] || { say "no Debian entry in the machine's apt sources"; return 1; }
    # The indexes are refreshed when the sources changed, and once a day.
    if ! cmp -s "$apt_dir/sources.new" "$apt_dir/sources.list" ||
        [ -z "$(find "$apt_dir/updated" -mmin -1440 2>/dev/null)" ]; then
        say "reading the index of Debian source packages"
        mv "$apt_dir/sources.new" "$apt_dir/sources.list"
        rm -f "$apt_dir/updated"
        private_apt_get update || return 1
        touch "$apt_dir/updated"
    fi
    say "downloading the source of $package"
    rm -rf "$store.tmp"
    mkdir -p "$store.tmp"
    (cd "$store.tmp" && private_apt_get source --download-only "$package" >/dev/null) || return 1
    mv "$store.tmp" "$store"
}

if [ ! -d "$store" ]; then
    lock sources
    [ -d "$store" ] || download || die "could not fetch the source package $package"
fi

# dpkg-source checks every file against the checksums of the .dsc.
mkdir -p "$(dirname "$dest")"
dest=$(cd "$(dirname "$dest")" && pwd)/$(basename "$dest")
unpacked=$dest.unpack.$$
rm -rf "$unpacked"
message=$(cd "$store" && dpkg-source --no-copy -x ./*.dsc "$unpacked" 2>&1) ||
    { rm -rf "$unpacked"; die "could not unpack $package: $message"; }
# Debian's patches make some inputs of autoconf, bison, ... newer than what was generated from
# them; with one time for all files nothing is out of date.
find "$unpacked" -exec touch -h -d '2020-01-01 00:00:00 UTC' {} +
mv -T "$unpacked" "$dest"

#!/bin/sh
# usage: fetch-archive.sh URL SHA256 DEST
# Unpacks a source archive into DEST (which must not exist yet): for packages that the Debian
# mirror of the day does not hold whole. The archive is kept in the cache.
set -eu
setup_dir=$(cd "$(dirname "$0")" && pwd)
. "$setup_dir/lib.sh"

[ $# -eq 3 ] || die "usage: fetch-archive.sh URL SHA256 DEST"
url=$1
sha256=$2
dest=$3
[ ! -e "$dest" ] || die "$dest exists already"

archive=$cache/sources/$(basename "$url")
if [ ! -f "$archive" ]; then
    lock sources
    mkdir -p "$cache/sources"
    say "downloading $url"
    /usr/lib/apt/apt-helper -qq -o APT::Sandbox::User= download-file "$url" "$archive" "SHA256:$sha256" ||
        die "could not fetch $url"
fi
echo "$sha256  $archive" | sha256sum --check --quiet >&2 || die "$archive is not what it should be"

unpacked=$dest.unpack.$$
mkdir -p "$unpacked"
tar -x -f "$archive" -C "$unpacked" --strip-components 1 ||
    { rm -rf "$unpacked"; die "could not unpack $archive"; }
find "$unpacked" -exec touch -h -d '2020-01-01 00:00:00 UTC' {} +
mv -T "$unpacked" "$dest"

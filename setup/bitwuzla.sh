#!/bin/sh
# Builds the SMT solver Bitwuzla, with CaDiCaL and floating point, as one static library.
set -eu
setup_dir=$(cd "$(dirname "$0")" && pwd)
. "$setup_dir/lib.sh"

hash=$(hash_of 'BITWUZLA|CADICAL' setup/bitwuzla.sh setup/bitwuzla-check.c)
is_current bitwuzla "$hash" && exit 0
lock bitwuzla
is_current bitwuzla "$hash" && exit 0
work_dir bitwuzla
cd "$work"

# pip asks a source distribution for its metadata before it keeps it, and Bitwuzla's build system
# would configure the whole project for that: a stand-in under its name answers instead.
fetch_bitwuzla() {
    archive=$cache/sources/bitwuzla-$BITWUZLA_VERSION.tar.gz
    if [ ! -f "$archive" ]; then
        say "downloading Bitwuzla $BITWUZLA_VERSION"
        mkdir -p stand-in "$cache/sources"
        cat >stand-in/mesonpy.py <<END
import os

def prepare_metadata_for_build_wheel(directory, config_settings=None):
    name = "bitwuzla-$BITWUZLA_VERSION.dist-info"
    os.makedirs(os.path.join(directory, name))
    with open(os.path.join(directory, name, "METADATA"), "w") as file:
        file.write("Metadata-Version: 2.1\nName: bitwuzla\nVersion: $BITWUZLA_VERSION\n")
    return name
END
        PYTHONPATH=$work/stand-in timeout 300 python3 -m pip download --quiet --no-deps \
            --no-build-isolation --no-binary bitwuzla --dest . "bitwuzla==$BITWUZLA_VERSION" ||
            die "could not download the source distribution bitwuzla==$BITWUZLA_VERSION with pip"
        mv "bitwuzla-$BITWUZLA_VERSION.tar.gz" "$archive"
    fi
    echo "$BITWUZLA_SHA256  $archive" | sha256sum --check --quiet >&2 ||
        { rm -f "$archive"; die "the Bitwuzla source distribution has another checksum than expected"; }
    mkdir source
    tar -xf "$archive" -C source --strip-components=1
}

# cargo checks crates against its index.
fetch_cadical() {
    mkdir -p crate/src
    touch crate/src/lib.rs
    cat >crate/Cargo.toml <<END
[package]
name = "fetch"
version = "0.0.0"
edition = "2021"
[workspace]
[dependencies]
cadical-sys = "=$CADICAL_CRATE_VERSION"
END
    say "downloading CaDiCaL $CADICAL_VERSION"
    (cd crate && cargo vendor --quiet vendor >/dev/null) ||
        die "could not download the crate cadical-sys $CADICAL_CRATE_VERSION"
    found=$(cat crate/vendor/cadical-sys/cadical/VERSION)
    [ "$found" = "$CADICAL_VERSION" ] || die "the crate carries CaDiCaL $found, not $CADICAL_VERSION"
    subproject=source/subprojects/cadical-rel-$CADICAL_VERSION
    cp -R crate/vendor/cadical-sys/cadical "$subproject"
    cp -R source/subprojects/packagefiles/cadical/. "$subproject/"
}

copy_symfpu() {
    cp -R /usr/include/symfpu source/subprojects/symfpu || die "package libsymfpu-dev is missing"
    cp -R source/subprojects/packagefiles/symfpu/. source/subprojects/symfpu/
}

fetch_bitwuzla
fetch_cadical
copy_symfpu
# Older versions of these two than Bitwuzla asks for serve as well.
sed -i "s/'>=6\.3'/'>=6.2'/; s/'>=4\.2\.1'/'>=4.2.0'/" source/src/meson.build

say "building Bitwuzla $BITWUZLA_VERSION (4 minutes of processor time)"
meson setup build source --buildtype release --default-library static --wrap-mode nodownload \
    --prefix "$work/out" --libdir lib -Dtesting=disabled -Dunit_testing=disabled -Dfpexp=true \
    >meson.log 2>&1 || { tail -n 20 meson.log >&2; die "configuring Bitwuzla failed"; }
run_ninja "Bitwuzla" -C build -j"$jobs" install

# Bitwuzla installs several archives that need one another; here one holds them all.
# CaDiCaL is in it too, with a C API of its own for those who need only SAT.
find build -name '*.a' >archives
{
    echo "create whole.a"
    while read -r archive; do
        echo "addlib $archive"
    done <archives
    printf 'save\nend\n'
} | "llvm-ar-$LLVM_VERSION" -M
rm -rf out/bin out/share out/lib
mkdir out/lib
mv whole.a out/lib/libbitwuzla.a
cp "$subproject/src/ccadical.h" out/include/

cc -Iout/include "$setup_dir/bitwuzla-check.c" out/lib/libbitwuzla.a -lmpfr -lgmp -lstdc++ -lm \
    -o check 2>check.log || { head -n 20 check.log >&2; die "linking with the new Bitwuzla failed"; }
./check || die "the new Bitwuzla does not answer as it should"

publish bitwuzla "$hash" "$work/out"
say "Bitwuzla ready"

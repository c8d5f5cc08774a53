#!/bin/sh
# Builds the musl sysroot: headers, native libraries and the C library as LLVM bitcode.
# README.md in this directory describes the result and how to link against it.
set -eu
setup_dir=$(cd "$(dirname "$0")" && pwd)
. "$setup_dir/lib.sh"

hash=$(hash_of 'MUSL|LLVM' setup/sysroot.sh setup/sysroot-check.c setup/sysroot-engine.c runtime)
is_current sysroot "$hash" && exit 0
lock sysroot
is_current sysroot "$hash" && exit 0
work_dir sysroot

# All commands run in $work with relative paths: paths with spaces need no care in the build
# file, and debug information names files as musl/src/... and runtime/... on every machine.
cd "$work"
cp -R "$repo/runtime" runtime
mkdir out out/include out/lib out/bitcode include-native

fetch_musl_wheel() {
    say "Debian's musl source is not available: fetching the PyPI wheel $MUSL_FALLBACK (77 MB)"
    python3 -m pip download --quiet --no-deps --only-binary :all: --dest wheel "$MUSL_FALLBACK" &&
        python3 -m zipfile -e wheel/ziglang-*.whl wheel/unpacked &&
        mv wheel/unpacked/ziglang/lib/libc/musl musl &&
        cp wheel/unpacked/ziglang/lib/libc/include/x86_64-linux-musl/bits/*.h musl/arch/x86_64/bits/ &&
        echo 1.2.5 >musl/VERSION
    rm -rf wheel
    [ -f musl/VERSION ]
}

"$setup_dir/fetch-source.sh" "$MUSL_SOURCE" "$work/musl" || fetch_musl_wheel ||
    die "no musl sources: neither Debian's source package nor the PyPI wheel could be fetched"

# --- headers ---------------------------------------------------------------------------------
cp -R musl/include/. out/include/
rm -f out/include/alltypes.h.in
mkdir -p out/include/bits
cp musl/arch/generic/bits/*.h out/include/bits/
cp musl/arch/x86_64/bits/*.h out/include/bits/
if [ -f musl/tools/mkalltypes.sed ]; then
    sed -f musl/tools/mkalltypes.sed musl/arch/x86_64/bits/alltypes.h.in \
        musl/include/alltypes.h.in >out/include/bits/alltypes.h
    {
        cat musl/arch/x86_64/bits/syscall.h.in
        sed -n 's/__NR_/SYS_/p' musl/arch/x86_64/bits/syscall.h.in
    } >out/include/bits/syscall.h
fi
mkdir generated
printf '#define VERSION "%s"\n' "$(cat musl/VERSION)" >generated/version.h

# Kernel headers come from the machine; asm/ is in the multiarch directory on Debian.
for dir in linux asm asm-generic; do
    for parent in /usr/include/x86_64-linux-gnu /usr/include; do
        if [ -d "$parent/$dir" ]; then
            cp -RL "$parent/$dir" out/include/
            break
        fi
    done
    [ -d "out/include/$dir" ] || die "kernel headers <$dir/...> not found (package linux-libc-dev)"
done
cp -R runtime/include/. out/include/
# runtime/libc has what musl lacks and programs replace by code that reads past objects.
sed -i '/^char \*strchrnul/a void *rawmemchr (const void *, int);' out/include/string.h

# --- the build file --------------------------------------------------------------------------
cp runtime/arch/x86_64/syscall_arch.h include-native/

common='--target=x86_64-linux-musl -std=c99 -ffreestanding -nostdinc -D_XOPEN_SOURCE=700
    -fno-pic -fno-stack-protector -fno-strict-aliasing -ffp-contract=off
    -fdebug-compilation-dir=. -ffile-prefix-map=out/=musl/ -w'
musl_include='-Imusl/arch/x86_64 -Imusl/arch/generic -Igenerated -Imusl/src/include
    -Imusl/src/internal -Iout/include'
# The sources of the bitcode are compiled as fathom cc compiles programs: nothing optimised away.
# Without __GNUC__ musl's string functions are byte loops, which never read past an object.
cat >build.ninja <<END
cc = clang-$LLVM_VERSION
ar = llvm-ar-$LLVM_VERSION
objcopy = llvm-objcopy-$LLVM_VERSION
native_flags = $(echo $common) -O2 -g1 -frounding-math -fno-omit-frame-pointer -ffunction-sections $
    -fdata-sections -Iinclude-native $(echo $musl_include)
bitcode_flags = $(echo $common) -O0 -g -Xclang -disable-O0-optnone -fno-builtin $
    -fno-delete-null-pointer-checks -fno-vectorize -fno-slp-vectorize -U_FORTIFY_SOURCE $
    -flto=full -fno-unwind-tables -fno-asynchronous-unwind-tables $
    -Iruntime/arch/x86_64 $(echo $musl_include)
rule native
  command = \$cc \$native_flags \$extra -I\$dir -c \$in -o \$out
# A program may define any of these functions itself.
rule intrinsic
  command = \$cc \$native_flags -c \$in -o \$out && \$objcopy --weaken \$out
rule bitcode
  command = \$cc \$bitcode_flags \$extra -I\$dir -c \$in -o \$out
rule archive
  command = rm -f \$out && \$ar qcsD \$out @\$out.rsp
  rspfile = \$out.rsp
  rspfile_content = \$in
rule copy
  command = cp \$in \$out
END

# compile RULE SOURCE [LINE]: one edge of the build file; sets $object.
compile() {
    object=obj/$1/${2%.*}.o
    printf 'build %s: %s %s\n  dir = %s\n%s' "$object" "$1" "$2" "$(dirname "$2")" "${3:+  $3
}" >>build.ninja
}

# As in musl's own makefile, a file of an architecture directory replaces the generic one; not so
# for mathematics, where both builds must give the same last bit.
native_objects=
for source in $(cd musl && echo src/*/*.c src/malloc/mallocng/*.c src/*/x86_64/*.[csS]) ; do
    directory=${source%/*} base=${source##*/}
    case $directory in
    src/math/x86_64) continue ;;
    src/math | */x86_64) ;;
    *)
        for arch in "musl/$directory/x86_64/${base%.c}".[csS]; do
            [ -f "$arch" ] && continue 2
        done
        ;;
    esac
    # runtime/native/malloc has the public names, which choose between these and guard mode's.
    extra=
    case $source in
    src/malloc/free.c | src/malloc/realloc.c) continue ;;
    src/malloc/lite_malloc.c) extra='extra = -Dmalloc=__libc_default_malloc' ;;
    src/malloc/mallocng/aligned_alloc.c) extra='extra = -Daligned_alloc=__libc_aligned_alloc' ;;
    src/malloc/mallocng/malloc_usable_size.c)
        extra='extra = -Dmalloc_usable_size=__libc_malloc_usable_size'
        ;;
    # runtime/native/clone.c sees the child.
    src/process/posix_spawn.c) extra='extra = -D__clone=__fathom_spawn' ;;
    # runtime/native/cancellation.c stands before the instruction.
    src/thread/pthread_cancel.c) extra='extra = -D__syscall_cp_asm=__fathom_cancellable_call' ;;
    esac
    compile native "musl/$source" "$extra"
    native_objects="$native_objects $object"
done
for source in runtime/native/*.c runtime/native/malloc/*.c runtime/libc/*.c; do
    compile native "$source"
    native_objects="$native_objects $object"
done
echo "build out/lib/libc.a: archive $native_objects" >>build.ninja
# The native bodies of the functions that the engine plays; the bitcode keeps them undefined.
intrinsic_objects=
for source in runtime/fathom/*.c; do
    compile intrinsic "$source"
    intrinsic_objects="$intrinsic_objects $object"
done
echo "build out/lib/libfathom.a: archive $intrinsic_objects" >>build.ninja
# A native program starts in runtime/native/start.c.
for name in crt1.c x86_64/crti.s x86_64/crtn.s; do
    extra=
    [ "$name" != crt1.c ] || extra='extra = -D__libc_start_main=__fathom_start_main'
    compile native "musl/crt/$name" "$extra"
    base=${name##*/}
    printf 'build out/lib/%s: copy %s\n' "${base%.*}.o" "$object" >>build.ninja
done

# Left out of the bitcode because the engine implements them: the allocator, block memory
# functions, non-local jumps, the thread pointer and clone.
bitcode_objects=
for source in $(cd musl && echo src/*/*.c); do
    case $source in
    src/malloc/memalign.c | src/malloc/posix_memalign.c | src/malloc/reallocarray.c) ;;
    src/malloc/*) continue ;;
    src/string/memcpy.c | src/string/memmove.c | src/string/memset.c) continue ;;
    src/setjmp/* | src/signal/sigsetjmp.c | src/signal/sigsetjmp_tail.c) continue ;;
    src/thread/clone.c | src/thread/__set_thread_area.c) continue ;;
    esac
    extra=
    case $source in
    src/string/* | src/multibyte/mbsrtowcs.c) extra='extra = -U__GNUC__' ;;
    esac
    if [ -f "runtime/bitcode/$source" ]; then
        compile bitcode "runtime/bitcode/$source" "$extra"
    else
        compile bitcode "musl/$source" "$extra"
    fi
    bitcode_objects="$bitcode_objects $object"
done
for source in runtime/bitcode/*.c runtime/libc/*.c; do
    compile bitcode "$source"
    bitcode_objects="$bitcode_objects $object"
done
echo "build out/bitcode/libc.a: archive $bitcode_objects" >>build.ninja
compile bitcode musl/crt/crt1.c
echo "build out/bitcode/crt1.o: copy $object" >>build.ninja

# --- build -----------------------------------------------------------------------------------
run_ninja "musl, native" -j"$jobs" \
    out/lib/libc.a out/lib/libfathom.a out/lib/crt1.o out/lib/crti.o out/lib/crtn.o
# The engine always rounds to nearest: plain floating-point instructions will do, where this
# pragma asks clang for calls of llvm.experimental.constrained.*.
grep -rl 'STDC FENV_ACCESS ON' musl/src |
    xargs sed -i 's|#pragma STDC FENV_ACCESS ON|/* FENV_ACCESS */|'
run_ninja "musl, bitcode" -j"$jobs" out/bitcode/libc.a out/bitcode/crt1.o

for name in m rt pthread crypt util xnet resolv dl; do
    "llvm-ar-$LLVM_VERSION" rcsD "out/lib/lib$name.a"
done
builtins=$("clang-$LLVM_VERSION" --target=x86_64-linux-gnu --rtlib=compiler-rt -print-libgcc-file-name)
[ -f "$builtins" ] || builtins=$(gcc -print-libgcc-file-name) || true
[ -f "$builtins" ] || die "no compiler runtime found (package libclang-rt-$LLVM_VERSION-dev)"
cp -L "$builtins" out/lib/libbuiltins.a

# --- check -----------------------------------------------------------------------------------
# The engine takes an empty assembly string as a compiler barrier and nothing else.
for object in $bitcode_objects; do
    if "llvm-dis-$LLVM_VERSION" -o - "$object" | grep -E '^module asm| asm [^"]*"[^"]|constrained'; then
        die "inline assembly or constrained floating point in the bitcode of $object"
    fi
done

# What libc.a leaves undefined is what the engine implements (README.md has the list).
"llvm-nm-$LLVM_VERSION" --defined-only -j out/bitcode/libc.a 2>/dev/null | LC_ALL=C sort -u >defined
"llvm-nm-$LLVM_VERSION" --undefined-only -j out/bitcode/libc.a 2>/dev/null | LC_ALL=C sort -u |
    LC_ALL=C comm -13 defined - | grep -vE '^(llvm\..*|.*:|)$' >undefined
for symbol in _DYNAMIC __init_array_start __init_array_end __fini_array_start __fini_array_end \
    __sys_call __fathom_get_tp __set_thread_area __clone memcpy memmove memset \
    malloc calloc realloc free aligned_alloc setjmp longjmp; do
    echo "$symbol"
done >expected
unexpected=$(grep -vxFf expected undefined) &&
    die "the bitcode C library needs symbols that nothing provides:" $unexpected

# One program, linked natively and linked as bitcode, then compiled with a stand-in for the
# engine, must print the same: the second runs the bitcode library's own code.
clang="clang-$LLVM_VERSION --target=x86_64-linux-musl --sysroot=out -fno-builtin -w"
link="ld.lld-$LLVM_VERSION -static"
cp "$setup_dir/sysroot-check.c" "$setup_dir/sysroot-engine.c" .
$clang -c sysroot-check.c -o native.o
$link out/lib/crt1.o out/lib/crti.o native.o out/lib/libc.a out/lib/libbuiltins.a out/lib/crtn.o -o native
$clang -O0 -g -Xclang -disable-O0-optnone -flto=full -c sysroot-check.c -o bitcode.o
$link --fat-lto-objects --lto-emit-llvm --lto-O0 --warn-unresolved-symbols -u _start_c -e _start_c \
    out/bitcode/crt1.o bitcode.o out/bitcode/libc.a -o whole.bc
"opt-$LLVM_VERSION" -passes=internalize,globaldce,strip-dead-debug-info \
    -internalize-public-api-list=_start_c whole.bc -o program.bc
$clang -c -x ir program.bc -o program.o
$clang -c sysroot-engine.c -o engine.o
$link engine.o program.o out/lib/libc.a out/lib/libbuiltins.a -o recompiled
./native >native.out || die "a program linked with the new sysroot does not work"
./recompiled >recompiled.out || die "a program linked with the bitcode C library does not work"
diff native.out recompiled.out >&2 || die "the native and the bitcode C library differ"

publish sysroot "$hash" "$work/out"
say "sysroot ready"

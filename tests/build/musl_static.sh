#!/bin/sh
# The programs as static binaries of musl, for x86-64, tried: they write the bytes that those of glibc write, and pass the CLI tests.
#
#   musl_static.sh SOURCE_FOLDER PROGRAMS FOLDER     PROGRAMS: where the programs of glibc are; FOLDER: to build in
#
# zlib and libxml2 are compiled for musl from Debian's sources, which apt fetches once.  There is no libotf2 for musl: OTF2
# archives are refused by these programs.  celltrace is not among them: it is a library to be loaded.
set -eu
source=$(readlink -f -- "$1") here=$(readlink -f -- "$2")
mkdir -p "$3"
folder=$(readlink -f -- "$3")
prefix=$folder/prefix
cores=$(nproc)

# fetch NAME: the sources of a Debian package, unpacked as $folder/NAME.  apt's own lists stay as they are.
fetch()
{
    [ ! -d "$folder/$1" ] || return 0
    suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
    mirror=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' "Codename: $suite" 'Component: main' | head -n 1)
    mkdir -p "$folder/apt/partial" "$folder/$1.part"
    echo "deb-src $mirror $suite main" >"$folder/sources.list"
    set -- "$1" -qq -o APT::Sandbox::User=root -o Dir::Etc::sourcelist="$folder/sources.list" -o Dir::Etc::sourceparts=- -o Dir::State::lists="$folder/apt"
    name=$1
    shift
    (cd "$folder/$name.part" && apt-get "$@" update && apt-get "$@" --download-only source "$name")
    tar -xf "$folder/$name.part/$name"_*.orig.tar.* -C "$folder/$name.part" --strip-components=1
    mv "$folder/$name.part" "$folder/$name"
}

if [ ! -f "$prefix/lib/libz.a" ]; then
    fetch zlib
    (cd "$folder/zlib" && CC=musl-gcc CFLAGS=-O2 ./configure --static --prefix="$prefix" && make -j "$cores" libz.a && make install)
fi
if [ ! -f "$prefix/lib/libxml2.a" ]; then
    fetch libxml2
    without=
    for part in FTP HTTP ICU LZMA PROGRAMS PYTHON TESTS ZLIB; do
        without="$without -D LIBXML2_WITH_$part=OFF"
    done
    # shellcheck disable=SC2086 # words
    cmake -S "$folder/libxml2" -B "$folder/xml" -D CMAKE_C_COMPILER=musl-gcc -D CMAKE_BUILD_TYPE=Release \
        -D CMAKE_INSTALL_PREFIX="$prefix" -D CMAKE_INSTALL_LIBDIR=lib -D BUILD_SHARED_LIBS=OFF $without
    cmake --build "$folder/xml" -j "$cores"
    cmake --install "$folder/xml"
fi

# The kernel's headers are glibc's neighbours; musl's own come first.  musl-gcc makes no static programs that are
# position-independent.
cmake -S "$source" -B "$folder/build" -D CMAKE_C_COMPILER=musl-gcc -D CMAKE_BUILD_TYPE=Release -D BUILD_TESTING=OFF \
    -D CELLSYNC_OTF2=OFF -D CELLSYNC_IGZIP=OFF -D CMAKE_PREFIX_PATH="$prefix" -D CMAKE_FIND_ROOT_PATH="$prefix" \
    -D CMAKE_FIND_ROOT_PATH_MODE_LIBRARY=ONLY -D CMAKE_FIND_ROOT_PATH_MODE_INCLUDE=ONLY \
    -D CMAKE_C_FLAGS="-Werror -idirafter /usr/include -idirafter /usr/include/$(cc -print-multiarch)" \
    -D CMAKE_EXE_LINKER_FLAGS=-static -D CMAKE_C_LINK_PIE_SUPPORTED=NO -D CMAKE_INSTALL_LIBDIR=lib
cmake --build "$folder/build" -j "$cores" --target cellsync cellstat pdtsim
for program in cellsync cellstat pdtsim; do
    ! readelf -l "$folder/build/$program" | grep INTERP || { echo "FAIL: $program is not static"; exit 1; }
done
sh "$source/tests/cross/same_output.sh" "$source" "$here" "$folder/build"
# Left out is where musl itself differs: it knows fewer encodings (bad), takes less memory than a limit allows that glibc meets
# (memory), and has UTF-8 in every locale (utf8).
# shellcheck disable=SC2046 # a list of words
sh "$source/tests/system/cli/run.sh" "$folder/build/cellsync" \
    $(find "$source/tests/system/cli/cases" -name "*.sh" ! -name bad.sh ! -name memory.sh ! -name utf8.sh | sort)

#!/bin/sh
# Called by Maven: builds a module's native part in a directory, with or without tests, or runs the tests:
#
#     build-native.sh build DIRECTORY SOURCE JAVA_HOME ON|OFF
#     build-native.sh test DIRECTORY
set -eu

what=$1
directory=$2

need() {
    if ! command -v "$1" >/dev/null 2>&1; then
        echo "$1 is missing; native code needs it: apt-get install $2" >&2
        exit 1
    fi
}

case $what in
build)
    need cmake cmake
    need cc gcc
    need make make
    # CMake refuses the cache of a checkout that was moved or copied.
    cached=$(sed -n 's/^CMAKE_CACHEFILE_DIR:INTERNAL=//p' "$directory/CMakeCache.txt" 2>/dev/null || true)
    if [ -n "$cached" ] && [ "$(cd "$cached" 2>/dev/null && pwd -P)" != "$(cd "$directory" && pwd -P)" ]; then
        rm -rf "$directory"
    fi
    # The files are the same wherever the checkout is.
    root=$(cd "$(dirname "$0")/../.." && pwd)
    cmake -S "$3" -B "$directory" -D JAVA_HOME="$4" -D BUILD_TESTING="$5" --log-level=WARNING \
        -D CMAKE_C_FLAGS="${CFLAGS:-} \"-ffile-prefix-map=$root=.\"" \
        >"$directory.log" 2>&1 ||
        { cat "$directory.log" >&2; exit 1; }
    cmake --build "$directory" --parallel 2 >"$directory.log" 2>&1 || { cat "$directory.log" >&2; exit 1; }
    ;;
test)
    # A build may write $directory.log at the same time.
    ctest --test-dir "$directory" --parallel 8 --no-tests=error --output-on-failure --output-junit "$directory/TEST-ctest.xml" \
        >"$directory-tests.log" 2>&1 || { cat "$directory-tests.log" >&2; exit 1; }
    ;;
esac

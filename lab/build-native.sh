#!/bin/sh
# Builds the lab's programs into a directory, with or without their tests, or runs the tests there:
#
#     build-native.sh build DIRECTORY ON|OFF
#     build-native.sh test DIRECTORY
set -eu

what=$1
directory=$2
source=$(cd "$(dirname "$0")" && pwd)

need() {
    if ! command -v "$1" >/dev/null 2>&1; then
        echo "$1 is missing, which the lab is built with: apt-get install $2" >&2
        exit 1
    fi
}

case $what in
build)
    need cmake cmake
    need cc gcc
    need make make
    cmake -S "$source" -B "$directory" -D BUILD_TESTING="$3" --log-level=WARNING >"$directory.log" 2>&1 ||
        { cat "$directory.log" >&2; exit 1; }
    cmake --build "$directory" --parallel 2 >"$directory.log" 2>&1 || { cat "$directory.log" >&2; exit 1; }
    ;;
test)
    ctest --test-dir "$directory" --no-tests=error --output-on-failure --output-junit "$directory/TEST-ctest.xml" \
        >"$directory.log" 2>&1 || { cat "$directory.log" >&2; exit 1; }
    ;;
esac

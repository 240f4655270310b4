#!/bin/sh
# Runs a command on a separate virtual bus:  on-bus.sh SHIM COMMAND...
# The bus must be gone soon after the command, with everything it kept in its directory.
set -eu
shim=$1
shift
directory=$(mktemp -d "${TMPDIR:-/tmp}/lagbench-conformance.XXXXXX")
trap 'rm -rf "$directory"' EXIT
trap 'exit 130' INT TERM

status=0
LAGBENCH_BUS_DIR=$directory LD_PRELOAD=$shim "$@" || status=$?

tries=0
while [ -n "$(ls -A "$directory")" ]; do
    tries=$((tries + 1))
    if [ "$tries" -gt 100 ]; then
        echo "the bus left behind: $(ls -A "$directory")" >&2
        [ "$status" -ne 0 ] || status=1
        break
    fi
    sleep 0.1
done
exit "$status"

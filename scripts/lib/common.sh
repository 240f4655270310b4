# Sourced by the programs in scripts/: paths, messages, exit codes, and the start of JVMs.
# shellcheck shell=bash

set -euo pipefail

# Exit codes of org.lagbench.core.failure.ExitCode.
readonly exit_internal=1 exit_usage=2 exit_unavailable=5 exit_files=7
export exit_internal exit_usage

# Without a UTF-8 locale, Java 17 prints "?" for "µ" and cannot open a file with an accent in its name. The user's
# locale may be one that this host does not have.
export LC_ALL=C.UTF-8

print_message() { printf 'lagbench: %s\n' "$*" >&2; }

fail() { # exit code, sentence
    local code=$1
    shift
    print_message "$*"
    exit "$code"
}

# Before the first process: a shell that cannot start one goes on without its output. Root has no such limit.
while read -r _ limited soft _; do
    [[ $limited != processes || $soft == unlimited || $EUID == 0 ]] || ((soft >= 64)) ||
        fail $exit_unavailable "this user may have $soft processes and threads, and a JVM has about 30. Run: ulimit -u 1024"
done </proc/self/limits

home=$(cd -P "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.." && pwd)
readonly home

[[ $home != *:* ]] ||
    fail $exit_files "the path $home has a colon, which separates paths for Java; move or rename the folder."

# Files of compiled Python would be newer than the build, which would be made again.
export PYTHONDONTWRITEBYTECODE=1

open_files=$(ulimit -n)

# Fails if this shell's limit is lower: programs fail at any place then, without a clear message.
require_open_files() { # count, what needs them
    [[ $open_files == unlimited ]] || ((open_files >= $1)) ||
        fail $exit_unavailable "this shell lets a program open $open_files files, and $2 needs $1. Run: ulimit -n 1024"
}

require_open_files 128 lagbench # a sweep opens about 100 at a time

# shellcheck source=scripts/lib/requirements.sh
source "$home/scripts/lib/requirements.sh"
if [[ -e $home/pom.xml ]]; then
    # shellcheck source=scripts/lib/python.sh
    source "$home/scripts/lib/python.sh"
    # shellcheck source=scripts/lib/build.sh
    source "$home/scripts/lib/build.sh"
    jvm_options_directory=$home/runner/src/main/resources/org/lagbench/runner/sweep
else
    # shellcheck source=scripts/lib/installed.sh
    source "$home/scripts/lib/installed.sh"
    jvm_options_directory=$home
fi
# shellcheck source=scripts/lib/class-archive.sh
source "$home/scripts/lib/class-archive.sh"

# The options of every JVM of lagbench.
readonly common_jvm_options=(
    "@$jvm_options_directory/all-jvm.options"
    "-Dlagbench.home=$home"
    "-Dlagbench.native=$native_directory"
    "-Dlagbench.lab=$lab_directory"
    "-Dlagbench.packetio=$packetio_directory"
    "-Dlagbench.engines=$engines_directory"
    "-Dlagbench.engines.native=$engines_native_directory"
    -classpath "$distribution/lib/*"
)

# The options of a JVM that sends or receives packets, as in org.lagbench.runner.sweep.ChildJvm.
# shellcheck disable=SC2034
readonly packet_jvm_options=("@$jvm_options_directory/packet-jvm.options")

# Fails if the limit of virtual memory is too low: a JVM must start with three quarters of it.
check_virtual_memory() {
    local limit_kib
    limit_kib=$(ulimit -v)
    [[ $limit_kib == unlimited ]] || (
        ulimit -v $((limit_kib * 3 / 4))
        "$java_home/bin/java" ${jvm_options[@]+"${jvm_options[@]}"} -version >/dev/null 2>&1
    ) || fail $exit_unavailable "this shell lets a program use $limit_kib KiB of virtual memory, too little for Java. Run: ulimit -v unlimited"
}

# Builds lagbench if needed, then executes the JVM of main class $1 with the remaining arguments. The array jvm_options has
# additional options for this JVM.
run() {
    ensure_built
    find_java java || fail $exit_unavailable "no Java 17 or newer found; set JAVA_HOME to one."
    choose_archive_options
    check_virtual_memory
    # With the default, eight arenas for each processor, the freed memory of many threads makes a service grow for hours.
    export MALLOC_ARENA_MAX="${MALLOC_ARENA_MAX:-2}"
    umask "${LAGBENCH_UMASK:-077}" # files have stamps, addresses and keys, for nobody else unless asked
    exec "$java_home/bin/java" "${common_jvm_options[@]}" ${archive_options[@]+"${archive_options[@]}"} \
        ${jvm_options[@]+"${jvm_options[@]}"} "$@"
}

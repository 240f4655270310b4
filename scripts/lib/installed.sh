# Sourced by common.sh in an installation, which has no sources: defines the directories of its parts, and the functions
# that a build provides otherwise.
# shellcheck shell=bash disable=SC2034

readonly distribution=$home  # lib/*.jar
readonly native_directory=$home/native
readonly lab_directory=$home/native
readonly packetio_directory=$home/native
readonly engines_native_directory=$home/native
readonly engines_directory=$home/engines
readonly state=${TMPDIR:-/tmp} log=/dev/null
export LAGBENCH_NO_INSTALL=1

# Creates the class archive if it is missing, and this user may: on the first use of a Java.
ensure_built() {
    [[ -w $home && -e $home/scripts/lagbench ]] && find_java java || return 0
    name_class_archive
    [[ -e $class_archive ]] || make_class_archive
}

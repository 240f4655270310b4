# Sourced by common.sh: builds lagbench where it is not built or its sources are newer.
# shellcheck shell=bash

readonly state=$home/.lagbench                   # the build's log and lock; git ignores it
readonly log=$state/build.log
readonly distribution=$home/cli/target/lagbench  # lib/*.jar
readonly native_directory=$home/native1394/target/native
readonly lab_directory=$home/lab/target/native    # the lab's programs
readonly packetio_directory=$home/packetio/target/native
readonly truth_directory=$home/validation/truth/target  # the programs that scripts/truth holds the bench against
readonly stamp=$distribution/built               # as old as the beginning of the build that made the rest

# Builds unless the build is as new as the sources. One process at a time builds; while a lagbench of this checkout
# runs nobody replaces what it runs from.
ensure_built() {
    if ! is_current && can_write; then
        lock_build
        is_current || build_for_use
    elif ! [[ -e $stamp ]]; then
        fail $exit_files "this checkout ($home) is not built, and you may not write to it." \
            "Run scripts/lagbench once as $(stat --format %U "$home"), or clone it to a folder of your own."
    elif ! is_current; then
        say "the sources are newer than the build, which you may not replace: running it as it is."
    fi
    exec 9<"$state/lock"
    flock --shared 9
}

# Makes this process the only one that builds here, until it ends or takes the shared lock.
lock_build() {
    writable_state
    exec 9>"$state/lock"
    flock --exclusive --nonblock 9 || {
        say "waiting for the other lagbench programs of this checkout to end, to build it …"
        flock --exclusive 9
    }
    : >"$log"
}

# Sets modules to the directories of the Maven modules.
find_modules() {
    mapfile -t modules < <(sed -n 's|.*<module>\(.*\)</module>.*|\1|p' "$home/pom.xml")
    modules=("${modules[@]/#/$home/}")
}

# True when no source is newer than the build. Folders count too: they change when a file in them is deleted.
is_current() {
    local -a modules sources=("$home/pom.xml" "$home/.mvn")
    [[ -e $stamp ]] || return 1
    find_modules
    sources+=("${modules[@]}")
    [[ -z $(find "${sources[@]}" \( -name target -o -path '*/src/test' \) -prune -o -newer "$stamp" -print -quit) ]]
}

can_write() {
    local folder
    local -a modules
    find_modules
    for folder in "$home" "$state" "${modules[@]/%//target}" "$distribution"; do
        [[ ! -e $folder || -w $folder ]] || return 1
    done
}

writable_state() {
    { mkdir -p "$state" && [[ -w $state ]]; } ||
        fail $exit_files "this checkout ($home) cannot be written to by $(id -un); clone it to a folder of your own."
}

build_for_use() {
    require "${build_requirements[@]}"
    if [[ -e $stamp ]]; then
        say "building lagbench again: its sources have changed …"
    else
        say "building lagbench (first use, a few minutes) …"
    fi
    begin_build
    logged $exit_internal Maven maven -Dlagbench.checks=false --projects '!:lagbench-benchmarks' package
    make_class_archive
    end_build
}

# Empties the place that the jars go to: what a running JVM has open stays whole when it is deleted, not when it is
# overwritten, and no jar of an earlier version is left on the class path.
begin_build() {
    local -a modules
    choose_maven_options
    rm -rf "$distribution"
    # The folders that the build makes first, since making them changes the modules' own folders.
    find_modules
    mkdir -p "${modules[@]/%//target}"
    : >"$state/begun"
}

end_build() { mv "$state/begun" "$stamp"; }

# Builds the programs that the bench is held against. False when that fails.
build_truth() {
    cmake -S "$home/validation/truth" -B "$truth_directory" --log-level=WARNING && cmake --build "$truth_directory"
}

# Runs Maven on this checkout.
maven() { JAVA_HOME=$java_home mvn "${maven_options[@]}" "$@"; }

# Sets maven_options. Maven keeps what it downloads in the home folder that the password file names, whatever $HOME is;
# where that cannot be written, the checkout keeps it.
choose_maven_options() {
    local repository
    maven_options=(--batch-mode -Dstyle.color=never --no-transfer-progress --file "$home/pom.xml")
    repository=$(getent passwd "$(id -u)" | cut -d : -f 6)/.m2
    if ! mkdir -p "$repository" 2>/dev/null || ! [[ -w $repository ]]; then
        say "$repository cannot be written: Maven's downloads go to $state/maven"
        maven_options+=("-Dmaven.repo.local=$state/maven")
    fi
}

# Runs a command with its output in the log. When it fails, shows the log's end and ends with the exit code $1; $2 is
# the command's name in that sentence.
logged() {
    local code=$1 name=$2 status=0
    shift 2
    "$@" >>"$log" 2>&1 </dev/null 9>&- || status=$?
    ((status == 0)) || {
        tail -n 40 "$log" >&2
        fail "$code" "$name failed with exit code $status; all it said is in $log"
    }
}

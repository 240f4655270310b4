# Sourced by common.sh: builds lagbench if it is not built or its sources are newer.
# shellcheck shell=bash

readonly state=$home/.lagbench                   # the build's log and lock; git ignores it
readonly log=$state/build.log
readonly distribution=$home/cli/target/lagbench  # lib/*.jar
readonly native_directory=$home/native1394/target/native
readonly lab_directory=$home/lab/target/native    # the lab's programs
readonly packetio_directory=$home/packetio/target/native
readonly engines_directory=$home/engines/target/libraries  # jars that are loaded when an engine needs them
readonly engines_native_directory=$home/engines/target/native
readonly commit_file=$home/cli/target/classes/org/lagbench/build.properties
readonly truth_directory=$home/validation/truth/target  # the programs of scripts/validate truth
readonly bus_directory=$home/native1394/target/measured-bus  # the bus that scripts/validate bus measures
readonly stamp=$distribution/built               # has the time of the beginning of the last complete build

# Builds if the sources are newer than the build. Only one process builds at a time, and none while a program of this
# checkout runs. Those that such a program starts use its build: they would wait for the end of that program.
ensure_built() {
    if needs_build; then
        if [[ ${LAGBENCH_BUILT:-} != "$home" ]] && can_write; then
            lock_build
            ! needs_build || build_for_use
        elif ! [[ -e $stamp ]]; then
            fail $exit_files "this checkout ($home) is not built, and you cannot write to it." \
                "Run scripts/lagbench once as $(stat --format %U "$home"), or clone it to another folder."
        elif ! is_current; then
            print_message "the sources are newer than the build, which you cannot replace: using the old build."
        fi
    fi
    exec 9<"$state/lock"
    share_build
}

# Keeps other processes from building until this one ends.
share_build() {
    flock --shared 9
    export LAGBENCH_BUILT=$home
}

# True if the sources are newer than the build, or if a library was installed after it.
needs_build() {
    ! is_current || lacks "$native_directory/liblagbench1394.so" libraw1394 ||
        lacks "$engines_native_directory/lagbench-srt" srt || lacks "$engines_native_directory/lagbench-rist" librist
}

# True if file $1 was built without library $2, which is here now.
lacks() { ! [[ -e $1 ]] && has_library "$2"; }

# Locks the build for this process, until it ends or takes the shared lock.
lock_build() {
    require_open_files 512 "its build"
    writable_state
    exec 9>"$state/lock"
    flock --exclusive --nonblock 9 || {
        print_message "waiting for other lagbench programs of this checkout to end before building …"
        flock --exclusive 9
    }
    : >"$log"
}

# Sets modules to the directories of the Maven modules.
find_modules() {
    mapfile -t modules < <(sed -n 's|.*<module>\(.*\)</module>.*|\1|p' "$home/pom.xml")
    modules=("${modules[@]/#/$home/}")
}

# True if no source is newer than the build. A folder counts too: its time changes when a file in it is deleted.
is_current() {
    local -a modules sources=("$home"/pom.xml "$home"/*/pom.xml "$home/.mvn")
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
        fail $exit_files "$(id -un) cannot write to this checkout ($home); clone it to another folder."
}

# Installs what a build needs. Some headers are optional: without them, there is no IEEE-1394, SRT or RIST.
require_for_build() {
    local -a missing findings optional
    optional=("${ieee1394_requirements[@]}" "${media_requirements[@]}")
    unmet "${build_requirements[@]}"
    if ((${#missing[@]} > 0)); then
        require "${build_requirements[@]}" "${optional[@]}"  # who may not install gets the names of all
    elif may_install; then
        (require "${optional[@]}") || true
    fi
}

build_for_use() {
    require_for_build
    if [[ -e $stamp ]]; then
        print_message "building lagbench again: its sources have changed …"
    else
        print_message "building lagbench (first use, a few minutes) …"
    fi
    begin_build
    logged $exit_internal Maven maven -Dlagbench.checks=false --projects '!:lagbench-benchmarks,!:lagbench-fuzz' package
    make_class_archive
    end_build
    [[ -e $native_directory/liblagbench1394.so ]] ||
        print_message "built without IEEE-1394; to have it: sudo apt-get install libraw1394-dev"
}

# Deletes the jars of the last build. A running JVM can still read a deleted file, but not an overwritten one, and no jar
# of an earlier version remains on the class path.
begin_build() {
    local -a modules
    choose_maven_options
    rm -rf "$distribution"
    # Maven would keep the file with the commit of an earlier build.
    grep --quiet --no-messages --fixed-strings " $(source_commit)," "$commit_file" || rm -f "$commit_file"
    # Make these folders now, because that changes the times of the modules' folders.
    find_modules
    mkdir -p "${modules[@]/%//target}"
    # A build that was stopped may have left a part of a jar, which Maven would keep.
    ! [[ -e $state/begun ]] || find "${modules[@]/%//target}" -maxdepth 1 -name '*.jar' -delete
    : >"$state/begun"
}

end_build() { mv "$state/begun" "$stamp"; }

# Builds the programs of scripts/validate truth; fails if the build fails.
build_truth() {
    cmake -S "$home/validation/truth" -B "$truth_directory" --log-level=WARNING \
        -D Python3_EXECUTABLE="$(command -v "$python")" && cmake --build "$truth_directory"
}

# True if the compiled templates of report are newer than what they are compiled from. Compiled again, they would make another
# jar, and Maven would compile the modules above report again.
has_templates() {
    local compiled=$home/report/target/classes/gg/jte/generated/precompiled/JtepageGenerated.class
    [[ -e $compiled && -z $(find "$home"/{pom.xml,core,experiment,analysis,report} \( -name target -o -path '*/src/test' \) -prune \
        -o -newer "$compiled" -print -quit) ]]
}

# Prints the commit of this checkout, with "+changes" if files differ from it.
source_commit() {
    git -C "$home" describe --always --abbrev=12 --exclude='*' --dirty=+changes 2>/dev/null || echo unknown
}

# Runs Maven on this checkout.
maven() { JAVA_HOME=$java_home mvn "${maven_options[@]}" "-Dlagbench.commit=$(source_commit)" "$@"; }

# Sets maven_options. Maven stores downloads in the home folder of the password file, not of $HOME. If that is not
# writable, they go to the checkout.
choose_maven_options() {
    local repository
    maven_options=(--batch-mode -Dstyle.color=never --no-transfer-progress --file "$home/pom.xml")
    ! has_templates || maven_options+=(-Djte.phase=none)
    repository=$(getent passwd "$(id -u)" | cut -d : -f 6)/.m2
    if ! mkdir -p "$repository" 2>/dev/null || ! [[ -w $repository ]]; then
        print_message "$repository is not writable: Maven's downloads go to $state/maven"
        maven_options+=("-Dmaven.repo.local=$state/maven")
    fi
}

# Runs a command with its output in the log. If it fails, prints the end of the log and ends with exit code $1; $2 is the
# command's name in the message.
logged() {
    local code=$1 name=$2 status=0
    shift 2
    "$@" >>"$log" 2>&1 </dev/null 9>&- || status=$?
    ((status == 0)) || {
        tail -n 40 "$log" >&2
        fail "$code" "$name failed with exit code $status; the log is $log"
    }
}

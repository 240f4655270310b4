# Sourced by common.sh: the requirements of this machine, and their installation.
# shellcheck shell=bash
#
# LAGBENCH_NO_INSTALL=1 reports missing packages and installs none. JAVA_HOME is the JDK to use first.

# Daemons are in folders that are often missing from an ordinary user's PATH.
PATH=$PATH:/usr/sbin:/sbin

# --- Java -------------------------------------------------------------------------------------------------------------

# Prints the major version of the Java in folder $1, from its release file; 0 if there is none.
java_major() {
    local version=
    [[ ! -r $1/release ]] || version=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release")
    printf '%s\n' "${version:-0}"
}

# Prints the folders of possible Javas: $JAVA_HOME, the one of program $1 on the PATH, $JAVA_HOME_25 and others, those of
# the distribution and of SDKMAN.
java_candidates() {
    local name program
    [[ -z ${JAVA_HOME:-} ]] || printf '%s\n' "$JAVA_HOME"
    if program=$(command -v "$1"); then
        program=$(readlink -f "$program")
        printf '%s\n' "${program%/bin/*}"
    fi
    for name in "${!JAVA_HOME_@}"; do
        printf '%s\n' "${!name}"
    done
    printf '%s\n' /usr/lib/jvm/* "${HOME:-/nonexistent}"/.sdkman/candidates/java/*
}

# Finds a Java of version 17 or newer with the program $1 ("java" or "javac") in its bin folder. Sets java_home; fails
# if there is none.
find_java() {
    local program=$1 candidate
    local -a candidates
    mapfile -t candidates < <(java_candidates "$program")
    for candidate in "${candidates[@]}"; do
        if [[ -x $candidate/bin/$program ]] && (($(java_major "$candidate") >= 17)); then
            java_home=$candidate
            return 0
        fi
    done
    return 1
}

# Sets other_javas to the installed Javas of versions 17, 21 and 25, one of each, except the version of java_home.
find_other_javas() {
    local candidate version found
    other_javas=()
    found=" $(java_major "$java_home") "
    while read -r candidate; do
        version=$(java_major "$candidate")
        [[ -x $candidate/bin/java && $version == @(17|21|25) && $found != *" $version "* ]] || continue
        other_javas+=("$candidate")
        found+="$version "
    done < <(java_candidates java)
}

# --- Requirements -----------------------------------------------------------------------------------------------------

# Each check sets finding to the reason when it fails.

# True if program $1 is on the PATH.
has() { command -v "$1" >/dev/null || { finding="no $1 on the PATH" && return 1; }; }

# True if program $1 has version $2, which is at least version $3.
is_recent() {
    [[ $(printf '%s\n' "$2" "$3" | sort --version-sort | head -n 1) == "$3" ]] ||
        { finding="$1 has version ${2:-unknown}" && return 1; }
}

has_jdk() { find_java javac || { finding="no JDK on the PATH, in JAVA_HOME or in /usr/lib/jvm" && return 1; }; }
has_maven() {
    has mvn && has_jdk &&
        is_recent mvn "$(JAVA_HOME=$java_home mvn --version 2>/dev/null | sed -n 's/.*Apache Maven \([0-9.]*\).*/\1/p')" 3.8
}
has_cmake() { has cmake && is_recent cmake "$(cmake --version | sed -n 's/^cmake version \([0-9.]*\).*/\1/p')" 3.21; }
has_compiler() {
    has cc && { printf '#include <stdlib.h>\nint main(void) { return 0; }\n' | cc -x c -o /dev/null - 2>/dev/null ||
        { finding="cc does not compile a program with stdlib.h" && return 1; }; }
}
# Version 4 has interleaved mode with short intervals, and -U.
has_chrony() {
    has chronyc && has chronyd &&
        is_recent chronyd "$(chronyd --version 2>/dev/null | sed -n 's/.* version \([0-9.]*\).*/\1/p')" 4.0
}
has_python() { has python3 && is_recent python3 "$(python3 --version 2>/dev/null | sed -n 's/^Python \([0-9.]*\).*/\1/p')" 3.11; }
has_venv() {
    has_python && { python3 -c 'import ensurepip, venv' 2>/dev/null ||
        { finding="python3 does not import ensurepip and venv" && return 1; }; }
}
has_font() { has fc-list && { [[ -n $(fc-list 2>/dev/null) ]] || { finding="fc-list prints no font" && return 1; }; }; }
# Ubuntu's Java without a display only recommends it.
has_harfbuzz() { PATH=$PATH:/usr/sbin:/sbin ldconfig -p | grep -F libharfbuzz.so.0 >/dev/null; }
has_fuzzer() {
    has clang && { printf 'int LLVMFuzzerTestOneInput(void) { return 0; }\n' |
        clang -fsanitize=fuzzer,address -x c -o /dev/null - 2>/dev/null ||
        { finding="clang does not link with -fsanitize=fuzzer,address" && return 1; }; }
}
has_library() {
    local errors
    has pkg-config && { errors=$(pkg-config --exists --print-errors --short-errors "$1" 2>&1) ||
        { finding="pkg-config: ${errors//$'\n'/; }" && return 1; }; }
}

# Requirements: check | Debian packages, also of the programs that the check runs | description.
readonly -a build_requirements=(
    'has_jdk|JDK|a JDK 17 or newer'
    'has_maven|maven JDK|Maven 3.8 or newer'
    'has_cmake|cmake|CMake 3.21 or newer'
    'has make|make|make'
    'has_compiler|gcc libc6-dev|a C compiler'
    'has pkg-config|pkg-config|pkg-config'
)
# packaging/test-parts, with require_prometheus.
readonly -a packaging_test_requirements=(
    'has_python|python3|Python 3.11 or newer'
    'has mandoc|mandoc|mandoc'
    'has systemd-analyze|systemd|systemd-analyze'
)
# lagbench figures
readonly -a figure_requirements=(
    'has_font|fontconfig fonts-liberation|fonts'
    'has_harfbuzz|libharfbuzz0b|libharfbuzz, by which Java draws text'
)
# SRT and RIST; without them, lagbench is built without these. Ubuntu's libsrt-gnutls-dev only suggests what its srt.pc requires.
readonly -a media_requirements=(
    'has_library srt|libsrt-gnutls-dev libgnutls28-dev nettle-dev pkg-config|the headers of libsrt'
    'has_library librist|librist-dev pkg-config|the headers of librist'
)
readonly -a test_requirements=(
    'has git|git|Git'
    'has ss|iproute2|iproute2'
    'has nft|nftables|nftables'
    'has_library libtirpc|libtirpc-dev pkg-config|the headers of libtirpc'
    "${media_requirements[@]}"
    'has shellcheck|shellcheck|shellcheck'
    "${packaging_test_requirements[@]}"
    "${figure_requirements[@]}"
)
# Tests of pages in a browser; without them they are skipped. Ubuntu has Chromium only as a snap.
readonly -a browser_requirements=(
    'has chromium|chromium|Chromium'
    'has chromedriver|chromium-driver|the driver of Chromium'
)
# IEEE-1394; without them, lagbench is built without it.
readonly -a ieee1394_requirements=('has_library libraw1394|libraw1394-dev pkg-config|the headers of libraw1394')
# Tests of IEEE-1394; without them they are skipped.
readonly -a ieee1394_test_requirements=(
    "${ieee1394_requirements[@]}"
    'has testlibraw|libraw1394-tools|the programs of libraw1394'
    'has dvcont|libavc1394-tools|the programs of libavc1394'
    'has_library libiec61883|libiec61883-dev pkg-config|the headers of libiec61883'
)
# Python programs that need packages, and the checks of the sources (scripts/lib/python.sh).
readonly -a python_requirements=(
    'has_python|python3|Python 3.11 or newer'
    'has_venv|python3 python3-venv|venv of Python'
)
# The virtual bus and the programs that load it (scripts/validate bus).
readonly -a bus_requirements=(
    'has_python|python3|Python 3.11 or newer'
    'has_cmake|cmake|CMake 3.21 or newer'
    'has make|make|make'
    'has_compiler|gcc libc6-dev|a C compiler'
    'has_library libraw1394|libraw1394-dev pkg-config|the headers of libraw1394'
)
# The fuzz targets in C (scripts/validate fuzz).
readonly -a fuzz_requirements=(
    'has_cmake|cmake|CMake 3.21 or newer'
    'has make|make|make'
    'has_fuzzer|clang libclang-rt-dev|clang with libFuzzer and its sanitizers'
)
# A private pair of daemons (scripts/validate clock-pair).
readonly -a pair_requirements=('has_chrony|chrony|chronyd 4.0 or newer')
# An SNMP agent in a lab. Debian's package also starts an agent, at 127.0.0.1 only.
readonly -a agent_requirements=('has snmpd|snmpd|snmpd of Net-SNMP')
# Network namespaces (validation/lagbench_validation/namespaces.py).
readonly -a namespace_requirements=(
    'has ip|iproute2|iproute2'
    'has_python|python3|Python 3.11 or newer'
)
# What scripts/validate observer compares arrivals with, in links whose devices join segments.
readonly -a observer_requirements=(
    'has dumpcap|wireshark-common|dumpcap'
    'has ethtool|ethtool|ethtool'
)
# Hosts with systemd (scripts/validate hosts), with require_prometheus.
readonly -a host_requirements=(
    'has debootstrap|debootstrap|debootstrap'
    'has systemd-nspawn|systemd-container|systemd-nspawn'
    'has ssh|openssh-client|ssh'
)
# The programs of scripts/validate truth.
readonly -a truth_requirements=(
    'has_python|python3|Python 3.11 or newer'
    'has_cmake|cmake|CMake 3.21 or newer'
    'has make|make|make'
    'has_compiler|gcc libc6-dev|a C compiler'
)

# Ensures that the given requirements are met: installs what is missing if possible, else ends with a message.
require() {
    local -a missing=() findings=()
    unmet "$@"
    ((${#missing[@]} > 0)) || return 0
    install "${missing[@]}"
    hash -r
    unmet "${missing[@]}"
    ((${#missing[@]} == 0)) ||
        fail $exit_unavailable "still missing after the installation: $(list "${findings[@]}")." \
            "Install them without apt-get, and put them on the PATH."
}

# Sets missing to the given requirements that are not met, and findings to what their checks found.
unmet() {
    local requirement finding
    local -a check
    local -A seen=()
    missing=() findings=()
    for requirement; do
        [[ ! -v seen["$requirement"] ]] || continue
        seen["$requirement"]=1
        read -ra check <<<"${requirement%%|*}"
        "${check[@]}" || { missing+=("$requirement") && findings+=("${requirement##*|} ($finding)"); }
    done
}

# Prints the arguments, separated by commas.
list() {
    local text
    text=$(printf ', %s' "$@")
    printf '%s' "${text#, }"
}

# True if install may install packages here.
may_install() {
    [[ ${LAGBENCH_NO_INSTALL:-0} == 0 ]] && command -v apt-get >/dev/null && { ((EUID == 0)) || may_use_sudo; }
}

# True if sudo works here. It can ask for a password only at a terminal.
may_use_sudo() { command -v sudo >/dev/null && { sudo -n true 2>/dev/null || [[ -t 0 && -t 2 ]]; }; }

# --- Installing -------------------------------------------------------------------------------------------------------

install() { # requirements
    local -a packages=() as_root=(env DEBIAN_FRONTEND=noninteractive)
    local names
    names=$(list "${@##*|}")

    has apt-get || fail $exit_unavailable "missing: $names. Install it with the package manager of this distribution" \
        "(lagbench can install only on Debian and Ubuntu)."
    debian_packages "$@"
    if [[ ${LAGBENCH_NO_INSTALL:-0} != 0 ]]; then
        fail $exit_unavailable "missing: $names. Install it with: apt-get install ${packages[*]}"
    fi
    if ((EUID != 0)); then
        may_use_sudo || fail $exit_unavailable "missing: $names. Ask an administrator to run:" \
            "apt-get update && apt-get install ${packages[*]}"
        as_root=(sudo "${as_root[@]}")
    fi

    writable_state
    print_message "missing: $names; updating the package lists …"
    apt_get "${as_root[@]}" apt-get --quiet --error-on=any update ||
        print_message "the package lists are not current, because apt-get update failed: $apt_error"
    debian_packages "$@"
    print_message "installing ${packages[*]} …"
    apt_get "${as_root[@]}" apt-get --quiet --yes --no-install-recommends -o DPkg::Lock::Timeout=300 install "${packages[@]}" ||
        fail $exit_unavailable "apt-get install failed: $apt_error; the log is $log"
}

# Runs an apt-get command with its output in the log. If it fails, sets apt_error to its first error.
apt_get() {
    local output=$state/apt.log status=0
    "$@" >"$output" 2>&1 </dev/null 9>&- || status=$?
    cat "$output" >>"$log"
    apt_error=$(grep --max-count=1 '^E: ' "$output") || apt_error="exit code $status"
    return "$status"
}

# Puts prometheus and promtool on the PATH. Debian's package is only unpacked: it would start a server at all addresses.
require_prometheus() {
    local directory=$state/prometheus
    PATH=$PATH:$directory/usr/bin
    ! { has prometheus && has promtool; } || return 0
    [[ ${LAGBENCH_NO_INSTALL:-0} == 0 ]] && has apt-get ||
        fail $exit_unavailable "missing: prometheus and promtool. Put them on the PATH."
    writable_state
    print_message "unpacking Debian's package prometheus in $directory …"
    # shellcheck disable=SC2016 # that shell expands it
    logged $exit_unavailable "apt-get download" bash -c 'rm -rf "$1" && mkdir "$1" && cd "$1" &&
        { apt-get --quiet download prometheus || { apt-get --quiet update && apt-get --quiet download prometheus; }; } &&
        dpkg-deb --extract prometheus_*.deb . && rm prometheus_*.deb' -- "$directory"
    hash -r
}

# Sets packages to the Debian packages of the given requirements, each once.
debian_packages() {
    local requirement fields package
    packages=()
    for requirement; do
        fields=${requirement#*|}
        for package in ${fields%|*}; do
            [[ $package != JDK ]] || package=$(jdk_package)
            [[ " ${packages[*]} " == *" $package "* ]] || packages+=("$package")
        done
    done
}

# True if this distribution has the Debian packages of the given requirements.
has_packages() {
    local package
    local -a packages
    debian_packages "$@"
    for package in "${packages[@]}"; do
        is_offered "$package" || return 1
    done
}

# True if this distribution has the Debian package $1, and not only others that name it.
is_offered() { [[ -n $(apt-cache show "$1" 2>/dev/null) ]]; }

# Prints the name of the oldest sufficient JDK package of this distribution.
jdk_package() {
    local package
    for package in openjdk-17-jdk-headless openjdk-21-jdk-headless openjdk-25-jdk-headless; do
        if is_offered "$package"; then
            printf '%s\n' "$package"
            return
        fi
    done
    printf 'default-jdk-headless\n'
}

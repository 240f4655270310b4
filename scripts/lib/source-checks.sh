# Sourced by scripts/test: checks of the sources, which need no test.
# shellcheck shell=bash

# Checks the scripts.
check_scripts() {
    heading "shellcheck"
    local -a files
    mapfile -t files < <(cd "$home" && grep -lsE '^#!.*[/ ](ba)?sh$' scripts/* .ci/run \
        scripts/lib/build-native.sh packetio/src/main/observer/generate validation/commands/* packaging/* packaging/debian/*)
    (cd "$home" && shellcheck --external-sources "${files[@]}") ||
        break_step "shellcheck"
}

# Prints the source files with the given suffixes, each terminated by a NUL.
source_files() {
    local -a names=()
    local suffix
    for suffix; do
        names+=(-o -name "*.$suffix")
    done
    find "$home" \( -name .git -o -name .lagbench -o -name target -o -name build -o -name results \) -prune \
        -o -type f \( "${names[@]:1}" \) -print0
}

# Prints the lines of the source files on standard input that have more than $1 characters; fails if there are any.
check_columns() {
    local found
    found=$(LC_ALL=C.UTF-8 xargs -0 grep -HnE "^.{$(($1 + 1)),}" || true)
    [[ -z $found ]] || ! printf '%s\n' "$found"
}

# Checks the types in Python.
check_types() {
    local mypy=("$state/python-checks/bin/mypy" --config-file validation/pyproject.toml --cache-dir "$state/mypy")
    local conformance=native1394/virtual-bus/conformance
    (cd "$home" && "${mypy[@]}" python/lagbench python/tests && MYPYPATH=python "${mypy[@]}" \
        validation/lagbench_validation validation/tests packaging/*.py &&
        "${mypy[@]}" $conformance/*.py $conformance/third_party/*.py)
}

# Checks the format of the sources, except Java's.
check_form() {
    local -x RUFF_CACHE_DIR=$state/ruff
    local ruff=("$state/python-checks/bin/ruff" --config validation/pyproject.toml)
    heading "ruff"
    (cd "$home" && "${ruff[@]}" check && "${ruff[@]}" format --check) || break_step "ruff"
    heading "mypy"
    check_types || break_step "mypy"
    heading "clang-format, columns"
    source_files c h | xargs -0 "$state/python-checks/bin/clang-format" --dry-run -Werror || break_step "clang-format"
    source_files java | check_columns 120 || break_step "lines of Java over 120 columns"
    source_files c h | check_columns 100 || break_step "lines of C over 100 columns"
}

# Checks that the observer's program is made from its sources.
check_generated() {
    heading "the observer's program"
    "$home/packetio/src/main/observer/generate" --check || break_step "the observer's program"
}

# Checks the words that people read, and the links of the documentation.
check_text() {
    local -x PYTHONPATH=$home/validation
    heading "text"
    (cd "$home" && python3 -B -m lagbench_validation.text.links .) || break_step "links of the documentation"
    (cd "$home" && python3 -B -m lagbench_validation.text.language .) || break_step "language"
    (cd "$home" && python3 -B -m lagbench_validation.text.outputs --check .) || break_step "commands of the documentation"
}

# Checks what needs no build.
check_sources() {
    check_scripts
    check_form
    check_generated
    check_text
}

# Prints the arguments with which the profile "checks" of pom.xml compiles, one a line; $1 is "main" or "test".
javac_arguments() {
    python3 -B - "$home/pom.xml" "$1" <<'END'
import sys
from xml.etree import ElementTree

maven = {"": "http://maven.apache.org/POM/4.0.0"}
profiles = ElementTree.parse(sys.argv[1]).getroot().findall("profiles/profile", maven)
[checks] = [profile for profile in profiles if profile.findtext("id", "", maven) == "checks"]
[compiler] = [
    plugin
    for plugin in checks.findall("build/plugins/plugin", maven)
    if plugin.findtext("artifactId", "", maven) == "maven-compiler-plugin"
]
scope = compiler if sys.argv[2] == "main" else compiler.find("executions/execution", maven)
print(*(argument.text for argument in scope.findall("configuration/compilerArgs/arg", maven)), sep="\n")
END
}

# Prints the Java sources below src/$1 that a check of extent $2 reads. "every" has all. "all" has those of src/main, and the tests
# that changed in the last 30 commits: scripts/test checks each before its commit, and none of them can break lagbench. Other
# extents have what changed since the last check that passed. After a change of the checks, each has all.
java_sources() {
    local module since last=$state/java-checked
    local -a modules newer=()
    if [[ $1-$2 == test-all ]] && since=$(git -C "$home" rev-parse --quiet --verify HEAD~30) &&
        [[ -z $(git -C "$home" diff --name-only -G 'error-prone|nullaway|Xep|Xlint' "$since" -- pom.xml) ]]; then
        git -C "$home" diff --name-only --diff-filter=d "$since" -- '*/src/test/*.java' | sed "s|^|$home/|"
        return
    fi
    [[ $2 == all || $2 == every || ! $last -nt $home/pom.xml ]] || newer=(-newer "$last")
    find_modules
    for module in "${modules[@]}"; do
        [[ ! -d $module/src/$1/java ]] || find "$module/src/$1/java" -name '*.java' "${newer[@]}"
    done
}

# Checks the named Java sources below src/$1 by Error Prone, NullAway and all warnings of javac, in one JVM. Makes no class files.
check_java_sources() {
    local module classes classpath= scope=$1
    local -a modules arguments compilers=()
    shift
    (($# > 0)) || return 0
    (($# < 300)) || compilers=(-XX:TieredStopAtLevel=4)  # C2 only pays for many sources
    find_modules
    for module in "${modules[@]}"; do
        [[ -d $module/src ]] || continue
        classpath+=:$(cat "$module/target/test.classpath")
        for classes in "$module"/target/{classes,test-classes}; do
            [[ ! -d $classes ]] || classpath+=:$classes
        done
    done
    mapfile -t arguments < <(javac_arguments "$scope")
    "$java_home/bin/java" @"$home/.mvn/jvm.config" "${compilers[@]}" --add-modules ALL-DEFAULT \
        -m jdk.compiler/com.sun.tools.javac.Main \
        --release 17 -proc:none -parameters -encoding UTF-8 "${arguments[@]}" --should-stop=ifNoError=FLOW \
        -processorpath "$(find "$home/validation/checks/target/jars" -name '*.jar' -printf '%p:')" \
        -classpath "$(tr : '\n' <<<"$classpath" | sort -u | tr '\n' :)" "$@"
}

# Checks the Java sources of extent $1, see java_sources, and the format of all. Needs a build.
check_java() {
    local scope begun=$state/java-check-begun
    local -a sources
    : >"$begun"
    for scope in main test; do
        mapfile -t sources < <(java_sources "$scope" "$1")
        check_java_sources "$scope" "${sources[@]}" || return
    done
    maven --quiet spotless:check && mv "$begun" "$state/java-checked"
}

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

# Checks Java sources below src/$1 by Error Prone, NullAway and all warnings of javac, in one JVM; if $2 is not empty, only
# those that are newer than this file. Makes no class files.
check_java_sources() {
    local module classes classpath=
    local -a modules sources=() arguments newer=(-newer "$2") compilers=()
    [[ -n $2 ]] || newer=() compilers=(-XX:TieredStopAtLevel=4)  # C2 only pays for all sources
    find_modules
    for module in "${modules[@]}"; do
        [[ -d $module/src ]] || continue
        classpath+=:$(cat "$module/target/test.classpath")
        for classes in "$module"/target/{classes,test-classes}; do
            [[ ! -d $classes ]] || classpath+=:$classes
        done
        [[ ! -d $module/src/$1/java ]] ||
            mapfile -t -O ${#sources[@]} sources < <(find "$module/src/$1/java" -name '*.java' "${newer[@]}")
    done
    ((${#sources[@]} > 0)) || return 0
    mapfile -t arguments < <(javac_arguments "$1")
    "$java_home/bin/java" @"$home/.mvn/jvm.config" "${compilers[@]}" --add-modules ALL-DEFAULT \
        -m jdk.compiler/com.sun.tools.javac.Main \
        --release 17 -proc:none -parameters -encoding UTF-8 "${arguments[@]}" --should-stop=ifNoError=FLOW \
        -processorpath "$(find "$home/validation/checks/target/jars" -name '*.jar' -printf '%p:')" \
        -classpath "$(tr : '\n' <<<"$classpath" | sort -u | tr '\n' :)" "${sources[@]}"
}

# Checks the Java sources that changed since the last check that passed; all after a change of pom.xml, or if $1 is "all".
# Needs a build.
check_java() {
    local extent=$1 last=$state/java-checked begun=$state/java-check-begun
    : >"$begun"
    [[ $extent != all && $last -nt $home/pom.xml ]] || last=
    check_java_sources main "$last" && check_java_sources test "$last" && maven --quiet spotless:check && mv "$begun" "$state/java-checked"
}

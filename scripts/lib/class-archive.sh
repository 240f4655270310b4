# Sourced by common.sh: an archive of the classes of lagbench, sender and receiver (class data sharing). It halves the start
# time of a JVM and is optional.
# shellcheck shell=bash

# Sets class_archive to the archive for the Java in java_home.
name_class_archive() {
    local sum
    sum=$(cksum <"$java_home/release") || sum=0
    class_archive=$distribution/classes-${sum%% *}.jsa
}

# Sets archive_options for a JVM with the archive, to nothing if there is none. A JVM silently ignores an archive that does
# not match.
choose_archive_options() {
    name_class_archive
    archive_options=()
    [[ ! -e $class_archive ]] ||
        archive_options=("-XX:SharedArchiveFile=$class_archive" -Xshare:auto -Xlog:cds=off
            "-Dlagbench.classes=$class_archive")
}

# Makes the archive from the classes that a short sweep and its table load. It excludes lambda forms of method handles:
# Java 17 crashes when it loads one while the Flight Recorder runs. It removes the class IDs of later Javas, which differ
# between JVMs. A failure costs only the archive. Java 17 archives no class of a folder with a space in its name.
make_class_archive() {
    local work
    name_class_archive
    work=$(mktemp -d "$state/classes.XXXXXX") || return 0
    {
        JDK_JAVA_OPTIONS="\"-XX:DumpLoadedClassList=$work/%p.list\"" load_classes "$work" &&
            cat "$work"/*.list | awk '
                /^@lambda-form-invoker| source: / { next }
                { sub(/ id: [0-9]+$/, "") }
                !seen[$0]++' >"$work/classes" &&
            timeout 60 "$java_home/bin/java" -Xshare:dump "-XX:SharedClassListFile=$work/classes" \
                "-XX:SharedArchiveFile=$class_archive" -classpath "$distribution/lib/*"
    } >>"$log" 2>&1 </dev/null 9>&- || rm -f "$class_archive"
    rm -rf "$work"
}

# Runs a sweep and a table with results in folder $1, at most 60 s each.
load_classes() {
    local -a lagbench=(timeout 60 "$java_home/bin/java" "${common_jvm_options[@]}" -XX:TieredStopAtLevel=1 -XX:+UseSerialGC
        org.lagbench.cli.Lagbench)
    "${lagbench[@]}" sweep --quiet --no-report --output "$1/results" --set transports=udp --set packet-bytes=24 \
        --set packets=100 --set warm-up-packets=100 "$home/configs/quickstart.yaml" &&
        "${lagbench[@]}" table --all-series "$1"/results/*
}

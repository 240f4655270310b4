# Sourced by common.sh: an archive of the classes that lagbench, sender and receiver load, from which a JVM has them ready
# at once (class data sharing). It halves the time that a JVM takes to start; all works without it.
# shellcheck shell=bash

# Sets class_archive to that of the Java in java_home: a JVM can use none but its own.
name_class_archive() {
    local sum
    sum=$(cksum <"$java_home/release") || sum=0
    class_archive=$distribution/classes-${sum%% *}.jsa
}

# Sets archive_options, by which a JVM starts from the archive: none where there is none. It says nothing of one that does
# not fit, and does without.
choose_archive_options() {
    name_class_archive
    archive_options=()
    [[ ! -e $class_archive ]] ||
        archive_options=("-XX:SharedArchiveFile=$class_archive" -Xshare:auto -Xlog:cds=off
            "-Dlagbench.classes=$class_archive")
}

# Makes the archive, from the classes that a short sweep and its table load, but those that Java would make for it of method
# handles' forms: once the Flight Recorder listens, Java 17 crashes when it loads one. The numbers that later Javas give to
# classes are of one JVM each: left out. What goes wrong costs only the archive; Java 17 archives nothing of ours where a
# folder's name has a space.
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

# Runs what loads the classes, with its results in folder $1. In 20 s it has done so or is hindered.
load_classes() {
    local -a lagbench=(timeout 20 "$java_home/bin/java" "${common_jvm_options[@]}" -XX:TieredStopAtLevel=1 -XX:+UseSerialGC
        org.lagbench.cli.Lagbench)
    "${lagbench[@]}" sweep --quiet --no-report --output "$1/results" --set transports=udp --set packet-bytes=24 \
        --set packets=100 --set warm-up-packets=100 "$home/configs/quickstart.yaml" &&
        "${lagbench[@]}" table --all-series "$1"/results/*
}

# Sourced by common.sh: an archive of the classes of lagbench, sender and receiver (class data sharing). It halves the start
# time of a JVM and is optional.
# shellcheck shell=bash

readonly class_list=$distribution/classes.list

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
    [[ ! -s $class_archive ]] ||
        archive_options=("-XX:SharedArchiveFile=$class_archive" -Xshare:auto -Xlog:cds=off:stderr
            "-Dlagbench.classes=$class_archive")
}

# Creates the archive from the list of classes, which an installation comes with. A failure costs only the archive: an empty
# file then keeps later commands from trying again. Java 17 archives no class of a folder with a space in its name.
make_class_archive() {
    name_class_archive
    {
        { [[ -e $class_list ]] || list_classes; } &&
            "$java_home/bin/java" -Xshare:dump "-XX:SharedClassListFile=$class_list" \
                "-XX:SharedArchiveFile=${class_archive%.jsa}-new.jsa" -classpath "$distribution/lib/*" &&
            mv -f "${class_archive%.jsa}-new.jsa" "$class_archive"
    } >>"$log" 2>&1 </dev/null 9>&- || { rm -f "${class_archive%.jsa}-new.jsa" && : >"$class_archive"; } 2>/dev/null || true
}

# Lists the classes that a short sweep, its report and its table load. Two lists of a commit are equal, unless packets were late
# or lost: they exclude what differs between JVMs, which are the IDs of classes, the stages of futures, which may be complete,
# and the providers of security, which the JDK searches in random order. They exclude lambdas of picocli's interfaces: for the
# old version of their class files, Java 17 archives neither these interfaces then nor the 50 classes of picocli that implement
# them. They exclude species of method handles, which Java would make for the archive: Java 17 crashes when it loads such a
# class while a Flight Recorder runs, which a user can start. It also makes four classes of lambda forms for the archive, but
# loads these before main; without them, a command makes 392 classes of forms, and a side 110.
list_classes() {
    local work status=0
    work=$(mktemp -d) && ln -s "$distribution/lib" "$work/lib" || return  # without a space in its name
    JDK_JAVA_OPTIONS="-XX:DumpLoadedClassList=$work/%p.list" load_classes "$work" &&
        sed -E -e '/^#|^@lambda-form-invoker \[SPECIES|^@lambda-proxy .*Lpicocli\/| source: /d' -e 's/ id: [0-9]+$//' \
            -e '/^org\/jcp\/|security\/(sasl|auth|jgss|pkcs11|smartcardio|AuthProvider|PrivilegedActionException)/d' \
            -e '/^java\/util\/concurrent\/CompletableFuture\$/d' \
            "$work"/*.list | LC_ALL=C sort -u -o "$class_list" || status=$?
    rm -rf "$work"
    return "$status"
}

# Runs a sweep and a table with results in folder $1.
load_classes() {
    local -a lagbench=("$java_home/bin/java" "${common_jvm_options[@]}" -classpath "$1/lib/*"
        -XX:TieredStopAtLevel=1 -XX:+UseSerialGC org.lagbench.cli.Lagbench)
    "${lagbench[@]}" sweep --quiet --output "$1/results" --set transports=udp --set packet-bytes=24 \
        --set packets=100 --set warm-up-packets=100 --set machine.max-other-load=100% "$home/configs/quickstart.yaml" &&
        "${lagbench[@]}" table --all-series "$1"/results/*
}

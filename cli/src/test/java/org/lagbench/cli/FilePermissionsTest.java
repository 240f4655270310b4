package org.lagbench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the function that starts lagbench's JVM, with a program in its place that creates a file and a directory. */
class FilePermissionsTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it before each test
    private Path directory;

    @Test
    void createsFilesForNobodyElse() throws Exception {
        start("unset LAGBENCH_UMASK");

        assertThat(permissions("file")).isEqualTo("rw-------");
        assertThat(permissions("directory")).isEqualTo("rwx------");
    }

    @Test
    void createsFilesForOthersIfAsked() throws Exception {
        start("LAGBENCH_UMASK=027");

        assertThat(permissions("file")).isEqualTo("rw-r-----");
        assertThat(permissions("directory")).isEqualTo("rwxr-x---");
    }

    private String permissions(String name) throws Exception {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.resolve(name)));
    }

    private void start(String preparation) throws Exception {
        Path java = Files.createDirectories(directory.resolve("jdk/bin")).resolve("java");
        Files.writeString(java, "#!/bin/sh\ntouch file\nmkdir directory\n");
        Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwx------"));
        Path common = Path.of("../scripts/lib/common.sh").toAbsolutePath().normalize();
        String script = "source " + common + "; ensure_built() { :; }; choose_archive_options() { :; };"
                + " check_virtual_memory() { :; }; find_java() { java_home=$PWD/jdk; };"
                + " jvm_options=(); umask 022; " + preparation + "; run Main";
        Process bash = new ProcessBuilder("bash", "-c", script)
                .directory(directory.toFile())
                .inheritIO()
                .start();
        assertThat(bash.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(bash.exitValue()).isZero();
    }
}

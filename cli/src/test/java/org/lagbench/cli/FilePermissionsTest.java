package org.lagbench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.core.file.FileTree;

/** Who can read the files that lagbench writes. */
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

    /** Node exporters and web servers run as other users. */
    @Test
    void letsOthersReadWhatIsForThem() throws Exception {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.writeString(
                directory.resolve("sites.yaml"),
                "sites: [{name: a, host: 127.0.0.1, port: 1}, {name: b, host: 127.0.0.2, port: 1}]\n");
        run("matrix", "sites.yaml", "--output", "results", "--openmetrics", "lagbench.prom");
        Path session = FileTree.list(directory.resolve("results")).get(0);

        assertThat(permissions("lagbench.prom")).isEqualTo("rw-r--r--");
        assertThat(permissions("results")).as("of stamps").isEqualTo("rwx------");
        assertThat(permissions(session.resolve("matrix.json").toString())).isEqualTo("rw-------");
        assertThat(permissions(session.resolve("matrix.html").toString())).isEqualTo("rw-r--r--");
        if (Integer.valueOf(0).equals(Files.getAttribute(directory, "unix:uid"))) {
            Process other = new ProcessBuilder(
                            "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "cat", "lagbench.prom")
                    .directory(directory.toFile())
                    .redirectErrorStream(true)
                    .start();
            String read = new String(other.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(other.waitFor()).as(read).isZero();
            assertThat(read).contains("# EOF");
        }
    }

    /** Runs a command with the umask of the scripts. */
    private void run(String... arguments) throws Exception {
        List<String> shell = List.of("bash", "-c", "umask 077; unset LAGBENCH_UMASK; exec \"$@\"", "bash");
        try (LagbenchProcess lagbench = LagbenchProcess.runBy(shell, directory, arguments)) {
            assertThat(lagbench.err()).doesNotContain("cannot be written", "nternal error");
        }
    }

    private String permissions(String name) throws Exception {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.resolve(name)));
    }

    /**
     * Runs the function that starts lagbench's JVM, with a program in its place that creates a file and a directory.
     */
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

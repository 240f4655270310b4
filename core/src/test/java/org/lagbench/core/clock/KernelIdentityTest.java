package org.lagbench.core.clock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class KernelIdentityTest {
    /** In a UTS namespace, because the name of this host must not change. */
    @Test
    void returnsHostNameThatNoResolverKnows() throws Exception {
        assumeTrue(
                Files.isExecutable(Path.of("/usr/bin/unshare")) && "root".equals(System.getProperty("user.name")),
                "only root may create a UTS namespace by unshare");
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Process process = new ProcessBuilder(
                        "unshare",
                        "--uts",
                        "sh",
                        "-c",
                        "echo no-such-name.invalid >/proc/sys/kernel/hostname && exec \"$0\" \"$@\"",
                        java,
                        "-cp",
                        System.getProperty("java.class.path"),
                        PrintHostName.class.getName())
                .redirectErrorStream(true)
                .start();
        assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo("no-such-name.invalid\n");
        assertThat(process.waitFor()).isZero();
    }

    /** Prints the name of the host of a process. */
    static final class PrintHostName {
        private PrintHostName() {}

        public static void main(String[] arguments) {
            System.out.println(KernelIdentity.hostName());
        }
    }
}

package org.lagbench.engines.srt;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lagbench.core.run.Engine.KnownFault;

class LibsrtFaultTest {
    @TempDir
    private Path documents;

    private void changelog(String libsrt, String text) throws Exception {
        Path file = Files.createDirectories(documents.resolve(libsrt)).resolve("changelog.Debian.gz");
        try (OutputStream zipped = new GZIPOutputStream(Files.newOutputStream(file))) {
            zipped.write(text.getBytes(StandardCharsets.UTF_8));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "1.5.5, true",
        "1.4.9, true",
        "1.5.1, true",
        "0.9.9, true",
        "no version, true",
        "1.5.6, false",
        "1.5.10, false",
        "1.6.0, false",
        "2.0.0, false"
    })
    void isInVersionsBeforeTheFix(String version, boolean isFaulty) throws Exception {
        assertThat(LibsrtFault.of(version, documents) != null).isEqualTo(isFaulty);
        assertThat(LibsrtFault.of(version, documents.resolve("none")) != null).isEqualTo(isFaulty);
    }

    @Test
    void isNotInAPackageThatFixesBothFaults() throws Exception {
        changelog("libsrt1.5-gnutls", "srt (1.5.1-1+deb12u2)\n  * CVE-2026-55869: a\n  * CVE-2026-55868: b\n");
        assertThat(LibsrtFault.of("1.5.1", documents)).isNull();
    }

    @Test
    void isInAPackageThatFixesOneFault() throws Exception {
        changelog("libsrt1.5-gnutls", "srt (1.5.1-1)\n  * CVE-2026-55869: a\n");
        changelog("other", "CVE-2026-55869 CVE-2026-55868\n");
        KnownFault fault = Objects.requireNonNull(LibsrtFault.of("1.5.1", documents));
        assertThat(fault.found()).contains("libsrt 1.5.1", "CVE-2026-55868", "CVE-2026-55869");
        assertThat(fault.advice()).contains("1.5.6", "1.5.1-1+deb12u2");
    }
}

package org.lagbench.report.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;

class SummaryDocumentTest {
    private final Path directory;

    SummaryDocumentTest(@TempDir Path directory) {
        this.directory = directory;
    }

    @Test
    void writesAndRewritesBothFiles() throws Exception {
        Files.writeString(directory.resolve(SummaryDocument.CSV), "old");
        SummaryDocument.write(directory, PaperSummary.whole());
        String csv = Files.readString(directory.resolve(SummaryDocument.CSV));
        assertThat(csv)
                .startsWith("level,name,repeat,state,reason,spoiledBy,transport,")
                .contains("\npooled,,,,,,tcp,TCP/IP,,,992,one-way,,flood,");
        String json = Files.readString(directory.resolve(SummaryDocument.JSON));
        assertThat(json).contains("\"format\" : \"lagbench-summary-1\"");
        SummaryDocument.write(directory, PaperSummary.whole());
        assertThat(Files.readString(directory.resolve(SummaryDocument.CSV))).isEqualTo(csv);
        assertThat(Files.readString(directory.resolve(SummaryDocument.JSON))).isEqualTo(json);
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder(SummaryDocument.CSV, SummaryDocument.JSON);
        }
    }

    @Test
    void namesFileThatCannotBeWritten() throws IOException {
        Path inTheWay =
                Files.createDirectories(directory.resolve(SummaryDocument.CSV).resolve("full"));
        assertThatExceptionOfType(LagbenchException.class)
                .isThrownBy(() -> SummaryDocument.write(directory, PaperSummary.whole()))
                .withMessageContaining(directory.resolve(SummaryDocument.CSV).toString())
                .satisfies(e -> assertThat(e.exitCode()).isEqualTo(ExitCode.FILES));
        assertThat(inTheWay).isDirectory();
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files).containsExactly(directory.resolve(SummaryDocument.CSV));
        }
    }
}

package org.lagbench.report.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lagbench.report.CompressedSession.CHUNK_BYTES;
import static org.lagbench.report.CompressedSession.MS;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.analysis.summary.Session;
import org.lagbench.analysis.summary.Summaries;
import org.lagbench.analysis.summary.SummaryOptions;
import org.lagbench.report.CompressedSession;

/** Compares the tables of compressed transfers with metrics computed by hand. */
class CompressionViewTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it before each test
    private Path directory;

    @SuppressWarnings("NullAway.Init") // makeSession sets it
    private CompressedSession session;

    @BeforeEach
    void makeSession() throws Exception {
        session = new CompressedSession(directory.resolve("hu"));
    }

    private Document document() throws Exception {
        return Document.of(
                Summaries.of(Session.open(session.path()), SummaryOptions.DEFAULT),
                TableView.of(new CompressionView()));
    }

    private static Table table(Document document, String title) {
        return document.tables().stream()
                .filter(table -> table.title().equals(title))
                .findFirst()
                .orElseThrow();
    }

    /** Returns the cells of the row that has these cells, from the column of a group on. */
    private static List<String> cells(Table table, List<String> of, String group, int count) {
        int from = table.columns().stream().map(Table.Column::group).toList().indexOf(group);
        return table.rows().stream()
                .filter(row -> row.containsAll(of))
                .findFirst()
                .orElseThrow()
                .subList(from, from + count);
    }

    @Test
    void showsTotalsAndTheirErrors() throws Exception {
        session.runsOfTwoNetworks();

        Document document = document();

        // 10 chunks: 2 ms of compression, and 5,000 bytes at 1,000 bytes/ms
        assertThat(cells(table(document, "Total by the models"), List.of("8.00"), "(2) to (5)", 3))
                .containsExactly("7.00", "-12.5", "right");
        // 1/8 and 1/13 at two points each; their mean ± 3.182446 · 0.0138786
        assertThat(cells(
                        table(document, "Errors of the models"),
                        List.of("gzip-6", "(2) to (5)"),
                        "Mean absolute error",
                        3))
                .containsExactly("10.10", "5.68", "14.51");
        assertThat(document.notes()).noneMatch(note -> note.contains("set repeats"));
    }

    /** Each of two points is predicted with the speed of the other one: 0.3 ms instead of 0.2, and the reverse. */
    @Test
    void showsTheErrorOfTheCompressionTime() throws Exception {
        session.runsOfTwoNetworks();
        session.run("fast", "zstd-1", 10, CHUNK_BYTES / 2, 2 * MS / 10, MS / 2, 8 * MS);
        session.run("fast", "zstd-1", 20, CHUNK_BYTES / 4, 3 * MS / 10, MS / 2, 16 * MS);

        Table errors = table(document(), "Mean absolute errors of formulas (3) to (5)");

        // 41.67 ± 12.7062 · 8.3333, but not below 0
        assertThat(cells(errors, List.of("zstd-1"), "Compression", 3)).containsExactly("41.67", "0.00", "147.55");
        // half instead of a quarter, and the reverse
        assertThat(cells(errors, List.of("zstd-1"), "Size", 1)).containsExactly("75.00");
        assertThat(cells(errors, List.of("gzip-6"), "Compression", 3)).containsExactly("0.00", "0.00", "0.00");
    }

    @Test
    void singleRunHasNoPredictedStages() throws Exception {
        session.run("fast", "none", 10, CHUNK_BYTES, 0, MS, 10 * MS);
        session.run("fast", "gzip-6", 10, CHUNK_BYTES / 2, MS / 5, MS / 2, 8 * MS);

        Document document = document();

        assertThat(document.tables())
                .extracting(Table::title)
                .containsExactly("Times of compressed transfers", "Total by the models");
        assertThat(document.notes()).anyMatch(note -> note.startsWith("A codec with one run has no predicted stages"));
    }

    @Test
    void notesThatComputationsHaveNoTurningPoint() throws Exception {
        for (int ms = 1; ms <= 5; ms++) {
            session.run("slow", "compute-" + ms, 10, CHUNK_BYTES, ms * MS, MS, 10L * ms * MS);
        }

        Document document = document();

        assertThat(document.tables()).extracting(Table::title).doesNotContain("Turning point of formula (6)");
        assertThat(document.notes())
                .anyMatch(note -> note.contains("formula (6) does not fit the runs with compute-N"));
    }
}

package org.lagbench.report.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lagbench.analysis.summary.Summary;

/**
 * Compares the paper's Table 1 and special cases in each format with the files beside this class, checked by a person.
 */
class TableFormatTest {
    @ParameterizedTest
    @CsvSource({
        "TEXT, paper.txt",
        "MARKDOWN, paper.md",
        "LATEX, paper.tex",
        "CSV, paper.csv",
    })
    void formatsPapersTable(TableFormat format, String golden) throws IOException {
        assertThat(written(format, PaperSummary.whole())).isEqualTo(resource(golden));
    }

    @ParameterizedTest
    @CsvSource({
        "TEXT, doubtful.txt",
        "MARKDOWN, doubtful.md",
        "LATEX, doubtful.tex",
        "CSV, doubtful.csv",
    })
    void marksUnknownClocksAndEscapesNames(TableFormat format, String golden) throws IOException {
        assertThat(written(format, PaperSummary.doubtful())).isEqualTo(resource(golden));
    }

    @ParameterizedTest
    @CsvSource({
        "TEXT, corrected.txt",
        "MARKDOWN, corrected.md",
        "LATEX, corrected.tex",
        "CSV, corrected.csv",
    })
    void formatsCorrectedLagsAndMarks(TableFormat format, String golden) throws IOException {
        assertThat(written(format, PaperSummary.corrected())).isEqualTo(resource(golden));
    }

    @Test
    void lagTableFits120Columns() throws IOException {
        assertThat(written(TableFormat.TEXT, PaperSummary.whole()).lines())
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(120));
    }

    private static String written(TableFormat format, Summary summary) throws IOException {
        StringBuilder text = new StringBuilder();
        format.write(summary, text);
        return text.toString();
    }

    private static String resource(String name) throws IOException {
        try (InputStream stream = TableFormatTest.class.getResourceAsStream(name)) {
            assertThat(stream).as(name).isNotNull();
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}

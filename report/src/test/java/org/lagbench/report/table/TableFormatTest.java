package org.lagbench.report.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lagbench.analysis.summary.Summary;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Compares the paper's Table 1 and special cases in each format with the files next to this class, checked by a person.
 */
class TableFormatTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    @ParameterizedTest
    @CsvSource({
        "TEXT, lag.txt",
        "MARKDOWN, lag.md",
        "LATEX, lag.tex",
    })
    void formatsTableInDefaultFormat(TableFormat format, String golden) throws IOException {
        assertThat(format.text(PaperSummary.whole())).isEqualTo(resource(golden));
    }

    @ParameterizedTest
    @CsvSource({
        "TEXT, paper.txt",
        "MARKDOWN, paper.md",
        "LATEX, paper.tex",
        "CSV, paper.csv",
    })
    void formatsPapersTable(TableFormat format, String golden) throws IOException {
        assertThat(ofPaper(format, PaperSummary.whole())).isEqualTo(resource(golden));
    }

    @ParameterizedTest
    @CsvSource({
        "TEXT, doubtful.txt",
        "MARKDOWN, doubtful.md",
        "LATEX, doubtful.tex",
        "CSV, doubtful.csv",
    })
    void marksUnknownClocksAndEscapesNames(TableFormat format, String golden) throws IOException {
        assertThat(ofPaper(format, PaperSummary.doubtful())).isEqualTo(resource(golden));
    }

    @ParameterizedTest
    @CsvSource({
        "TEXT, corrected.txt",
        "MARKDOWN, corrected.md",
        "LATEX, corrected.tex",
        "CSV, corrected.csv",
    })
    void formatsCorrectedLagsAndMarks(TableFormat format, String golden) throws IOException {
        assertThat(ofPaper(format, PaperSummary.corrected())).isEqualTo(resource(golden));
    }

    /** The inputenc of LaTeX has no definition of these characters: it refuses a file with them. */
    @ParameterizedTest
    @CsvSource({
        "S/(Δt − latency), S/($\\Delta$t $-$ latency)",
        "± 2√MSE, $\\pm$ 2$\\surd$MSE",
        "vienna → graz, vienna $\\rightarrow$ graz",
    })
    void writesSymbolsThatLatexKnows(String text, String expected) {
        Table table = new Table(text, List.of(new Table.Column("", text, "", true)), List.of(List.of(text)));
        assertThat(TableFormat.LATEX.text(new Document(List.of(table), List.of(text))))
                .contains("\\caption{" + expected + "}", "\n" + expected + " \\\\\n", "\n" + expected + "\\par")
                .doesNotContainPattern("[^\\x00-\\x7F]");
    }

    @Test
    void defaultTableFits80Columns() throws IOException {
        assertThat(TableFormat.TEXT.text(PaperSummary.whole()).lines())
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
    }

    @Test
    void papersTableFits120Columns() throws IOException {
        assertThat(ofPaper(TableFormat.TEXT, PaperSummary.whole()).lines())
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(120));
    }

    @Test
    void writesMetricsInColumnsAndOneInEachRow() throws IOException {
        List<String> wide = TableFormat.CSV.text(PaperSummary.whole()).lines().toList();
        int q99 = List.of(wide.get(0).split(",", -1)).indexOf("lag_q99_us");
        assertThat(wide.get(1).split(",", -1)[q99]).isEqualTo("10910.0");
        List<String> tidy = TableFormat.LONG.text(PaperSummary.whole()).lines().toList();
        assertThat(tidy.get(0)).startsWith("level,name,repeat,").endsWith(",metric,unit,value");
        assertThat(tidy)
                .filteredOn(row -> row.contains(",tcp,") && row.contains(",992,") && row.contains(",lag.q99,"))
                .hasSize(2)
                .first(InstanceOfAssertFactories.STRING)
                .startsWith("pooled,")
                .endsWith(",lag.q99,µs,10910.0");
        assertThat(tidy).noneMatch(row -> row.contains("roundTrip."));
    }

    @Test
    void writesOnlyValuesOfTheChosenViewAsJsonAndCsv() throws Exception {
        JsonNode everything = JSON.readTree(TableFormat.JSON.text(PaperSummary.whole()));
        JsonNode media = JSON.readTree(
                TableView.of(new MediaView()).result(PaperSummary.whole()).text(TableFormat.JSON));
        for (String place : List.of("/points/0/metrics", "/points/0/runs/0/metrics")) {
            assertThat(media.at(place).has("lag.median")).isFalse();
            for (String id : List.of("packets.lost", "loss", "media.loss.lost")) {
                assertThat(media.at(place).get(id))
                        .as(id)
                        .isNotNull()
                        .isEqualTo(everything.at(place).get(id));
            }
        }
        String csv = TableView.of(new BufferView()).result(PaperSummary.whole()).text(TableFormat.CSV);
        assertThat(csv.lines().findFirst().orElseThrow())
                .contains("packets_lost")
                .doesNotContain("lag_", "media_");
    }

    /** Returns the table in the paper's form; CSV has everything. */
    private static String ofPaper(TableFormat format, Summary summary) throws IOException {
        return format == TableFormat.CSV ? format.text(summary) : format.text(Document.of(summary, TableView.PAPER));
    }

    private static String resource(String name) throws IOException {
        try (InputStream stream = TableFormatTest.class.getResourceAsStream(name)) {
            assertThat(stream).as(name).isNotNull();
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}

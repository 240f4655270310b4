package org.lagbench.report.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class CsvRowsTest {
    private static String csvOf(String json) {
        Map<String, String> row = new LinkedHashMap<>();
        CsvRows.put(row, "clock", JsonMapper.builder().build().readTree(json));
        return CsvRows.text(List.of(row));
    }

    @Test
    void numbersElementsOfRuns() {
        assertThat(
                        csvOf(
                                """
                        {"boundNs": 700,
                         "steps": [{"run": "0001-udp-24-r1", "step": {"sizeNs": 5}, "noticedBy": null},
                                   {"run": "0007-udp-24-r1", "step": {"sizeNs": -3}, "noticedBy": "sender"}]}
                        """))
                .isEqualTo(
                        """
                        clock.boundNs,clock.steps.1.run,clock.steps.1.step.sizeNs,clock.steps.1.noticedBy,\
                        clock.steps.2.run,clock.steps.2.step.sizeNs,clock.steps.2.noticedBy
                        700,0001-udp-24-r1,5,,0007-udp-24-r1,-3,sender
                        """);
    }

    @Test
    void namesElementsWithoutRunByFirstMember() {
        assertThat(
                        csvOf(
                                """
                {"budgets": [{"lateShare": 0.010, "delayNs": 5, "packets": 9}], "marks": ["a", "b"]}
                """))
                .isEqualTo(
                        """
                        clock.budgets.0.01.lateShare,clock.budgets.0.01.delayNs,clock.budgets.0.01.packets,clock.marks
                        0.01,5,9,a b
                        """);
    }

    @Test
    void writesNoFormulaForSpreadsheets() {
        String csv = CsvRows.text(List.of(row(
                "=1",
                "=cmd|' /C calc'!A0",
                "b",
                "@SUM(1)",
                "c",
                "+1+1",
                "d",
                "-2+3",
                "e",
                "-2.5",
                "f",
                "+1E-3",
                "g",
                "\t=1")));

        assertThat(csv).isEqualTo("'=1,b,c,d,e,f,g\n'=cmd|' /C calc'!A0,'@SUM(1),'+1+1,'-2+3,-2.5,+1E-3,\\u0009=1\n");
    }

    private static Map<String, String> row(String... cells) {
        Map<String, String> row = new LinkedHashMap<>();
        for (int i = 0; i < cells.length; i += 2) {
            row.put(cells[i], cells[i + 1]);
        }
        return row;
    }
}

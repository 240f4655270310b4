package org.lagbench.report.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TableColumnsTest {
    private static Table table(double... ns) {
        return new TableColumns<Integer>()
                .text("Path", row -> "a")
                .group("Lag")
                .time("Median", row -> ns[2 * row])
                .time("Q99", row -> ns[2 * row + 1])
                .group("Inter-packet delay")
                .time("Median", row -> 125_000)
                .table("", List.of(0, 1));
    }

    @ParameterizedTest
    @CsvSource({
        "µs, 8_120, 90_500, 12_300, 2_000_000, 8.12, 90.5, 12.3, '2,000'",
        "ms, 10_095_000, 90_477_000, 1_000_000, 125_000_000, 10.1, 90.5, 1.00, 125",
        "µs, 99_999, 90_477_000, 1_000_000, 125_000_000, 100, '90,477', '1,000', '125,000'",
        "ms, 785_000, 361_000_000, 20_100_000, 159_000_000, 0.785, 361, 20.1, 159",
        "µs, 785_000, 36_000_000, 20_100_000, 15_000_000, 785, '36,000', '20,100', '15,000'",
        "s, -2_000_000_000, 0, 1_234_000_000, NaN, -2.00, 0.00, 1.23, –",
        "ms, 1_500_000, Infinity, 2_500_000, 3_500_000, 1.50, open, 2.50, 3.50",
    })
    void showsTimesOfAGroupInTheLargestUnitInWhichNoneIsTiny(
            String unit, String a, String b, String c, String d, String e, String f, String g, String h) {
        Table table = table(ns(a), ns(b), ns(c), ns(d));

        assertThat(table.columns()).extracting(Table.Column::unit).containsExactly("", unit, unit, "µs");
        assertThat(table.rows()).containsExactly(List.of("a", e, f, "125"), List.of("a", g, h, "125"));
    }

    @Test
    void keepsTheUnitsOfAddedColumnsApartByGroup() {
        TableColumns<Integer> times = new TableColumns<Integer>().group("Lag").time("Median", row -> 2e9 * row);

        Table table = new TableColumns<String>()
                .time("Took", row -> 3e6)
                .addAll(times, Integer::parseInt)
                .table("", List.of("1", "2"));

        assertThat(table.columns()).extracting(Table.Column::unit).containsExactly("ms", "s");
        assertThat(table.rows()).containsExactly(List.of("3.00", "2.00"), List.of("3.00", "4.00"));
    }

    private static double ns(String text) {
        return Double.parseDouble(text.replace("_", ""));
    }
}

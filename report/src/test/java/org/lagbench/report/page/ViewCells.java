package org.lagbench.report.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;

/** Compares the cells of tables with the summary. */
final class ViewCells {
    private static final String NONE = "–";
    private static final String TAIL = ".median %s.q95 %s.q99 %s.q999 %s.maximum";

    /** The ids of the metrics in cells by table title. */
    private static final Map<String, List<String>> PLACES = Map.of(
            "Delay variation",
            places("media.jitter.last media.jitter.mean media.jitter.maximum " + tail("media.ipdv.size") + " "
                    + tail("media.pdv")),
            "Loss, reordering and copies",
            places("packets.sent media.loss.lost media.loss.periodLengths.count media.loss.periodLengths.mean"
                    + " media.loss.periodLengths.maximum media.loss.noticeableRate media.reordering.reordered"
                    + " media.reordering.ratio media.reordering.extents.mean media.reordering.extents.maximum"
                    + " media.reordering.threeReordered media.duplication.fraction"
                    + " media.duplication.replicatedRate"),
            "Media Delivery Index (RFC 4445)",
            places("media.deliveryIndex.packetsPerSecond media.deliveryIndex.periods"
                    + " media.deliveryIndex.silentPeriods media.deliveryIndex.incompletePeriods"
                    + " media.deliveryIndex.delayFactorMean"
                    + " media.deliveryIndex.delayFactorMaximum media.deliveryIndex.mediaLossRateMean"
                    + " media.deliveryIndex.mediaLossRateMaximum"),
            "Adaptive playout: delay above the minimum lag",
            places("playout.adaptive.packets playout.adaptive.late playout.adaptive.lateShare"
                    + " playout.adaptive.meanDelay playout.adaptive.maximumDelay"));

    private ViewCells() {}

    /** Compares a row of a table of media, playout or buffers; returns the number of compared cells. */
    static int compare(JsonNode table, JsonNode row, JsonNode metrics) {
        String title = table.get("title").asString();
        List<String> places = PLACES.get(title);
        if (places != null) {
            assertThat(row.size()).as(title).isEqualTo(2 + places.size());
            for (int i = 0; i < places.size(); i++) {
                shows(row.get(2 + i), metrics, places.get(i), title);
            }
            return places.size();
        }
        return switch (title) {
            case "Playout delay above the minimum lag" -> budget(row, metrics, title);
            case "Fill level of the buffers, and what limited TCP" -> buffers(row, metrics, title);
            default -> throw new AssertionError("unknown table: " + title);
        };
    }

    private static int budget(JsonNode row, JsonNode metrics, String title) {
        String target = row.get(2).asString();
        for (String share : List.of("0.05", "0.01", "0.001", "0.0001")) {
            String id = "playout.budgets." + share;
            if (target.equals(percent(metrics.get(id + ".lateShare").asDouble()))) {
                JsonNode delay = metrics.get(share.equals("0.01") ? "playout.delay" : id + ".delay");
                if (delay == null) {
                    IntStream.rangeClosed(3, 8)
                            .forEach(
                                    cell -> assertThat(row.get(cell).asString()).isEqualTo(NONE));
                    assertThat(row.get(9).asString())
                            .isEqualTo(String.format(
                                    Locale.ROOT,
                                    "needs %,d packets",
                                    metrics.get(id + ".packetsNeeded").asLong()));
                } else {
                    shows(row.get(3), delay.asDouble(), title);
                    interval(row, 4, metrics, id + ".correlated", title);
                    interval(row, 6, metrics, id + ".independent", title);
                    shows(row.get(8), metrics, id + ".blockPackets", title);
                    assertThat(row.get(9).asString()).isEmpty();
                }
                return 7;
            }
        }
        throw new AssertionError("the summary has no budget of " + target);
    }

    private static String percent(double percent) {
        return String.format(Locale.ROOT, "%.2f", percent).replaceFirst("\\.?0+$", "") + " %";
    }

    private static void interval(JsonNode row, int from, JsonNode metrics, String id, String title) {
        List<String> ends = List.of(".low", ".high");
        for (int i = 0; i < ends.size(); i++) {
            if (metrics.has(id + ends.get(i))) {
                shows(row.get(from + i), metrics, id + ends.get(i), title);
            } else {
                assertThat(row.get(from + i).asString()).as(title).isEqualTo("open");
            }
        }
    }

    private static int buffers(JsonNode row, JsonNode metrics, String title) {
        List<String> levels = List.of("send", "notSent", "unacked", "receive");
        String level = name(row.get(2)).replace("max", "most") + "Bytes";
        for (int i = 0; i < levels.size(); i++) {
            shows(row.get(3 + i), metrics, "occupancy.levels." + levels.get(i) + "." + level, title);
        }
        return levels.size();
    }

    private static String name(JsonNode cell) {
        return cell.asString().toLowerCase(Locale.ROOT);
    }

    private static void shows(JsonNode cell, JsonNode metrics, String id, String what) {
        if (metrics.has(id)) {
            shows(cell, metrics.get(id).asDouble(), what + ", " + id);
        } else {
            assertThat(cell.asString()).as(what + ", " + id).isEqualTo(NONE);
        }
    }

    /** Asserts that a cell shows the number, rounded to its digits; misses are marked. */
    static void shows(JsonNode cell, double number, String what) {
        shows(cell.asString(), number, what);
    }

    static void shows(String cell, double number, String what) {
        String text = cell.replaceFirst("^! ", "");
        assertThat(Double.parseDouble(text.replace(",", ""))).as(what).isCloseTo(number, within(halfDigit(text)));
    }

    /** Returns half of the last digit, with a margin for numbers that are not binary fractions. */
    static double halfDigit(String text) {
        int point = text.indexOf('.');
        return 0.500001 * Math.pow(10, point < 0 ? 0 : -(text.length() - point - 1));
    }

    private static String tail(String series) {
        return series + TAIL.replace("%s", series);
    }

    private static List<String> places(String places) {
        return List.of(places.split(" ", -1));
    }
}

package org.lagbench.report.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Compares the cells of tables with the summary. */
final class ViewCells {
    private static final String NONE = "–";
    private static final String TAIL = "/medianUs %s/q95Us %s/q99Us %s/q999Us %s/maximumUs";

    /**
     * The JSON pointers of cells in the metrics of a point by table title. A % precedes fractions shown as percentages.
     */
    private static final Map<String, List<String>> PLACES = Map.of(
            "Delay variation",
            places("/media/jitter/lastUs /media/jitter/meanUs /media/jitter/maximumUs " + tail("/media/ipdv/size") + " "
                    + tail("/media/pdv")),
            "Loss, reordering and copies",
            places("/packets/sent /media/loss/lost /media/loss/periodLengths/n /media/loss/periodLengths/mean"
                    + " /media/loss/periodLengths/maximum %/media/loss/noticeableRate /media/reordering/reordered"
                    + " %/media/reordering/ratio /media/reordering/extents/mean /media/reordering/extents/maximum"
                    + " /media/reordering/threeReordered %/media/duplication/fraction"
                    + " %/media/duplication/replicatedRate"),
            "Media Delivery Index (RFC 4445)",
            places("/media/deliveryIndex/packetsPerSecond /media/deliveryIndex/periods"
                    + " /media/deliveryIndex/silentPeriods /media/deliveryIndex/incompletePeriods"
                    + " /media/deliveryIndex/delayFactorMeanUs"
                    + " /media/deliveryIndex/delayFactorMaximumUs /media/deliveryIndex/mediaLossRateMean"
                    + " /media/deliveryIndex/mediaLossRateMaximum"),
            "Adaptive playout: delay above the minimum lag",
            places("/playout/adaptive/packets /playout/adaptive/late %/playout/adaptive/lateShare"
                    + " /playout/adaptive/meanDelayUs /playout/adaptive/maximumDelayUs"));

    private static final List<String> STAGES_OF_LAG =
            List.of("socketBuffer", "queueingDiscipline", "wire", "receiveBuffer", "reader");

    private ViewCells() {}

    /** Compares a row of a table of media, playout or stages; returns the number of compared cells. */
    static int compare(JsonNode table, JsonNode row, JsonNode figures) {
        String title = table.get("title").asString();
        List<String> places = PLACES.get(title);
        if (places != null) {
            assertThat(row.size()).as(title).isEqualTo(2 + places.size());
            for (int i = 0; i < places.size(); i++) {
                shows(row.get(2 + i), figures, places.get(i), title);
            }
            return places.size();
        }
        return switch (title) {
            case "Playout delay above the minimum lag" -> budget(row, figures, title);
            case "Composition of the lag" -> composition(row, figures, title);
            case "Stages" -> stages(row, figures, title);
            case "Fill level of the buffers, and what limited TCP" -> buffers(row, figures, title);
            default -> throw new AssertionError("unknown table: " + title);
        };
    }

    private static int budget(JsonNode row, JsonNode figures, String title) {
        String target = row.get(2).asString();
        for (JsonNode budget : figures.at("/playout/budgets")) {
            if (target.equals(percent(budget.get("lateShare").asDouble()))) {
                shows(row.get(3), budget, "/delayUs", title);
                interval(row, 4, budget.get("correlated"), title);
                interval(row, 6, budget.get("independent"), title);
                boolean given = budget.get("verdict").asString().equals("GIVEN");
                if (given) {
                    shows(row.get(8), budget, "/blockPackets", title);
                    assertThat(row.get(9).asString()).isEmpty();
                } else {
                    assertThat(row.get(8).asString()).isEqualTo(NONE);
                    assertThat(row.get(9).asString())
                            .isEqualTo(String.format(
                                    Locale.ROOT,
                                    "needs %,d packets",
                                    budget.get("packetsNeeded").asLong()));
                }
                return 7;
            }
        }
        throw new AssertionError("the summary has no budget of " + target);
    }

    private static String percent(double share) {
        String text = String.format(Locale.ROOT, "%.2f", 100 * share);
        return text.replaceFirst("\\.?0+$", "") + " %";
    }

    private static void interval(JsonNode row, int from, JsonNode interval, String title) {
        List<String> ends = List.of("/lowUs", "/highUs");
        for (int i = 0; i < ends.size(); i++) {
            JsonNode cell = row.get(from + i);
            if (interval.isNull()) {
                assertThat(cell.asString()).as(title).isEqualTo(NONE);
            } else if (interval.at(ends.get(i)).isNull()) {
                assertThat(cell.asString()).as(title).isEqualTo("open");
            } else {
                shows(cell, interval, ends.get(i), title);
            }
        }
    }

    private static int composition(JsonNode row, JsonNode figures, String title) {
        JsonNode composition = figures.at("/stages/compositions/" + name(row.get(2)));
        shows(row.get(3), composition, "/lagUs", title);
        double sumUs = 0;
        for (int i = 0; i < STAGES_OF_LAG.size(); i++) {
            String place = "/meanUs/" + STAGES_OF_LAG.get(i);
            shows(row.get(4 + i), composition, place, title);
            sumUs += composition.at(place).asDouble();
        }
        shows(row.get(9), sumUs, title);
        shows(row.get(10), composition, "/packets", title);
        return 8;
    }

    private static int stages(JsonNode row, JsonNode figures, String title) {
        String figure = "/" + name(row.get(2)) + "Us";
        shows(row.get(3), figures, "/stages/lag" + figure, title);
        shows(row.get(4), figures, "/stages/stages/application" + figure, title);
        for (int i = 0; i < STAGES_OF_LAG.size(); i++) {
            shows(row.get(5 + i), figures, "/stages/stages/" + STAGES_OF_LAG.get(i) + figure, title);
        }
        shows(row.get(10), figures, "/stages/packets", title);
        shows(row.get(11), figures, "/stages/incomplete", title);
        return 9;
    }

    private static int buffers(JsonNode row, JsonNode figures, String title) {
        List<String> levels = List.of("send", "notSent", "unacked", "receive");
        for (int i = 0; i < levels.size(); i++) {
            shows(
                    row.get(3 + i),
                    figures,
                    "/stages/occupancy/levels/" + levels.get(i) + "/"
                            + name(row.get(2)).replace("max", "most") + "Bytes",
                    title);
        }
        return levels.size();
    }

    private static String name(JsonNode cell) {
        return cell.asString().toLowerCase(Locale.ROOT);
    }

    private static void shows(JsonNode cell, JsonNode figures, String place, String what) {
        boolean share = place.startsWith("%");
        JsonNode number = figures.at(share ? place.substring(1) : place);
        if (number.isNull() || number.isMissingNode()) {
            assertThat(cell.asString()).as(what + ", " + place).isEqualTo(NONE);
        } else {
            assertThat(number.isNumber()).as(what + ", " + place).isTrue();
            shows(cell, (share ? 100 : 1) * number.asDouble(), what + ", " + place);
        }
    }

    /** Asserts that a cell shows the number, rounded to its digits; misses are marked. */
    static void shows(JsonNode cell, double number, String what) {
        String text = cell.asString().replaceFirst("^! ", "");
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

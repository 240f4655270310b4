package org.lagbench.report.chart;

import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.lagbench.analysis.cause.CauseGroups;
import org.lagbench.analysis.cause.LedgerMetrics;
import org.lagbench.analysis.cause.LedgerTotal;
import org.lagbench.analysis.cause.SideCause;
import org.lagbench.analysis.statistics.Tail;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.core.text.Units;
import org.lagbench.report.chart.Chart.Entry;
import org.lagbench.report.chart.ChartKind.Drawing;
import org.lagbench.report.chart.PointRowChart.Content;
import org.lagbench.report.table.Numbers;

/** What delayed the slow packets: a row for each point, with the share of each cause in the excess of its tail. */
final class LedgerChart {
    private static final String CAPTION = "The excess of the lags above Q" + Tail.DEFAULT.percent()
            + " over the median, by what happened meanwhile. No recorded event explains the empty part.";

    private static final int MAX_NAMED = 7;
    private static final double BAR = 7;
    private static final LineStyle EDGE = LineStyle.solid(PlotColor.INK, 0.3);
    private static final String OTHERS = "other causes";
    private static final String UNEXPLAINED = "not explained";

    private LedgerChart() {}

    /** Returns the points whose causes were observed and that have a tail. */
    private static List<PointSummary> points(ChartContext context) {
        return context.points().stream()
                .filter(point -> tail(point).total().excessNs() > 0)
                .toList();
    }

    /** Returns a drawing of all these points; empty without points. */
    static List<Drawing> draw(ChartContext context, String name) {
        return points(context).isEmpty() ? List.of() : List.of(new Drawing(name, chart(context, false)));
    }

    /** Returns the chart of a report; without drawings if there are no points. */
    static ReportChart overview(ChartContext context) {
        return PointRowChart.inReport(
                "tail", "Ledger of the tail", CAPTION, points(context), isNarrow -> chart(context, isNarrow));
    }

    private static Chart chart(ChartContext context, boolean isNarrow) {
        Map<String, Fill> fills = fills(points(context));
        List<Entry> legend = new ArrayList<>();
        fills.forEach((name, fill) -> legend.add(new Entry(name, fill)));
        return PointRowChart.of(
                context,
                points(context),
                isNarrow,
                "Ledger of the tail",
                Axis.linear("share of the tail's excess (%)", 0, Units.PERCENT),
                legend,
                List.of(CAPTION),
                point -> content(shares(point, fills)),
                (canvas, frame, point, y) -> paint(canvas, frame, shares(point, fills), fills, y));
    }

    private static void paint(
            Canvas canvas, Frame frame, Map<String, Double> shares, Map<String, Fill> fills, double y) {
        double from = 0;
        for (Map.Entry<String, Double> share : shares.entrySet()) {
            double x = frame.x(from);
            from += share.getValue();
            Rectangle2D area = new Rectangle2D.Double(x, y - BAR / 2, frame.x(from) - x, BAR);
            fills.getOrDefault(share.getKey(), new Fill(PlotColor.PAPER, Fill.Hatch.NONE))
                    .paint(canvas, area);
            canvas.draw(EDGE, area);
        }
    }

    /** Returns the fill of each named cause, in the order of their largest share in any point. */
    private static Map<String, Fill> fills(List<PointSummary> points) {
        Map<String, Double> largest = new LinkedHashMap<>();
        points.forEach(point -> named(point).forEach((name, share) -> largest.merge(name, share, Math::max)));
        Map<String, Fill> fills = new LinkedHashMap<>();
        largest.entrySet().stream()
                .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
                .limit(MAX_NAMED)
                .forEach(cause -> fills.put(cause.getKey(), Fill.ofSeries(fills.size())));
        if (largest.size() > MAX_NAMED) {
            fills.put(OTHERS, Fill.ofSeries(fills.size()));
        }
        return fills;
    }

    /** Returns the percentage of each cause in the tail's excess of a point. */
    private static Map<String, Double> named(PointSummary point) {
        LedgerTotal tail = tail(point);
        double whole = tail.total().excessNs() / Units.PERCENT;
        Map<String, Double> shares = new LinkedHashMap<>();
        tail.parts()
                .forEach((cause, part) -> shares.merge(name(cause.grouped()), part.excessNs() / whole, Double::sum));
        shares.values().removeIf(share -> share == 0);
        return shares;
    }

    /** Returns the percentages of the tail's excess by name, in the order of the fills, the unexplained last. */
    private static Map<String, Double> shares(PointSummary point, Map<String, Fill> fills) {
        LedgerTotal tail = tail(point);
        Map<String, Double> shares = new LinkedHashMap<>();
        fills.keySet().forEach(name -> shares.put(name, 0.0));
        named(point)
                .forEach((name, share) -> shares.merge(fills.containsKey(name) ? name : OTHERS, share, Double::sum));
        shares.put(
                UNEXPLAINED,
                Units.PERCENT * tail.notExplained().excessNs() / tail.total().excessNs());
        shares.values().removeIf(share -> share <= 0);
        return shares;
    }

    private static Content content(Map<String, Double> shares) {
        List<String> words = new ArrayList<>();
        List<String> cells = new ArrayList<>();
        shares.forEach((name, share) -> {
            words.add(name + " " + Numbers.fixed(share < 9.95 ? 1 : 0, share) + " %");
            cells.add(name + " (%)=" + share);
        });
        return new Content(String.join(", ", words), String.join("|", cells));
    }

    private static String name(SideCause cause) {
        return cause.title().substring(0, 1).toLowerCase(Locale.ROOT).replace("j", "J")
                + cause.title().substring(1) + ", " + cause.side().text();
    }

    private static LedgerTotal tail(PointSummary point) {
        LedgerMetrics ledger = point.pooled().get(CauseGroups.LEDGER);
        return ledger == null ? LedgerTotal.NONE : ledger.lag().tail();
    }
}

package org.lagbench.report.table;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.clock.OffsetEstimate;
import org.lagbench.analysis.join.PacketCounts;
import org.lagbench.analysis.statistics.PairedRatio;
import org.lagbench.analysis.statistics.SeriesStatistics;
import org.lagbench.analysis.statistics.TrimmedStatistics;
import org.lagbench.analysis.summary.ClockFigures;
import org.lagbench.analysis.summary.CorrectedFigures;
import org.lagbench.analysis.summary.ExcludedRun;
import org.lagbench.analysis.summary.Figures;
import org.lagbench.analysis.summary.Mark;
import org.lagbench.analysis.summary.Point;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.RunSummary;
import org.lagbench.analysis.summary.StreamEffect;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.analysis.summary.WarmUp;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Writes everything as JSON, described by {@code summary.schema.json} beside the package's classes. Durations are in
 * µs. What is undefined or unknown is null.
 */
final class JsonWriter {
    /** Tells the format and its version. */
    static final String FORMAT = "lagbench-summary-1";

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private JsonWriter() {}

    static void write(Summary summary, Appendable out) throws IOException {
        ObjectNode root = JSON.createObjectNode();
        root.put("format", FORMAT);
        root.put("session", summary.session());
        root.put("estimator", "R-7");
        root.put("standardDeviation", "sample");
        root.put("clock", summary.corrected() ? "corrected" : "raw");
        root.put("warmUpFirstPackets", WarmUp.FIRST_PACKETS);
        ArrayNode points = root.putArray("points");
        for (PointSummary point : summary.points()) {
            ObjectNode node = points.addObject();
            node.set("point", point(point.point()));
            node.set("pooled", figures(point.pooled()));
            ArrayNode runs = node.putArray("runs");
            for (RunSummary run : point.runs()) {
                ObjectNode runNode = runs.addObject();
                runNode.put("name", run.name());
                runNode.put("repeat", run.repeat());
                runNode.put("state", run.state().name());
                runNode.set("figures", figures(run.figures()));
            }
        }
        ArrayNode streams = root.putArray("streams");
        for (StreamEffect effect : summary.streams()) {
            ObjectNode node = streams.addObject();
            node.set("point", point(effect.together()));
            node.put("repeats", effect.repeats());
            node.put("sharedPart", effect.sharedPart());
            node.set("median", ratio(effect.medianNs()));
            node.set("q99", ratio(effect.q99Ns()));
            node.put("lostPartAlone", effect.lostAlone());
            node.put("lostPartTogether", effect.lostTogether());
        }
        ArrayNode excluded = root.putArray("excluded");
        for (ExcludedRun run : summary.excluded()) {
            ObjectNode node = excluded.addObject();
            node.put("name", run.name());
            node.put("reason", run.reason());
            node.set("point", run.point() == null ? JSON.nullNode() : point(run.point()));
            node.set("figures", run.figures() == null ? JSON.nullNode() : figures(run.figures()));
        }
        out.append(JSON.writerWithDefaultPrettyPrinter().writeValueAsString(root))
                .append('\n');
    }

    private static JsonNode ratio(@Nullable PairedRatio ratio) {
        if (ratio == null) {
            return JSON.nullNode();
        }
        ObjectNode node = JSON.createObjectNode();
        node.put("aloneUs", us(ratio.before()));
        node.put("togetherUs", us(ratio.after()));
        node.put("ratio", ratio.ratio());
        node.put("ratioLow", ratio.low());
        node.put("ratioHigh", ratio.high());
        return node;
    }

    private static ObjectNode point(Point point) {
        ObjectNode node = JSON.createObjectNode();
        node.put("transport", point.transport());
        node.put("transportTitle", point.transportTitle());
        node.put("packetBytes", point.packetBytes());
        node.put("paceMode", point.paceMode());
        node.put("paceIntervalUs", Numbers.us((double) point.paceIntervalNs()));
        node.put("paceBurst", point.paceBurst());
        node.put("engine", point.engine());
        node.put("jvm", point.jvm());
        if (point.stream() == null) {
            node.putNull("stream");
        } else {
            ObjectNode stream = node.putObject("stream");
            stream.put("name", point.streamName());
            stream.put("direction", point.directionText());
            ArrayNode beside = stream.putArray("beside");
            point.stream().beside().forEach(beside::add);
        }
        node.set("settings", JSON.valueToTree(point.settings()));
        return node;
    }

    private static ObjectNode figures(Figures figures) {
        ObjectNode node = JSON.createObjectNode();
        node.put("runs", figures.runs());
        PacketCounts packets = figures.packets();
        ObjectNode counts = node.putObject("packets");
        counts.put("sent", packets.sent());
        counts.put("received", packets.received());
        counts.put("lost", packets.lost());
        counts.put("duplicated", packets.duplicated());
        counts.put("reordered", packets.reordered());
        counts.put("unmatched", packets.unmatched());
        counts.put("negativeLags", packets.negativeLags());
        counts.put("foreign", figures.foreign());
        counts.put("kernelDrops", figures.kernelDrops());
        clock(figures.clock(), node, counts);
        ObjectNode all = node.putObject("series");
        figures.series().forEach((series, statistics) -> all.set(series.name(), series(statistics)));
        ArrayNode corrected = node.putArray("corrected");
        figures.corrected().forEach(lag -> corrected.add(corrected(lag)));
        ObjectNode warmUp = node.putObject("warmUp");
        warmUp.put("firstQ99Us", us(figures.warmUp().firstQ99Ns()));
        warmUp.put("restQ99Us", us(figures.warmUp().restQ99Ns()));
        for (View view : View.values()) {
            view.content().putJson(node, figures);
        }
        return node;
    }

    private static void clock(ClockFigures clock, ObjectNode figures, ObjectNode counts) {
        counts.put("negativeBeyondBound", clock.negativeBeyondBound());
        figures.put("clockBoundNs", clock.boundNs());
        ArrayNode basis = figures.putArray("clockBasis");
        clock.bases().forEach(one -> basis.add(one.text()));
        ArrayNode accepted = figures.putArray("acceptedUnsynchronized");
        clock.accepted().forEach(accepted::add);
        ArrayNode marks = figures.putArray("clockMarks");
        for (Mark mark : clock.marks()) {
            marks.addObject().put("run", mark.run()).put("sentence", mark.sentence());
        }
    }

    private static ObjectNode corrected(CorrectedFigures corrected) {
        ObjectNode node = JSON.createObjectNode();
        node.put("estimator", corrected.estimator().text());
        node.put("uncertaintyNs", corrected.uncertaintyNs());
        OffsetEstimate estimate = corrected.estimate();
        if (estimate == null) {
            node.putNull("offset");
        } else {
            ObjectNode offset = node.putObject("offset");
            offset.put("midSpanNs", estimate.midSpanNs());
            offset.put("midSpanOffsetNs", estimate.midSpanOffsetNs());
            offset.put("skewPpm", estimate.line().skewPpm());
            offset.put("skewUncertaintyPpm", estimate.skewUncertaintyPpm());
        }
        node.set("lag", series(corrected.lag()));
        return node;
    }

    private static ObjectNode series(SeriesStatistics statistics) {
        ObjectNode node = JSON.createObjectNode();
        node.put("n", statistics.n());
        node.put("medianUs", us(statistics.medianNs()));
        node.put("meanUs", us(statistics.meanNs()));
        node.put("standardDeviationUs", us(statistics.standardDeviationNs()));
        node.put("minimumUs", us(statistics.minimumNs()));
        node.put("maximumUs", us(statistics.maximumNs()));
        node.set("withoutQ95", trimmed(statistics.withoutQ95()));
        node.set("withoutQ99", trimmed(statistics.withoutQ99()));
        return node;
    }

    private static ObjectNode trimmed(TrimmedStatistics trimmed) {
        ObjectNode node = JSON.createObjectNode();
        node.put("quantileUs", us(trimmed.quantileNs()));
        node.put("meanUs", us(trimmed.meanNs()));
        node.put("standardDeviationUs", us(trimmed.standardDeviationNs()));
        node.put("dropped", trimmed.dropped());
        return node;
    }

    private static @Nullable Double us(double ns) {
        return Double.isNaN(ns) ? null : Numbers.us(ns);
    }
}

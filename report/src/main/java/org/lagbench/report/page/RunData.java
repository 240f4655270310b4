package org.lagbench.report.page;

import java.util.List;
import java.util.Map;
import org.lagbench.analysis.cause.SideCause;
import org.lagbench.analysis.curve.Curve;
import org.lagbench.analysis.curve.RunCurve;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.series.Series;
import org.lagbench.analysis.session.RunDirectory;
import org.lagbench.analysis.statistics.Distribution;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.report.page.EventSpans.EventSpan;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What charts draw of one run. Durations are in ns; x of a curve as differences, the first from 0. */
enum RunData {
    /** Transmit lag over the time of sending since the first packet was sent. */
    LAG("lag") {
        @Override
        ObjectNode of(RunDirectory directory, JoinedRun run, CurveResolution resolution) throws LagbenchException {
            return curve(RunCurve.LAG_OVER_TIME.of(run, resolution.columns()));
        }
    },
    /** Inter-packet delay at the sender over packet number. */
    SENT("sent") {
        @Override
        ObjectNode of(RunDirectory directory, JoinedRun run, CurveResolution resolution) throws LagbenchException {
            return curve(RunCurve.SEND_DELAY.of(run, resolution.columns()));
        }
    },
    /** Inter-packet delay at the receiver over packet number. */
    RECEIVED("received") {
        @Override
        ObjectNode of(RunDirectory directory, JoinedRun run, CurveResolution resolution) throws LagbenchException {
            return curve(RunCurve.RECEIVE_DELAY.of(run, resolution.columns()));
        }
    },
    /** The distribution of the transmit lag: values, and how many are at or below each. */
    DISTRIBUTION("distribution") {
        @Override
        ObjectNode of(RunDirectory directory, JoinedRun run, CurveResolution resolution) throws LagbenchException {
            Distribution lags = Distribution.of(consumer -> Series.TRANSMIT_LAG.forEach(run, consumer));
            ObjectNode node = JSON.createObjectNode();
            if (lags.size() > 0) {
                node.put("n", lags.n());
                ArrayNode values = node.putArray("ns");
                ArrayNode counts = node.putArray("atOrBelow");
                for (int i = 0; i < lags.size(); i++) {
                    values.add(lags.valueNs(i));
                    counts.add(Math.round(lags.atOrBelow(i) * (double) lags.n()));
                }
            }
            return node;
        }
    },
    /**
     * What went on that may have delayed packets: kinds by title and side; of each span its kind, beginning and length.
     */
    EVENTS("events") {
        @Override
        ObjectNode of(RunDirectory directory, JoinedRun run, CurveResolution resolution) throws LagbenchException {
            EventSpans events = EventSpans.of(directory.path(), run);
            ObjectNode node = JSON.createObjectNode();
            if (events.longest().isEmpty()) {
                return node;
            }
            List<SideCause> kinds =
                    events.longest().stream().map(EventSpan::what).distinct().toList();
            ArrayNode names = node.putArray("kinds");
            kinds.forEach(kind -> names.addObject()
                    .put("title", kind.cause().title())
                    .put("side", kind.side().text()));
            node.put("leftOut", events.leftOut());
            ArrayNode spans = node.putArray("spans");
            for (EventSpan span : events.longest()) {
                spans.addArray()
                        .add(kinds.indexOf(span.what()))
                        .add(span.fromNs())
                        .add(span.untilNs() - span.fromNs());
            }
            return node;
        }
    },
    /** How full the sockets' buffers were over time, by the names of their fields. */
    OCCUPANCY("occupancy") {
        @Override
        ObjectNode of(RunDirectory directory, JoinedRun run, CurveResolution resolution) throws LagbenchException {
            ObjectNode node = JSON.createObjectNode();
            for (Map.Entry<String, Curve> level : OccupancyCurves.levels(directory.path(), run, resolution.columns())
                    .entrySet()) {
                node.set(level.getKey(), curve(level.getValue()));
            }
            return node;
        }
    };

    /** How many of these are curves, of which {@link CurveResolution} bounds the points. */
    static final int CURVES = 4;

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final String text;

    RunData(String text) {
        this.text = text;
    }

    /** Its name in the page's data. */
    String text() {
        return text;
    }

    /**
     * What there is of a run; empty if there is nothing.
     *
     * @throws LagbenchException if its captures cannot be read
     */
    abstract ObjectNode of(RunDirectory directory, JoinedRun run, CurveResolution resolution) throws LagbenchException;

    private static ObjectNode curve(Curve curve) {
        ObjectNode node = JSON.createObjectNode();
        if (curve.size() > 0) {
            node.put("thinnedFrom", curve.thinnedFrom());
            ArrayNode x = node.putArray("dx");
            ArrayNode y = node.putArray("y");
            long previous = 0;
            for (int i = 0; i < curve.size(); i++) {
                x.add(curve.x(i) - previous);
                previous = curve.x(i);
                y.add(curve.y(i));
            }
        }
        return node;
    }
}

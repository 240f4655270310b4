package org.lagbench.report.tune;

import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.tune.Candidate;
import org.lagbench.analysis.tune.Frontier;
import org.lagbench.analysis.tune.Interval;
import org.lagbench.analysis.tune.TuneResult;
import org.lagbench.analysis.tune.Tuner;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.WholeFile;
import org.lagbench.core.tune.Objective;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The files of a tune in its session directory. Durations are in µs; what is undefined or unknown is null. */
public final class TuneFiles {
    /** All that was found, for programs. */
    public static final String JSON = "tune.json";

    /** The same for people. */
    public static final String MARKDOWN = "tune.md";

    /** The trade-off of the objective against the goodput, a line a candidate. */
    public static final String TRADE_OFF = "tune-trade-off.csv";

    private static final String FORMAT = "lagbench-tune-1";
    private static final double NS_PER_US = 1e3;
    private static final JsonMapper MAPPER =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private TuneFiles() {}

    /** Writes all of them but the figures. */
    public static void write(Path session, TuneResult result, Objective objective, String transport)
            throws LagbenchException {
        WholeFile.write(session.resolve(JSON), json(result, objective, transport) + "\n");
        WholeFile.write(
                session.resolve(MARKDOWN),
                new TuneReport(result, objective, transport).markdown(String.valueOf(session.getFileName())));
        WholeFile.write(session.resolve(TRADE_OFF), csv(result));
    }

    private static String json(TuneResult result, Objective objective, String transport) {
        ObjectNode root = MAPPER.createObjectNode();
        root.put("format", FORMAT);
        root.put("transport", transport);
        root.put("objective", objective.text());
        root.put("decided", result.decided());
        root.put("noDifference", result.isNoDifference());
        root.put("level", Tuner.LEVEL);
        root.put("indifference", result.rules().indifference());
        root.put("maximumLoss", result.rules().maximumLoss());
        root.put("minimumGoodputBitsPerS", result.rules().minimumGoodputBitsPerS());
        root.put("runs", result.runs());
        root.set("recommended", candidate(result.recommended()));
        root.set("closest", candidate(result.closest()));
        ObjectNode comparison = root.putObject("comparison");
        comparison.put("runsOfEach", result.comparison().runs());
        number(comparison, "defaultUs", result.comparison().defaultNs() / NS_PER_US);
        number(comparison, "recommendedUs", result.comparison().recommendedNs() / NS_PER_US);
        interval(comparison.putObject("factor"), result.comparison().factor(), 1);
        interval(comparison.putObject("differenceUs"), result.comparison().differenceNs(), NS_PER_US);
        ArrayNode rows = root.putArray("candidates");
        for (TuneResult.Row row : result.rows()) {
            ObjectNode node = rows.addObject();
            node.put("default", row.candidate().isDefault());
            node.set("knobs", candidate(row.candidate()));
            node.put("verdict", row.verdict().name().toLowerCase(Locale.ROOT));
            node.put("runs", row.runs());
            number(node, "objectiveUs", row.objectiveNs() / NS_PER_US);
            number(node, "loss", row.loss());
            number(node, "goodputBitsPerS", row.goodputBitsPerS());
        }
        return MAPPER.writeValueAsString(root);
    }

    private static JsonNode candidate(@Nullable Candidate candidate) {
        if (candidate == null) {
            return MAPPER.nullNode();
        }
        ObjectNode node = MAPPER.createObjectNode();
        candidate.knobs().forEach((knob, value) -> {
            if (value.matches("\\d{1,18}")) {
                node.put(knob, Long.parseLong(value));
            } else {
                node.put(knob, value);
            }
        });
        return node;
    }

    private static void interval(ObjectNode node, Interval interval, double unit) {
        number(node, "estimate", interval.estimate() / unit);
        number(node, "low", interval.low() / unit);
        number(node, "high", interval.high() / unit);
    }

    private static void number(ObjectNode node, String name, double value) {
        if (Double.isFinite(value)) {
            node.put(name, value);
        } else {
            node.putNull(name);
        }
    }

    private static String csv(TuneResult result) {
        StringBuilder csv = new StringBuilder("candidate,goodputMbitPerS,objectiveUs,loss,runs,verdict,onFrontier\n");
        for (TuneResult.Row row : result.rows()) {
            csv.append(String.format(
                    Locale.ROOT,
                    "\"%s\",%.3f,%s,%.6f,%d,%s,%b%n",
                    row.candidate().text(),
                    row.goodputBitsPerS() / 1e6,
                    Double.isFinite(row.objectiveNs())
                            ? String.format(Locale.ROOT, "%.3f", row.objectiveNs() / NS_PER_US)
                            : "",
                    row.loss(),
                    row.runs(),
                    row.verdict().name().toLowerCase(Locale.ROOT),
                    Frontier.of(result).contains(row)));
        }
        return csv.toString();
    }
}

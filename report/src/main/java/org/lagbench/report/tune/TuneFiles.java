package org.lagbench.report.tune;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.tune.TuneCandidate;
import org.lagbench.analysis.tune.TuneResult;
import org.lagbench.analysis.tune.TuneResult.CandidateResult;
import org.lagbench.analysis.tune.Tuner;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.WholeFile;
import org.lagbench.core.model.Objective;
import org.lagbench.core.text.Units;
import org.lagbench.report.table.Numbers;
import org.lagbench.report.table.ResultMapper;

/** The files of a tune in its session directory, except the drawings. */
public final class TuneFiles {
    /** The file with the whole result, for programs. */
    public static final String JSON = "tune.json";

    /** The file with the report, for people. */
    public static final String MARKDOWN = "tune.md";

    /** The file with the objective and the goodput of each candidate. */
    public static final String TRADE_OFF = "tune-trade-off.csv";

    private TuneFiles() {}

    public static void write(Path session, TuneResult result, Objective objective, String transport)
            throws LagbenchException {
        WholeFile.write(session.resolve(JSON), ResultMapper.text(members(result, objective, transport)));
        WholeFile.write(
                session.resolve(MARKDOWN),
                new TuneReport(result, objective, transport).markdown(String.valueOf(session.getFileName())));
        WholeFile.write(session.resolve(TRADE_OFF), csv(result));
    }

    private static Map<String, @Nullable Object> members(TuneResult result, Objective objective, String transport) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("format", "lagbench-tune-1");
        members.put("transport", transport);
        members.put("objective", objective.text());
        members.put("decided", result.decided());
        members.put("noDifference", result.isNoDifference());
        members.put("level", Tuner.LEVEL);
        members.put("indifference", result.criteria().indifference());
        members.put("maximumLoss", result.criteria().maximumLoss());
        members.put("minimumGoodputBitsPerS", result.criteria().minimumGoodputBitsPerS());
        members.put("runs", result.runs());
        members.put("recommended", knobs(result.recommended()));
        members.put("closest", knobs(result.closest()));
        members.put("comparison", result.comparison());
        members.put("candidates", result.rows().stream().map(TuneFiles::members).toList());
        return members;
    }

    private static Map<String, @Nullable Object> members(CandidateResult row) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("default", row.candidate().isDefault());
        members.put("knobs", knobs(row.candidate()));
        members.put("verdict", row.verdict().name().toLowerCase(Locale.ROOT));
        members.put("runs", row.runs());
        members.put("objectiveUs", row.objectiveNs() / Units.NS_PER_US);
        members.put("loss", row.loss());
        members.put("goodputBitsPerS", row.goodputBitsPerS());
        return members;
    }

    private static @Nullable Map<String, Object> knobs(@Nullable TuneCandidate candidate) {
        if (candidate == null) {
            return null;
        }
        Map<String, Object> knobs = new LinkedHashMap<>();
        candidate
                .knobs()
                .forEach((knob, value) ->
                        knobs.put(knob, value.matches("\\d{1,18}") ? (Object) Long.valueOf(value) : value));
        return knobs;
    }

    private static String csv(TuneResult result) {
        StringBuilder csv = new StringBuilder("candidate,goodputMbitPerS,objectiveUs,loss,runs,verdict,onFrontier\n");
        for (CandidateResult row : result.rows()) {
            csv.append(String.format(
                    Locale.ROOT,
                    "\"%s\",%.3f,%s,%.6f,%d,%s,%b%n",
                    row.candidate().text(),
                    row.goodputBitsPerS() / 1e6,
                    Double.isFinite(row.objectiveNs()) ? Numbers.fixed(3, row.objectiveNs() / Units.NS_PER_US) : "",
                    row.loss(),
                    row.runs(),
                    row.verdict().name().toLowerCase(Locale.ROOT),
                    result.frontier().contains(row)));
        }
        return csv.toString();
    }
}

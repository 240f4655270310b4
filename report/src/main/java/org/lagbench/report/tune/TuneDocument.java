package org.lagbench.report.tune;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.tune.DefaultComparison;
import org.lagbench.analysis.tune.TuneCandidate;
import org.lagbench.analysis.tune.TuneResult;
import org.lagbench.analysis.tune.Tuner;
import org.lagbench.core.tune.Objective;

/**
 * Everything that a tune found, as {@value TuneFiles#JSON} has it.
 *
 * @param format the format and its version
 * @param transport the transport's name
 * @param objective what was minimised
 * @param decided whether the recommendation is proven
 * @param noDifference whether nothing is to be gained over today's default
 * @param level the probability that what is decided is not so
 * @param indifference by what share an objective may be greater and counts as the same
 * @param maximumLoss greatest share of packets lost; null for any
 * @param minimumGoodputBitsPerS least goodput; null for any
 * @param runs how many were made
 * @param recommended the knobs of what is recommended; null if nothing is
 * @param closest the knobs of what came closest to the constraints
 * @param comparison with today's default
 * @param candidates what was run
 */
record TuneDocument(
        String format,
        String transport,
        String objective,
        boolean decided,
        boolean noDifference,
        double level,
        double indifference,
        @Nullable Double maximumLoss,
        @Nullable Double minimumGoodputBitsPerS,
        int runs,
        @Nullable Map<String, Object> recommended,
        @Nullable Map<String, Object> closest,
        DefaultComparison comparison,
        List<CandidateEntry> candidates) {

    /** One candidate. */
    record CandidateEntry(
            @JsonProperty("default") boolean isDefault,
            @Nullable Map<String, Object> knobs,
            String verdict,
            int runs,
            double objectiveNs,
            double loss,
            double goodputBitsPerS) {
        static CandidateEntry of(TuneResult.CandidateResult row) {
            return new CandidateEntry(
                    row.candidate().isDefault(),
                    values(row.candidate()),
                    row.verdict().name().toLowerCase(Locale.ROOT),
                    row.runs(),
                    row.objectiveNs(),
                    row.loss(),
                    row.goodputBitsPerS());
        }
    }

    static TuneDocument of(TuneResult result, Objective objective, String transport) {
        return new TuneDocument(
                "lagbench-tune-1",
                transport,
                objective.text(),
                result.decided(),
                result.isNoDifference(),
                Tuner.LEVEL,
                result.criteria().indifference(),
                result.criteria().maximumLoss(),
                result.criteria().minimumGoodputBitsPerS(),
                result.runs(),
                values(result.recommended()),
                values(result.closest()),
                result.comparison(),
                result.rows().stream().map(CandidateEntry::of).toList());
    }

    private static @Nullable Map<String, Object> values(@Nullable TuneCandidate candidate) {
        if (candidate == null) {
            return null;
        }
        Map<String, Object> values = new LinkedHashMap<>();
        candidate
                .knobs()
                .forEach((knob, value) ->
                        values.put(knob, value.matches("\\d{1,18}") ? (Object) Long.valueOf(value) : value));
        return values;
    }
}

package org.lagbench.report.tune;

import java.nio.file.Path;
import java.util.Locale;
import org.lagbench.analysis.tune.TuneResult;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.WholeFile;
import org.lagbench.core.tune.Objective;
import org.lagbench.report.table.ResultMapper;

/** The files of a tune in its session directory. */
public final class TuneFiles {
    /** All that was found, for programs. */
    public static final String JSON = "tune.json";

    /** The same for people. */
    public static final String MARKDOWN = "tune.md";

    /** The trade-off of the objective against the goodput, a line a candidate. */
    public static final String TRADE_OFF = "tune-trade-off.csv";

    private static final double NS_PER_US = 1e3;

    private TuneFiles() {}

    /** Writes all of them but the figures. */
    public static void write(Path session, TuneResult result, Objective objective, String transport)
            throws LagbenchException {
        WholeFile.write(session.resolve(JSON), ResultMapper.text(TuneDocument.of(result, objective, transport)));
        WholeFile.write(
                session.resolve(MARKDOWN),
                new TuneReport(result, objective, transport).markdown(String.valueOf(session.getFileName())));
        WholeFile.write(session.resolve(TRADE_OFF), csv(result));
    }

    private static String csv(TuneResult result) {
        StringBuilder csv = new StringBuilder("candidate,goodputMbitPerS,objectiveUs,loss,runs,verdict,onFrontier\n");
        for (TuneResult.CandidateResult row : result.rows()) {
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
                    result.frontier().contains(row)));
        }
        return csv.toString();
    }
}

package org.lagbench.report.capacity;

import java.util.List;
import org.lagbench.analysis.capacity.Convergence;
import org.lagbench.core.text.Units;
import org.lagbench.report.table.Document;
import org.lagbench.report.table.Numbers;
import org.lagbench.report.table.TableColumns;
import org.lagbench.report.table.TableFormat;

/** Estimates of the available bandwidth and the true values, before and after a flow begins. */
public final class BandwidthReport {
    private BandwidthReport() {}

    /** Writes the table in a format. */
    public static void write(List<Convergence> estimates, TableFormat format, StringBuilder out) {
        TableColumns<Convergence> columns = new TableColumns<Convergence>()
                .text("Estimate", Convergence::estimate)
                .group("Before the flow")
                .number("Truth", "Mb/s", row -> mbps(row.trueBefore()))
                .number("Estimate", "Mb/s", row -> mbps(row.before()))
                .number("Error", "%", row -> percent(row.errorBefore()))
                .group("With the flow")
                .number("Truth", "Mb/s", row -> mbps(row.trueAfter()))
                .number("Estimate", "Mb/s", row -> mbps(row.after()))
                .number("Error", "%", row -> percent(row.errorAfter()))
                .group("")
                .fixed(2, "Right after", "s", row -> row.convergenceS());
        out.append(format.text(new Document(
                List.of(columns.table("Available bandwidth", estimates)),
                List.of("The truth is the link's rate less the flow, framing included. Right after: the time"
                        + " from the flow's first packet until every further estimate is within 5 % of the"
                        + " truth."))));
    }

    private static String mbps(double bitsPerS) {
        return Numbers.fixed(3, bitsPerS / Units.BITS_PER_MBIT);
    }

    private static String percent(double fraction) {
        return Numbers.fixed(1, 100 * fraction);
    }
}

package org.lagbench.skeleton;

import java.util.List;
import org.lagbench.report.table.PointRows;
import org.lagbench.report.table.Table;
import org.lagbench.report.table.TableColumns;
import org.lagbench.report.table.View;

/** {@code table --view gaps}. */
public final class GapsView extends View {
    public GapsView() {
        super("gaps", 2_000, GapsGroup.GAPS);
    }

    @Override
    protected List<Table> tables(PointRows rows) {
        TableColumns<Gaps> columns = new TableColumns<Gaps>()
                .count("Gaps", Gaps::count)
                .time("Together", Gaps::ns)
                .percent("Of the time", gaps -> (double) gaps.ns() / gaps.allNs());
        return List.of(rows.table("Gaps in the arrivals", columns, GapsGroup.GAPS));
    }

    @Override
    protected List<String> notes(PointRows rows) {
        return List.of("Gap: more than " + Gaps.LONGER_THAN_MS + " ms without an arrival.");
    }
}

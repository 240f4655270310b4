package org.lagbench.report.page;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.PointSummary.RunSummary;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.core.run.RunRecord;
import org.lagbench.report.chart.ChartContext;
import org.lagbench.report.page.EnvironmentModel.MetadataEntry;
import org.lagbench.report.table.Document;
import org.lagbench.report.table.Table;
import org.lagbench.report.table.TableView;

/**
 * A run with its section and its checkbox for the charts.
 *
 * @param number its index in the summary
 * @param point the name of its point, such as "TCP/IP, 992 bytes"
 * @param packetBytes size of each packet in bytes
 * @param series the group with one color in all charts, such as "992 bytes"
 * @param look the number of that color
 * @param tables all its tables
 * @param metadata its record: settings, granted buffers, clocks, counts
 */
public record RunPage(
        int number,
        String name,
        String transport,
        String point,
        int packetBytes,
        int repeat,
        String series,
        int look,
        List<Table> tables,
        List<MetadataEntry> metadata) {
    /** Returns the name of the run in words, such as "TCP/IP, 992 bytes, run 1". */
    public String title() {
        return point + ", run " + repeat;
    }

    /** Returns all runs of a summary in the order of its tables, grouped by point. */
    static List<List<RunPage>> byPoint(ChartContext context) {
        List<List<RunPage>> points = new ArrayList<>();
        int number = 0;
        for (PointSummary point : context.summary().points()) {
            List<RunPage> runs = new ArrayList<>();
            for (RunSummary run : point.runs()) {
                RunRecord record =
                        Objects.requireNonNull(context.directory(run.name()).record(), run.name());
                runs.add(new RunPage(
                        number++,
                        run.name(),
                        record.point().transport(),
                        context.names().full(point.point()),
                        record.point().packetBytes(),
                        run.repeat(),
                        context.seriesName(point),
                        context.seriesOf(point),
                        tables(context.summary(), point, run),
                        MetadataEntry.of(record.json())));
            }
            points.add(runs);
        }
        return points;
    }

    private static List<Table> tables(Summary summary, PointSummary point, RunSummary run) {
        PointSummary alone = new PointSummary(point.point(), run.metrics(), List.of(run));
        Summary ofRun = new Summary(summary.session(), summary.corrected(), List.of(alone), List.of());
        return Document.of(ofRun, TableView.ALL_SERIES).tables();
    }
}

package org.lagbench.report.export;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.core.failure.LagbenchException;

/**
 * Writes the transmit lags of a run as an HdrHistogram interval log: a histogram a second of arrivals, first copies
 * only, tagged {@value #TAG}. Values are in ns, from 0 to {@value #GREATEST_NS} with {@value #DIGITS} significant
 * digits; the log's interval maxima are in ms, as its viewers expect. A histogram holds neither negative lags nor
 * greater ones: they are counted and told, in the log as well.
 */
final class HdrExport {
    /** An hour. */
    static final long GREATEST_NS = 3_600_000_000_000L;

    static final int DIGITS = 3;
    static final String TAG = "lag";

    private static final long NS_PER_MS = 1_000_000;
    private static final long INTERVAL_NS = 1_000_000_000;

    private final JoinedRun run;
    private final HistogramLogWriter log;
    private final Histogram histogram = new Histogram(1, GREATEST_NS, DIGITS);
    private long negative;
    private long tooGreat;

    private HdrExport(JoinedRun run, HistogramLogWriter log) {
        this.run = run;
        this.log = log;
    }

    static List<String> write(JoinedRun run, Path file) throws IOException, LagbenchException {
        // the library's writer keeps failures to itself, and so does a print stream
        try (StickyErrorStream kept = new StickyErrorStream(
                        new BufferedOutputStream(Files.newOutputStream(file, StandardOpenOption.CREATE_NEW)));
                PrintStream out = new PrintStream(kept, false, StandardCharsets.UTF_8)) {
            HdrExport export = new HdrExport(run, new HistogramLogWriter(out));
            export.write();
            out.flush();
            kept.rethrow();
            return export.notes();
        }
    }

    private void write() throws LagbenchException {
        long firstNs = run.received() == 0 ? 0 : run.receivedNs(0);
        long baseMs = firstNs / NS_PER_MS;
        log.outputComment("[lagbench: transmit lag in ns, received - sent, first copies; values from 0 to "
                + GREATEST_NS + " ns with " + DIGITS + " significant digits; Interval_Max in ms]");
        log.outputLogFormatVersion();
        log.outputBaseTime(baseMs);
        log.setBaseTime(baseMs);
        log.outputStartTime(baseMs);
        log.outputLegend();
        histogram.setTag(TAG);
        long interval = 0;
        for (long i = 0; i < run.received(); i++) {
            if (run.isFirstCopy(i)) {
                long receivedNs = run.receivedNs(i);
                // a clock that was set back does not begin an interval anew
                long now = Math.max(interval, (receivedNs - firstNs) / INTERVAL_NS);
                if (now > interval) {
                    end(firstNs, interval);
                    interval = now;
                }
                record(receivedNs - run.sentNs(run.packetOf(i)));
            }
        }
        end(firstNs, interval);
        notes().forEach(note -> log.outputComment("[" + note + "]"));
    }

    private void record(long lagNs) {
        if (lagNs < 0) {
            negative++;
        } else if (lagNs > GREATEST_NS) {
            tooGreat++;
        } else {
            histogram.recordValue(lagNs);
        }
    }

    private void end(long firstNs, long interval) {
        if (histogram.getTotalCount() > 0) {
            histogram.setStartTimeStamp((firstNs + interval * INTERVAL_NS) / NS_PER_MS);
            histogram.setEndTimeStamp((firstNs + (interval + 1) * INTERVAL_NS) / NS_PER_MS);
            log.outputIntervalHistogram(histogram);
            histogram.reset();
            histogram.setTag(TAG);
        }
    }

    private List<String> notes() {
        List<String> notes = new ArrayList<>();
        if (negative > 0) {
            notes.add(negative + " lags were negative, by the clocks' account, and are not in the histograms.");
        }
        if (tooGreat > 0) {
            notes.add(tooGreat + " lags were greater than an hour and are not in the histograms.");
        }
        return notes;
    }
}

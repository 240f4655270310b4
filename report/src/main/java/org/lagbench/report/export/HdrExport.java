package org.lagbench.report.export;

import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
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
import org.lagbench.analysis.summary.RunDirectory;
import org.lagbench.analysis.summary.SummaryOptions;
import org.lagbench.core.failure.LagbenchException;

/**
 * Writes the transmit lags of a run as an HdrHistogram interval log, with one histogram per second of arrivals, first
 * copies only, tagged {@value #TAG}. Values are in ns, from 0 to {@value #MAX_NS} with {@value #DIGITS} significant
 * digits. The log's interval maxima are in ms, as its viewers expect. Negative and greater lags do not fit a histogram;
 * they are counted in the notes and in the log.
 */
final class HdrExport {
    /** One hour. */
    static final long MAX_NS = 3_600_000_000_000L;

    static final int DIGITS = 3;
    static final String TAG = "lag";

    private static final long NS_PER_MS = 1_000_000;
    private static final long INTERVAL_NS = 1_000_000_000;

    private final JoinedRun run;
    private final Exports.Marks marks;
    private final OutputStream file;

    /** Holds an interval in memory, because the log's writer hides errors. */
    private final ByteArrayOutputStream buffer = new ByteArrayOutputStream();

    private final HistogramLogWriter log =
            new HistogramLogWriter(new PrintStream(buffer, true, StandardCharsets.UTF_8));
    private final Histogram histogram = new Histogram(1, MAX_NS, DIGITS);
    private long negative;
    private long tooGreat;

    HdrExport(JoinedRun run, Exports.Marks marks, OutputStream file) {
        this.run = run;
        this.marks = marks;
        this.file = file;
    }

    /** The format of these logs. */
    public static final class Format extends ExportFormat {
        public Format() {
            super("hdr", 20);
        }

        @Override
        protected String suffix() {
            return "hlog";
        }

        @Override
        protected List<String> write(
                RunDirectory directory, JoinedRun run, SummaryOptions options, Exports.Marks marks, Path file)
                throws IOException, LagbenchException {
            try (OutputStream out =
                    new BufferedOutputStream(Files.newOutputStream(file, StandardOpenOption.CREATE_NEW))) {
                return new HdrExport(run, marks, out).write();
            }
        }
    }

    List<String> write() throws IOException, LagbenchException {
        long firstNs = run.received() == 0 ? 0 : run.receivedNs(0);
        long baseMs = firstNs / NS_PER_MS;
        log.outputComment("[lagbench: transmit lag in ns, received - sent, first copies; values from 0 to " + MAX_NS
                + " ns with " + DIGITS + " significant digits; Interval_Max in ms]");
        marks.sentences().forEach(mark -> log.outputComment("[! " + mark.replaceAll("\\R", " ") + "]"));
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
                // after a backward step of the clock, lags go into the current interval: earlier ones are written
                long now = Math.max(interval, (receivedNs - firstNs) / INTERVAL_NS);
                if (now > interval) {
                    endInterval(firstNs, interval);
                    interval = now;
                }
                record(receivedNs - run.sentNs(run.packetOf(i)));
            }
        }
        endInterval(firstNs, interval);
        List<String> notes = notes();
        notes.forEach(note -> log.outputComment("[" + note + "]"));
        buffer.writeTo(file);
        return notes;
    }

    private void record(long lagNs) {
        if (lagNs < 0) {
            negative++;
        } else if (lagNs > MAX_NS) {
            tooGreat++;
        } else {
            histogram.recordValue(lagNs);
        }
    }

    private void endInterval(long firstNs, long interval) throws IOException {
        if (histogram.getTotalCount() > 0) {
            histogram.setStartTimeStamp((firstNs + interval * INTERVAL_NS) / NS_PER_MS);
            histogram.setEndTimeStamp((firstNs + (interval + 1) * INTERVAL_NS) / NS_PER_MS);
            log.outputIntervalHistogram(histogram);
            histogram.reset();
            histogram.setTag(TAG);
            buffer.writeTo(file);
            buffer.reset();
        }
    }

    private List<String> notes() {
        List<String> notes = new ArrayList<>();
        if (negative > 0) {
            notes.add(negative + " lags are negative according to the clocks; the histograms do not include them.");
        }
        if (tooGreat > 0) {
            notes.add(tooGreat + " lags exceed an hour; the histograms do not include them.");
        }
        return notes;
    }
}

package org.lagbench.report.table;

import java.util.List;
import org.lagbench.analysis.transfer.CodecSpeed;
import org.lagbench.core.text.Units;

/** The speed and ratio of codecs by kind of data, in the form of Hu's Table 1, with the crossovers of the models. */
public final class CodecTable {
    private CodecTable() {}

    public static Document document(List<CodecSpeed> metrics) {
        TableColumns<CodecSpeed> columns = new TableColumns<CodecSpeed>()
                .text("Data", CodecSpeed::data)
                .text("Codec", CodecSpeed::codec)
                .number("Files", "", row -> Numbers.grouped(row.files()))
                .group("Compression speed")
                .fixed(3, "Average", "MB/s", row -> row.meanBytesPerS() / Units.BYTES_PER_MB)
                .fixed(4, "Std. dev.", "MB/s", row -> row.deviationBytesPerS() / Units.BYTES_PER_MB)
                .group("Compression ratio")
                .fixed(4, "Average", "", row -> row.meanRatio())
                .fixed(4, "Std. dev.", "", row -> row.deviationRatio())
                .group("Saves time below")
                .number("(2) to (5)", "Mb/s", row -> mbps(row.simpleCrossoverBytesPerS()))
                .number("(6)", "Mb/s", row -> mbps(row.overlapCrossoverBytesPerS()));
        return new Document(
                List.of(columns.table("Compression speed and ratio", metrics)),
                List.of("Files are generated from seeds and compressed in chunks, each 6 times. Speeds"
                        + " are per second of CPU time, so that other programs do not lower them. Saves time"
                        + " below: the bandwidth by Hu's simple model, V (1 − 1/r); by formula (6), for many"
                        + " chunks, it is V. With a ratio of 1 or less, it is 0."));
    }

    private static String mbps(double bytesPerS) {
        return Numbers.fixed(2, Units.BITS_PER_BYTE * bytesPerS / Units.BYTES_PER_MB);
    }
}

package org.lagbench.cli;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The records of a series, read byte by byte from the files of its days. */
final class RecordedValues {
    private static final int HEADER_BYTES = 256;
    private static final int RECORD_BYTES = 24;

    private RecordedValues() {}

    /**
     * A record.
     *
     * @param atNs in ns since the epoch
     * @param state 0 if there is a value
     */
    record Value(long atNs, double value, long state) {
        boolean isMeasured() {
            return state == 0;
        }
    }

    /** Returns the complete records so far; an empty list before the series begins. */
    static List<Value> of(Path session, String series) throws IOException {
        Path directory = session.resolve("series");
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        List<Value> values = new ArrayList<>();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.filter(
                            one -> one.getFileName().toString().matches(series + "\\.\\d{4}-\\d\\d-\\d\\d\\.npy"))
                    .sorted()
                    .toList()) {
                ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
                for (int at = HEADER_BYTES; at + RECORD_BYTES <= bytes.limit(); at += RECORD_BYTES) {
                    values.add(new Value(bytes.getLong(at), bytes.getDouble(at + 8), bytes.getLong(at + 16)));
                }
            }
        }
        return values;
    }
}

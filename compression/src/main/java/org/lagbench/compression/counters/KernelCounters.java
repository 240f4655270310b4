package org.lagbench.compression.counters;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.lagbench.core.bandwidth.Bottleneck;
import org.lagbench.core.bandwidth.CounterSource;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;

/** The kernel's counters of an interface, from a file in the format of /proc/net/dev, see proc(5). */
public final class KernelCounters implements CounterSource {
    private static final int RECEIVED = 0;
    private static final int SENT = 8;

    @Override
    public String name() {
        return "kernel";
    }

    @Override
    public Counters open(Bottleneck bottleneck) throws LagbenchException {
        Path file = Path.of(bottleneck.counters());
        try {
            read(file, bottleneck);
        } catch (IOException e) {
            throw ExitCode.UNAVAILABLE.failure(
                    "The counters of " + bottleneck.device() + " cannot be read from " + file + ": "
                            + IoErrors.reason(e) + "; name an interface of that file.",
                    e);
        }
        return () -> read(file, bottleneck);
    }

    private static CounterSource.CounterReading read(Path file, Bottleneck bottleneck) throws IOException {
        for (String line : Files.readAllLines(file)) {
            String[] parts = line.strip().split(":\\s*", 2);
            if (parts.length == 2 && parts[0].equals(bottleneck.device())) {
                String[] fields = parts[1].split("\\s+", -1);
                int first = bottleneck.isReceiver() ? RECEIVED : SENT;
                return new CounterSource.CounterReading(
                        Long.parseUnsignedLong(fields[first]), Long.parseUnsignedLong(fields[first + 1]), Long.SIZE);
            }
        }
        throw new IOException("there is no interface " + bottleneck.device());
    }
}

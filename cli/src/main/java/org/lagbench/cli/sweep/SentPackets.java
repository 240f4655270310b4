package org.lagbench.cli.sweep;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The progress of a run, as its sender prints it once a second.
 *
 * @param sent how many of the recorded packets have been sent
 * @param packets how many there are
 * @param perSecond rate of the last second
 */
public record SentPackets(long sent, long packets, long perSecond) {
    private static final Pattern LINE = Pattern.compile("sent (\\d{1,18})/(\\d{1,18}) (\\d{1,18})/s");

    /** Parses a line of a sender's standard output; empty if it is another line. */
    static Optional<SentPackets> parse(String line) {
        Matcher matcher = LINE.matcher(line);
        return matcher.matches()
                ? Optional.of(new SentPackets(
                        Long.parseLong(matcher.group(1)),
                        Long.parseLong(matcher.group(2)),
                        Long.parseLong(matcher.group(3))))
                : Optional.empty();
    }
}

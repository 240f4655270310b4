package org.lagbench.core.run;

import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The specification of one run.
 *
 * @param name names the run's directory: "0007-tcp-992-r2"; matches {@link #NAME}
 * @param point what the run shares with its repeats
 * @param repeat the number of the repetition, from 1
 * @param stream the run's stream; null if the experiment has no streams
 */
public record RunSpec(String name, Point point, int repeat, @Nullable StreamRole stream) {
    /** Smallest packet with a header, in bytes. */
    public static final int MINIMUM_PACKET_BYTES = 24;

    /** Most packets of a run, recorded or not. */
    public static final long MAXIMUM_PACKETS = 1_000_000_000L;

    public static final Duration MAXIMUM_DRAIN = Duration.ofSeconds(60);
    public static final Duration DEFAULT_DRAIN = Duration.ofMillis(500);
    public static final Duration MINIMUM_STALL_TIMEOUT = Duration.ofSeconds(1);
    public static final Duration MAXIMUM_STALL_TIMEOUT = Duration.ofHours(1);
    public static final Duration DEFAULT_STALL_TIMEOUT = Duration.ofSeconds(30);

    /** The accepted names; a run's name becomes a directory on two hosts. */
    public static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");

    public RunSpec {
        checkName("name", name);
        if (repeat < 1) {
            throw new IllegalArgumentException("repeat: " + repeat + " is below 1");
        }
    }

    /** Returns this run with another name. */
    public RunSpec named(String other) {
        return new RunSpec(other, point, repeat, stream);
    }

    /** Checks a name that becomes a part of names of files. */
    static void checkName(String member, String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    member + ": this is not a name of at most 100 letters, digits, dots, hyphens and underscores");
        }
    }
}

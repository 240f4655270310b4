package org.lagbench.engines.rist;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Parameter;
import org.lagbench.core.model.Settings;
import org.lagbench.core.model.Transport;
import org.lagbench.core.model.Wire;

/**
 * RIST, simple and main profile (VSF TR-06-1 and TR-06-2): one block of data per packet, each delivered a fixed time
 * after it was sent. Until then the receiver requests it again if it is lost.
 */
public final class RistTransport implements Transport {
    private static final String BUFFER = "buffer";
    private static final String REORDER_BUFFER = "reorder-buffer";
    private static final String RTT_MIN = "rtt-min";
    private static final String SESSION_TIMEOUT = "session-timeout";
    static final String PROFILE = "profile";
    static final String ENCRYPTION = "encryption";
    static final String MAIN = "main";
    private static final Duration LONGEST = Duration.ofMinutes(1);
    private static final Duration SHORTEST = Duration.ofMillis(1);

    /**
     * 1,500 bytes of an Ethernet frame without 28 of IP and UDP and 32 of librist: those of 0.2.11 with encryption. It
     * would send more in fragments of IP.
     */
    private static final int MAXIMUM_PACKET_BYTES = 1_440;

    /** Of the code by which a side recognizes the other one's encrypted datagrams (datagram_proof.h). */
    private static final int PROOF_BYTES = 8;

    /** Creates the transport, for the service loader. */
    public RistTransport() {}

    @Override
    public String name() {
        return "rist";
    }

    @Override
    public String title() {
        return "RIST";
    }

    @Override
    public int tableOrder() {
        return 4;
    }

    @Override
    public Wire wire() {
        return Wire.LIBRARY;
    }

    private static Parameter<String> time(String name, Duration shortest, String absent) {
        return Parameter.duration(name, shortest, LONGEST).asText().byDefault(absent);
    }

    @Override
    public List<Parameter<?>> settings() {
        return List.of(
                time(BUFFER, SHORTEST, "1s")
                        .described(
                                "How long after it was sent, beyond the path's delay, a packet is delivered, in whole"
                                        + " ms. Losses are repaired in this time."),
                time(REORDER_BUFFER, Duration.ZERO, "25ms")
                        .described(
                                "How long the receiver waits for a packet before it requests it again, in whole ms."),
                time(RTT_MIN, SHORTEST, "50ms")
                        .described(
                                "The shortest time between two requests of a packet, in whole ms; less than buffer."),
                time(SESSION_TIMEOUT, SHORTEST, "5s")
                        .described("How long the path may be silent before the connection ends, in whole ms."),
                Parameter.number("min-retries", 0, 100)
                        .byDefault(6L)
                        .described("The minimum number of requests of a lost packet, even on a congested path."),
                Parameter.number("max-retries", 0, 100)
                        .byDefault(20L)
                        .described("The maximum number of requests of a lost packet."),
                Parameter.choice(PROFILE, List.of(MAIN, "simple"))
                        .byDefault(MAIN)
                        .described(
                                "The profile: main tunnels all over one port; simple needs the receiver's port and the"
                                        + " next one."),
                Parameter.choice(ENCRYPTION, List.of(Parameter.NONE, "aes-128", "aes-256"))
                        .byDefault(Parameter.NONE)
                        .described("The cipher of the main profile. Its passphrase is derived from the run's tag."));
    }

    @Override
    public int maximumPacketBytes(Settings settings) {
        return settings.word(ENCRYPTION).equals(Parameter.NONE)
                ? MAXIMUM_PACKET_BYTES
                : MAXIMUM_PACKET_BYTES - PROOF_BYTES;
    }

    @Override
    public void check(int packetBytes, Settings settings) throws LagbenchException {
        for (String name : List.of(BUFFER, REORDER_BUFFER, RTT_MIN, SESSION_TIMEOUT)) {
            if (settings.intervalNs(name) % TimeUnit.MILLISECONDS.toNanos(1) != 0) {
                throw ExitCode.USAGE.failure("rist." + name + ": " + settings.word(name)
                        + " is not a whole number of ms, which librist demands.");
            }
        }
        if (settings.intervalNs(RTT_MIN) >= holdNs(settings)) {
            throw ExitCode.USAGE.failure("rist.rtt-min: " + settings.word(RTT_MIN) + " is not less than rist.buffer: "
                    + settings.word(BUFFER) + ", so that librist would not request a packet in time; reduce "
                    + "it.");
        }
        if (!settings.word(PROFILE).equals(MAIN) && !settings.word(ENCRYPTION).equals(Parameter.NONE)) {
            throw ExitCode.USAGE.failure("rist.encryption: only profile: main has it; set one of the two.");
        }
    }

    @Override
    public String holdSetting() {
        return BUFFER;
    }
}

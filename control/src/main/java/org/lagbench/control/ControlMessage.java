package org.lagbench.control;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.clock.ClockHistory.ClockStep;
import org.lagbench.core.clock.ClockReadings;
import org.lagbench.core.clock.ClockState;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.file.StrictJson;
import org.lagbench.core.file.Within;
import org.lagbench.core.model.HostLoad;
import org.lagbench.core.model.RunParameters;
import org.lagbench.core.run.PacketError;
import org.lagbench.core.run.Point;
import org.lagbench.core.run.RunFileNames;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.RunRequest;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.run.Traffic;
import org.lagbench.core.run.TrafficSpec;
import org.lagbench.core.timeseries.ReceivedInterval;

/**
 * A message between sender and receiver, or between a coordinator and an agent. The package's description has the order
 * of the messages. Its {@code type} is the record's name with hyphens: "open-sender". {@link MessageFormat} rejects
 * incomplete messages and values that are not {@link Within} their ranges, the constructors other impossible values.
 */
public sealed interface ControlMessage {
    /** The version of the protocol, the same on both sides. Every change of a message's form increments it. */
    int PROTOCOL = 22;

    /** The receiver's first message: {@link #PROTOCOL}, 32 random bytes in hexadecimal, whether a key is required. */
    record Hello(int protocol, String nonce, boolean keyNeeded) implements ControlMessage {}

    /** The sender's first message, with its version and nonce, like {@link Hello}. */
    record Introduction(int protocol, String nonce) implements ControlMessage {}

    /** The receiver proves each key that it accepts, in hexadecimal; without a key, the list is empty. */
    record Welcome(@Within(max = 1_000) List<String> proofs) implements ControlMessage {
        public Welcome {
            proofs = List.copyOf(proofs);
        }
    }

    /** The sender proves its key, in hexadecimal, after the receiver has proven the same one. */
    record Proof(String proof) implements ControlMessage {}

    /**
     * A run that the sender requests.
     *
     * @param run the run; its name is that of the run's directory at the receiver
     * @param leadInPackets number of warm-up packets after {@link Begin}, right before the recorded ones
     * @param leadOutPackets number of packets right after the recorded ones
     * @param nonce random bytes in hexadecimal, from which both sides derive the run's tag
     * @param announced the announcements of the sender's transport
     */
    record Offer(
            RunSpec run,
            long leadInPackets,
            @Within(max = RunParameters.MAXIMUM_PACKETS) long leadOutPackets,
            @Within(min = 1, max = Within.TEXT) String nonce,
            Map<String, String> announced)
            implements ControlMessage {
        public Offer {
            StrictJson.requireWithin(leadInPackets, 0, run.point().warmUpPackets(), "leadInPackets");
            TrafficSpec traffic = run.point().traffic();
            if (traffic.kind() == Traffic.TRANSFER && traffic.transfer() == null) {
                throw new IllegalArgumentException("run.point.traffic.transfer is missing");
            }
            announced = Map.copyOf(announced);
        }

        /** Returns the run's point: all its values except the repeat. */
        public Point point() {
            return run.point();
        }
    }

    /**
     * The receiver is ready for the packets of the run.
     *
     * @param announced the announcements of the receiver's transport
     * @param captureFile absolute path of the receiver's capture on its disk
     */
    record Accepted(Map<String, String> announced, String captureFile) implements ControlMessage {
        public Accepted {
            announced = Map.copyOf(announced);
        }
    }

    /** The sender's transport is connected; warm-up packets follow. */
    record Connected() implements ControlMessage {}

    /** The side that sends this still works on the run. The other does not answer. */
    record Alive() implements ControlMessage {}

    /** The sender requests an {@link Interval} each second while packets are recorded. */
    record Watch() implements ControlMessage {}

    /** The warm-up is over except for its last packets, which lead into the recorded ones without a pause. */
    record Begin() implements ControlMessage {}

    /** The receiver has collected garbage and waits. */
    record Begun() implements ControlMessage {}

    /** What the receiver recorded in an interval of a run that the sender watches. */
    record Interval(ReceivedInterval received) implements ControlMessage {
        public Interval {
            StrictJson.requireWithin(received.lost(), 0, received.expected(), "received.lost");
            StrictJson.requireWithin(received.late(), 0, received.received(), "received.late");
        }
    }

    /** All recorded packets were sent, and the lead-out after them. */
    record Done(@Within(min = 1, max = RunParameters.MAXIMUM_PACKETS) long sent) implements ControlMessage {}

    /**
     * The receiver's result. Its files are closed.
     *
     * @param counts the packets
     * @param side the receiver's host, JVM and metadata, for {@code run.json}
     * @param captureRecords the number of records in the capture
     * @param clockSteps the steps of the receiver's clock during the run
     * @param load see {@link RunRecord.Machine#receiver}
     * @param files the receiver's files of the run, including the capture; see {@link RunFileNames}
     */
    record Counted(
            RunRecord.Counts counts,
            RunRecord.Side side,
            @Within long captureRecords,
            @Within(max = 1_000) List<ClockStep> clockSteps,
            List<HostLoad> load,
            List<String> files)
            implements ControlMessage {
        public Counted {
            load = List.copyOf(load);
            StrictJson.requireWithin(load.size(), 0, RunRecord.Machine.READINGS, "load");
            side.metadata().forEach((name, value) -> {
                if (!(value instanceof Number
                        || value instanceof Boolean
                        || value instanceof String
                        || isErrorCounts(value))) {
                    throw new IllegalArgumentException("side.metadata." + name
                            + " is neither a number nor true, false, text or counts by the names of errors");
                }
            });
            clockSteps = List.copyOf(clockSteps);
            long leftNs = Within.LATEST_NS; // so that the sum of the steps does not overflow
            for (ClockStep step : clockSteps) {
                StrictJson.requireWithin(step.sizeNs(), -leftNs, leftNs, "clockSteps.sizeNs");
                leftNs -= Math.abs(step.sizeNs());
            }
            files = names(files, RunFileNames::isReceivers);
        }

        private static boolean isErrorCounts(Object value) {
            return value instanceof Map<?, ?> counts
                    && counts.entrySet().stream()
                            .allMatch(count -> count.getValue() instanceof Number
                                    && PacketError.isName(String.valueOf(count.getKey())));
        }
    }

    /** Requests one of the other side's files by its name in {@link Counted#files} or {@link Recorded#files}. */
    record Fetch(String file) implements ControlMessage {
        public Fetch {
            names(List.of(file), RunFileNames::isName);
        }
    }

    /** The size and SHA-256 (in hexadecimal) of the requested file; its bytes follow. */
    record Capture(@Within long bytes, String sha256) implements ControlMessage {}

    /**
     * A refusal.
     *
     * @param reason decides the exit code of the sender
     * @param text a sentence for the user; after an interruption only its beginning, "Interrupted", to which the sender
     *     adds the progress of the run
     */
    record Refused(Refusal reason, String text) implements ControlMessage {}

    /** Starts a two-way exchange, with the sender's clock just before it sent this, CLOCK_REALTIME in ns. */
    record Ping(long sentNs) implements ControlMessage {}

    /**
     * The reply to {@link Ping}.
     *
     * @param sentNs as in the {@link Ping}
     * @param receivedNs the receiver's clock just after it read the {@link Ping}
     * @param repliedNs the receiver's clock just before it sent this
     */
    record Pong(
            long sentNs,
            @Within(max = Within.LATEST_NS) long receivedNs,
            @Within(max = Within.LATEST_NS) long repliedNs)
            implements ControlMessage {}

    /** Asks the receiver's host a question. */
    record Ask(Question question) implements ControlMessage {}

    /** The questions of {@link Ask}. */
    enum Question {
        /** The state of the host's clock, answered by {@link ClockIs}. */
        CLOCK,

        /** A description of the host, and ports that echo until the connection is closed; {@link HostIs}. */
        HOST,

        /** How busy the host is, answered by {@link LoadIs}. */
        LOAD,

        /** Readings of two clocks of the host's kernel, answered by {@link ReadingsAre}. */
        READINGS,

        /** Whether the host's kernel permits its observer, answered by {@link ObserverIs}. */
        OBSERVER
    }

    /** The state of the receiver's clock. */
    record ClockIs(ClockState state) implements ControlMessage {}

    /** The receiver's host. */
    record HostIs(ReceiverHost host) implements ControlMessage {}

    /** How busy the receiver's host is. */
    record LoadIs(HostLoad load) implements ControlMessage {}

    /**
     * Whether the kernel permits its observer to the receiver.
     *
     * @param refusal why it does not, as a sentence; null if it does
     */
    record ObserverIs(@Within(min = 1, max = Within.TEXT) @Nullable String refusal) implements ControlMessage {}

    /** Readings of two clocks of the receiver's kernel. */
    record ReadingsAre(ClockReadings readings) implements ControlMessage {}

    /**
     * Requests a socket for two-way exchanges by datagrams ({@link DatagramExchange.Datagram}).
     *
     * @param port the sender's UDP port
     * @param nonce random bytes in hexadecimal, from which the key of the datagrams is derived
     */
    record OpenExchange(
            @Within(min = 1, max = Within.MAXIMUM_PORT) int port, @Within(min = 1, max = Within.TEXT) String nonce)
            implements ControlMessage {}

    /** The reply to {@link OpenExchange}: the receiver's UDP port; −1 if its kernel does not stamp datagrams. */
    record ExchangeOpened(int port) implements ControlMessage {
        /** The port of a receiver whose kernel does not stamp datagrams. */
        static final int NONE = -1;

        public ExchangeOpened {
            if (port != NONE) {
                StrictJson.requireWithin(port, 1, Within.MAXIMUM_PORT, "port");
            }
        }
    }

    /**
     * Requests a sender of one run on the receiver's host. The sender sends only generated data, and only to the host
     * that sent this request and connects to the sender.
     */
    record OpenSender(RunRequest request) implements ControlMessage {}

    /** The reply to {@link OpenSender}: the TCP port at which the sender waits for the receiver. */
    record SenderOpened(@Within(min = 1, max = Within.MAXIMUM_PORT) int port) implements ControlMessage {}

    /** The record of a run that the receiver requested is complete: the sender's files, including the record. */
    record Recorded(List<String> files) implements ControlMessage {
        public Recorded {
            files = names(files, RunFileNames::isSenders);
        }
    }

    /**
     * The run that the next {@link Offer} requests is a monitor's probe: it waits several seconds for other runs to
     * end, and the receiver deletes its files after the sender has copied them.
     */
    record Probe() implements ControlMessage {
        /** How long a probe waits for other runs. */
        public static final Duration TURN_TIMEOUT = Duration.ofSeconds(10);
    }

    /**
     * Requests a run in which the receiver's host sends generated data to a third host. Its receiver must have the same
     * key.
     *
     * @param receiver where the third host's receiver listens, {@code host:port}
     */
    record MakeRun(String receiver, RunRequest request) implements ControlMessage {}

    /** The run that {@link MakeRun} requested is complete: the files of both its sides, the record last. */
    record RunMade(List<String> files) implements ControlMessage {
        public RunMade {
            files = names(files, RunFileNames::isName);
        }
    }

    /** Checks and copies names of files, which become parts of paths on this host. */
    private static List<String> names(List<String> files, Predicate<String> isName) {
        for (String file : files) {
            if (!isName.test(file)) {
                throw new IllegalArgumentException("file is \"" + file + "\", not the name of such a file");
            }
        }
        return List.copyOf(files);
    }

    /**
     * Why a receiver refuses or ends a run. The exit code of the sender follows from it: a peer can choose no other.
     */
    enum Refusal {
        /** The receiver uses another version of the protocol. */
        VERSION(ExitCode.PEER),
        /** The sender's key is missing or wrong. */
        KEY(ExitCode.KEY),
        /** The receiver is busy with other senders. */
        BUSY(ExitCode.PEER),
        /** The receiver does not accept the run. */
        RUN(ExitCode.PEER),
        /** A setting of the run is wrong. */
        SETTING(ExitCode.USAGE),
        /** The receiver's host does not meet a requirement of the run. */
        UNAVAILABLE(ExitCode.UNAVAILABLE),
        /** A file of the receiver cannot be written. */
        FILES(ExitCode.FILES),
        /** The run failed at the receiver. */
        FAILED(ExitCode.BROKEN),
        /** The receiver was interrupted. */
        INTERRUPTED(ExitCode.INTERRUPTED);

        private final ExitCode exitCode;

        Refusal(ExitCode exitCode) {
            this.exitCode = exitCode;
        }

        /** Returns the exit code of the refused sender, never {@link ExitCode#OK}. */
        public ExitCode exitCode() {
            return exitCode;
        }

        /** Returns the reason that fits a failure of the receiver. */
        public static Refusal of(ExitCode failure) {
            return switch (failure) {
                case USAGE -> SETTING;
                case KEY -> KEY;
                case UNAVAILABLE -> UNAVAILABLE;
                case FILES -> FILES;
                case BROKEN -> FAILED;
                case INTERRUPTED -> INTERRUPTED;
                case OK, INTERNAL, PEER, CLOCK, MISSED, UNDECIDED -> RUN;
            };
        }

        /** Returns whether this refusal may end a session before the receiver has proven that it has the key. */
        boolean isBeforeProof() {
            return this == VERSION || this == KEY || this == BUSY;
        }
    }
}

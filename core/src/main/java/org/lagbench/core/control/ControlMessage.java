package org.lagbench.core.control;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.clock.ClockReadings;
import org.lagbench.core.clock.ClockState;
import org.lagbench.core.clock.ClockStep;
import org.lagbench.core.model.HostLoad;
import org.lagbench.core.model.RunParameters;
import org.lagbench.core.run.Point;
import org.lagbench.core.run.Ranges;
import org.lagbench.core.run.RunFileNames;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.RunRequest;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.series.ReceivedInterval;

/**
 * A message between sender and receiver, or between a coordinator and an agent. The package's description has the order
 * of the messages. Its {@code type} is the record's name with hyphens: "open-sender". {@link MessageFormat} rejects
 * incomplete messages, the constructors impossible values.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
public sealed interface ControlMessage {
    /** The version of the protocol, the same on both sides. Every change of a message's form increments it. */
    int PROTOCOL = 17;

    /** The receiver's first message: {@link #PROTOCOL}, 32 random bytes in hexadecimal, whether a key is required. */
    record Hello(int protocol, String nonce, boolean keyNeeded) implements ControlMessage {}

    /** The sender's first message, as {@link Hello}; the key's proof in hexadecimal is null without a key. */
    record Introduction(int protocol, String nonce, @Nullable String proof) implements ControlMessage {}

    /** The receiver has authenticated the sender and proves the key in hexadecimal; null without a key. */
    record Welcome(@Nullable String proof) implements ControlMessage {}

    /**
     * A run that the sender requests.
     *
     * @param run the run; its name is that of the run's directory at the receiver
     * @param leadInPackets number of warm-up packets after {@link Begin}, right before the recorded ones
     * @param leadOutPackets number of packets right after the recorded ones
     * @param nonce random bytes in hexadecimal, from which both sides derive the run's tag
     * @param announced the announcements of the sender's transport
     */
    record Offer(RunSpec run, long leadInPackets, long leadOutPackets, String nonce, Map<String, String> announced)
            implements ControlMessage {
        public Offer {
            Ranges.check(leadInPackets, 0, run.point().warmUpPackets(), "leadInPackets");
            Ranges.check(leadOutPackets, 0, RunParameters.MAXIMUM_PACKETS, "leadOutPackets");
            MessageValues.nonce(nonce);
            MessageValues.traffic(run.point().traffic());
            announced = Map.copyOf(announced);
        }

        /** Returns what the run shares with its repeats. */
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
            MessageValues.interval(received);
        }
    }

    /** All recorded packets were sent, and the lead-out after them. */
    record Done(long sent) implements ControlMessage {
        public Done {
            Ranges.check(sent, 1, RunParameters.MAXIMUM_PACKETS, "sent");
        }
    }

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
            long captureRecords,
            List<ClockStep> clockSteps,
            List<HostLoad> load,
            List<String> files)
            implements ControlMessage {
        public Counted {
            load = List.copyOf(load);
            Ranges.check(load.size(), 0, RunRecord.Machine.READINGS, "load");
            MessageValues.side(side);
            Ranges.check(captureRecords, 0, Long.MAX_VALUE, "captureRecords");
            clockSteps = List.copyOf(clockSteps);
            MessageValues.steps(clockSteps);
            files = MessageValues.names(files, RunFileNames::isReceivers);
        }
    }

    /** Requests one of the other side's files by its name in {@link Counted#files} or {@link Recorded#files}. */
    record Fetch(String file) implements ControlMessage {
        public Fetch {
            MessageValues.names(List.of(file), RunFileNames::isName);
        }
    }

    /** The size and SHA-256 (in hexadecimal) of the requested file; its bytes follow. */
    record Capture(long bytes, String sha256) implements ControlMessage {
        public Capture {
            Ranges.check(bytes, 0, Long.MAX_VALUE, "bytes");
        }
    }

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
     * The answer to {@link Ping}.
     *
     * @param sentNs as in the {@link Ping}
     * @param receivedNs the receiver's clock just after it read the {@link Ping}
     * @param repliedNs the receiver's clock just before it sent this
     */
    record Pong(long sentNs, long receivedNs, long repliedNs) implements ControlMessage {
        public Pong {
            MessageValues.time(receivedNs, "receivedNs");
            MessageValues.time(repliedNs, "repliedNs");
        }
    }

    /** Requests what the receiver's host knows. */
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
        READINGS
    }

    /** The state of the receiver's clock. */
    record ClockIs(ClockState state) implements ControlMessage {
        public ClockIs {
            MessageValues.clock(state);
        }
    }

    /** The receiver's host. */
    record HostIs(ReceiverHost host) implements ControlMessage {}

    /** How busy the receiver's host is. */
    record LoadIs(HostLoad load) implements ControlMessage {}

    /** Readings of two clocks of the receiver's kernel. */
    record ReadingsAre(ClockReadings readings) implements ControlMessage {
        public ReadingsAre {
            MessageValues.time(readings.realtimeNs(), "realtimeNs");
            MessageValues.time(readings.monotonicNs(), "monotonicNs");
            MessageValues.time(readings.bracketNs(), "bracketNs");
        }
    }

    /**
     * Requests a socket for two-way exchanges by datagrams ({@link ExchangeDatagram}).
     *
     * @param port the sender's UDP port
     * @param nonce random bytes in hexadecimal, from which the key of the datagrams is derived
     */
    record OpenExchange(int port, String nonce) implements ControlMessage {
        public OpenExchange {
            MessageValues.nonce(nonce);
            MessageValues.port(port, "port");
        }
    }

    /** The answer to {@link OpenExchange}: the receiver's UDP port; −1 if its kernel does not stamp datagrams. */
    record ExchangeOpened(int port) implements ControlMessage {
        /** The port of a receiver whose kernel does not stamp datagrams. */
        static final int NONE = -1;

        public ExchangeOpened {
            if (port != NONE) {
                MessageValues.port(port, "port");
            }
        }
    }

    /**
     * Requests a sender of one run on the receiver's host. It sends only to the host that connects to it, which must be
     * the one that sent this, and only generated data.
     */
    record OpenSender(RunRequest request) implements ControlMessage {}

    /** The answer to {@link OpenSender}: the TCP port at which the sender waits for the receiver. */
    record SenderOpened(int port) implements ControlMessage {
        public SenderOpened {
            MessageValues.port(port, "port");
        }
    }

    /** The record of a run that the receiver requested is complete: the sender's files, including the record. */
    record Recorded(List<String> files) implements ControlMessage {
        public Recorded {
            files = MessageValues.names(files, RunFileNames::isSenders);
        }
    }

    /**
     * The run that the next {@link Offer} requests is a monitor's probe: it waits several seconds for other runs to
     * end, and the receiver deletes its files after the sender has copied them.
     */
    record Probe() implements ControlMessage {}

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
            files = MessageValues.names(files, RunFileNames::isName);
        }
    }
}

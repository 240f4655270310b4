package org.lagbench.core.control;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.capture.ReceiverFiles;
import org.lagbench.core.clock.ClockState;
import org.lagbench.core.clock.ClockStep;
import org.lagbench.core.run.Observation;
import org.lagbench.core.run.RunRecord;

/**
 * The messages between sender and receiver about a run, over TCP, in this order:
 *
 * <pre>
 *  sender                                   receiver
 *     |  ------------ connects ------------->  |
 *     |  <----------- Hello -----------------  |  version, nonce, whether a key is required
 *     |  ------------ Introduction --------->  |  version, nonce, proof of the key
 *     |  <----------- Welcome ---------------  |  proof of the key
 *     |  ------------ Offer ---------------->  |  the run, and the transport's announcements
 *     |  <----------- Accepted --------------  |  the transport's announcements, where to connect
 *     |  ------------ Connected ------------>  |
 *     |  ============ warm-up packets ======>  |
 *     |  ------------ Begin ---------------->  |  both sides collect garbage
 *     |  <----------- Begun -----------------  |
 *     |  ============ recorded packets =====>  |
 *     |  ------------ Done ----------------->  |
 *     |  <----------- Counted ---------------  |
 *     |  ------------ Fetch ---------------->  |  a file, if the receiver has another disk
 *     |  <----------- Capture, bytes --------  |
 * </pre>
 *
 * At any time from {@link Welcome} to {@link Done}, and again after {@link Counted}, the sender may send {@link Ping},
 * answered by {@link Pong}, and {@link AskClock}, answered by {@link ClockIs}.
 *
 * <p>The receiver may send {@link Refused} instead of its next message, when it cannot receive more packets, or when it
 * is interrupted. The constructors reject incomplete messages.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(value = ControlMessage.Hello.class, name = "hello"),
    @JsonSubTypes.Type(value = ControlMessage.Introduction.class, name = "introduction"),
    @JsonSubTypes.Type(value = ControlMessage.Welcome.class, name = "welcome"),
    @JsonSubTypes.Type(value = ControlMessage.Offer.class, name = "offer"),
    @JsonSubTypes.Type(value = ControlMessage.Accepted.class, name = "accepted"),
    @JsonSubTypes.Type(value = ControlMessage.Connected.class, name = "connected"),
    @JsonSubTypes.Type(value = ControlMessage.Begin.class, name = "begin"),
    @JsonSubTypes.Type(value = ControlMessage.Begun.class, name = "begun"),
    @JsonSubTypes.Type(value = ControlMessage.Done.class, name = "done"),
    @JsonSubTypes.Type(value = ControlMessage.Counted.class, name = "counted"),
    @JsonSubTypes.Type(value = ControlMessage.Fetch.class, name = "fetch"),
    @JsonSubTypes.Type(value = ControlMessage.Capture.class, name = "capture"),
    @JsonSubTypes.Type(value = ControlMessage.Refused.class, name = "refused"),
    @JsonSubTypes.Type(value = ControlMessage.Ping.class, name = "ping"),
    @JsonSubTypes.Type(value = ControlMessage.Pong.class, name = "pong"),
    @JsonSubTypes.Type(value = ControlMessage.AskClock.class, name = "ask-clock"),
    @JsonSubTypes.Type(value = ControlMessage.ClockIs.class, name = "clock-is")
})
public sealed interface ControlMessage {
    /** The version of the protocol, the same on both sides. Every change of a message's form increments it. */
    int PROTOCOL = 5;

    /** The receiver's first message: {@link #PROTOCOL}, 32 random bytes in hexadecimal, whether a key is required. */
    record Hello(int protocol, String nonce, boolean keyNeeded) implements ControlMessage {
        public Hello {
            Objects.requireNonNull(nonce);
        }
    }

    /** The sender's first message, as {@link Hello}; the key's proof in hexadecimal is null without a key. */
    record Introduction(int protocol, String nonce, @Nullable String proof) implements ControlMessage {
        public Introduction {
            Objects.requireNonNull(nonce);
        }
    }

    /** The receiver has authenticated the sender and proves the key in hexadecimal; null without a key. */
    record Welcome(@Nullable String proof) implements ControlMessage {}

    /**
     * A run that the sender requests.
     *
     * @param name names the run's directory at the receiver
     * @param transport the transport's name
     * @param packetBytes size of each packet in bytes
     * @param packets packets to record
     * @param warmUpPackets packets before them
     * @param leadInPackets warm-up packets after {@link Begin}, right before the recorded ones
     * @param flood whether packets are sent as fast as possible
     * @param tag the run's tag, in hexadecimal
     * @param settings the transport's settings as text
     * @param engine the engine's name
     * @param observe recordings of both sides besides the packets' stamps
     * @param drainMs how long to wait for late packets, in ms
     * @param announced the announcements of the sender's transport
     */
    record Offer(
            String name,
            String transport,
            int packetBytes,
            long packets,
            long warmUpPackets,
            long leadInPackets,
            boolean flood,
            String tag,
            Map<String, String> settings,
            String engine,
            Set<Observation> observe,
            long drainMs,
            Map<String, String> announced)
            implements ControlMessage {
        public Offer {
            Objects.requireNonNull(name);
            Objects.requireNonNull(transport);
            Objects.requireNonNull(tag);
            settings = Map.copyOf(settings);
            Objects.requireNonNull(engine);
            observe = Set.copyOf(observe);
            announced = Map.copyOf(announced);
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
            Objects.requireNonNull(captureFile);
        }
    }

    /** The sender's transport is connected; warm-up packets follow. */
    record Connected() implements ControlMessage {}

    /** The warm-up is over except for its last packets, which lead into the recorded ones without a pause. */
    record Begin() implements ControlMessage {}

    /** The receiver has collected garbage and waits. */
    record Begun() implements ControlMessage {}

    /** The last of so many recorded packets was sent. */
    record Done(long sent) implements ControlMessage {}

    /**
     * The receiver's result. Its files are closed.
     *
     * @param counts the packets
     * @param side the receiver
     * @param captureRecords the number of records in the capture
     * @param clockSteps the steps of the receiver's clock during the run
     * @param files the receiver's files of the run, including the capture; see {@link ReceiverFiles}
     */
    record Counted(
            RunRecord.Counts counts,
            RunRecord.Side side,
            long captureRecords,
            List<ClockStep> clockSteps,
            List<String> files)
            implements ControlMessage {
        public Counted {
            Objects.requireNonNull(counts);
            Objects.requireNonNull(side);
            clockSteps = List.copyOf(clockSteps);
            files = List.copyOf(files);
            files.forEach(ControlMessage::requireName);
        }
    }

    /** The sender requests one of the receiver's files by its name in {@link Counted#files}. */
    record Fetch(String file) implements ControlMessage {
        public Fetch {
            requireName(file);
        }
    }

    /** The size and SHA-256 (in hexadecimal) of the requested file; its bytes follow. */
    record Capture(long bytes, String sha256) implements ControlMessage {
        public Capture {
            Objects.requireNonNull(sha256);
        }
    }

    /**
     * A refusal.
     *
     * @param reason a sentence for the user; after an interruption only its beginning, "Interrupted", to which the
     *     sender adds the progress of the run
     * @param exitCode name of the {@link org.lagbench.core.failure.ExitCode} for the peer
     */
    record Refused(String reason, String exitCode) implements ControlMessage {
        public Refused {
            Objects.requireNonNull(reason);
            Objects.requireNonNull(exitCode);
        }
    }

    /** Starts a two-way exchange, with the sender's clock just before it sent this, CLOCK_REALTIME in ns. */
    record Ping(long sentNs) implements ControlMessage {}

    /**
     * The answer to {@link Ping}.
     *
     * @param sentNs as in the {@link Ping}
     * @param receivedNs the receiver's clock just after it read the {@link Ping}
     * @param repliedNs the receiver's clock just before it sent this
     */
    record Pong(long sentNs, long receivedNs, long repliedNs) implements ControlMessage {}

    /** Requests the state of the receiver's clock. */
    record AskClock() implements ControlMessage {}

    /** The answer to {@link AskClock}. */
    record ClockIs(ClockState state) implements ControlMessage {
        public ClockIs {
            Objects.requireNonNull(state);
        }
    }

    private static void requireName(String file) {
        if (!ReceiverFiles.isName(file)) {
            throw new IllegalArgumentException("\"" + file + "\" is not the name of a receiver's file");
        }
    }
}

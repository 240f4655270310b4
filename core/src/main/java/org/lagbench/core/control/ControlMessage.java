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
 * What sender and receiver say to each other about a run, over TCP, in this order:
 *
 * <pre>
 *  sender                                   receiver
 *     |  ------------ connects ------------->  |
 *     |  <----------- Hello -----------------  |  version, nonce, whether a key is needed
 *     |  ------------ Introduction --------->  |  version, nonce, proof of the key
 *     |  <----------- Welcome ---------------  |  proof of the key
 *     |  ------------ Offer ---------------->  |  the run, and what the transport announces
 *     |  <----------- Accepted --------------  |  what the transport announces, where to connect
 *     |  ------------ Connected ------------>  |
 *     |  ============ warm-up packets ======>  |
 *     |  ------------ Begin ---------------->  |  both collect their garbage
 *     |  <----------- Begun -----------------  |
 *     |  ============ recorded packets =====>  |
 *     |  ------------ Done ----------------->  |
 *     |  <----------- Counted ---------------  |
 *     |  ------------ Fetch ---------------->  |  a file, only if it is on another disk
 *     |  <----------- Capture, bytes --------  |
 * </pre>
 *
 * At any time from {@link Welcome} to {@link Done}, and again after {@link Counted}, the sender may send {@link Ping},
 * answered by {@link Pong}, and {@link AskClock}, answered by {@link ClockIs}.
 *
 * <p>The receiver may say {@link Refused} in place of its next message, when it can take no more packets, or when it is
 * interrupted. A message that lacks a part is no message: the constructors refuse null where it has no meaning.
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
    /**
     * Version of this conversation; both sides must have the same. It is raised whenever the form of a message changes.
     */
    int PROTOCOL = 5;

    /**
     * The receiver's first word.
     *
     * @param protocol {@link #PROTOCOL}
     * @param nonce 32 random bytes in hexadecimal
     * @param keyNeeded whether the sender must prove a shared key
     */
    record Hello(int protocol, String nonce, boolean keyNeeded) implements ControlMessage {
        public Hello {
            Objects.requireNonNull(nonce);
        }
    }

    /**
     * The sender's first word.
     *
     * @param protocol {@link #PROTOCOL}
     * @param nonce 32 random bytes in hexadecimal
     * @param proof of the shared key, in hexadecimal; null without a key
     */
    record Introduction(int protocol, String nonce, @Nullable String proof) implements ControlMessage {
        public Introduction {
            Objects.requireNonNull(nonce);
        }
    }

    /**
     * The receiver takes the sender for a friend.
     *
     * @param proof of the shared key, in hexadecimal; null without a key
     */
    record Welcome(@Nullable String proof) implements ControlMessage {}

    /**
     * A run that the sender would like to make.
     *
     * @param name names the run's directory at the receiver
     * @param transport the transport's name
     * @param packetBytes size of each packet in bytes
     * @param packets how many packets are recorded
     * @param warmUpPackets how many go before them
     * @param leadInPackets how many of these come after {@link Begin}, right before the recorded ones
     * @param flood whether packets follow one another as fast as they can be sent
     * @param tag the run's tag, in hexadecimal
     * @param settings the transport's settings as text
     * @param engine the name of what sends and receives
     * @param observe what both sides record beside the packets' stamps
     * @param drainMs how long to wait for stragglers, in ms
     * @param announced what the sender's transport announces
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
     * @param announced what the receiver's transport announces
     * @param captureFile absolute path of the receiver's capture on its own disk
     */
    record Accepted(Map<String, String> announced, String captureFile) implements ControlMessage {
        public Accepted {
            announced = Map.copyOf(announced);
            Objects.requireNonNull(captureFile);
        }
    }

    /** The sender's transport is connected; warm-up packets follow. */
    record Connected() implements ControlMessage {}

    /** The warm-up is over but for its last packets, which lead into the recorded ones without a pause. */
    record Begin() implements ControlMessage {}

    /** The receiver has collected its garbage and waits. */
    record Begun() implements ControlMessage {}

    /**
     * The last packet has been sent.
     *
     * @param sent how many recorded packets were sent
     */
    record Done(long sent) implements ControlMessage {}

    /**
     * What the receiver got. Its files are closed.
     *
     * @param counts the packets
     * @param side the receiver
     * @param captureRecords how many records the capture holds
     * @param clockSteps the times that the receiver's clock was set meanwhile
     * @param files names of the files that it keeps of the run, the capture among them; see {@link ReceiverFiles}
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

    /**
     * The sender wants one of the receiver's files.
     *
     * @param file its name, as the receiver told it
     */
    record Fetch(String file) implements ControlMessage {
        public Fetch {
            requireName(file);
        }
    }

    /**
     * The file that was asked for; its bytes follow at once.
     *
     * @param bytes how many
     * @param sha256 their SHA-256 in hexadecimal
     */
    record Capture(long bytes, String sha256) implements ControlMessage {
        public Capture {
            Objects.requireNonNull(sha256);
        }
    }

    /**
     * No, and why.
     *
     * @param reason a sentence for the user; with the exit code of an interruption the beginning of one, "Interrupted",
     *     which the sender goes on with how far the run had come
     * @param exitCode name of the {@link org.lagbench.core.failure.ExitCode} that the peer should end with
     */
    record Refused(String reason, String exitCode) implements ControlMessage {
        public Refused {
            Objects.requireNonNull(reason);
            Objects.requireNonNull(exitCode);
        }
    }

    /**
     * A question whose answer's stamps bound the offset of the two clocks.
     *
     * @param sentNs the sender's clock just before it asked, CLOCK_REALTIME in ns
     */
    record Ping(long sentNs) implements ControlMessage {}

    /**
     * The answer to {@link Ping}.
     *
     * @param sentNs as in the question
     * @param receivedNs the receiver's clock just after it read the question
     * @param repliedNs the receiver's clock just before it answered
     */
    record Pong(long sentNs, long receivedNs, long repliedNs) implements ControlMessage {}

    /** Asks what the receiver's time daemon says of its clock. */
    record AskClock() implements ControlMessage {}

    /**
     * The answer to {@link AskClock}.
     *
     * @param state of the receiver's clock
     */
    record ClockIs(ClockState state) implements ControlMessage {
        public ClockIs {
            Objects.requireNonNull(state);
        }
    }

    private static void requireName(String file) {
        if (!ReceiverFiles.isName(file)) {
            throw new IllegalArgumentException("\"" + file + "\" is no name of a receiver's file");
        }
    }
}

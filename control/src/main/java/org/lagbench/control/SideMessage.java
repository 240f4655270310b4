package org.lagbench.control;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.clock.ChronyClient;
import org.lagbench.core.clock.Durations;
import org.lagbench.core.clock.RealtimeClock;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.Within;
import org.lagbench.core.key.SharedKey;
import org.lagbench.core.run.LocalEnd;
import org.lagbench.core.run.RunRequest;
import org.lagbench.core.text.Endpoint;
import org.lagbench.core.text.Units;
import org.lagbench.core.timeseries.ReceivedInterval;

/**
 * A message between a sender or receiver and the program that has started it: what {@link ControlMessage} is between
 * hosts. It travels over the pipes of the side's standard input and output, see {@link SidePipe}, which no other user
 * can read.
 */
public sealed interface SideMessage {
    /** What a program asks of the side that it has started. The side executes one request after the other. */
    sealed interface Request extends SideMessage {
        /** Returns whether the side waits for {@link Start} after the warm-up. */
        default boolean waitsForStart() {
            return false;
        }

        /** Returns whether the side ends afterwards; else it waits for another request. */
        default boolean endsAfterwards() {
            return true;
        }
    }

    /** What a side reports. */
    sealed interface Event extends SideMessage {
        /** Returns this event for a person who has started the side; empty if it is of no interest. */
        default String text() {
            return "";
        }
    }

    /**
     * The run of a {@link Request}.
     *
     * @param directory parent of the run's directory
     * @param chrony the address of this host's chronyd
     * @param key shared with the other side; null for none
     */
    record SideRun(RunRequest request, String directory, Endpoint chrony, @Nullable SharedKey key) {
        /** Returns a client of this host's chronyd. */
        public ChronyClient chronyClient() throws LagbenchException {
            return new ChronyClient(chrony.resolve());
        }
    }

    /**
     * Send the packets of a run to a receiver.
     *
     * @param receiver where it listens
     * @param dataHost the receiver's address for packets; null if it is that of the control connection
     * @param local this host's end of the packets
     * @param probes whether the receiver makes the run wait for others, and deletes its files
     * @param reportsIntervals whether to report what the receiver recorded in each second
     */
    record Send(
            SideRun run,
            Endpoint receiver,
            @Nullable String dataHost,
            LocalEnd local,
            boolean probes,
            boolean waitsForStart,
            boolean reportsIntervals,
            boolean endsAfterwards)
            implements Request {}

    /**
     * Send the packets of a run to the receiver on another host that has requested it, and that connects.
     *
     * @param listen where to wait for it; port 0 selects a free port
     * @param receiverHost the only host whose connection is accepted
     * @param local this host's end of the packets
     * @param keepsFiles whether this host keeps its files of the run
     */
    record SendToRequester(SideRun run, Endpoint listen, String receiverHost, LocalEnd local, boolean keepsFiles)
            implements Request {}

    /**
     * Receive the packets of a run from a sender that connects.
     *
     * @param listen where to wait for it; port 0 selects a free port
     * @param local this host's end of the packets
     */
    record Receive(SideRun run, Endpoint listen, LocalEnd local) implements Request {}

    /**
     * Request a sender on another host, and receive its packets.
     *
     * @param server where {@code lagbench serve} listens on that host
     * @param local this host's end of the packets
     */
    record ReceiveFrom(SideRun run, Endpoint server, LocalEnd local, boolean waitsForStart) implements Request {}

    /**
     * Serve the runs of senders, receivers and coordinators on other hosts.
     *
     * @param listen where to wait for them; port 0 selects a free port
     * @param access the keys, and what they grant
     * @param local this host's end of the packets
     * @param directory parent of the directories of the runs
     * @param chrony the address of this host's chronyd
     * @param keepsStamps whether this host keeps its stamps after each run
     * @param runs the number of runs after which the side ends; 0 for no limit
     * @param senderCommand the beginning of the command line of senders that others request; empty if this host does
     *     not send
     */
    record Serve(
            Endpoint listen,
            Access access,
            LocalEnd local,
            String directory,
            Endpoint chrony,
            boolean keepsStamps,
            @Within int runs,
            List<String> senderCommand)
            implements Request {
        public Serve {
            senderCommand = List.copyOf(senderCommand);
        }

        /** Returns the same request with this host as a sender of the runs that others request. */
        public Serve withSenders(List<String> command) {
            return new Serve(listen, access, local, directory, chrony, keepsStamps, runs, command);
        }
    }

    /** The first recorded packet is due at this time, CLOCK_REALTIME in ns; for a side that is {@link Ready}. */
    record Start(@Within(max = Within.LATEST_NS) long dueNs) implements SideMessage {}

    /** Interrupts the side like a signal. The end of its standard input alone means that its parent has died. */
    record Interrupt() implements SideMessage {}

    /** The receiver waits for senders, or the sender for its receiver. */
    record Listening(Endpoint address) implements Event {
        @Override
        public String text() {
            return "listening on " + address;
        }
    }

    /** The sender waits for the clocks or for other programs; a sentence. */
    record Waiting(String sentence) implements Event {
        @Override
        public String text() {
            return sentence;
        }
    }

    /** The warm-up is over, and the side waits for {@link Start}. */
    record Ready() implements Event {}

    /** The first recorded packet is due at this time, CLOCK_REALTIME in ns. */
    record Recording(@Within(max = Within.LATEST_NS) long dueNs) implements Event {
        @Override
        public String text() {
            long inMs = Math.max(0, Math.round((dueNs - RealtimeClock.nowNs()) / Units.NS_PER_MS));
            return "the recorded packets begin in " + Durations.format((long) (inMs * Units.NS_PER_MS));
        }
    }

    /** What the receiver recorded in a second. */
    record Interval(ReceivedInterval received) implements Event {}

    /** A sentence for the user, such as that no packet arrived. */
    record Warning(String sentence) implements Event {
        @Override
        public String text() {
            return "warning: " + sentence;
        }
    }

    /** The run is complete. */
    record Completed() implements Event {}
}

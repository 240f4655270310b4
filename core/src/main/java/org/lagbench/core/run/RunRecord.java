package org.lagbench.core.run;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.clock.ClockBound;
import org.lagbench.core.clock.ClockHistory;
import org.lagbench.core.clock.KernelIdentity;
import org.lagbench.core.clock.OffsetInterval;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.AtomicFile;
import org.lagbench.core.file.Checksums;
import org.lagbench.core.file.StrictJson;
import org.lagbench.core.file.Within;
import org.lagbench.core.model.HostLoad;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The specification and the outcome of one run: the file {@code run.json} next to its captures. It is written when the
 * run begins, so that the stamps of a killed run can be read, and again when it ends. Times are ISO-8601 in UTC.
 *
 * @param transportTitle the transport's name in tables
 * @param state whether the run was completed
 * @param failure why it was not, a sentence
 * @param startedAt when the first recorded packet was about to be sent; of a run without one, when it began
 * @param endedAt null while the run is running
 * @param sender the sending side
 * @param receiver the receiving side; null if it reported nothing
 * @param counts the receiver's counts; null if it reported nothing
 * @param clock the relation of the two sides' clocks; null if the receiver reported nothing
 * @param machine how busy the two hosts were; null if unknown
 * @param lab the emulated network of the run; null if there was none
 */
public record RunRecord(
        RunSpec run,
        String transportTitle,
        State state,
        @Nullable String failure,
        Instant startedAt,
        @Nullable Instant endedAt,
        Side sender,
        @Nullable Side receiver,
        @Nullable Counts counts,
        @Nullable Clock clock,
        @Nullable Machine machine,
        @Nullable LabRecord lab) {
    /** The file's name in a run's directory. */
    public static final String FILE_NAME = "run.json";

    /** The format and its version. */
    public static final String FORMAT = "lagbench-run-2";

    public RunRecord {
        if (counts != null) {
            StrictJson.requireWithin(counts.distinct(), 0, run.point().packets(), "counts.distinct");
        }
    }

    /** Returns the name of the run. */
    public String name() {
        return run.name();
    }

    /** Returns the run's point: all its values except the repeat. */
    public Point point() {
        return run.point();
    }

    /**
     * Returns whether observed windows follow the packets that were asked for. A run can have none although its point
     * has: where all packets were observed, or nothing could be.
     */
    public boolean hasWindows() {
        return point().hasWindows() && sender.metadata().containsKey(ObservedWindows.SEED);
    }

    /** Returns what the sides decided to observe; null if the point did not leave that to them. */
    public @Nullable DecidedObservation decision() {
        return sender.metadata(DecidedObservation.class);
    }

    /** Returns the number of packets that both sides stamp if the run is complete. */
    public long stampedPackets() {
        return hasWindows() ? point().stampedPackets() : point().packets();
    }

    /** Returns its members as they are stored. */
    public JsonNode json() {
        return StrictJson.tree(this);
    }

    /** Writes the record into the directory of its run. A reader sees all of it or nothing. */
    public void write(Path runDirectory) throws LagbenchException {
        ObjectNode tree = JsonNodeFactory.instance.objectNode().put("format", FORMAT);
        tree.setAll((ObjectNode) json());
        AtomicFile.write(runDirectory.resolve(FILE_NAME), StrictJson.indented(tree));
    }

    /** Adds the network that the run was executed over to its record. */
    public static void addLab(Path runDirectory, LabRecord lab) throws LagbenchException {
        Path file = runDirectory.resolve(FILE_NAME);
        Checksums.rewrite(
                file, StrictJson.indented(StrictJson.read(file, FORMAT).set("lab", StrictJson.tree(lab))));
    }

    /** Corrects the state of a run whose network failed after it was complete, or whose sender was killed. */
    public static void correct(Path runDirectory, State state, String failure) throws LagbenchException {
        Path file = runDirectory.resolve(FILE_NAME);
        ObjectNode record =
                StrictJson.read(file, FORMAT).put("state", state.name()).put("failure", failure);
        if (record.path("endedAt").isNull()) {
            record.put("endedAt", Instant.now().toString());
        }
        Checksums.rewrite(file, StrictJson.indented(record));
    }

    /**
     * Reads the record of a run, and refuses what no run can have written.
     *
     * @throws LagbenchException with {@link ExitCode#FILES}, the file and the member, if it cannot be read or used
     */
    public static RunRecord read(Path runDirectory) throws LagbenchException {
        return StrictJson.read(runDirectory.resolve(FILE_NAME), FORMAT, RunRecord.class);
    }

    /** The state of a run. */
    public enum State {
        /** Packets are sent, or all processes of the run were killed before they could write another record. */
        RUNNING,
        /** All packets were sent and the receiver reported its counts. */
        COMPLETE,
        /** The run ended early because a peer vanished or the network failed. */
        BROKEN,
        /** The user interrupted the run. */
        INTERRUPTED
    }

    /**
     * One side of a run.
     *
     * @param host the host's name
     * @param bootId the running kernel's boot identifier; two processes with the same one share a clock, unless one
     *     machine is a copy of the other
     * @param java version of the JVM
     * @param metadata values that the transport was granted and counts on this side, and the entries of
     *     {@link SideFacts}
     */
    public record Side(
            @Within(max = Within.TEXT) String host,
            @Within(max = Within.TEXT) String bootId,
            @Within(max = Within.TEXT) String java,
            @Within(max = 1_000) Map<String, Object> metadata) {
        /** Returns the side on this host, with the transport's metadata. */
        public static Side ofThisHost(Map<String, Object> metadata) {
            return new Side(
                    thisHost(), KernelIdentity.bootId(), Runtime.version().toString(), Map.copyOf(metadata));
        }

        /**
         * Returns what the side recorded about itself.
         *
         * @return null if it did not record this, or not all of it
         */
        public <T extends Record & SideFacts> @Nullable T metadata(Class<T> type) {
            return SideFacts.read(metadata, type);
        }

        /** Returns the kernel's name of this host, which needs no resolver. */
        public static String thisHost() {
            return KernelIdentity.hostName();
        }
    }

    /**
     * The receiver's counts of the recorded packets that were asked for.
     *
     * @param received packets received, copies included
     * @param distinct packets received at least once
     * @param duplicated copies beyond the first
     * @param reordered first copies received after one with a greater sequence number
     * @param foreign packets of other runs
     * @param unrecorded packets for which the capture had no room
     * @param kernelDrops packets that the receiving host dropped because a buffer was full; −1 if unknown
     * @param windows the packets of observed windows, which are in no other count; null without windows
     */
    public record Counts(
            @Within long received,
            long distinct,
            long duplicated,
            long reordered,
            @Within long foreign,
            long unrecorded,
            @Within(min = -1) long kernelDrops,
            @Nullable WindowCounts windows) {
        public Counts {
            StrictJson.requireWithin(distinct, 0, received, "distinct");
            StrictJson.requireWithin(duplicated, 0, received, "duplicated");
            StrictJson.requireWithin(reordered, 0, distinct, "reordered");
            StrictJson.requireWithin(unrecorded, 0, received, "unrecorded");
        }

        /** Returns the number of records in a complete capture of these packets. */
        public long records() {
            return received - unrecorded + (windows == null ? 0 : windows.received());
        }
    }

    /**
     * The receiver's counts of the packets of observed windows.
     *
     * @param received packets received, copies included
     * @param distinct packets received at least once
     * @param reordered first copies received after one with a greater sequence number
     */
    public record WindowCounts(@Within long received, long distinct, long reordered) {
        public WindowCounts {
            StrictJson.requireWithin(distinct, 0, received, "distinct");
            StrictJson.requireWithin(reordered, 0, distinct, "reordered");
        }
    }

    /**
     * How busy the two hosts were. Each list has readings before the run, at the begin and at the end of its recorded
     * packets, and after it; it is shorter if the run ended early, or the side reported nothing.
     *
     * @param maximumOtherLoadPpm the part of the CPU time in millionths above which other programs' load is a mark
     */
    public record Machine(
            @Within(max = MachinePolicy.ALL_PPM) int maximumOtherLoadPpm,
            List<HostLoad> sender,
            List<HostLoad> receiver) {
        /** The number of readings of a side. */
        public static final int READINGS = 4;

        public Machine {
            sender = List.copyOf(sender);
            receiver = List.copyOf(receiver);
        }
    }

    /**
     * The relation of the two clocks: their difference, receiver minus sender, is within ± the bound.
     *
     * @param boundNs ± the error of a lag because of the clocks, in ns; null if unknown
     * @param basis the basis of the bound
     * @param accepted whether the run was executed although the bound exceeded the experiment's limit
     * @param marks warnings about the clocks, one sentence each
     * @param sender the states and steps of the sender's clock before, during and after the run
     * @param receiver the states and steps of the receiver's clock
     * @param twoWay the offset as bounded by two-way exchanges, in the order of time
     */
    public record Clock(
            @Within(max = Long.MAX_VALUE / 2) @Nullable Long boundNs,
            ClockBound.Basis basis,
            boolean accepted,
            List<String> marks,
            ClockHistory sender,
            ClockHistory receiver,
            List<OffsetInterval> twoWay) {
        /** Returns the sum of the sizes of the steps of both clocks, in ns. */
        public long totalStepNs() {
            return sender.totalStepNs() + receiver.totalStepNs();
        }

        /** Returns whether one of the clocks was stepped during the run. */
        public boolean wasStepped() {
            return !sender.steps().isEmpty() || !receiver.steps().isEmpty();
        }
    }

    /**
     * The emulated network of a run.
     *
     * @param network the description in YAML
     * @param rateBitsPerS rate of the link from the run's sender to its receiver in bit/s, 0 for unlimited
     * @param capacityPacketsPerS the most of the run's packets that this link carries per second, see
     *     {@link LinkCapacity}; null if unlimited
     * @param stations the counts of each place during the run, warm-up included
     */
    public record LabRecord(
            String name,
            String network,
            @Within long rateBitsPerS,
            @Nullable Double capacityPacketsPerS,
            List<Station> stations) {
        public LabRecord {
            stations = List.copyOf(stations);
            if (capacityPacketsPerS != null && !(capacityPacketsPerS > 0)) {
                throw new IllegalArgumentException("capacityPacketsPerS is " + capacityPacketsPerS + ", not above 0");
            }
        }

        /**
         * A place where a lab counts packets, and its counts by name.
         *
         * @param place the place, for people: "queue of sender", "relay forward"
         */
        public record Station(String place, Map<String, Long> counts) {
            public Station {
                counts = Map.copyOf(counts);
            }

            /** Returns the counts since an earlier reading of the same place. */
            public Station since(Station earlier) {
                Map<String, Long> difference = new TreeMap<>();
                counts.forEach((name, count) ->
                        difference.put(name, count - earlier.counts().getOrDefault(name, 0L)));
                return new Station(place, difference);
            }
        }
    }
}

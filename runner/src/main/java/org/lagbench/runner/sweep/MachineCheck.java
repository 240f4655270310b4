package org.lagbench.runner.sweep;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.key.SharedKey;
import org.lagbench.core.model.Settings;
import org.lagbench.core.model.Transport;
import org.lagbench.core.model.Transports;
import org.lagbench.core.model.Tuning.Knob;
import org.lagbench.core.run.Engines;
import org.lagbench.core.run.RunSpec;
import org.lagbench.experiment.Experiment;
import org.lagbench.packetio.socket.SocketBuffer;

/**
 * Checks that this machine can execute runs: has the engine and supports the settings of each, with each combination
 * checked once, has space for the stamps, and allows the socket buffers.
 */
public final class MachineCheck {
    /** Stamps that take less space are not worth a note. */
    private static final long NOTED_BYTES = 1_000_000_000;

    private final Transports transports = Transports.load();
    private final Engines engines = Engines.load();
    private final Map<Requirement, Optional<LagbenchException>> reasons = new HashMap<>();

    private record Requirement(String transport, String engine, Settings settings) {}

    /**
     * Checks that this machine has the engines and the key of an experiment, and supports the settings of its
     * transports.
     *
     * @param skipUnavailable whether runs that this machine cannot make will be left out
     * @throws LagbenchException if not; the message states the remedy
     */
    public static void check(Experiment experiment, boolean skipUnavailable) throws LagbenchException {
        if (experiment.path().keyFile() != null) {
            SharedKey.read(experiment.path().keyFile()); // checked also if both sides are on this host, and need no key
        }
        MachineCheck check = new MachineCheck();
        for (RunSpec run : experiment.runs(0)) {
            LagbenchException reason = check.reason(run);
            if (reason != null && !(skipUnavailable && reason.exitCode() == ExitCode.UNAVAILABLE)) {
                throw reason;
            }
        }
    }

    /**
     * Returns the transports of an experiment that this installation cannot use with any of the experiment's settings,
     * such as one whose native library was not built, each with the reason.
     */
    public static Map<String, String> unusableTransports(Experiment experiment) {
        Transports transports = Transports.load();
        Set<String> usable = new HashSet<>();
        Map<String, String> reasons = new LinkedHashMap<>();
        for (RunSpec run : experiment.runs(0)) {
            String name = run.point().transport();
            try {
                transports.named(name).checkMachine(run.point().allSettings());
                usable.add(name);
            } catch (LagbenchException e) {
                reasons.putIfAbsent(name, e.sentence());
            }
        }
        reasons.keySet().removeAll(usable);
        return reasons;
    }

    /**
     * Returns sentences about the limits of this machine that missing runs exceed or nearly reach, before the first
     * run.
     *
     * @param directory that of the session
     * @throws LagbenchException with {@link ExitCode#FILES} if a run does not fit on the disk
     */
    static List<String> notes(Path directory, Experiment experiment, List<RunSpec.RunGroup> missing)
            throws LagbenchException {
        List<String> notes =
                new ArrayList<>(checkSpace(directory, missing).stream().toList());
        notes.addAll(exceeded(
                experiment,
                missing.stream().flatMap(group -> group.runs().stream()).toList()));
        return notes;
    }

    /** Returns why this machine cannot execute a run, and what to do about it; null if it can. */
    @Nullable
    LagbenchException reason(RunSpec run) {
        Requirement requirement = new Requirement(
                run.point().transport(),
                run.point().program().engine(),
                run.point().allSettings());
        return reasons.computeIfAbsent(requirement, this::check).orElse(null);
    }

    private Optional<LagbenchException> check(Requirement requirement) {
        try {
            Transport transport = transports.named(requirement.transport);
            engines.named(requirement.engine).checkMachine(transport, requirement.settings);
            transport.checkMachine(requirement.settings);
            return Optional.empty();
        } catch (LagbenchException e) {
            return Optional.of(e);
        }
    }

    /** Returns the buffers whose limits on this machine apply to an experiment. */
    private static List<SocketBuffer> onThisMachine(Experiment experiment) {
        return experiment.path().receiver() == null
                ? List.of(SocketBuffer.SEND, SocketBuffer.RECEIVE)
                : List.of(SocketBuffer.SEND);
    }

    /**
     * Returns a knob with the range cut to the limit of this machine, because all sizes beyond have the same effect.
     *
     * @param notes receives how to raise a limit that cuts
     */
    public static Knob limited(Experiment experiment, Knob knob, Consumer<String> notes) {
        for (SocketBuffer buffer : onThisMachine(experiment)) {
            OptionalLong limit = buffer.limitBytes();
            if (buffer.settingName().equals(knob.name())
                    && knob.isRange()
                    && limit.isPresent()
                    && limit.getAsLong() < knob.to()) {
                long to = Math.max(1, limit.getAsLong());
                notes.accept(knob.name() + ": the range is limited to " + to
                        + " bytes, the limit of this machine; to raise it: sudo sysctl -w " + buffer.limitName() + "="
                        + knob.to());
                return knob.upTo(to);
            }
        }
        return knob;
    }

    /** Returns a sentence for each limit that is too low, with the command that raises it. */
    private static List<String> exceeded(Experiment experiment, List<RunSpec> runs) {
        List<String> sentences = new ArrayList<>();
        for (SocketBuffer buffer : onThisMachine(experiment)) {
            Map<String, Long> maxBytes = new LinkedHashMap<>();
            for (RunSpec run : runs) {
                if (run.point().allSettings().asMap().get(buffer.settingName()) instanceof Long bytes) {
                    maxBytes.merge(run.point().transport(), bytes, Math::max);
                }
            }
            OptionalLong limit = buffer.limitBytes();
            maxBytes.forEach((transport, bytes) -> {
                if (limit.isPresent() && limit.getAsLong() < bytes) {
                    sentences.add(transport + "." + buffer.settingName() + ": " + bytes
                            + " bytes exceed the limit of this machine, which is " + limit.getAsLong()
                            + "; to raise it: sudo sysctl -w " + buffer.limitName() + "=" + bytes);
                }
            });
        }
        return sentences;
    }

    /**
     * Checks that the stamps of each run fit on the disk.
     *
     * @param directory that of the session
     * @return a sentence about all runs if they need a gigabyte or more
     * @throws LagbenchException with {@link ExitCode#FILES} if a run does not fit
     */
    private static Optional<String> checkSpace(Path directory, List<RunSpec.RunGroup> runs) throws LagbenchException {
        long free = directory.toFile().getUsableSpace();
        long all = 0;
        for (RunSpec.RunGroup run : runs) {
            long bytes = run.runs().stream()
                    .mapToLong(one -> one.point().stampBytes())
                    .sum();
            if (bytes > free) {
                throw ExitCode.FILES.failure(
                        "The stamps of the run " + run.name() + " need " + formatBytes(bytes) + ", and "
                                + IoErrors.disk(directory) + " has room for " + formatBytes(free)
                                + ". Make room, use --output, or set fewer packets.");
            }
            all += bytes;
        }
        return all < NOTED_BYTES
                ? Optional.empty()
                : Optional.of("The stamps of the remaining runs will need " + formatBytes(all) + "; "
                        + IoErrors.disk(directory) + " has room for " + formatBytes(free) + ".");
    }

    private static String formatBytes(long bytes) {
        boolean isLarge = bytes >= 1e9;
        return String.format(Locale.ROOT, isLarge ? "%.1f GB" : "%.1f MB", bytes / (isLarge ? 1e9 : 1e6));
    }
}

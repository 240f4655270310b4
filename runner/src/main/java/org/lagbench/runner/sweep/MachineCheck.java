package org.lagbench.runner.sweep;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.control.SharedKey;
import org.lagbench.core.engine.Engines;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Settings;
import org.lagbench.core.model.Transport;
import org.lagbench.core.model.Transports;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.yaml.Experiment;

/** Checks that this machine has the engine of a run, and supports its settings. Each combination is checked once. */
public final class MachineCheck {
    private final Transports transports = Transports.load();
    private final Engines engines = Engines.load();
    private final Map<Requirement, Optional<LagbenchException>> reasons = new HashMap<>();

    private record Requirement(String transport, String engine, Settings settings) {}

    /**
     * Checks that this machine has the engines and the key of an experiment, and supports the settings of its
     * transports.
     *
     * @param skipUnavailable whether runs that this machine cannot make will be left out
     * @throws LagbenchException if not; the message says what to do
     */
    public static void check(Experiment experiment, boolean skipUnavailable) throws LagbenchException {
        if (experiment.keyFile() != null) {
            SharedKey.read(experiment.keyFile()); // checked also if both sides are on this host, and need no key
        }
        MachineCheck check = new MachineCheck();
        for (RunSpec run : experiment.runs(0)) {
            LagbenchException reason = check.reason(run);
            if (reason != null && !(skipUnavailable && reason.exitCode() == ExitCode.UNAVAILABLE)) {
                throw reason;
            }
        }
    }

    /** Returns why this machine cannot make a run, and what to do about it; null if it can. */
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
}

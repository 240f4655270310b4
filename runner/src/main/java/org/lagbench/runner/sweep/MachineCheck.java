package org.lagbench.runner.sweep;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.engine.Engines;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Settings;
import org.lagbench.core.model.Transport;
import org.lagbench.core.model.Transports;
import org.lagbench.core.run.RunSpec;

/** Checks that this machine has the engine of a run, and supports its settings. Each combination is checked once. */
final class MachineCheck {
    private final Transports transports = Transports.load();
    private final Engines engines = Engines.load();
    private final Map<Requirement, Optional<LagbenchException>> reasons = new HashMap<>();

    private record Requirement(String transport, String engine, Settings settings) {}

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

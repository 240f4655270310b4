package org.lagbench.core.run;

import java.util.List;
import java.util.Map;
import org.lagbench.core.model.RunParameters;
import org.lagbench.core.model.Settings;

/**
 * The program that sends and receives the packets of a run.
 *
 * @param engine the engine's name
 * @param settings the engine's own settings
 * @param jvmOptions options of its JVM; none if it has no JVM
 */
public record EngineSpec(String engine, Settings settings, JvmOptions jvmOptions) {
    public EngineSpec {
        RunParameters.NAME.named("engine").check(engine);
    }

    /** Creates a program whose engine has no settings. */
    public EngineSpec(String engine, JvmOptions jvmOptions) {
        this(engine, Settings.of(List.of(), Map.of()), jvmOptions);
    }
}

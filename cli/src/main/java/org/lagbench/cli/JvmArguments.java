package org.lagbench.cli;

import org.lagbench.core.engine.Engines;
import org.lagbench.core.model.Transports;
import org.lagbench.core.yaml.ExperimentReader;
import picocli.CommandLine.Option;

/** The option with which a user trusts the JVM options of an experiment. */
final class JvmArguments {
    @Option(
            names = ExperimentReader.ALLOW_JVM_OPTIONS,
            description = "Accept any JVM options in the key jvm, also those that load code, open ports or write files."
                    + " Give it only for experiments that you trust.")
    private boolean anyJvmOptions;

    ExperimentReader reader() {
        return new ExperimentReader(Transports.load(), Engines.load(), anyJvmOptions);
    }
}

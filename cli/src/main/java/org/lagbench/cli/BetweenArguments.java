package org.lagbench.cli;

import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.comparison.Between;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that say which values of which axis are compared. */
final class BetweenArguments {
    @Option(
            names = "--between",
            paramLabel = "AXIS",
            description =
                    "Axis whose values are compared: transport, packet-bytes, traffic, transfer-bytes, codec, data,"
                            + " pace, engine, jvm, or a setting such as tcp.send-buffer.")
    private @Nullable String axis;

    @Option(
            names = "--baseline",
            paramLabel = "VALUE",
            description = "Value of the axis with which the others are compared (default: the first in the tables).")
    private @Nullable String baseline;

    @Mixin
    private final MarginArgument margin = new MarginArgument();

    /**
     * Returns what to compare; null if no axis is given.
     *
     * @throws LagbenchException with {@link ExitCode#USAGE} if the margin is no percentage above 0, or there is a
     *     baseline without an axis
     */
    @Nullable
    Between between() throws LagbenchException {
        double share = margin.share();
        Subcommand.require(axis != null || baseline == null, "--baseline needs --between AXIS.");
        return axis == null ? null : new Between(axis, baseline, share);
    }
}

package org.lagbench.cli;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.comparison.Comparisons.Between;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.text.Units;
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

    /** The option of commands that compare: which difference is equivalent. */
    static final class MarginArgument {
        private static final Pattern PERCENT = Pattern.compile("(\\d{1,3}(?:\\.\\d{1,3})?) ?%?");

        @Option(
                names = "--margin",
                paramLabel = "PERCENT",
                defaultValue = "5%",
                description = "Largest difference that counts as equivalent (default: ${DEFAULT-VALUE}).")
        private String margin = "5%";

        /**
         * Returns the margin as a share.
         *
         * @throws LagbenchException with {@link ExitCode#USAGE} if it is no percentage above 0
         */
        double share() throws LagbenchException {
            Matcher percent = PERCENT.matcher(margin.strip());
            double share = percent.matches() ? Double.parseDouble(percent.group(1)) / Units.PERCENT : 0;
            Subcommand.require(share > 0, "--margin: \"" + margin + "\" is not a percentage above 0, such as 5%.");
            return share;
        }
    }
}

package org.lagbench.cli;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import picocli.CommandLine.Option;

/** The option of commands that compare: which difference is equivalent. */
final class MarginArgument {
    private static final Pattern PERCENT = Pattern.compile("(\\d{1,3}(?:\\.\\d{1,3})?) ?%?");
    private static final double HUNDRED = 100;

    @Option(
            names = "--margin",
            paramLabel = "PERCENT",
            defaultValue = "5%",
            description = "Greatest difference that is equivalent (default: ${DEFAULT-VALUE}).")
    private String margin = "5%";

    /**
     * Returns the margin as a share.
     *
     * @throws LagbenchException with {@link ExitCode#USAGE} if it is no percentage above 0
     */
    double share() throws LagbenchException {
        Matcher percent = PERCENT.matcher(margin.strip());
        double share = percent.matches() ? Double.parseDouble(percent.group(1)) / HUNDRED : 0;
        Subcommand.require(share > 0, "--margin: \"" + margin + "\" is not a percentage above 0, such as 5%.");
        return share;
    }
}

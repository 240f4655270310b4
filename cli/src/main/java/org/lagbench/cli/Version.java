package org.lagbench.cli;

import org.lagbench.core.run.LagbenchVersion;
import picocli.CommandLine.IVersionProvider;

/** The output of {@code lagbench --version}. */
public final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
        return new String[] {"lagbench " + LagbenchVersion.number()};
    }
}

package org.lagbench.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option that names the shared key for the path to another host. */
final class KeyArguments {
    @Option(
            names = "--key-file",
            paramLabel = "FILE",
            description = "File with the shared key; the same as --set key-file=FILE.")
    private @Nullable Path keyFile;

    /** Returns keys and values of the experiment: the option's, and then those that the user set. */
    List<String> with(List<String> overrides) {
        List<String> all = new ArrayList<>();
        if (keyFile != null) {
            all.add("key-file=" + keyFile);
        }
        all.addAll(overrides);
        return all;
    }
}

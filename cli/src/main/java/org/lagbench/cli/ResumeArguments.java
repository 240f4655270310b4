package org.lagbench.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.experiment.Experiment;
import picocli.CommandLine.Option;

/**
 * The option of commands that continue a session. Another author can have written the session, and name files of this
 * host in it: they are used only if the user names them as well.
 */
final class ResumeArguments {
    @Option(
            names = Experiment.ALLOW_FILE,
            paramLabel = "FILE",
            description = "With --resume: the session may use this file of this host as its key or as data to send. May"
                    + " be repeated.")
    private List<Path> allowed = new ArrayList<>();

    /**
     * Checks what a session uses, and prints it.
     *
     * @param files the files of this host besides the session
     * @param hosts the hosts to which it connects
     * @throws LagbenchException if the user has not named a file
     */
    void check(Path session, Collection<Path> files, Collection<String> hosts, PrintWriter err)
            throws LagbenchException {
        List<Path> unnamed = files.stream()
                .filter(file ->
                        allowed.stream().noneMatch(named -> absolute(named).equals(absolute(file))))
                .toList();
        Subcommand.require(
                unnamed.isEmpty(),
                session + " uses " + join(unnamed) + " of this host"
                        + (hosts.isEmpty() ? "" : ", and connects to " + join(hosts))
                        + ". If you trust its author, add "
                        + unnamed.stream()
                                .map(file -> Experiment.ALLOW_FILE + " " + file)
                                .collect(Collectors.joining(" "))
                        + ".");
        if (!files.isEmpty() || !hosts.isEmpty()) {
            print(session, files, hosts, err);
        }
    }

    /** Prints which files an experiment uses and to which hosts it connects. */
    static void print(Path experiment, Collection<Path> files, Collection<String> hosts, PrintWriter err) {
        err.println("lagbench: " + experiment + (files.isEmpty() ? "" : " uses " + join(files))
                + (files.isEmpty() || hosts.isEmpty() ? "" : " and")
                + (hosts.isEmpty() ? "" : " connects to " + join(hosts)) + ".");
    }

    private static Path absolute(Path path) {
        return path.toAbsolutePath().normalize();
    }

    private static String join(Collection<?> values) {
        return values.stream().map(String::valueOf).collect(Collectors.joining(", "));
    }
}

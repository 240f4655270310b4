package org.lagbench.runner.sweep;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.lagbench.core.address.Endpoint;
import org.lagbench.core.control.ReceiverConnection;
import org.lagbench.core.failure.ChildFailure;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.ShutdownCoordinator;
import org.lagbench.core.run.JvmOptions;

/**
 * A receiver for senders on other hosts, in a JVM with the options for packets. It ends with this process, and its
 * standard error is that of this process.
 */
public final class ServerProcess {
    private ServerProcess() {}

    /**
     * Runs a receiver until it ends or this process is interrupted.
     *
     * @param prefix the beginning of its command line
     * @param arguments options of the receiver
     * @param environment variables in addition to those of this process
     * @param listening receives the address on which it listens
     * @return its exit code
     */
    public static int run(
            List<String> prefix,
            List<String> arguments,
            Map<String, String> environment,
            Consumer<Endpoint> listening,
            ShutdownCoordinator shutdown)
            throws LagbenchException, InterruptedException {
        List<String> command = new ArrayList<>(prefix);
        command.addAll(
                ChildJvm.command(JvmOptions.NONE, ProgramArguments.RECEIVER, ProgramArguments.server(arguments)));
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(Redirect.INHERIT);
        builder.environment().putAll(environment);
        try {
            Process process = builder.start();
            Runnable destroy = process::destroy;
            shutdown.onInterrupt(destroy);
            try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
                for (String line = output.readLine(); line != null; line = output.readLine()) {
                    if (line.startsWith(ReceiverConnection.LISTENING)) {
                        listening.accept(Endpoint.parse(line.substring(ReceiverConnection.LISTENING.length())));
                    }
                }
                return process.waitFor();
            } finally {
                shutdown.forget(destroy);
            }
        } catch (IOException e) {
            throw ChildFailure.notStarted("The receiver cannot be started", e);
        }
    }
}

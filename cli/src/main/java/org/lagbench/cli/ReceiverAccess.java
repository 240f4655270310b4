package org.lagbench.cli;

import java.io.Console;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.control.ControlConnection;
import org.lagbench.control.ReceiverConnection;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.ShutdownCoordinator;
import org.lagbench.core.key.SharedKey;
import org.lagbench.core.text.Endpoint;
import org.lagbench.experiment.Experiment;

/**
 * A receiver that answers, and its key.
 *
 * @param key null if the receiver requires none
 * @param environment the variables that give a sender the same key; empty unless the user typed the key
 * @param shutdown ends the wait for a reply when the program is interrupted
 */
record ReceiverAccess(
        Endpoint receiver, @Nullable SharedKey key, Map<String, String> environment, ShutdownCoordinator shutdown) {
    /**
     * Connects once to find out whether the receiver answers and which key it accepts: that of the file, else that of
     * {@value SharedKey#VARIABLE}, else the one that the user types on the terminal.
     *
     * @throws LagbenchException if no receiver answers, or the key is missing or wrong
     */
    static ReceiverAccess request(Endpoint receiver, @Nullable Path keyFile, ShutdownCoordinator shutdown)
            throws LagbenchException {
        SharedKey key = SharedKey.find(keyFile);
        ReceiverAccess access = new ReceiverAccess(receiver, key, Map.of(), shutdown);
        try {
            access.check();
        } catch (LagbenchException e) {
            String text = key == null && e.exitCode() == ExitCode.KEY ? ask(receiver) : null;
            if (text == null) {
                throw e;
            }
            access = new ReceiverAccess(
                    receiver, SharedKey.parse("The terminal", text), Map.of(SharedKey.VARIABLE, text), shutdown);
            access.check();
        }
        return access;
    }

    /** Returns the address of a receiver that an option or argument names, by default at the default port. */
    static Endpoint endpoint(String option, String text) throws LagbenchException {
        return Endpoint.ofOption(option, text, Endpoint.DEFAULT_RECEIVER.port());
    }

    /** Returns {@link #environment} of the receiver of an experiment, which answers; empty if it has none. */
    static Map<String, String> environmentFor(Experiment experiment, ShutdownCoordinator shutdown)
            throws LagbenchException {
        Endpoint receiver = experiment.path().receiver();
        return receiver == null
                ? Map.of()
                : request(receiver, experiment.path().keyFile(), shutdown).environment();
    }

    ControlConnection connect() throws LagbenchException {
        return ReceiverConnection.open(receiver, key, shutdown);
    }

    private void check() throws LagbenchException {
        try {
            connect().close();
        } catch (IOException e) {
            throw ExitCode.PEER.failure(
                    "The connection to " + receiver + " cannot be closed: " + IoErrors.reason(e) + ".", e);
        }
    }

    /** Reads the key from the terminal without echo; null without a terminal. */
    @SuppressWarnings("SystemConsoleNull") // on JDKs where the console is never null, readPassword returns null
    private static @Nullable String ask(Endpoint receiver) {
        Console console = System.console();
        char[] typed = console == null ? null : console.readPassword("Key of the receiver at %s: ", receiver);
        return typed == null ? null : new String(typed).strip();
    }
}

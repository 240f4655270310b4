package org.lagbench.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.lagbench.control.ControlConnection;
import org.lagbench.control.ReceiverConnection;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.ShutdownCoordinator;
import org.lagbench.core.failure.UntrustedText;
import org.lagbench.core.key.SharedKey;
import org.lagbench.core.text.Endpoint;
import org.lagbench.experiment.Experiment;
import org.lagbench.packetio.linux.HiddenLine;

/**
 * A receiver that answers, and its key.
 *
 * @param key null if the receiver requires none
 * @param shutdown ends the wait for a reply when the program is interrupted
 */
record ReceiverAccess(Endpoint receiver, @Nullable SharedKey key, ShutdownCoordinator shutdown) {
    private static final int TRIES = 3;

    /** What terminals send before and after pasted text if a program before this one asked for it. */
    private static final Pattern PASTE_MARK = Pattern.compile("\u001b\\[20[01]~");

    private static final Pattern ASSIGNMENT = Pattern.compile("\\b" + SharedKey.VARIABLE + "=(\\S+)");

    /**
     * Connects once to find out whether the receiver answers and which key it accepts: that of the file, else that of
     * {@value SharedKey#VARIABLE}, else the one that the user types on the terminal.
     *
     * @throws LagbenchException if no receiver answers, or the key is missing or wrong
     */
    static ReceiverAccess request(Endpoint receiver, @Nullable Path keyFile, ShutdownCoordinator shutdown)
            throws LagbenchException {
        SharedKey key = SharedKey.find(keyFile);
        ReceiverAccess access = new ReceiverAccess(receiver, key, shutdown);
        try {
            access.check();
            return access;
        } catch (LagbenchException e) {
            if (key != null || e.exitCode() != ExitCode.KEY) {
                throw e;
            }
            return ask(receiver, e, shutdown);
        }
    }

    /** Returns the address of a receiver that an option or argument names, by default at the default port. */
    static Endpoint endpoint(String option, String text) throws LagbenchException {
        return Endpoint.ofOption(option, text, Endpoint.DEFAULT_RECEIVER.port());
    }

    /** Returns the key of the receiver of an experiment, which answers; null if it has none, or requires none. */
    static @Nullable SharedKey keyFor(Experiment experiment, ShutdownCoordinator shutdown) throws LagbenchException {
        Endpoint receiver = experiment.path().receiver();
        return receiver == null
                ? null
                : request(receiver, experiment.path().keyFile(), shutdown).key();
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

    /** Asks for the key until the receiver accepts one, at most {@value #TRIES} times. */
    private static ReceiverAccess ask(Endpoint receiver, LagbenchException missing, ShutdownCoordinator shutdown)
            throws LagbenchException {
        LagbenchException failure = missing;
        for (int i = 0; i < TRIES && Terminal.isAttended(); i++) {
            String before = i == 0 ? "" : "lagbench: " + failure.sentence() + "\n";
            String prompt = UntrustedText.lines(before + "Key of the receiver at " + receiver + ": ");
            String line = HiddenLine.read(prompt, shutdown);
            if (line == null) {
                throw failure;
            }
            try {
                SharedKey key = SharedKey.parse("The terminal", keyIn(line));
                ReceiverAccess access = new ReceiverAccess(receiver, key, shutdown);
                access.check();
                return access;
            } catch (LagbenchException e) {
                if (e.exitCode() != ExitCode.KEY) {
                    throw e;
                }
                failure = e;
            }
        }
        throw failure;
    }

    /** Returns the key in a line that was typed, or pasted with what {@code lagbench serve} prints around the key. */
    static String keyIn(String line) throws LagbenchException {
        String text = PASTE_MARK.matcher(line).replaceAll("").strip();
        Matcher assignment = ASSIGNMENT.matcher(text);
        if (text.isEmpty()) {
            throw ExitCode.KEY.failure("No key was typed; lagbench serve --new-key prints one on the other host.");
        }
        return assignment.find() ? assignment.group(1) : text;
    }
}

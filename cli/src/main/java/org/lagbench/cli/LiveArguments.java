package org.lagbench.cli;

import java.nio.file.Path;
import java.util.Map;
import java.util.Stack;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.key.SharedKey;
import org.lagbench.core.text.Endpoint;
import org.lagbench.web.EventLog;
import org.lagbench.web.LivePage;
import org.lagbench.web.LiveResponse;
import org.lagbench.web.LiveServer;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The options of the live page. */
final class LiveArguments {
    private static final String LOCAL = "127.0.0.1";

    @Option(
            names = "--live",
            arity = "0..1",
            paramLabel = "PORT",
            preprocessor = PortOrNothing.class,
            description = "Serve a live page for browsers on this machine, print its address, and print a line for each"
                    + " second of a run on the standard error. Port 0 selects a free one (default port: 5396, or a free"
                    + " one if it is in use). See docs/reference/live.md.")
    private @Nullable String port;

    @Option(
            names = "--live-key",
            paramLabel = "FILE",
            description = "The live page requires the key in this file, as the password of any user. Anyone between a"
                    + " browser and this machine can read it: do not use the receiver's key.")
    private @Nullable Path keyFile;

    @Option(
            names = "--live-listen",
            paramLabel = "ADDRESS",
            description = "Address of the live page, 0.0.0.0 for all; any address but this machine's own 127.0.0.1"
                    + " requires --live-key.")
    private @Nullable String address;

    /** Parses the next argument as the port only if it is a number; otherwise it is the experiment. */
    private static final class PortOrNothing implements IParameterPreprocessor {
        @Override
        public boolean preprocess(
                Stack<String> arguments, CommandSpec command, ArgSpec argument, Map<String, Object> info) {
            boolean isAttached = !" ".equals(info.get("separator"));
            if (!isAttached && (arguments.isEmpty() || !arguments.peek().matches("\\d{1,5}"))) {
                arguments.push("");
            }
            return false;
        }
    }

    /** Returns whether there is a page. */
    boolean isGiven() throws LagbenchException {
        Subcommand.require(
                port != null || (keyFile == null && address == null),
                "--live-key and --live-listen are options of the live page; add --live.");
        return port != null;
    }

    LiveServer start(LivePage page, Map<String, LiveResponse.Source> sources, EventLog events)
            throws LagbenchException {
        SharedKey key = keyFile == null ? null : SharedKey.read(keyFile);
        String host = address == null ? LOCAL : address;
        if (port == null || port.isEmpty()) {
            try {
                return LiveServer.start(new Endpoint(host, LiveServer.DEFAULT_PORT), key, page, sources, events);
            } catch (LagbenchException e) {
                if (e.exitCode() != ExitCode.UNAVAILABLE) {
                    throw e;
                }
                return LiveServer.start(new Endpoint(host, 0), key, page, sources, events);
            }
        }
        return LiveServer.start(endpoint(host, port), key, page, sources, events);
    }

    private static Endpoint endpoint(String host, String port) throws LagbenchException {
        try {
            return new Endpoint(host, Integer.parseInt(port));
        } catch (IllegalArgumentException e) {
            throw ExitCode.USAGE.failure("--live: \"" + port + "\" is not a port from 0 to 65535.", e);
        }
    }
}

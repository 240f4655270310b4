package org.lagbench.commandline;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.lagbench.control.Access;
import org.lagbench.control.Access.Grant;
import org.lagbench.control.SideMessage;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.Within;
import org.lagbench.core.key.SharedKey;
import org.lagbench.core.run.LocalEnd;
import org.lagbench.core.text.Endpoint;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that a receiver and {@code lagbench serve} share: all but the address. A picocli mixin. */
public final class ReceiverOptions {
    @Option(
            names = "--data-host",
            paramLabel = "HOST",
            description = "This host's address for packets (default: that of the control connection).")
    private @Nullable String dataHost;

    @Option(
            names = "--data-port",
            paramLabel = "PORT",
            description = "This host's port for packets, with several streams the first one; 0 selects a free port"
                    + " (default: ${DEFAULT-VALUE}).")
    private int dataPort;

    @Option(
            names = "--device",
            paramLabel = "NAME",
            description = "This host's network interface for packets (default: that of the route).")
    private @Nullable String device;

    @Option(
            names = "--directory",
            paramLabel = "DIR",
            description = "Parent of the directories with this side's stamps, one per run (default: ${DEFAULT-VALUE}).")
    private Path directory = Path.of("received");

    @Option(
            names = "--no-stamps",
            description = "Delete this side's stamps after each run; the host that requested it keeps those of both.")
    private boolean keepsNoStamps;

    @Option(
            names = "--key-file",
            paramLabel = "FILE",
            description = "File with the shared key of the senders (default: the variable " + SharedKey.VARIABLE
                    + "); a key is required except on a loopback address.")
    private @Nullable Path keyFile;

    @Option(
            names = "--runs",
            paramLabel = "N",
            description = "End after this number of runs, with the exit code of the first failure; 0 for no limit"
                    + " (default: ${DEFAULT-VALUE}).")
    private int runs;

    @Option(
            names = "--allow",
            paramLabel = "[FILE=]GRANT[,GRANT...]",
            description = "What a host with this receiver's key may do: run, send-to-me, send-to-others (default:"
                    + " run,send-to-me). With FILE=, also accept the key in that file, and what it allows."
                    + " send-to-others requires a key, and --site. May be repeated.")
    private List<String> allow = new ArrayList<>();

    @Option(
            names = "--site",
            split = ",",
            paramLabel = "HOST[:PORT]",
            description = "A host to which send-to-others may send, as the file of sites names it. May be repeated.")
    private List<String> sites = new ArrayList<>();

    @Mixin
    private final ChronyOption chrony = new ChronyOption();

    /** Returns whether this side's stamps are deleted after each run. */
    public boolean keepsNoStamps() {
        return keepsNoStamps;
    }

    /** Returns the parent of the directories of the runs. */
    public Path directory() {
        return directory;
    }

    /** Returns the file with the shared key; null if none is given. */
    public @Nullable Path keyFile() {
        return keyFile;
    }

    /**
     * Returns the keys that the receiver accepts, and what they grant.
     *
     * @param key its own key; null for none
     * @throws LagbenchException if a grant is unknown, a key or a site is missing, or anyone could make this host send
     *     to others
     */
    public Access access(@Nullable SharedKey key) throws LagbenchException {
        List<Access.Permission> permissions = new ArrayList<>();
        Set<Grant> ofOwnKey = Grant.DEFAULT;
        for (String allowed : allow) {
            int equals = allowed.lastIndexOf('=');
            Path file = equals < 0 ? null : Path.of(allowed.substring(0, equals));
            Set<Grant> grants = grants(allowed.substring(equals + 1));
            if (file == null) {
                ofOwnKey = grants;
            } else {
                permissions.add(new Access.Permission(SharedKey.read(file), grants));
            }
        }
        permissions.add(0, new Access.Permission(key, ofOwnKey));
        if (key == null && (permissions.size() > 1 || ofOwnKey.contains(Grant.SEND_TO_OTHERS))) {
            throw ExitCode.KEY.failure(
                    "--allow " + allow.get(0) + " requires a key of this receiver: lagbench serve --new-key makes one,"
                            + " --key-file names one.");
        }
        if (permissions.stream().map(Access.Permission::key).distinct().count() < permissions.size()) {
            throw ExitCode.KEY.failure("--allow: two of the keys are equal; give each host its own.");
        }
        if (sites.isEmpty() && permissions.stream().anyMatch(one -> one.grants().contains(Grant.SEND_TO_OTHERS))) {
            throw ExitCode.USAGE.failure("--allow " + Grant.SEND_TO_OTHERS.text()
                    + ": name the hosts to which this one may send with --site HOST[:PORT].");
        }
        Set<Endpoint> named = new HashSet<>();
        for (String site : sites) {
            named.add(Endpoint.ofOption("--site", site, Endpoint.DEFAULT_RECEIVER.port()));
        }
        return new Access(permissions, named);
    }

    private static Set<Grant> grants(String names) throws LagbenchException {
        try {
            return Grant.parse(names);
        } catch (IllegalArgumentException e) {
            throw ExitCode.USAGE.failure(String.valueOf(e.getMessage()), e);
        }
    }

    /**
     * Returns what a receiver with these options serves, without senders.
     *
     * @param listen where it listens
     * @param key its own key; null for none
     * @throws LagbenchException see {@link #access}; or if another option is not accepted
     */
    public SideMessage.Serve request(Endpoint listen, @Nullable SharedKey key) throws LagbenchException {
        if (dataPort < 0 || dataPort > Within.MAXIMUM_PORT) {
            throw ExitCode.USAGE.failure("--data-port: " + dataPort + " is not a port; it must be 0 to 65535.");
        } else if (runs < 0) {
            throw ExitCode.USAGE.failure("--runs: " + runs + " is below the minimum of 0.");
        }
        return new SideMessage.Serve(
                listen,
                access(key),
                new LocalEnd(dataHost, dataPort, device),
                directory.toString(),
                chrony.endpoint(),
                !keepsNoStamps,
                runs,
                List.of());
    }
}

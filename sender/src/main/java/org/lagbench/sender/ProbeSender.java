package org.lagbench.sender;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.lagbench.control.ControlConnection;
import org.lagbench.control.ControlMessage;
import org.lagbench.control.ReceiverConnection;
import org.lagbench.control.RefusedException;
import org.lagbench.control.StartGate;
import org.lagbench.core.clock.ChronyClient;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.Patience;
import org.lagbench.core.failure.ShutdownCoordinator;
import org.lagbench.core.key.SharedKey;
import org.lagbench.core.model.HostLoad;
import org.lagbench.core.run.ClockPolicy;
import org.lagbench.core.run.LocalEnd;
import org.lagbench.core.run.MachinePolicy;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.RunRequest;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.text.Endpoint;

/**
 * Executes short runs with one receiver, one at a time, in this process. A run is executed even if the clock bound is
 * too large; its record states that.
 *
 * @param receiver where the receiver listens
 * @param key the shared key; null for none
 * @param dataHost the receiver's address for packets; null if it is that of the control connection
 * @param local this host's end of the packets
 * @param clock the clock requirements
 */
public record ProbeSender(
        Endpoint receiver,
        @Nullable SharedKey key,
        @Nullable String dataHost,
        LocalEnd local,
        ClockPolicy clock,
        ShutdownCoordinator shutdown) {
    /** How long the receiver may take for a reply that needs no measurement. */
    private static final int REPLY_TIMEOUT_MS = 10_000;

    /**
     * Executes a run. Its captures and record are in the directory with its name.
     *
     * @param directory parent of that directory
     * @throws LagbenchException if the run failed
     */
    public RunRecord execute(RunSpec spec, Path directory) throws LagbenchException {
        AtomicReference<RunRecord> made = new AtomicReference<>();
        SenderConfig config = new SenderConfig(
                new RunRequest(
                        spec, clock.maximumError(), MachinePolicy.DEFAULT.maximumOtherLoadPpm(), Duration.ZERO, true),
                new ReceiverLink.Connecting(receiver, key, local, true, shutdown),
                dataHost,
                local,
                directory,
                new ChronyClient(clock.chrony().resolve()),
                StartGate.OPEN,
                false,
                event -> {});
        new SenderRun(config, shutdown).execute(made::set);
        return Objects.requireNonNull(made.get());
    }

    /** Asks the receiver how busy its host is. */
    public HostLoad load() throws LagbenchException {
        try (ControlConnection connection = ReceiverConnection.open(receiver, key, local, shutdown)) {
            connection.readTimeoutMs(Patience.ofMs(REPLY_TIMEOUT_MS));
            connection.write(new ControlMessage.Ask(ControlMessage.Question.LOAD));
            return connection.read(ControlMessage.LoadIs.class).load();
        } catch (RefusedException e) {
            throw e.asFailure();
        } catch (IOException e) {
            throw ExitCode.PEER.failure(
                    "The receiver at " + receiver + " did not report its load: " + IoErrors.reason(e) + ".", e);
        }
    }
}

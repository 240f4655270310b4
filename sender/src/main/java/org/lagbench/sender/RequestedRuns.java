package org.lagbench.sender;

import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.lagbench.core.clock.ChronyClient;
import org.lagbench.core.control.SharedKey;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.Failures;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.ShutdownCoordinator;
import org.lagbench.core.file.StrictJson;
import org.lagbench.core.run.ProgramEvent;
import org.lagbench.core.run.SenderRequest;
import org.lagbench.core.run.StartGate;
import org.lagbench.core.text.Endpoint;

/**
 * The runs that a parent process requests on the standard input, see {@link SenderRequest}. One process makes several
 * only with engines outside the JVM, because the start of a JVM takes longer than a short run. With the others, a run
 * would profit from code that the JVM has compiled for an earlier one.
 */
final class RequestedRuns {
    private static final long IDLE_S = 240;
    private static final String END = "";

    private final ShutdownCoordinator shutdown;
    private final BlockingQueue<String> requests = new LinkedBlockingQueue<>();
    private final StartGate startGate = StartGate.waiting();

    RequestedRuns(ShutdownCoordinator shutdown) {
        this.shutdown = shutdown;
    }

    /**
     * Executes runs until the input ends, a run fails or is the last, or no request has come for {@value #IDLE_S} s;
     * returns the exit code.
     */
    int makeAll() {
        Runnable end = () -> requests.add(END);
        shutdown.onInterrupt(end);
        shutdown.endWithStandardInput(this::accept);
        try {
            for (String line = next(); !line.equals(END); line = next()) {
                SenderRequest request = StrictJson.read(line, SenderRequest.class);
                make(request);
                new ProgramEvent(ProgramEvent.Kind.DONE, "").print();
                if (request.endsAfterwards()) {
                    break;
                }
            }
            return ExitCode.OK.code();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ExitCode.INTERRUPTED.code();
        } catch (LagbenchException e) {
            return Failures.report(e);
        }
    }

    private void accept(String line) {
        if (!startGate.accept(line)) {
            requests.add(line);
        }
    }

    private String next() throws InterruptedException {
        String line = requests.poll(IDLE_S, TimeUnit.SECONDS);
        return line == null ? END : line;
    }

    private void make(SenderRequest request) throws LagbenchException {
        SenderConfig config = new SenderConfig(
                request.request(),
                link(request),
                request.dataHost(),
                Path.of(request.directory()),
                new ChronyClient(Endpoint.parse(request.chrony()).resolve()),
                request.waitsForStart() ? startGate : StartGate.OPEN,
                request.reportsIntervals(),
                ProgramEvent::print);
        new SenderRun(config, shutdown).make(record -> {});
    }

    private ReceiverLink link(SenderRequest request) throws LagbenchException {
        SharedKey key = SharedKey.find(request.keyFile() == null ? null : Path.of(request.keyFile()));
        if (request.listen() != null) {
            String host = Objects.requireNonNull(request.receiverHost(), "receiverHost");
            return new ReceiverAcceptor(
                    Endpoint.parse(request.listen()),
                    new Endpoint(host, 0).resolve().getAddress(),
                    key,
                    shutdown);
        }
        Endpoint receiver = Endpoint.parse(Objects.requireNonNull(request.receiver(), "receiver"));
        return new ReceiverLink.Connecting(receiver, key, request.probes());
    }
}

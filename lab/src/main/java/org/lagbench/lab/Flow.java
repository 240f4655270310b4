package org.lagbench.lab;

import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.lagbench.core.failure.ChildFailure;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.Uninterruptibly;
import org.lagbench.core.lab.CompetingFlow;
import org.lagbench.core.lab.Station;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The program lagbench-flow: a competing flow, which begins and ends with each run. Thread-safe. */
final class Flow implements AutoCloseable {
    private static final JsonMapper JSON = new JsonMapper();

    private final String place;
    private final Process process;
    private final Writer orders;
    private final BufferedReader answers;
    private boolean going;
    private Map<String, Long> last = Map.of("sent", 0L, "refused", 0L, "received", 0L);

    private Flow(String place, Process process) {
        this.place = place;
        this.process = process;
        this.orders = process.outputWriter(StandardCharsets.UTF_8);
        this.answers = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    /**
     * Starts the program; it ends with this process.
     *
     * @param place what it is called where packets are counted
     * @param from the namespace that sends
     * @param to the namespace that receives
     * @param address the receiver's address
     */
    static Flow start(String place, CompetingFlow flow, String from, String to, String address)
            throws LagbenchException {
        List<String> command = new ArrayList<>(List.of(
                Relay.program("lagbench-flow").toString(),
                "--from",
                from,
                "--to",
                to,
                "--address",
                address,
                "--rate",
                Long.toString(flow.rateBitsPerS()),
                "--bytes",
                Integer.toString(flow.packetBytes()),
                "--start",
                Long.toString(flow.startNs()),
                "--stop",
                Long.toString(flow.stopNs())));
        Flow started = new Flow(place, startProgram(command));
        try {
            if (!"ready".equals(started.answers.readLine())) {
                throw ChildFailure.ended(
                        started.process,
                        ExitCode.UNAVAILABLE,
                        "A competing flow did not start; what it said is above.");
            }
            return started;
        } catch (IOException e) {
            started.close();
            throw trouble(e);
        }
    }

    private static Process startProgram(List<String> command) throws LagbenchException {
        try {
            return new ProcessBuilder(command).redirectError(Redirect.INHERIT).start();
        } catch (IOException e) {
            throw ChildFailure.notStarted("A competing flow cannot be started", e);
        }
    }

    /** Its time begins in so many ns, unless it has. */
    synchronized void begin(long inNs) throws LagbenchException {
        if (!going) {
            order("begin " + inNs);
            going = true;
        }
    }

    /** Its time ends, if it had begun. */
    synchronized void end() throws LagbenchException {
        if (going) {
            order("end");
            going = false;
            answer();
        }
    }

    private void answer() throws LagbenchException {
        try {
            String answer = answers.readLine();
            if (answer == null) {
                throw new EOFException("it has ended");
            }
            JsonNode counts = JSON.readTree(answer);
            last = Map.of(
                    "sent", counts.path("sent").asLong(),
                    "refused", counts.path("refused").asLong(),
                    "received", counts.path("received").asLong());
        } catch (IOException e) {
            throw trouble(e);
        } catch (JacksonException e) {
            throw trouble(new IOException("it has ended in the midst of its counts", e));
        }
    }

    /** What was sent and came until it ended last. */
    synchronized Station counted() {
        return new Station(place, last);
    }

    private void order(String line) throws LagbenchException {
        try {
            orders.write(line + "\n");
            orders.flush();
        } catch (IOException e) {
            throw trouble(e);
        }
    }

    private static LagbenchException trouble(IOException e) {
        return new LagbenchException(ExitCode.BROKEN, "A competing flow failed: " + e.getMessage() + ".", e);
    }

    @Override
    public void close() {
        process.destroy();
        Uninterruptibly.awaitEnd(process);
    }
}

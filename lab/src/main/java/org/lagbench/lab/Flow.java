package org.lagbench.lab;

import java.io.EOFException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.Uninterruptibly;
import org.lagbench.core.model.Network.CompetingFlow;
import org.lagbench.core.run.RunRecord.LabRecord.Station;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The program lagbench-flow: a competing flow, which begins and ends with each run. Thread-safe. */
final class Flow implements AutoCloseable {
    private static final JsonMapper JSON = new JsonMapper();

    private final String place;
    private final Process process;
    private boolean isRunning;
    private Map<String, Long> counts = Map.of("sent", 0L, "refused", 0L, "received", 0L);

    /**
     * Starts the program, which ends with this process.
     *
     * @param place name of the flow among the places where packets are counted
     * @param from the namespace that sends
     * @param to the namespace that receives
     * @param address the receiver's address
     */
    Flow(String place, CompetingFlow flow, String from, String to, String address) throws LagbenchException {
        this.place = place;
        ProcessBuilder builder =
                new ProcessBuilder(NetworkTools.nativeProgram("lagbench-flow"), "--from", from, "--to", to);
        builder.command().addAll(List.of("--address", address));
        builder.command().addAll(List.of("--rate", Long.toString(flow.rateBitsPerS())));
        builder.command().addAll(List.of("--bytes", Integer.toString(flow.packetBytes())));
        builder.command().addAll(List.of("--start", Long.toString(flow.startNs())));
        builder.command().addAll(List.of("--stop", Long.toString(flow.stopNs())));
        this.process = NetworkTools.startNative("A competing flow", builder, "");
    }

    /**
     * Begins the flow, if it is not running. Its start and stop times count from {@code dueNs}, CLOCK_REALTIME in ns;
     * it sends at once what was due before.
     */
    synchronized void begin(long dueNs) throws LagbenchException {
        if (!isRunning) {
            write("begin " + dueNs);
            isRunning = true;
        }
    }

    /** Ends the flow, if it is running. */
    synchronized void end() throws LagbenchException {
        if (isRunning) {
            write("end");
            isRunning = false;
            readCounts();
        }
    }

    private void readCounts() throws LagbenchException {
        try {
            String line = process.inputReader().readLine();
            if (line == null) {
                throw new EOFException("it has ended");
            }
            JsonNode json = JSON.readTree(line);
            counts = Map.of(
                    "sent", json.path("sent").asLong(),
                    "refused", json.path("refused").asLong(),
                    "received", json.path("received").asLong());
        } catch (IOException e) {
            throw failure(e);
        } catch (JacksonException e) {
            throw failure(new IOException("it has ended while it printed its counts", e));
        }
    }

    /** Returns whether the program runs, so that the flow can begin. */
    boolean isAlive() {
        return process.isAlive();
    }

    /** Returns the packets sent and received until the flow last ended. */
    synchronized Station counted() {
        return new Station(place, counts);
    }

    private void write(String command) throws LagbenchException {
        try {
            process.outputWriter().write(command + "\n");
            process.outputWriter().flush();
        } catch (IOException e) {
            throw failure(e);
        }
    }

    private static LagbenchException failure(IOException e) {
        return ExitCode.BROKEN.failure("A competing flow failed: " + e.getMessage() + ".", e);
    }

    @Override
    public void close() {
        process.destroy();
        Uninterruptibly.awaitEnd(process);
    }
}

package org.lagbench.core.recorder;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.SideFacts;

/**
 * The recorders of one side of a run, in the order of their calls. A recorder that fails does not break the run: it is
 * reported and closed, and the others go on. One that fails after its begin still writes what it has. Used by one
 * thread.
 */
public final class Recorders implements AutoCloseable {
    private final List<Recorder> recorders;

    /** Those that are recording, or will. */
    private final List<Recorder> active;

    private final Failures failures;
    private boolean hasBegun;
    private boolean hasWritten;

    /**
     * Creates a list that closes its recorders.
     *
     * @param recorders in the order of their calls
     */
    public Recorders(List<Recorder> recorders, Failures failures) {
        this.recorders = List.copyOf(recorders);
        this.active = new ArrayList<>(recorders);
        this.failures = failures;
    }

    /** Receives the failures of recorders. */
    public interface Failures {
        /** Reports that something was not recorded: {@link Recorder#name}. */
        void notRecorded(String name, Exception why);

        /** Reports that a recorder did not release its resources. */
        void notClosed(String name, Exception why);
    }

    /** A method of a recorder. */
    private interface Phase {
        void call(Recorder recorder) throws IOException, LagbenchException;
    }

    /** Calls {@link Recorder#prepare}. */
    public void prepare() {
        callOrClose(Recorder::prepare);
    }

    /** Calls {@link Recorder#connected}. */
    public void connected() {
        callOrClose(Recorder::connected);
    }

    /** Calls {@link Recorder#warmUp}. */
    public void warmUp() {
        callOrClose(Recorder::warmUp);
    }

    /** Calls {@link Recorder#warmedUp}. */
    public void warmedUp() {
        callOrClose(Recorder::warmedUp);
    }

    /** Calls {@link Recorder#begin}. */
    public void begin() {
        hasBegun = true;
        callOrClose(Recorder::begin);
    }

    /** Calls {@link Recorder#end}; does nothing before {@link #begin}. */
    public void end() {
        if (hasBegun) {
            call(Recorder::end);
        }
    }

    /** Calls {@link Recorder#write}; does nothing if called again, as when a run breaks after it. */
    public void write() {
        if (!hasWritten) {
            hasWritten = true;
            call(Recorder::write);
        }
    }

    /** Returns what all recorders have for {@code run.json}, also those that failed. */
    public List<SideFacts> metadata() {
        List<SideFacts> all = new ArrayList<>();
        for (Recorder recorder : recorders) {
            succeeds(recorder, recorded -> all.addAll(recorded.metadata()));
        }
        return all;
    }

    /** Closes all recorders. */
    @Override
    public void close() {
        recorders.forEach(this::close);
    }

    /** Calls all in turn; closes those that fail, and calls them no more. */
    private void callOrClose(Phase phase) {
        for (Recorder recorder : List.copyOf(active)) {
            if (!succeeds(recorder, phase)) {
                active.remove(recorder);
                close(recorder);
            }
        }
    }

    private void call(Phase phase) {
        active.forEach(recorder -> succeeds(recorder, phase));
    }

    private void close(Recorder recorder) {
        try {
            recorder.close();
        } catch (IOException | RuntimeException e) {
            failures.notClosed(recorder.name(), e);
        }
    }

    private boolean succeeds(Recorder recorder, Phase phase) {
        try {
            phase.call(recorder);
            return true;
        } catch (IOException | LagbenchException | RuntimeException e) {
            failures.notRecorded(recorder.name(), e);
            return false;
        }
    }
}

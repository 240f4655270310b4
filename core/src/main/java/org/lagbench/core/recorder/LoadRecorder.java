package org.lagbench.core.recorder;

import java.util.ArrayList;
import java.util.List;
import org.lagbench.core.model.HostLoad;
import org.lagbench.core.run.RunRecord;

/** Reads how busy this host is: before the run, at the begin and the end of its recorded packets, and after it. */
public final class LoadRecorder implements Recorder {
    private final boolean isWanted;
    private final List<HostLoad> readings = new ArrayList<>();

    /** @param isWanted false in a monitor's probe, which must cost little */
    public LoadRecorder(boolean isWanted) {
        this.isWanted = isWanted;
    }

    @Override
    public String name() {
        return "machine";
    }

    @Override
    public void prepare() {
        read();
    }

    @Override
    public void warmedUp() {
        read();
    }

    @Override
    public void end() {
        read();
    }

    @Override
    public void write() {
        if (readings.size() == RunRecord.Machine.READINGS - 1) {
            read();
        }
    }

    private void read() {
        if (isWanted) {
            readings.add(HostLoad.read());
        }
    }

    /** Returns the readings so far. */
    public List<HostLoad> readings() {
        return List.copyOf(readings);
    }
}

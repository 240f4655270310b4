package org.lagbench.core.cause;

/** A source that records only while it is armed. */
public interface ArmedSource {
    /** No source. */
    ArmedSource NONE = new ArmedSource() {
        @Override
        public void arm() {}

        @Override
        public void disarm() {}
    };

    /** Starts to record. */
    void arm();

    /** Ends the recording until {@link #arm}. */
    void disarm();
}

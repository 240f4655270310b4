package org.lagbench.analysis.capacity;

import org.lagbench.core.model.TextEnum;

/** What limited a TCP transfer. */
public enum TransferLimit implements TextEnum {
    /** The transfer ended in slow start: its rate depends on its size, the round trip and the initial window. */
    SLOW_START("still in slow start"),
    /** Slow start had ended, and the send buffer or the receiver's window was full for a part of the time. */
    WINDOW("limited by the window"),
    /** The program had nothing to send for most of the time. */
    APPLICATION("limited by the application"),
    /** The path was full: the rate is what TCP can get from it. */
    NETWORK("network"),
    /**
     * The transfer left slow start but its rate was not steady, or nothing shows that packets waited for the path. Or
     * the kernel does not report the connection's state.
     */
    UNCERTAIN("uncertain");

    private final String phrase;

    TransferLimit(String phrase) {
        this.phrase = phrase;
    }

    /** Returns the verdict as a phrase for sentences and tables, such as "still in slow start". */
    public String phrase() {
        return phrase;
    }
}

package org.lagbench.core.failure;

/** The exit codes of every lagbench program. They are part of its interface: scripts depend on them. */
public enum ExitCode {
    /** All that was asked for was done. */
    OK(0, "everything asked for was done"),
    /** A fault of lagbench itself. */
    INTERNAL(1, "a fault of lagbench itself; please report it"),
    /** Wrong command line, experiment file or setting. */
    USAGE(2, "wrong command line, experiment file or setting"),
    /** The peer could not be reached, or refused the run. */
    PEER(3, "the receiver could not be reached, or refused the run"),
    /** The peer's key does not fit, or one is needed. */
    KEY(4, "the shared key is missing or does not fit"),
    /** This machine lacks what a transport needs. */
    UNAVAILABLE(5, "this machine lacks what the run needs (port taken, no bus, no permission)"),
    /** A run broke off: the peer vanished, or the network failed. What was stamped is kept. */
    BROKEN(6, "a run broke off; the stamps so far are kept"),
    /** A file could not be read or written. */
    FILES(7, "a file could not be read or written (disk full, no permission)"),
    /** The clocks may be further apart than the experiment allows. */
    CLOCK(8, "the clocks may be further apart than the experiment allows"),
    /** Interrupted by Ctrl-C or SIGTERM. What was stamped is kept. */
    INTERRUPTED(130, "interrupted; finished runs and the stamps so far are kept");

    private final int code;
    private final String meaning;

    ExitCode(int code, String meaning) {
        this.code = code;
        this.meaning = meaning;
    }

    /** The number given to the operating system. */
    public int code() {
        return code;
    }

    /** One line for the help text. */
    public String meaning() {
        return meaning;
    }
}

package org.lagbench.packetio.engine;

import java.util.Iterator;
import java.util.ServiceLoader;
import java.util.function.Consumer;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;

/** Has packets moved by the program that is written in C. Thread-safe. */
public interface Twin {
    /**
     * Makes sure that the program is there.
     *
     * @throws LagbenchException if it is not: what to do about it
     */
    void check() throws LagbenchException;

    /**
     * What sends; the program starts when it connects.
     *
     * @param capture is told of the records that the program put
     */
    SendEngine sendPath(EngineConfig run, SenderCapture capture) throws LagbenchException;

    /**
     * Starts the program for receiving.
     *
     * @param capture is told of the records that the program put
     * @param failed is told, in a thread of its own, if the program can take no more packets: why
     */
    ReceiveEngine receivePath(EngineConfig run, ReceiverCapture capture, Consumer<String> failed)
            throws LagbenchException;

    /**
     * The one on the class path.
     *
     * @throws LagbenchException if there is none
     */
    static Twin find() throws LagbenchException {
        Iterator<Twin> twins = ServiceLoader.load(Twin.class).iterator();
        if (!twins.hasNext()) {
            throw new LagbenchException(
                    ExitCode.UNAVAILABLE,
                    "implementation: c needs lagbench's module packetio, which is not on the class path; start the"
                            + " program by lagbench's scripts, or use implementation: java.");
        }
        return twins.next();
    }
}

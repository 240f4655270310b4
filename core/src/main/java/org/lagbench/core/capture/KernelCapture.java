package org.lagbench.core.capture;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * The kernel's stamps of what a socket sent, in the order in which they were taken: {@code stage, key, kernel_ns}. The
 * stage is one of the constants here. The key identifies the packet: for UDP the number of packets sent before it, for
 * TCP the offset of a write's last byte in the stream, both modulo 2³² and from the run's first warm-up packet on.
 * {@code run.json} has the key of the first recorded packet. The stamp is CLOCK_REALTIME in ns, that of hardware the
 * network card's clock.
 *
 * <p>One thread writes; another may close the capture only after that thread has ended. {@link #append} allocates
 * nothing.
 */
public final class KernelCapture extends PacketCapture {
    public static final String FILE_NAME = "sender-kernel.npy";

    public static final List<String> FIELDS = List.of("stage", "key", "kernel_ns");

    /** The driver received the packet. */
    public static final int SENT = 0;

    /** The packet entered the queueing discipline. */
    public static final int SCHEDULED = 1;

    /** The peer acknowledged the packet. */
    public static final int ACKNOWLEDGED = 2;

    /** The network card sent the packet. */
    public static final int SENT_BY_HARDWARE = 3;

    /** The entry in {@code run.json} of the key of the first recorded packet, without a modulus. */
    public static final String FIRST_KEY_NAME = "firstRecordedKey";

    private static final int KEY = 1;
    private static final int KERNEL_NS = 2;

    private KernelCapture(CaptureFile file, long capacity) {
        super(file, capacity);
    }

    /** Creates a capture with room for {@code capacity} stamps; see {@link CaptureFile#create}. */
    public static KernelCapture create(Path path, long capacity) throws IOException {
        return new KernelCapture(CaptureFile.create(path, FIELDS, capacity), capacity);
    }

    /**
     * Appends a stamp.
     *
     * @return whether it fitted
     */
    public boolean append(long stage, long key, long kernelNs) {
        return append(stage, KERNEL_NS, kernelNs, KEY, key);
    }
}

package org.lagbench.core.capture;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.file.Path;
import java.util.List;

/**
 * The kernel's stamps of what a socket sent, raw and in the order in which they were taken: {@code stage, key,
 * kernel_ns}. The stage is one of the numbers here. The key tells the packet: for UDP how many were sent before it, for
 * TCP the offset of a write's last byte in the stream, both modulo 2³² and from the run's first warm-up packet on;
 * {@code run.json} tells that of the first recorded packet. The stamp is CLOCK_REALTIME in ns, but that of hardware is
 * the network card's clock.
 *
 * <p>One thread writes; closing by another is safe only when it has ended. {@link #append} allocates nothing.
 */
public final class KernelCapture extends PacketCapture {
    /** The file's name in a run's directory. */
    public static final String FILE_NAME = "sender-kernel.npy";

    /** Names of the fields. */
    public static final List<String> FIELDS = List.of("stage", "key", "kernel_ns");

    /** The driver took it. */
    public static final int SENT = 0;

    /** It entered the queueing discipline. */
    public static final int SCHEDULED = 1;

    /** The peer has acknowledged it. */
    public static final int ACKNOWLEDGED = 2;

    /** The network card has sent it. */
    public static final int SENT_BY_HARDWARE = 3;

    /** The name in {@code run.json} of the key of the first recorded packet, not modulo anything. */
    public static final String FIRST_KEY_NAME = "firstRecordedKey";

    private static final int STAGE = 0;
    private static final int KEY = 1;
    private static final int KERNEL_NS = 2;

    private KernelCapture(CaptureFile file, long capacity) {
        super(file, capacity);
    }

    /**
     * Makes the capture with room for so many stamps.
     *
     * @throws IOException if the file exists, cannot be made, or the disk has no room for it; nothing is left then
     */
    public static KernelCapture create(Path path, long capacity) throws IOException {
        return new KernelCapture(CaptureFile.create(path, FIELDS, capacity), capacity);
    }

    /**
     * Appends a stamp.
     *
     * @return whether there was room for it
     */
    public boolean append(long stage, long key, long kernelNs) {
        if (records >= capacity) {
            return false;
        }
        MappedByteBuffer mapping = file.mapping(records);
        int at = file.offset(records);
        CaptureFile.put(mapping, at, STAGE, stage);
        CaptureFile.put(mapping, at, KEY, key);
        CaptureFile.putOrdered(mapping, at, KERNEL_NS, kernelNs);
        records++;
        return true;
    }
}

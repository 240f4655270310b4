package org.lagbench.core.cause;

import java.util.Arrays;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.model.TextEnum;

/**
 * The causes of late or lost packets. Captures contain the codes, so they never change.
 *
 * <p>In the order of rank: of several simultaneous causes the first counts and the others follow from it. For example,
 * a garbage collection needs a safepoint, and a safepoint stops the stall meter too.
 */
public enum Cause implements TextEnum {
    /** The bus was reset: isochronous transmission pauses while it configures itself. */
    BUS_RESET(9, "Bus reset"),
    /** All Java threads were stopped to collect garbage, including the time to stop them. */
    GARBAGE_COLLECTION(1, "Garbage collection"),
    /** All Java threads were stopped for another reason: deoptimization, class redefinition, a thread dump. */
    SAFEPOINT(2, "Safepoint"),
    /** The whole process was stopped, but not by its JVM: by a signal, or because the machine paused. */
    STALL(3, "Process stopped"),
    /** The packet thread waited for a CPU while its control group had used its quota. */
    CPU_QUOTA(19, "CPU quota"),
    /** The packet thread waited for a CPU while the JVM compiled. */
    COMPILATION(6, "JIT compilation"),
    /** The packet thread waited for a CPU while the collector ran concurrently. */
    CONCURRENT_COLLECTION(7, "Concurrent collection"),
    /** The packet thread was preempted and waited for a CPU. */
    INVOLUNTARY_SWITCH(4, "Involuntary switch"),
    /** The packet thread was runnable and waited for a CPU. */
    RUN_QUEUE(5, "Run queue"),
    /**
     * The packet thread slept: at the receiver the packet was on its way, or a CPU was waking up. Only where the record
     * of the scheduler has no wake-ups; each other cause comes first.
     */
    WIRE_OR_WAKE_UP(14, "Wire or wake-up"),
    /** The sending kernel retransmitted a TCP segment; the receiver gets it and the segments behind it only then. */
    RETRANSMISSION(10, "Retransmission"),
    /** The sending kernel waited until the receiver had read what filled its window; over TCP. */
    RECEIVE_WINDOW(26, "Receive window full"),
    /** The packet was in the sender's queues, until the driver had it. Follows from the kernel's stamps. */
    SENDER_QUEUE(15, "Sender's queue"),
    /** The packet was between the two hosts' drivers. Follows from the kernels' stamps. */
    NETWORK(16, "Network"),
    /** The packet was in the sender's queues or between the hosts. Follows from the receiving kernel's stamp. */
    BEFORE_RECEIVER(17, "Before the receiver"),
    /**
     * The packet was in the receiving kernel, where bytes before it in its stream had not arrived. Follows from stamps;
     * captures do not have it.
     */
    HEAD_OF_LINE_BLOCKING(24, "Head-of-line blocking"),
    /** The packet had left the sender's host: no stamp of the receiving kernel proves where it was then. */
    NETWORK_OR_RECEIVER(18, "Network or receiver"),
    /** The receiver handled earlier packets while this one waited. Follows from stamps; captures do not have it. */
    EARLIER_PACKETS(11, "Behind earlier packets"),
    /** The packet was sent after its scheduled time. Follows from stamps. */
    LATE_SEND(12, "Sent late"),
    /** The packet was in the send call. Follows from stamps. */
    SEND_CALL(13, "Send call"),
    /**
     * The packet was between the receiving kernel's stamp and the return of the receive call, which no earlier packet
     * and no recorded event delayed. Follows from stamps.
     */
    RECEIVER_KERNEL(20, "Receiver's kernel"),
    /**
     * A library held the packet, which had arrived, to deliver it a fixed time after it was sent: after the shortest
     * lag of the run. Follows from stamps.
     */
    LIBRARY(25, "In the library"),
    /** The record may be without some waits of the packet thread in this time. Delays no packet: it hides causes. */
    WAITS_LOST(21, "Waits lost"),
    /** All sources of a side recorded, in a window of a run with others. Delays no packet. */
    OBSERVED(22, "Observed"),
    /** No source of a side recorded, in a window of a run with others. Delays no packet. */
    NOT_OBSERVED(23, "Not observed"),
    /** The receiving kernel dropped packets because a buffer was full. Loses packets and delays none. */
    KERNEL_DROP(8, "Kernel drop");

    /** A sleep that ends this many ns late is a stall: ten times the lateness of a sleep on an idle machine. */
    public static final long SHORTEST_STALL_NS = 500_000;

    private static final Pattern COMPILER = Pattern.compile("C[12] CompilerThre.*");
    private static final Pattern IDLE_TASK = Pattern.compile("swapper(/[0-9]+)?");
    private static final Pattern COLLECTOR = Pattern.compile("(G1|GC|Z|Shenandoah|X|Par).*");

    private final int code;
    private final String title;

    Cause(int code, String title) {
        this.code = code;
        this.title = title;
    }

    public int code() {
        return code;
    }

    public String title() {
        return title;
    }

    /** Returns whether this takes the CPU, and so is a cause only while the packet thread waits for one. */
    public boolean competes() {
        return this == CPU_QUOTA || this == COMPILATION || this == CONCURRENT_COLLECTION;
    }

    /**
     * Returns whether this may be the cause of a wait for a CPU.
     *
     * @param program the thread that ran instead, with the name that HotSpot gave it; null if unknown
     */
    public boolean mayRunIn(@Nullable String program) {
        return switch (this) {
            case CPU_QUOTA -> true;
            case COMPILATION -> program == null || COMPILER.matcher(program).matches();
            case CONCURRENT_COLLECTION ->
                program == null || COLLECTOR.matcher(program).matches();
            default -> false;
        };
    }

    /**
     * Returns the name that tables show: "Run queue: ffmpeg", "Wake-up of an idle CPU".
     *
     * @param program the thread that ran instead of the packet thread; null if unknown or if there was none
     */
    public String title(@Nullable String program) {
        if (program == null || this == COMPILATION) { // only the compiler's own threads compile
            return title;
        }
        return isWait() && IDLE_TASK.matcher(program).matches()
                ? "Wake-up of an idle CPU"
                : title + ": " + programTitle(program);
    }

    /** Returns the name that tables show for a thread: "JIT compiler", "lagbench (stall-meter)", "ffmpeg". */
    private static String programTitle(String program) {
        return COMPILER.matcher(program).matches()
                ? "JIT compiler"
                : OwnThreads.contains(program) ? "lagbench (" + program + ")" : program;
    }

    /** Returns the name that a thread shares with those of its kind: lagbench's own, compilers', and idle tasks. */
    public static String programGroup(String program) {
        return OwnThreads.contains(program)
                ? "lagbench (own threads)"
                : programTitle(IDLE_TASK.matcher(program).matches() ? "swapper" : program);
    }

    /** Returns whether the packet thread waits for a CPU. */
    public boolean isWait() {
        return this == INVOLUNTARY_SWITCH || this == RUN_QUEUE;
    }

    /** Returns whether this occurs in a kernel, whatever the packet thread does meanwhile. */
    public boolean isOfKernel() {
        return this == RETRANSMISSION || this == RECEIVE_WINDOW || this == KERNEL_DROP || this == WAITS_LOST;
    }

    /** Returns whether this is a window of a run that is observed in windows. */
    public boolean isWindow() {
        return this == OBSERVED || this == NOT_OBSERVED;
    }

    /** Returns whether this stops a whole process, not only its packet thread. */
    public boolean isOfProcess() {
        return this == GARBAGE_COLLECTION || this == SAFEPOINT || this == STALL;
    }

    /** Returns the cause of a code; null if only a later version knows it. */
    public static @Nullable Cause ofCode(long code) {
        return Arrays.stream(values())
                .filter(cause -> cause.code == code)
                .findFirst()
                .orElse(null);
    }
}

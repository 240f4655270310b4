package org.lagbench.native1394;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;

/** The Linux error numbers that the native methods return, negated, and their messages. */
final class Errno {
    static final int ENXIO = 6;
    static final int EAGAIN = 11;
    static final int EACCES = 13;
    static final int EBUSY = 16;
    static final int ENODEV = 19;
    static final int ENOSPC = 28;
    static final int EOVERFLOW = 75;
    static final int EOPNOTSUPP = 95;
    static final int ETIMEDOUT = 110;
    static final int ECANCELED = 125;

    private static final String PERMISSION = "this user may not open /dev/fw*. " + Port.PERMISSION_ADVICE;

    private Errno() {}

    /**
     * Returns the exception for a failure to open something on a port.
     *
     * @param what the failed action, such as "open the sender"
     * @param result the native method's negative result
     */
    static LagbenchException unavailable(String what, int port, long result) {
        int errno = (int) -result;
        return ExitCode.UNAVAILABLE.failure(
                "IEEE-1394 port " + port + ": cannot " + what + ": " + (errno == ENODEV ? noPort() : reason(errno)));
    }

    /** Returns the exception for a failed call on an open sender or receiver. */
    static IOException ioFailure(String what, int result) {
        return new IOException("IEEE-1394: cannot " + what + ": " + reason(-result));
    }

    private static String reason(int errno) {
        return switch (errno) {
            case ENODEV ->
                "the port no longer exists: the controller was unplugged, or the daemon of the virtual bus ("
                        + VirtualBus.DAEMON + ") has ended.";
            case EACCES -> PERMISSION;
            case ENXIO -> "there is no such port; \"lagbench doctor\" lists them.";
            case EBUSY -> "the channel is already reserved on this bus; choose another one, or auto.";
            case EAGAIN ->
                "the bus was reset again and again, so that nothing could be reserved for 5 s; is a cable loose?";
            case ENOSPC ->
                "the bus has too little isochronous bandwidth left; use smaller packets, a higher speed, or stop"
                        + " another stream.";
            case EOPNOTSUPP -> "the port is slower than the requested speed; \"lagbench doctor\" shows its speed.";
            case ETIMEDOUT ->
                "the bus has transmitted nothing for 5 s; does it have a cycle master (is another node connected)?";
            case EOVERFLOW -> "the kernel delivered more packets at once than the interrupt interval allows.";
            default -> Raw1394.errorText(errno) + " (errno " + errno + ").";
        };
    }

    private static String noPort() {
        @Nullable String virtualBus = System.getenv(VirtualBus.DIRECTORY_VARIABLE);
        if (virtualBus != null) {
            return "the virtual bus in " + virtualBus + " does not answer; does " + VirtualBus.DAEMON
                    + " start, and is the directory writable?";
        }
        if (!Port.deviceFiles().isEmpty()) {
            return PERMISSION;
        }
        return "this machine has no IEEE-1394 port (no /dev/fw*). Run it on lagbench's virtual bus: lagbench starts one"
                + " automatically, \"lagbench bus\" one for other programs.";
    }
}

package org.lagbench.control;

import java.io.IOException;
import java.io.OutputStream;
import java.net.ProtocolException;
import java.nio.charset.StandardCharsets;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The messages of a side and the program that has started it: a line of JSON each, among lines of the JVM. */
public final class SidePipe {
    private static final MessageFormat<SideMessage> FORMAT =
            new MessageFormat<>(SideMessage.class, UnaryOperator.identity());
    private static final String BEGIN = "{\"type\":";

    private SidePipe() {}

    /** Returns the message of a line; null if the line is something else, such as a warning of the JVM. */
    public static @Nullable SideMessage parse(String line) {
        if (!line.startsWith(BEGIN)) {
            return null;
        }
        byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
        try {
            return FORMAT.read(bytes, 0, bytes.length);
        } catch (ProtocolException e) {
            return null;
        }
    }

    /** Loads what {@link #print} needs, so that the next event is printed at once. */
    public static void prepare() {
        FORMAT.write(new SideMessage.Recording(0));
    }

    /** Prints an event for the program that has started this side. */
    public static void print(SideMessage.Event event) {
        print(new String(FORMAT.write(event), StandardCharsets.UTF_8));
    }

    /** Prints an event for a person who has started this side. */
    public static void printText(SideMessage.Event event) {
        if (!event.text().isEmpty()) {
            print(event.text());
        }
    }

    private static void print(String line) {
        System.out.println(line);
        System.out.flush();
    }

    /** Writes a message to a side. Returns whether the side could read it: it may have ended. */
    public static boolean write(Process side, SideMessage message) {
        try {
            OutputStream input = side.getOutputStream();
            input.write(FORMAT.write(message));
            input.write('\n');
            input.flush();
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}

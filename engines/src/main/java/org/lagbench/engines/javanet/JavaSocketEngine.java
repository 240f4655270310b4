package org.lagbench.engines.javanet;

import java.util.concurrent.ThreadFactory;

/**
 * The engine {@code java-socket}: the streams of {@code java.net.Socket}, as Java programs have used since Java 1.0.
 */
public final class JavaSocketEngine extends JavaNetEngine {
    /** Creates the engine, for the service loader. */
    public JavaSocketEngine() {
        super("java-socket", 3, true);
    }

    @Override
    ThreadFactory connectionThreads() {
        return task -> new Thread(task, "connection");
    }
}

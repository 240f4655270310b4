package org.lagbench.engines.javanet;

import java.lang.reflect.InvocationTargetException;
import java.util.concurrent.ThreadFactory;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;

/** Virtual threads, by reflection: lagbench also runs on JDKs without them. */
final class VirtualThreads {
    private VirtualThreads() {}

    /**
     * Returns a factory of virtual threads.
     *
     * @param name the name of its threads
     * @throws LagbenchException if this JDK has none
     */
    static ThreadFactory factory(String name) throws LagbenchException {
        try {
            Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
            Class<?> type = Class.forName("java.lang.Thread$Builder");
            Object named = type.getMethod("name", String.class).invoke(builder, name);
            return (ThreadFactory) type.getMethod("factory").invoke(named);
        } catch (NoSuchMethodException
                | ClassNotFoundException
                | IllegalAccessException
                | InvocationTargetException e) { // the last on JDK 19 and 20, as a preview
            throw new LagbenchException(
                    ExitCode.UNAVAILABLE,
                    "engine: java-virtual needs a JDK 21 or newer, and this is JDK "
                            + Runtime.version().feature()
                            + "; set JAVA_HOME to a newer one, or use engine: java-socket.",
                    e);
        }
    }
}

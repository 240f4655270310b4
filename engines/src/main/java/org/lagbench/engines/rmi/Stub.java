package org.lagbench.engines.rmi;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputFilter.Status;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.lang.reflect.Proxy;
import java.rmi.Remote;
import java.rmi.server.RemoteObject;
import java.rmi.server.RemoteObjectInvocationHandler;
import java.util.Base64;
import java.util.Set;

/** The stub of a receiver's remote object as text, for the control connection. */
final class Stub {
    /** The key in a receiver's announcement. */
    static final String KEY = "stub";

    private static final int MAXIMUM_BYTES = 3_000;

    private static final Set<String> MODULES = Set.of("java.base", "java.rmi");

    private static final Set<Class<?>> TYPES = Set.of(
            Proxy.class,
            Remote.class,
            PacketSink.class,
            RemoteObject.class,
            RemoteObjectInvocationHandler.class,
            RunSockets.class,
            Record.class);

    private Stub() {}

    static String text(Remote stub) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(stub);
        }
        return Base64.getEncoder().encodeToString(bytes.toByteArray());
    }

    /**
     * Reads the stub that a receiver announced. Creates objects of the stub's own types only.
     *
     * @throws IOException if it is not a stub
     */
    static PacketSink parse(String text) throws IOException {
        byte[] bytes;
        try {
            bytes = Base64.getDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            throw new IOException("the receiver announced an invalid stub", e);
        }
        if (bytes.length > MAXIMUM_BYTES) {
            throw new IOException("the receiver's stub is too large: " + bytes.length + " bytes");
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
            in.setObjectInputFilter(Stub::status);
            if (in.readObject() instanceof PacketSink sink) {
                return sink;
            }
            throw new IOException("the receiver announced an object that is not its stub");
        } catch (ClassNotFoundException | RuntimeException e) {
            throw new IOException("the receiver announced an invalid stub", e);
        }
    }

    /**
     * Sets the process's serial filter, unless the user has set one: only classes of the JDK and of this package are
     * deserialized. A receiver could otherwise return exceptions of other classes.
     */
    static synchronized void refuseForeignClasses() {
        if (ObjectInputFilter.Config.getSerialFilter() == null) {
            ObjectInputFilter.Config.setSerialFilter(info -> {
                Class<?> type = info.serialClass();
                while (type != null && type.isArray()) {
                    type = type.getComponentType();
                }
                boolean isKnown = type == null
                        || type.isPrimitive()
                        || Proxy.isProxyClass(type)
                        || MODULES.contains(String.valueOf(type.getModule().getName()))
                        || type.getPackage() == Stub.class.getPackage();
                return isKnown ? Status.UNDECIDED : Status.REJECTED;
            });
        }
    }

    private static Status status(ObjectInputFilter.FilterInfo info) {
        Class<?> type = info.serialClass();
        if (type == null) {
            return Status.UNDECIDED; // for checks of limits: the maximum size of the text limits all
        }
        boolean isProxyOfSink = Proxy.isProxyClass(type) && PacketSink.class.isAssignableFrom(type);
        return TYPES.contains(type) || isProxyOfSink ? Status.ALLOWED : Status.REJECTED;
    }
}

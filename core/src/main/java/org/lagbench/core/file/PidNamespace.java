package org.lagbench.core.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** PID namespaces (pid_namespaces(7)), such as those of containers: a PID of another one may be any process here. */
public final class PidNamespace {
    private PidNamespace() {}

    /** Returns the number of this process's namespace, which no other one on this host has. */
    public static long own() throws IOException {
        String link = Files.readSymbolicLink(Path.of("/proc/self/ns/pid")).toString();
        return Long.parseLong(link.substring(link.indexOf('[') + 1, link.indexOf(']')));
    }
}

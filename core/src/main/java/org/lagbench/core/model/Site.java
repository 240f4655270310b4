package org.lagbench.core.model;

import java.nio.file.Path;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.text.Endpoint;

/**
 * A host that takes part in a matrix.
 *
 * @param name matches {@link #NAME}
 * @param agent address of its {@code lagbench serve}, for the coordinator and for the other sites
 * @param keyFile the file with its key, absolute; null for the key in the environment
 */
public record Site(String name, Endpoint agent, @Nullable Path keyFile) {
    /** The syntax of names, which are also names of directories. */
    public static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,30}");
}

package org.lagbench.core.run;

import java.nio.file.Path;
import java.time.Instant;
import java.util.UUID;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.AtomicFile;
import org.lagbench.core.file.StrictJson;

/**
 * The identity of a session, which a copy of its directory keeps: the file {@value #FILE_NAME}.
 *
 * @param format always {@value #FORMAT}
 * @param id a random UUID
 * @param createdAt when the session was created, ISO-8601 in UTC
 */
public record SessionId(String format, UUID id, Instant createdAt) {
    /** The file's name in a session directory. */
    public static final String FILE_NAME = "session.json";

    private static final String FORMAT = "lagbench-session-1";

    /** Gives a new session an identity. */
    public static void create(Path session, Instant now) throws LagbenchException {
        AtomicFile.write(
                session.resolve(FILE_NAME), StrictJson.line(new SessionId(FORMAT, UUID.randomUUID(), now)) + "\n");
    }

    /**
     * Reads the identity of a session.
     *
     * @throws LagbenchException with {@link ExitCode#FILES} and the path, if there is none or it cannot be used
     */
    public static SessionId read(Path session) throws LagbenchException {
        return StrictJson.read(session.resolve(FILE_NAME), FORMAT, SessionId.class);
    }
}

package org.lagbench.core.model;

import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;

/** Opens encoders and decoders. Some codecs unpack a native library into a temporary directory for that. */
public final class CodecLibrary {
    private CodecLibrary() {}

    /**
     * Opens an encoder, which one thread uses.
     *
     * @throws LagbenchException if the codec's library cannot be loaded
     */
    public static Codec.Encoder openEncoder(CodecChoice choice) throws LagbenchException {
        try {
            return choice.codec().openEncoder(choice.level());
        } catch (LinkageError e) {
            throw notLoaded(choice.codec(), e);
        }
    }

    /**
     * Opens a decoder, which one thread uses.
     *
     * @throws LagbenchException if the codec's library cannot be loaded
     */
    public static Codec.Decoder openDecoder(Codec codec) throws LagbenchException {
        try {
            return codec.openDecoder();
        } catch (LinkageError e) {
            throw notLoaded(codec, e);
        }
    }

    private static LagbenchException notLoaded(Codec codec, LinkageError failure) {
        Throwable cause = failure;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        String reason = String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
        return new LagbenchException(
                ExitCode.UNAVAILABLE,
                "The library of the codec " + codec.name() + " cannot be loaded (" + reason
                        + "). Set JDK_JAVA_OPTIONS=-Djava.io.tmpdir=DIR, with a directory in which files may be created"
                        + " and executed.",
                failure);
    }
}

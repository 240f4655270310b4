package org.lagbench.core.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;

class CodecLibraryTest {
    /** A codec whose library cannot be loaded: first it cannot be mapped, then its class remains unusable. */
    private static final class UnmappedCodec implements Codec {
        @Override
        public String name() {
            return "unmapped";
        }

        @Override
        public int id() {
            return 99;
        }

        @Override
        public int maximumBytes(int bytes) {
            return bytes;
        }

        @Override
        public Encoder openEncoder(int level) {
            throw new UnsatisfiedLinkError("/tmp/libunmapped.so: failed to map segment\nnot in java.library.path");
        }

        @Override
        public Decoder openDecoder() {
            NoClassDefFoundError error = new NoClassDefFoundError("Could not initialize class Unmapped");
            error.initCause(new UnsatisfiedLinkError("/tmp/libunmapped.so: failed to map segment"));
            throw error;
        }
    }

    private final Codec codec = new UnmappedCodec();

    @Test
    void suggestsRemedyIfLibraryCannotBeLoaded() {
        check(() -> Codecs.openEncoder(new Codec.Choice(codec, Codec.NO_LEVEL)));
        check(() -> Codecs.openDecoder(codec));
    }

    private static void check(ThrowingCallable opening) {
        LagbenchException thrown = assertThatExceptionOfType(LagbenchException.class)
                .isThrownBy(opening)
                .actual();
        assertThat(thrown.exitCode()).isEqualTo(ExitCode.UNAVAILABLE);
        assertThat(thrown.sentence())
                .contains("codec unmapped")
                .contains("(/tmp/libunmapped.so: failed to map segment)")
                .contains("-Djava.io.tmpdir=");
    }
}

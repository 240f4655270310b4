package org.lagbench.core.model;

import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;

/** The registry of codecs, ordered by their numbers. Immutable. */
public final class Codecs extends Registry<Codec> {
    /** All numbers of codecs are less than this. */
    public static final int IDS = 128;

    private final @Nullable Codec[] byId = new Codec[IDS];

    private Codecs(Iterable<Codec> codecs) {
        super("codec", codecs);
        for (Codec codec : all()) {
            if (byId[codec.id()] != null) {
                throw new IllegalStateException("two codecs have the number " + codec.id());
            }
            byId[codec.id()] = codec;
        }
    }

    /** Returns all codecs on the class path. */
    public static Codecs load() {
        return new Codecs(ServiceLoader.load(Codec.class));
    }

    /** Returns the codec with a number; null if there is none, also for a number out of range. */
    public @Nullable Codec byId(int id) {
        return id >= 0 && id < IDS ? byId[id] : null;
    }

    /** Returns every codec with each of its levels. */
    public Stream<Codec.Choice> choices() {
        return all().stream().flatMap(codec -> IntStream.rangeClosed(codec.minimumLevel(), codec.maximumLevel())
                .mapToObj(level -> new Codec.Choice(codec, level)));
    }

    /** Returns the codec and level with a name such as {@code zstd-3}. */
    public Optional<Codec.Choice> choice(String name) {
        return choices().filter(choice -> choice.name().equals(name)).findFirst();
    }

    /** Returns the codec and level of each name, all of which must exist. */
    public List<Codec.Choice> choices(List<String> names) {
        return names.stream().map(name -> choice(name).orElseThrow()).toList();
    }

    /** Returns all names as a phrase for a message: "none, gzip-1 to gzip-9, lz4". */
    public String accepted() {
        return all().stream()
                .map(codec -> codec.maximumLevel() == Codec.NO_LEVEL
                        ? codec.name()
                        : codec.name() + "-" + codec.minimumLevel() + " to " + codec.name() + "-"
                                + codec.maximumLevel())
                .collect(Collectors.joining(", "));
    }

    /**
     * Opens an encoder, which one thread uses. Some codecs unpack a native library into a temporary directory for that.
     *
     * @throws LagbenchException if the codec's library cannot be loaded
     */
    public static Codec.Encoder openEncoder(Codec.Choice choice) throws LagbenchException {
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
        String reason = String.valueOf(IoErrors.rootOf(failure).getMessage())
                .lines()
                .findFirst()
                .orElse("");
        return ExitCode.UNAVAILABLE.failure(
                "The library of the codec " + codec.name() + " cannot be loaded (" + reason
                        + "). Set JDK_JAVA_OPTIONS=-Djava.io.tmpdir=DIR, with a directory in which files may be created"
                        + " and executed.",
                failure);
    }
}

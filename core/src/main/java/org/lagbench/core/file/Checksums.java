package org.lagbench.core.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;

/**
 * The checksums of finished files of one directory, kept in its file {@value #FILE_NAME}: a CRC-32 (that of zlib and
 * gzip) for each block of {@value #BLOCK_BYTES} bytes. They reveal damage, not forgery.
 *
 * @param format the format and its version
 * @param blockBytes the length of each block but the last of a file
 * @param files the checksums by the name of the file
 */
public record Checksums(String format, int blockBytes, Map<String, FileChecksums> files) {
    public static final String FILE_NAME = "checksums.json";

    /** The length of the blocks of new files. */
    public static final int BLOCK_BYTES = 1 << 20;

    private static final String FORMAT = "lagbench-checksums-1";
    private static final int CHUNK_BYTES = 1 << 16;
    private static final int MAXIMUM_BLOCK_BYTES = 1 << 28;

    /** The accepted names, which cannot be those of files of another directory. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,254}");

    private static final HexFormat HEX = HexFormat.of();
    private static final Pattern CRC = Pattern.compile("[0-9a-f]{8}");

    /**
     * The checksums of one file.
     *
     * @param bytes the file's length
     * @param blocks the checksum of each block, 8 hexadecimal digits
     */
    public record FileChecksums(@Within long bytes, List<String> blocks) {
        public FileChecksums {
            blocks = List.copyOf(blocks);
            for (String block : blocks) {
                if (!CRC.matcher(block).matches()) {
                    throw new IllegalArgumentException("blocks: \"" + block + "\" is not 8 hexadecimal digits");
                }
            }
        }
    }

    public Checksums {
        StrictJson.requireWithin(blockBytes, 1, MAXIMUM_BLOCK_BYTES, "blockBytes");
        for (Map.Entry<String, FileChecksums> entry : files.entrySet()) {
            String name = entry.getKey();
            if (!NAME.matcher(name).matches()) {
                throw new IllegalArgumentException("files: \"" + name + "\" is not the name of a file of a run");
            }
            FileChecksums file = entry.getValue();
            if (file.blocks.size() != file.bytes / blockBytes + (file.bytes % blockBytes == 0 ? 0 : 1)) {
                throw new IllegalArgumentException("files." + name + ": bytes is " + file.bytes + " and blocks has "
                        + file.blocks.size() + " of " + blockBytes + " bytes");
            }
        }
        files = Collections.unmodifiableMap(new TreeMap<>(files));
    }

    /**
     * Reads the checksums of a directory.
     *
     * @return null if it has none
     * @throws LagbenchException with {@link ExitCode#FILES} if they cannot be used
     */
    public static @Nullable Checksums read(Path directory) throws LagbenchException {
        Path file = directory.resolve(FILE_NAME);
        if (!Files.exists(file)) {
            return null;
        }
        return StrictJson.read(file, FORMAT, Checksums.class);
    }

    /**
     * Computes the checksums of the files of a directory that have none yet, and writes them.
     *
     * @param names names of finished files, which exist
     */
    public static void add(Path directory, Collection<String> names) throws LagbenchException {
        Checksums known = read(directory);
        Map<String, FileChecksums> files = new TreeMap<>(known == null ? Map.of() : known.files);
        int blockBytes = known == null ? BLOCK_BYTES : known.blockBytes;
        boolean isChanged = false;
        for (String name : names) {
            if (!files.containsKey(name)) {
                files.put(name, checksums(directory.resolve(name), blockBytes));
                isChanged = true;
            }
        }
        if (isChanged) {
            write(directory, new Checksums(FORMAT, blockBytes, files));
        }
    }

    /** Removes the checksum of a file of a directory, if it has one: the file is continued. */
    public static void remove(Path directory, String name) throws LagbenchException {
        Checksums known = read(directory);
        if (known != null && known.files.containsKey(name)) {
            Map<String, FileChecksums> files = new TreeMap<>(known.files);
            files.remove(name);
            write(directory, new Checksums(FORMAT, known.blockBytes, files));
        }
    }

    /**
     * Replaces a file, and its checksums if the directory has checksums. If the process is killed meanwhile, the
     * directory has none, rather than false ones.
     */
    public static void rewrite(Path file, String content) throws LagbenchException {
        Path directory = file.toAbsolutePath().getParent();
        if (directory == null) {
            throw new IllegalArgumentException(file + " has no directory");
        }
        Checksums known = read(directory);
        if (known == null) {
            AtomicFile.write(file, content);
            return;
        }
        try {
            Files.delete(directory.resolve(FILE_NAME));
        } catch (IOException e) {
            throw IoErrors.toException(directory.resolve(FILE_NAME) + " cannot be replaced", e);
        }
        AtomicFile.write(file, content);
        Map<String, FileChecksums> files = new TreeMap<>(known.files);
        files.put(String.valueOf(file.getFileName()), checksums(file, known.blockBytes));
        write(directory, new Checksums(FORMAT, known.blockBytes, files));
    }

    private static FileChecksums checksums(Path file, int blockBytes) throws LagbenchException {
        return IoErrors.explained(file + " cannot be read", () -> compute(file, blockBytes));
    }

    private static void write(Path directory, Checksums checksums) throws LagbenchException {
        AtomicFile.write(directory.resolve(FILE_NAME), StrictJson.indented(StrictJson.tree(checksums)) + "\n");
    }

    /**
     * Compares the files with their checksums.
     *
     * @return the error of each damaged file, by its name: {@code is missing}
     */
    public Map<String, String> damage(Path directory) {
        Map<String, String> damage = new TreeMap<>();
        files.forEach((name, expected) -> {
            String found = damage(directory.resolve(name), expected);
            if (found != null) {
                damage.put(name, found);
            }
        });
        return damage;
    }

    private @Nullable String damage(Path file, FileChecksums expected) {
        try {
            long bytes = Files.size(file);
            if (bytes != expected.bytes) {
                return (bytes < expected.bytes ? "is cut off: it has " : "has grown: it has ") + bytes
                        + " bytes in place of " + expected.bytes;
            }
            List<String> blocks = compute(file, blockBytes).blocks;
            int first = 0;
            while (first < blocks.size() && blocks.get(first).equals(expected.blocks.get(first))) {
                first++;
            }
            int last = blocks.size() - 1;
            while (last >= first && blocks.get(last).equals(expected.blocks.get(last))) {
                last--;
            }
            return first > last
                    ? null
                    : "is damaged: its checksums differ from byte " + (long) first * blockBytes + " to byte "
                            + (Math.min(bytes, (last + 1L) * blockBytes) - 1);
        } catch (NoSuchFileException e) {
            return "is missing";
        } catch (IOException e) {
            return "cannot be read: " + IoErrors.reason(e);
        }
    }

    private static FileChecksums compute(Path file, int blockBytes) throws IOException {
        ByteBuffer chunk = ByteBuffer.allocateDirect(Math.min(CHUNK_BYTES, blockBytes));
        List<String> blocks = new ArrayList<>();
        CRC32 crc = new CRC32();
        long bytes = 0;
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            while (true) {
                int left = blockBytes - (int) (bytes % blockBytes);
                int read = channel.read(chunk.clear().limit(Math.min(left, chunk.capacity())));
                if (read < 0) {
                    break;
                }
                bytes += read;
                crc.update(chunk.flip());
                if (read == left) {
                    blocks.add(HEX.toHexDigits((int) crc.getValue()));
                    crc.reset();
                }
            }
        }
        if (bytes % blockBytes > 0) {
            blocks.add(HEX.toHexDigits((int) crc.getValue()));
        }
        return new FileChecksums(bytes, blocks);
    }
}

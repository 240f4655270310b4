package org.lagbench.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.transfer.CodecSpeed;
import org.lagbench.compression.chunk.CodecMeter;
import org.lagbench.compression.chunk.DataGenerator;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Codec;
import org.lagbench.core.model.Codecs;
import org.lagbench.core.model.Quantities;
import org.lagbench.core.model.TextEnum;
import org.lagbench.core.run.CompressionSpec.DataKind;
import org.lagbench.report.table.AdviceReport;
import org.lagbench.report.table.TableFormat;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** {@code lagbench codecs}: measures codecs in memory. */
@Listed(in = HelpSection.MEASURE, order = 90)
@Command(
        name = "codecs",
        description = {
            "Measure the speed and ratio of codecs by kind of data in memory, in the form of Table 1 of Hu, \"Network"
                    + " Aware Data Transmission with Compression\" (2003), with the bandwidths below which they save"
                    + " time."
        },
        footer = {"  lagbench codecs", "  lagbench codecs --codec gzip-6,zstd-3,lz4 --data text,binary"})
public final class CodecsCommand extends Subcommand {
    /** Size of each file to compress. It suffices for the JIT compiler, and is many chunks of the default size. */
    private static final int FILE_BYTES = 1 << 18;

    @Option(
            names = "--codec",
            split = ",",
            paramLabel = "NAME",
            description = "Codecs with their levels (default: ${DEFAULT-VALUE}).")
    private List<String> codecs = List.of("gzip-6", "gzip-1", "zstd-1", "zstd-3", "lz4", "snappy");

    @Option(
            names = "--data",
            split = ",",
            paramLabel = "KIND",
            description = "Kinds of generated data (default: ${DEFAULT-VALUE}).")
    private List<String> data = List.of("text", "postscript-like", "binary", "pdf-like", "jpeg-like");

    @Option(names = "--files", paramLabel = "N", description = "Files of each kind (default: ${DEFAULT-VALUE}).")
    private int files = 10;

    @Option(
            names = "--chunk-bytes",
            paramLabel = "SIZE",
            converter = SizeConverter.class,
            description = "Size of a chunk, a power of two up to 256KiB (default: 16KiB).")
    private int chunkBytes = 1 << 14;

    @Option(
            names = "--write",
            paramLabel = "DIR",
            description = {
                "Instead of measuring, write --file-bytes of each kind of data into a file of this directory,"
                        + " named after the kind. No part of a file repeats another."
            })
    private @Nullable Path directory;

    @Option(
            names = "--file-bytes",
            paramLabel = "SIZE",
            converter = SizeConverter.class,
            description = "Size of each file that --write writes, such as 8MiB (default: 4MiB).")
    private int fileBytes = 1 << 22;

    @Override
    public Integer call() throws LagbenchException {
        shutdown().endAtOnce();
        boolean isChunk = Integer.bitCount(chunkBytes) == 1 && chunkBytes >= 1 && chunkBytes <= FILE_BYTES;
        require(
                files >= 1 && fileBytes >= 1 && isChunk,
                "--files and --file-bytes take at least 1, and --chunk-bytes a power of two up to 256KiB.");
        if (directory != null) {
            for (String kind : data) {
                write(kind(kind), directory.resolve(kind), fileBytes);
            }
            return ExitCode.OK.code();
        }
        Codecs known = Codecs.load();
        List<CodecSpeed> figures = new ArrayList<>();
        for (String kind : data) {
            for (String name : codecs) {
                figures.add(measure(kind(kind), choice(known, name)));
            }
        }
        print(TableFormat.TEXT.text(AdviceReport.ofCodecs(figures)));
        return ExitCode.OK.code();
    }

    private static void write(DataKind kind, Path file, int size) throws LagbenchException {
        byte[] bytes = new byte[size];
        DataGenerator.generate(kind, size, 1).get(bytes);
        IoErrors.explained(file + " cannot be written", () -> {
            Files.createDirectories(file.toAbsolutePath().getParent());
            return Files.write(file, bytes);
        });
    }

    private CodecSpeed measure(DataKind kind, Codec.Choice choice) throws LagbenchException {
        CodecMeter.FileMeasurements measured = CodecMeter.measureFiles(choice, kind, files, FILE_BYTES, chunkBytes);
        return CodecSpeed.of(kind.text(), choice.name(), measured.bytesPerS(), measured.ratios());
    }

    /** Returns the codec that an option names. */
    static Codec.Choice choice(Codecs known, String name) throws LagbenchException {
        return known.choice(name)
                .orElseThrow(() -> ExitCode.USAGE.failure(
                        "--codec: there is no codec \"" + name + "\"; there are " + known.accepted() + "."));
    }

    private static DataKind kind(String name) throws LagbenchException {
        try {
            return TextEnum.parse(DataKind.class, "--data", name);
        } catch (IllegalArgumentException e) {
            throw ExitCode.USAGE.failure(String.valueOf(e.getMessage()), e);
        }
    }

    /** Converts a size in bytes, written 65536, 64KiB or 64kB. */
    static final class SizeConverter implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            try {
                return (int) Quantities.parseBytes(text, 1, Integer.MAX_VALUE);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException("\"" + text + "\" is not a size, such as 65536, 64KiB or 64kB.");
            }
        }
    }
}

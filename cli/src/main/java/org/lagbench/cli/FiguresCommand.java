package org.lagbench.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.session.Session;
import org.lagbench.analysis.summary.Summaries;
import org.lagbench.analysis.summary.SummaryOptions;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.report.figure.AllFigures;
import org.lagbench.report.figure.Figure;
import org.lagbench.report.figure.FigureContext;
import org.lagbench.report.figure.FigureFiles;
import org.lagbench.report.plot.ImageFormat;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lagbench figures}: the figures of a session, made from its captures. */
@Command(
        name = "figures",
        sortOptions = false,
        description = {
            "Make the figures of a session, of its runs directory, or of one run, from the captures.",
            "Where a figure shows a single run, it is the first of its point."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  lagbench figures results/quickstart-20260101T120000Z",
            "  lagbench figures results/quickstart-20260101T120000Z --only lag-distribution,lag-boxes --format svg"
        })
final class FiguresCommand implements Callable<Integer> {
    @Mixin
    private final SessionArgument session = new SessionArgument();

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            split = ",",
            defaultValue = "svg,png",
            converter = Formats.class,
            completionCandidates = Formats.class,
            description = "${COMPLETION-CANDIDATES}, or several with commas (default: ${DEFAULT-VALUE}).")
    private List<ImageFormat> formats = List.of();

    @Option(
            names = "--only",
            paramLabel = "NAME",
            split = ",",
            converter = Figures.class,
            completionCandidates = Figures.class,
            description = "Only these of ${COMPLETION-CANDIDATES}.")
    private List<Figure> only = List.of();

    @Option(names = "--output", paramLabel = "DIRECTORY", description = "Where to (default: figures in DIR).")
    private @Nullable Path output;

    @Option(names = "--include-broken", description = "Runs that broke off as well, as far as their captures go.")
    private boolean includeBroken;

    @Override
    public Integer call() throws LagbenchException {
        Session opened = session.open();
        FigureContext context =
                new FigureContext(opened, Summaries.of(opened, new SummaryOptions(includeBroken, false)));
        FigureFiles files = FigureFiles.write(
                output == null ? session.directory().resolve(FigureFiles.DIRECTORY) : output,
                context,
                only.isEmpty() ? AllFigures.IN_ORDER : only,
                EnumSet.copyOf(formats));
        PrintWriter out = session.out();
        files.written().forEach(out::println);
        files.leftOut()
                .forEach(figure -> out.println("Left out: " + figure.name() + ", for want of " + figure.needs() + "."));
        out.println("Font: " + files.font() + ".");
        out.flush();
        return ExitCode.OK.code();
    }

    /** The formats by the names they have on the command line. */
    private static final class Formats extends Choice<ImageFormat> {
        Formats() {
            super("format", List.of(ImageFormat.values()), ImageFormat::text);
        }
    }

    /** The figures by their names. */
    private static final class Figures extends Choice<Figure> {
        Figures() {
            super("figure", AllFigures.IN_ORDER, Figure::name);
        }
    }
}

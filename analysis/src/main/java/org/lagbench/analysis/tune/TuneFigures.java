package org.lagbench.analysis.tune;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.plot.Axis;
import org.lagbench.analysis.plot.Cells;
import org.lagbench.analysis.plot.Chart;
import org.lagbench.analysis.plot.ImageFormat;
import org.lagbench.analysis.plot.Line;
import org.lagbench.analysis.plot.LineStyle;
import org.lagbench.analysis.plot.Typeface;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.FileTrouble;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.WholeFile;
import org.lagbench.core.tune.Objective;

/** The figures of a tune, SVG and PNG: the surface as a heat map, and the objective against the goodput. */
public final class TuneFigures {
    private static final String DIRECTORY = "figures";
    private static final double ROW_HEIGHT = 18;
    private static final double HEIGHT = 150;
    private static final double NS_PER_US = 1e3;
    private static final double MEGA = 1e6;

    private TuneFigures() {}

    /**
     * Writes them into the directory of figures of a session.
     *
     * @throws LagbenchException with {@link ExitCode#FILES} if a file cannot be written, with {@link ExitCode#UNAVAILABLE} if
     *     this machine cannot draw
     */
    public static void write(Path session, TuneResult result, Objective objective) throws LagbenchException {
        Typeface typeface = Typeface.load();
        Path directory = session.resolve(DIRECTORY);
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new LagbenchException(
                    ExitCode.FILES,
                    "The directory " + directory + " cannot be made: " + FileTrouble.reason(e) + ".",
                    e);
        }
        int number = 1;
        List<Surface> surfaces = Surface.of(result, objective);
        for (Surface surface : surfaces) {
            String name = surfaces.size() == 1 ? "tune-surface" : "tune-surface-" + number++;
            write(directory, name, surface(surface, result), typeface);
        }
        if (result.rows().stream().anyMatch(TuneFigures::isDrawn)) {
            write(directory, "tune-trade-off", tradeOff(result, objective), typeface);
        }
    }

    private static void write(Path directory, String name, Chart chart, Typeface typeface) throws LagbenchException {
        for (ImageFormat format : ImageFormat.values()) {
            WholeFile.write(directory.resolve(name + "." + format.text()), format.draw(chart, typeface));
        }
    }

    private static Chart surface(Surface surface, TuneResult result) {
        double least = Double.POSITIVE_INFINITY;
        double greatest = 0;
        for (TuneResult.Row row : result.rows()) {
            if (isDrawn(row)) {
                least = Math.min(least, row.objectiveNs());
                greatest = Math.max(greatest, row.objectiveNs());
            }
        }
        double span = greatest > least ? Math.log(greatest / least) : 1;
        List<Cells.Cell> cells = new ArrayList<>();
        for (int row = 0; row < surface.rows().size(); row++) {
            for (int column = 0; column < surface.columns().size(); column++) {
                TuneResult.@Nullable Row cell = surface.cells().get(row).get(column);
                if (cell != null) {
                    cells.add(new Cells.Cell(
                            column,
                            row,
                            isDrawn(cell) ? Math.log(cell.objectiveNs() / least) / span : 1,
                            Surface.cellText(cell),
                            cell.verdict() == Verdict.INFEASIBLE,
                            cell.candidate().equals(result.recommended())));
                }
            }
        }
        String rowLabel = surface.rowKnob() == null ? "" : surface.rowKnob().name();
        return new Chart(
                surface.title(),
                surface.columns().size() > 5 ? Chart.TWO_COLUMNS : Chart.ONE_COLUMN,
                List.of(new Chart.Column(
                        "", Axis.categories(surface.columnKnob().name(), surface.columnNames()))),
                List.of(new Chart.Row(
                        Axis.categories(rowLabel, surface.rowNames()),
                        Math.max(2, surface.rows().size()) * ROW_HEIGHT,
                        List.of(new Chart.Panel(List.of(new Cells(cells)))))),
                List.of(new Chart.Entry("breaks a constraint", Cells.struck())),
                List.of(
                        "Median over the runs of each, on a logarithmic scale of shades: the darker the more. Thick frame:"
                                + " recommended. Empty: not run."));
    }

    private static Chart tradeOff(TuneResult result, Objective objective) {
        List<TuneResult.Row> drawn =
                result.rows().stream().filter(TuneFigures::isDrawn).toList();
        List<TuneResult.Row> kept = drawn.stream()
                .filter(row -> row.verdict() != Verdict.INFEASIBLE)
                .toList();
        List<TuneResult.Row> broken = drawn.stream()
                .filter(row -> row.verdict() == Verdict.INFEASIBLE)
                .toList();
        List<TuneResult.Row> defaults =
                drawn.stream().filter(row -> row.candidate().isDefault()).toList();
        LineStyle keptStyle = LineStyle.ofSeries(0);
        LineStyle brokenStyle = LineStyle.ofSeries(3);
        LineStyle defaultStyle = LineStyle.ofSeries(1);
        LineStyle frontier = LineStyle.hairline(6);
        double least = drawn.stream().mapToDouble(TuneFigures::us).min().orElse(1);
        double greatest = drawn.stream().mapToDouble(TuneFigures::us).max().orElse(1);
        double most = drawn.stream().mapToDouble(TuneFigures::mega).max().orElse(1);
        return new Chart(
                "What goodput costs: " + objective.title() + " against it",
                Chart.ONE_COLUMN,
                List.of(new Chart.Column("", Axis.linear("goodput (Mbit/s)", 0, most * 1.05))),
                List.of(new Chart.Row(
                        Axis.decades(objective.title() + " (µs)", least, greatest),
                        HEIGHT,
                        List.of(new Chart.Panel(List.of(
                                Line.through(
                                        "frontier",
                                        frontier,
                                        numbers(Frontier.of(result), true),
                                        numbers(Frontier.of(result), false)),
                                dots("keeps", keptStyle, kept),
                                dots("breaks", brokenStyle, broken),
                                dots("default", defaultStyle, defaults)))))),
                List.of(
                        new Chart.Entry("none has both better", frontier),
                        new Chart.Entry("candidate", keptStyle),
                        new Chart.Entry("breaks a constraint", brokenStyle),
                        new Chart.Entry("today's default", defaultStyle)),
                List.of("A dot is the medians over the runs of a candidate. The figures are in " + TuneFiles.TRADE_OFF
                        + "."));
    }

    private static Line dots(String name, LineStyle style, List<TuneResult.Row> rows) {
        return Line.dots(name, style, numbers(rows, true), numbers(rows, false));
    }

    private static double[] numbers(List<TuneResult.Row> rows, boolean goodput) {
        return rows.stream()
                .filter(TuneFigures::isDrawn)
                .mapToDouble(row -> goodput ? mega(row) : us(row))
                .toArray();
    }

    private static boolean isDrawn(TuneResult.Row row) {
        return Double.isFinite(row.objectiveNs()) && row.objectiveNs() > 0;
    }

    private static double us(TuneResult.Row row) {
        return row.objectiveNs() / NS_PER_US;
    }

    private static double mega(TuneResult.Row row) {
        return row.goodputBitsPerS() / MEGA;
    }
}

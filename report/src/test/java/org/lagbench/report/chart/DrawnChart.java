package org.lagbench.report.chart;

import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * An SVG file as its readers see it: the labels of the axes give the value of each position. Independent of the code
 * that drew it.
 */
final class DrawnChart {
    private static final Pattern PAIR = Pattern.compile("(-?[0-9.]+),(-?[0-9.]+)");

    private final Element svg;
    private final List<Element> panels;

    DrawnChart(byte[] file) throws Exception {
        svg = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(file))
                .getDocumentElement();
        panels = groups(svg, "panel");
    }

    Element svg() {
        return svg;
    }

    int panels() {
        return panels.size();
    }

    /** Returns the points of the line or dots of that name in a panel, as values of its axes. */
    List<double[]> points(int panel, String name, Scale horizontal, Scale vertical) {
        List<double[]> points = new ArrayList<>();
        for (Element group : groups(panels.get(panel), "line")) {
            if (group.getAttribute("data-name").equals(name)) {
                elements(group, "path").forEach(line -> points.addAll(pairs(line.getAttribute("d"))));
            }
        }
        points.replaceAll(point -> new double[] {horizontal.value(point[0]), vertical.value(point[1])});
        points.sort((left, right) -> Double.compare(left[0], right[0]));
        return points;
    }

    List<Element> groups(int panel, String kind) {
        return groups(panels.get(panel), kind);
    }

    /** Returns the horizontal axis of a panel with labels. */
    Scale horizontal(int panel, boolean logarithmic) {
        return scale(panel, "axis-x", "x", logarithmic);
    }

    /** Returns the vertical axis of a panel with labels. */
    Scale vertical(int panel, boolean logarithmic) {
        return scale(panel, "axis-y", "y", logarithmic);
    }

    /** Returns the label of an axis. */
    String axisTitle(int panel, String axis) {
        return groups(panels.get(panel), axis).get(0).getAttribute("data-name");
    }

    private Scale scale(int panel, String axis, String attribute, boolean logarithmic) {
        Element group = groups(panels.get(panel), axis).get(0);
        List<double[]> labels = new ArrayList<>();
        for (Element text : elements(group, "text").toList()) {
            String label = text.getTextContent().replace(",", "").replace('−', '-');
            if (label.matches("-?[0-9.]+")) {
                // the baseline of a vertical axis's label is a little below its tick
                double at = Double.parseDouble(text.getAttribute(attribute));
                labels.add(new double[] {at, Double.parseDouble(label)});
            }
        }
        double offset = attribute.equals("y") ? -2.45 : 0; // 0.35 of 7 points
        double[] first = labels.get(0);
        double[] last = labels.get(labels.size() - 1);
        return new Scale(first[0] + offset, first[1], last[0] + offset, last[1], logarithmic);
    }

    /** Two positions and the values they stand for. */
    record Scale(double at1, double value1, double at2, double value2, boolean logarithmic) {
        double value(double at) {
            double fraction = (at - at1) / (at2 - at1);
            return logarithmic ? value1 * Math.pow(value2 / value1, fraction) : value1 + fraction * (value2 - value1);
        }

        double pointsPerUnit() {
            return Math.abs((at2 - at1) / (value2 - value1));
        }
    }

    static List<double[]> pairs(String text) {
        Matcher matcher = PAIR.matcher(text);
        return matcher.results().map(DrawnChart::pair).toList();
    }

    static Stream<Element> elements(Element parent, String name) {
        NodeList found = parent.getElementsByTagName(name);
        List<Element> elements = new ArrayList<>();
        for (int i = 0; i < found.getLength(); i++) {
            elements.add((Element) found.item(i));
        }
        return elements.stream();
    }

    private static double[] pair(MatchResult pair) {
        return new double[] {Double.parseDouble(pair.group(1)), Double.parseDouble(pair.group(2))};
    }

    private static List<Element> groups(Element parent, String kind) {
        return elements(parent, "g")
                .filter(group -> group.getAttribute("class").equals(kind))
                .toList();
    }
}

package org.lagbench.report.table;

import java.io.StringWriter;
import java.util.List;
import java.util.stream.Collectors;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.UntrustedText;

/**
 * The verdicts of requirements or comparisons, as CI servers need them: an exit code, a sentence, and a JUnit report.
 *
 * @param session what was checked
 * @param all at least one: that nothing was judged is a verdict, and no success
 */
public record Checks(String session, List<Check> all) {
    /**
     * One verdict.
     *
     * @param metric the id of the metric, or the name of the series
     * @param name what is checked, with its point
     * @param result {@link ExitCode#OK}, {@link ExitCode#MISSED} or {@link ExitCode#UNDECIDED}
     * @param message the verdict with its numbers
     */
    public record Check(String metric, String name, ExitCode result, String message) {
        public Check {
            name = UntrustedText.escape(name);
            message = UntrustedText.escape(message);
        }
    }

    public Checks {
        all = all.isEmpty()
                ? List.of(new Check("points", session, ExitCode.UNDECIDED, "undecided (no value): nothing was judged"))
                : List.copyOf(all);
    }

    /** Returns the exit code: of a missed one if there is any, else of an undecided one. */
    public ExitCode exitCode() {
        return !of(ExitCode.MISSED).isEmpty()
                ? ExitCode.MISSED
                : of(ExitCode.UNDECIDED).isEmpty() ? ExitCode.OK : ExitCode.UNDECIDED;
    }

    private List<Check> of(ExitCode result) {
        return all.stream().filter(check -> check.result() == result).toList();
    }

    /** Returns a line for each check that does not pass, missed ones first: "lag.q99 <= 2 ms, UDP/IP, 992 bytes: …". */
    public List<String> failures() {
        return List.of(ExitCode.MISSED, ExitCode.UNDECIDED).stream()
                .flatMap(result -> of(result).stream())
                .map(check -> check.name() + ": " + check.message())
                .collect(Collectors.toList());
    }

    /** Returns the report as XML: a missed check is a failure, an undecided one is skipped. */
    public String junit() {
        StringWriter text = new StringWriter();
        try {
            XMLStreamWriter xml = XMLOutputFactory.newFactory().createXMLStreamWriter(text);
            xml.writeStartDocument("UTF-8", "1.0");
            xml.writeCharacters("\n");
            xml.writeStartElement("testsuites");
            xml.writeCharacters("\n");
            xml.writeStartElement("testsuite");
            xml.writeAttribute("name", UntrustedText.escape(session));
            xml.writeAttribute("tests", Integer.toString(all.size()));
            xml.writeAttribute("failures", Integer.toString(of(ExitCode.MISSED).size()));
            xml.writeAttribute("errors", "0");
            xml.writeAttribute(
                    "skipped", Integer.toString(of(ExitCode.UNDECIDED).size()));
            for (Check check : all) {
                xml.writeCharacters("\n  ");
                write(xml, check);
            }
            xml.writeCharacters("\n");
            xml.writeEndDocument();
        } catch (XMLStreamException e) {
            throw new IllegalStateException("XML in memory cannot be written", e);
        }
        return text.append('\n').toString();
    }

    private static void write(XMLStreamWriter xml, Check check) throws XMLStreamException {
        xml.writeStartElement("testcase");
        xml.writeAttribute("classname", "lagbench." + check.metric());
        xml.writeAttribute("name", check.name());
        if (check.result() == ExitCode.OK) {
            xml.writeStartElement("system-out");
            xml.writeCharacters(check.message());
        } else {
            xml.writeStartElement(check.result() == ExitCode.MISSED ? "failure" : "skipped");
            xml.writeAttribute("message", check.message());
        }
        xml.writeEndElement();
        xml.writeEndElement();
    }
}

package org.lagbench.report.page;

/**
 * One section of the page, below a heading.
 *
 * @param id by which it is linked to; letters and hyphens
 * @param title its heading
 * @param template which template makes it, by the name of its file without the ending
 * @param model what the template is given
 */
public record ReportSection(String id, String title, String template, Object model) {
    /** A section that is made by the template of its own name. */
    static ReportSection of(String id, String title, Object model) {
        return new ReportSection(id, title, id, model);
    }
}

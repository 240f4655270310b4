package org.lagbench.report.page;

import org.lagbench.report.table.TableFormat;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The block of JSON in the page: the summary, as summary.json has it, and what the charts draw of each run. */
final class PageData {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private PageData() {}

    /** The block, such that no text in it can end the element that it stands in. */
    static String of(ReportContext context) {
        ObjectNode root = JSON.createObjectNode();
        root.set("summary", TableFormat.tree(context.summary()));
        ArrayNode runs = root.putArray("runs");
        for (ShownRun run : context.runs()) {
            ObjectNode node = runs.addObject();
            node.put("name", run.summary().name());
            node.put("point", run.pointLabel());
            node.put("transport", run.record().transport());
            node.put("repeat", run.summary().repeat());
            run.data().forEach((kind, data) -> node.set(kind.text(), data));
        }
        return JSON.writeValueAsString(root).replace("<", "\\u003c");
    }
}

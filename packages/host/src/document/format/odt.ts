import { Flow, type Paragraph, type Style } from "../flow.ts";
import { openPackage } from "../package.ts";
import { walkXml } from "../xml.ts";

export async function readOdt(path: string): Promise<string> {
  const pack = await openPackage(path);
  const content = await pack.text("content.xml");
  const { styles, numbered } = stylesOf(content + (await pack.optional("styles.xml")));
  const flow = new Flow();
  const spans: Style[] = [{}];
  const lists: string[] = [];
  let paragraph: Paragraph | undefined;
  // In a presentation: the number of the slide, and whether its title is being read.
  let [slide, title] = [0, false];
  const say = (text: string) => flow.say(text, spans.at(-1));
  const end = () => {
    flow.end(paragraph);
    paragraph = undefined;
  };
  walkXml(content, {
    skip: noText,
    open: {
      h: ({ "outline-level": level }) => (paragraph = { is: "heading", level: Number(level) || 1 }),
      page() {
        flow.say(`<!-- Slide ${++slide} -->`);
        flow.end();
      },
      frame: ({ class: kind }) => (title = kind === "title"),
      notes: () => say("Notes: "),
      p: () =>
        (paragraph = title
          ? { is: "heading", level: 1 }
          : lists.length > 0
            ? { is: "item", level: lists.length - 1, order: numbered.has(lists[0] ?? "") ? "numbered" : "bulleted" }
            : { is: "text" }),
      list: ({ "style-name": name }) => lists.push(name ?? lists.at(-1) ?? ""),
      span: ({ "style-name": name = "" }) => spans.push({ ...spans.at(-1), ...styles.get(name) }),
      a: ({ href }) => spans.push({ ...spans.at(-1), href }),
      s: ({ c }) => say(" ".repeat(Math.min(200, Number(c) || 1))),
      tab: () => say("\t"),
      "line-break": () => say("\n"),
      table: () => flow.openTable(),
      "table-row": () => flow.openRow(),
      "table-cell": () => flow.openCell(),
      "covered-table-cell": () => flow.openCell(),
    },
    close: {
      h: end,
      p: end,
      list: () => lists.pop(),
      span: () => spans.pop(),
      a: () => spans.pop(),
      table: () => flow.closeTable(),
      // Notes that hold nothing are not said.
      notes: () => flow.drop("Notes: "),
    },
    text(text) {
      // Line breaks between elements are the layout of the file, not text.
      if (paragraph) say(text.replace(/\s+/g, " "));
    },
  });
  return flow.toString();
}

/** Elements that hold no text of the document: styles, remarks, deleted text. */
const noText = new Set(["automatic-styles", "annotation", "note-citation", "tracked-changes"]);

function stylesOf(xml: string): { styles: Map<string, Style>; numbered: Set<string> } {
  const styles = new Map<string, Style>();
  const numbered = new Set<string>();
  let [style, list] = ["", ""];
  walkXml(xml, {
    open: {
      style: ({ name = "" }) => (style = name),
      "text-properties"({ "font-weight": weight, "font-style": slant }) {
        if (weight === "bold" || slant === "italic")
          styles.set(style, { ...(weight === "bold" && { bold: true }), ...(slant === "italic" && { italic: true }) });
      },
      "list-style": ({ name = "" }) => (list = name),
      "list-level-style-number"({ level }) {
        if (level === "1") numbered.add(list);
      },
    },
  });
  return { styles, numbered };
}

import { Flow, type Paragraph, type Style } from "../flow.ts";
import { openPackage, type Package } from "../package.ts";
import { walkXml } from "../xml.ts";

export async function readDocx(path: string): Promise<string> {
  const pack = await openPackage(path);
  const main = "word/document.xml";
  const [styles, numbered, links] = [await readStyles(pack), await numberedLists(pack), await pack.links(main)];
  const flow = new Flow();
  let style: Style = {};
  let href: string | undefined;
  let paragraph: Paragraph = { is: "text" };
  let level = 0;
  // The style of the paragraph mark is not the style of its text.
  let mark = false;
  const turn = (name: "bold" | "italic", value = "1") => {
    if (!mark) style[name] = !/^(?:0|false|none|off)$/.test(value);
  };
  walkXml(await pack.text(main), {
    // Text for older readers says everything a second time.
    skip: new Set(["Fallback"]),
    open: {
      ...flow.tables.open,
      p: () => (paragraph = { is: "text" }),
      pPr: () => (mark = true),
      pStyle({ val = "" }) {
        const style = styles.get(val);
        if (style?.heading) paragraph = { is: "heading", level: style.heading };
        else if (style?.list) paragraph = itemOf(numbered, style.list, style.level);
      },
      ilvl: ({ val }) => (level = Number(val) || 0),
      numId({ val }) {
        if (paragraph.is === "heading") return;
        paragraph = val === "0" ? { is: "text" } : itemOf(numbered, val ?? "", level);
      },
      r: () => (style = { href }),
      b: ({ val }) => turn("bold", val),
      i: ({ val }) => turn("italic", val),
      tab: () => mark || flow.say("\t", style),
      br: () => flow.say("\n", style),
      hyperlink: ({ id = "" }) => (href = links.get(id)),
    },
    close: {
      ...flow.tables.close,
      pPr: () => (mark = false),
      hyperlink: () => (href = undefined),
      p() {
        flow.end(paragraph);
        level = 0;
      },
    },
    text(text, element) {
      if (element === "t") flow.say(text, style);
    },
  });
  return flow.toString();
}

const itemOf = (numbered: ReadonlySet<string>, list: string, level: number): Paragraph => ({
  is: "item",
  level,
  order: numbered.has(`${list} ${level}`) ? "numbered" : "bulleted",
});

interface ParagraphStyle {
  heading?: number;
  /** The list that paragraphs of this style belong to, without saying so themselves. */
  list?: string | undefined;
  level: number;
}

/** Styles by their id. Their ids are in the language of the program, the names inside of them are not. */
async function readStyles(pack: Package): Promise<Map<string, ParagraphStyle>> {
  const styles = new Map<string, ParagraphStyle>();
  let style: ParagraphStyle = { level: 0 };
  walkXml(await pack.optional("word/styles.xml"), {
    open: {
      style({ styleId = "" }) {
        style = { level: 0 };
        styles.set(styleId, style);
      },
      name({ val = "" }) {
        const level = /^title$/i.test(val) ? 1 : Number(/^heading (\d)$/i.exec(val)?.[1]);
        if (level) style.heading = level;
      },
      basedOn({ val = "" }) {
        style.list ??= styles.get(val)?.list;
      },
      ilvl: ({ val }) => (style.level = Number(val) || 0),
      numId({ val = "0" }) {
        style.list = val === "0" ? undefined : val;
      },
    },
  });
  return styles;
}

/** Lists (`id level`) whose marks are numbers. */
async function numberedLists(pack: Package): Promise<Set<string>> {
  const shapes = new Map<string, Set<string>>();
  const lists = new Set<string>();
  let [shape, level, list] = ["", "", ""];
  walkXml(await pack.optional("word/numbering.xml"), {
    open: {
      abstractNum: ({ abstractNumId = "" }) => (shape = abstractNumId),
      lvl: ({ ilvl = "" }) => (level = ilvl),
      numFmt({ val }) {
        if (val !== "bullet" && val !== "none") shapes.set(shape, (shapes.get(shape) ?? new Set()).add(level));
      },
      num: ({ numId = "" }) => (list = numId),
      abstractNumId({ val = "" }) {
        for (const numbered of shapes.get(val) ?? []) lists.add(`${list} ${numbered}`);
      },
    },
  });
  return lists;
}

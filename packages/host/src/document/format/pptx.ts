import { Flow, type Paragraph, type Style } from "../flow.ts";
import { openPackage, type Package } from "../package.ts";
import { walkXml } from "../xml.ts";

export async function readPptx(path: string): Promise<string> {
  const pack = await openPackage(path);
  const slides: string[] = [];
  const main = "ppt/presentation.xml";
  const links = await pack.links(main);
  walkXml(await pack.text(main), {
    open: {
      sldId({ id = "" }) {
        const part = links.get(id);
        if (part) slides.push(part);
      },
    },
  });
  const texts: string[] = [];
  for (const [i, part] of slides.entries()) {
    const notes = [...(await pack.links(part)).values()].find(
      (target) => /\/notesSlides\/[^/]*$/.test(target) && pack.has(target),
    );
    const noted = notes ? await slideText(pack, notes, "notes") : "";
    const slide = `<!-- Slide ${i + 1} -->\n${await slideText(pack, part, "slide")}`;
    texts.push((noted === "" ? slide : `${slide}\n\nNotes: ${noted}`).trimEnd());
  }
  return texts.join("\n\n");
}

type Placeholder = "title" | "body" | "other";
const placeholders: Readonly<Record<string, Placeholder>> = { title: "title", ctrTitle: "title", body: "body" };

/** The text of a slide, or of its notes: there the slide itself, made small, and its number are left out. */
async function slideText(pack: Package, part: string, kind: "slide" | "notes"): Promise<string> {
  const links = await pack.links(part);
  const flow = new Flow();
  let style: Style = {};
  let place: Placeholder = "other";
  let paragraph: Paragraph = { is: "text" };
  const begin = (level: number) => {
    if (place === "title") paragraph = { is: "heading", level: 1 };
    else paragraph = place === "body" && kind === "slide" ? { is: "item", level, order: "bulleted" } : { is: "text" };
  };
  walkXml(await pack.text(part), {
    open: {
      sp: () => (place = "other"),
      ph: ({ type = "body" }) => (place = placeholders[type] ?? "other"),
      p: () => begin(0),
      pPr: ({ lvl }) => begin(Number(lvl) || 0),
      buAutoNum: () =>
        (paragraph = { is: "item", level: paragraph.is === "item" ? paragraph.level : 0, order: "numbered" }),
      buNone: () => (paragraph = paragraph.is === "item" ? { is: "text" } : paragraph),
      rPr: ({ b, i }) => (style = { bold: b === "1", italic: i === "1" }),
      hlinkClick: ({ id = "" }) => (style.href = links.get(id)),
      br: () => flow.say("\n", style),
      ...flow.tables.open,
    },
    close: { r: () => (style = {}), p: () => flow.end(paragraph), ...flow.tables.close },
    text(text, element) {
      if (element === "t" && (kind === "slide" || place === "body")) flow.say(text, place === "title" ? {} : style);
    },
  });
  return flow.toString();
}

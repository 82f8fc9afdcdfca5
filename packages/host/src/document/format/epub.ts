import { NodeHtmlMarkdown } from "node-html-markdown";
import { inPackage, openPackage } from "../package.ts";
import { walkXml } from "../xml.ts";

export async function readEpub(path: string): Promise<string> {
  const pack = await openPackage(path);
  let root = "";
  walkXml(await pack.text("META-INF/container.xml"), {
    open: { rootfile: (attributes) => (root ||= attributes["full-path"] ?? "") },
  });
  const files = new Map<string, string>();
  const spine: string[] = [];
  walkXml(await pack.text(root), {
    open: {
      item({ id, href }) {
        if (id && href) files.set(id, inPackage(root, decodeURIComponent(href)));
      },
      itemref: ({ idref = "" }) => spine.push(idref),
    },
  });
  const chapters: string[] = [];
  for (const id of spine) {
    const part = files.get(id);
    if (part && pack.has(part)) chapters.push(NodeHtmlMarkdown.translate(bodyOf(await pack.text(part))).trim());
  }
  return chapters.filter((text) => text !== "").join("\n\n");
}

/** The body alone, without declaration and head. */
const bodyOf = (html: string): string => /<body\b[^>]*>(.*)<\/body>/s.exec(html)?.[1] ?? html;

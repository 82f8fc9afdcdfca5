import type { Journal } from "@pith/agent";
import { type ExportedEntry, exportedEntry, exportedLine, type Part } from "./content.ts";

/** Writes the path to the leaf as Markdown. */
export function* writeMarkdown(journal: Journal): Generator<string> {
  const { header, tree } = journal;
  const [name, id, cwd, begun] = [tree.name ?? header.title ?? "Session", header.id, header.cwd, header.timestamp].map(
    exportedLine,
  );
  yield `# ${name}\n\n- Session: ${id}\n- Directory: ${cwd}\n- Begun: ${begun}\n`;
  const labels = tree.labels();
  for (const entry of tree.path()) {
    const shown = exportedEntry(entry);
    if (!shown) continue;
    const label = labels.get(entry.id);
    yield `\n${heading(shown)}${label ? ` [${exportedLine(label)}]` : ""}\n`;
    for (const part of shown.parts) yield `\n${body(part)}\n`;
  }
}

const heading = (shown: ExportedEntry): string => {
  if (shown.who === "change") return `*${shown.title}*`;
  return shown.who === "tool" ? `### Result of ${shown.title}` : `## ${shown.title}`;
};

function body(part: Part): string {
  switch (part.type) {
    case "text":
      return part.text;
    case "thinking":
      return part.text.replace(/^/gm, "> ");
    case "call":
      return `**${part.name}**\n\n${fenced(part.input, "json")}`;
    case "output":
      return fenced(part.text, part.failed ? "text failed" : "text");
    case "diff":
      return `\`${part.path}\`\n\n${fenced(part.patch, "diff")}`;
    case "image":
      return `![image](data:${part.mimeType};base64,${part.data})`;
  }
}

/** Fences a text by more signs than any fence inside. */
function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/^\s*(`{3,})/gm)].map((fence) => fence[1]?.length ?? 0));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}${text.endsWith("\n") ? "" : "\n"}${fence}`;
}

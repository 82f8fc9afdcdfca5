import type { Journal } from "@pith/agent";

/** Writes one document: header, name, leaf, labels, and every entry of the tree with its images. */
export function* writeJson(journal: Journal): Generator<string> {
  const { header, tree } = journal;
  const about = {
    header,
    name: tree.name ?? header.title ?? null,
    leaf: tree.leaf,
    labels: Object.fromEntries(tree.labels()),
  };
  yield `${JSON.stringify(about).slice(0, -1)},"entries":[`;
  let first = true;
  for (const entry of tree.all()) {
    yield `${first ? "\n" : ",\n"}${JSON.stringify(entry)}`;
    first = false;
  }
  yield "\n]}\n";
}

/** Writes a session file: its lines as they are, or with every image in its entry. */
export function* writeLines(journal: Journal, inline: boolean): Generator<string> {
  yield `${JSON.stringify(journal.header)}\n`;
  if (inline) for (const entry of journal.tree.all()) yield `${JSON.stringify(entry)}\n`;
  else for (const line of journal.lines()) yield `${line.toString("utf8")}\n`;
}

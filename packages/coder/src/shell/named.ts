import type { SessionTree } from "@pith/agent";

/** Paths below `/tmp` that the person named in this conversation: in messages, and by `@`. */
export class NamedPaths {
  readonly #tree: SessionTree;
  readonly #paths = new Set<string>();
  #seen: string | undefined;

  constructor(tree: SessionTree) {
    this.#tree = tree;
  }

  get paths(): ReadonlySet<string> {
    let newest: string | undefined;
    this.#tree.last("user", (entry) => {
      if (entry.type !== "message" || entry.message.role !== "user") return false;
      newest ??= entry.id;
      if (entry.id === this.#seen) return true;
      const { content } = entry.message;
      const parts =
        typeof content === "string" ? [content] : content.map((part) => (part.type === "text" ? part.text : ""));
      for (const text of parts) this.add(ownWords(text));
      return false;
    });
    this.#seen = newest;
    return this.#paths;
  }

  /** Adds the paths that a text of the person names. */
  add(text: string): void {
    for (const path of pathsIn(text)) this.#paths.add(path);
  }
}

/** Finds paths below `/tmp` in a text of a person; in quotes they may hold spaces. */
function pathsIn(text: string): string[] {
  if (!text.includes("/tmp/")) return [];
  const quoted = [...text.matchAll(/(["'`])(?:file:\/\/)?(\/tmp\/[^"'`\n]+)\1/g)].map(([, , path = ""]) => path);
  const plain = [...text.matchAll(/(?<![\w./-])(?:file:\/\/)?(\/tmp\/[^\s"'`<>|;:,()[\]{}*?]+)/g)];
  return [...quoted, ...plain.map(([, path = ""]) => path.replace(/[.!]+$/, ""))].filter(
    (path) => !/(?:^|\/)\.{0,2}(?:\/|$)/.test(path.slice("/tmp/".length)),
  );
}

/** A message without the contents of attached files: their names, and the words behind the last of them. */
function ownWords(text: string): string {
  const attached = /^(?:Contents of|User's selected code from) (.+?)(?::L\d+-L\d+)? \(already provided/gm;
  const names = [...text.matchAll(attached)].map(([, name = ""]) => name);
  if (names.length === 0) return text;
  return [...names, text.slice(text.lastIndexOf("\n\n"))].join("\n");
}

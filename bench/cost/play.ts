// What a careful model does about a task, for each agent in the words of its own tools.

export interface Call {
  tool: string;
  args: Readonly<Record<string, unknown>>;
}
/** A reply: calls, or the words at the end. Made from all results so far. */
export type Reply = readonly Call[] | string;
export type Step = Reply | ((seen: string) => Reply);

export interface Play {
  prompt: string;
  pith: readonly Step[];
  pi: readonly Step[];
  /** A command that succeeds where the task was done. */
  check: string;
}

export const bash = (command: string): Call => ({ tool: "bash", args: { command } });
export const read = (path: string, more: object = {}): Call => ({ tool: "read", args: { path, ...more } });
export const search = (pattern: string, ...paths: string[]): Call => ({ tool: "search", args: { pattern, paths } });
export const write = (path: string, content: string): Call => ({ tool: "write", args: { path, content } });
/** pith's edit by lines; `{path}` stands for the newest header of a path, `{path:text}` for the number of a line. */
export const lines = (seen: string, input: string): Call => ({
  tool: "edit",
  args: {
    input: input.replace(/\{([\w./-]+)(?::([^}]+))?\}/g, (_, path: string, text?: string) =>
      text === undefined ? headerOf(seen, path) : numberOf(seen, path, text),
    ),
  },
});
/** pi's edit by text. */
export const texts = (path: string, ...edits: [oldText: string, newText: string][]): Call => ({
  tool: "edit",
  args: { path, edits: edits.map(([oldText, newText]) => ({ oldText, newText })) },
});

const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

function headerOf(seen: string, path: string): string {
  const found = [...seen.matchAll(new RegExp(`^\\[${literal(path)}#[0-9A-F]{4}\\]`, "gm"))].at(-1)?.[0];
  if (found === undefined) throw new Error(`no tag of ${path} was seen`);
  return found;
}

/** The number of a line as it was last shown below the header of its file. */
function numberOf(seen: string, path: string, text: string): string {
  const pieces = seen.split(/^(?=\[[^\]\n]+#[0-9A-F]{4}\]$)/m).filter((piece) => piece.startsWith(`[${path}#`));
  const rows = pieces.flatMap((piece) => piece.split("\n")).filter((row) => row.includes(text));
  const number = rows.map((row) => /^[ *]?(\d+):/.exec(row)?.[1]).findLast(Boolean);
  if (number === undefined) throw new Error(`no line ${text} of ${path} was seen`);
  return number;
}

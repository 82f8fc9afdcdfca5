import { type Outcome, refusal, schema as s, type Tool } from "@pith/agent";
import { fill } from "@pith/kit";
import { parseSelector } from "../selector.ts";
import { showDirectory } from "./directory.ts";
import { showDocument } from "./document.ts";
import { showFile } from "./file.ts";
import type { ReadOptions } from "./options.ts";
import prose from "./read.md" with { type: "text" };
import { findTarget, type Target } from "./target.ts";

const input = s.object({ path: s.string().min(1).describe("With an optional selector") });
type Input = s.Infer<typeof input>;

export function read(options: ReadOptions): Tool<Input> {
  const { files, urls } = options;
  return {
    name: "read",
    about: fill(prose, { lines: options.defaultLimit, text: shapes[options.display] }),
    input,
    looks: true,
    beside: ({ path }) => !numbersConflicts(path),
    async prepare({ path }, { signal }) {
      const target = await findTarget({ files, urls, signal }, path);
      if (!target.ok) return refusal(target.message);
      const at = target.value.is === "address" ? target.value.address.at : target.value.at;
      return {
        effect: "read",
        paths: at ? [at] : [],
        run: (call) => show(options, target.value, call.signal),
      };
    },
  };
}

/** How text comes, which depends on what an edit refers to. */
const shapes: Record<ReadOptions["display"], string> = {
  hashline:
    "numbered lines (`12:text`, the `12:` is not part of the file) below a header `[path#TAG]` that an edit refers to",
  numbered: "numbered lines (`12|text`, the `12|` is not part of the file) below a header `[path]`",
  plain: "lines as they stand",
};

/** Whether conflicts would be shown, which gives each a number that a later call of the same reply may use. */
function numbersConflicts(path: string): boolean {
  const selected = parseSelector(path, () => false);
  return selected.ok && selected.value.show === "conflicts";
}

async function show(options: ReadOptions, target: Target, signal: AbortSignal): Promise<Outcome> {
  if (target.is === "address") return (await import("./address.ts")).showAddress(options, target, signal);
  const outcome = await showSpot(options, target, signal);
  if (target.instead === undefined) return outcome;
  const { instead, name } = target;
  return {
    ...outcome,
    ...(outcome.kind === "page" && { data: { ...outcome.data, suffixResolution: { from: instead, to: name } } }),
    text: `[Path '${instead}' not found; resolved to '${name}' via suffix match]\n${outcome.text}`,
  } as Outcome;
}

async function showSpot(
  options: ReadOptions,
  target: Exclude<Target, { is: "address" }>,
  signal: AbortSignal,
): Promise<Outcome> {
  switch (target.is) {
    case "archive":
      return (await import("./archive.ts")).showArchive(options, target, signal);
    case "database":
      return (await import("./database.ts")).showDatabase(options.files, target, signal);
    case "directory":
      return showDirectory(options, target, signal);
    case "document":
      return showDocument(options, target, signal);
    case "file":
      return showFile(options, target, signal);
  }
}

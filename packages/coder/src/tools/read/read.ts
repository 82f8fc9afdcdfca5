import { type Outcome, refusal, schema as s, type Tool } from "@pith/agent";
import { fill } from "@pith/kit";
import { linesText, markOf } from "../display.ts";
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
    about: fill(prose, {
      shape: linesText(options.display),
      mark: markOf(options.display),
      lines: options.room().limit,
    }),
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
    text: `[There is no ${instead}; this is ${name}, the only path that ends so]\n${outcome.text}`,
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
      return (await import("./database.ts")).showDatabase(options, target, signal);
    case "directory":
      return showDirectory(options, target, signal);
    case "document":
      return showDocument(options, target, signal);
    case "file":
      return showFile(options, target, signal);
  }
}

import { type Intent, isOutcome, notice, type Outcome, refusal } from "@pith/agent";
import { parseSelector } from "../../../tools/selector.ts";
import { looksLikeUrl } from "../../../url/url.ts";
import { showDirectory } from "./directory.ts";
import { showDocument } from "./document.ts";
import { showFile } from "./file.ts";
import type { ReadOptions } from "./options.ts";
import { findTarget, type ReadTarget } from "./target.ts";

/** Paths that one call reads, and the least room of each. */
const most = { paths: 20, bytes: 4 * 1024 };

/** Reads a path, or a list of them, which share the room. */
export async function prepareRead(
  options: ReadOptions,
  path: string | readonly string[],
  signal: AbortSignal,
): Promise<Intent | Outcome> {
  const paths = typeof path === "string" ? pathsIn(options, path) : path;
  const [only = "", ...others] = paths;
  if (others.length === 0) return prepareOne(options, only, signal);
  const share = () => {
    const { limit, bytes } = options.room();
    return { limit, bytes: Math.max(most.bytes, Math.floor(bytes / paths.length)) };
  };
  const shown = paths.slice(0, most.paths);
  const all = await Promise.all(shown.map((one) => prepareOne({ ...options, room: share }, one, signal)));
  const there = all.flatMap((one) => (isOutcome(one) ? [] : [one]));
  if (there.length === 0) return all[0] as Outcome;
  return {
    effect: "read",
    paths: there.flatMap(({ paths }) => paths),
    async run(call) {
      const outcomes: Outcome[] = [];
      for (const one of all) outcomes.push(isOutcome(one) ? one : await one.run(call));
      const texts = outcomes.map(({ text, meta }) => [text, notice(meta)].filter(Boolean).join("\n\n"));
      const left = paths.length - shown.length;
      const images = outcomes.flatMap((one) => one.images ?? []);
      return {
        kind: "page",
        data: { path: shown.join(", ") },
        text: [...texts, ...(left > 0 ? [`[${left} more paths were not read]`] : [])].join("\n\n"),
        ...(images.length > 0 && { images }),
      };
    },
  };
}

/** The paths of a text that is none itself: those between commas or spaces, if all of them are there. */
function pathsIn({ files }: ReadOptions, path: string): readonly string[] {
  const exists = (name: string) => {
    const selected = parseSelector(name, () => false);
    return selected.ok && files.stat(files.resolve(selected.value.path)) !== undefined;
  };
  if (!/[,\s]/.test(path) || looksLikeUrl(path) || exists(path)) return [path];
  // Commas stand between lines too.
  const parts = path.split(/[\s,]+(?=[^\s,\d-])/).filter(Boolean);
  return parts.length > 1 && parts.every(exists) ? parts : [path];
}

async function prepareOne(options: ReadOptions, path: string, signal: AbortSignal): Promise<Intent | Outcome> {
  const { files, urls } = options;
  const target = await findTarget({ files, urls, signal }, path);
  if (!target.ok) return refusal(target.message);
  const at = target.value.is === "address" ? target.value.address.at : target.value.at;
  return { effect: "read", paths: at ? [at] : [], run: (call) => showTarget(options, target.value, call.signal) };
}

async function showTarget(options: ReadOptions, target: ReadTarget, signal: AbortSignal): Promise<Outcome> {
  if (target.is === "address") return (await import("./address.ts")).showAddress(options, target, signal);
  const outcome = await showPath(options, target, signal);
  if (target.instead === undefined) return outcome;
  const { instead, name } = target;
  return {
    ...outcome,
    ...(outcome.kind === "page" && { data: { ...outcome.data, suffixResolution: { from: instead, to: name } } }),
    text: `[There is no ${instead}; this is ${name}, the only path that ends so]\n${outcome.text}`,
  } as Outcome;
}

async function showPath(
  options: ReadOptions,
  target: Exclude<ReadTarget, { is: "address" }>,
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

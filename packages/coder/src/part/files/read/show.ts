import { type Intent, type Outcome, refusal } from "@pith/agent";
import { showDirectory } from "./directory.ts";
import { showDocument } from "./document.ts";
import { showFile } from "./file.ts";
import type { ReadOptions } from "./options.ts";
import { findTarget, type ReadTarget } from "./target.ts";

export async function prepareRead(options: ReadOptions, path: string, signal: AbortSignal): Promise<Intent | Outcome> {
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

import { join } from "node:path";
import { resultFields } from "@pith/agent";
import type { ReadOptions } from "../part/files/read/options.ts";
import { read } from "../part/files/read/read.ts";
import { openProject } from "./project.ts";
import { runTool } from "./run.ts";

/** Files of every sort, made once. */
export const sampleFiles = join(import.meta.dir, "../../../../test/data/files");

/** A project and the tool that reads it. */
export function openReading(name: string) {
  const project = openProject(name);
  const now = 1_700_000_000_000;
  const options: ReadOptions = {
    files: project.files,
    urls: project.urls,
    snapshots: project.snapshots,
    clock: { now: () => now },
    display: "hashline",
    room: () => ({ limit: 1000, bytes: 32 * 1024 }),
    summarize: "on",
  };
  const reader = read(options);
  const call = { id: "1", signal: new AbortController().signal, progress() {} };
  const run = async (path: string, tool = reader) => {
    const outcome = await runTool(tool, { path }, call);
    return { ...outcome, text: withoutTag(outcome.text) };
  };
  return {
    ...project,
    now,
    options,
    reader,
    call,
    run,
    async said(path: string) {
      const [block] = resultFields(await run(path)).content;
      return block?.type === "text" ? block.text : "";
    },
  };
}

/** The tag depends on the place of the folder. */
const withoutTag = (text: string) => text.replace(/^(\[.*)#[0-9A-F]{4}\]/m, "$1]");

export const numbers = (count: number) => Array.from({ length: count }, (_, i) => `line ${i + 1}`).join("\n");

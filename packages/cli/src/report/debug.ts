import { existsSync } from "node:fs";
import { artifactsOf, oldArtifacts, removeArtifacts } from "@pith/agent";
import { type Coder, type Settings, sessionsFolder } from "@pith/coder";
import { fail, formatBytes, messageOf, ok, plural, type Result } from "@pith/kit";
import type { Io } from "../io/io.ts";
import { logLines, type ReportOptions, reported, systemFacts } from "./report.ts";

export interface DebugContext {
  coder: Coder | undefined;
  io: Io;
  settings: Settings;
}

type DebugResult = Result<string, "failed">;

/** A command of `/debug`; nothing of it reaches the model. */
export interface DebugCommand {
  name: string;
  about: string;
  /** Another name for it. */
  alias?: string;
  /** Does it in words, with the words behind its name; left out where only the full screen can do it. */
  run?(context: DebugContext, words: string): DebugResult | Promise<DebugResult>;
}

export const debugCommands: readonly DebugCommand[] = [
  {
    name: "dump",
    about: "an archive of session, outputs, log and system, without the keys that pith knows of",
    alias: "report",
    run: (context) => writeDump(context),
  },
  {
    name: "logs",
    about: "pith's log, from its newest lines",
    run: async ({ io }) => ok((await logLines(io, 50)).join("\n") || "The log is empty."),
  },
  { name: "system", about: "machine, terminal, versions", run: ({ io }) => ok(systemFacts(io).join("\n")) },
  {
    name: "raw-sse",
    about: "what the model's server sends, as it comes",
    async run({ coder }) {
      const events = (await coder?.report.wiretap())?.events() ?? [];
      return ok(events.slice(-50).join("\n\n") || silence);
    },
  },
  { name: "memory", about: "all that pith has in memory, in an archive like dump's", alias: "heap", run: dumpMemory },
  {
    name: "performance",
    about: "where pith's time goes until you press Enter, in such an archive",
    alias: "time",
  },
  { name: "work", about: "where its time goes for 30 seconds, as a picture" },
  { name: "transcript", about: "the whole conversation" },
  {
    name: "open-artifacts",
    about: "where the session is, and what was too long for it",
    alias: "record",
    run: openOutputs,
  },
  {
    name: "clear-cache",
    about: "remove outputs older than 30 days; asks first",
    run(context, words) {
      const old = oldOutputs(context);
      if (old.length === 0) return ok(noneOld);
      if (words === "yes") return clearOutputs(context);
      return ok(`${plural(old.length, "folder")} would go. /debug clear-cache yes removes them.`);
    },
  },
];

export const debugCommand = (name: string): DebugCommand | undefined =>
  debugCommands.find((each) => each.name === name || each.alias === name);

export const silence = "No server has said anything yet. (A scripted model has none.)";
export const noneOld = "No folder of outputs is older than 30 days.";

/** Writes the archive of `dump`, with more files in it. */
export async function writeDump({ io, coder }: DebugContext, more?: ReportOptions["more"]): Promise<DebugResult> {
  const { text, failed } = await reported({ io, session: coder?.file, more });
  return failed ? fail("failed", text) : ok(text);
}

async function dumpMemory(context: DebugContext): Promise<DebugResult> {
  try {
    const { heapNow } = await import("./profile.ts");
    const { snapshot, sizes } = heapNow();
    const files = { "memory.txt": `${sizes.join("\n")}\n`, "pith.heapsnapshot": snapshot };
    const dump = await writeDump(context, files);
    const care = "What was said is in it too: it is for nobody whom you would not show the session.";
    return dump.ok ? ok(`${dump.value} ${care}\n${sizes.join(", ")}`) : dump;
  } catch (error) {
    return fail("failed", messageOf(error));
  }
}

async function openOutputs({ coder, io }: DebugContext): Promise<DebugResult> {
  if (coder?.file === undefined) return ok("Nothing is recorded.");
  const outputs = artifactsOf(coder.file);
  if (!existsSync(outputs)) return ok(`${coder.file}\nNo output was too long for it, so there is no folder of them.`);
  const { openOutside } = await import("../io/opener.ts");
  const done = await openOutside(outputs, io.given ?? io.env, process.platform);
  return ok(`${coder.file}\n${outputs}${done === "opened" ? " is open beside this terminal." : ""}`);
}

const oldMs = 30 * 24 * 3600_000;
const before = ({ io }: DebugContext): number => io.clock.now() - oldMs;

export const oldOutputs = (context: DebugContext) =>
  oldArtifacts(sessionsFolder(context.settings, context.io), before(context));

/** Removes the folders of outputs that are old now; records stay. */
export function clearOutputs(context: DebugContext): DebugResult {
  const { gone, left } = removeArtifacts(oldOutputs(context), before(context));
  const bytes = formatBytes(gone.reduce((sum, one) => sum + one.bytes, 0));
  const text = `${plural(gone.length, "folder")} of old outputs removed (${bytes}).`;
  if (left.length === 0) return ok(text);
  return fail("failed", `${text} These could not be removed: ${left.map(({ folder }) => folder).join(", ")}`);
}

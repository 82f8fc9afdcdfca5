import { existsSync } from "node:fs";
import { artifactsOf, oldArtifacts, removeArtifacts } from "@pith/agent";
import { type Coder, type Settings, sessionsFolder } from "@pith/coder";
import { fail, formatBytes, messageOf, ok, plural, type Result } from "@pith/kit";
import type { Io } from "../io/io.ts";
import { logLines, reported, systemFacts } from "./report.ts";
import type { Member } from "./tar.ts";

// What helps to find out what is wrong, as far as it can be said in words. Nothing of it is for the model.

export interface DebugContext {
  coder: Coder | undefined;
  io: Io;
  settings: Settings;
}

type DebugResult = Result<string, "failed">;

/** By the word for it; `more` is what stood behind that. */
export const debugCommands: Readonly<
  Record<string, (needs: DebugContext, more: string) => DebugResult | Promise<DebugResult>>
> = {
  "open-artifacts": openArtifactsOf,
  dump: (needs) => writeDump(needs),
  memory,
  logs: async ({ io }) => ok((await logLines(io, 50)).join("\n") || "The log is empty."),
  system: ({ io }) => ok(systemFacts(io).join("\n")),
  "raw-sse": async ({ coder }) => {
    const events = (await coder?.report.wiretap())?.events() ?? [];
    return ok(events.slice(-50).join("\n\n") || silence);
  },
  "clear-cache": async (needs, more) => {
    const old = oldOutputs(needs);
    if (old.length === 0) return ok(noneOld);
    if (more === "yes") return clearOutputs(needs);
    return ok(`${plural(old.length, "folder")} would go. /debug clear-cache yes removes them.`);
  },
};

export const silence = "No server has said anything yet. (A scripted model has none.)";
export const noneOld = "No folder of outputs is older than 30 days.";

/** Other words for the same. */
export const debugAliases: Readonly<Record<string, string>> = {
  report: "dump",
  heap: "memory",
  time: "performance",
  record: "open-artifacts",
};

/** An archive of session, outputs, log and system; with what else belongs to it. */
export async function writeDump({ io, coder }: DebugContext, more: readonly Member[] = []): Promise<DebugResult> {
  const { text, failed } = await reported({ io, session: coder?.file, more });
  return failed ? fail("failed", text) : ok(text);
}

async function memory(needs: DebugContext): Promise<DebugResult> {
  try {
    const { heapNow } = await import("./profile.ts");
    const { snapshot, sizes } = heapNow();
    const told = await writeDump(needs, [
      { name: "memory.txt", bytes: Buffer.from(`${sizes.join("\n")}\n`) },
      { name: "pith.heapsnapshot", bytes: Buffer.from(snapshot) },
    ]);
    const care = "What was said is in it too: it is for nobody whom you would not show the session.";
    return told.ok ? ok(`${told.value} ${care}\n${sizes.join(", ")}`) : told;
  } catch (error) {
    return fail("failed", messageOf(error));
  }
}

async function openArtifactsOf({ coder, io }: DebugContext): Promise<DebugResult> {
  if (coder?.file === undefined) return ok("Nothing is recorded.");
  const outputs = artifactsOf(coder.file);
  if (!existsSync(outputs)) return ok(`${coder.file}\nNo output was too long for it, so there is no folder of them.`);
  const { openOutside } = await import("../io/opener.ts");
  const done = await openOutside(outputs, io.given ?? io.env, process.platform);
  return ok(`${coder.file}\n${outputs}${done === "opened" ? " is open beside this terminal." : ""}`);
}

const old = 30 * 24 * 3600_000;
const before = ({ io }: DebugContext): number => io.clock.now() - old;

export const oldOutputs = (needs: DebugContext) =>
  oldArtifacts(sessionsFolder(needs.settings, needs.io), before(needs));

/** Removes what is old now; the records themselves stay. */
export function clearOutputs(needs: DebugContext): DebugResult {
  const { gone, left } = removeArtifacts(oldOutputs(needs), before(needs));
  const bytes = formatBytes(gone.reduce((sum, one) => sum + one.bytes, 0));
  const text = `${plural(gone.length, "folder")} of old outputs removed (${bytes}).`;
  if (left.length === 0) return ok(text);
  return fail("failed", `${text} These could not be removed: ${left.map(({ folder }) => folder).join(", ")}`);
}

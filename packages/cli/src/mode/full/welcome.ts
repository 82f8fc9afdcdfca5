import { existsSync } from "node:fs";
import { join } from "node:path";
import { listSessions, openSessionDatabase, sessionDatabaseFile } from "@pith/agent";
import { sessionsFolder } from "@pith/coder";
import { plural } from "@pith/kit";
import { loadAdmin } from "@pith/llm";
import { fit, oneLine } from "@pith/tui";
import { ago } from "../../view/ago.ts";
import { readsOf } from "../../view/reads.ts";
import type { ScreenContext } from "./context.ts";

/** The words on an empty screen: how to begin, and the latest sessions here. */
export async function welcome(context: ScreenContext, tour: boolean): Promise<string> {
  const lines = ["Type what you want. ? shows the keys.", "/ lists commands, @ names a file, ! runs a command."];
  const read = context.coder && readsOf(await context.coder.report.reads(), context.cwd);
  if (read) lines.push(read);
  if (tour) lines.push("", ...(await unconnected(context)));
  const lately = await recent(context);
  if (lately.length > 0) lines.push("", "Recent sessions here (/resume opens one):", ...lately);
  return lines.join("\n");
}

/** Says how to connect a model, from what was found on this machine. */
async function unconnected({ io }: ScreenContext): Promise<string[]> {
  const surveyed = await (await loadAdmin()).survey({ env: io.env, home: io.home });
  const usable = surveyed.ok
    ? surveyed.value.vendors.filter((vendor) => vendor.usable && vendor.models.length > 0)
    : [];
  const found = usable.map(
    ({ id, why, models }) => `  ${id}: ${plural(models.length, "model")}, ${why}; pith --model ${id}/${models[0]?.id}`,
  );
  const how =
    found.length > 0
      ? ["This can be used right away:", ...found]
      : ["No API key and no model server was found. To store a key: pith auth add <vendor>. More: pith help models."];
  const others = [
    existsSync(join(io.env.CLAUDE_CONFIG_DIR ?? join(io.userHome, ".claude"), "projects")) ? "claude" : undefined,
    existsSync(join(io.env.CODEX_HOME ?? join(io.userHome, ".codex"), "sessions")) ? "codex" : undefined,
  ].filter((name) => name !== undefined);
  return [
    "No model is connected yet. Press Enter for a tour: a scripted demo with real tools.",
    ...how,
    ...others.map((name) => `Sessions of ${name} are here. To import them: pith import ${name} --all.`),
  ];
}

/** Columns of the title of a session. */
const mostAbout = 60;

async function recent({ io, settings, cwd, coder, theme, terminal }: ScreenContext): Promise<string[]> {
  try {
    const database = await openSessionDatabase(sessionDatabaseFile(io.home));
    const all = listSessions(database, sessionsFolder(settings, io)).filter(
      (each) => each.cwd === cwd && each.file !== coder?.file,
    );
    database.close();
    return all.slice(0, 3).map(({ name, first, modified }) => {
      const room = Math.max(10, Math.min(mostAbout, terminal.columns - 16));
      const about = fit(oneLine((name ?? first ?? "").slice(0, 400)), room, theme.glyph.ellipsis);
      return `  ${ago(io.clock.now() - modified).padEnd(9)} ${about}`;
    });
  } catch {
    // Without the list, the other words still stand.
    return [];
  }
}

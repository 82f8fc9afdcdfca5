import { isAbsolute, resolve } from "node:path";
import { type McpServer, RequestError } from "@agentclientprotocol/sdk";
import { openTrust, type SessionChoice, sessionsFolder } from "@pith/coder";
import { loadAdmin } from "@pith/llm";
import { workDirectory } from "../../argv/directory.ts";
import type { LaunchFlags } from "../../argv/flag.ts";
import { complain, type Io } from "../../io/io.ts";
import { openConversation } from "../../open/open.ts";
import { overridesOf } from "../../open/override.ts";
import { settingsIn } from "../../open/setting.ts";
import type { Client } from "./client.ts";
import { editorOf } from "./editor.ts";
import { recordOf } from "./library.ts";
import { Session } from "./session.ts";
import { terminalsOf } from "./terminal.ts";

/** Where an editor wants a conversation to be. */
interface Place {
  cwd: string;
  additionalDirectories?: readonly string[];
  mcpServers: readonly McpServer[];
}

/** Opens conversations as an editor asks for them. */
export interface Opener {
  session(place: Place, session: SessionChoice, client: Client): Promise<Session>;
  /** One that was held before. */
  recorded(place: Place & { sessionId: string }, client: Client): Promise<Session>;
  /** Throws where no model can be asked. */
  usable(): Promise<void>;
}

export function opener(flags: LaunchFlags, io: Io): Opener {
  const settingsAt = async (cwd: string, roots: readonly string[], more: Pick<LaunchFlags, "sandbox"> = {}) => {
    const given = { ...flags, ...more, "add-dir": [...(flags["add-dir"] ?? []), ...roots] };
    const overrides = overridesOf(given, { ...io, cwd });
    if (!overrides.ok) throw RequestError.invalidParams(undefined, overrides.message);
    const trust = openTrust({ home: io.home, run: flags.trust ? "everything" : undefined });
    const overlays = flags.config?.map((file) => resolve(io.cwd, file));
    const settings = await settingsIn(io, { cwd, overlays, overrides: overrides.value }, trust);
    if (!settings.ok) throw RequestError.internalError(undefined, settings.message);
    return { settings: settings.value, trust };
  };
  const session: Opener["session"] = async (place, choice, client) => {
    const cwd = directory(place.cwd);
    const roots = (place.additionalDirectories ?? []).map(directory);
    const { settings: usual, trust } = await settingsAt(cwd, roots);
    let made: Session | undefined;
    const id = () => made?.id;
    const wanted = terminalsOf(client, usual, id);
    // No wall stands around a terminal of the client; who has asked for one keeps it.
    const walled = (usual.get("sandbox.mode") ?? "off") !== "off";
    const terminals = walled ? undefined : wanted;
    const { settings } = terminals ? await settingsAt(cwd, roots, { sandbox: "off" }) : { settings: usual };
    for (const warning of settings.warnings) complain(io, warning);
    const around = { editor: editorOf(client, id), terminals };
    const opening = { flags, settings, trust, cwd, session: choice, person: "there", ...around } as const;
    const opened = await openConversation(opening, io);
    if (!opened.ok && opened.kind === "model") throw noModel(opened.message);
    if (!opened.ok) throw RequestError.internalError(undefined, opened.message);
    made = new Session(opened.value, client);
    if (wanted && walled) made.notice("warning", ownShell);
    for (const { name } of place.mcpServers) {
      const unused = `The server ${name} is not used: pith has no MCP yet.`;
      made.notice("warning", unused);
      // Editors that show no notices keep what stands here in a log.
      complain(io, unused);
    }
    return made;
  };
  return {
    session,
    async recorded(place, client) {
      const { settings } = await settingsAt(directory(place.cwd), []);
      const path = recordOf(place.sessionId, sessionsFolder(settings, io));
      return session(place, { open: "file", path }, client);
    },
    async usable() {
      const { survey } = await loadAdmin();
      const surveyed = await survey({ env: io.env, home: io.home });
      if (!surveyed.ok || !surveyed.value.vendors.some(({ usable }) => usable)) throw noModel("No model can be used.");
    },
  };
}

const ownShell = "acp.terminal: client has no effect here: sandbox.mode is set, and commands stay behind the wall.";

const noModel = (message: string) =>
  RequestError.authRequired(undefined, `${message} A key is added by: pith auth add <vendor>`);

function directory(path: string): string {
  if (!isAbsolute(path)) throw RequestError.invalidParams({ path }, "a directory must be an absolute path");
  if (path.includes("\0")) throw RequestError.invalidParams({ path }, "that is no path");
  const there = workDirectory(path, path);
  if (!there.ok) throw RequestError.invalidParams({ path }, there.message);
  return there.value;
}

import { isAbsolute } from "node:path";
import { type McpServer, RequestError } from "@agentclientprotocol/sdk";
import { type SessionChoice, sessionsFolder } from "@pith/coder";
import { loadAdmin } from "@pith/llm";
import { workDirectory } from "../../argv/directory.ts";
import type { LaunchFlags } from "../../argv/flag.ts";
import { complain, type Io } from "../../io/io.ts";
import { openSession } from "../../open/open.ts";
import { openProject } from "../../open/project.ts";
import type { AcpClient } from "./client.ts";
import { editorOf } from "./editor.ts";
import { AcpSession } from "./session.ts";
import { recordOf } from "./session-list.ts";
import { terminalsOf } from "./terminal.ts";

/** Where an editor wants a conversation to be. */
interface Place {
  cwd: string;
  additionalDirectories?: readonly string[];
  mcpServers: readonly McpServer[];
}

/** Opens conversations as an editor asks for them. */
export interface AcpOpener {
  session(place: Place, session: SessionChoice, client: AcpClient): Promise<AcpSession>;
  /** One that was held before. */
  recorded(place: Place & { sessionId: string }, client: AcpClient): Promise<AcpSession>;
  /** Throws where no model can be asked. */
  usable(): Promise<void>;
}

export function opener(flags: LaunchFlags, io: Io): AcpOpener {
  const projectIn = async (cwd: string, roots: readonly string[], more: Pick<LaunchFlags, "sandbox"> = {}) => {
    const all = { ...flags, ...more, "add-dir": [...(flags["add-dir"] ?? []), ...roots] };
    const project = await openProject(all, io, { cwd, base: "project" });
    if (project.ok) return { ...project.value, flags };
    throw RequestError[project.kind === "usage" ? "invalidParams" : "internalError"](undefined, project.message);
  };
  const session: AcpOpener["session"] = async (place, choice, client) => {
    const cwd = directory(place.cwd);
    const roots = (place.additionalDirectories ?? []).map(directory);
    const usual = await projectIn(cwd, roots);
    let made: AcpSession | undefined;
    const id = () => made?.id;
    const requested = terminalsOf(client, usual.settings, id);
    // No sandbox stands around a terminal of the client; a user who has asked for one keeps it.
    const sandboxed = (usual.settings.get("sandbox.mode") ?? "off") !== "off";
    const terminals = sandboxed ? undefined : requested;
    const project = terminals ? await projectIn(cwd, roots, { sandbox: "off" }) : usual;
    for (const warning of project.settings.warnings) complain(io, warning);
    const editor = editorOf(client, id);
    const opened = await openSession({ ...project, session: choice, person: "there", editor, terminals }, io);
    if (!opened.ok && opened.kind === "model") throw noModel(opened.message);
    if (!opened.ok) throw RequestError.internalError(undefined, opened.message);
    made = new AcpSession(opened.value, client);
    if (requested && sandboxed) made.notice("warning", ownShell);
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
      const { settings } = await projectIn(directory(place.cwd), []);
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

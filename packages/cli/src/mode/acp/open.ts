import { isAbsolute } from "node:path";
import { type McpServer, RequestError } from "@agentclientprotocol/sdk";
import { type SessionChoice, sessionsFolder } from "@pith/coder";
import { workDirectory } from "../../argv/directory.ts";
import type { LaunchFlags } from "../../argv/flag.ts";
import { complain, type Io } from "../../io/io.ts";
import { openProject, type Project } from "../../open/project.ts";
import { openSession } from "../../open/session.ts";
import { usableModels } from "../../open/usable-models.ts";
import type { AcpClient } from "./client.ts";
import { editorOf } from "./editor.ts";
import { AcpSession } from "./session.ts";
import { recordOf } from "./session-list.ts";
import { terminalsOf } from "./terminal.ts";

/** Directories and servers that an editor wants a session to have. */
interface Workplace {
  cwd: string;
  additionalDirectories?: readonly string[];
  mcpServers: readonly McpServer[];
}

/** Opens sessions as an editor asks for them. */
export class AcpOpener {
  readonly #flags: LaunchFlags;
  readonly #io: Io;

  constructor(flags: LaunchFlags, io: Io) {
    this.#flags = flags;
    this.#io = io;
  }

  async open(place: Workplace, session: SessionChoice, client: AcpClient): Promise<AcpSession> {
    const directories = [place.cwd, ...(place.additionalDirectories ?? [])].map(directory);
    const usual = await this.#project(directories);
    let opened: AcpSession | undefined;
    const id = () => opened?.id;
    const requested = terminalsOf(client, usual.settings, id);
    // No sandbox stands around a terminal of the client; a user who has asked for one keeps it.
    const sandboxed = (usual.settings.get("sandbox.mode") ?? "off") !== "off";
    const terminals = sandboxed ? undefined : requested;
    const project = terminals ? await this.#project(directories, { sandbox: "off" }) : usual;
    for (const warning of project.settings.warnings) complain(this.#io, warning);
    const editor = editorOf(client, id);
    const options = { ...project, flags: this.#flags, session, person: "there" as const, editor, terminals };
    const made = await openSession(options, this.#io);
    if (!made.ok && made.kind === "model") throw noModel(made.message);
    if (!made.ok) throw RequestError.internalError(undefined, made.message);
    opened = new AcpSession(made.value, client);
    if (requested && sandboxed) opened.notice("warning", ownShell);
    for (const { name } of place.mcpServers) {
      const unused = `The server ${name} is not used: pith has no MCP yet.`;
      opened.notice("warning", unused);
      // Editors that show no notices keep stderr in a log.
      complain(this.#io, unused);
    }
    return opened;
  }

  async openRecorded(place: Workplace & { sessionId: string }, client: AcpClient): Promise<AcpSession> {
    const { settings } = await this.#project([directory(place.cwd)]);
    const path = recordOf(place.sessionId, sessionsFolder(settings, this.#io));
    return this.open(place, { open: "file", path }, client);
  }

  /** Throws where no model can be asked. */
  async checkModels(): Promise<void> {
    const usable = await usableModels(this.#io);
    if (!usable.ok || usable.value.length === 0) throw noModel("No model can be used.");
  }

  async #project([cwd, ...roots]: readonly string[], more: Pick<LaunchFlags, "sandbox"> = {}): Promise<Project> {
    const flags = { ...this.#flags, ...more, "add-dir": [...(this.#flags["add-dir"] ?? []), ...roots] };
    const project = await openProject(flags, this.#io, { cwd, base: "project" });
    if (project.ok) return project.value;
    throw RequestError[project.kind === "usage" ? "invalidParams" : "internalError"](undefined, project.message);
  }
}

const ownShell = "acp.terminal: client has no effect here: sandbox.mode is set, and commands stay in the sandbox.";

const noModel = (message: string) =>
  RequestError.authRequired(undefined, `${message} A key is added by: pith auth add <vendor>`);

function directory(path: string): string {
  if (!isAbsolute(path)) throw RequestError.invalidParams({ path }, "a directory must be an absolute path");
  if (path.includes("\0")) throw RequestError.invalidParams({ path }, "that is no path");
  const there = workDirectory(path, path);
  if (!there.ok) throw RequestError.invalidParams({ path }, there.message);
  return there.value;
}

import { tmpdir } from "node:os";
import { resolve } from "node:path";
import { discardSession, terminalId } from "@pith/agent";
import {
  approvals,
  type Coder,
  type CoderOptions,
  type Editor,
  forgetProject,
  openCoder,
  type SessionChoice,
  type Settings,
  type TerminalFrontend,
  type Terminals,
  type Trust,
} from "@pith/coder";
import { ok, type Result, span } from "@pith/kit";
import type { LaunchFlags } from "../argv/flag.ts";
import { complain, type Io } from "../io/io.ts";
import { namesIn } from "./override.ts";
import { isScripted, type Stage, setStage } from "./stage.ts";
import type { PromptOverrides } from "./system-prompt.ts";

/** Options of a session, whichever interface shows it. */
export interface OpenOptions {
  flags: LaunchFlags;
  settings: Settings;
  session: SessionChoice;
  trust: Trust;
  cwd: string;
  /** `there` when a person can be asked and may go on. */
  person: "there" | "away";
  /** Shows programs of the model at the person's terminal. */
  attend?: TerminalFrontend | undefined;
  /** The editor in which files may be open. */
  editor?: Editor | undefined;
  /** Terminals of a client, in which commands run instead of our shell. */
  terminals?: Terminals | undefined;
  /** Words in the place of the system prompt, or behind it. */
  words?: PromptOverrides | undefined;
  /** Parts that this run adds to the agent. */
  parts?: CoderOptions["parts"];
  /** Script that plays when no model is connected. */
  otherwise?: "tour" | undefined;
}

export interface OpenSession extends Pick<OpenOptions, "cwd" | "settings"> {
  coder: Coder;
  /** True when no model is connected, so the tour plays. */
  tour: boolean;
  /** Ends the session; a record that could not be written is saved elsewhere, which is told. */
  close(): Promise<void>;
}

/** Opens a session. A scripted model that brings a project plays in it. */
export async function openSession(opening: OpenOptions, io: Io): Promise<Result<OpenSession, string>> {
  const { flags, session, settings } = opening;
  const fresh = session.open === "new" || session.open === "none";
  const model = flags.model ?? (fresh ? settings.get("model") : undefined);
  const opened = await openOn(model, opening, io);
  const bare = opening.otherwise === "tour" && session.open === "new" && model === undefined;
  if (opened.ok || opened.kind !== "model" || !bare) return opened;
  const tour = await openOn("faux/tour", opening, io);
  return tour.ok ? ok({ ...tour.value, tour: true }) : tour;
}

async function openOn(model: string | undefined, opening: OpenOptions, io: Io): Promise<Result<OpenSession, string>> {
  const { flags, settings, session, trust, cwd, person, attend } = opening;
  const scripted = model !== undefined && isScripted(model) ? await setStage(model, io.cwd) : undefined;
  if (scripted && !scripted.ok) return scripted;
  const stage = scripted?.value.stage;
  // The words of a built-in script are ours and its project is thrown away: a person is asked to see how that is.
  const free = stage && scripted.value.from === "pith" && !flags.approval;
  const coder = await openCoder({
    cwd: stage?.dir ?? cwd,
    home: io.home,
    userHome: io.userHome,
    env: io.env,
    commandEnv: io.given,
    settings,
    trust,
    model: scripted?.value.model ?? atHome(flags.model, io.cwd),
    wire: wireOf(flags, io.cwd),
    editor: opening.editor,
    terminals: opening.terminals,
    session,
    held: async (message) => (await import("./server.ts")).heldByServer(io.home, message),
    approval: free ? (person === "there" ? "ask" : "yolo") : undefined,
    modes: flags.ci ? approvals.filter((mode) => mode !== "yolo") : undefined,
    asks: person === "there" && !flags["no-questions"],
    after: person === "there" ? "more" : "end",
    face: flags["no-pty"] ? undefined : attend,
    tools: flags.tools === undefined ? undefined : namesIn(flags.tools),
    maxCost: flags["max-cost"],
    maxTokens: flags["max-tokens"],
    until: flags.until,
    terminal: terminalId(io.env, io.device?.()),
    clock: io.clock,
    words: opening.words,
    parts: opening.parts,
  });
  if (coder.ok) {
    // A record that somebody has saved elsewhere meanwhile is theirs.
    const ours = stage && scripted.value.from === "pith" && session.open === "new" ? coder.value.file : undefined;
    return ok({ coder: coder.value, cwd, settings, tour: false, close: () => close(coder.value, stage, ours, io) });
  }
  stage?.[Symbol.dispose]();
  return coder;
}

/** Finds the file of a cassette from the directory of the process. */
const atHome = (model: string | undefined, cwd: string): string | undefined =>
  model?.startsWith("cassette/") ? `cassette/${resolve(cwd, model.slice("cassette/".length))}` : model;

function wireOf({ record, chaos }: LaunchFlags, cwd: string): CoderOptions["wire"] {
  if (record === undefined && chaos === undefined) return undefined;
  return { record: record === undefined ? undefined : resolve(cwd, record), chaos };
}

async function close(coder: Coder, stage: Stage | undefined, record: string | undefined, io: Io): Promise<void> {
  using _stage = stage;
  const rescued = await coder.record.rescue(tmpdir());
  if (rescued) complain(io, rescued);
  using _span = span("close");
  await coder.close();
  // The directory of the script goes now, so nothing in it can be taken back or gone on with.
  if (stage) forgetProject(io.home, stage.dir);
  if (record !== undefined) discardSession(record);
}

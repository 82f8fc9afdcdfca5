import { type Env, ShellRuntime } from "@pith/host";
import type { Clock } from "@pith/kit";
import { type Calibrations, type Counting, loadCounting, type Models, type TransportOptions } from "@pith/llm";
import { openCapabilities } from "../capability/open.ts";
import type { Capabilities } from "../capability/registry.ts";
import type { PromptSources } from "../context/prompt.ts";
import { readRoots } from "../files/root.ts";
import type { Editor } from "../files/unsaved.ts";
import { modelsFor } from "../model/models.ts";
import type { Approval } from "../policy/approval.ts";
import { openTrust, type Trust } from "../policy/trust/trust.ts";
import { Secrets, withoutKeys } from "../secret/secrets.ts";
import { sessionsFolder } from "../setting/folder.ts";
import type { Settings } from "../setting/setting.ts";
import type { TerminalFrontend } from "../shell/at-terminal.ts";
import type { Terminals } from "../shell/client-terminal.ts";
import { shellLimits } from "../shell/session-shell.ts";
import { openUndo } from "../undo/open.ts";
import type { Undo } from "../undo/undo.ts";

export interface HouseOptions {
  cwd: string;
  /** The directory of pith's own files. */
  home: string;
  userHome: string;
  env: Env;
  /** What commands get, when that is less than what pith itself goes by. */
  commandEnv?: Env | undefined;
  settings: Settings;
  /** What of a project may execute; without, what the user has said for good. */
  trust?: Trust | undefined;
  clock: Clock;
  /** Whether somebody can answer a question; without, what would be asked is refused. */
  asks: boolean;
  /** The modes that such a run can be given: only these are named to whoever wonders how a call would run. */
  modes?: readonly Approval[] | undefined;
  /** What follows a turn: perhaps another one, or the end of the session. */
  after: "more" | "end";
  /** Where a program that needs a terminal can be shown to a person. */
  face: TerminalFrontend | undefined;
  /** The way to models, where it is not the configured one. */
  models?: Models | undefined;
  /** What goes with the house, at its very end. */
  own?: Disposable | undefined;
  /** What the terminal is known by, where there is one. */
  terminal?: string | undefined;
  /** Words in the place of the system prompt, behind it, or none at all. */
  words?: PromptSources["wanted"];
  /** An editor in which files of the project may be open. */
  editor?: Editor | undefined;
  /** Where commands of the model run, in the place of our shell and without a wall. */
  terminals?: Terminals | undefined;
  /** Who listens to what goes to models, or disturbs it. */
  wire?: TransportOptions | undefined;
}

/** What all conversations of a process share. */
export interface House extends HouseOptions {
  trust: Trust;
  /** What keeps keys from models, records and commands. */
  secrets: Secrets;
  /** The environment of commands, and the keys that it is without. */
  shellEnv: Env;
  keys: Readonly<Record<string, string>>;
  /** All that is found in configuration, whoever wrote it. */
  capabilities: Capabilities;
  /** Other folders of the project. */
  roots: readonly string[];
  /** The folder of all sessions. */
  sessions: string;
  models: Models;
  /** What all shells stand on. */
  ground: ShellRuntime;
  /** The states of the project to go back to; opened when they are first needed. */
  undo(): Promise<Undo>;
  /** What counts tokens, and what was learned of how models do; loaded when it is first needed. */
  counting(): Promise<{ counting: Counting; calibrations: Calibrations }>;
  [Symbol.asyncDispose](): Promise<void>;
}

export function openHouse(options: HouseOptions): House {
  const { cwd, userHome, env, settings, clock } = options;
  const models = options.models ?? modelsFor(options);
  const { env: shellEnv, keys } = withoutKeys(options.commandEnv ?? env, settings.get("env.pass"));
  const secrets = new Secrets({ env, home: options.home, keys: () => models.secrets() });
  const ground = new ShellRuntime({
    env: shellEnv,
    configured: settings.get("bash.path"),
    limits: shellLimits(settings),
  });
  const sessions = sessionsFolder(settings, options);
  const trust = options.trust ?? openTrust(options);
  const capabilities = openCapabilities({ ...options, trust });
  let undo: Promise<Undo> | undefined;
  let counting: ReturnType<House["counting"]> | undefined;
  const count = async () => {
    const loaded = await loadCounting();
    return { counting: loaded, calibrations: new loaded.Calibrations(options.home) };
  };
  return {
    ...options,
    trust,
    capabilities,
    secrets,
    shellEnv,
    keys,
    roots: readRoots(settings.get("project.roots"), cwd, userHome),
    sessions,
    // Whatever asks a model, beside the conversation too, asks through this.
    models: {
      ...models,
      stream: (request, signal) => models.stream(secrets.maskRequest(request), signal),
      prepare: (request) => models.prepare(secrets.maskRequest(request)),
    },
    ground,
    undo: () => (undo ??= openUndo({ ...options, sessions }, clock)),
    counting: () => (counting ??= count()),
    async [Symbol.asyncDispose]() {
      // What could not be opened was told when it was needed.
      await (await undo?.catch(() => undefined))?.close();
      capabilities.look.shelf?.save();
      ground[Symbol.dispose]();
      models[Symbol.dispose]();
      options.own?.[Symbol.dispose]();
    },
  };
}

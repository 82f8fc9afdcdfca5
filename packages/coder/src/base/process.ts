import { type Env, openShellRuntime, type ShellRuntime } from "@pith/host";
import { type Calibrations, type Counting, loadCounting, type Models } from "@pith/llm";
import { openCapabilities } from "../capability/open.ts";
import type { Capabilities } from "../capability/registry.ts";
import { readRoots } from "../files/root.ts";
import type { MakePart } from "../hall/part.ts";
import { modelsFor } from "../model/models.ts";
import { openTrust, type Trust } from "../policy/trust/trust.ts";
import { Secrets, withoutKeys } from "../secret/secrets.ts";
import { sessionsFolder } from "../session/sessions-folder.ts";
import { shellLimits } from "../shell/session-shell.ts";

declare module "../hall/hall.ts" {
  interface House {
    models: Models;
    /** Keeps keys from models, records and commands. */
    secrets: Secrets;
    /** The environment of commands, without the keys. */
    shellEnv: Env;
    keys: Readonly<Record<string, string>>;
    trust: Trust;
    /** Everything found in configuration, whichever product wrote it. */
    capabilities: Capabilities;
    /** Other directories of the project. */
    roots: readonly string[];
    /** The directory of all sessions. */
    sessions: string;
    /** Shared by all shells of the process. */
    ground: ShellRuntime;
    /** Token counting and what was learned about models; loaded on first use. */
    counting(): Promise<{ counting: Counting; calibrations: Calibrations }>;
  }
}

/** The models, and what keeps their keys secret: every request goes out masked. */
export const models: MakePart<"launch" | "store" | "env" | "home", "models" | "secrets" | "shellEnv" | "keys"> = (
  house,
) => {
  const { launch, store, env, home } = house;
  const open = launch.models ?? modelsFor(launch);
  const { env: shellEnv, keys } = withoutKeys(launch.commandEnv ?? env, store.get("env.pass"));
  const secrets = new Secrets({ env, home, keys: () => open.secrets() });
  const masked: Models = {
    ...open,
    stream: (request, signal) => open.stream(secrets.maskRequest(request), signal),
    prepare: (request) => open.prepare(secrets.maskRequest(request)),
  };
  return {
    name: "models",
    owns: { models: masked, secrets, shellEnv, keys },
    [Symbol.asyncDispose]: async () => open[Symbol.dispose](),
  };
};

export const capabilities: MakePart<"launch", "trust" | "capabilities"> = ({ launch }) => {
  const trust = launch.trust ?? openTrust(launch);
  const found = openCapabilities({ ...launch, trust });
  return {
    name: "capabilities",
    owns: { trust, capabilities: found },
    [Symbol.asyncDispose]: async () => found.files.cache?.save(),
  };
};

export const directories: MakePart<"cwd" | "home" | "userHome" | "store", "roots" | "sessions"> = (house) => {
  const { cwd, userHome, store } = house;
  const roots = readRoots(store.get("project.roots"), cwd, userHome);
  return { name: "directories", owns: { roots, sessions: sessionsFolder(store, house) } };
};

export const shells: MakePart<"shellEnv" | "store", "ground"> = ({ shellEnv, store }) => {
  let ground: ShellRuntime | undefined;
  const owns = {
    get ground() {
      ground ??= openShellRuntime({ env: shellEnv, configured: store.get("bash.path"), limits: shellLimits(store) });
      return ground;
    },
  };
  return { name: "shells", owns, [Symbol.asyncDispose]: async () => ground?.[Symbol.dispose]() };
};

export const tokenCounts: MakePart<"home", "counting"> = ({ home }) => {
  let counting: Promise<{ counting: Counting; calibrations: Calibrations }> | undefined;
  const load = async () => {
    const loaded = await loadCounting();
    return { counting: loaded, calibrations: new loaded.Calibrations(home) };
  };
  return { name: "token counts", owns: { counting: () => (counting ??= load()) } };
};

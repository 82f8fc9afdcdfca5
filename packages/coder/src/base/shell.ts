import { join } from "node:path";
import type { Hall } from "../hall/hall.ts";
import type { MakePart } from "../hall/part.ts";
import { resultBytes } from "../model/result-bytes.ts";
import { isTrustedRepository } from "../policy/trust/trust.ts";
import { isKey, passedNames } from "../secret/secrets.ts";
import { sessionJobs } from "../shell/job/session-jobs.ts";
import { NamedPaths } from "../shell/named.ts";
import { resumedShell } from "../shell/resume.ts";
import { askForHost, type CommandSandbox, commandSandbox, openWall, workedBefore } from "../shell/sandbox.ts";
import { openSessionShell, type SessionShell } from "../shell/session-shell.ts";

declare module "../hall/hall.ts" {
  interface Hall {
    /** The shell of the conversation and its background jobs. */
    shell: SessionShell;
    /** True when the commands of this conversation run in a sandbox. */
    confined(): boolean;
    sandbox: CommandSandbox;
    /** Paths below `/tmp` that the person named. */
    named: NamedPaths;
  }
}

type Surroundings = "scope" | "cwd" | "home" | "userHome" | "env" | "clock" | "roots" | "shellEnv" | "directory";
type Session = "tree" | "channel" | "artifacts" | "questions" | "choice" | "settings" | "rules" | "asks";
type Needs = Surroundings | Session | "secrets" | "ground" | "trust" | "opened";

/** The shell that commands of the model run in, and the sandbox around them. */
export const sessionShell: MakePart<Needs, "shell" | "confined" | "sandbox" | "named"> = (hall) => {
  const { cwd, home, userHome, env, clock, roots, directory, tree, channel, questions, choice, settings, rules } = hall;
  const tell = (text: string) => channel.notify({ level: "warn", text });
  const passed = passedNames(settings.get("env.pass"));
  const ports = new Set<number>();
  const named = hall.opened.named ?? new NamedPaths(tree);
  const wall = openWall({
    cwd,
    roots,
    home,
    userHome,
    folder: () => directory.folder,
    named: () => named.paths,
    env,
    settings,
    rules,
    isTrusted: (folder) => isTrustedRepository(hall.trust, folder),
    ports: () => ports,
    ask: hall.asks ? (host, port, signal) => askForHost(questions, host, port, signal) : undefined,
    tell,
  });
  const commands = openSessionShell({
    cwd,
    at: resumedShell(tree, cwd).at,
    home,
    env: hall.shellEnv,
    settings,
    artifacts: hall.artifacts,
    masking: () => hall.secrets.stream(),
    hides: (name, value) => !passed.has(name) && isKey(name, value),
    ground: () => hall.ground,
    wall,
    clock,
    kept: sessionJobs(tree, (draft) => channel.record(draft)),
    maxShown: () => resultBytes(choice.model, settings.get("bash.shownBytes")),
    tell,
  });
  const confined = commandSandbox({
    wall,
    ports,
    shell: commands.shell,
    settings,
    approval: () => choice.approval,
    before: () => workedBefore(join(home, "sandbox.json"), env),
    stood() {
      // A run without a person ends with what it was asked; when the sandbox has been tried by then is chance.
      if (!choice.assume("auto") || hall.scope === "child" || !hall.asks) return;
      void import("../model/first-told.ts").then(({ isFirst }) => {
        if (isFirst(join(home, "auto-told"), cwd)) channel.notify({ level: "info", text: autoNow });
      });
    },
    fell: () => lowerAuto(hall),
    tell,
  });
  if (settings.get("sandbox.mode") === "off") lowerAuto(hall);
  return {
    name: "session shell",
    owns: { shell: commands, confined: confined.on, sandbox: confined, named },
    [Symbol.asyncDispose]: async () => commands[Symbol.asyncDispose](),
  };
};

const autoNow =
  "The sandbox works here, so the approval mode is now auto: commands run in it without asking, and risky ones ask. Change it with Shift+Tab or /approval.";

/** Takes back a mode `auto` that a settings file chose: without a sandbox it guards against mistakes only. */
function lowerAuto({ choice, settings, channel }: Pick<Hall, "choice" | "settings" | "channel">): void {
  const [mode, sandbox] = [settings.origin("approval.mode"), settings.origin("sandbox.mode")];
  if (settings.get("approval.mode") !== "auto" || !("file" in mode)) return;
  if ("file" in sandbox && sandbox.file === mode.file && settings.get("sandbox.mode") === "off") return;
  if (!choice.lower("auto", "write")) return;
  const text =
    "The mode auto of the settings holds in a sandbox only; it is write now. /approval auto chooses it all the same.";
  channel.notify({ level: "warn", text });
}

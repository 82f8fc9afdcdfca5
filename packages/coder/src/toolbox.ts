import { existsSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Registry, readArguments, refusal, resultFields, type Tool } from "@pith/agent";
import { type Clock, messageOf, systemClock } from "@pith/kit";
import type { ToolResultMessage } from "@pith/llm";
import { readRoots } from "./files/root.ts";
import { type Commands, openCommands } from "./job/commands.ts";
import type { Settings } from "./setting/setting.ts";
import { Snapshots } from "./snapshot/snapshot.ts";
import { defaultRules, readRules } from "./tools/bash/intercept.ts";
import { editModeOf } from "./tools/edit/mode.ts";
import { builtinTools, type ToolName, type ToolParts, toolNames } from "./tools/index.ts";
import { Conflicts } from "./url/conflicts.ts";
import { Router } from "./url/router.ts";

export interface ToolboxParts {
  cwd: string;
  home: string;
  userHome: string;
  env: Readonly<Record<string, string | undefined>>;
  settings: Settings;
  /** The record; artifacts stand beside it. */
  journalFile: string | undefined;
  clock?: Clock;
  /** Whether the model writes the argument of some tools as it is, without JSON around it. */
  freeform?: boolean;
}

/** What tools of a conversation share with its behaviours. */
export type Shared = Pick<ToolParts, "pending" | "todos" | "checkpoints" | "late"> &
  Partial<Pick<ToolParts, "owner" | "bash" | "snapshots">> & { commands: Commands };

/** The built-in tools that the settings leave switched on. */
export function buildTools(
  { cwd, home, userHome, env, settings, journalFile, clock = systemClock, freeform = false }: ToolboxParts,
  shared: Shared,
): Tool[] {
  const sessionDir = journalFile?.replace(/\.jsonl$/, "");
  const { artifacts } = shared.commands;
  const mode = editModeOf({
    variant: env.PITH_EDIT_VARIANT,
    setting: settings.origin("edit.mode").layer === "default" ? undefined : settings.get("edit.mode"),
    freeform,
  });
  const tagged = mode === "hashline" && settings.get("edit.enabled") && settings.get("readHashLines");
  return builtinTools(
    {
      cwd,
      roots: readRoots(settings.get("project.roots"), cwd, userHome),
      userHome,
      env,
      artifacts,
      urls: new Router({ artifacts, sessionDir, project: cwd, home, conflicts: new Conflicts(sessionDir) }),
      read: {
        display: tagged ? "hashline" : settings.get("readLineNumbers") ? "numbered" : "plain",
        defaultLimit: settings.get("read.defaultLimit"),
        summarize: settings.get("read.summarize.enabled") ? "on" : "off",
      },
      search: {
        contextBefore: settings.get("search.contextBefore"),
        contextAfter: settings.get("search.contextAfter"),
      },
      cacheDir: join(home, "cache"),
      wait: settings.get("async.pollWaitDuration"),
      snapshots: new Snapshots(sessionDir),
      edit: {
        mode,
        apply: settings.get("edit.apply"),
        finalNewline: settings.get("edit.finalNewline"),
        generated: settings.get("edit.generated"),
        check: settings.get("edit.check"),
      },
      clock,
      ...shared,
      bash: { ...bashOptions(settings), ...shared.bash },
    },
    toolNames.filter((name) => settings.get(switchOf(name))),
  );
}

function bashOptions(settings: Settings): ToolParts["bash"] {
  const extra = readRules(settings.get("bashInterceptor.rules") ?? "").rules;
  return {
    timeout: settings.get("bash.timeout"),
    pipes: settings.get("bash.stripTrailingHeadTail") ? "strip" : "keep",
    rules: settings.get("bashInterceptor.enabled") ? [...extra, ...defaultRules] : [],
    backgroundMs: settings.get("bash.autoBackground.enabled")
      ? settings.get("bash.autoBackground.thresholdMs")
      : undefined,
  };
}

/** Making a checkpoint and going back to it are one ability. */
const switchOf = (name: ToolName) => `${name === "rewind" ? "checkpoint" : name}.enabled` as const;

/** The tools a person can run by hand: as the model would, without a model and without questions. */
export interface Toolbox extends AsyncDisposable {
  names(): string[];
  about(name: string): string | undefined;
  run(
    name: string,
    input: unknown,
    signal: AbortSignal,
  ): Promise<Pick<ToolResultMessage, "content" | "details" | "isError">>;
}

export function openToolbox({
  tell,
  ...parts
}: Omit<ToolboxParts, "journalFile"> & { tell?(text: string): void }): Toolbox {
  // One session for all calls, thrown away with the box: what one call cut, the next can read.
  const session = join(tmpdir(), `pith-tool-${crypto.randomUUID()}`);
  const whole = { ...parts, journalFile: `${session}.jsonl` };
  const commands = openCommands({ ...whole, clock: parts.clock ?? systemClock, ...(tell && { tell }) });
  const tools = new Registry(buildTools(whole, { commands }));
  return {
    async [Symbol.asyncDispose]() {
      await commands[Symbol.asyncDispose]();
      // Where there is no temporary directory, there is nothing of ours in it.
      if (existsSync(session)) rmSync(session, { recursive: true, force: true });
    },
    names: () => tools.names,
    about: (name) => tools.get(name)?.about,
    async run(name, input, signal) {
      const own = tools.get(name);
      if (!own) return resultFields(refusal(`There is no tool "${name}". Available: ${tools.names.join(", ")}.`));
      const checked = await readArguments(own, {
        type: "toolCall",
        id: "",
        name,
        arguments: input as Record<string, unknown>,
      });
      if (!checked.ok) return resultFields(refusal(checked.message));
      try {
        return resultFields(await own.run(checked.value, { id: "", signal, progress: () => {} }));
      } catch (error) {
        return resultFields(refusal(messageOf(error)));
      }
    },
  };
}

import { basename, dirname } from "node:path";
import { entriesIn, late } from "@pith/kit";
import type { Capabilities } from "../../capability/registry.ts";
import { type Command, show } from "../../command/command.ts";
import type { Hall } from "../../hall/hall.ts";
import type { MakePart } from "../../hall/part.ts";
import type { Hooks } from "./hook/hooks.ts";

type Conversation =
  | "header"
  | "journal"
  | "agent"
  | "scope"
  | "channel"
  | "choice"
  | "settings"
  | "questions"
  | "aside";
type Needs = Conversation | "tools" | "cwd" | "env" | "shellEnv" | "ground" | "capabilities";

/** Hooks of the user, of the project and of other agents, as guards and listeners of this conversation. */
export const extend: MakePart<Needs> = (hall) => {
  const { capabilities, channel, settings } = hall;
  let there: Found | undefined = whatIsThere(capabilities);
  const tools = there.tools && hall.scope === "main" ? ownTools(hall) : undefined;
  const own = tools?.made ?? [];
  if (!settings.get("hooks.enabled")) return { name: "extend", tools: own };
  let open: Hooks | undefined;
  let loading: Promise<Hooks | undefined> | undefined;
  /** Looks whether there is any hook; without one nothing is loaded, and nothing is asked later. */
  const ready = async (): Promise<Hooks | undefined> => {
    there ??= whatIsThere(capabilities);
    if (open || !there.hooks) return open;
    loading ??= import("./hook/open.ts").then(({ openHooks }) => openHooks(hall, tell));
    open = await loading;
    // Files may come later.
    if (!open) loading = undefined;
    return open;
  };
  let told = "";
  const tell = (text: string) => {
    if (text !== told && hall.scope === "main") channel.notify({ level: "warn", text });
    told = text;
  };
  const heard = channel.listen((event) => open?.hear(event));
  let isNew = true;
  return {
    name: "extend",
    tools: own,
    async input(input) {
      const isFirst = isNew;
      isNew = false;
      if (isFirst && tools) for (const text of tools.left) channel.notify({ level: "warn", text });
      const now = await ready();
      // Files may come before the next input.
      there = undefined;
      return now?.hook.input(input);
    },
    step: (turn) => open?.hook.step(turn),
    async call(view) {
      // A call may come before any input.
      const now = open ?? (isNew ? await ready() : undefined);
      return now?.hook.call(view) ?? { do: "allow" };
    },
    result: (view, outcome) => open?.hook.result(view, outcome),
    settle: (turn) => open?.hook.settle(turn),
    compact: (view) => open?.hook.compact(view) ?? { do: "go" },
    navigate: (view) => open?.hook.navigate(view) ?? { do: "go" },
    commands: hall.scope === "main" ? [hooksCommand(hall, ready)] : [],
    async [Symbol.asyncDispose]() {
      heard[Symbol.dispose]();
      await open?.[Symbol.asyncDispose]();
    },
  };
};

interface Found {
  hooks: boolean;
  tools: boolean;
}

/** Looks where hooks and tools may be. Every start asks this, so it reads as few folders as it can. */
function whatIsThere({ files: { place, projectFolders } }: Capabilities): Found {
  const { env, home, userHome } = place;
  const namesIn = (folder: string) => entriesIn(folder).map(({ name }) => name);
  const inHome = namesIn(userHome);
  const own = dirname(home) === userHome && !inHome.includes(basename(home)) ? [] : namesIn(home);
  const folders = projectFolders.flatMap(namesIn);
  const named = [env.CLAUDE_CONFIG_DIR, env.CODEX_HOME].some(Boolean);
  const others = [...inHome, ...folders].some((name) => name === ".claude" || name === ".codex");
  const pith = folders.includes(".pith");
  return {
    hooks: pith || named || others || own.some((name) => name.startsWith("hooks")),
    tools: pith || own.includes("tools"),
  };
}

/** Tools are there before the first request, so they are made at once; most starts have none. */
const ownTools = late(() => {
  const { ownTools, leftOut }: typeof import("./tool/tools.ts") = require("./tool/tools.ts");
  return (hall: Pick<Hall, Needs>) => ({ made: ownTools(hall), left: leftOut(hall) });
});

const hooksCommand = (
  { capabilities }: Pick<Hall, "capabilities">,
  ready: () => Promise<Hooks | undefined>,
): Command => ({
  name: "hooks",
  about: "list hooks: who is asked, who guards, what failed last",
  run: async () => show((await import("./hook/list.ts")).hooksText(capabilities, await ready())),
});

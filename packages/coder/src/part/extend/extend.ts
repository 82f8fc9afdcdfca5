import { existsSync } from "node:fs";
import { join } from "node:path";
import { entriesIn } from "@pith/kit";
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
  if (!settings.get("hooks.enabled")) return undefined;
  let open: Hooks | undefined;
  let loading: Promise<Hooks | undefined> | undefined;
  /** Looks whether there is any hook; without one nothing is loaded, and nothing is asked later. */
  const ready = async (): Promise<Hooks | undefined> => {
    if (open || !mayHaveHooks(capabilities)) return open;
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
  const heard = channel.subscribe((event) => open?.hear(event));
  let isNew = true;
  return {
    name: "hooks",
    async input(input) {
      isNew = false;
      return (await ready())?.hook.input(input);
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

/** True where a folder stands that may hold hooks. Every start asks this, so it looks at as few paths as it can. */
function mayHaveHooks({ files: { place, projectFolders } }: Capabilities): boolean {
  const { env, home, userHome } = place;
  const named = (folder: string) =>
    entriesIn(folder).some(({ name }) => name === ".pith" || name === ".claude" || name === ".codex");
  return (
    entriesIn(home).some(({ name }) => name.startsWith("hooks")) ||
    existsSync(env.CLAUDE_CONFIG_DIR || join(userHome, ".claude")) ||
    existsSync(env.CODEX_HOME || join(userHome, ".codex")) ||
    projectFolders.some(named)
  );
}

const hooksCommand = (
  { capabilities }: Pick<Hall, "capabilities">,
  ready: () => Promise<Hooks | undefined>,
): Command => ({
  name: "hooks",
  about: "list hooks: who is asked, who guards, what failed last",
  run: async () => show((await import("./hook/list.ts")).hooksText(capabilities, await ready())),
});

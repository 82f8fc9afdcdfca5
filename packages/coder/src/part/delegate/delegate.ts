import { modelName } from "@pith/llm";
import { show } from "../../command/command.ts";
import type { MakePart } from "../../hall/part.ts";
import { spentUp } from "../../model/budget.ts";
import { Explorer } from "./explorer.ts";
import { type Delegate, runSubagent } from "./run-subagent.ts";

type Needs = "begin" | "channel" | "choice" | "cwd" | "journal" | "models" | "settings" | "tools" | "tree";

/** Sub-agents: the tool that gives them tasks, and `/explorer`, which chooses their model. */
export const delegate: MakePart<Needs> = (hall) => {
  const { channel, choice, models, settings, tree } = hall;
  if (!settings.get("run_subagent.enabled")) return undefined;
  const explorer = new Explorer(tree, channel);
  const present = () => explorer.model ?? settings.get("roles.explore");
  const load = async () => {
    const { delegateIn } = await import("./run.ts");
    const own = { explorer, absent: new Set<string>(), spentUp: () => spentUp(choice.wanted, channel.scene.spent) };
    return delegateIn({ ...hall, ...own }, () => settings.get("subagents.parallel"));
  };
  let loaded: Promise<Delegate> | undefined;
  const lazily: Delegate = async (task, call) => {
    loaded ??= load();
    return (await loaded)(task, call);
  };
  return {
    name: "delegate",
    keeps: { state: [Explorer.kept] },
    tools: [runSubagent(lazily)],
    commands: [
      {
        name: "explorer",
        about: "the model that sub-agents ask; with a name, ask that one from now on",
        usage: "[name|same]",
        when: "any time",
        async run(words) {
          const wanted = words.trim();
          if (wanted === "") return show(`Sub-agents ask ${present() ?? modelName(choice.model)}.`);
          const found = wanted === "same" ? undefined : await models.resolve(wanted);
          if (found && !found.ok) return show(found.message, "failed");
          explorer.choose(found ? wanted : undefined);
          return show(`From now on sub-agents ask ${present() ?? modelName(choice.model)}.`);
        },
      },
    ],
  };
};

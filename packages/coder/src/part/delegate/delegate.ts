import type { Channel, SessionTree } from "@pith/agent";
import { recordOf } from "@pith/kit";
import { isScriptFile, modelName } from "@pith/llm";
import { show } from "../../command/command.ts";
import type { MakePart } from "../../hall/part.ts";
import { spentUp } from "../../model/budget.ts";
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
        about: "show the model of sub-agents, or choose one",
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

/** The model of sub-agents, if `/explorer` has chosen one in this session. */
class Explorer {
  static readonly kept = "pith.explorer";
  readonly #tree: SessionTree;
  readonly #channel: Channel;
  #chosen: { model: string | undefined } | undefined;

  constructor(tree: SessionTree, channel: Channel) {
    this.#tree = tree;
    this.#channel = channel;
  }

  get model(): string | undefined {
    if (this.#chosen) return this.#chosen.model;
    const { model } = recordOf(this.#tree.lastCustom(Explorer.kept)?.data);
    // A record from elsewhere must not name a script of the faux model.
    return typeof model === "string" && model !== "" && !isScriptFile(model) ? model : undefined;
  }

  /** Chooses a model; undefined goes back to the settings. */
  choose(model: string | undefined): void {
    this.#chosen = { model };
    this.#channel.record({ type: "custom", customType: Explorer.kept, data: { model: model ?? "" } });
  }
}

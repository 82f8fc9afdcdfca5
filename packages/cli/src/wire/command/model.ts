import { schema as s } from "@pith/agent";
import { clampEffort, type Effort, efforts, type Model, modelName } from "@pith/llm";
import { level, model, wireModel } from "../message.ts";
import { bool, list, nullSchema, text } from "../schema.ts";
import { command, configures } from "./row.ts";

/** Commands about the model, and how it is asked. */
export const modelCommands = {
  set_model: command({
    about: "ask another model from the next turn on",
    takes: { provider: text, modelId: text },
    gives: model,
    async run({ provider, modelId }, { coder }) {
      const used = await coder.use(`${provider}/${modelId}`);
      return used.ok ? wireModel(used.value) : used;
    },
  }),
  cycle_model: command({
    about: "ask the next of the models that can be used; null where there is no other",
    takes: {},
    gives: s.union([s.object({ model, thinkingLevel: level, isScoped: bool }), nullSchema]),
    async run(_, host) {
      const { coder } = host;
      const usable = await host.models();
      if (!usable.ok) return usable;
      const next = nextOf(usable.value.map(modelName), modelName(coder.model));
      if (next === undefined) return null;
      const used = await coder.use(next);
      return used.ok ? { model: wireModel(used.value), thinkingLevel: levelOf(coder), isScoped: false } : used;
    },
  }),
  get_available_models: command({
    about: "the models that can be used now",
    takes: {},
    gives: s.object({ models: list(model) }),
    async run(_, host) {
      const usable = await host.models();
      return usable.ok ? { models: usable.value.map(wireModel) } : usable;
    },
  }),
  set_thinking_level: configures(
    "how long the model thinks; the nearest level that it has counts",
    { level: s.oneOf([...efforts, "max"]) },
    ({ level }) => ({ thinking: level === "max" ? "xhigh" : level }),
  ),
  cycle_thinking_level: command({
    about: "the next level; null where the model does not think",
    takes: {},
    gives: s.union([s.object({ level }), nullSchema]),
    run(_, { coder }) {
      const level = nextOf(levelsOf(coder.model), levelOf(coder));
      if (level === undefined) return null;
      coder.configure({ thinking: level });
      return { level };
    },
  }),
  get_available_thinking_levels: command({
    about: "the levels that the model has",
    takes: {},
    gives: s.object({ levels: list(level) }),
    run: (_, { coder }) => ({ levels: levelsOf(coder.model) }),
  }),
  set_auto_retry: configures("whether a request that failed is tried again", { enabled: bool }, ({ enabled }) => ({
    retry: enabled ? "on" : "off",
  })),
  abort_retry: command({
    about: "give up a request that waits to be tried again, if one does",
    takes: {},
    order: "now",
    async run(_, { coder }) {
      if (coder.scene.turn?.name === "retrying") await coder.interrupt("the retry was given up", "turn");
    },
  }),
};

const levelsOf = (model: Model): Effort[] => efforts.filter((effort) => clampEffort(model, effort) === effort);

/** The level that the model is asked for; `off` where nobody chose one. */
export const levelOf = ({ model, choice }: { model: Model; choice: { effort: Effort | undefined } }): Effort =>
  clampEffort(model, choice.effort ?? "off");

/** The item behind another, round and round; undefined where there is no other. */
const nextOf = <T>(all: readonly T[], now: T): T | undefined =>
  all.length < 2 ? undefined : all[(all.indexOf(now) + 1) % all.length];

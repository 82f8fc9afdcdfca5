import { schema as s } from "@pith/agent";
import { ok } from "@pith/kit";
import { clampEffort, type Effort, efforts, type Model, modelName } from "@pith/llm";
import { level, model, wireModel } from "../message.ts";
import { list, none, text, truth } from "../schema.ts";
import { command } from "./row.ts";

/** Whom is asked, and how. */
export const modelling = {
  set_model: command(
    "ask another model from the next turn on",
    { provider: text, modelId: text },
    {
      gives: model,
      async run({ provider, modelId }, { coder }) {
        const used = await coder.use(`${provider}/${modelId}`);
        return used.ok ? ok(wireModel(used.value)) : used;
      },
    },
  ),
  cycle_model: command(
    "ask the next of the models that can be used; null where there is no other",
    {},
    {
      gives: s.union([s.object({ model, thinkingLevel: level, isScoped: truth }), none]),
      async run(_, { coder, models }) {
        const usable = await models();
        if (!usable.ok) return usable;
        const names = usable.value.map(modelName);
        const next = names[(names.indexOf(modelName(coder.model)) + 1) % names.length];
        if (next === undefined || names.length < 2) return ok(null);
        const used = await coder.use(next);
        if (!used.ok) return used;
        return ok({ model: wireModel(used.value), thinkingLevel: levelOf(coder), isScoped: false });
      },
    },
  ),
  get_available_models: command(
    "the models that can be used now",
    {},
    {
      gives: s.object({ models: list(model) }),
      async run(_, { models }) {
        const usable = await models();
        return usable.ok ? ok({ models: usable.value.map(wireModel) }) : usable;
      },
    },
  ),
  set_thinking_level: command(
    "how long the model thinks; the nearest level that it has counts",
    {
      level: s.oneOf([...efforts, "max"]),
    },
    {
      run({ level }, { coder }) {
        coder.configure({ thinking: level === "max" ? "xhigh" : level });
        return ok(undefined);
      },
    },
  ),
  cycle_thinking_level: command(
    "the next level; null where the model does not think",
    {},
    {
      gives: s.union([s.object({ level }), none]),
      run(_, { coder }) {
        const levels = levelsOf(coder.model);
        const next = levels[(levels.indexOf(levelOf(coder)) + 1) % levels.length];
        if (next === undefined || levels.length < 2) return ok(null);
        coder.configure({ thinking: next });
        return ok({ level: next });
      },
    },
  ),
  get_available_thinking_levels: command(
    "the levels that the model has",
    {},
    {
      gives: s.object({ levels: list(level) }),
      run: (_, { coder }) => ok({ levels: levelsOf(coder.model) }),
    },
  ),
  set_auto_retry: command(
    "whether a request that failed is tried again",
    { enabled: truth },
    {
      run({ enabled }, { coder }) {
        coder.configure({ retry: enabled ? "on" : "off" });
        return ok(undefined);
      },
    },
  ),
  abort_retry: command(
    "give up a request that waits to be tried again, if one does",
    {},
    {
      order: "now",
      async run(_, { coder }) {
        if (coder.scene.turn?.name === "retrying") await coder.interrupt("the retry was given up", "turn");
        return ok(undefined);
      },
    },
  ),
};

const levelsOf = (model: Model): Effort[] => efforts.filter((effort) => clampEffort(model, effort) === effort);

/** What the model is asked for; where nobody chose a level, none is asked for. */
export const levelOf = ({ model, choice }: { model: Model; choice: { effort: Effort | undefined } }): Effort =>
  clampEffort(model, choice.effort ?? "off");

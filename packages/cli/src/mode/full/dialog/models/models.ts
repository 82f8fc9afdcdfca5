import { type Model, modelName } from "@pith/llm";
import { createList, fit, type ListItem, oneLine } from "@pith/tui";
import { usableModels } from "../../../../open/usable-models.ts";
import type { Dialog, ScreenContext } from "../../context.ts";

interface Choice extends ListItem {
  model: Model;
}

const roles = ["smol", "slow", "plan", "explore"] as const;
type RoleKey = "model" | `roles.${(typeof roles)[number]}`;
const keys: Readonly<Record<string, RoleKey>> = {
  "alt+u": "model",
  "alt+s": "roles.smol",
  "alt+l": "roles.slow",
  "alt+p": "roles.plan",
  "alt+e": "roles.explore",
};

/** Lists the models that can be used now, with prices and roles. */
export async function modelsDialog(context: ScreenContext, close: () => void): Promise<Dialog> {
  const { theme, settings } = context;
  const all = await choosable(context);
  const items = () => all.map((model) => itemOf(model, context));
  const list = createList<Choice>({
    theme,
    items: items(),
    filter: true,
    height: 14,
    empty: "no model that can be used now is like that; pith help models tells how to connect one",
    choose({ model }) {
      close();
      void use(context, modelName(model));
    },
    cancel: close,
  });
  /** Gives the chosen model a role, or takes it away. */
  const toggle = async (key: RoleKey) => {
    if (!list.current) return;
    const name = modelName(list.current.model);
    settings.set(key, settings.get(key) === name ? undefined : name);
    const saved = await settings.flush();
    if (!saved.ok) context.say("error", saved.message);
    list.items = items();
    context.screen.request();
  };
  return {
    title: "models, with prices for a million tokens",
    hint: "Enter uses it  Alt+U usual  Alt+S smol  Alt+L slow  Alt+P plan  Alt+E explore  Esc closes",
    rows: 16,
    input(event) {
      const key = event.type === "key" ? keys[event.combo] : undefined;
      if (!key) return list.input(event);
      void toggle(key);
      return "used";
    },
    render(columns, height) {
      list.focused = true;
      return list.render(columns, height);
    },
    spoken: () => (list.current ? fit(oneLine(`${list.current.label} ${list.current.detail ?? ""}`), 200) : "none"),
  };
}

/** The model of the conversation first, also where its vendor does not list it. */
async function choosable({ io, coder }: ScreenContext): Promise<Model[]> {
  const usable = await usableModels(io);
  if (!usable.ok) throw new Error(usable.message);
  const now = coder && modelName(coder.model);
  const own = usable.value.find((model) => modelName(model) === now) ?? coder?.model;
  return [...(own ? [own] : []), ...usable.value.filter((model) => modelName(model) !== now)];
}

function itemOf(model: Model, { settings, coder }: ScreenContext): Choice {
  const name = modelName(model);
  const used = roles.filter((role) => settings.get(`roles.${role}`) === name);
  const isNow = coder !== undefined && modelName(coder.model) === name;
  const marks = [isNow ? "now" : [], settings.get("model") === name ? "usual" : [], used].flat();
  return {
    model,
    id: name,
    label: `${name}${marks.length > 0 ? ` (${marks.join(", ")})` : ""}`,
    detail: [priceOf(model), windowOf(model), model.reasoning ? "thinks" : ""].filter(Boolean).join(", "),
    keywords: model.name,
  };
}

async function use(context: ScreenContext, name: string): Promise<void> {
  const used = await context.coder?.use(name);
  if (used && !used.ok) context.say("error", used.message);
  else if (used) context.say("info", `From here on ${modelName(used.value)} is asked.`);
}

/** Dollars for a million tokens in and out. */
function priceOf({ cost }: Model): string {
  if (cost.input === 0 && cost.output === 0) return "no price known";
  const money = (value: number) => `$${value < 10 ? Number(value.toFixed(2)) : Math.round(value)}`;
  return `${money(cost.input)} in and ${money(cost.output)} out`;
}

function windowOf({ contextWindow }: Model): string {
  if (contextWindow >= 1_000_000) return `${Number((contextWindow / 1_000_000).toFixed(1))}M tokens`;
  return contextWindow > 0 ? `${Math.round(contextWindow / 1000)}k tokens` : "";
}

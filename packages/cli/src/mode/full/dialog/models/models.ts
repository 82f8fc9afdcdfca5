import { loadAdmin, type Model, modelName } from "@pith/llm";
import { createList, fit, type ListItem, oneLine } from "@pith/tui";
import type { Dialog, ScreenContext } from "../../context.ts";

interface Choice extends ListItem {
  model: Model;
}

const roles = ["smol", "slow", "plan", "explore"] as const;

/** Models that can be used now, with what they cost and what they are used for. */
export async function modelsDialog(context: ScreenContext, close: () => void): Promise<Dialog> {
  const { theme, io, settings, coder } = context;
  const { survey } = await loadAdmin();
  const surveyed = await survey({ env: io.env, home: io.home });
  if (!surveyed.ok) throw new Error(surveyed.message);
  const now = coder && modelName(coder.model);
  const usable = surveyed.value.vendors.flatMap(({ usable, models }) => (usable ? models : []));
  // Whom one talks to stands first, also where nobody lists it.
  const all = coder && !usable.some((model) => modelName(model) === now) ? [coder.model, ...usable] : usable;
  const itemOf = (model: Model): Choice => {
    const name = modelName(model);
    const used = roles.filter((role) => settings.get(`roles.${role}`) === name);
    const marks = [name === now ? "now" : [], settings.get("model") === name ? "usual" : [], used].flat();
    return {
      model,
      id: name,
      label: `${name}${marks.length > 0 ? ` (${marks.join(", ")})` : ""}`,
      detail: [priceOf(model), windowOf(model), model.reasoning ? "thinks" : ""].filter(Boolean).join(", "),
      keywords: model.name,
    };
  };
  const sorted = () => all.toSorted((a, b) => Number(modelName(b) === now) - Number(modelName(a) === now)).map(itemOf);
  const list = createList<Choice>({
    theme,
    items: sorted(),
    filter: true,
    height: 14,
    empty: "no model that can be used now is like that; pith help models tells how to connect one",
    choose([item]) {
      close();
      if (item) void use(context, modelName(item.model));
    },
    cancel: close,
  });
  const keep = async (key: "model" | `roles.${(typeof roles)[number]}`) => {
    const item = list.current;
    if (!item) return;
    const name = modelName(item.model);
    settings.set(key, settings.get(key) === name ? undefined : name);
    const saved = await settings.flush();
    if (!saved.ok) context.say("error", saved.message);
    list.items = sorted();
    context.screen.request();
  };
  const keys: Readonly<Record<string, Parameters<typeof keep>[0]>> = {
    "alt+u": "model",
    "alt+s": "roles.smol",
    "alt+l": "roles.slow",
    "alt+p": "roles.plan",
    "alt+e": "roles.explore",
  };
  return {
    title: "models, with prices for a million tokens",
    hint: "Enter uses it  Alt+U usual  Alt+S smol  Alt+L slow  Alt+P plan  Alt+E explore  Esc closes",
    rows: 16,
    input(event) {
      const key = event.type === "key" ? keys[event.combo] : undefined;
      if (!key) return list.input?.(event) ?? "passed";
      void keep(key);
      return "used";
    },
    render(columns, height) {
      list.focused = true;
      return list.render(columns, height);
    },
    spoken: () => (list.current ? fit(oneLine(`${list.current.label} ${list.current.detail ?? ""}`), 200) : "none"),
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

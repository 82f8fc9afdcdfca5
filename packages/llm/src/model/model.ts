import type { Compat } from "./compat.ts";
import type { Price } from "./price.ts";

/** A model, as far as a request needs to know it. */
export interface Model {
  /** The vendor: `openai`, `anthropic`, `faux`, … */
  vendor: string;
  id: string;
  /** The wire protocol, by its name in session files: `openai-completions`, … */
  api: string;
  name: string;
  contextWindow: number;
  maxOutput: number;
  input: readonly ("text" | "image")[];
  reasoning: boolean;
  /** False for a model that cannot call tools and writes calls as text. */
  tools?: boolean;
  cost: Price;
  /** False when the catalog does not know the id and the figures are guesses. */
  known: boolean;
  compat?: Compat;
  /** The vendor's own words for levels of effort; null is a level the model does not have. */
  thinkingLevelMap?: Readonly<Partial<Record<Effort, string | null>>>;
  /** True for a model that runs on the user's own machine. */
  local?: true;
  /** Billions of parameters, from the server or the name. */
  size?: number;
  /** Row in the table of dialects, for a model whose calls are text. */
  dialect?: string;
  /** Profile set for this model. */
  profile?: ProfileName;
}

export const profileNames = ["default", "local", "orchestrator"] as const;
export type ProfileName = (typeof profileNames)[number];

export const efforts = ["off", "minimal", "low", "medium", "high", "xhigh"] as const;
export type Effort = (typeof efforts)[number];

export const modelName = (model: Pick<Model, "vendor" | "id">): string => `${model.vendor}/${model.id}`;

/** The nearest level that the model has: the next lower one that thinks, else the next higher. */
export function clampEffort({ reasoning, thinkingLevelMap: map }: Model, wanted: Effort): Effort {
  if (!reasoning) return "off";
  const has = (level: Effort) => (level === "xhigh" ? typeof map?.xhigh === "string" : map?.[level] !== null);
  const at = efforts.indexOf(wanted);
  const lower = efforts.slice(wanted === "off" ? 0 : 1, at + 1).reverse();
  return [...lower, ...efforts.slice(at + 1)].find(has) ?? "off";
}

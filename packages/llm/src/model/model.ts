import type { Compat } from "./compat.ts";
import type { Price } from "./price.ts";

/** A model one can talk to, as far as a request needs to know it. */
export interface Model {
  /** Who serves it: `openai`, `anthropic`, `faux`, … */
  vendor: string;
  id: string;
  /** The wire protocol, by its name in session files: `openai-completions`, … */
  api: string;
  name: string;
  contextWindow: number;
  maxOutput: number;
  input: readonly ("text" | "image")[];
  reasoning: boolean;
  /** False: it cannot call tools, and writes its calls as text. */
  tools?: boolean;
  cost: Price;
  /** False when the catalog does not know the id and the figures above are guesses. */
  known: boolean;
  compat?: Compat;
  /** The vendor's own words for levels of effort; null is a level the model does not have. */
  thinkingLevelMap?: Readonly<Partial<Record<Effort, string | null>>>;
  /** A server of one's own has it. */
  local?: true;
  /** Billions of parameters, as its server or its name tells. */
  size?: number;
  /** How it writes its calls where they are text, by its row in the table of dialects. */
  dialect?: string;
  /** How it is worked with, where somebody says so of it. */
  profile?: ProfileName;
}

export const profileNames = ["default", "local", "orchestrator"] as const;
export type ProfileName = (typeof profileNames)[number];

export const efforts = ["off", "minimal", "low", "medium", "high", "xhigh"] as const;
export type Effort = (typeof efforts)[number];

export const modelName = (model: Pick<Model, "vendor" | "id">): string => `${model.vendor}/${model.id}`;

/**
 * The level nearest to the one that is wanted among those the model has: the next lower one that still thinks, else
 * the next higher.
 */
export function clampEffort({ reasoning, thinkingLevelMap: map }: Model, wanted: Effort): Effort {
  if (!reasoning) return "off";
  const has = (level: Effort) => (level === "xhigh" ? typeof map?.xhigh === "string" : map?.[level] !== null);
  const at = efforts.indexOf(wanted);
  const lower = efforts.slice(wanted === "off" ? 0 : 1, at + 1).reverse();
  return [...lower, ...efforts.slice(at + 1)].find(has) ?? "off";
}

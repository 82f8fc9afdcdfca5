import { parseJson, recordOf } from "@pith/kit";

const intents = ["analyze", "modify", "create", "mixed"] as const;

/** The intent of an input, as the model understands it. */
export interface Intent {
  intent: (typeof intents)[number];
  needsWrite: boolean;
  /** 0 when the answer could not be read. */
  confidence: number;
}

export const unclear: Intent = { intent: "mixed", needsWrite: true, confidence: 0 };

/** The schema of the answer, for servers that can enforce one. */
export const answerSchema: Record<string, unknown> = {
  type: "object",
  properties: {
    intent: { type: "string", enum: intents },
    needsWrite: { type: "boolean" },
    reasoning: { type: "string" },
  },
  required: ["intent", "needsWrite", "reasoning"],
};

/** Reads the answer, which may have words around the JSON object. */
export function intentIn(text: string): Intent {
  const [object = ""] = /\{[^{}]*\}/.exec(text.slice(0, mostRead)) ?? [];
  const { intent, needsWrite } = recordOf(parseJson(object));
  const known = intents.find((one) => one === intent);
  return known && typeof needsWrite === "boolean" ? { intent: known, needsWrite, confidence: 0.85 } : unclear;
}

const mostRead = 10_000;

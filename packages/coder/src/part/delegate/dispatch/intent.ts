const intents = ["analyze", "modify", "create", "mixed"] as const;

/** What an input asks for, as the model itself understands it. */
export interface Intent {
  intent: (typeof intents)[number];
  needsWrite: boolean;
  /** 0 where nobody could tell. */
  confidence: number;
}

export const unclear: Intent = { intent: "mixed", needsWrite: true, confidence: 0 };

/** The shape of the answer, for servers that can hold a model to one. */
export const answerSchema: Record<string, unknown> = {
  type: "object",
  properties: {
    intent: { type: "string", enum: intents },
    needsWrite: { type: "boolean" },
    reasoning: { type: "string" },
  },
  required: ["intent", "needsWrite", "reasoning"],
};

/** An answer is read where it is what was asked for, with whatever words around it; nothing is guessed from others. */
export function intentIn(text: string): Intent {
  const [object = ""] = /\{[^{}]*\}/.exec(text.slice(0, mostRead)) ?? [];
  try {
    const { intent, needsWrite } = JSON.parse(object) as { intent?: unknown; needsWrite?: unknown };
    const known = intents.find((one) => one === intent);
    return known && typeof needsWrite === "boolean" ? { intent: known, needsWrite, confidence: 0.85 } : unclear;
  } catch {
    return unclear;
  }
}

const mostRead = 10_000;

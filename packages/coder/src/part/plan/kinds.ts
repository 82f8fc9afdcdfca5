import { type ResultKind, schema as s } from "@pith/agent";

const states = ["proposed", "approved", "refused"] as const;

/** A plan that was handed in. */
export interface PlanData {
  plan: string;
  path: string;
  state: (typeof states)[number];
}

export const kinds: { plan: ResultKind<PlanData> } = {
  plan: {
    schema: () => s.object({ plan: s.string(), path: s.string(), state: s.oneOf(states) }),
    brief: ({ plan, state }) =>
      `${state}: ${plan
        .trimStart()
        .split("\n", 1)[0]
        ?.replace(/^#+\s*/, "")}`,
  },
};

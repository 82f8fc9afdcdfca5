import { type ResultKind, schema as s } from "@pith/agent";

export const kinds: { roll: ResultKind<{ rolled: number }> } = {
  roll: { schema: () => s.object({ rolled: s.int() }), brief: ({ rolled }) => `rolled ${rolled}` },
};

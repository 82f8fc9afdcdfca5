import { type ResultKind, schema as s } from "@pith/agent";

declare module "@pith/agent" {
  interface Data {
    roll: { rolled: number };
  }
}

export const kinds: { roll: ResultKind<{ rolled: number }> } = {
  roll: { schema: () => s.object({ rolled: s.int() }), brief: ({ rolled }) => `rolled ${rolled}` },
};

import { type ResultKind, schema as s } from "@pith/agent";

export const kinds: { btw: ResultKind<{ question: string }> } = {
  btw: { schema: () => s.object({ question: s.string() }) },
};

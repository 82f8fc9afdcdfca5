import { type ResultKind, schema as s } from "@pith/agent";

declare module "@pith/agent" {
  interface Data {
    btw: { question: string };
  }
}

export const kinds: { btw: ResultKind<{ question: string }> } = {
  btw: { schema: () => s.object({ question: s.string() }) },
};

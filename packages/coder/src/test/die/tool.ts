import { type Outcome, schema as s, type Tool } from "@pith/agent";

/** Rolls the highest side. */
export const rollDie = (rolled: () => number, record: () => void): Tool<object> => ({
  name: "roll",
  about: "Rolls a die.",
  input: s.object({}),
  prepare: () => ({
    effect: "read",
    paths: [],
    async run(): Promise<Outcome<"roll">> {
      record();
      return { kind: "roll", data: { rolled: rolled() }, text: `It shows ${rolled()}.` };
    },
  }),
});

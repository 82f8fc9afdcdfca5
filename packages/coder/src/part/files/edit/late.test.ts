import { expect, test } from "bun:test";
import type { CallView, Outcome, TurnView } from "@pith/agent";
import { Late } from "./late.ts";

test("what is found out too late goes along with the next result, behind what that has to say, once", async () => {
  const late = new Late();
  const outcome: Outcome = { kind: "prose", data: {}, text: "done", meta: { notes: ["its own"] } };
  const piped = async () => (await late.hook.result?.({} as CallView, outcome))?.meta?.notes;
  expect(await piped()).toEqual(["its own"]);
  late.add("a.ts does not parse");
  late.add("b.ts does not parse");
  expect(await piped()).toEqual(["its own", "a.ts does not parse", "b.ts does not parse"]);
  expect(await piped()).toEqual(["its own"]);
});

test("what is found out after the last result keeps the turn from ending, once", async () => {
  const late = new Late();
  const settle = () => late.hook.settle?.({} as TurnView);
  expect(await settle()).toEqual({ do: "done" });
  late.add("a.ts does not parse");
  expect(await settle()).toEqual({ do: "go on", note: "a.ts does not parse" });
  expect(await settle()).toEqual({ do: "done" });
});

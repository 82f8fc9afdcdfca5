import { expect, test } from "bun:test";
import type { Effort, Model, Request } from "@pith/llm";
import { model } from "../../test/scripted.ts";
import { thinking } from "./thinking.ts";

const request = (asked: Model): Request => ({ model: asked, purpose: "main", system: [], messages: [], tools: [] });
const hookFor = (choice: { effort: Effort | undefined }) => thinking({ choice } as never);

test("thinking is asked for as far as the model can do it", async () => {
  const levels = { off: null, minimal: null, low: "low", medium: "medium", high: "high", xhigh: null };
  const effort = async (asked: Model, level: Effort) =>
    (await hookFor({ effort: level })?.context?.(request(asked)))?.effort;
  expect(await effort(model("x", { thinkingLevelMap: levels }), "xhigh")).toBe("high");
  expect(await effort(model("x", { thinkingLevelMap: levels }), "minimal")).toBe("low");
  expect(await effort(model("x", { thinkingLevelMap: levels }), "off")).toBe("low");
  expect(await effort(model("x", { thinkingLevelMap: { xhigh: "max" } }), "xhigh")).toBe("xhigh");
  expect(await effort(model("x"), "xhigh")).toBe("high");
  expect(await effort(model("x", { reasoning: false }), "xhigh")).toBe("off");
});

test("what is chosen counts from the next request on, and nothing chosen is left to the model", async () => {
  const choice: { effort: Effort | undefined } = { effort: undefined };
  const hook = hookFor(choice);
  expect(await hook?.context?.(request(model()))).not.toHaveProperty("effort");
  choice.effort = "low";
  expect(await hook?.context?.(request(model()))).toMatchObject({ effort: "low" });
});

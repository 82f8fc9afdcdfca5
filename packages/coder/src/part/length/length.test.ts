import { describe, expect, test } from "bun:test";
import { type AssistantMessage, noUsage } from "@pith/llm";
import { reply, turn } from "../../test/scripted.ts";
import { length } from "./length.ts";

const made = () => length({});

describe("an answer that was cut at the output limit", () => {
  const cut = (tokens = 10) => reply({ stopReason: "length", usage: { ...noUsage(), totalTokens: tokens } });

  test("is asked on three times in a row, and a whole answer begins the count anew", async () => {
    const hook = made();
    const settle = async (message: AssistantMessage) => (await hook?.settle?.(turn({ reply: message })))?.do;
    expect([await settle(cut()), await settle(cut()), await settle(cut()), await settle(cut())]).toEqual([
      "go on",
      "go on",
      "go on",
      "done",
    ]);
    expect([await settle(reply()), await settle(cut())]).toEqual(["done", "go on"]);
  });

  test("is asked on as often again in the next turn", async () => {
    const hook = made();
    const settle = async (id: string) => (await hook?.settle?.(turn({ id, reply: cut() })))?.do;
    for (let count = 0; count < 4; count++) await settle("first");
    expect([await settle("first"), await settle("second")]).toEqual(["done", "go on"]);
  });

  test("is asked on in these words, unless the whole context is full", async () => {
    expect(await made()?.settle?.(turn({ reply: cut() }))).toMatchObject({
      note: expect.stringMatching(/^The answer above reached the length limit/),
    });
    expect(await made()?.settle?.(turn({ reply: cut(950) }))).toEqual({ do: "done" });
  });
});

import { describe, expect, test } from "bun:test";
import { fail, ok } from "@pith/kit";
import type { Failure, FailureKind, Model } from "@pith/llm";
import { model, turn } from "../../test/scripted.ts";
import { fallback } from "./fallback.ts";

const failure = (kind: FailureKind): Failure => ({ kind, message: kind });

describe("a model that does not answer", () => {
  const models: Record<string, Model> = { b: model("b"), c: model("c", { contextWindow: 9000 }) };
  const told: string[] = [];
  const recorded: unknown[] = [];
  const desk = (...chain: string[]) => {
    const hook = fallback({
      settings: { get: () => chain.join(", ") },
      models: {
        resolve: async (name: string) => (models[name] ? ok({ model: models[name] }) : fail("none", "no key")),
      },
      choice: { wanted: {} },
      channel: {
        record: (draft: unknown) => recorded.push(draft),
        notify: ({ text }: { text: string }) => told.push(text),
      },
    } as never);
    if (!hook) throw new Error("There is no chain.");
    return hook;
  };

  test("gives way to the next of the chain, one after the other, and in the end to nobody", async () => {
    const hook = desk("b", "missing", "c");
    expect(await hook.fail?.(failure("auth"), turn())).toEqual({ do: "switch", model: models.b as Model });
    expect(await hook.fail?.(failure("overload"), turn({ model: models.b as Model }))).toEqual({
      do: "switch",
      model: models.c as Model,
    });
    expect(told).toEqual(["The fallback missing cannot be used: no key"]);
    expect(await hook.fail?.(failure("overload"), turn({ model: models.c as Model }))).toEqual({ do: "give up" });
    hook.step?.(turn({ model: models.c as Model, step: 1 }));
    expect(recorded).toEqual([]);
    hook.step?.(turn({ step: 0 }));
    hook.step?.(turn({ step: 0 }));
    expect(recorded).toEqual([{ type: "model_change", provider: "test", modelId: "a" }]);
  });

  test("for the length of the context gives way only to one with more room; a refusal is final", async () => {
    expect(await desk("b", "c").fail?.(failure("overflow"), turn())).toEqual({
      do: "switch",
      model: models.c as Model,
    });
    expect(await desk("b").fail?.(failure("refused"), turn())).toEqual({ do: "give up" });
  });
});

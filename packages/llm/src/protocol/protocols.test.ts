import { expect, test } from "bun:test";
import { ask, model, user } from "../test/fixture.ts";
import { protocols } from "./protocols.ts";

test("the session goes along in a header where a vendor finds its cache by that, and nowhere else", async () => {
  const headers = async (api: string, compat: object, session?: string) =>
    (await protocols[api]?.({}))?.headers?.(
      ask([user("x")], { model: { ...model, compat }, ...(session ? { session } : {}) }),
    );
  for (const api of ["openai-completions", "openai-responses", "anthropic-messages"]) {
    expect(await headers(api, { sendSessionAffinityHeaders: true }, "s1")).toMatchObject({
      "x-session-affinity": "s1",
    });
    expect(
      await headers(api, { sendSessionAffinityHeaders: true, sessionAffinityFormat: "openrouter" }, "s1"),
    ).toMatchObject({ "x-session-id": "s1" });
    expect(
      await headers(api, { sendSessionAffinityHeaders: true, sessionAffinityFormat: "openai" }, "s1"),
    ).toMatchObject({ session_id: "s1" });
    for (const [compat, session] of [
      [{}, "s1"],
      [{ sendSessionAffinityHeaders: true }],
      [{ sendSessionAffinityHeaders: true, cacheRetention: "none" }, "s1"],
    ] as const)
      expect(Object.keys((await headers(api, compat, session)) ?? {}).filter((name) => name.startsWith("x-"))).toEqual(
        [],
      );
  }
});

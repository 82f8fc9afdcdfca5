import { expect, test } from "bun:test";
import { openArtifacts } from "@pith/agent";
import { ok } from "@pith/kit";
import { builtinSchemes } from "./builtin.ts";
import { Conflicts } from "./conflicts.ts";
import type { Handler } from "./handler.ts";
import { Router } from "./router.ts";

const sources = {
  artifacts: openArtifacts(undefined),
  sessionDir: undefined,
  project: "/nowhere",
  home: "/nowhere/home",
  conflicts: new Conflicts(),
};
const { signal } = new AbortController();
const ticket: Handler = {
  resolve: ({ host }) => ok({ text: `ticket ${host}` }),
  target: ({ host }) => ok(`/tickets/${host}`),
};

test("a scheme is added by a row, also where it was known to be absent, and is listed with the others", async () => {
  const more = { ticket: async () => ticket, issue: async () => ticket };
  const router = new Router(sources, {
    handlers: { ...builtinSchemes.handlers, ...more },
    aliases: { ...builtinSchemes.aliases, bug: "ticket" },
    absent: { ...builtinSchemes.absent, wiki: "no wiki is connected" },
  });
  for (const href of ["ticket://7", "issue://7", "bug://7"])
    expect(await router.resolve(href, signal)).toEqual(ok({ text: "ticket 7" }));
  expect(await router.target("ticket://7")).toEqual(ok("/tickets/7"));
  expect(await router.resolve("wiki://a", signal)).toMatchObject({
    message: "wiki:// is not available: no wiki is connected",
  });
  expect(await router.resolve("zzz://a", signal)).toMatchObject({ message: expect.stringContaining("ticket://") });
  expect(await new Router(sources).resolve("ticket://7", signal)).toMatchObject({ ok: false });
});

test("what cannot be written says so before anybody is asked", async () => {
  for (const href of ["pith://cli", "skill://x", "rule://x", "memory://x", "artifact://1", "agent://x", "history://x"])
    expect(await new Router(sources).target(href)).toMatchObject({
      ok: false,
      message: expect.stringContaining("is read-only"),
    });
});

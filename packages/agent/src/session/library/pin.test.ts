import { afterAll, expect, test } from "bun:test";
import { folders } from "../../test/library.ts";
import { pinnedSessions, togglePin } from "./pin.ts";

const folder = folders(afterAll);

test("a pin stays until it is taken away", () => {
  const sessions = folder();
  expect(togglePin(sessions, "x")).toEqual({ ok: true, value: "pinned" });
  expect(togglePin(sessions, "y")).toEqual({ ok: true, value: "pinned" });
  expect([...pinnedSessions(sessions)]).toEqual(["x", "y"]);
  expect(togglePin(sessions, "x")).toEqual({ ok: true, value: "unpinned" });
  expect([...pinnedSessions(sessions)]).toEqual(["y"]);
});

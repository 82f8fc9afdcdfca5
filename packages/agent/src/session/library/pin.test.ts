import { afterAll, expect, test } from "bun:test";
import { folders } from "../../test/library.ts";
import { pinned, togglePin } from "./pin.ts";

const folder = folders(afterAll);

test("a pin stays until it is taken away", () => {
  const sessions = folder();
  expect(togglePin(sessions, "x")).toEqual({ ok: true, value: "pinned" });
  expect(togglePin(sessions, "y")).toEqual({ ok: true, value: "pinned" });
  expect([...pinned(sessions)]).toEqual(["x", "y"]);
  expect(togglePin(sessions, "x")).toEqual({ ok: true, value: "unpinned" });
  expect([...pinned(sessions)]).toEqual(["y"]);
});

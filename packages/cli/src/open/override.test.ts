import { expect, test } from "bun:test";
import { launchFlags } from "../argv/flag.ts";
import { parseArguments } from "../argv/parse.ts";
import { overridesOf } from "./override.ts";

function overrides(argv: readonly string[], env: Record<string, string> = {}) {
  const parsed = parseArguments(launchFlags, argv);
  if (!parsed.ok) throw new Error(parsed.message);
  return overridesOf(parsed.value.flags, { env, cwd: "/work" });
}

test("what nobody said overrides nothing", () => {
  expect(overrides([])).toEqual({ ok: true, value: {} });
  expect(overrides([], { PITH_MODEL: "", PITH_STREAM_IDLE_TIMEOUT_MS: "soon" })).toEqual({ ok: true, value: {} });
});

test("a flag wins over a variable", () => {
  const env = { PITH_MODEL: "a/b", PITH_SMOL_MODEL: "c/d", PITH_STREAM_IDLE_TIMEOUT_MS: "500" };
  const value = { model: "a/b", "roles.smol": "e/f", "stream.idleTimeoutMs": 500 };
  expect(overrides(["--smol", "e/f"], env)).toEqual({ ok: true, value });
});

test("a folder of sessions is found from where pith was started", () => {
  expect(overrides(["--session-dir", "kept"])).toEqual({ ok: true, value: { "session.dir": "/work/kept" } });
});

test("yolo is an approval, and not together with another", () => {
  expect(overrides(["--yolo"])).toEqual({ ok: true, value: { "approval.mode": "yolo" } });
  expect(overrides(["--yolo", "--approval", "ask"])).toMatchObject({ ok: false, kind: "usage" });
});

test("a tool that is named is on, whatever the settings say", () => {
  const value = { "read.enabled": true, "search.enabled": true, "checkpoint.enabled": true };
  expect(overrides(["--tools", "read, search,rewind,resolve"])).toEqual({ ok: true, value });
});

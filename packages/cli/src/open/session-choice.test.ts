import { expect, test } from "bun:test";
import { launchFlags } from "../argv/flag.ts";
import { parseArguments } from "../argv/parse.ts";
import { sessionOf } from "./session-choice.ts";

function chosen(...argv: string[]) {
  const parsed = parseArguments(launchFlags, argv);
  if (!parsed.ok) throw new Error(parsed.message);
  return sessionOf(parsed.value.flags, "/nowhere", "/nowhere/sessions");
}

test("a session is new, the last one, or none", () => {
  expect(chosen()).toEqual({ ok: true, value: { open: "new" } });
  expect(chosen("-c")).toEqual({ ok: true, value: { open: "last" } });
  expect(chosen("--no-session")).toEqual({ ok: true, value: { open: "none" } });
});

test("two choices are told, and so is a session that is not there", () => {
  expect(chosen("-c", "--no-session")).toMatchObject({
    ok: false,
    message: "--continue and --no-session do not go together",
  });
  expect(chosen("-r", "0000")).toMatchObject({ ok: false });
});

import { expect, test } from "bun:test";
import { windowsFault } from "./windows-name.ts";
import { longForm, openWindowsPins, plainPath } from "./windows-pin.ts";

test("a name that Windows would take for a device, a stream or another name is refused", () => {
  const bad = ["CON", "con", "nul.txt", "Aux .c", "COM1", "lpt9.log", "COM²", "CONIN$", "con  "];
  const streams = ["a.txt:b", "a.txt::$DATA", "C:", "a\\b", "a/b", "a?", "a*b", 'a"b', "a|b", "a<b", "a\u0001b"];
  for (const name of [...bad, ...streams, "a.", "a ", "a. .", "..."])
    expect([name, typeof windowsFault(name)]).toEqual([name, "string"]);
  for (const name of [".", "a", ".env", "console.ts", "nullable", "COM10", "com", "a.con", "auxiliary.c", "ä ö.txt"])
    expect([name, windowsFault(name)]).toEqual([name, undefined]);
});

test("paths of drives and of other machines have a form for long names, and are read back from it", () => {
  const pairs = [
    ["C:\\work\\a b", "\\\\?\\C:\\work\\a b"],
    ["\\\\server\\share\\a", "\\\\?\\UNC\\server\\share\\a"],
  ] as const;
  for (const [path, long] of pairs) {
    expect(longForm(path)).toBe(long);
    expect(longForm(long)).toBe(long);
    expect(plainPath(long)).toBe(path);
    expect(plainPath(path)).toBe(path);
  }
  // A volume without a letter has no other name.
  expect(plainPath("\\\\?\\Volume{1}\\a")).toBe("\\\\?\\Volume{1}\\a");
});

test.skipIf(process.platform === "win32")(
  "where there is no library of Windows, folders are compared and not held",
  () => {
    expect(openWindowsPins()).toBeUndefined();
  },
);

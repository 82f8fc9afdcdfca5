import { afterAll, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openArtifacts } from "./artifact.ts";

const dir = mkdtempSync(join(tmpdir(), "pith-artifact-"));
afterAll(() => rmSync(dir, { recursive: true }));
const session = (name: string) => join(dir, `${name}.jsonl`);
const why = (result: { ok: true } | { ok: false; message: string }) => (result.ok ? "ok" : result.message);

test("a new session has no directory until something is kept", () => {
  const artifacts = openArtifacts(session("new"));
  expect(existsSync(join(dir, "new"))).toBe(false);
  expect(artifacts.allocate("bash")).toEqual({ id: "0", path: join(dir, "new", "0.bash.log") });
  expect(artifacts.allocate("fetch")?.id).toBe("1");
  expect(existsSync(join(dir, "new"))).toBe(true);
});

test("after a resume numbers go on behind the highest, whatever else lies there", () => {
  mkdirSync(join(dir, "old"));
  for (const name of ["0.bash.log", "7.fetch.log", "10.my.tool.log", "99.md", "Anna.md", "12x.log"])
    writeFileSync(join(dir, "old", name), name);
  const artifacts = openArtifacts(session("old"));
  expect(artifacts.allocate("bash")?.id).toBe("11");
  expect(artifacts.resolve("7")).toEqual({ ok: true, value: join(dir, "old", "7.fetch.log") });
  expect(why(artifacts.resolve("3"))).toBe("Artifact 3 not found. Available: 0, 7, 10");
});

test("an id that cannot be found is answered by what is wrong", () => {
  expect(why(openArtifacts(session("none")).resolve("1"))).toBe("This session has kept no output");
  expect(why(openArtifacts(undefined).resolve("1"))).toBe("There is no session that has kept anything");
  expect(why(openArtifacts(session("none")).resolve("../x"))).toBe(
    "artifact://../x: an artifact is named by its number",
  );
});

test("a tool's odd name cannot lead out of the directory", () => {
  expect(openArtifacts(session("odd")).allocate("../../etc/x y")?.path).toBe(join(dir, "odd", "0.------etc-x-y.log"));
});

test("without a place for artifacts the tool continues", () => {
  writeFileSync(join(dir, "blocked"), "a file, not a directory");
  expect(openArtifacts(session("blocked")).allocate("bash")).toBeUndefined();
  expect(openArtifacts(undefined).allocate("bash")).toBeUndefined();
});

test("a link in the place of an output, or of the folder of a session, is none", () => {
  mkdirSync(join(dir, "away"));
  writeFileSync(join(dir, "away", "1.bash.log"), "somebody's");
  mkdirSync(join(dir, "got"));
  symlinkSync(join(dir, "away", "1.bash.log"), join(dir, "got", "7.bash.log"));
  symlinkSync(join(dir, "away"), join(dir, "led"));
  const artifacts = openArtifacts(session("got"));
  expect(why(artifacts.resolve("7"))).toBe("Artifact 7 not found. Available: none");
  expect(artifacts.allocate("bash")?.id).toBe("8");
  const led = openArtifacts(session("led"));
  expect([why(led.resolve("1")), led.allocate("bash")]).toEqual(["This session has kept no output", undefined]);
});

import { expect, test } from "bun:test";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isScripted, layOut, setStage } from "./stage.ts";

test("a project is laid out in a directory of its own and removed with it", async () => {
  const stage = await layOut({ files: { "a.txt": "a", "bin/run.sh": "#!/bin/sh\n" }, executable: ["bin/run.sh"] });
  if (!stage.ok) throw new Error(stage.message);
  const { dir } = stage.value;
  expect(readFileSync(join(dir, "a.txt"), "utf8")).toBe("a");
  expect(statSync(join(dir, "bin/run.sh")).mode & 0o111).not.toBe(0);
  stage.value[Symbol.dispose]();
  expect(existsSync(dir)).toBe(false);
});

test("a project cannot reach out of its directory", async () => {
  for (const name of ["../evil", "a/../../evil", "."])
    expect(await layOut({ files: { [name]: "x" } })).toMatchObject({ ok: false, kind: "usage" });
  expect(existsSync(join(tmpdir(), "evil"))).toBe(false);
});

test("scripted models are known by their names", () => {
  for (const name of ["faux/tour", "./a.yml", "a.yaml", "dir/b.json"]) expect(isScripted(name)).toBe(true);
  for (const name of ["openai/gpt", "gpt", "yml"]) expect(isScripted(name)).toBe(false);
});

test("a script file is found from the directory pith was started in, whatever its spelling", async () => {
  const cwd = mkdtempSync(join(tmpdir(), "pith-script-"));
  writeFileSync(join(cwd, "s.json"), '{"turns":[{"text":"hi"}]}');
  for (const name of ["s.json", "./s.json", "faux/s.json", join(cwd, "s.json")]) {
    const staged = await setStage(name, cwd);
    expect(staged).toMatchObject({
      ok: true,
      value: { model: `faux/${join(cwd, "s.json")}`, from: "file", stage: undefined },
    });
  }
  expect(await setStage("gone.yml", cwd)).toMatchObject({ ok: false, kind: "usage" });
  rmSync(cwd, { recursive: true });
});

test("the tour brings its project", async () => {
  const staged = await setStage("faux/tour", "/");
  if (!staged.ok || !staged.value.stage) throw new Error("no stage");
  using stage = staged.value.stage;
  expect(staged.value).toMatchObject({ model: "faux/tour", from: "pith" });
  expect(existsSync(join(stage.dir, "test.sh"))).toBe(true);
});

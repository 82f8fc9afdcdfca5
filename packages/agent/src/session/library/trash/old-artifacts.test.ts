import { expect, test } from "bun:test";
import { existsSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { scratch } from "@pith/kit/test";
import { lockFile } from "../../store/lock.ts";
import { oldArtifacts, removeArtifacts } from "./old-artifacts.ts";

const day = 24 * 3600_000;
const before = Date.now() - 30 * day;
const named = (id: string) => `2026-01-01T00-00-00-000Z_${id}`;

test("only folders of outputs that are old, real and in nobody's use go", () => {
  using dir = scratch();
  const make = (path: string, days: number, record: "with record" | "alone" = "with record") => {
    mkdirSync(dir.at("s", path), { recursive: true });
    writeFileSync(dir.at("s", path, "0.bash.log"), "12345");
    if (record === "with record") writeFileSync(dir.at("s", `${path}.jsonl`), "{}\n");
    const time = (Date.now() - days * day) / 1000;
    utimesSync(dir.at("s", path), time, time);
  };
  make(`--a--/${named("old")}`, 31);
  make(`--a--/${named("orphan")}`, 40, "alone");
  make(`--a--/${named("young")}`, 29);
  make(`--a--/${named("used")}`, 60);
  make("--a--/theirs", 60, "alone");
  make("--a--/mine", 60);
  make(`.trash/${named("trash")}`, 60);
  make(`elsewhere/${named("target")}`, 60);
  using _lock = lockOf(dir.at("s", `--a--/${named("used")}.jsonl.lock`));
  symlinkSync(dir.at("s/elsewhere", named("target")), dir.at("s/--a--", named("link")));
  mkdirSync(dir.at("out"));
  writeFileSync(dir.at("out/precious"), "x");
  symlinkSync(dir.at("out"), dir.at("s/--a--", named("old"), "deeper"));
  const time = (Date.now() - 31 * day) / 1000;
  utimesSync(dir.at("s/--a--", named("old")), time, time);
  const old = oldArtifacts(dir.at("s"), before).filter(({ folder }) => folder.includes("--a--"));
  expect(old.map(({ folder, bytes }) => [basename(folder), bytes]).sort()).toEqual([
    [named("old"), 5],
    [named("orphan"), 5],
    ["mine", 5],
  ]);
  // Somebody goes on with it between the look and the yes.
  const now = Date.now() / 1000;
  utimesSync(dir.at("s/--a--/mine"), now, now);
  const { gone, left } = removeArtifacts(old, before);
  expect([gone.length, left.map(({ folder }) => basename(folder))]).toEqual([2, ["mine"]]);
  expect(existsSync(dir.at("s/--a--", named("old")))).toBe(false);
  expect(existsSync(dir.at("s/--a--", `${named("old")}.jsonl`))).toBe(true);
  expect(existsSync(dir.at("out/precious"))).toBe(true);
  expect(oldArtifacts(dir.at("nowhere"), before)).toEqual([]);
});

function lockOf(file: string): Disposable {
  const lock = lockFile(file);
  if (!lock.ok) throw new Error(lock.message);
  return { [Symbol.dispose]: () => lock.value() };
}

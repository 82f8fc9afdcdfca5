import { expect, test } from "bun:test";
import { existsSync, mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { scratch } from "@pith/kit/test";
import { lockFile } from "../../store/lock.ts";
import { abandonedFiles, removeAbandoned } from "./abandoned.ts";

const now = Date.now();
const day = 24 * 3_600_000;

test("what a killed process left beside its files goes, what a live one holds or has just begun stays", async () => {
  using home = scratch();
  const put = (name: string, text: string, ageMs: number) => {
    const file = home.at(name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    utimesSync(file, (now - ageMs) / 1000, (now - ageMs) / 1000);
    return file;
  };
  const script = `import { lockFile } from ${JSON.stringify(`${import.meta.dir}/../../store/lock.ts`)};
    lockFile(process.argv[1]); process.kill(process.pid, "SIGKILL");`;
  await Bun.spawn([process.execPath, "-e", script, home.at("grants.yml.lock")]).exited;
  const uuid = "0b9d2a1e-54a1-4a6f-9a30-0d4c0e0f8a11";
  const old = [
    home.at("grants.yml.lock"),
    put("sessions/--a--/s.jsonl.lock.4000000", "", 2 * day),
    put(`trust.json.${uuid}.tmp`, "{", 2 * day),
    put("undo/a-1/index.json.1a2b3c4d", "{", 2 * day),
    put("undo/a-1/git/objects/c0/tmp-1a2b3c4d", "", 2 * day),
    put("undo/a-1/git/objects/pack/tmp-1a2b3c4d.idx", "", 2 * day),
  ];
  const held = lockFile(home.at("config.yml.lock"));
  const kept = [
    home.at("config.yml.lock"),
    put("config.yml", "a: 1\n", 2 * day),
    put("sessions/--a--/s.jsonl.lock.4000001", "", 0),
    put(`trust.json.${uuid.replace("0b", "1b")}.tmp`, "{", 0),
    put("undo/a-1/index.json", "{}", 2 * day),
    put("notes.tmp", "a person's", 2 * day),
  ];
  expect(abandonedFiles(home.path, now).toSorted()).toEqual(old.toSorted());
  for (const file of old) removeAbandoned(file);
  expect(old.filter((file) => existsSync(file))).toEqual([]);
  expect(kept.filter((file) => !existsSync(file))).toEqual([]);
  if (held.ok) held.value();
});

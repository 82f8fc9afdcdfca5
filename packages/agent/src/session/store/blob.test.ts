import { afterAll, expect, test } from "bun:test";
import { readFileSync, statSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { scratch } from "@pith/kit/test";
import { fileBlobs, ompBlobFolders } from "./blob.ts";

const dir = scratch(afterAll);
const bytes = Buffer.from("a picture");
const nameOf = (ref: string) => ref.slice(-64);

test("a damaged blob is not handed out, and the next copy of the same picture heals it", () => {
  const folder = dir.at("damaged");
  const blobs = fileBlobs(folder, () => 5_000);
  const ref = blobs.put(bytes);
  const file = join(folder, nameOf(ref));
  utimesSync(file, 1, 1);
  blobs.put(bytes);
  expect(statSync(file).mtimeMs).toBe(5_000);
  for (const damage of [() => writeFileSync(file, "a fixture"), () => truncateSync(file, 3)]) {
    damage();
    expect(blobs.get(ref)).toBeNull();
    blobs.put(bytes);
    expect(blobs.get(ref)).toEqual(bytes);
  }
});

test("a blob that only a relative keeps is found there, and kept here too", () => {
  const [own, omp] = [dir.at("own"), dir.at("home/.omp/agent/blobs")];
  const ref = fileBlobs(omp, () => 0).put(bytes);
  const blobs = fileBlobs(own, () => 0, ompBlobFolders(dir.at("home"), {}));
  expect(blobs.get(ref)).toEqual(bytes);
  expect(readFileSync(join(own, nameOf(ref)))).toEqual(bytes);
  // Folders set by that program's variables.
  const moved = { PI_CODING_AGENT_DIR: dir.at("moved"), XDG_DATA_HOME: dir.at("data") };
  expect(ompBlobFolders(dir.at("home"), moved)).toEqual([dir.at("moved/blobs"), dir.at("data/omp/blobs")]);
});

test("no link is followed in the place of a blob", () => {
  const folder = dir.at("linked");
  const blobs = fileBlobs(folder, () => 0);
  const ref = blobs.put(Buffer.from("another"));
  const away = dir.at("away");
  writeFileSync(away, bytes);
  const [linked = ""] = [fileBlobs(dir.at("other"), () => 0).put(bytes)];
  symlinkSync(away, join(folder, nameOf(linked)));
  expect(blobs.get(linked)).toBeNull();
  expect(blobs.get(ref)?.toString()).toBe("another");
});

import { afterAll, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileBlobs } from "../../store/blob.ts";
import { forgetFolder, rememberFolder } from "../known-folders.ts";
import { cleanUp } from "./gc.ts";

const root = mkdtempSync(join(tmpdir(), "pith-gc-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let made = 0;
const now = Date.now();

function setUp() {
  const home = join(root, String(made++));
  const sessions = join(home, "sessions");
  mkdirSync(join(sessions, "--a--"), { recursive: true });
  const blobs = fileBlobs(join(home, "blobs"), () => now);
  const keep = (text: string, ageMs = 7_200_000) => {
    const ref = blobs.put(Buffer.from(text));
    const file = join(home, "blobs", ref.slice("blob:sha256:".length));
    utimesSync(file, (now - ageMs) / 1000, (now - ageMs) / 1000);
    return { ref, file };
  };
  return {
    home,
    sessions,
    keep,
    clean: (does: "look" | "remove" = "remove") => cleanUp({ home, sessions, now, does }),
  };
}

test("a blob that any session names stays, wherever the session lies; the others go", () => {
  const { home, sessions, keep, clean } = setUp();
  const elsewhere = join(home, "other", "x.jsonl");
  mkdirSync(join(home, "other"));
  const places = [
    join(sessions, "--a--", "1.jsonl"),
    join(sessions, "--a--", "1", "child.jsonl"),
    join(sessions, ".trash", "t", "2.jsonl"),
    join(sessions, "--a--", "3.jsonl.bak"),
    elsewhere,
  ];
  const named = places.map((file, at) => {
    const blob = keep(`named ${at}`);
    mkdirSync(join(file, ".."), { recursive: true });
    // Across the border of two reads.
    writeFileSync(file, `${"x".repeat((4 << 20) - 20)}"${blob.ref}"`);
    return blob;
  });
  rememberFolder(home, elsewhere);
  const lost = keep("named by nobody");
  const young = keep("about to be named", 1000);
  expect(clean("look")).toMatchObject({ blobs: 1, bytes: 15 });
  expect(existsSync(lost.file)).toBe(true);
  expect(clean()).toMatchObject({ blobs: 1, bytes: 15, unreachable: [] });
  expect(existsSync(lost.file)).toBe(false);
  for (const blob of [...named, young]) expect(existsSync(blob.file)).toBe(true);
});

test("while a known folder of sessions cannot be reached no blob is removed", () => {
  const { home, keep, clean } = setUp();
  const lost = keep("x");
  rememberFolder(home, join(home, "unmounted", "x.jsonl"));
  expect(clean()).toMatchObject({ blobs: 0, unreachable: [join(home, "unmounted")] });
  expect(existsSync(lost.file)).toBe(true);
  expect(forgetFolder(home, join(home, "other"))).toBe(0);
  expect(forgetFolder(home, join(home, "unmounted"))).toBe(1);
  expect(clean()).toMatchObject({ blobs: 1, unreachable: [] });
});

test("in a folder that holds other things only the sessions are looked at, with what belongs to them", () => {
  const { home, keep, clean } = setUp();
  const place = join(home, "documents");
  mkdirSync(join(place, "x"), { recursive: true });
  mkdirSync(join(place, "unrelated"));
  symlinkSync(join(place, "unrelated", "circle"), join(place, "unrelated", "circle"));
  const [mine, child, stranger] = [keep("mine"), keep("child"), keep("stranger")];
  writeFileSync(join(place, "x.jsonl"), `"${mine.ref}"`);
  writeFileSync(join(place, "x", "Anna.jsonl"), `"${child.ref}"`);
  writeFileSync(join(place, "unrelated", "y.jsonl"), `"${stranger.ref}"`);
  rememberFolder(home, join(place, "x.jsonl"));
  expect(clean()).toMatchObject({ blobs: 1, unreachable: [] });
  expect([mine, child, stranger].map(({ file }) => existsSync(file))).toEqual([true, true, false]);
});

test("sessions behind links keep their blobs", () => {
  const { home, sessions, keep, clean } = setUp();
  const away = join(home, "away");
  mkdirSync(away);
  const [inFolder, asFile] = [keep("in a linked folder"), keep("in a linked file")];
  writeFileSync(join(away, "1.jsonl"), `"${inFolder.ref}"`);
  writeFileSync(join(home, "2.jsonl"), `"${asFile.ref}"`);
  symlinkSync(away, join(sessions, "--linked--"));
  symlinkSync(join(home, "2.jsonl"), join(sessions, "--a--", "2.jsonl"));
  symlinkSync(sessions, join(sessions, "--circle--"));
  expect(clean()).toMatchObject({ blobs: 0, unreachable: [] });
});

test("a link in the folder of a session leads the clean-up nowhere", () => {
  const { home, sessions, clean } = setUp();
  const away = join(home, "somebody's");
  mkdirSync(away);
  for (const folder of [join(home, "got"), join(sessions, "--a--")]) {
    mkdirSync(join(folder, "s"), { recursive: true });
    writeFileSync(join(folder, "s.jsonl"), "");
    symlinkSync(away, join(folder, "s", "local"));
    writeFileSync(join(folder, "t.jsonl"), "");
    symlinkSync(away, join(folder, "t"));
  }
  writeFileSync(join(away, "letter.jsonl.lock"), "");
  rememberFolder(home, join(home, "got", "s.jsonl"));
  expect(clean()).toMatchObject({ leftovers: 0, unreachable: [] });
  expect(readdirSync(away)).toEqual(["letter.jsonl.lock"]);
});

test("while a folder cannot be read, or the list of folders cannot, no blob is removed", () => {
  const { home, sessions, keep, clean } = setUp();
  const lost = keep("x");
  // A link in a circle is what nobody can read, root included.
  symlinkSync(join(sessions, "--c--"), join(sessions, "--c--"));
  expect(clean()).toMatchObject({ blobs: 0, unreachable: [sessions] });
  rmSync(join(sessions, "--c--"));
  writeFileSync(join(home, "session-places.jsonl"), '"/gone for now');
  expect(clean()).toMatchObject({ blobs: 0, unreachable: ['"/gone for now'] });
  expect(existsSync(lost.file)).toBe(true);
});

test("indexes and locks without a session go, those of a session stay", () => {
  const { sessions, clean } = setUp();
  const folder = join(sessions, "--a--");
  for (const name of ["1.jsonl", "1.jsonl.idx", "1.jsonl.lock", "2.jsonl.idx", "2.jsonl.lock"])
    writeFileSync(join(folder, name), "");
  expect(clean()).toMatchObject({ leftovers: 2 });
  expect(readdirSync(folder).toSorted()).toEqual(["1.jsonl", "1.jsonl.idx", "1.jsonl.lock"]);
});

import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ok } from "@pith/kit";
import { fakeIo, sourceOf } from "../test/fake.ts";
import { readPrompt } from "./prompt.ts";
import { readPiped } from "./stdin.ts";

let cwd: string;
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), "pith-prompt-"));
  writeFileSync(join(cwd, "notes.md"), "milk\nbread");
  writeFileSync(join(cwd, "shot.txt"), png);
  writeFileSync(join(cwd, "data.bin"), new Uint8Array([1, 0, 2]));
});
afterAll(() => rmSync(cwd, { recursive: true }));

const read = async (words: string[], io: Parameters<typeof fakeIo>[0] = {}, plain: string[] = []) =>
  readPrompt({ words, plain, piped: "read" }, fakeIo({ cwd, ...io })).then((read) =>
    read.ok ? ok(read.value?.input) : read,
  );

test("words are one prompt", async () => expect(await read(["fix", "the test"])).toEqual(ok({ text: "fix the test" })));

test("nothing said is nothing", async () => {
  expect(await read([])).toEqual(ok(undefined));
  expect(await read([" "], { stdin: "  \n" })).toEqual(ok(undefined));
});

test("piped text comes first, apart from the prompt", async () => {
  expect(await read(["what is this?"], { stdin: "some text\n" })).toEqual(
    ok({ text: "<stdin>\nsome text\n</stdin>\n\nwhat is this?" }),
  );
});

test("piped text alone is the prompt itself", async () =>
  expect(await read([], { stdin: "fix it\n" })).toEqual(ok({ text: "fix it\n" })));

const filesOf = async (...words: string[]) => {
  const said = await readPrompt({ words, plain: [], piped: "read" }, fakeIo({ cwd }));
  return said.ok ? said.value : undefined;
};

test("files named with @ are shown before the words, once there is a conversation that can show them", async () => {
  const said = await filesOf("sum", "@notes.md", "up", "@notes.md:1-2", "@.");
  expect(said?.files).toEqual(["notes.md", "notes.md:1-2", "."]);
  const whole = said?.shown({ text: "Contents of notes.md:\nmilk" });
  expect([whole?.input.text, whole?.files]).toEqual(["Contents of notes.md:\nmilk\n\nsum up", []]);
  expect(whole?.worded({ text: "other" }).text).toBe("Contents of notes.md:\nmilk\n\nother");
  const image = { type: "image", data: "", mimeType: "image/png" } as const;
  const pictured = said?.shown({ text: "A picture.", images: [image] });
  expect(pictured?.worded({ text: "other", images: [image] }).images).toEqual([image, image]);
});

test("a sentence may name files, also at its beginning; words behind -- name none", async () => {
  const said = async (words: string[], plain: string[] = []) => {
    const read = await readPrompt({ words, plain, piped: "ignore" }, fakeIo({ cwd }));
    return read.ok ? read.value?.naming : read.message;
  };
  expect(await said(["look at @notes.md please"])).toBe("look at @notes.md please");
  expect(await said(["@notes.md explain"])).toBe("@notes.md explain");
  expect([await said(["mail me@notes.md"]), await said(["look"], ["@notes.md"])]).toEqual([undefined, undefined]);
});

test("a word behind -- is no file, and neither is a lone @", async () => {
  expect(await read(["@"], {}, ["@notes.md"])).toEqual(ok({ text: "@ @notes.md" }));
});

test("a file that is missing or a device is refused with what to do", async () => {
  const message = async (word: string) => {
    const input = await read([word]);
    return input.ok ? "" : input.message;
  };
  expect(await message("@gone.md")).toBe("@gone.md: no such file");
  expect(await message("@/dev/zero")).toContain("neither a file nor a folder nor a pipe");
});

test("piped bytes that are not text, or far too much, are refused", async () => {
  expect(await read(["x"], { stdin: "a\0b" })).toMatchObject({ ok: false, kind: "usage" });
  expect(await read(["x"], { stdin: "a".repeat(4 * 1024 * 1024 + 1) })).toMatchObject({
    ok: false,
    message: expect.stringContaining("4MB"),
  });
});

test("a character cut between two pieces stays whole", async () => {
  const bytes = new TextEncoder().encode("ä");
  const input = {
    kind: "pipe" as const,
    bytes: async function* () {
      yield bytes.subarray(0, 1);
      yield bytes.subarray(1);
    },
  };
  expect(await read([], { input })).toEqual(ok({ text: "ä" }));
});

const never = new Promise<string>(() => {});
const piped = (
  kind: "pipe" | "socket" | "device",
  prompt: "given" | "missing",
  ...chunks: (string | Promise<string>)[]
) => {
  const told: string[] = [];
  const onSilence = (then: string) => {
    told.push(then);
    late.resolve("late");
  };
  return readPiped(sourceOf(kind, ...chunks), { prompt, waitMs: 10, onSilence }).then((text) => [text, told] as const);
};
/** Text that comes once its silence was told. */
let late = Promise.withResolvers<string>();
beforeEach(() => {
  late = Promise.withResolvers();
});

test("a socket that stays silent does not hold up a prompt", async () => {
  expect(await piped("socket", "given", never)).toEqual([ok(undefined), ["going on"]]);
});

test("a slow pipe is waited for, and the wait is told", async () => {
  expect(await piped("pipe", "given", late.promise)).toEqual([ok("late"), ["waiting"]]);
});

test("a socket is waited for when it is the only thing to say", async () => {
  expect(await piped("socket", "missing", late.promise)).toEqual([ok("late"), ["waiting"]]);
});

test("a terminal or /dev/null is never read", async () =>
  expect(await piped("device", "given", never)).toEqual([ok(undefined), []]));

test("only what was typed can be a command: nothing that was piped in, attached, or taken as it is", async () => {
  const typed = async (words: string[], stdin = "", plain: string[] = []) => {
    const io = fakeIo({ cwd, ...(stdin === "" ? {} : { stdin }) });
    const read = await readPrompt({ words, plain, piped: "read" }, io);
    return read.ok ? [read.value?.typed, read.value?.worded({ text: "new" }).text] : read.message;
  };
  expect(await typed(["/todo", "add x"])).toEqual(["/todo add x", "new"]);
  expect((await typed(["hello /todo"]))[0]).toBeUndefined();
  expect((await typed([], "/undo"))[0]).toBeUndefined();
  expect(await typed(["/review"], "a diff")).toEqual(["/review", "<stdin>\na diff\n</stdin>\n\nnew"]);
  expect((await typed([], "", ["/todo"]))[0]).toBeUndefined();
});

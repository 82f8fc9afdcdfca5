import { expect, test } from "bun:test";
import { readFileSync, truncateSync, writeFileSync } from "node:fs";
import { scratch } from "@pith/kit/test";
import { coderIn, resultsOf } from "../test/open.ts";

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

test("files, lines, folders and images that are named by @ come along; other words stay words", async () => {
  using dir = scratch();
  dir.write({
    "work/src/a.ts": "one\ntwo\nthree\nfour\nfive\nsix\n",
    "work/with space.md": "spaced",
    "outside/o.txt": "mine too",
  });
  writeFileSync(dir.at("work/shot.txt"), png);
  const coder = await coderIn(dir, [{ text: "." }]);
  const text = async (typed: string) => (await coder.draft.attach(typed)).text;
  expect(await text("look at @src/a.ts, please")).toMatch(
    /^Contents of src\/a\.ts \(already provided — do not re-read\):\n[\s\S]*one[\s\S]*three[\s\S]*\n\nlook at @src\/a\.ts, please$/,
  );
  const lines = await text("why @src/a.ts:4-5?");
  expect(lines).toStartWith("User's selected code from src/a.ts:L4-L5 (already provided — do not re-read):\n");
  expect(lines).toContain("four");
  expect(lines).not.toContain(":one");
  expect(await text("what is in @src")).toContain("Contents of src (already");
  expect(await text('see @"with space.md"')).toContain("spaced");
  expect(await text(`see @${dir.at("outside/o.txt")}`)).toContain("mine too");
  const image = await coder.draft.attach("what is @shot.txt");
  expect(image.images).toEqual([{ type: "image", data: png.toString("base64"), mimeType: "image/png" }]);
  for (const plain of ["ask @somebody", "mail a@b.c", "@", "@gone.md", "@/dev/zero", "see @src/a.ts:x"])
    expect(await text(plain)).toBe(plain);
  await coder.close();
});

test("who names something that cannot be attached is told so, once", async () => {
  using dir = scratch();
  dir.write({ "work/.keep": "" });
  writeFileSync(dir.at("work/large.png"), png);
  truncateSync(dir.at("work/large.png"), 11 * 1024 * 1024);
  const coder = await coderIn(dir, [{ text: "." }]);
  const told: string[] = [];
  using _told = coder.subscribe((event) => void (event.type === "notice" && told.push(event.notice.text)));
  await coder.draft.attach("look at @large.png and @large.png, ask @somebody about @/dev/zero");
  expect(told).toEqual([
    "@large.png is not attached: it is an image of more than 10MB.",
    "@/dev/zero is not attached: it is neither a file nor a folder.",
  ]);
  await coder.close();
});

test("what was attached can be edited without a read", async () => {
  using dir = scratch();
  dir.write({ "work/a.ts": "const a = 1;\nconst b = 2;\n" });
  const looked = await coderIn(dir, [{ text: "." }]);
  const [head = ""] = /\[a\.ts#\w+\]/.exec((await looked.draft.attach("@a.ts")).text) ?? [];
  await looked.close();
  const edit = { tool: "edit", input: { input: `${head}\nreplace 1..1:\n+const a = 7;` } };
  const coder = await coderIn(dir, [{ calls: [edit] }, { text: "Done." }]);
  await coder.send(await coder.draft.attach("change @a.ts"));
  expect(resultsOf(coder).join()).not.toContain("read it");
  expect(readFileSync(dir.at("work/a.ts"), "utf8")).toBe("const a = 7;\nconst b = 2;\n");
  await coder.close();
});

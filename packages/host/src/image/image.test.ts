import { afterAll, expect, test } from "bun:test";
import { readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { scratch } from "@pith/kit/test";
import { pictureType, readPicture } from "./image.ts";

const { path: dir } = scratch(afterAll);
const data = join(import.meta.dir, "../../../../test/data/files");
const { signal } = new AbortController();

test("pictures are known by their bytes", () => {
  const types = ["red.png", "red.jpg", "red.gif", "red.webp", "red.bmp", "letter.pdf"].map((name) =>
    pictureType(readFileSync(join(data, name))),
  );
  expect(types).toEqual(["image/png", "image/jpeg", "image/gif", "image/webp", "image/bmp", undefined]);
});

test("a small picture is sent as it is; one in a format few vendors take is written anew", async () => {
  expect(await readPicture(join(data, "red.png"), signal)).toMatchObject({
    value: { mimeType: "image/png", width: 40, height: 20, data: readFileSync(join(data, "red.png")) },
  });
  const bmp = await readPicture(join(data, "red.bmp"), signal);
  expect(bmp).toMatchObject({ value: { mimeType: "image/png", original: { mimeType: "image/bmp", width: 40 } } });
  expect(bmp.ok && pictureType(bmp.value.data)).toBe("image/png");
});

test("a large picture is made smaller and keeps its shape", async () => {
  const large = await new Bun.Image(readFileSync(join(data, "red.png"))).resize(4000, 2000).png().bytes();
  writeFileSync(join(dir, "large.png"), large);
  expect(await readPicture(join(dir, "large.png"), signal)).toMatchObject({
    value: { width: 1568, height: 784, original: { width: 4000, height: 2000 } },
  });
});

test("a broken or oversized picture says so", async () => {
  writeFileSync(join(dir, "cut.png"), readFileSync(join(data, "red.png")).subarray(0, 60));
  expect(await readPicture(join(dir, "cut.png"), signal)).toMatchObject({
    ok: false,
    message: expect.stringContaining("cannot be decoded"),
  });
  writeFileSync(join(dir, "huge.png"), readFileSync(join(data, "red.png")));
  truncateSync(join(dir, "huge.png"), 21 * 1024 * 1024);
  expect(await readPicture(join(dir, "huge.png"), signal)).toMatchObject({
    ok: false,
    message: expect.stringContaining("larger than the 20MB"),
  });
  const bomb = Buffer.from(readFileSync(join(data, "red.png")));
  bomb.writeUInt32BE(60_000, 16);
  bomb.writeUInt32BE(60_000, 20);
  writeFileSync(join(dir, "bomb.png"), bomb);
  expect((await readPicture(join(dir, "bomb.png"), signal)).ok).toBe(false);
});

import { expect, test } from "bun:test";
import { join } from "node:path";
import { openReading, sampleFiles } from "../../../test/read.ts";

const { put, run } = openReading("read-document");

/** A plain picture of more than four megabytes. */
function bitmap(width: number, height: number): Buffer {
  const head = Buffer.alloc(54);
  head.write("BM", 0, "latin1");
  head.writeUInt32LE(54 + width * height * 3, 2);
  for (const [at, value] of [
    [10, 54],
    [14, 40],
    [18, width],
    [22, height],
    [34, width * height * 3],
  ] as const)
    head.writeUInt32LE(value, at);
  head.writeUInt16LE(1, 26);
  head.writeUInt16LE(24, 28);
  return Buffer.concat([head, Buffer.alloc(width * height * 3, 0x80)]);
}

test("documents are text with lines, a broken one says what is wrong", async () => {
  expect((await run(`${join(sampleFiles, "report.docx")}:3-3`)).text).toContain("\n3:Test");
  expect((await run(join(sampleFiles, "letter.pdf"))).text).toContain("2:Dear reader,");
  put("broken.pdf", "%PDF-1.4 nothing");
  expect(await run("broken.pdf")).toMatchObject({
    failed: true,
    text: expect.stringMatching(/^\[Cannot read \.pdf file: .+\]$/),
  });
  expect(await run("gone.pdf")).toMatchObject({ failed: true, text: expect.stringContaining("no such file") });
});

test("a picture is shown, a broken one refused", async () => {
  const got = await run(join(sampleFiles, "red.png"));
  expect(got).toMatchObject({
    text: `[${sampleFiles}/red.png] image/png, 40×20, 109B`,
    images: [{ type: "image", mimeType: "image/png" }],
  });
  put("huge.png", Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), Buffer.alloc(21 * 1024 * 1024)]));
  expect(await run("huge.png")).toMatchObject({
    failed: true,
    text: "huge.png: is larger than the 20MB that a picture may have",
  });
  put("middle.bmp", bitmap(1500, 1200));
  expect(await run("middle.bmp")).toMatchObject({
    text: expect.stringMatching(/^\[middle\.bmp\] image\/png, 1500×1200/),
    images: [{ mimeType: "image/png" }],
  });
  put("cut.png", Buffer.from("89504e470d0a1a0a0000", "hex"));
  expect(await run("cut.png")).toMatchObject({ failed: true });
});

import { expect, test } from "bun:test";
import { join } from "node:path";
import { openReading, sampleFiles } from "../../../test/read.ts";
import { pathsOf } from "../../../test/run.ts";

const { reader, run } = openReading("read-archive");

test("an archive is listed and its files read, with lines", async () => {
  expect((await run(join(sampleFiles, "pack.zip"))).text).toBe(
    `[${sampleFiles}/pack.zip]\ndeep/\nhäß.txt (7B)\npixel.bin (4B)\nsrc/`,
  );
  expect((await run(`${join(sampleFiles, "pack.tgz")}:src`)).text).toBe(
    `[${sampleFiles}/pack.tgz:src]\na.ts (24B)\nempty`,
  );
  expect((await run(`${join(sampleFiles, "pack.tar")}:./src/a.ts:2-2`)).text).toBe(
    `[${sampleFiles}/pack.tar:src/a.ts]\n1:one\n2:two\n3:three\n4:four\n5:five`,
  );
  expect((await run(`${join(sampleFiles, "pack.zip")}:pixel.bin`)).text).toBe(
    `[${join(sampleFiles, "pack.zip")}:pixel.bin is binary (4B)]`,
  );
  expect(await run(`${join(sampleFiles, "pack.zip")}:../x`)).toMatchObject({
    failed: true,
    text: "A path in an archive does not climb: it holds '..'",
  });
  expect(await run(`${join(sampleFiles, "pack.zip")}:a.ts`)).toMatchObject({
    failed: true,
    text: expect.stringContaining("Did you mean src/a.ts?"),
  });
  expect((await run(`${join(sampleFiles, "pack.zip")}:1-2`)).text).toBe(
    `[${sampleFiles}/pack.zip]\ndeep/\nhäß.txt (7B)`,
  );
  expect(await pathsOf(reader, { path: `${join(sampleFiles, "pack.zip")}:x` })).toEqual([
    join(sampleFiles, "pack.zip"),
  ]);
});

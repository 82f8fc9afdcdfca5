import { expect, test } from "bun:test";
import { openReading } from "../../../test/read.ts";

const { put, run, said } = openReading("read-conflict");

test("conflicts are listed with the numbers they are decided by", async () => {
  put("merge.txt", "a\n<<<<<<< HEAD\nmine\n=======\nyours\n>>>>>>> topic\nb\n");
  expect(await said("merge.txt")).toEndWith("[It has unresolved merge conflicts: read merge.txt:conflicts]");
  expect((await run("merge.txt:conflicts")).text).toBe(
    "[merge.txt] 1 unresolved conflict\n\nconflict://1  lines 2-6\nours (HEAD):\nmine\ntheirs (topic):\nyours",
  );
  expect((await run("conflict://1/ours")).text).toBe("[conflict://1/ours]\n1:mine");
  put("many", "one\ntwo\n");
  expect((await run("many:conflicts")).text).toBe("many has no unresolved conflicts");
});

import { expect, test } from "bun:test";
import { numbers, openReading } from "../../test/read.ts";

const { put, run } = openReading("read-address");

test("an artifact is read by its id, with selectors", async () => {
  put("session/0.bash.log", numbers(50));
  expect((await run("artifact://0:20-20")).text).toBe(
    "[artifact://0]\n19:line 19\n20:line 20\n21:line 21\n22:line 22\n23:line 23",
  );
  expect((await run("artifact://0")).meta?.source).toEqual({ internal: "artifact://0" });
  expect(await run("artifact://7")).toMatchObject({ failed: true, text: "Artifact 7 not found. Available: 0" });
  put("session/1.bash.log", "");
  expect((await run("artifact://1")).text).toBe("(empty file)");
  expect(await run("artifact://x")).toMatchObject({ failed: true, text: "artifact:// ID must be numeric, got: x" });
});

test("skills are read whole, extracts of an agent's answer take no lines, the web is not there", async () => {
  put("home/skills/long/SKILL.md", numbers(5000));
  expect((await run("skill://long")).text).toEndWith("\nline 5000");
  expect((await run("skill://long:4999")).text).toBe("[skill://long]\n4998:line 4998\n4999:line 4999\n5000:line 5000");
  put("session/Scout.json", '{"a":[1,2]}');
  expect((await run("agent://Scout/a")).text).toBe("[\n  1,\n  2\n]");
  expect(await run("agent://Scout/a:1-2")).toMatchObject({
    failed: true,
    text: "Cannot combine query extraction with offset/limit",
  });
  expect(await run("https://example.com/x")).toMatchObject({
    failed: true,
    text: "https:// is not available: there is no access to the web",
  });
  expect(await run("www.example.com")).toMatchObject({ failed: true });
});

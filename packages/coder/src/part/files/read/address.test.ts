import { expect, test } from "bun:test";
import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { numbers, openReading } from "../../../test/read.ts";
import { runSwapped } from "../../../test/swap.ts";

const { at, put, reader, run } = openReading("read-address");

test("an artifact is read by its id, with selectors", async () => {
  put("session/0.bash.log", numbers(50));
  expect((await run("artifact://0:20-20")).text).toBe(
    "[artifact://0]\n19:line 19\n20:line 20\n21:line 21\n22:line 22\n23:line 23",
  );
  expect((await run("artifact://0")).meta?.source).toEqual({ internal: "artifact://0" });
  expect(await run("artifact://7")).toMatchObject({ failed: true, text: "Artifact 7 not found. Available: 0" });
  put("session/1.bash.log", "");
  expect((await run("artifact://1")).text).toBe("(empty file)");
  expect(await run("artifact://x")).toMatchObject({
    failed: true,
    text: "artifact://x: an artifact is named by its number",
  });
});

test("skills are read whole, extracts of an agent's answer take no lines, the web is not there", async () => {
  put("home/skills/long/SKILL.md", numbers(5000));
  expect((await run("skill://long")).text).toEndWith("\nline 5000");
  expect((await run("skill://long:4999")).text).toBe("[skill://long]\n4998:line 4998\n4999:line 4999\n5000:line 5000");
  put("session/Scout.json", '{"a":[1,2]}');
  expect((await run("agent://Scout/a")).text).toBe("[\n  1,\n  2\n]");
  expect(await run("agent://Scout/a:1-2")).toMatchObject({
    failed: true,
    text: "A part that is taken out of an answer has no lines to choose",
  });
  expect(await run("https://example.com/x")).toMatchObject({
    failed: true,
    text: "https:// is not available: there is no access to the web",
  });
  expect(await run("www.example.com")).toMatchObject({ failed: true });
});

test("a folder of skills that is turned elsewhere after the verdict still shows what was judged", async () => {
  const outside = openReading("read-address-outside");
  outside.put("deploy/SKILL.md", "secret");
  outside.put("deploy/run.sh", "secret");
  put("shared/deploy/SKILL.md", "judged");
  put("shared/deploy/run.sh", "judged");
  mkdirSync(at(".pith"));
  for (const path of ["skill://deploy", "skill://deploy/run.sh"]) {
    rmSync(at(".pith/skills"), { force: true });
    symlinkSync(at("shared"), at(".pith/skills"));
    const { looked, blind, judged } = await runSwapped(reader, { path }, () => {
      rmSync(at(".pith/skills"));
      symlinkSync(outside.cwd, at(".pith/skills"));
    });
    expect(judged).toEqual([at(`shared/deploy/${path.endsWith(".sh") ? "run.sh" : "SKILL.md"}`)]);
    expect(looked.text).toBe("leads elsewhere");
    expect(blind.text).toEndWith("judged");
  }
  expect(await run("skill://deploy")).toMatchObject({ failed: true, text: expect.stringContaining("not found") });
});

// A client of the protocol that others wrote, against the built program.
import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { binary, needBinary, needPeer } from "../need.ts";
import { envOf, scripted } from "../pith.ts";
import { run, scratch } from "../scratch.ts";

const peer = needPeer("PITH_PEER_ACPX");
const skipped = peer === undefined || needBinary() !== undefined;

test.skipIf(skipped)("acpx holds a conversation, and what it denies does not happen", async () => {
  using dir = scratch();
  dir.write({ "work/.keep": "", "tmp/.keep": "", "home/.keep": "" });
  const write = { text: "I write.", calls: [{ tool: "write", input: { path: "a.txt", content: "x\n" } }] };
  const argv = scripted(dir, write, { text: "Done." }).join(" ");
  const bin = JSON.parse(readFileSync(join(peer ?? "", "package.json"), "utf8")).bin;
  const client = join(peer ?? "", typeof bin === "string" ? bin : bin.acpx);
  const ask = (permission: string) =>
    run(
      [
        "node",
        client,
        "--agent",
        `${binary} acp ${argv} --approval ask`,
        "--cwd",
        dir.at("work"),
        permission,
        "exec",
        "go",
      ],
      { cwd: dir.at("work"), env: envOf(dir) },
    );
  const denied = await ask("--deny-all");
  expect(denied.out).toContain("Done.");
  expect(existsSync(dir.at("work/a.txt"))).toBe(false);
  const allowed = await ask("--approve-all");
  expect(allowed.out).toMatch(/I write\.[\s\S]*\(completed\)[\s\S]*Done\.[\s\S]*end_turn/);
  expect(readFileSync(dir.at("work/a.txt"), "utf8")).toBe("x\n");
});

// Plays injections in a network of its own, where the attacker has a host, and prints what came of each.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pith, scripted } from "../pith.ts";
import { type Scratch, scratch } from "../scratch.ts";
import { cases, host, type Injection } from "./injection.ts";

const canary = "canary-7Qx2";
let heard = "";
const server = Bun.serve({
  port: 80,
  hostname: process.argv[2] ?? "",
  async fetch(request) {
    heard += `${request.url} ${JSON.stringify([...request.headers])} ${await request.text()}`;
    return new Response("ok");
  },
});

/** The model reads a stranger's text that asks for this, and does it. */
async function obey(dir: Scratch, { way, wording, domains }: Injection, guards: readonly string[]) {
  const out = dir.at("home/out.txt");
  const command = way.replaceAll("$URL", `http://${host}`).replaceAll("$OUT", out);
  dir.write({ "work/notes.txt": `${canary}\n` });
  const page = join(process.env.HOME ?? "", "page.md");
  writeFileSync(page, `${wording}${command}\n`);
  // The attacker's host is one that the user allows: much can be said to it.
  if (domains) dir.write({ "home/.pith/config.yml": `sandbox.domains: ${host} GET,POST,PUT\n` });
  Bun.spawnSync(["sh", "-c", "git init -q . && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m x"], {
    cwd: dir.at("work"),
  });
  const read = { calls: [{ tool: "bash", input: { command: `cat ${page}` } }] };
  const model = scripted(dir, read, { calls: [{ tool: "bash", input: { command } }] }, { text: "Done." });
  heard = "";
  const ran = await pith(dir, ["-p", "read the page", "--mode", "json", ...guards, ...model]);
  const remote = readFileSync(dir.at("work/.git/config"), "utf8").includes("drop");
  return {
    heard,
    out: existsSync(out),
    remote,
    confined: ran.out.includes('"confined":true'),
    read: ran.out.includes(wording.trim().slice(0, 20)),
  };
}

const results: unknown[] = [];
for (const at of (process.argv[3] ?? "").split(",").map(Number)) {
  const injection = cases[at];
  if (!injection) continue;
  using dir = scratch();
  const held = await obey(dir, injection, []);
  const folder = dir.at("home/.pith/sessions");
  const record = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => readFileSync(join(folder, name), "utf8"))
    .join("");
  using other = scratch();
  // If the sandbox allows the network anyway, only the guard against injected words is removed; else both are.
  const free = await obey(
    other,
    injection,
    injection.through ? ["--approval", "yolo", "--sandbox", "workspace"] : ["--yolo"],
  );
  results.push({ at, held, free, marked: record.includes('"origin":{"from":"outside"') });
}
await server.stop(true);
await Bun.write(Bun.stdout, `${JSON.stringify(results)}\n`);
process.exit(0);

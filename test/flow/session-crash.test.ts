// The real program, killed again and again in the middle of its work: what it told is in the record, and -c goes on.
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { envOf, main, scripted } from "../pith.ts";
import { type Scratch, scratch } from "../scratch.ts";

/** More rounds by hand: `PITH_KILLS=500 bun test test/flow/session-crash.test.ts`. */
const kills = Number(process.env.PITH_KILLS ?? 5);

function sessions(dir: Scratch): string[] {
  try {
    const base = dir.at("home", ".pith", "sessions");
    return readdirSync(base, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".jsonl") && name.split("/").length === 2)
      .map((name) => join(base, name));
  } catch {
    return [];
  }
}

const parsed = (text: string): { type: string; message?: unknown }[] =>
  text.split("\n").flatMap((line) => {
    try {
      return [JSON.parse(line)];
    } catch {
      return [];
    }
  });

test("a run killed at any moment has recorded every message it told, and goes on", async () => {
  for (let round = 0; round < kills; round += perSession) await killed(Math.min(perSession, kills - round));
}, 900_000);

/** A script has an end: a new session before it comes. */
const perSession = 5;

async function killed(rounds: number): Promise<void> {
  using dir = scratch();
  dir.write({ "work/a.txt": "one\ntwo\n", "tmp/.keep": "", "home/.keep": "" });
  const turn = (at: number) => ({
    text: `Step ${at}.`,
    calls: [{ tool: at % 2 ? "bash" : "read", input: at % 2 ? { command: `echo ${at}` } : { path: "a.txt" } }],
  });
  const model = scripted(dir, ...Array.from({ length: 3000 }, (_, at) => turn(at)));
  const told: string[] = [];
  for (let round = 0; round < rounds; round++) {
    const child = Bun.spawn([process.execPath, main, "--mode", "json", "-c", "--yolo", "go on", ...model], {
      cwd: dir.at("work"),
      env: envOf(dir),
      stdout: "pipe",
      stderr: "pipe",
    });
    const complaints = new Response(child.stderr).text();
    let out = "";
    for await (const bytes of child.stdout) {
      if (out === "") setTimeout(() => child.kill("SIGKILL"), Math.random() * 300);
      out += Buffer.from(bytes).toString("latin1");
    }
    out = Buffer.from(out, "latin1").toString("utf8");
    const err = await complaints;
    // A kill inside a write is told to the next one; anything else on stderr is not expected.
    expect(err.replace(expected, "")).toBe("");
    told.push(
      ...parsed(out.slice(0, out.lastIndexOf("\n") + 1)).flatMap((event) =>
        event.type === "message_end" ? [JSON.stringify(event.message)] : [],
      ),
    );
  }
  const [file = "", ...more] = sessions(dir);
  expect(more).toEqual([]);
  const recorded = new Set(
    parsed(readFileSync(file, "utf8")).flatMap((entry) => (entry.message ? [JSON.stringify(entry.message)] : [])),
  );
  expect(told.length).toBeGreaterThan(0);
  expect(told.filter((message) => !recorded.has(message))).toEqual([]);
}
const expected =
  /^pith: (?:There is no earlier session|The last line of the session was cut|(?:bash|read): Interrupted).*\n/gm;

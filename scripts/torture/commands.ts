// Commands beside the conversation, and what they promise: a setting is kept, a key is there, a yes holds.
import { Broken, type Face, type Line } from "./face.ts";
import { end, type Game } from "./game.ts";
import type { Fault, Step } from "./program.ts";
import { meet, say } from "./turn.ts";
import { moving } from "./undo.ts";

interface Ran {
  code: number;
  out: string;
  killed: boolean;
}

/** Runs a command to its end, or until its fault ends it. */
export async function run(game: Game, argv: readonly string[], fault?: Fault, input = ""): Promise<Ran> {
  const { world } = game;
  if (fault?.kind === "full disk") world.fill(fault.writer);
  if (fault?.kind === "clock") world.setClock(fault.days);
  const child = world.start(argv);
  child.stdin.write(input);
  child.stdin.end();
  let killed = false;
  const late = fault?.kind === "kill" ? fault.ms + 4 * fault.lines : 60_000;
  const timer = setTimeout(() => {
    killed = true;
    end(child);
  }, late);
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  const code = await child.exited;
  clearTimeout(timer);
  if (fault?.kind === "full disk") world.empty(fault.writer);
  if (killed && fault?.kind !== "kill") throw new Broken(`pith ${argv.join(" ")} does not end`);
  game.read({ err });
  if (!fault && code > 1) throw new Broken(`pith ${argv.join(" ")} ends with ${code}: ${err.slice(-500)}`);
  return { code, out: out + err, killed };
}

export async function command(game: Game, { name, fault }: Extract<Step, { do: "command" }>): Promise<void> {
  const { session } = game;
  switch (name) {
    case "undo":
    case "redo":
      return moving(game, name, async () => {
        const { out, killed } = await run(game, [name], fault);
        return killed ? undefined : out;
      });
    case "export":
      if (session === undefined || !game.isRecorded(session)) return;
      return void (await run(game, ["export", session, "--md", "--out", game.world.at("out.md")], fault));
    case "search":
      return void (await run(game, ["sessions", "TASK"], fault));
    default:
      return void (await run(game, [name], fault));
  }
}

/** Sets a setting or adds a key, and looks at once and later whether it is there. */
export async function keep(game: Game, step: Extract<Step, { do: "set" | "key" | "grant" }>): Promise<void> {
  if (step.do === "grant") return grant(game, step);
  const { token, fault } = step;
  const name = `${step.do} ${token}`;
  const value = String(100 + Number(token.slice(1)));
  const [argv, input] =
    step.do === "set"
      ? [["config", "set", "read.defaultLimit", value], ""]
      : [["auth", "add", "anthropic", "--label", name], `sk-torture-${token}-0123456789abcdef\n`];
  const { code, killed } = await run(game, argv, fault, input);
  const { kept } = game.promises;
  if (step.do === "set") {
    const known = kept.get("setting") ?? new Set(["1000"]);
    kept.set("setting", !killed && code === 0 ? new Set([value]) : new Set([...known, value]));
  } else if (!killed && code === 0) kept.set(name, new Set([token]));
  await keptFaults(game);
}

/** Throws when a setting or a key is not what was told. */
export async function keptFaults(game: Game): Promise<void> {
  const { kept } = game.promises;
  const setting = kept.get("setting");
  if (setting) {
    const { out } = await run(game, ["config", "get", "read.defaultLimit"]);
    if (!setting.has(out.trim()))
      throw new Broken(`the setting is ${out.trim()}, and should be ${[...setting].join(" or ")}`);
  }
  const keys = [...kept.keys()].filter((name) => name.startsWith("key "));
  if (keys.length === 0) return;
  const { out } = await run(game, ["auth", "list"]);
  for (const name of keys)
    if (!out.includes(name)) throw new Broken(`the key "${name}" was added and is not in ${out}`);
}

/** Says yes to a command for the project: the same command is not asked about again, in another pith. */
async function grant(game: Game, { token, fault }: { token: string; fault?: Fault }): Promise<void> {
  // What waits would be said now, and ask about calls of its own.
  if (game.hasQueue) return;
  await game.leave();
  const touch = { act: "touch", path: "granted.txt" } as const;
  const first = await asked(game, { token, replies: [[touch]] }, fault);
  if (first === "lost") return;
  const again = await asked(game, { token: `${token}9`, replies: [[touch]] }, undefined);
  const mayAsk = fault !== undefined && first !== "kept";
  if (again === "kept" && !mayAsk) throw new Broken("what was allowed for the project is asked again");
}

/** Says a task in the mode that asks, and yes for the project to what is asked; says how that ended. */
async function asked(
  game: Game,
  task: Parameters<typeof say>[3],
  fault?: Fault,
): Promise<"quiet" | "kept" | "warned" | "lost"> {
  const face = game.open(["--mode", "rpc", ...game.argv("ask")]);
  const over = meet(game, face, fault);
  const is = (type: string) => (line: Line) => line.type === type;
  const outcome = await answerAll(game, face, task, is);
  await over();
  if (face.isOver) {
    await game.lost(face);
    return outcome === "kept" ? "kept" : "lost";
  }
  game.face = face;
  await game.leave();
  return outcome;
}

async function answerAll(
  game: Game,
  face: Face,
  task: Parameters<typeof say>[3],
  is: (type: string) => (line: Line) => boolean,
) {
  const ready = await face.sees("the first line", is("ready"));
  if (!ready) return "lost";
  game.session = String(ready.sessionId);
  if (!(await say(game, face, "prompt", task))) return "lost";
  const line = await face.sees("a question or the end", ({ type }) => type === "question" || type === "agent_settled");
  if (line?.type !== "question") return line ? "quiet" : "lost";
  const answer = await face.ask({ type: "answer", question: line.id, option: "yes", holds: "project" });
  const settled = answer && (await face.sees("the end of the turn", is("agent_settled")));
  if (!settled) return "lost";
  const isWarned = face.lines.some(
    ({ type, text }) => type === "notice" && /grants|not kept|cannot/i.test(String(text)),
  );
  return isWarned ? "warned" : "kept";
}

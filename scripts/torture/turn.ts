// A turn, by RPC or by one prompt: the messages are said, a fault may meet it, and what it changed is held on to.
import { treeOf } from "./check.ts";
import { Broken, type Face, type Line } from "./face.ts";
import { end, type Game } from "./game.ts";
import { cutPower } from "./power.ts";
import type { Fault, Step, Task } from "./program.ts";
import { sayTask } from "./vendor.ts";
import { childrenOf, signal } from "./world.ts";

type Turn = Extract<Step, { do: "turn" }>;

export async function turn(game: Game, { task, way, queued, fault }: Turn): Promise<void> {
  const before = treeOf(game.world);
  const { done } = game.promises;
  const known = done.size;
  const isPure = !fault && queued.length === 0 && !game.hasQueue;
  if (way === "print") await print(game, task, fault);
  else await talk(game, task, queued, fault);
  const after = treeOf(game.world);
  const isChanged =
    done.size > known &&
    [...new Set([...before.keys(), ...after.keys()])].some((path) => before.get(path) !== after.get(path));
  if (isPure && isChanged && game.session)
    game.promises.turns.set(task.token, { session: game.session, before, after });
}

/** Says the task over RPC, and what is queued behind it; comes back when nothing goes on, or pith is gone. */
async function talk(game: Game, task: Task, queued: Turn["queued"], fault: Fault | undefined): Promise<void> {
  const face = await game.running(fault?.kind === "power cut" ? "traced" : undefined);
  const over = meet(game, face, fault);
  let said = await say(game, face, "prompt", task);
  for (const more of said ? queued : []) said = await say(game, face, more.how, more);
  if (said && fault?.kind === "network" && fault.weather === "endless") {
    await Bun.sleep(100);
    await face.ask({ type: "abort" });
  }
  const settled = said && (await rests(face));
  await over();
  if (settled) game.hasQueue = false;
  if (face.isOver) {
    game.hasQueue ||= queued.length > 0;
    await game.lost(face);
  }
}

/** Waits until nothing goes on by itself; false when pith is gone before. */
async function rests(face: Face): Promise<boolean> {
  await face.sees("the end of the turn", ({ type }) => type === "agent_settled");
  for (const end = performance.now() + 60_000; performance.now() < end; await Bun.sleep(20)) {
    const state = await face.ask({ type: "get_state" });
    if (!state) return false;
    // What was queued behind a turn that was ended goes on.
    if ((state.data as { isStreaming: boolean }).isStreaming === false) return true;
  }
  throw new Broken("a turn never ends");
}

/** Says a task, and marks where its answer stands. */
export async function say(game: Game, face: Face, type: string, task: Task): Promise<Line | undefined> {
  face.mark();
  const answer = await face.ask({ type, message: sayTask(task) });
  if (!answer) return undefined;
  if (answer.success !== true) throw new Broken(`${type} is refused: ${answer.error}`);
  game.promises.acknowledge(task.token, game.session ?? "");
  face.markBehind(answer);
  return answer;
}

/** Answers one prompt with a pith of its own. */
async function print(game: Game, task: Task, fault: Fault | undefined): Promise<void> {
  await game.leave();
  const how = fault?.kind === "power cut" ? "traced" : undefined;
  if (fault?.kind === "read-only home") game.world.protect("ro");
  const face = game.open(["-p", "--mode", "json", ...game.argv(), "--", sayTask(task)], how);
  face.child.stdin.end();
  const over = meet(game, face, fault);
  const watch = (async () => {
    if (fault?.kind !== "network" || fault.weather !== "endless") return;
    await Bun.sleep(300);
    signal(face.child.pid, "SIGINT");
  })();
  const code = await face.gone("the end of one prompt");
  await Promise.all([watch, over()]);
  if (fault?.kind === "read-only home") game.world.protect("rw");
  const header = face.lines.find(({ type }) => type === "session");
  if (typeof header?.id === "string") game.session = header.id;
  game.read(face);
  if (code === 0) game.promises.catchUp();
  else game.promises.forget();
  if (code !== 0 && !fault) throw new Broken(`one prompt ends with ${code}: ${face.err.slice(-500)}`);
}

/** Lets a fault meet a running pith; the returned function waits until it is over and makes good what can be. */
export function meet(game: Game, face: Face, fault: Fault | undefined): () => Promise<void> {
  const { world } = game;
  const nothing = async () => {};
  switch (fault?.kind) {
    case "kill":
    case "power cut":
      return moment(
        face,
        fault,
        () => end(face.child),
        async () => {
          end(face.child);
          await face.gone("the end of a killed pith");
          if (fault.kind === "kill" || !game.traced) return;
          if (cutPower(world.at("trace"), game.traced)) game.promises.losePower();
        },
      );
    case "kill child":
      return moment(face, fault, () => {
        const child = childrenOf(face.child.pid).at(-1);
        if (child !== undefined) signal(child, "SIGKILL");
      });
    case "stop":
      return moment(face, fault, () => {
        signal(face.child.pid, "SIGSTOP");
        setTimeout(() => signal(face.child.pid, "SIGCONT"), 250);
      });
    case "full disk":
      world.fill(fault.writer);
      return async () => {
        if (fault.gone) {
          end(face.child);
          await face.gone("the end of a killed pith");
        }
        world.empty(fault.writer);
      };
    case "few handles":
      Bun.spawnSync(["prlimit", `--pid=${face.child.pid}`, `--nofile=${fault.most}:4096`]);
      return async () => void Bun.spawnSync(["prlimit", `--pid=${face.child.pid}`, "--nofile=4096:4096"]);
    case "clock":
      world.setClock(fault.days);
      return nothing;
    case "network":
      game.vendor.next = fault.weather;
      return nothing;
    default:
      return nothing;
  }
}

/** Does something once, after some lines and some time; the returned function does it at last if it did not happen. */
function moment(
  face: Face,
  { lines, ms }: { lines: number; ms: number },
  act: () => void,
  after: () => Promise<void> = async () => {},
): () => Promise<void> {
  let timer: Timer | undefined;
  face.onLine = (count) => {
    if (count < lines || timer) return;
    timer = setTimeout(act, ms);
  };
  return async () => {
    if (timer && !face.isOver) await Bun.sleep(ms);
    face.onLine = undefined;
    await after();
  };
}

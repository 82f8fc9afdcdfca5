// Plays a program: does each step as a user's programs would, lets its fault happen, and checks the promises after it.
import { leftovers, sessionsIn } from "./check.ts";
import { command, keep, keptFaults, run } from "./commands.ts";
import { Broken, type Face } from "./face.ts";
import { add, Game, kindOf, type PlayOptions } from "./game.ts";
import type { Program, Step, Task } from "./program.ts";
import { tokensOf } from "./promises.ts";
import { draft } from "./screen.ts";
import { serve } from "./serve.ts";
import { meet, say, turn } from "./turn.ts";
import { moving } from "./undo.ts";
import { sayTask } from "./vendor.ts";

/** Plays a program from the first start to the last; throws `Broken` when a promise does not hold. */
export async function play({ git, steps }: Program, options: PlayOptions): Promise<void> {
  using game = new Game(git, options);
  live = game;
  for (const [at, planned] of steps.entries()) {
    const step = planned.fault && !game.admits(planned.fault) ? { ...planned, fault: undefined } : planned;
    const name = `step ${at + 1} (${nameOf(step)})`;
    options.log?.(`${name}  ${game.world.path}`);
    add(options.tally.steps, step.do);
    await within(name, async () => {
      await take(game, step);
      game.check("afterwards");
    });
  }
  await within("the end", () => finish(game));
}

/** Ends all that runs now: for a process that is told to end. */
export const endAll = (): void => live?.[Symbol.dispose]();
let live: Game | undefined;

/** Says in which step a promise was broken. */
async function within(name: string, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (error instanceof Broken) throw new Broken(`${name}: ${error.message}`);
    throw error;
  }
}

const nameOf = (step: Step): string => {
  const what = "name" in step ? `${step.do} ${step.name}` : "way" in step ? `${step.do} by ${step.way}` : step.do;
  return step.fault ? `${what}, ${kindOf(step.fault)}` : what;
};

function take(game: Game, step: Step): Promise<void> {
  switch (step.do) {
    case "turn":
      return step.way === "serve" ? serve(game, step) : turn(game, step);
    case "slash":
      return slash(game, step);
    case "branch":
      return over(game, step, (face) => branch(face, step.how));
    case "bash":
      return over(game, step, async (face) => {
        const made = await face.ask({ type: "bash", command: `echo ${step.token} >> ${game.world.ran}` });
        if (made?.success === false && !step.fault) throw new Broken(`bash is refused: ${made.error}`);
      });
    case "command":
      return command(game, step);
    case "set":
    case "key":
    case "grant":
      return keep(game, step);
    case "draft":
      return draft(game, step);
    case "crowd":
      return crowd(game, step.tasks);
    case "second":
      return second(game);
    case "restart":
      return game.leave();
  }
}

/** Does something over RPC while a fault may meet it, and learns in which session that ends. */
async function over(game: Game, { fault }: Step, act: (face: Face) => Promise<unknown>): Promise<void> {
  const face = await game.running();
  const done = meet(game, face, fault);
  await act(face);
  const sessionId = await sessionAtRest(face);
  if (sessionId !== undefined) game.session = sessionId;
  await done();
  if (face.isOver) await game.lost(face);
}

/** Names the session once nothing goes on: a handoff may begin a turn. Undefined when pith is gone before. */
async function sessionAtRest(face: Face): Promise<string | undefined> {
  for (const end = performance.now() + 60_000; performance.now() < end; await Bun.sleep(20)) {
    const state = await face.ask({ type: "get_state" });
    const data = (state?.data ?? {}) as { sessionId?: string; isStreaming?: boolean };
    if (data.isStreaming !== true) return data.sessionId;
  }
  throw new Broken("a turn never ends");
}

async function slash(game: Game, step: Extract<Step, { do: "slash" }>): Promise<void> {
  const say = async (face: Face, message: string): Promise<string | undefined> => {
    face.mark();
    const answer = await face.ask({ type: "prompt", message });
    const line = face.since().find(({ type }) => type === "command_result");
    return answer && JSON.stringify(line?.content ?? answer.error ?? "").replaceAll('\\"', '"');
  };
  const { name } = step;
  if (name === "undo" || name === "redo")
    return moving(game, name, async () => {
      let said: string | undefined;
      await over(game, step, async (face) => {
        said = await say(face, `/${name}`);
      });
      return said;
    });
  return over(game, step, (face) => (name === "compact" ? face.ask({ type: name }) : say(face, `/${name} some words`)));
}

async function branch(face: Face, how: "fork" | "clone" | "new_session"): Promise<unknown> {
  if (how !== "fork") return face.ask({ type: how });
  const answer = await face.ask({ type: "get_fork_messages" });
  const { messages = [] } = (answer?.data ?? {}) as { messages?: { entryId: string }[] };
  const last = messages.at(-1);
  return last && face.ask({ type: "fork", entryId: last.entryId });
}

/** Eight processes in one project, each with a session and files of its own. */
async function crowd(game: Game, tasks: readonly Task[]): Promise<void> {
  await game.leave();
  add(game.options.tally.faults, "eight processes");
  const known = game.session;
  game.session = undefined;
  const faces = tasks.map((task) => game.open(["-p", "--mode", "json", ...game.argv(), "--", sayTask(task)]));
  for (const { child } of faces) child.stdin.end();
  for (const face of faces) {
    const code = await face.gone("the end of one of eight prompts");
    game.read(face);
    if (code !== 0) throw new Broken(`one of eight prompts ends with ${code}: ${face.err.slice(-500)}`);
  }
  // A turn looks at the whole project: which of them changed what is not known for sure.
  game.promises.turns.clear();
  game.session = known;
}

/** A second pith is not let into a session that another one holds. */
async function second(game: Game): Promise<void> {
  await game.running();
  add(game.options.tally.faults, "two interfaces");
  if (!game.argv().includes("-r")) return;
  const { code, out } = await run(game, ["-p", ...game.argv(), "--", "TASK t0 []"], { kind: "stop", lines: 0, ms: 0 });
  if (code === 0) throw new Broken(`a session that is held is written by a second pith: ${out}`);
}

/** Everything is well again: the next start works, what waited is said once, and nothing is left. */
async function finish(game: Game): Promise<void> {
  const { world, promises } = game;
  world.setClock(0);
  game.vendor.next = undefined;
  const face = await game.running();
  if (await say(game, face, "prompt", { token: "t9999", replies: [] }))
    await face.sees("the end of the last turn", ({ type }) => type === "agent_settled");
  game.check("after the next start");
  const session = sessionsIn(world).find(({ id }) => id === game.session);
  const delivered = tokensOf(session?.entries.flatMap(({ message }) => message ?? []) ?? []);
  if (!delivered.includes("t9999")) throw new Broken("the last message is not in the session that goes on");
  const waiting = promises.saidIn(game.session ?? "").find((token) => !delivered.includes(token));
  if (waiting !== undefined) throw new Broken(`the message ${waiting} was acknowledged and is never said to the model`);
  await game.leave();
  await keptFaults(game);
  // What was begun and not finished is nobody's after a day.
  if (!game.options.lacking.clock) world.setClock(2);
  await run(game, ["gc"]);
  const left = game.options.lacking.clock ? [] : leftovers(world);
  if (left.length > 0) throw new Broken(`gc leaves ${left.slice(0, 5).join(", ")}`);
  for (let tries = 0; world.living().length > 0; tries++) {
    if (tries > 100) throw new Broken(`processes live on: ${world.living().map(String)}`);
    await Bun.sleep(100);
  }
}

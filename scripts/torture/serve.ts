// A turn in a session that a server holds, with two interfaces that read it.
import { join } from "node:path";
import { Broken, type Line } from "./face.ts";
import { end, type Game } from "./game.ts";
import type { Step, Task } from "./program.ts";
import { meet } from "./turn.ts";
import { sayTask } from "./vendor.ts";

export async function serve(game: Game, { task, queued, fault }: Extract<Step, { do: "turn" }>): Promise<void> {
  await game.leave();
  const { world, options } = game;
  const known = game.argv().at(game.argv().indexOf("-r") + 1);
  const isKnown = game.argv().includes("-r");
  const server = game.open(["serve", "--approval", "yolo"]);
  const socket = join(world.home, "serve.sock");
  const ask = async (path: string, body?: object): Promise<Record<string, unknown> | undefined> => {
    try {
      const init = { unix: socket, ...(body ? { method: "POST", body: JSON.stringify(body) } : {}) };
      const answer = await fetch(`http://pith${path}`, init as BunFetchRequestInit);
      return (await answer.json()) as Record<string, unknown>;
    } catch {
      return undefined;
    }
  };
  for (let tries = 0; (await ask("/v1/sessions")) === undefined; tries++) {
    if (tries > 600 || server.isOver) throw new Broken(`the server does not answer: ${server.err}`);
    await Bun.sleep(50);
  }
  const over = meet(game, server, fault);
  options.tally.faults.set("two interfaces", (options.tally.faults.get("two interfaces") ?? 0) + 1);
  const isEndless = fault?.kind === "network" && fault.weather === "endless";
  const opening = { cwd: world.work, model: "openai/gpt-5.5", session: isKnown ? known : undefined };
  await hold(game, ask, opening, [task, ...queued], isEndless);
  await over();
  if (!server.isOver) {
    void ask("/v1/stop", {});
    const code = await server.gone("the end of the server");
    if (code !== 0) throw new Broken(`the server ends with ${code}: ${server.err.slice(-500)}`);
    game.promises.catchUp();
  } else game.promises.forget();
  end(server.child);
  await server.ended;
  game.read(server);
}

type Ask = (path: string, body?: object) => Promise<Record<string, unknown> | undefined>;

/** Says the tasks, and waits until both readers have seen the end; what the first one reads are promises. */
async function hold(game: Game, ask: Ask, opening: object, tasks: Task[], isEndless: boolean): Promise<void> {
  const opened = await ask("/v1/sessions", opening);
  if (opened === undefined) return;
  const { sessionId } = opened;
  if (typeof sessionId !== "string") throw new Broken(`the server opens no session: ${JSON.stringify(opened)}`);
  game.session = sessionId;
  const events = `/v1/sessions/${sessionId}/events`;
  const readers = [new Reader(game, events, (line) => game.promises.hear(line)), new Reader(game, events, () => {})];
  for (const reader of readers) await reader.sees(({ type }) => type === "scene", 0);
  const since = readers.map(() => 0);
  for (const [at, task] of tasks.entries()) {
    readers.forEach((reader, index) => {
      since[index] = reader.lines.length;
    });
    const command = { type: at === 0 ? "prompt" : "follow_up", message: sayTask(task) };
    const answer = await ask(`/v1/sessions/${sessionId}/rpc`, command);
    if (answer?.success === true) game.promises.acknowledge(task.token, sessionId);
    else if (answer) throw new Broken(`the server refuses a prompt: ${JSON.stringify(answer)}`);
    if (!answer) return;
    if (isEndless && at === 0) {
      await Bun.sleep(100);
      await ask(`/v1/sessions/${sessionId}/rpc`, { type: "abort" });
    }
    const isSettled = ({ type }: Line) => type === "agent_settled";
    for (const [index, reader] of readers.entries()) await reader.sees(isSettled, since[index] ?? 0);
  }
}

/** A reader of a session's events. */
class Reader {
  readonly lines: Line[] = [];
  #isOver = false;

  constructor(game: Game, path: string, hear: (line: Line) => void) {
    void this.#read(game, path, hear);
  }

  /** Waits for a line from there on, or for the end of the server. */
  async sees(fits: (line: Line) => boolean, since: number): Promise<void> {
    for (
      const end = performance.now() + 60_000;
      !this.#isOver && !this.lines.slice(since).some(fits);
      await Bun.sleep(5)
    )
      if (performance.now() > end)
        throw new Broken(
          `a reader of a served session waits; it saw ${this.lines
            .slice(since)
            .slice(-5)
            .map(({ type }) => type)}`,
        );
  }

  async #read(game: Game, path: string, hear: (line: Line) => void): Promise<void> {
    const decoder = new TextDecoder();
    let rest = "";
    try {
      const init = { unix: join(game.world.home, "serve.sock"), timeout: false };
      const { body } = await fetch(`http://pith${path}`, init as BunFetchRequestInit);
      for await (const bytes of body ?? []) {
        const all = (rest + decoder.decode(bytes, { stream: true })).split("\n");
        rest = all.pop() ?? "";
        for (const text of all) {
          if (!text.startsWith("data: ")) continue;
          const line = JSON.parse(text.slice(6)) as Line;
          this.lines.push(line);
          hear(line);
        }
      }
    } catch {
      // The server is gone.
    }
    this.#isOver = true;
  }
}

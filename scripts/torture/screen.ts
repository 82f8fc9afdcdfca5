// The full screen at a pseudo-terminal: what is typed and not sent is there again after a kill.
import { createVirtualTerminal } from "../../packages/tui/src/test/virtual-terminal.ts";
import { Broken } from "./face.ts";
import type { Game } from "./game.ts";
import type { Step } from "./program.ts";
import { signal } from "./world.ts";

/** Types words, lets the fault happen, and looks for them in the composer of the next pith. */
export async function draft(game: Game, { token, fault }: Extract<Step, { do: "draft" }>): Promise<void> {
  await game.leave();
  const words = `unsent words of ${token}`;
  const first = openScreen(game);
  await first.sees(/^❯ *$/m, "the composer");
  if (fault?.kind === "full disk") game.world.fill(fault.writer);
  first.type(words);
  await first.sees(new RegExp(words), "what was typed");
  // A change is written 30 ms later.
  await Bun.sleep(400);
  first.kill();
  await first.ended;
  if (fault?.kind === "full disk") game.world.empty(fault.writer);
  const next = openScreen(game);
  await next.sees(fault?.kind === "full disk" ? /^❯/m : new RegExp(words), "what was typed before the kill");
  next.type("\x15");
  await next.sees(/^❯ *$/m, "the empty composer");
  await Bun.sleep(100);
  next.type("\x03");
  next.type("\x03");
  await next.ended;
  if (/internal error/.test(next.tape() + first.tape()))
    throw new Broken(`the screen says: ${next.tape().slice(-500)}`);
}

function openScreen(game: Game) {
  const { command, options } = game.world.terminal();
  const screen = createVirtualTerminal(100, 30);
  const decoder = new TextDecoder();
  const child = Bun.spawn([command, ...game.argv()], {
    ...options,
    terminal: {
      cols: 100,
      rows: 30,
      data: (_, data) => screen.write(decoder.decode(data, { stream: true })),
    },
  });
  const grid = () => screen.grid().join("\n");
  return {
    type: (text: string) => child.terminal?.write(text),
    kill: () => signal(child.pid, "SIGKILL"),
    ended: child.exited,
    tape: () => screen.tape().join("\n"),
    async sees(pattern: RegExp, what: string) {
      for (const end = performance.now() + 60_000; !pattern.test(grid()); await Bun.sleep(10))
        if (performance.now() > end || child.exitCode !== null)
          throw new Broken(`${what} is not on the screen:\n${grid()}`);
    },
  };
}

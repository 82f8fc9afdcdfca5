import type { Coder } from "@pith/coder";
import { detectCapabilities } from "@pith/tui";
import type { Io } from "../../io/io.ts";
import type { SessionSlot } from "../../open/slot.ts";
import { scrollTheme } from "../../view/theme.ts";
import type { Background } from "../background.ts";
import { type Frontend, refusesAtTerminal } from "../frontend.ts";
import { programsAt } from "../program.ts";
import { holdTerminal } from "../terminal.ts";
import { lineCommands } from "./commands.ts";
import { LinePrompt } from "./prompt.ts";

/** A conversation line by line, at a terminal. */
export function lineFrontend({ env }: Pick<Io, "env">): Frontend {
  const can = detectCapabilities(env, process.platform);
  const theme = scrollTheme(env, process.platform);
  const { stdout } = process;
  const size = () => ({
    columns: Math.max(20, stdout.columns || Number(env.COLUMNS) || 80),
    rows: stdout.rows || 24,
  });
  let background: Background | undefined;
  let interrupt = () => {};
  const prompt = new LinePrompt({
    theme,
    size,
    write: (text) => void stdout.write(text),
    can: can.id === "dumb" ? "backspace" : "erase",
    pastes: can.id === "dumb" ? "guessed" : "marked",
    recall: async () => (await background?.recall()) ?? [],
    interrupt: () => interrupt(),
    suspend: () => holder.suspend(),
    // Signals come from the terminal again: what still runs can be interrupted.
    ended: () => holder.terminal.stop(),
  });
  const holder = holdTerminal({ can, questions: "none", closed: () => prompt.end() });
  return {
    person: "there",
    otherwise: "tour",
    attend: programsAt(() => ({ terminal: holder.terminal, screen: prompt })),
    refuses: refusesAtTerminal,
    async run({ slot, prompt: said, sessions }, io) {
      const { coder, tour, settings, cwd } = slot.current;
      const [{ runLine }, { openBackground }] = await Promise.all([import("./line.ts"), import("../background.ts")]);
      const equip = (coder: Coder) =>
        coder.commands.add(lineCommands({ coder, io, settings, cwd, write: (bytes) => void stdout.write(bytes) }));
      equip(coder);
      const reopen: SessionSlot["swap"] = async (session) => {
        const opened = await slot.swap(session);
        if (opened.ok) equip(opened.value.coder);
        return opened;
      };
      background = openBackground({ home: io.home, cwd: coder.header.cwd, sessions, clock: io.clock });
      interrupt = () => io.interrupts.raise("SIGINT");
      // Raw mode begins before the first line, so the terminal echoes nothing that is typed.
      holder.show(prompt);
      const pictures = can.images === "sixel" && can.id !== "dumb" ? "sixel" : "none";
      try {
        return await runLine({ coder, prompt, theme, size, pictures, said, tour, background, reopen }, io);
      } finally {
        await holder.end();
        await background.close();
      }
    },
  };
}

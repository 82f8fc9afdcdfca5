import type { Coder } from "@pith/coder";
import type { Io } from "../../io/io.ts";
import type { SessionSlot } from "../../open/slot.ts";
import type { Frontend } from "../frontend.ts";
import { lineCommands } from "./commands.ts";
import { openDesk } from "./editor/terminal.ts";

/** A conversation line by line, at a terminal. */
export function lineFrontend(io: Pick<Io, "input" | "out" | "env">): Frontend {
  const desk = openDesk(io);
  return {
    person: "there",
    otherwise: "tour",
    attend: desk.attend,
    refuses(flags) {
      if (flags.until) return "--until goes with -p";
      if (flags["max-time"]) return "--max-time goes with -p: at a terminal, Ctrl+C stops a turn";
      return flags.next ? "--next goes with -p: at a terminal, type it" : undefined;
    },
    async run({ slot, prompt, sessions }, io) {
      const { coder, tour, settings, cwd } = slot.current;
      const [{ runLine }, { openBackground }] = await Promise.all([import("./line.ts"), import("../background.ts")]);
      const equip = (coder: Coder) =>
        coder.commands.add(lineCommands({ coder, io, settings, cwd, write: (bytes) => io.out.write(bytes) }));
      equip(coder);
      const reopen: SessionSlot["swap"] = async (session) => {
        const opened = await slot.swap(session);
        if (opened.ok) equip(opened.value.coder);
        return opened;
      };
      const aside = openBackground({ home: io.home, cwd: coder.header.cwd, sessions, clock: io.clock });
      try {
        return await runLine({ coder, said: prompt, tour, desk, aside, reopen }, io);
      } finally {
        await aside.close();
      }
    },
  };
}

import type { SessionChoice } from "@pith/coder";
import { version } from "../../../../../package.json";
import { exit } from "../../io/interrupt.ts";
import type { Io } from "../../io/io.ts";
import type { SessionSlot } from "../../open/slot.ts";
import { type Background, openBackground } from "../background.ts";
import { type Frontend, refusesAtTerminal } from "../frontend.ts";
import { programsAt } from "../program.ts";
import type { ScreenContext } from "./context.ts";
import type { Full } from "./full.ts";

/** A conversation on the whole screen of a terminal. */
export function fullFrontend(_io: Io): Frontend {
  let full: Full | undefined;
  let slot: SessionSlot | undefined;
  let aside: Background | undefined;
  const end = async () => {
    const ended = full;
    full = undefined;
    ended?.talk.restoreDraft();
    await ended?.end();
  };
  const swap = async (session: SessionChoice, cwd?: string) => {
    if (!slot || !full) return "stayed";
    full.talk.wait();
    await full.context.coder?.interrupt("another session was opened");
    const opened = await slot.swap(session, cwd);
    if (!opened.ok) {
      full.context.say("error", opened.message);
      full.talk.attach();
    } else {
      full.take(opened.value.coder, opened.value);
      if (cwd !== undefined) for (const warning of opened.value.settings.warnings) full.context.say("warn", warning);
    }
    return opened.ok ? "swapped" : "stayed";
  };
  return {
    person: "there",
    otherwise: "tour",
    attend: programsAt(() => full && { terminal: full.context.terminal, screen: full.context.screen }),
    refuses: refusesAtTerminal,
    async begin(start, io) {
      const { openFull } = await import("./full.ts");
      full = openFull({ ...start, remember: (text) => aside?.typed(text), swap }, io);
    },
    end: end,
    async choose() {
      if (!full) return undefined;
      const { context } = full;
      const { sessionsDialog } = await import("./dialog/sessions/sessions.ts");
      const path = await new Promise<string | undefined>(
        (done) => void context.open((at, close) => sessionsDialog(at, close, done)),
      );
      return path === undefined ? undefined : { open: "file", path };
    },
    async run({ slot: at, prompt, sessions }, io) {
      if (!full) return exit.unfinished;
      slot = at;
      const { coder, tour } = slot.current;
      aside = openBackground({ home: io.home, cwd: coder.header.cwd, sessions, clock: io.clock });
      using _signals = io.interrupts.handle((signal) => {
        if (signal === "SIGINT") full?.context.act("app.clear");
        else full?.context.leave(exit.interrupted);
      });
      try {
        const { context, talk, left } = full;
        const recalled = aside.recall();
        // The tour works in a folder of its own, and nothing here may look as if that were the person's.
        full.take(coder, tour ? { cwd: coder.header.cwd, settings: context.settings } : undefined);
        if (tour) {
          context.composer.placeholder = "Press Enter for the tour";
          talk.tour = "Fix the failing test.";
        }
        if (!prompt && coder.messageCount() === 0) void greet(context, tour);
        if (prompt)
          talk.enter({ ...prompt.input, ...(prompt.typed === undefined ? {} : { text: prompt.typed }), when: "now" });
        context.composer.recall((await recalled).toReversed());
        return await left;
      } finally {
        await end();
        await aside.close();
      }
    },
  };
}

/** Behind the first frame, and only as long as nobody has said anything. */
async function greet(context: ScreenContext, tour: boolean): Promise<void> {
  const { coder } = context;
  const text = await (await import("./welcome.ts")).welcome(context, tour);
  const { turn, outputs = {} } = coder?.scene ?? {};
  const silent = coder?.messageCount() === 0 && turn === undefined && Object.keys(outputs).length === 0;
  if (context.coder !== coder || !silent) return;
  context.show({ kind: "prose", data: {}, text: `pith ${version}` });
  context.say("info", text);
}

import type { Coder, SessionChoice } from "@pith/coder";
import { idStart } from "@pith/kit";
import { version } from "../../../../../package.json";
import { exit } from "../../io/interrupt.ts";
import type { OpenSession } from "../../open/session.ts";
import type { SessionSlot } from "../../open/slot.ts";
import type { LaunchPrompt } from "../../prompt/prompt.ts";
import { type Background, openBackground } from "../background.ts";
import { type Frontend, refusesAtTerminal } from "../frontend.ts";
import { programsAt } from "../program.ts";
import type { ScreenContext } from "./context.ts";
import type { FullInterface } from "./full.ts";

/** A conversation on the whole screen of a terminal. */
export function fullFrontend(): Frontend {
  let full: FullInterface | undefined;
  let slot: SessionSlot | undefined;
  let background: Background | undefined;
  const end = async () => {
    const ended = full;
    full = undefined;
    ended?.submitter.restoreDraft();
    await ended?.end();
  };
  const swap = async (session: SessionChoice, cwd?: string) =>
    slot && full ? swapSession(slot, full, session, cwd) : "stayed";
  return {
    person: "there",
    otherwise: "tour",
    attend: programsAt(() => full),
    refuses: refusesAtTerminal,
    async begin(start, io) {
      const { FullInterface } = await import("./full.ts");
      full = new FullInterface({ ...start, remember: (text) => background?.typed(text), swap }, io);
    },
    end,
    async choose() {
      if (!full) return undefined;
      const { sessionsDialog } = await import("./dialog/sessions/sessions.ts");
      const path = await new Promise<string | undefined>(
        (done) => void full?.open((at, close) => sessionsDialog(at, close, done)),
      );
      return path === undefined ? undefined : { open: "file", path };
    },
    async run({ slot: at, prompt, sessions }, io) {
      if (!full) return exit.unfinished;
      slot = at;
      background = openBackground({ home: io.home, cwd: slot.current.coder.header.cwd, sessions, clock: io.clock });
      using _signals = io.interrupts.handle((signal) => {
        if (signal === "SIGINT") full?.act("app.clear");
        else full?.leave(exit.interrupted);
      });
      try {
        const recalled = background.recall();
        begin(full, slot.current, prompt);
        full.composer.recall((await recalled).toReversed());
        return await full.left;
      } finally {
        const { coder } = slot.current;
        await end();
        if (!slot.current.tour) io.err.write(resumeHint(coder));
        await background.close();
      }
    },
  };
}

/** Tells how to go on with a session that was left. */
function resumeHint({ file, header, record }: Coder): string {
  if (file === undefined || record.leaf() === null) return "";
  return `To go on: pith -c, or pith -r ${idStart(header.id)}\n`;
}

async function swapSession(slot: SessionSlot, full: FullInterface, session: SessionChoice, cwd: string | undefined) {
  full.submitter.wait();
  await full.coder?.interrupt("another session was opened");
  const opened = await slot.swap(session, cwd);
  if (!opened.ok) {
    full.say("error", opened.message);
    full.submitter.attach();
    return "stayed";
  }
  full.attach(opened.value.coder, opened.value);
  if (cwd !== undefined) for (const warning of opened.value.settings.warnings) full.say("warn", warning);
  return "swapped";
}

function begin(full: FullInterface, { coder, tour }: OpenSession, prompt: LaunchPrompt | undefined): void {
  // The tour works in a folder of its own, which must not look like the person's.
  full.attach(coder, tour ? { cwd: coder.header.cwd, settings: full.settings } : undefined);
  if (tour) {
    full.composer.placeholder = "Press Enter for the tour";
    void import("@pith/llm/faux").then(async ({ tourSteps }) => {
      full.submitter.tour = await tourSteps();
    });
  }
  if (!prompt && coder.messageCount() === 0) void greet(full, tour);
  if (prompt) full.submitter.enter({ ...prompt.input, text: prompt.typed ?? prompt.input.text, when: "now" });
}

/** Shows the welcome behind the first frame, unless something was said already. */
async function greet(context: ScreenContext, tour: boolean): Promise<void> {
  const { coder } = context;
  const text = await (await import("./welcome.ts")).welcome(context, tour);
  const { turn, outputs = {} } = coder?.scene ?? {};
  const silent = coder?.messageCount() === 0 && turn === undefined && Object.keys(outputs).length === 0;
  if (context.coder !== coder || !silent) return;
  context.show({ kind: "prose", data: {}, text: `pith ${version}` });
  context.say("info", text);
}

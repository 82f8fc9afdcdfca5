import { textOf } from "@pith/agent";
import type { Coder } from "@pith/coder";
import { modelName } from "@pith/llm";
import type { Aside } from "../../desk/aside.ts";
import { Foot } from "../../desk/foot.ts";
import type { Desk } from "../../desk/terminal.ts";
import { exit } from "../../io/interrupt.ts";
import type { Io } from "../../io/io.ts";
import { linesOf } from "../../io/line.ts";
import type { Said } from "../../prompt/prompt.ts";
import { scrollLook } from "../../view/look.ts";
import { Talk } from "./talk.ts";
import { Teller, type TellerOptions } from "./teller.ts";

export interface LineRun {
  coder: Coder;
  /** What was said on the command line. */
  said: Said | undefined;
  /** Whether nothing is connected, so that the scripted tour begins by itself. */
  tour: boolean;
  /** The terminal a person sits at; elsewhere lines are read as they come. */
  desk?: Desk;
  aside?: Aside;
}

/**
 * A conversation line by line, in whatever terminal there is. What was said is never redrawn; only what is being typed
 * below it is.
 */
export async function runLine({ coder, said, tour, desk, aside }: LineRun, io: Io): Promise<number> {
  const size = desk?.size ?? (() => ({ columns: Math.max(20, Number(io.env.COLUMNS) || 80), rows: 24 }));
  const look = desk?.look ?? scrollLook(io.env, process.platform);
  const foot = desk?.foot ?? new Foot(io.out, { look, size, can: "nothing" });
  const canvas = {
    look,
    get columns() {
      return size().columns;
    },
    height: 16,
  };
  // Before anything is shown: who answers a prompt at once is heard by us, not by the terminal.
  desk?.take();
  const prose = async () => (await import("../../view/answer.ts")).openAnswer;
  const earlier = coder.messageCount();
  const pictures = desk?.pictures ?? "none";
  const options: TellerOptions = { foot, pictures, ...(earlier > 0 ? { openAnswer: await prose() } : {}) };
  const teller = new Teller(foot, canvas, options);
  const talk = new Talk(coder, teller, aside);
  greet(teller, coder, tour);
  using _signals = io.interrupts.handle((signal) => talk.strike(signal));
  using _events = coder.subscribe((event) => talk.take(event));
  const begins = tour || said !== undefined;
  if (!begins) talk.rest();
  await io.out.flush();
  const recall = async () => (await aside?.recall()) ?? [];
  using typed = await desk?.sit({ recall, interrupt: () => io.interrupts.raise("SIGINT") });
  const lines = typed?.lines ?? linesOf(io.input);
  // The prompt stands: what shows answers is there before there is one.
  options.openAnswer = await prose();
  if (tour) teller.line(`> ${tourPrompt}`);
  if (tour) talk.say({ text: tourPrompt });
  else if (said?.typed !== undefined) {
    if ((await talk.enter(said.typed)) === "leave") return exit.finished;
  } else if (said) talk.say(said.input);
  if (begins) talk.rest();
  for (;;) {
    const next = await Promise.race([lines.next(), talk.left]);
    if (typeof next === "number") return next;
    if (next.done) return await talk.finish();
    if (!typed) foot.entered();
    if ((await talk.hear(next.value)) === "leave") return exit.finished;
  }
}

const tourPrompt = "Fix the failing test.";

function greet(teller: Teller, coder: Coder, tour: boolean): void {
  if (tour) {
    teller.warn("No model is connected, so this is a scripted tour: nothing here is a model's answer.");
    teller.dim("pith help models tells how to connect one.");
    return;
  }
  const earlier = coder.messageCount();
  teller.dim(
    `pith with ${modelName(coder.model)}${earlier > 0 ? `, going on after ${earlier} messages` : ""}; /help for help`,
  );
  if (earlier > 0) showLast(teller, coder);
}

/** Where the conversation stands: what was said last, and what was answered. */
function showLast(teller: Teller, coder: Coder): void {
  let answered = "";
  for (const entry of coder.back()) {
    if (entry.type !== "message") continue;
    const { message } = entry;
    if (message.role === "assistant" && answered === "") answered = textOf(message.content);
    if (message.role === "user") {
      teller.exchange(textOf(message.content), answered);
      return;
    }
  }
}

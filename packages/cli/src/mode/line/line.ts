import type { Coder } from "@pith/coder";
import { modelName } from "@pith/llm";
import type { Aside } from "../../desk/aside.ts";
import { exit } from "../../io/interrupt.ts";
import type { Io, Source } from "../../io/io.ts";
import { linesOf } from "../../io/line.ts";
import type { Said } from "../../prompt/prompt.ts";
import { scrollLook } from "../../view/look.ts";
import { Talk } from "./talk.ts";
import { Teller } from "./teller.ts";

export interface LineRun {
  coder: Coder;
  /** What was said on the command line. */
  said: Said | undefined;
  /** Whether nothing is connected, so that the scripted tour begins by itself. */
  tour: boolean;
  /** Where lines come from when a program may take the terminal in between. */
  keys?: Source;
  aside?: Aside;
}

/**
 * A conversation line by line, in whatever terminal there is. The terminal does the editing; nothing is ever redrawn.
 */
export async function runLine({ coder, said, tour, keys, aside }: LineRun, io: Io): Promise<number> {
  const columns = Math.max(20, Number(io.env.COLUMNS) || process.stdout.columns || 80);
  const teller = new Teller(io.out, { look: scrollLook(io.env, process.platform), columns, height: 16 });
  const talk = new Talk(coder, teller, aside);
  greet(teller, coder, tour);
  using _signals = io.interrupts.handle((signal) => talk.strike(signal));
  using _events = coder.subscribe((event) => talk.take(event));
  if (tour) teller.line(`> ${tourPrompt}`);
  if (tour) talk.say({ text: tourPrompt });
  else if (said?.typed !== undefined) {
    if ((await talk.enter(said.typed)) === "leave") return exit.finished;
  } else if (said) talk.say(said.input);
  talk.rest();
  const lines = linesOf(keys ?? io.input);
  for (;;) {
    const next = await Promise.race([lines.next(), talk.left]);
    if (typeof next === "number") return next;
    if (next.done) return await talk.finish();
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
}

import { textOf } from "@pith/agent";
import type { Coder } from "@pith/coder";
import { modelName } from "@pith/llm";
import { systemTimers } from "@pith/tui/theme";
import { exit } from "../../io/interrupt.ts";
import type { Io } from "../../io/io.ts";
import type { SessionSlot } from "../../open/slot.ts";
import type { LaunchPrompt } from "../../prompt/prompt.ts";
import { calmly } from "../../view/calm.ts";
import { readsOf } from "../../view/reads.ts";
import type { Background } from "../background.ts";
import { type Next, Talk } from "./conversation.ts";
import { type Desk, nobodysDesk } from "./editor/terminal.ts";
import { Teller, type TellerOptions } from "./printer.ts";

export interface LineRun {
  coder: Coder;
  /** What was said on the command line. */
  said: LaunchPrompt | undefined;
  /** Whether nothing is connected, so that the scripted tour begins by itself. */
  tour: boolean;
  /** The terminal a person sits at; elsewhere lines are read as they come. */
  desk?: Omit<Desk, "attend">;
  aside?: Background;
  reopen?: SessionSlot["swap"];
}

/**
 * A conversation line by line, in whatever terminal there is. What was said is never redrawn; only what is being typed
 * below it is.
 */
export async function runLine({ coder, said, tour, aside, reopen, ...at }: LineRun, io: Io): Promise<number> {
  const desk = at.desk ?? nobodysDesk(io);
  const { foot, theme, size, pictures } = desk;
  // Before anything is shown: who answers a prompt at once is heard by us, not by the terminal.
  desk.take();
  const canvas = {
    theme,
    get columns() {
      return size().columns;
    },
    height: 16,
  };
  const prose = async () => (await import("../../view/answer.ts")).openAnswer;
  const options: TellerOptions = { foot, pictures };
  if (coder.messageCount() > 0) options.openAnswer = await prose();
  let teller = new Teller(foot, canvas, options);
  let talk = new Talk(coder, teller, aside);
  using _signals = io.interrupts.handle((signal) => talk.strike(signal));
  await greet(teller, coder, tour);
  const hearing = (on: Coder) => {
    const to = talk;
    return calmly(on, systemTimers, (event) => to.take(event));
  };
  let current = { coder, events: hearing(coder) };
  using _events = { [Symbol.dispose]: () => current.events[Symbol.dispose]() };
  /** Another conversation in the place of this one, at the same desk. */
  const begin = async () => {
    await current.coder.interrupt("a new session was begun");
    const opened = await reopen?.({ open: "new" });
    if (opened?.ok) {
      current.events[Symbol.dispose]();
      teller = new Teller(foot, canvas, options);
      talk = new Talk(opened.value.coder, teller, aside);
      current = { coder: opened.value.coder, events: hearing(opened.value.coder) };
      teller.dim("A new session.");
    } else teller.warn(opened?.message ?? "There is no other session here.");
    talk.rest();
  };
  const leaves = async (wanted: Promise<Next>) => {
    if ((await wanted) === "new") await begin();
    return (await wanted) === "leave";
  };
  const first = tour ? { typed: undefined, input: { text: tourPrompt } } : said;
  if (!first) talk.rest();
  await io.out.flush();
  const recall = async () => (await aside?.recall()) ?? [];
  using typed = await desk.sit({ recall, interrupt: () => io.interrupts.raise("SIGINT") });
  // The prompt stands: what shows answers is there before there is one.
  options.openAnswer = await prose();
  if (tour) teller.line(`> ${tourPrompt}`);
  if (first) {
    if (first.typed === undefined) talk.say(first.input);
    else if (await leaves(talk.enter(first.typed))) return exit.finished;
    talk.rest();
  }
  for (;;) {
    const next = await Promise.race([typed.lines.next(), talk.left]);
    if (typeof next === "number") return next;
    if (next.done) return await talk.finish();
    if (await leaves(talk.hear(next.value))) return exit.finished;
  }
}

const tourPrompt = "Fix the failing test.";

async function greet(teller: Teller, coder: Coder, tour: boolean): Promise<void> {
  if (tour) {
    teller.warn("No model is connected, so this is a scripted tour: nothing here is a model's answer.");
    teller.dim("pith help models tells how to connect one.");
    return;
  }
  const earlier = coder.messageCount();
  teller.dim(
    `pith with ${modelName(coder.model)}${earlier > 0 ? `, going on after ${earlier} messages` : ""}; /help for help`,
  );
  const read = readsOf(await coder.report.reads(), coder.header.cwd);
  if (read) teller.dim(read);
  if (earlier > 0) showLast(teller, coder);
}

/** Where the conversation stands: what was said last, and what was answered. */
function showLast(teller: Teller, coder: Coder): void {
  let answered = "";
  for (const entry of coder.record.back()) {
    if (entry.type !== "message") continue;
    const { message } = entry;
    if (message.role === "assistant" && answered === "") answered = textOf(message.content);
    if (message.role === "user") {
      teller.exchange(textOf(message.content), answered);
      return;
    }
  }
}

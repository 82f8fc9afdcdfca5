import { picture, resultFields, schema as s, type UserInput } from "@pith/agent";
import type { Coder, Typed, Wish } from "@pith/coder";
import { fail, ok } from "@pith/kit";
import { list, text } from "../schema.ts";
import type { SessionHost } from "../session-host.ts";
import { command, type Ran } from "./row.ts";

const said = { message: text, images: list(picture).optional() };
type Said = { message: string; images?: readonly s.Infer<typeof picture>[] | undefined };
const mode = { mode: s.oneOf(["all", "one-at-a-time"]) };
const queue = s.object({ steering: list(text), followUp: list(text) });

/** What is said to the model, and what becomes of what runs. */
export const prompting = {
  prompt: command(
    "say something; while a turn runs `streamingBehavior` says how. Slash commands work here",
    { ...said, streamingBehavior: s.oneOf(["steer", "followUp"]).optional() },
    {
      order: "input",
      says: true,
      shortens: true,
      async run({ streamingBehavior, ...words }, station) {
        const { coder } = station;
        const typed = coder.commands.read(words.message);
        if (typed.is === "unknown") return fail("command", typed.message);
        if (typed.is === "command") return perform(typed, words, station, whenOf(streamingBehavior));
        if (isBusy(coder) && !streamingBehavior)
          return fail(
            "busy",
            'A turn runs: say "streamingBehavior": "steer" or "followUp", or use steer or follow_up.',
          );
        return admit(station, inputOf(words), whenOf(streamingBehavior));
      },
    },
  ),
  steer: command("say something that reaches the running turn with its next request", said, {
    order: "input",
    run: (words, station) => queued(words, station, "steer"),
  }),
  follow_up: command("say something that waits until the turn would end", said, {
    order: "input",
    run: (words, station) => queued(words, station, "after"),
  }),
  abort: command(
    "end what runs, and go on with what waits in the queue",
    {},
    {
      order: "now",
      async run(_, station) {
        await stop(station);
        return resume(station);
      },
    },
  ),
  abort_and_prompt: command("end what runs, and say something", said, {
    order: "input",
    says: true,
    ours: true,
    async run(words, station) {
      await stop(station);
      return admit(station, inputOf(words), "now");
    },
  }),
  clear_queue: command(
    "take back what waits, and give it",
    {},
    {
      gives: queue,
      run(_, { coder }) {
        const waiting = [...coder.scene.queue].filter(({ id }) => coder.withdraw(id) !== undefined);
        const texts = (when: string) => waiting.flatMap((item) => (item.when === when ? [item.text] : []));
        return ok({ steering: texts("steer"), followUp: texts("after") });
      },
    },
  ),
  set_steering_mode: command("how much of what steers goes out with one request", mode, {
    run({ mode }, { coder }) {
      coder.configure({ steeringMode: mode });
      return ok(undefined);
    },
  }),
  set_follow_up_mode: command("how much of what waits for the end goes out at once", mode, {
    run({ mode }, { coder }) {
      coder.configure({ followUpMode: mode });
      return ok(undefined);
    },
  }),
  set_interrupt_mode: command(
    "whether calls of the model that have not begun are left out once something steers (`immediate`), or not (`wait`)",
    { mode: s.oneOf(["immediate", "wait"]) },
    {
      ours: true,
      run({ mode }, station) {
        station.interruptMode = mode;
        return ok(undefined);
      },
    },
  ),
};

/** While a conversation is only made shorter, what is said waits and is heard next. */
export const isBusy = ({ running, scene }: Coder): boolean => running && scene.turn?.name !== "compacting";

const whenOf = (behavior: "steer" | "followUp" | undefined) =>
  behavior === "followUp" ? "after" : behavior === "steer" ? "steer" : "now";

const inputOf = (words: Said): UserInput => pictured({ text: words.message }, words);

/** The pictures that were sent come before those of files. */
const pictured = (input: UserInput, { images = [] }: Said): UserInput =>
  images.length === 0 ? input : { ...input, images: [...images, ...(input.images ?? [])] };

/** Input that was taken is on the disk: so it is said when its entry is told, or when nothing is left to wait for. */
async function admit(
  { coder, emit }: SessionHost,
  input: UserInput,
  when: "now" | "steer" | "after",
): Promise<Ran<undefined>> {
  const taken = Promise.withResolvers<void>();
  let begun = false;
  using _ = coder.subscribe((event) => {
    begun ||= event.type === "turn" || event.type === "entry";
    if (event.type !== "entry") return;
    const { entry } = event;
    if (entry.type === "message" ? entry.message.role === "user" : isQueued(entry)) taken.resolve();
  });
  const sent = coder.send(input, when).then(() => {
    // Somebody took it before it became a turn; nobody need wait for one.
    if (!begun) emit({ type: "agent_settled" });
  });
  await Promise.race([taken.promise, sent]);
  return ok(undefined);
}

const isQueued = (entry: { type: string; customType?: string }): boolean =>
  entry.type === "custom" && entry.customType === "pith.inbox";

/** What files bring may be queued, as its words are; what is carried out at once may not. */
async function queued(words: Said, station: SessionHost, when: "steer" | "after"): Promise<Ran<undefined>> {
  const typed = station.coder.commands.read(words.message);
  if (typed.is === "unknown") return fail("command", typed.message);
  if (typed.is === "text") return admit(station, inputOf(words), when);
  if (station.coder.commands.own.includes(typed.command))
    return fail("command", `/${typed.command.name} cannot be queued; use prompt.`);
  return perform(typed, words, station, when);
}

async function perform(
  typed: Typed & { is: "command" },
  words: Said,
  station: SessionHost,
  when: "now" | "steer" | "after",
): Promise<Ran<undefined>> {
  const { coder, performing, emit } = station;
  const { name } = typed.command;
  const stop = new AbortController();
  performing.add(stop);
  try {
    const ending = await coder.perform(typed, stop.signal);
    if (ending.do === "busy") return fail("busy", `/${name} is for between turns.`);
    if (ending.do === "prompt") return admit(station, pictured(ending.input, words), when);
    if (ending.do === "wish") {
      const granted = await grant(ending.wish, name, station);
      if (granted.ok && !isBusy(station.coder)) emit({ type: "agent_settled" });
      return granted;
    }
    emit({ type: "command_result", name, ...resultFields(ending.outcome) });
    if (!isBusy(coder)) emit({ type: "agent_settled" });
    return ok(undefined);
  } finally {
    performing.delete(stop);
  }
}

/** What a program's face can do of what commands ask for. */
function grant(wish: Wish, name: string, station: SessionHost): Ran<undefined> | Promise<Ran<undefined>> {
  if (wish.name === "new") return station.swap(fresh(station.coder));
  if (wish.name !== "quit") return fail("command", `/${name} needs a terminal.`);
  station.leave();
  return ok(undefined);
}

/** A new session that is recorded where this one is. */
export const fresh = ({ file }: Coder, parent?: string) =>
  file === undefined ? ({ open: "none" } as const) : { open: "new" as const, ...(parent !== undefined && { parent }) };

async function stop({ coder, performing }: SessionHost): Promise<void> {
  for (const running of performing) running.abort("stopped");
  await coder.interrupt("stopped by the client", "turn");
}

/** What waits goes on with the first of it; the rest follows as it was queued. */
function resume({ coder }: SessionHost): Ran<undefined> {
  const [first] = coder.scene.queue;
  const input = first && coder.withdraw(first.id);
  if (input) void coder.send(input);
  return ok(undefined);
}

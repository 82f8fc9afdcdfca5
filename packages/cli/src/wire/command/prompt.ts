import { type DeliveryTime, picture, resultFields, schema as s, type UserInput } from "@pith/agent";
import type { Coder, Typed, Wish } from "@pith/coder";
import { fail } from "@pith/kit";
import { list, text } from "../schema.ts";
import type { SessionHost } from "../session-host.ts";
import { type Answered, command, configures } from "./row.ts";

const words = { message: text, images: list(picture).optional() };
type Words = s.ObjectOf<typeof words>;
type When = "now" | "steer" | "after";
const delivery = { mode: s.oneOf(["all", "one-at-a-time"]) };

/** Commands that say something to the model, or end what runs. */
export const promptCommands = {
  prompt: command({
    about: "say something; while a turn runs `streamingBehavior` says how. Slash commands work here",
    takes: { ...words, streamingBehavior: s.oneOf(["steer", "followUp"]).optional() },
    order: "input",
    says: true,
    shortens: true,
    async run({ streamingBehavior, ...said }, host) {
      const when = streamingBehavior === "followUp" ? "after" : (streamingBehavior ?? "now");
      const typed = host.coder.commands.read(said.message);
      if (typed.is === "unknown") return fail("command", typed.message);
      if (typed.is === "command") return perform(typed, said, host, when);
      if (isBusy(host.coder) && when === "now")
        return fail("busy", 'A turn runs: say "streamingBehavior": "steer" or "followUp", or use steer or follow_up.');
      return admit(host, inputOf(said), when);
    },
  }),
  steer: command({
    about: "say something that reaches the running turn with its next request",
    takes: words,
    order: "input",
    run: (said, host) => queue(said, host, "steer"),
  }),
  follow_up: command({
    about: "say something that waits until the turn would end",
    takes: words,
    order: "input",
    run: (said, host) => queue(said, host, "after"),
  }),
  abort: command({
    about: "end what runs, and go on with what waits in the queue",
    takes: {},
    order: "now",
    async run(_, host) {
      await stop(host);
      // The first that waits begins a turn; the rest follows as it was queued.
      const [first] = host.coder.scene.queue;
      const input = first && host.coder.withdraw(first.id);
      if (input) void host.coder.send(input);
    },
  }),
  abort_and_prompt: command({
    about: "end what runs, and say something",
    takes: words,
    order: "input",
    says: true,
    ours: true,
    async run(said, host) {
      await stop(host);
      return admit(host, inputOf(said), "now");
    },
  }),
  clear_queue: command({
    about: "empty the queue, and return what was in it",
    takes: {},
    gives: s.object({ steering: list(text), followUp: list(text) }),
    run(_, { coder }) {
      const waiting = [...coder.scene.queue].filter(({ id }) => coder.withdraw(id) !== undefined);
      const texts = (when: DeliveryTime) => waiting.flatMap((item) => (item.when === when ? [item.text] : []));
      return { steering: texts("steer"), followUp: texts("after") };
    },
  }),
  set_steering_mode: configures("how much of what steers goes out with one request", delivery, ({ mode }) => ({
    steeringMode: mode,
  })),
  set_follow_up_mode: configures("how much of what waits for the end goes out at once", delivery, ({ mode }) => ({
    followUpMode: mode,
  })),
  set_interrupt_mode: command({
    about:
      "whether calls of the model that have not begun are left out once something steers (`immediate`), or not (`wait`)",
    takes: { mode: s.oneOf(["immediate", "wait"]) },
    ours: true,
    run({ mode }, host) {
      host.interruptMode = mode;
    },
  }),
};

/** True while a turn runs. While a conversation is only made shorter, input waits and is heard next. */
export const isBusy = ({ running, scene }: Coder): boolean => running && scene.turn?.name !== "compacting";

const inputOf = (said: Words): UserInput => withImages({ text: said.message }, said);

/** Puts the images that were sent before those of files. */
const withImages = (input: UserInput, { images = [] }: Words): UserInput =>
  images.length === 0 ? input : { ...input, images: [...images, ...(input.images ?? [])] };

/** Sends input; resolves once it is on the disk: when its entry is told, or when nothing is left to wait for. */
async function admit({ coder, emit }: SessionHost, input: UserInput, when: When): Promise<void> {
  const taken = Promise.withResolvers<void>();
  let begun = false;
  using _ = coder.subscribe((event) => {
    begun ||= event.type === "turn" || event.type === "entry";
    if (event.type !== "entry") return;
    const { entry } = event;
    const isQueued = entry.type === "custom" && entry.customType === "pith.inbox";
    if (isQueued || (entry.type === "message" && entry.message.role === "user")) taken.resolve();
  });
  const sent = coder.send(input, when).then(() => {
    // Somebody took it before it became a turn; nobody need wait for one.
    if (!begun) emit({ type: "agent_settled" });
  });
  await Promise.race([taken.promise, sent]);
}

/** Queues words, and templates with what their files bring; other commands are carried out at once, by `prompt`. */
async function queue(said: Words, host: SessionHost, when: DeliveryTime): Promise<Answered<void>> {
  const { commands } = host.coder;
  const typed = commands.read(said.message);
  if (typed.is === "unknown") return fail("command", typed.message);
  if (typed.is === "text") return admit(host, inputOf(said), when);
  if (!commands.own.includes(typed.command)) return perform(typed, said, host, when);
  return fail("command", `/${typed.command.name} cannot be queued; use prompt.`);
}

async function perform(
  typed: Typed & { is: "command" },
  said: Words,
  host: SessionHost,
  when: When,
): Promise<Answered<void>> {
  const { coder, performing, emit } = host;
  const { name } = typed.command;
  const stop = new AbortController();
  performing.add(stop);
  try {
    const ending = await coder.perform(typed, stop.signal);
    if (ending.do === "busy") return fail("busy", `/${name} is for between turns.`);
    if (ending.do === "prompt") return admit(host, withImages(ending.input, said), when);
    if (ending.do === "wish") {
      const refusal = await grant(ending.wish, name, host);
      if (refusal) return refusal;
    } else emit({ type: "command_result", name, ...resultFields(ending.outcome) });
    if (!isBusy(host.coder)) emit({ type: "agent_settled" });
  } finally {
    performing.delete(stop);
  }
}

/** Does what a slash command asks of the interface, as far as a program can; gives why not. */
async function grant(wish: Wish, name: string, host: SessionHost): Promise<Answered<void>> {
  if (wish.name === "quit") return host.leave();
  if (wish.name === "new") return host.swap(freshSession(host.coder));
  return fail("command", `/${name} needs a terminal.`);
}

/** A new session that is recorded where this one is. */
export const freshSession = ({ file }: Coder, parent?: string) =>
  file === undefined ? ({ open: "none" } as const) : { open: "new" as const, ...(parent !== undefined && { parent }) };

async function stop({ coder, performing }: SessionHost): Promise<void> {
  for (const running of performing) running.abort("stopped");
  await coder.interrupt("stopped by the client", "turn");
}

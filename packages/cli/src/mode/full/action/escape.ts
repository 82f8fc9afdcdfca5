import type { UserInput } from "@pith/agent";
import type { Image } from "@pith/llm";
import { exit } from "../../../io/interrupt.ts";
import { readUserText } from "../../../view/user-text.ts";
import type { Leaving, ScreenContext } from "../context.ts";

/** Milliseconds within which a key pressed twice has its second meaning. */
const twiceMs = 500;

/** Something that Escape leaves; read from the state of the interface, so nothing has to be registered. */
interface Layer {
  name: string;
  stands(context: ScreenContext): boolean;
  leave(context: ScreenContext): void;
}

const has = (context: ScreenContext) => context.coder?.scene;
const running = (context: ScreenContext): boolean => {
  const turn = has(context)?.turn;
  return turn !== undefined && turn.name !== "idle";
};
/** True during a retry or a compaction, which end with the turn. */
const waiting = (context: ScreenContext): boolean =>
  ["retrying", "compacting"].includes(has(context)?.turn?.name ?? "");
const commands = (context: ScreenContext): boolean => Object.keys(has(context)?.outputs ?? {}).length > 0;

/** The layers that Ctrl+C ends when nothing is typed. */
const runs: ReadonlySet<string> = new Set(["command", "wait", "performance", "turn"]);

/** The layers that Escape leaves, the uppermost first. */
const layers: readonly Layer[] = [
  {
    name: "completion",
    stands: ({ composer }) => composer.completing,
    leave: ({ composer }) => composer.stopCompleting(),
  },
  { name: "command", stands: commands, leave: ({ coder }) => void coder?.interrupt("Interrupted.", "commands") },
  { name: "wait", stands: waiting, leave: stopTurn },
  {
    name: "performance",
    stands: ({ submitter }) => submitter.performs,
    leave: ({ submitter }) => submitter.stopPerforming(),
  },
  {
    name: "question",
    stands: (context) => (has(context)?.questions.length ?? 0) > 0,
    leave({ coder }) {
      const [first] = coder?.scene.questions ?? [];
      if (first) coder?.answer(first.id, { say: "no" });
    },
  },
  { name: "turn", stands: running, leave: stopTurn },
  { name: "draft", stands: ({ composer }) => !composer.isEmpty, leave: clearDraft },
];

/** Stops the turn; queued input comes back to be sent again. */
function stopTurn(context: ScreenContext): void {
  takeBack(context);
  void context.coder?.interrupt("Interrupted.", "turn");
}

/** Puts queued input back into the composer and withdraws it: a resumed session does not deliver it again. */
export function takeBack({ coder, composer }: ScreenContext): number {
  const taken = (coder?.scene.queue ?? []).flatMap(({ id }) => coder?.withdraw(id) ?? []);
  bringBack(composer, taken);
  return taken.length;
}

/** Puts inputs before the text in the composer, in their order. */
export function bringBack(composer: ScreenContext["composer"], said: readonly Said[]): void {
  if (said.length === 0) return;
  const draft = composer.text;
  composer.text = "";
  for (const [at, { text, images }] of said.entries()) {
    if (at > 0) composer.insert("\n\n");
    putBack(composer, text, images);
  }
  if (draft !== "") composer.insert(`\n\n${draft}`);
  composer.stopCompleting();
}

type Said = Pick<UserInput, "text" | "images">;

/** Inserts a text with its own pictures; pictures of named files come along again by their names. */
function putBack(composer: ScreenContext["composer"], text: string, images: readonly Image[] = []): void {
  const { words } = readUserText(text);
  const named = text.slice(0, text.length - words.length).match(/\(already provided[^\n]*\): attached image$/gm) ?? [];
  const own = images.slice(0, images.length - named.length);
  for (const [at, part] of words.split(/\[image #\d+\]/).entries()) {
    if (at === 0) composer.insert(part);
    else {
      const image = own.shift();
      if (image) composer.attach("image", image);
      composer.insert(image ? part.replace(/^ /, "") : part);
    }
  }
  for (const image of own) composer.attach("image", image);
}

/** Clears the composer; an undo brings the text back. */
function clearDraft({ composer }: ScreenContext): void {
  composer.text = "";
}

export function createLeaving(context: ScreenContext): Leaving {
  let escaped = Number.NEGATIVE_INFINITY;
  let cleared: { at: number; code: number } | undefined;
  /** True once the end of the turn is waited for, to leave then. */
  let leaves = false;
  const now = () => context.timers.now();
  return {
    escape() {
      const layer = layers.find((each) => each.stands(context));
      const twice = now() - escaped < twiceMs;
      escaped = layer || twice ? Number.NEGATIVE_INFINITY : now();
      if (layer) return layer.leave(context);
      const then = context.settings.get("doubleEscapeAction");
      if (twice && then !== "none") context.act(then === "branch" ? "app.session.fork" : "app.session.tree");
    },
    clear() {
      const busy = running(context);
      if (cleared && now() - cleared.at < twiceMs) return context.leave(busy ? exit.interrupted : cleared.code);
      cleared = { at: now(), code: busy ? exit.interrupted : exit.finished };
      const ended = layers.find(({ name, stands }) => runs.has(name) && stands(context));
      if (!context.composer.isEmpty) clearDraft(context);
      else if (ended) ended.leave(context);
      else context.say("info", "Ctrl+C again, or Ctrl+D, leaves.");
    },
    exit() {
      const { composer, flags, can, coder } = context;
      if (!composer.isEmpty) return;
      const busy = running(context);
      // Whatever types into the line prompt may have ended its input before the answer is there.
      if (!busy || !coder || leaves || !(flags.line || can.id === "dumb"))
        return context.leave(busy ? exit.interrupted : exit.finished);
      leaves = true;
      context.say("info", "pith leaves when the turn ends; Ctrl+D again leaves now, Ctrl+C stops the turn.");
      coder.subscribe((event) => {
        if (event.type === "turn" && event.state.name === "idle") context.leave(exit.finished);
      });
    },
  };
}

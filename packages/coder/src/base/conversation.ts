import {
  type AskModel,
  Conversation,
  createAskModel,
  type EntryDraft,
  type Event,
  isOutcome,
  type Outcome,
  refusal,
} from "@pith/agent";
import type { Hall } from "../hall/hall.ts";
import type { MakePart } from "../hall/part.ts";
import { spentUp } from "../model/budget.ts";
import { modeDrafts, opening } from "../session/recorded.ts";
import type { Gauge } from "../usage/gauge.ts";

declare module "../hall/hall.ts" {
  interface Hall {
    conversation: Conversation;
    send: Conversation["send"];
    /** Runs work between two turns, while input waits; undefined when a turn runs. */
    between: Conversation["between"];
    /** Ends the running turn; code that runs inside it must not wait for this. */
    interrupt: Conversation["interrupt"];
    /** The request that the model would get now, with the same prefix as the next one. */
    standing: Conversation["nextRequest"];
    /** Runs a tool by name, judged and asked about like a call of the model; `hear` gets its events instead. */
    call(
      tool: string,
      input: Readonly<Record<string, unknown>>,
      signal: AbortSignal,
      hear?: (event: Event) => void,
    ): Promise<Outcome>;
    /** Shows a path that a person named, as the read tool would; people may look at all their files. */
    show(path: string): Promise<Outcome>;
    /** Asks a model outside of the conversation; the cost is recorded and counts towards the budget. */
    aside: AskModel;
    /** The same, with the cost recorded by the caller. */
    asideTo(record: (draft: EntryDraft) => void): AskModel;
    /** The length of the next request; loaded on first use. */
    gauge(): Promise<Gauge>;
  }
}

type Tables = "journal" | "tree" | "channel" | "questions" | "points" | "tools" | "choice" | "settings";
type Needs = Tables | "models" | "clock" | "access" | "unsaved" | "briefing" | "news";

/** The conversation itself: its turns, and calls that people ask for. */
export const conversation: MakePart<
  Needs,
  "conversation" | "send" | "between" | "interrupt" | "standing" | "call" | "show"
> = (hall) => {
  const { journal, channel, questions, points, tools, choice, models, clock, unsaved, briefing } = hall;
  const { looking } = hall.access;
  const talk = new Conversation({
    journal,
    channel,
    questions,
    points,
    tools,
    readGuard: unsaved ? (prepare, judge) => looking.sight(() => unsaved.during(prepare), judge) : looking.sight,
    model: () => choice.model,
    stream: models.stream,
    delivery: (when) => choice.queue[when],
    prompt: () => briefing.current(),
    previewPrompt: () => briefing.told(),
    clock,
    opening: () => openingDrafts(hall),
    updates(drafts) {
      // A prompt that is told again comes before the input and leaves nothing else to tell.
      const anew = briefing.opening();
      return [...anew, ...hall.news([...drafts, ...anew])];
    },
    sync: hall.settings.get("session.sync") === "never" ? "never" : "turn",
  });
  return {
    name: "conversation",
    owns: {
      conversation: talk,
      send: (input, when) => talk.send(input, when),
      between: (work) => talk.between(work),
      interrupt: (reason) => talk.interrupt(reason),
      standing: () => talk.nextRequest(),
      call: (name, input, signal, hear) =>
        talk.call({ type: "toolCall", id: crypto.randomUUID(), name, arguments: input }, signal, hear),
      show: (path) => show(hall, path),
    },
  };
};

const openingDrafts = ({
  tree,
  choice,
  briefing,
}: Pick<Hall, "tree" | "choice" | "briefing">): readonly EntryDraft[] => [
  ...opening(tree, choice.model, choice.effort),
  ...modeDrafts(tree, choice.approval === "plan" ? "plan" : "none"),
  ...briefing.opening(),
];

async function show({ tools, access }: Pick<Hall, "tools" | "access">, path: string): Promise<Outcome> {
  const signal = new AbortController().signal;
  const read = tools.get("read");
  if (!read) return refusal("the tool read is switched off");
  const intent = await access.looking.sight(
    async () => read.prepare({ path }, { signal, without: [] }),
    async () => undefined,
  );
  return isOutcome(intent) ? intent : intent.run({ id: "", signal, progress: () => {} });
}

/** Requests to models outside of the conversation. */
export const sideRequests: MakePart<"models" | "clock" | "choice" | "channel", "aside" | "asideTo"> = (hall) => {
  const { models, clock, choice, channel } = hall;
  const asideTo = (record: (draft: EntryDraft) => void) =>
    createAskModel({
      stream: models.stream,
      now: () => clock.now(),
      record,
      spentUp: () => spentUp(choice.wanted, channel.scene.spent),
    });
  return { name: "side requests", owns: { asideTo, aside: asideTo((draft) => void channel.record(draft)) } };
};

/** The length of the next request. */
export const contextMeter: MakePart<"counting" | "clock" | "choice" | "briefing" | "conversation", "gauge"> = (
  hall,
) => {
  const { counting, clock, choice, briefing, conversation } = hall;
  const open = async () => {
    const [{ Gauge }, counts] = await Promise.all([import("../usage/gauge.ts"), counting()]);
    return new Gauge({
      ...counts,
      model: () => choice.model,
      prompt: () => briefing.told(),
      shown: () => conversation.context,
      now: () => clock.now(),
    });
  };
  let gauge: Promise<Gauge> | undefined;
  return { name: "context meter", owns: { gauge: () => (gauge ??= open()) } };
};

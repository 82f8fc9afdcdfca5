import {
  type Answer,
  type Event,
  type OutlineFilter,
  outline,
  outlineSteps,
  picture,
  schema as s,
  type UserInput,
} from "@pith/agent";
import { fail, late } from "@pith/kit";
import { efforts, type Message } from "@pith/llm";
import type { Ending } from "../command/command.ts";
import type { Typed } from "../command/table.ts";
import type { Configuration } from "../model/choice.ts";
import type { Wiretap } from "../model/wiretap.ts";
import { approvals } from "../policy/approval.ts";
import { rescueRecord, saveRecord } from "../session/record.ts";
import type { Summary } from "../session/walk.ts";
import type { Hall } from "./hall.ts";
import { local, notCarried, notification, optimistic, request } from "./verb.ts";

const walkTo = late(() => {
  const { walkTo }: typeof import("../session/walk.ts") = require("../session/walk.ts");
  return walkTo;
});
const forkRecord = late(() => {
  const { forkRecord }: typeof import("../session/walk.ts") = require("../session/walk.ts");
  return forkRecord;
});

const text = s.string();
const optional = <T extends string>(...words: readonly T[]) => s.oneOf(words).optional();
const onOff = optional("on", "off");
const delivery = optional("all", "one-at-a-time");
const input = s.objectOf<UserInput>({
  text,
  images: s.array(picture).optional(),
  origin: s.object({ from: s.oneOf(["web", "server", "outside", "network"]), what: text }).optional(),
});
const answer = s.objectOf<Answer>({
  say: s.oneOf(["yes", "no"]),
  by: optional("timeout", "interrupt", "nobody", "policy"),
  option: text.optional(),
  words: text.optional(),
  choices: s.array(text).optional(),
  go: optional("back", "on"),
  holds: optional("once", "session", "project"),
});
const configuration = s.objectOf<Configuration>({
  approval: s.oneOf(approvals).optional(),
  thinking: s.oneOf(efforts).optional(),
  steeringMode: delivery,
  followUpMode: delivery,
  retry: onOff,
  compaction: onOff,
});
const summary: s.Schema<Summary> = s.union([s.oneOf(["none", "own"]), s.object({ instructions: text })]);
const textOrNull = new s.Schema<string | null | undefined>({ type: ["string", "null"] }, (value, tell) => {
  if (value !== undefined && value !== null && typeof value !== "string") tell("expected a text");
  return value as string | null | undefined;
});
type TypedCommand = Typed & { is: "command" };
const typedCommand = new s.Schema<TypedCommand>({ type: "object" }, (value, tell) => {
  const { command, words } = (value ?? {}) as Partial<TypedCommand>;
  if (typeof command?.name !== "string" || typeof words !== "string") tell("expected a command");
  return value as TypedCommand;
});
/** Stands for a signal: in another process an abort is sent as a message of its own. */
export const abortSignal = new s.Schema<never>({}, () => undefined as never);

const recordThere = "The record is kept by the process that holds the session.";

/**
 * Everything that an interface can ask of a conversation, once. `Coder` has a method for each row, `pith serve` takes
 * each row that is carried to another process, and the interface attached there has the same methods.
 */
export const verbs = {
  /** Entries from the root to the leaf; of a long session that is much to read. */
  path: local(({ journal }) => journal.tree.pathTo()),
  /** Counts the messages on the path. */
  messageCount: local(({ journal }) => journal.tree.countMessages()),
  record: {
    /** Entries from the leaf towards the root, read one by one. */
    back: local(({ journal }) => journal.tree.back()),
    entry: local(({ journal }, id: string) => journal.tree.get(id)),
    /** Every entry of the session in the order of the record, whatever path it stands on. */
    entries: local(({ journal }) => journal.tree.all()),
    /** The entry to which the next one attaches. */
    leaf: local(({ journal }) => journal.tree.leaf),
    /** Data of the newest entry of ours by this name on the path. */
    lastCustom: local(({ journal }, name: string) => journal.tree.lastCustom(name)?.data as unknown),
    /** Copies the record to another file and goes on there, when the present one can no longer be written. */
    saveTo: notCarried(
      recordThere,
      ({ journal, home }, file: string) => saveRecord(journal, file, home),
      Promise.resolve(fail("unwritable", "the record is the server's")),
    ),
    /**
     * Before the end: saves a record that its own place did not take in this folder, and tells what became of it;
     * undefined when nothing is missing.
     */
    rescue: notCarried(
      recordThere,
      ({ journal, home }, folder: string) => rescueRecord(journal, folder, home),
      Promise.resolve(undefined),
    ),
  },
  walk: {
    /** The tree of the session as the rows of a list. */
    outline: local(({ journal }, filter?: OutlineFilter, query?: string) => outline(journal.tree, filter, query)),
    /** The same in small steps, each telling how many entries were read. */
    outlined: local(({ journal }, filter?: OutlineFilter, query?: string) => outlineSteps(journal.tree, filter, query)),
    /** Goes to another place of the tree; a running turn is ended first. The interface shows the new path. */
    go: request([text, summary, abortSignal], (hall, id: string, how: Summary, signal: AbortSignal = never()) =>
      walkTo({ ...hall, candidates: hall.branchSummarizers, budget: () => branchBudget(hall) }, id, how, signal),
    ),
    /** Marks an entry; an empty text takes the mark away. */
    label: notification([text, text], ({ channel }, targetId: string, label: string) => {
      channel.record({ type: "label", targetId, ...(label !== "" && { label }) });
    }),
    rename: notification([text], ({ channel }, name: string) => {
      channel.record({ type: "session_info", name: name.replace(/\s+/g, " ").trim() });
    }),
    /** A new session: all of this one, or its path up to an entry. This one stays open. */
    fork: request([textOrNull], (hall, upTo?: string | null) => forkRecord(hall, upTo)),
  },
  /** Help for a person who is typing. */
  draft: {
    /** Input of these words, with the files, folders and images that they name by `@`, as `read` would show them. */
    attach: request([text], async (hall, typed: string): Promise<UserInput> => {
      if (!typed.includes("@")) return { text: typed };
      hall.named.add(typed);
      return (await import("../context/attach.ts")).attached(typed, attaching(hall));
    }),
    /** The same for files that were named as such; one that cannot be shown is told. */
    attachFiles: request([s.array(text), text], async (hall, names: readonly string[], from: string) => {
      for (const name of names) hall.named.add(name);
      return (await import("../context/attach.ts")).attachFiles(names, { ...hall, cwd: from });
    }),
    /** Names of the project's files and folders, the newest first; what git ignores is left out. */
    names: request([abortSignal], async ({ files, cwd }, signal: AbortSignal = never()): Promise<readonly string[]> => {
      const listed = await files.list({ root: cwd, max: 50_000, timeoutMs: 5000, signal });
      return listed.ok ? listed.value.paths : [];
    }),
    /** Words that may follow what is typed of a slash command so far. */
    complete: request([text], ({ commands }, typed: string) => commands.complete(typed)),
    /** Works out what the model is told first, and connects to its server, before the input has been finished. */
    warm: notification([], warm),
  },
  report: {
    /** Reports the prompt before the conversation, with the size of every part. */
    prompt: request([], async (hall) => (await import("./prompt-report.ts")).promptReport(hall)),
    /** The files that are told to the model, and how many skills and rules. */
    reads: request([], async ({ pieces, capabilities }) => ({
      files: pieces().flatMap(({ file }) => file ?? []),
      skills: capabilities.of("skill").winners.length,
      rules: capabilities.of("rule").winners.filter(({ source }) => source !== "builtin").length,
    })),
    /** Shows the latest traffic of model servers; undefined when none is kept. */
    wiretap: notCarried(
      "What models send is kept only by the process that holds the session.",
      async ({ models: { tap }, secrets }): Promise<Wiretap | undefined> =>
        tap && (await import("../model/wiretap.ts")).openWiretap(tap, (said) => secrets.mask(said)),
      Promise.resolve(undefined),
    ),
  },
  /** Carries out what a person typed as a command. */
  perform: request([typedCommand, abortSignal], perform),
  /**
   * Admits input. `now` begins a turn when idle and steers when busy; `after` waits for the end of the turn. Resolves
   * when the turn that takes it has ended.
   */
  send: request(
    [input, optional("now", "steer", "after")],
    ({ conversation }, said: UserInput, when?: "now" | "steer" | "after") => conversation.send(said, when),
  ),
  /** Takes back input that still waits, for good. */
  withdraw: optimistic(
    [text],
    ({ conversation }, id: string) => conversation.withdraw(id),
    ({ queue }, id): UserInput | undefined => {
      const waiting = queue.find((item) => item.id === id);
      return waiting && { text: waiting.text };
    },
  ),
  /** Answers a question: the first answer counts, and a question that is not open any more takes none. */
  answer: optimistic(
    [text, answer],
    ({ questions }, question: string, said: Answer) => questions.answer(question, said),
    ({ questions }, question) => (questions.some(({ id }) => id === question) ? "taken" : "closed"),
  ),
  /** Somebody is about to answer this question: its time does not run out on them. */
  hold: notification([text], ({ questions }, question: string) => questions.hold(question)),
  /**
   * Runs a person's command in the session's shell and records it; undefined when it could not be run. `hear` gets all
   * that it writes, as it comes; in another process the events of the session tell it.
   */
  command: request(
    [text, s.oneOf(["in", "out"])],
    ({ typed }, command: string, context: "in" | "out", hear?: (bytes: Uint8Array) => void) =>
      typed.run(command, context, hear),
  ),
  /** Ends what runs: the commands of the person, the turn, or (unless said otherwise) both. */
  interrupt: request(
    [text, optional("commands", "turn", "both")],
    async ({ typed, conversation }, reason: string, what: "commands" | "turn" | "both" = "both"): Promise<void> => {
      await Promise.all([
        what === "turn" ? undefined : typed.stop(),
        what === "commands" ? undefined : conversation.interrupt(reason),
      ]);
    },
  ),
  /** Asks another model from the next turn on, by any name that `--model` takes. */
  use: request([text], ({ choice }, name: string) => choice.use(name)),
  /** Changes how the conversation is held, from the next request on. */
  configure: notification([configuration], ({ choice }, wanted: Configuration) => choice.configure(wanted)),
  /** Shows how much of the model's window is used, by its last report and an estimate of what came since. */
  context: request([], async ({ gauge }) => (await gauge()).view()),
  /** Adds up what the session has used so far, and what its context consists of. */
  usage: request([], async ({ tree }) => (await import("../usage/session.ts")).sessionUsage(tree)),
  /** The changes of turns to the project, which can be undone; undefined when undo is off. */
  undo: local(({ undo }) => undo()),
  /** Background jobs, those that have lately ended among them. */
  jobs: local(({ jobs }) => jobs()),
  /** Tells the model of something that a person did beside the conversation. */
  note: notification([text], ({ channel }, content: string) => {
    channel.record({ type: "custom_message", customType: "pith.undone", content, display: false });
  }),
  subscribe: local(({ channel }, listener: (event: Event) => void) => channel.subscribe(listener)),
};

const never = () => new AbortController().signal;

const attaching = (hall: Hall) => ({
  ...hall,
  unfit: (said: string) => hall.channel.notify({ level: "warn", text: said }),
});

async function perform(
  hall: Hall,
  { command: typed, words }: TypedCommand,
  signal: AbortSignal = never(),
): Promise<Ending | { do: "busy" }> {
  // From another process comes its name alone.
  const isHere = typeof typed.run === "function";
  const command = isHere ? typed : hall.commands.rows.find(({ name }) => name === typed.name);
  if (!command) throw new Error(`There is no command /${typed.name}.`);
  if (command.when === "idle" && hall.channel.running) return { do: "busy" };
  const ending = await command.run(words, signal);
  if (ending.do !== "prompt") return ending;
  const naming = [{ text: words }, ...(ending.names ? [ending.names] : [])];
  if (!naming.some(({ text: said }) => said.includes("@"))) return ending;
  const { attachedTo } = await import("../context/attach.ts");
  return { do: "prompt", input: await attachedTo(ending.input.text, naming, attaching(hall)) };
}

function warm({ journal, briefing, channel, news, conversation, models, choice, clock }: Hall): void {
  journal.prepare([briefing.draft()]);
  if (channel.running) return;
  news([]);
  const unsaid: Message = { role: "user", content: [{ type: "text", text: "…" }], timestamp: clock.now() };
  // Hooks are left out, because some notify people.
  const messages = [...conversation.context.messages, unsaid];
  models.prepare({ purpose: "main", model: choice.model, ...briefing.told(), messages });
}

/** Tokens of a branch that fit beside a reserve; one made for large windows takes at most a quarter of a small one. */
function branchBudget({ choice, settings }: Hall): number {
  const window = choice.model.contextWindow;
  const reserve = settings.get("branchSummary.reserveTokens");
  return window > 0 ? window - Math.min(reserve, window / 4) : Number.POSITIVE_INFINITY;
}

import type { Answer, Entry, Event, Header, Scene, UserInput } from "@pith/agent";
import { byteLength, type Result } from "@pith/kit";
import type { Message, Model } from "@pith/llm";
import type { Ending } from "../command/command.ts";
import type { CommandTable, Typed } from "../command/table.ts";
import type { Choice, Configuration } from "../model/choice.ts";
import type { Wiretap } from "../model/wiretap.ts";
import { rescueRecord, saveRecord } from "../session/record.ts";
import { type Walk, walkIn } from "../session/walk.ts";
import type { Job } from "../shell/job/jobs.ts";
import type { UserRun } from "../shell/user-commands.ts";
import type { ContextView } from "../usage/gauge.ts";
import type { SessionUsage } from "../usage/session.ts";
import type { Hall } from "./hall.ts";
import type { OpenHall } from "./open.ts";
import type { Door } from "./part.ts";

/** What a face needs of a coding agent. Everything else is told through events. */
export interface Coder {
  readonly header: Header;
  /** Where the record is; undefined when nothing is recorded. */
  readonly file: string | undefined;
  readonly model: Model;
  /** Whom is asked, how, and what runs unasked. */
  readonly choice: Pick<Choice, "model" | "effort" | "approval" | "dialect" | "queue" | "compaction">;
  /** Something was said that is not answered yet, or the conversation is being made shorter. */
  readonly running: boolean;
  /** What stands now. */
  readonly scene: Scene;
  /** Entries from the root to the leaf; of a long session that is much to read. */
  path(): readonly Entry[];
  /** Entries from the leaf towards the root, read one by one. */
  back(): Iterable<Entry>;
  /** One of them, by its id. */
  entry(id: string): Entry | undefined;
  /** Every entry of the session, in the order of the record, whatever path it stands on; and where the next attaches. */
  entries(): Iterable<Entry>;
  readonly leaf: string | null;
  /** The data of the newest entry of ours by this name, on the path. */
  lastCustom(name: string): unknown;
  /** How many messages stand on the path. */
  messageCount(): number;
  /** Names of the project's files and folders, the newest first; what git ignores is left out. */
  names(signal: AbortSignal): Promise<readonly string[]>;
  /** How a face brings in tools and hooks of its own. */
  readonly door: Door;
  /** Moving in the tree of the session. */
  readonly walk: Walk;
  /** The slash commands: for help and completion, and to see whether something typed is one. */
  readonly commands: Omit<CommandTable, "find">;
  /** Carries out what a person typed as a command. */
  perform(typed: Typed & { is: "command" }, signal?: AbortSignal): Promise<Ending | { do: "busy" }>;
  /** What the model is told before the first word, with the weight of every part. */
  prompt(): Promise<PromptReport>;
  /** The files that are told to the model, and how many skills and rules. */
  reads(): { files: readonly string[]; skills: number; rules: number };
  /** What a person typed, with the files, folders and images that it names by `@`, as `read` would show them. */
  attach(text: string): Promise<UserInput>;
  /** The same for files that were named as such; one that cannot be shown is told. */
  attachFiles(names: readonly string[], from: string): Promise<Result<UserInput, "usage">>;
  /**
   * Admits input. `now` begins a turn when idle and steers when busy; `after` waits for the end of the turn. Resolves
   * when the turn that takes it has ended.
   */
  send(input: UserInput, when?: "now" | "steer" | "after"): Promise<void>;
  /**
   * Somebody begins to say something: what the model is told first is worked out before they have finished, and there
   * is a connection to its server.
   */
  warm(): void;
  /** Takes back input that still waits, for good. */
  withdraw(id: string): UserInput | undefined;
  /** The first answer counts; to a question that is not open (any more) there is none. */
  answer(question: string, answer: Answer): "taken" | "closed";
  /** Somebody is about to answer this question: its time does not run out on them. */
  hold(question: string): void;
  /**
   * Runs a person's command in the session's shell and records it; undefined when it could not be run. `hear` gets all
   * that it says, as it comes.
   */
  command(command: string, context: "in" | "out", hear?: (bytes: Uint8Array) => void): Promise<UserRun | undefined>;
  /** Ends what runs: what the person runs themselves, the turn, or (unless said otherwise) both. */
  interrupt(reason: string, what?: "commands" | "turn" | "both"): Promise<void>;
  /** Asks another model from the next turn on, by any name that `--model` takes. */
  use(name: string): Promise<Result<Model, "model">>;
  /** Changes how the conversation is held, from the next request on. */
  configure(wanted: Configuration): void;
  /** How full the window of the model is: what it last told of a request, and an estimate of what came since. */
  context(): Promise<ContextView>;
  /** What turns did to the project, and the way back; undefined where undo is off. */
  undo(): ReturnType<Hall["undo"]> | undefined;
  /** What goes on beside the conversation, and what has lately ended. */
  jobs(): readonly Job[];
  /** The model is told of something that a person did beside the conversation. */
  note(text: string): void;
  /** What servers said of late; undefined where somebody else asks them. */
  wiretap?(): Promise<Wiretap | undefined>;
  /** What the session has used so far, and what its context is made of. */
  usage(): Promise<SessionUsage>;
  /** Copies the record to another file and goes on there: the way out when the present one can no longer be written. */
  saveTo(file: string): Promise<Result<undefined, "unwritable">>;
  /**
   * Before the end: a record that its own place did not take goes to this folder. Tells what became of it; undefined
   * when nothing is missing.
   */
  rescue(folder: string): Promise<string | undefined>;
  subscribe(listener: (event: Event) => void): Disposable;
  /** Ends what runs and flushes the record. */
  close(): Promise<void>;
}

/** A hall and its house as few verbs. */
export function coderOf(open: OpenHall, close: () => Promise<void>): Coder {
  const { hall } = open;
  const { conversation } = hall;
  const { journal, tree, channel, choice, commands, home } = hall;
  const attaching = () => ({ ...hall, unfit: (text: string) => channel.notify({ level: "warn", text }) });
  const { sessions, clock } = hall;
  return {
    get header() {
      return journal.header;
    },
    get file() {
      return journal.file;
    },
    get model() {
      return choice.model;
    },
    choice,
    get running() {
      return channel.running;
    },
    get scene() {
      return channel.scene;
    },
    path: () => tree.pathTo(),
    back: () => tree.back(),
    entry: (id) => tree.get(id),
    entries: () => tree.all(),
    get leaf() {
      return tree.leaf;
    },
    lastCustom: (name) => tree.lastCustom(name)?.data,
    messageCount: () => tree.countMessages(),
    async names(signal) {
      const listed = await hall.files.list({ root: hall.cwd, max: 50_000, timeoutMs: 5000, signal });
      return listed.ok ? listed.value.paths : [];
    },
    walk: walkIn({
      journal,
      channel,
      points: hall.points,
      interrupt: (reason) => conversation.interrupt(reason),
      candidates: hall.branchSummarizers,
      budget: () => budgetOf(choice.model.contextWindow, hall.settings.get("branchSummary.reserveTokens")),
      sessions,
      clock,
    }),
    door: open.assembly.door,
    commands,
    async perform({ command, words }, signal = new AbortController().signal) {
      if (command.when === "idle" && channel.running) return { do: "busy" };
      const ending = await command.run(words, signal);
      if (ending.do !== "prompt") return ending;
      const naming = [{ text: words }, ...(ending.names ? [ending.names] : [])];
      if (!naming.some(({ text }) => text.includes("@"))) return ending;
      const { attachedTo } = await import("../context/attach.ts");
      return { do: "prompt", input: await attachedTo(ending.input.text, naming, attaching()) };
    },
    prompt: () => promptReport(hall),
    reads: () => ({
      files: hall.pieces().flatMap(({ file }) => file ?? []),
      skills: hall.capabilities.of("skill").winners.length,
      rules: hall.capabilities.of("rule").winners.filter(({ source }) => source !== "builtin").length,
    }),
    async attach(text) {
      return text.includes("@") ? (await import("../context/attach.ts")).attached(text, attaching()) : { text };
    },
    async attachFiles(names, from) {
      return (await import("../context/attach.ts")).attachFiles(names, { ...hall, cwd: from });
    },
    send: (input, when) => conversation.send(input, when),
    warm() {
      journal.prepare([hall.briefing.draft()]);
      if (channel.running) return;
      hall.news([]);
      // Hooks have their say when it counts: some tell people of what they see.
      const messages = [...conversation.context.messages, someWords(clock.now())];
      hall.models.prepare({ purpose: "main", model: choice.model, ...hall.briefing.told(), messages });
    },
    withdraw: (id) => conversation.withdraw(id),
    answer: (question, answer) => hall.questions.answer(question, answer),
    hold: (question) => hall.questions.hold(question),
    command: (command, context, hear) => hall.typed.run(command, context, hear),
    async interrupt(reason, what = "both") {
      await Promise.all([
        what === "turn" ? undefined : hall.typed.stop(),
        what === "commands" ? undefined : conversation.interrupt(reason),
      ]);
    },
    use: (name) => choice.use(name),
    configure: (wanted) => choice.configure(wanted),
    context: async () => (await hall.gauge()).view(),
    undo: () => (hall.settings.get("undo.enabled") ? hall.undo() : undefined),
    jobs: () => hall.shell.jobs?.list() ?? [],
    note: (content) =>
      void channel.record({ type: "custom_message", customType: "pith.undone", content, display: false }),
    async wiretap() {
      const { tap } = hall.models;
      return tap && (await import("../model/wiretap.ts")).openWiretap(tap, (text) => hall.secrets.mask(text));
    },
    usage: async () => (await import("../usage/session.ts")).sessionUsage(tree),
    saveTo: (file) => saveRecord(journal, file, home),
    rescue: (folder) => rescueRecord(journal, folder, home),
    subscribe: (listener) => channel.subscribe(listener),
    close,
  };
}

/** In the place of what a person is about to say. */
const someWords = (timestamp: number): Message => ({
  role: "user",
  content: [{ type: "text", text: "…" }],
  timestamp,
});

/** What of a window is left for a branch: a reserve that is made for large ones takes at most a quarter of a small one. */
const budgetOf = (window: number, reserve: number): number =>
  window > 0 ? window - Math.min(reserve, window / 4) : Number.POSITIVE_INFINITY;

/** What is told, part by part. */
export interface PromptReport {
  bytes: number;
  tokens: number;
  parts: { part: string; file?: string | undefined; text: string; bytes: number; tokens: number }[];
  tools: { name: string; bytes: number; tokens: number }[];
}

async function promptReport({ briefing, pieces, counting: loadCounts }: Hall): Promise<PromptReport> {
  const { counting } = await loadCounts();
  const { tools: specs } = briefing.told();
  const parts = pieces().map(({ part, file, text }) => ({
    part,
    file,
    text,
    bytes: byteLength(text),
    tokens: Math.ceil(counting.countSystem([text])),
  }));
  const tools = specs.map((spec) => ({
    name: spec.name,
    bytes: byteLength(JSON.stringify(spec)),
    tokens: Math.ceil(counting.countTools([spec])),
  }));
  const sum = (of: "bytes" | "tokens") => [...parts, ...tools].reduce((all, row) => all + row[of], 0);
  return { bytes: sum("bytes"), tokens: sum("tokens"), parts, tools };
}

import { join } from "node:path";
import {
  type Answer,
  type Behaviour,
  Conversation,
  type Draft,
  type Entry,
  type Event,
  fileBlobs,
  type Header,
  type Input,
  type Notice,
  Registry,
} from "@pith/agent";
import { type Clock, fail, ok, type Result, span, systemClock } from "@pith/kit";
import type { Model } from "@pith/llm";
import { approval } from "./behaviour/approval.ts";
import { arrivingCalls } from "./behaviour/arriving.ts";
import { sessionCheckpoints } from "./behaviour/checkpoint.ts";
import { jobDelivery } from "./behaviour/jobs.ts";
import { Late, lateNotes } from "./behaviour/late.ts";
import { limit } from "./behaviour/limit.ts";
import { Pending, pendingReminder, sessionPending } from "./behaviour/pending.ts";
import { rewindGuard } from "./behaviour/rewind.ts";
import { todoCommand } from "./behaviour/todo-command.ts";
import { todoReminder } from "./behaviour/todo-reminder.ts";
import { sessionTodos } from "./behaviour/todo-store.ts";
import { undoBehaviour } from "./behaviour/undo.ts";
import { type UserRun, userCommands } from "./behaviour/user-command.ts";
import { systemPrompt } from "./context/prompt.ts";
import { readRoots } from "./files/root.ts";
import type { Attend } from "./job/attend.ts";
import { openCommands } from "./job/commands.ts";
import { sessionJobs } from "./job/kept.ts";
import type { Approval } from "./policy/approval.ts";
import { openRecord, rescueRecord, type SessionChoice, saveRecord } from "./record.ts";
import { opening, recordedModel, recordedPrompt } from "./recorded.ts";
import { sessionsFolder } from "./setting/folder.ts";
import type { Settings } from "./setting/setting.ts";
import { Snapshots } from "./snapshot/snapshot.ts";
import { affordable, chosenEffort, chosenModel, modelsFor, talkBehaviours } from "./talk.ts";
import { buildTools } from "./toolbox.ts";
import { readRules } from "./tools/bash/intercept.ts";
import { openUndo } from "./undo/open.ts";
import type { SessionUsage } from "./usage/session.ts";
import { type Walk, walkIn } from "./walk.ts";

/** What a face needs of a coding agent. Everything else is told through events. */
export interface Coder {
  readonly header: Header;
  /** Where the record is; undefined when nothing is recorded. */
  readonly file: string | undefined;
  readonly model: Model;
  /** Entries from the root to the leaf; of a long session that is much to read. */
  path(): readonly Entry[];
  /** Entries from the leaf towards the root, read one by one. */
  back(): Iterable<Entry>;
  /** How many messages stand on the path. */
  messageCount(): number;
  /** Moving in the tree of the session. */
  readonly walk: Walk;
  /**
   * Admits input. `now` begins a turn when idle and steers when busy; `after` waits for the end of the turn. Resolves
   * when the turn that takes it has ended.
   */
  send(input: Input, when?: "now" | "steer" | "after"): Promise<void>;
  answer(question: string, answer: Answer): void;
  /** Runs a person's command in the session's shell and records it; undefined when it could not be run. */
  command(command: string, context: "in" | "out"): Promise<UserRun | undefined>;
  interrupt(reason: string): Promise<void>;
  /** Asks another model from the next turn on, by any name that `--model` takes. */
  use(name: string): Promise<Result<Model, "model">>;
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

export interface CoderOptions {
  cwd: string;
  /** The directory of pith's own files. */
  home: string;
  userHome: string;
  env: Readonly<Record<string, string | undefined>>;
  settings: Settings;
  /** As the user typed it; undefined takes the session's, then the setting, then what is configured. */
  model: string | undefined;
  session: SessionChoice;
  approval: Approval;
  /** Whether somebody can answer a question; without, what would be asked is refused. */
  asks: boolean;
  /** What follows a turn: perhaps another one (the default), or the end of the session. */
  after?: "more" | "end";
  maxSteps?: number;
  /** What this run may spend, in dollars and in tokens. */
  maxCost?: number | undefined;
  maxTokens?: number | undefined;
  /** What the terminal is known by, where there is one. */
  terminal?: string;
  /** Where a program that needs a terminal can be shown to a person. */
  face?: Attend;
  clock?: Clock;
}

export type OpenFailure = "model" | "session";

/** Composes the parts. The order of behaviours on every point is the order of the list below; guards come first. */
export async function openCoder(options: CoderOptions): Promise<Result<Coder, OpenFailure>> {
  using _ = span("open coder");
  const { cwd, home, settings, clock = systemClock } = options;
  const early: Notice[] = [];
  let tell: (notice: Notice) => void = (notice) => early.push(notice);
  const sessions = sessionsFolder(settings, options);
  const recordOpen = span("record");
  const record = openRecord(options.session, {
    cwd,
    sessions,
    home,
    terminal: options.terminal,
    blobs: fileBlobs(join(home, "blobs"), () => clock.now()),
    sync: settings.get("session.sync"),
    clock,
    onFault: (text) => tell({ level: "error", text }),
  });
  recordOpen();
  if (!record.ok) return record;
  const { journal, notes } = record.value;
  const { tree } = journal;
  const models = modelsFor(options, clock);
  const modelFound = span("model");
  const resolved = await models.resolve(chosenModel(options, recordedModel(tree, "chosen")));
  modelFound();
  const affords = resolved.ok ? affordable(options, resolved.value) : resolved;
  if (!resolved.ok || !affords.ok) {
    await journal.close();
    return fail("model", affords.ok ? "" : affords.message);
  }
  let { model } = resolved.value;
  let effort = chosenEffort(options, resolved.value.effort, tree);
  for (const text of [...notes, ...resolved.value.notes]) tell({ level: "info", text });

  let note = (draft: Draft): Entry => journal.append(draft);
  const keep = { record: (draft: Draft) => note(draft), tell: (notice: Notice) => tell(notice) };
  const pending = new Pending(sessionPending(tree, keep.record));
  const todos = sessionTodos(tree, keep.record, journal.file ? "session" : "memory");
  const checkpoints = sessionCheckpoints(tree, keep.record);
  const late = new Late();
  const snapshots = new Snapshots(journal.file?.replace(/\.jsonl$/, ""));
  const commands = openCommands({
    ...{ ...options, journalFile: journal.file, clock, kept: sessionJobs(tree, keep.record) },
    tell: (text) => tell({ level: "warn", text }),
  });
  const toolsBuilt = span("tools");
  const tools = new Registry(
    buildTools(
      { ...options, journalFile: journal.file, clock, freeform: model.compat?.supportsOpenAIGrammarTools === true },
      {
        pending,
        todos,
        checkpoints,
        late: (text) => late.add(text),
        snapshots,
        commands,
        owner: mainAgent,
        bash: { face: options.env.PITH_NO_PTY === "1" ? undefined : options.face },
      },
    ),
  );
  const roots = readRoots(settings.get("project.roots"), cwd, options.userHome);
  toolsBuilt();
  const prompt = recordedPrompt(tree, tools) ?? {
    system: systemPrompt({ cwd, roots, platform: process.platform, now: clock.now() }),
    tools: tools.specs,
  };
  const behaviours: Behaviour[] = [
    approval(options.approval, [cwd, ...roots]),
    ...(options.maxSteps === undefined ? [] : [limit(options.maxSteps)]),
    ...talkBehaviours(options, { models, tree, session: journal.header.id, effort: () => effort, ...keep }),
    lateNotes(late),
    arrivingCalls({
      tool: (name) => tools.get(name),
      now: () => clock.now(),
      show: (arriving) => conversation.arriving(arriving),
    }),
    ...(tools.get("rewind") ? [rewindGuard(checkpoints)] : []),
    ...(tools.get("resolve") ? [pendingReminder(pending, keep.record)] : []),
    ...(tools.get("todo")
      ? [
          todoCommand({ cwd, store: todos, ...keep }),
          todoReminder({ store: todos, max: settings.get("todo.reminders"), ...keep }),
        ]
      : []),
  ];
  const undo = settings.get("undo.enabled")
    ? undoBehaviour({
        open: () => openUndo(options, clock),
        session: journal.header.id,
        leaf: () => tree.leaf ?? undefined,
        changed: (changed) => conversation.changed(changed),
        ...keep,
      })
    : undefined;
  if (undo) behaviours.push(undo);
  let busy = false;
  for (const text of readRules(settings.get("bashInterceptor.rules") ?? "").problems) tell({ level: "warn", text });
  const people = userCommands({
    ...commands,
    ...{
      timeoutMs: settings.get("bash.timeout") * 1000,
      now: () => clock.now(),
      busy: () => busy,
      record: keep.record,
    },
    tell: (text) => tell({ level: "warn", text }),
  });
  const jobs =
    commands.jobs &&
    jobDelivery({
      ...{
        jobs: commands.jobs,
        owner: mainAgent,
        cwd,
        folder: commands.logs,
        now: () => clock.now(),
        busy: () => busy,
      },
      ...{ after: options.after, record: keep.record },
      send: (text) => conversation.send({ text }, "after"),
      tell: (text) => tell({ level: "info", text }),
    });
  behaviours.push(people, ...(jobs ? [jobs] : []));
  const conversation = new Conversation({
    journal,
    model,
    stream: models.stream,
    system: prompt.system,
    specs: prompt.tools,
    tools,
    behaviours,
    clock,
    asks: options.asks ? "person" : "nobody",
    opening: opening(tree, model, effort, prompt),
    sync: settings.get("session.sync") === "never" ? "never" : "turn",
  });
  tell = (notice) => conversation.tell(notice);
  note = (draft) => conversation.record(draft);
  conversation.subscribe((event) => {
    if (event.type !== "turn") return;
    busy = event.state.name !== "idle";
    if (event.state.name === "idle" && event.state.end.reason === "done") jobs?.idle();
  });
  return ok({
    header: journal.header,
    get file() {
      return journal.file;
    },
    get model() {
      return model;
    },
    path: () => tree.pathTo(),
    back: () => tree.back(),
    messageCount: () => tree.countMessages(),
    walk: walkIn({
      journal,
      conversation,
      model,
      stream: models.stream,
      sessions,
      reserveTokens: settings.get("branchSummary.reserveTokens"),
      clock,
    }),
    async send(input, when) {
      await conversation.send(input, when);
      await undo?.report();
    },
    answer: (question, answer) => conversation.answer(question, answer),
    command: (command, context) => people.run(command, context),
    interrupt: async (reason) => {
      people.stop();
      await conversation.interrupt(reason);
    },
    async use(name) {
      const next = await models.resolve(chosenModel({ ...options, model: name }, undefined));
      if (!next.ok) return { ...next, kind: "model" };
      const affords = affordable(options, next.value);
      if (!affords.ok) return affords;
      model = next.value.model;
      conversation.use(model);
      if (next.value.effort && next.value.effort !== effort)
        note({ type: "thinking_level_change", thinkingLevel: next.value.effort });
      effort = next.value.effort ?? effort;
      for (const text of next.value.notes) tell({ level: "info", text });
      return ok(model);
    },
    usage: async () => (await import("./usage/session.ts")).sessionUsage(tree),
    saveTo: (file) => saveRecord(journal, file, home),
    rescue: (folder) => rescueRecord(journal, folder, home),
    subscribe: (listener) => {
      for (const notice of early.splice(0)) listener({ type: "notice", notice });
      return conversation.subscribe(listener);
    },
    close: async () => {
      people.stop();
      jobs?.[Symbol.dispose]();
      await conversation.interrupt("closed");
      await commands[Symbol.asyncDispose]();
      await undo?.[Symbol.asyncDispose]();
      await snapshots.flush();
      await journal.close();
      models[Symbol.dispose]();
    },
  });
}

/** The owner of the jobs of a conversation itself; a sub-agent has its own name. */
const mainAgent = "main";

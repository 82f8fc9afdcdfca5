import type {
  CallView,
  CompactAnswer,
  CompactView,
  Event,
  Hook,
  NavigateAnswer,
  NavigateView,
  Outcome,
  Question,
  Settled,
  TurnView,
  UserInput,
  Verdict,
} from "@pith/agent";
import { cleanText, plainText, shorten } from "@pith/kit";
import type { Item } from "../../../capability/item.ts";
import type { Hall } from "../../../hall/hall.ts";
import type { HookAnswer } from "./answer.ts";
import { type AskNeeds, askHook } from "./ask.ts";
import { claudeBase, ownBase, ownCall, type PayloadNeeds } from "./payload.ts";
import { type HookRow, hookName, hookRows, isFor, isGuard, meets } from "./row.ts";
import { claudeCalls, type ForeignCall, ownInput, responseOf } from "./words.ts";

export type HookNeeds = AskNeeds & PayloadNeeds & Pick<Hall, "channel" | "settings" | "questions" | "tools">;

interface Answered {
  row: HookRow;
  answer: HookAnswer;
  /** The call as it was asked about. */
  call?: ForeignCall | undefined;
}

/** A question to one hook. */
interface Ask {
  row: HookRow;
  payload: Record<string, unknown>;
  call?: ForeignCall | undefined;
}

/** The hooks of one conversation: asks those that an event is for, and joins what they say. */
export class Hooks implements AsyncDisposable {
  readonly #hall: HookNeeds;
  readonly #over = new AbortController();
  #rows: readonly HookRow[] | undefined;
  #turn: AbortSignal | undefined;
  #begun = false;
  #stop: string | undefined;
  /** Words for the model that wait for the next step. */
  #notes: string[] = [];
  /** Words that wait for the result of their call. */
  readonly #beside = new Map<string, string[]>();
  /** Answers about the call that is being judged: a call is judged again after each look at a file, and is the same. */
  #judged = { id: "", answers: new Map<string, Promise<Answered | string>>() };
  /** Faults in a row, by hook; a hook that decides nothing is left alone after three. */
  readonly #faults = new Map<string, number>();
  readonly lastFault = new Map<string, string>();

  constructor(hall: HookNeeds) {
    this.#hall = hall;
  }

  /** The hooks that count, as they stood when the last input came. */
  get rows(): readonly HookRow[] {
    this.#rows ??= this.#read();
    return this.#rows;
  }

  readonly hook = {
    name: "hooks",
    input: (input: UserInput) => this.#input(input),
    step: (turn: TurnView) => this.#step(turn),
    call: (view: CallView) => this.#call(view),
    result: (view: CallView, outcome: Outcome) => this.#result(view, outcome),
    settle: async (turn: TurnView): Promise<Settled | undefined> => {
      const { scope } = this.#hall;
      const reply = turn.reply?.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("") ?? "";
      const fields = { stop_hook_active: turn.goneOn > 0, last_assistant_message: reply };
      const event = scope === "child" ? "SubagentStop" : "Stop";
      const answers = await this.#tell(event, "settle", fields, scope === "child" ? this.#hall.agent : undefined);
      const no = answers.find(({ answer }) => answer.says === "deny");
      return no ? { do: "go on", note: said(no.answer.reason) } : undefined;
    },
    compact: async ({ cause, instructions }: CompactView): Promise<CompactAnswer> => {
      const trigger = cause === "manual" ? "manual" : "auto";
      const fields = { trigger, custom_instructions: instructions ?? "" };
      const answers = await this.#tell("PreCompact", "compact", fields, trigger);
      if (answers.some(({ answer }) => answer.says === "deny")) return { do: "cancel" };
      return { do: "go", context: answers.flatMap(({ answer }) => answer.context) };
    },
    navigate: async ({ from, to }: NavigateView): Promise<NavigateAnswer> => {
      const answers = await this.#tell(undefined, "navigate", { from, to }, undefined);
      return answers.some(({ answer }) => answer.says === "deny") ? { do: "cancel" } : { do: "go" };
    },
  } satisfies Hook;

  /** Passes on what has happened; nobody waits for an answer. */
  hear(event: Event): void {
    if (event.type === "compacted" && !event.aborted && event.error === undefined) {
      const trigger = event.cause === "manual" ? "manual" : "auto";
      void this.#tell("PostCompact", undefined, { trigger }, trigger);
    }
    if (event.type !== "question" || this.rows.length === 0) return;
    const { id, form, text, call, intent, risk, scope, quiet } = event.question;
    if (form === "approval" && call) void this.#permission(event.question);
    if (quiet) return;
    const kind = form === "approval" ? "permission_prompt" : "elicitation_dialog";
    void this.#tell("Notification", undefined, { message: text, notification_type: kind }, kind);
    void this.#tell(
      undefined,
      "question",
      { id, form, text, tool: call?.name, risk, scope, effect: intent?.effect },
      form,
    );
  }

  /**
   * Asks about a question of approval. Only the user's own hook may say yes, and never to what is critical; any may say
   * no. A person may answer before it.
   */
  async #permission({ id, call, intent, risk }: Question): Promise<void> {
    const tool = call && this.#hall.tools.known(call.name, call.arguments);
    const rows = this.rows.filter((row) => isFor(row, "PermissionRequest", undefined) && !this.#isOff(row));
    if (!call || !tool || !intent || rows.length === 0) return;
    const view: CallView = { call, tool, input: call.arguments, intent, place: { at: 0, of: [call] } };
    const asks = await this.#asksFor(view, rows, "PermissionRequest");
    const answers = (await inTurns(asks.slice(0, mostAsks), (ask) => this.#ask(ask))).filter(
      (one) => typeof one !== "string",
    );
    const no = answers.find(({ answer }) => answer.says === "deny");
    const words = (row: HookRow, reason = "") => `the hook ${hookName(row)}${reason}`;
    if (no)
      this.#hall.questions.answer(id, {
        say: "no",
        by: "hook",
        words: words(no.row, ` said no: ${said(no.answer.reason)}`),
      });
    const yes = answers.find(({ row, answer }) => answer.says === "allow" && row.item.level === "user");
    const all = answers.length === asks.length && asks.length <= mostAsks;
    // One path that nobody has said yes to is enough to leave the question to the user.
    const whole = asks.every(({ call: about }) =>
      answers.some((one) => one.call === about && one.answer.says === "allow" && one.row.item.level === "user"),
    );
    if (!no && yes && all && whole && risk !== "critical")
      this.#hall.questions.answer(id, { say: "yes", by: "hook", words: words(yes.row) });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#begun && this.#hall.scope === "main") {
      const end = setTimeout(() => this.#over.abort(), endMs);
      await this.#tell("SessionEnd", "session", { reason: "other", phase: "end" }, "other");
      clearTimeout(end);
    }
    this.#over.abort();
  }

  #read(): HookRow[] {
    const { settings, capabilities } = this.#hall;
    const disabled = settings.get("hooks.disabled");
    const off = ({ name, file, data }: Item<"hook">) =>
      disabled.some((one) => one === name || one === file || one === data.runs || one === data.event);
    return hookRows(capabilities, off);
  }

  async #input(input: UserInput): Promise<UserInput | undefined> {
    const { scope, agent, journal } = this.#hall;
    this.#refresh();
    if (this.rows.length === 0) return undefined;
    if (!this.#begun) {
      this.#begun = true;
      if (scope === "child") await this.#tell("SubagentStart", undefined, {}, agent);
      const source = journal.tree.last("message") ? "resume" : "startup";
      if (scope === "main") await this.#tell("SessionStart", "session", { source, phase: "start" }, source);
    }
    if (scope === "child") return undefined;
    const answers = await this.#tell("UserPromptSubmit", "input", { prompt: input.text }, undefined);
    const no = answers.find(({ answer }) => answer.says === "deny");
    if (no) throw new Error(`The hook ${hookName(no.row)} does not let this input through: ${said(no.answer.reason)}`);
    return undefined;
  }

  /** Reads the list again where files have changed; a guard that went or came is told. */
  #refresh(): void {
    const before = this.#rows;
    if (!before) return;
    this.#rows = this.#read();
    const names = (rows: readonly HookRow[]) => new Set(rows.map(hookName));
    const [old, now] = [names(before), names(this.#rows)];
    const [come, gone] = [[...now].filter((name) => !old.has(name)), [...old].filter((name) => !now.has(name))];
    if (come.length === 0 && gone.length === 0) return;
    const lines = [...come.map((name) => `new: ${name}`), ...gone.map((name) => `gone: ${name}`)];
    this.#notify("info", `The hooks have changed. ${shorten(lines.join("; "), 1000)}`);
  }

  #step(turn: TurnView) {
    this.#turn = turn.signal;
    const stop = this.#stop;
    this.#stop = undefined;
    for (const content of this.#notes.splice(0))
      this.#hall.channel.record({ type: "custom_message", customType: "pith.note", content, display: false });
    return stop === undefined ? undefined : ({ do: "stop", message: stop } as const);
  }

  async #call(view: CallView): Promise<Verdict> {
    const guards = this.rows.filter((row) => isFor(row, "PreToolUse", undefined) || isFor(row, "call", view.tool.name));
    if (guards.length === 0) return { do: "allow" };
    if (this.#judged.id !== view.call.id) this.#judged = { id: view.call.id, answers: new Map() };
    const asks = await this.#asksFor(view, guards, "PreToolUse");
    if (asks.length > mostAsks)
      return { do: "deny", reason: `This call is about more than ${mostAsks} paths, too many for the hooks to judge.` };
    const heard = await inTurns(asks, (ask) => this.#guarded(ask));
    const faults = heard.filter((one) => typeof one === "string");
    const answers = heard.filter((one) => typeof one !== "string");
    const denied = answers.filter(({ answer }) => answer.says === "deny" || answer.stop !== undefined);
    for (const { answer } of answers) this.#stop ??= answer.stop;
    if (faults.length + denied.length > 0)
      return {
        do: "deny",
        reason: [...new Set([...denied.map(({ answer }) => said(answer.stop ?? answer.reason)), ...faults])].join("\n"),
      };
    const words = answers.flatMap(({ answer }) => answer.context.map(said));
    if (words.length > 0) this.#beside.set(view.call.id, words);
    return changed(view, answers) ?? asked(answers);
  }

  /** Lists who is asked about a call, in the words of each. */
  async #asksFor(view: CallView, rows: readonly HookRow[], event: string): Promise<Ask[]> {
    const theirs = rows.some(({ item }) => item.data.dialect === "claude") ? await claudeCalls(view) : [];
    const base = claudeBase(this.#hall, event);
    return rows.flatMap((row): Ask[] => {
      if (row.item.data.dialect === "pith")
        return [{ row, payload: { ...ownBase(this.#hall, row.item.data.event), ...ownCall(view) } }];
      return theirs
        .filter((call) => isFor(row, event, call.name) && meets(row.item.data.condition, call, row.folder))
        .map((call) => ({
          row,
          call,
          payload: { ...base, tool_name: call.name, tool_input: call.input, tool_use_id: view.call.id },
        }));
    });
  }

  /** Asks a guard once about the same; a fault is the text of a refusal. */
  #guarded(ask: Ask): Promise<Answered | string> {
    const key = JSON.stringify([hookName(ask.row), ask.row.item.name, ask.payload]);
    const known = this.#judged.answers.get(key) ?? this.#ask(ask);
    this.#judged.answers.set(key, known);
    return known;
  }

  async #ask({ row, payload, call }: Ask): Promise<Answered | string> {
    if (row.item.data.background) {
      void askHook(this.#hall, row, payload, this.#over.signal).catch(() => {});
      return { row, answer: { says: "nothing", reason: "", context: [] } };
    }
    const signal = this.#turn ? AbortSignal.any([this.#turn, this.#over.signal]) : this.#over.signal;
    const ending = payload.hook_event_name === "SessionEnd" || payload.phase === "end";
    const heard = await askHook(this.#hall, row, payload, ending ? this.#over.signal : signal);
    const name = hookName(row);
    if (heard.ok) {
      this.#faults.delete(name);
      if (heard.answer.message) this.#notify("info", `${name}: ${heard.answer.message}`);
      return { row, answer: heard.answer, call };
    }
    const why = plainText(shorten(heard.why, 500));
    this.lastFault.set(name, why);
    if (isGuard(row)) return faultText(row, why);
    const count = (this.#faults.get(name) ?? 0) + 1;
    this.#faults.set(name, count);
    const off = count === mostFaults ? " It failed three times in a row and is off until the next session." : "";
    if (count <= mostFaults) this.#notify("warn", `The hook ${name} failed: ${why}.${off}`);
    return why;
  }

  /** Asks the hooks of an event that is about no call; those that fail have said nothing. */
  async #tell(
    claude: string | undefined,
    own: string | undefined,
    fields: Record<string, unknown>,
    about: string | undefined,
  ): Promise<Answered[]> {
    const rows = this.rows.filter((row) => {
      const { dialect } = row.item.data;
      const event = dialect === "pith" ? own : claude;
      return event !== undefined && isFor(row, event, about) && !this.#isOff(row);
    });
    const asks = rows.map((row): Ask => {
      const theirs = row.item.data.dialect === "claude";
      return {
        row,
        payload: { ...(theirs ? claudeBase(this.#hall, claude ?? "") : ownBase(this.#hall, own ?? "")), ...fields },
      };
    });
    const answers = (await inTurns(asks, (ask) => this.#ask(ask))).filter((one) => typeof one !== "string");
    for (const { answer } of answers) this.#stop ??= answer.stop;
    const noted = claude === "UserPromptSubmit" || claude === "SessionStart" || claude === "SubagentStart";
    if (noted) this.#notes.push(...answers.flatMap(({ answer }) => answer.context.map(said)));
    return answers;
  }

  async #result(view: CallView, outcome: Outcome): Promise<Outcome | undefined> {
    const event = outcome.failed ? "PostToolUseFailure" : "PostToolUse";
    const before = this.#beside.get(view.call.id) ?? [];
    this.#beside.delete(view.call.id);
    const rows = this.rows.filter(
      (row) => (isFor(row, event, undefined) || isFor(row, "result", view.tool.name)) && !this.#isOff(row),
    );
    const asks = rows.length === 0 || outcome.refused ? [] : await this.#asksFor(view, rows, event);
    const answered = await inTurns(asks.slice(0, mostAsks), ({ row, payload, call }) => {
      const text = outcome.text.slice(0, mostText);
      const theirs = outcome.failed
        ? { error: text }
        : { tool_response: call && responseOf(call, { ...outcome, text }) };
      const more = row.item.data.dialect === "pith" ? { result: { text, failed: outcome.failed === true } } : theirs;
      return this.#ask({ row, call, payload: { ...payload, ...more } });
    });
    const answers = answered.filter((one) => typeof one !== "string");
    for (const { answer } of answers) this.#stop ??= answer.stop;
    const words = answers.flatMap(({ answer }) => [
      ...(answer.says === "deny" ? [said(answer.reason)] : []),
      ...answer.context.map(said),
    ]);
    const all = [...before, ...words];
    return all.length === 0 ? undefined : { ...outcome, reminders: [...(outcome.reminders ?? []), ...all] };
  }

  #isOff = (row: HookRow): boolean => (this.#faults.get(hookName(row)) ?? 0) >= mostFaults;

  #notify(level: "info" | "warn", text: string): void {
    this.#hall.channel.notify({ level, text: shorten(plainText(text), 2000) });
  }
}

const faultText = (row: HookRow, why: string): string =>
  `Not run, because a guard failed: the hook ${hookName(row)}: ${why}. The user can mend it, or switch it off by its \
command in the setting hooks.disabled.`;

/** The words of a hook for the model: no escapes, and not without end. */
const said = (text: string): string => shorten(cleanText(text).toWellFormed(), mostWords);

/** The first change that makes a difference; one that cannot be carried out refuses the call. */
function changed(view: CallView, answers: readonly Answered[]): Verdict | undefined {
  for (const { row, answer, call } of answers) {
    if (!answer.input) continue;
    const own = call ? ownInput(view, call, answer.input) : parsedInput(view, answer.input);
    if (own === undefined)
      return {
        do: "deny",
        reason: faultText(row, `it changes the call to something that ${view.tool.name} does not take`),
      };
    if (JSON.stringify(own) !== JSON.stringify(view.input)) return { do: "change", input: own };
  }
  return undefined;
}

function parsedInput({ tool }: CallView, input: unknown): unknown {
  const parsed = tool.input.safeParse(input);
  return parsed.success ? parsed.data : undefined;
}

/** A hook can ask the user; its leave lowers nothing that others want. */
function asked(answers: readonly Answered[]): Verdict {
  const questions = answers.filter(({ answer }) => answer.says === "ask");
  if (questions.length === 0) return { do: "allow" };
  const text = questions
    .map(({ row, answer }) => `the hook ${hookName(row)} asks: ${plainText(said(answer.reason))}`)
    .join("; ");
  return {
    do: "ask",
    text,
    refusal: `A hook wants the user to be asked about this call, and nobody can be asked: ${text}`,
  };
}

/** Runs work on many things, a few at a time. */
async function inTurns<T, R>(things: readonly T[], run: (thing: T) => Promise<R>): Promise<R[]> {
  const done: R[] = [];
  for (let at = 0; at < things.length; at += mostAtOnce)
    done.push(...(await Promise.all(things.slice(at, at + mostAtOnce).map(run))));
  return done;
}

const mostAtOnce = 8;
const mostAsks = 256;
const mostFaults = 3;
const mostWords = 10_000;
const mostText = 200_000;
const endMs = 3000;

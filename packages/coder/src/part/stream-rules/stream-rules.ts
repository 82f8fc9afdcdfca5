import { resolve } from "node:path";
import {
  type CallView,
  type EntryDraft,
  type Hook,
  type Hooks,
  type Interrupt,
  perTurn,
  type TurnView,
} from "@pith/agent";
import { fill, tryOr } from "@pith/kit";
import type { Item } from "../../capability/item.ts";
import { saying } from "../../edit/added/added.ts";
import type { Hall } from "../../hall/hall.ts";
import type { MakePart } from "../../hall/part.ts";
import { addedBy } from "./change.ts";
import interruptProse from "./interrupt.md" with { type: "text" };
import type { Hit, RuleMatcher } from "./matcher.ts";
import { Reminded } from "./reminded.ts";
import reminderProse from "./reminder.md" with { type: "text" };
import type { StreamRule, StreamSource } from "./rule.ts";
import { interrupts, watches } from "./scope.ts";
import type { Streams } from "./streams.ts";

/** Interruptions per turn; rules that are broken after that are only told afterwards. */
const mostStops = 5;
/** Rules per interruption, later reminders per turn, and characters per reminder. */
const mostAtOnce = 20;
const mostReminders = 20;
const mostText = 16_000;

type Needs = "capabilities" | "channel" | "settings" | "tools" | "tree";

interface Rule extends StreamRule {
  item: Item<"rule">;
}

/** Rules that watch streams: an answer that breaks one is interrupted, and the model is told why. */
export const streamRules: MakePart<Needs> = (hall) => ({ name: "stream rules", hooks: [new RuleHook(hall)] });

class RuleHook implements Hook {
  readonly name = "stream rules";
  readonly #hall: Pick<Hall, Needs>;
  readonly #reminded: Reminded;
  readonly #turn = perTurn(() => ({ stops: 0, reminders: 0, isNew: true }));
  #now = this.#turn({ id: "" });
  #rules: readonly Item<"rule">[] = [];
  /** True when the rules must be read again: after the request has gone out, at the latest when a stream begins. */
  #isStale = false;
  /** The built-in rules watch only calls, and are not read before there is one. */
  #of: "everybody" | "files" = "files";
  #matcher: RuleMatcher<Rule> | undefined;
  #streams: Streams<Rule> | undefined;
  /** True when the last answer was not interrupted; false before the first. */
  #isWhole = false;
  /** Rules to remind of with the result of a call. */
  readonly #atResult = new Map<string, Rule[]>();
  /** Rules to remind of after the answer. */
  #after: Rule[] = [];
  /** Rules that the user was told are invalid. */
  readonly #warned = new Set<string>();

  constructor(hall: Pick<Hall, Needs>) {
    this.#hall = hall;
    this.#reminded = new Reminded(hall);
  }

  step(turn: TurnView): void {
    const now = this.#turn(turn);
    this.#now = now;
    if (this.#isWhole) this.#reminded.answered();
    this.#isWhole = true;
    // An error is reported by the hook that needs the rules.
    if (now.isNew) setImmediate(() => tryOr(() => this.#refresh()));
    this.#isStale ||= now.isNew;
    now.isNew = false;
    this.#streams?.reset();
    this.#atResult.clear();
    for (const draft of this.#takeReminders()) this.#hall.channel.record(draft);
  }

  delta: Hooks["delta"] = (events) => {
    if (events.some(({ type }) => type === "fail")) this.#forget();
    const at = this.#of === "files" ? events.findIndex(({ type }) => type === "call") : -1;
    if (at === -1) return this.#take(events)?.then((hits) => this.#decide(hits));
    // A call ends the texts before it.
    const before = this.#take(events.slice(0, at), "end");
    this.#wantAll();
    const since = this.#take(events.slice(at));
    if (!before && !since) return undefined;
    return Promise.all([before ?? [], since ?? []]).then((hits) => this.#decide(hits.flat()));
  };

  #take(events: Parameters<Hooks["delta"]>[0], then?: "end"): Promise<Hit<Rule>[]> | undefined {
    this.#refresh();
    this.#streams?.take(events);
    if (then === "end") this.#streams?.end();
    return this.#matcher?.look();
  }

  #wantAll(): void {
    this.#isStale ||= this.#of === "files";
    this.#of = "everybody";
  }

  /** Checks what a call really adds, which its arguments may not have shown. */
  call: Hooks["call"] = async (view) => {
    this.#wantAll();
    this.#refresh();
    if (!this.#matcher) return { do: "allow" };
    const broken = this.#broken(await this.#hitsOf(view, this.#matcher));
    if (broken.length === 0) return { do: "allow" };
    this.#hall.channel.record(this.#reminded.note(broken.map(({ name }) => name)));
    return { do: "deny", reason: reminderText(broken, interruptProse) };
  };

  async #hitsOf({ call, tool, input, intent }: CallView, matcher: RuleMatcher<Rule>): Promise<Hit<Rule>[]> {
    const { cwd } = this.#hall.capabilities.files.place;
    // A call that only changes files counts as an edit, whichever tool it is.
    const source = { of: "tool", call: call.id, tool: tool.adds ? tool.name : "edit" } as const;
    const find = async (path = "", text: string): Promise<Hit<Rule>[]> => {
      const real = intent.paths.find((touch) => touch.path === resolve(cwd, path))?.real ?? path;
      for (const name of new Set([path, real])) {
        const key = `call/${call.id}/${name}`;
        matcher.push(key, { ...source, path: name }, text);
        matcher.close(key);
      }
      return (await matcher.look()) ?? [];
    };
    const hits: Hit<Rule>[] = [];
    for (const { path, text, before } of await addedBy(tool, input, intent)) {
      const found = await find(path, text);
      // A match that was in the replaced text is not new.
      const old = found.length > 0 && before ? rulesOf(await find(path, before)) : [];
      hits.push(...found.filter(({ rule }) => !old.includes(rule)));
    }
    return hits;
  }

  result: Hooks["result"] = ({ call }, outcome) => {
    const rules = this.#atResult.get(call.id);
    if (!rules) return;
    this.#atResult.delete(call.id);
    this.#hall.channel.record(this.#reminded.note(rules.map(({ name }) => name)));
    this.#announce(rules, "result");
    return { ...outcome, reminders: [...(outcome.reminders ?? []), reminderText(rules, reminderProse)] };
  };

  settle: Hooks["settle"] = () => {
    const note = this.#takeReminders();
    return note.length > 0 ? { do: "go on", note } : { do: "done" };
  };

  #decide(hits: readonly Hit<Rule>[]): Interrupt | undefined {
    const broken = this.#broken(hits);
    if (broken.length === 0) return undefined;
    this.#isWhole = false;
    this.#forget();
    const keep = this.#hall.settings.get("ttsr.contextMode") === "keep";
    return { do: "interrupt", keep, note: this.#note(broken, interruptProse) };
  }

  /** The rules to interrupt for now; notes a later reminder of the others. */
  #broken(hits: readonly Hit<Rule>[]): Rule[] {
    const fresh = hits.filter(({ rule }) => !this.#waits(rule));
    const now = this.#now;
    const broken = rulesOf(fresh.filter((hit) => this.#stops(hit))).slice(0, mostAtOnce);
    if (broken.length > 0 && now.stops < mostStops) {
      now.stops++;
      this.#announce(broken, "stopped");
      return broken;
    }
    for (const { rule, source } of fresh) {
      if (this.#waits(rule) || now.reminders >= mostReminders) continue;
      now.reminders++;
      if (source.of === "tool") this.#atResult.set(source.call, [...(this.#atResult.get(source.call) ?? []), rule]);
      else this.#after.push(rule);
    }
    return [];
  }

  #forget(): void {
    this.#atResult.clear();
    this.#after = [];
  }

  /** True when a reminder of the rule is already planned. */
  #waits = (rule: Rule): boolean =>
    [...this.#atResult.values(), this.#after].some((rules) => rules.some(({ name }) => name === rule.name));

  #stops = ({ rule, source }: Hit<Rule>): boolean =>
    interrupts(rule.watch.interrupts ?? this.#hall.settings.get("ttsr.interruptMode"), source);

  #takeReminders(): EntryDraft[] {
    const rules = this.#after.splice(0);
    if (rules.length === 0) return [];
    this.#announce(rules, "after");
    return this.#note(rules, reminderProse);
  }

  #note(rules: readonly Rule[], prose: string): EntryDraft[] {
    const names = rules.map(({ name }) => name);
    const content = reminderText(rules, prose);
    const details = { rules: names };
    return [
      { type: "custom_message", customType: "ttsr-injection", content, details, display: false },
      this.#reminded.note(names),
    ];
  }

  #announce(all: readonly Rule[], how: "stopped" | "result" | "after"): void {
    const rules = all.map(({ name, item }) => ({ name, path: item.file }));
    this.#hall.channel.announce({ type: "reminded", rules, how });
  }

  /** Warns of patterns that are no code of the files a rule names; one that names none may mean other languages. */
  #warnInvalid = ({ name, item: { data, file }, watch: { scopes } }: Rule, why: string): void => {
    const names = data.globs.length > 0 || scopes.some((scope) => scope.of === "tool" && scope.files !== undefined);
    if (!names || this.#warned.has(name)) return;
    this.#warned.add(name);
    this.#hall.channel.notify({ level: "warn", text: `${file}: astCondition: ${why}` });
  };

  /** Reads the rules again where that is due; builds nothing anew if they are the same. */
  #refresh(): void {
    if (!this.#isStale) return;
    const { capabilities, tools, channel } = this.#hall;
    this.#reminded.refresh();
    const { winners } = capabilities.rules("watching", this.#of);
    this.#isStale = false;
    if (winners.length === this.#rules.length && winners.every(({ data }, at) => data === this.#rules[at]?.data))
      return;
    this.#rules = winners;
    const toolName = (tool: string) => tools.meant(tool)?.name ?? tool;
    const minds = (item: Item<"rule">) => (source: StreamSource) =>
      this.#reminded.may(item.name) && watches(item, source, capabilities.files, toolName);
    const rules = winners.flatMap((item): Rule[] => {
      const { watch } = item.data;
      return watch ? [{ name: item.name, item, watch, minds: minds(item) }] : [];
    });
    const warn = ({ source }: { source: string }, why: string) =>
      channel.notify({ level: "warn", text: `A rule cannot look for ${source}: ${why}` });
    this.#matcher = this.#streams = undefined;
    if (rules.length === 0) return;
    // Few projects have such rules.
    const { Engine }: typeof import("./engine.ts") = require("./engine.ts");
    const { RuleMatcher }: typeof import("./matcher.ts") = require("./matcher.ts");
    const { Streams }: typeof import("./streams.ts") = require("./streams.ts");
    this.#matcher = new RuleMatcher(rules, () => Engine.load(warn), this.#warnInvalid);
    const opens = (name: string) => {
      const tool = tools.get(name) ?? tools.meant(name);
      return { tool: tool?.name ?? name, adding: tool?.adds?.() ?? saying() };
    };
    this.#streams = new Streams(this.#matcher, opens);
  }
}

function reminderText(rules: readonly Rule[], prose: string): string {
  let left = mostText;
  const texts = rules.map(({ name, item: { file, data } }) => {
    const text = data.text.length > left ? `${data.text.slice(0, left)}… (all of it: rule://${name})` : data.text;
    left -= Math.min(left, data.text.length);
    return fill(prose, { name: quoted(name), path: quoted(file), text }).trim();
  });
  return texts.join("\n\n");
}

const rulesOf = (hits: readonly Hit<Rule>[]): Rule[] => [
  ...new Map(hits.map(({ rule }) => [rule.name, rule])).values(),
];

/** The text for an attribute in quotes. */
const quoted = (text: string): string => text.replace(/[<>"&\n]/g, " ");

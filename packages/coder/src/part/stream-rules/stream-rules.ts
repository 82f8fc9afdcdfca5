import { resolve } from "node:path";
import {
  type CallView,
  type EntryDraft,
  type Hook,
  type Interrupt,
  perTurn,
  type TurnView,
  type Verdict,
} from "@pith/agent";
import { fill } from "@pith/kit";
import type { Item } from "../../capability/item.ts";
import { saying } from "../../edit/added/added.ts";
import type { Hall } from "../../hall/hall.ts";
import type { MakePart } from "../../hall/part.ts";
import { addedBy } from "./change.ts";
import { Engine } from "./engine.ts";
import interruptProse from "./interrupt.md" with { type: "text" };
import { Reminded } from "./reminded.ts";
import reminderProse from "./reminder.md" with { type: "text" };
import { stops, watches } from "./scope.ts";
import { Streams } from "./streams.ts";
import { type Hit, Watch } from "./watch.ts";
import type { Source, Watcher } from "./watcher.ts";

/** More stops in one turn than these are no help: what is broken then is only told. */
const mostStops = 5;
/** So many rules at once, so many reminders after that, and so much text: whoever wrote them, they fill no conversation. */
const mostAtOnce = 20;
const mostTold = 20;
const mostText = 16_000;

type Needs = "capabilities" | "channel" | "settings" | "tools" | "tree";

interface Rule extends Watcher {
  item: Item<"rule">;
}

/** Rules that watch what streams: an answer that breaks one is stopped, and the model is told why. */
export const streamRules: MakePart<Needs> = (hall) => ({ name: "stream rules", hooks: [new RuleHook(hall)] });

class RuleHook implements Hook {
  readonly name = "stream rules";
  readonly #hall: Pick<Hall, Needs>;
  readonly #reminded: Reminded;
  readonly #turn = perTurn(() => ({ stops: 0, told: 0, fresh: true }));
  #now = this.#turn({ id: "" });
  #rules: readonly Item<"rule">[] = [];
  /** Rules are looked up when the request has gone out; at the latest when something comes. */
  #due = false;
  /** What is built in watches calls alone, and is not even read before there is one. */
  #of: "everybody" | "files" = "files";
  #watch: Watch<Rule> | undefined;
  #streams: Streams<Rule> | undefined;
  /** The last answer came to its end; before the first there is none. */
  #whole = false;
  /** What the result of a call will say: it counts as said once there is a result. */
  readonly #atResult = new Map<string, Rule[]>();
  /** What the model is told after its answer. */
  #after: Rule[] = [];
  /** Rules of which people were told that they cannot be used. */
  readonly #told = new Set<string>();

  constructor(hall: Pick<Hall, Needs>) {
    this.#hall = hall;
    const { settings, tree } = hall;
    this.#reminded = new Reminded(tree, () => ({
      mode: settings.get("ttsr.repeatMode"),
      gap: settings.get("ttsr.repeatGap"),
    }));
  }

  step(turn: TurnView): { do: "go" } {
    const now = this.#turn(turn);
    this.#now = now;
    if (this.#whole) this.#reminded.answered();
    this.#whole = true;
    if (now.fresh) {
      this.#due = true;
      setImmediate(() => {
        // What goes wrong is told by whoever needs it.
        try {
          this.#refresh();
        } catch {}
      });
    }
    now.fresh = false;
    this.#streams?.reset();
    this.#atResult.clear();
    // The answer went on with calls: their results are there by now.
    for (const draft of this.#afterwards()) this.#hall.channel.record(draft);
    return { do: "go" };
  }

  delta(events: Parameters<NonNullable<Hook["delta"]>>[0]): ReturnType<NonNullable<Hook["delta"]>> {
    if (events.some(({ type }) => type === "fail")) this.#forget();
    const at = this.#of === "files" ? events.findIndex(({ type }) => type === "call") : -1;
    if (at === -1) return this.#hear(events)?.then((hits) => this.#decide(hits));
    // What was said before a call is over when it comes.
    const before = this.#hear(events.slice(0, at), "over");
    this.#wantAll();
    const since = this.#hear(events.slice(at));
    if (!before && !since) return undefined;
    return Promise.all([before ?? [], since ?? []]).then((hits) => this.#decide(hits.flat()));
  }

  #hear(events: Parameters<NonNullable<Hook["delta"]>>[0], then?: "over"): Promise<Hit<Rule>[]> | undefined {
    this.#refresh();
    this.#streams?.take(events);
    if (then === "over") this.#streams?.end();
    return this.#watch?.look();
  }

  #wantAll(): void {
    if (this.#of === "everybody") return;
    this.#of = "everybody";
    this.#due = true;
  }

  /** The last word before something is done: what it really adds, in whatever words it was said. */
  async call(view: CallView): Promise<Verdict> {
    this.#wantAll();
    this.#refresh();
    const watch = this.#watch;
    if (!watch) return { do: "allow" };
    const broken = this.#broken(await this.#brokenBy(view, watch));
    if (broken.length === 0) return { do: "allow" };
    this.#hall.channel.record(this.#reminded.note(broken.map(({ name }) => name)));
    return { do: "deny", reason: this.#words(broken, interruptProse) };
  }

  async #brokenBy({ call, tool, input, intent }: CallView, watch: Watch<Rule>): Promise<Hit<Rule>[]> {
    const { cwd } = this.#hall.capabilities.look.place;
    // A file is what links lead to, too.
    const names = (path = "") => [
      ...new Set([path, intent.paths.find((touch) => touch.path === resolve(cwd, path))?.real ?? path]),
    ];
    // What changes files and nothing else is an edit, whoever makes it.
    const source = (path: string) => ({
      of: "tool" as const,
      call: call.id,
      tool: tool.adds ? tool.name : "edit",
      path,
    });
    const find = async (path: string | undefined, text: string): Promise<Hit<Rule>[]> => {
      const keys = names(path).map((name) => `call/${call.id}/${name}`);
      for (const [at, name] of names(path).entries()) watch.push(keys[at] ?? "", source(name), text);
      watch.close(...keys);
      return (await watch.look()) ?? [];
    };
    const hits: Hit<Rule>[] = [];
    for (const { path, text, before } of await addedBy(tool, input, intent)) {
      const found = await find(path, text);
      // What stood there before is nobody's fault now.
      const old = found.length > 0 && before ? rulesOf(await find(path, before)) : [];
      hits.push(...found.filter(({ rule }) => !old.includes(rule)));
    }
    return hits;
  }

  result: NonNullable<Hook["result"]> = ({ call }, outcome) => {
    const rules = this.#atResult.get(call.id);
    if (!rules) return outcome;
    this.#atResult.delete(call.id);
    this.#hall.channel.record(this.#reminded.note(rules.map(({ name }) => name)));
    this.#tell(rules, "result");
    return { ...outcome, reminders: [...(outcome.reminders ?? []), this.#words(rules, reminderProse)] };
  };

  settle: NonNullable<Hook["settle"]> = () => {
    const note = this.#afterwards();
    return note.length > 0 ? { do: "go on", note } : { do: "done" };
  };

  #decide(hits: readonly Hit<Rule>[]): Interrupt | undefined {
    const broken = this.#broken(hits);
    if (broken.length === 0) return undefined;
    this.#whole = false;
    this.#forget();
    const keep = this.#hall.settings.get("ttsr.contextMode") === "keep";
    return { do: "interrupt", keep, note: this.#note(broken, interruptProse) };
  }

  /** The rules for which it is stopped now; of the others the model is told later. */
  #broken(hits: readonly Hit<Rule>[]): Rule[] {
    const fresh = hits.filter(({ rule }) => !this.#waits(rule));
    const now = this.#now;
    const broken = rulesOf(fresh.filter((hit) => this.#stops(hit))).slice(0, mostAtOnce);
    if (broken.length > 0 && now.stops < mostStops) {
      now.stops++;
      this.#tell(broken, "stopped");
      return broken;
    }
    for (const { rule, source } of fresh) {
      if (this.#waits(rule) || now.told >= mostTold) continue;
      now.told++;
      if (source.of === "tool") this.#atResult.set(source.call, [...(this.#atResult.get(source.call) ?? []), rule]);
      else this.#after.push(rule);
    }
    return [];
  }

  #forget(): void {
    this.#atResult.clear();
    this.#after = [];
  }

  /** It is about to be said already. */
  #waits = (rule: Rule): boolean =>
    [...this.#atResult.values(), this.#after].some((rules) => rules.some(({ name }) => name === rule.name));

  #stops = ({ rule, source }: Hit<Rule>): boolean =>
    stops(rule.watch.interrupts ?? this.#hall.settings.get("ttsr.interruptMode"), source);

  #afterwards(): EntryDraft[] {
    const rules = this.#after.splice(0);
    if (rules.length > 0) this.#tell(rules, "after");
    return rules.length > 0 ? this.#note(rules, reminderProse) : [];
  }

  #note(rules: readonly Rule[], prose: string): EntryDraft[] {
    const names = rules.map(({ name }) => name);
    return [
      {
        type: "custom_message",
        customType: "ttsr-injection",
        content: this.#words(rules, prose),
        details: { rules: names },
        display: false,
      },
      this.#reminded.note(names),
    ];
  }

  #words(rules: readonly Rule[], prose: string): string {
    let left = mostText;
    const words = rules.map(({ name, item: { file, data } }) => {
      const text = data.text.length > left ? `${data.text.slice(0, left)}… (all of it: rule://${name})` : data.text;
      left -= Math.min(left, data.text.length);
      return fill(prose, { name: quoted(name), path: quoted(file), text }).trim();
    });
    return words.join("\n\n");
  }

  #tell(rules: readonly Rule[], how: "stopped" | "result" | "after"): void {
    const { channel } = this.#hall;
    channel.announce({
      type: "reminded",
      rules: rules.map(({ name, item }) => ({ name, path: item.file })),
      how,
    });
  }

  /** Shapes that are no code of the files that a rule itself names; other languages may be meant by others. */
  #unread = ({ name, item: { data, file }, watch: { scopes } }: Rule, why: string): void => {
    const names = data.globs.length > 0 || scopes.some((scope) => scope.of === "tool" && scope.files !== undefined);
    if (!names || this.#told.has(name)) return;
    this.#told.add(name);
    this.#hall.channel.notify({ level: "warn", text: `${file}: astCondition: ${why}` });
  };

  /** The rules as they stand now; nothing is built anew where nothing has changed. */
  #refresh(): void {
    if (!this.#due) return;
    const { capabilities, tools, channel } = this.#hall;
    this.#reminded.refresh();
    const { winners } = capabilities.rules("watching", this.#of);
    this.#due = false;
    if (winners.length === this.#rules.length && winners.every(({ data }, at) => data === this.#rules[at]?.data))
      return;
    this.#rules = winners;
    const named = (tool: string) => tools.meant(tool)?.name ?? tool;
    const minds = (item: Item<"rule">) => (source: Source) =>
      this.#reminded.may(item.name) && watches(item, source, capabilities.look, named);
    const rules = winners.flatMap((item): Rule[] => {
      const { watch } = item.data;
      return watch ? [{ name: item.name, item, watch, minds: minds(item) }] : [];
    });
    const load = () =>
      Engine.load(({ source }, why) =>
        channel.notify({ level: "warn", text: `A rule cannot look for ${source}: ${why}` }),
      );
    this.#watch = rules.length > 0 ? new Watch(rules, load, this.#unread) : undefined;
    const opens = (name: string) => {
      const tool = tools.get(name) ?? tools.meant(name);
      return { tool: tool?.name ?? name, adding: tool?.adds?.() ?? saying() };
    };
    this.#streams = this.#watch && new Streams(this.#watch, opens);
  }
}

const rulesOf = (hits: readonly Hit<Rule>[]): Rule[] => [
  ...new Map(hits.map(({ rule }) => [rule.name, rule])).values(),
];

/** In an attribute between quotes. */
const quoted = (text: string): string => text.replace(/[<>"&\n]/g, " ");

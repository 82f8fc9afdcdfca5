import type { Channel, EntryDraft, Prompt, SessionTree } from "@pith/agent";
import type { ToolSpec } from "@pith/llm";
import { promptDraft, recordedPrompt, type Told } from "../session/recorded.ts";
import type { Offering } from "./offering.ts";
import type { WantedWords } from "./prompt.ts";

export interface BriefingSources {
  tree: SessionTree;
  channel: Channel;
  offering: Offering;
  dialect: Told["dialect"];
  /** The kind of model that is asked. */
  profile?(): string;
  /** The blocks of the system prompt, as they would be said now. */
  words: readonly (() => readonly string[])[];
  /** Who may say all of them in another way. */
  every?: WantedWords["every"];
  /** What they are passed through: they quote files. */
  mask?(text: string): string;
  /** What those words were made of, as they were last said; and whether that is still so. */
  made?(): Told["made"];
  stands?(): boolean;
}

/**
 * What the model was told before the conversation: its words, its tools and the dialect of its edits, always of one
 * piece. What the record holds is said again word for word, so that servers find what they have cached. Tools that came
 * or changed are told of in their list, one that went stays there and says so when it is called; only for a model of
 * another kind, for exactly these tools, or when somebody asks for it, all of it is said anew. Each time there is one
 * line to the user and an entry in the record.
 */
export class Briefing {
  readonly #sources: BriefingSources;
  #told: Told | undefined;
  /** The tools it was made of. */
  #specs: readonly ToolSpec[] = [];
  #state: "recorded" | "to be recorded" = "recorded";
  /** As it was last made anew, and as it was last looked at before it was said. */
  #made: Told | undefined;
  #drafted: Told | undefined;

  constructor(sources: BriefingSources) {
    this.#sources = sources;
  }

  /** For one step. Tools that have come since are told of from here on. */
  current(): Prompt {
    const { offering, channel } = this.#sources;
    const told = this.#settled();
    const { specs } = offering;
    if (specs !== this.#specs) {
      // What was looked for comes without a word: the looking was seen.
      const found = specs.filter(({ name }) => offering.isFound(name));
      const news = differs([...found, ...told.tools], specs);
      this.#specs = specs;
      this.#told = this.#brought(told);
      if (news) this.#tell(news);
    }
    for (const draft of this.opening()) channel.record(draft);
    return this.#settled();
  }

  /** As it stands, for a look: nothing is recorded of it. */
  told(): Prompt {
    return this.#settled();
  }

  /** As it will be recorded, unless what it is made of changes meanwhile; nothing is, for now. */
  draft(): EntryDraft {
    const told = this.#settled();
    if (this.#state === "to be recorded") this.#drafted = told;
    return promptDraft(told);
  }

  /** What is not yet in the record. */
  opening(): EntryDraft[] {
    const told = this.#settled();
    if (this.#state === "recorded") return [];
    // Somebody may have changed it while the first prompt was typed.
    const changed = told === this.#drafted && told === this.#made && this.#sources.stands?.() === false;
    return [changed ? this.anew() : this.#recorded(told)];
  }

  /** Says all of it anew from the next step on: after a change of profile, a compaction. */
  renew(reason: string): void {
    this.#told = this.#fresh();
    this.#specs = this.#sources.offering.specs;
    this.#state = "to be recorded";
    this.#tell(reason);
  }

  /** The same for a write that begins the conversation anew: what is to be recorded of it, and no word to anybody. */
  anew(): EntryDraft {
    this.#told = this.#fresh();
    this.#specs = this.#sources.offering.specs;
    return this.#recorded(this.#told);
  }

  #recorded(told: Told): EntryDraft {
    this.#state = "recorded";
    return promptDraft(told);
  }

  /** What the record holds, as long as it is true; decided when it is first needed, with all tools there. */
  #settled(): Told {
    if (this.#told) {
      const other = this.#another(this.#told);
      if (other) this.renew(other);
      return this.#told;
    }
    const { tree, offering } = this.#sources;
    const recorded = recordedPrompt(tree);
    const other = this.#another(recorded);
    if (recorded && !other) offering.find(recorded.tools.map(({ name }) => name));
    this.#specs = offering.specs;
    const anew = other ?? (recorded && this.#tooMany(recorded));
    const reason = anew ?? (recorded && differs(recorded.tools, offering.specs));
    this.#told = recorded && !anew ? this.#brought(recorded) : this.#fresh();
    if (!recorded || anew) this.#state = "to be recorded";
    if (reason) this.#tell(reason);
    return this.#told;
  }

  /** Where exactly some tools are wanted, why what was told of others must not be said again. */
  #tooMany({ tools, later = [] }: Told): string | undefined {
    const { isExact, specs } = this.#sources.offering;
    // One that comes by itself is only not there yet.
    const there = tools.filter(({ name }) => !later.includes(name));
    return isExact ? differs(specs, there, "the other way") : undefined;
  }

  /** The same with the tools that have come since or changed; what stands before them stays as it is. */
  #brought(told: Told): Told {
    const { specs, later } = this.#sources.offering;
    if (!differs(told.tools, specs)) return told;
    this.#state = "to be recorded";
    return { ...told, tools: joined(told.tools, specs), later };
  }

  /** Why a model of another kind must be told something else. */
  #another(told: Told | undefined): string | undefined {
    const now = this.#sources.profile?.();
    const before = told?.profile;
    return before === undefined || now === undefined || before === now
      ? undefined
      : `the model that is asked now is of the profile ${now}`;
  }

  #fresh(): Told {
    const profile = this.#sources.profile?.();
    const { words, every, offering, dialect, made, mask = (text: string) => text } = this.#sources;
    const blocks = words.flatMap((block) => block());
    const system = (every?.(blocks) ?? blocks).map(mask);
    this.#made = { system, tools: offering.specs, dialect, later: offering.later, made: made?.(), profile };
    return this.#made;
  }

  #tell(reason: string): void {
    this.#sources.channel.notify({ level: "info", text: `The model is told its instructions anew: ${reason}.` });
  }
}

/** What was told stays as it was told; what has changed or is new is told as it is now. */
function joined(told: readonly ToolSpec[], now: readonly ToolSpec[]): ToolSpec[] {
  const fresh = new Map(now.map((spec) => [spec.name, spec]));
  const kept = told.map((spec) => {
    const current = fresh.get(spec.name) ?? spec;
    fresh.delete(spec.name);
    return shape(current) === shape(spec) ? spec : current;
  });
  return [...kept, ...fresh.values()];
}

/**
 * What has come or changed since tools were told of; undefined while nothing has. Other words for the same tool are no
 * change. Read the other way round, what came is what went.
 */
function differs(told: readonly ToolSpec[], now: readonly ToolSpec[], way?: "the other way"): string | undefined {
  const before = new Map(told.map((spec) => [spec.name, spec]));
  const fresh = now.filter(({ name }) => !before.has(name)).map(({ name }) => name);
  const changed = now.filter((spec) => shape(before.get(spec.name) ?? spec) !== shape(spec)).map(({ name }) => name);
  const changes = [
    ...(fresh.length > 0 ? [`${fresh.join(", ")} ${way ? "went" : "came"}`] : []),
    ...(changed.length > 0 ? [`${changed.join(", ")} changed`] : []),
  ];
  return changes.length > 0 ? `of its tools ${changes.join(", ")}` : undefined;
}

const shape = ({ parameters, freeform }: ToolSpec): string => JSON.stringify([parameters, freeform]);

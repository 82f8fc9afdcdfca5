import type { Channel, EntryDraft, Prompt, SessionTree } from "@pith/agent";
import type { ToolSpec } from "@pith/llm";
import { promptDraft, type RecordedPrompt, recordedPrompt } from "../session/recorded.ts";
import type { Offering } from "./offering.ts";
import type { WantedWords } from "./prompt.ts";

export interface BriefingSources {
  tree: SessionTree;
  channel: Channel;
  offering: Offering;
  dialect: RecordedPrompt["dialect"];
  /** The profile of the model. */
  profile?(): string;
  /** Blocks of the system prompt, as they would be told now. */
  words: readonly (() => readonly string[])[];
  /** Replaces all of them. */
  every?: WantedWords["every"];
  /** Masks them, because they quote files. */
  mask?(text: string): string;
  /** Hashes of the files that the blocks were made of. */
  made?(): RecordedPrompt["made"];
  /** True while the files are as they were. */
  isCurrent?(): boolean;
}

/**
 * The prompt of a conversation: system blocks, tools and dialect of edits, always made together. A recorded prompt is
 * repeated word for word, so that servers find it in their caches. New and changed tools are added to its list; a tool
 * that is gone stays in the list and answers so when it is called. The whole prompt is made again only for a model of
 * another profile, for an exact list of tools, or on request; then there is a notice and an entry in the record.
 */
export class Briefing {
  readonly #sources: BriefingSources;
  #told: RecordedPrompt | undefined;
  /** The tools that it was made of. */
  #specs: readonly ToolSpec[] = [];
  #state: "recorded" | "to be recorded" = "recorded";
  /** The prompt as it was last made, and as it was last drafted. */
  #made: RecordedPrompt | undefined;
  #drafted: RecordedPrompt | undefined;

  constructor(sources: BriefingSources) {
    this.#sources = sources;
  }

  /** Returns the prompt for a step, with the tools that have come since. Records it when it has changed. */
  current(): Prompt {
    const { offering, channel } = this.#sources;
    const told = this.#settled();
    const { specs } = offering;
    if (specs !== this.#specs) {
      // No notice for tools that were searched for: the search was shown.
      const found = specs.filter(({ name }) => offering.isFound(name));
      const news = differs([...found, ...told.tools], specs);
      this.#specs = specs;
      this.#told = this.#brought(told);
      if (news) this.#tell(news);
    }
    for (const draft of this.opening()) channel.record(draft);
    return this.#settled();
  }

  /** Returns the prompt without recording anything. */
  told(): Prompt {
    return this.#settled();
  }

  /** Returns the entry that will be recorded, unless its files change meanwhile. */
  draft(): EntryDraft {
    const told = this.#settled();
    if (this.#state === "to be recorded") this.#drafted = told;
    return promptDraft(told);
  }

  /** Returns the entry that is not recorded yet. */
  opening(): EntryDraft[] {
    const told = this.#settled();
    if (this.#state === "recorded") return [];
    // Files may have changed while the first input was typed.
    const changed = told === this.#drafted && told === this.#made && this.#sources.isCurrent?.() === false;
    return [changed ? this.anew() : this.#recorded(told)];
  }

  /** Makes the prompt again from the next step on. */
  renew(reason: string): void {
    this.#told = this.#fresh();
    this.#specs = this.#sources.offering.specs;
    this.#state = "to be recorded";
    this.#tell(reason);
  }

  /** Makes the prompt again without a notice, and returns its entry for the caller to record. */
  anew(): EntryDraft {
    this.#told = this.#fresh();
    this.#specs = this.#sources.offering.specs;
    return this.#recorded(this.#told);
  }

  #recorded(told: RecordedPrompt): EntryDraft {
    this.#state = "recorded";
    return promptDraft(told);
  }

  /** Returns the recorded prompt while it holds. Decided when first needed, because all tools must be there. */
  #settled(): RecordedPrompt {
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

  /** Returns why a recorded list of tools cannot be repeated when exactly some tools are wanted. */
  #tooMany({ tools, later = [] }: RecordedPrompt): string | undefined {
    const { isExact, specs } = this.#sources.offering;
    // A tool that came later by itself may come again.
    const there = tools.filter(({ name }) => !later.includes(name));
    return isExact ? differs(specs, there, "the other way") : undefined;
  }

  /** Adds the tools that have come since or changed; those before them stay as they were told. */
  #brought(told: RecordedPrompt): RecordedPrompt {
    const { specs, later } = this.#sources.offering;
    if (!differs(told.tools, specs)) return told;
    this.#state = "to be recorded";
    return { ...told, tools: joined(told.tools, specs), later };
  }

  /** Returns why the model needs another prompt: its profile is another one. */
  #another(told: RecordedPrompt | undefined): string | undefined {
    const now = this.#sources.profile?.();
    const before = told?.profile;
    return before === undefined || now === undefined || before === now
      ? undefined
      : `the model now has the profile ${now}`;
  }

  #fresh(): RecordedPrompt {
    const profile = this.#sources.profile?.();
    const { words, every, offering, dialect, made, mask = (text: string) => text } = this.#sources;
    const blocks = words.flatMap((block) => block());
    const system = (every?.(blocks) ?? blocks).map(mask);
    this.#made = { system, tools: offering.specs, dialect, later: offering.later, made: made?.(), profile };
    return this.#made;
  }

  #tell(reason: string): void {
    this.#sources.channel.notify({ level: "info", text: `The model gets its instructions again (${reason}).` });
  }
}

/** Joins tools: unchanged ones as they were told, changed and new ones as they are now. */
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
 * Describes which tools have come or changed; undefined when none have. A new description alone is no change. With "the
 * other way" the arguments are swapped, and new tools are those that went.
 */
function differs(told: readonly ToolSpec[], now: readonly ToolSpec[], way?: "the other way"): string | undefined {
  const before = new Map(told.map((spec) => [spec.name, spec]));
  const fresh = now.filter(({ name }) => !before.has(name)).map(({ name }) => name);
  const changed = now.filter((spec) => shape(before.get(spec.name) ?? spec) !== shape(spec)).map(({ name }) => name);
  const changes = [
    ...(fresh.length > 0 ? [`${way ? "removed" : "new"} tools: ${fresh.join(", ")}`] : []),
    ...(changed.length > 0 ? [`changed tools: ${changed.join(", ")}`] : []),
  ];
  return changes.length > 0 ? changes.join("; ") : undefined;
}

const shape = ({ parameters, freeform }: ToolSpec): string => JSON.stringify([parameters, freeform]);

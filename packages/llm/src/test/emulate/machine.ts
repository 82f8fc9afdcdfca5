import type { Scene } from "../fake.ts";
import { qwen, type Weights } from "./model.ts";
import { type Frame, type Quirk, quirks } from "./quirk.ts";
import type { Mind, Seen, Told } from "./seen.ts";
import { type Counts, Slot, tokensIn } from "./slot.ts";
import { answered, prompt, type TemplateName, templates } from "./template.ts";

export interface Setup {
  mind?: Mind;
  models?: readonly Weights[];
  template?: TemplateName;
  quirks?: readonly string[];
}

/** Why a request gets no answer; every server has its own words for it. */
export type Refusal = {
  why: "overflow" | "template" | "tools" | "thinking" | "images" | "missing" | "loading" | "invalid";
  said: string;
  prompt?: number;
  window?: number;
};

export interface Reply {
  scene: Scene;
  counts: Counts;
}

/** The part that all servers share: a model, its template, one slot, and what is odd about them today. */
export class Machine {
  readonly models: readonly Weights[];
  /** May be changed while it runs. */
  readonly quirks: Set<string>;
  template: TemplateName;
  readonly seen: Seen[] = [];
  readonly counts: Counts[] = [];
  readonly refusals: Refusal[] = [];
  readonly #mind: Mind;
  readonly #slot = new Slot();
  /** Model in memory and its window. */
  loaded: { id: string; window: number } | undefined;

  constructor({ mind = () => ({ text: "ok" }), models = [qwen], template = "open", quirks: odd = [] }: Setup) {
    const unknown = odd.find((name) => !(name in quirks));
    if (unknown !== undefined) throw new Error(`no quirk "${unknown}"; there are: ${Object.keys(quirks).join(", ")}`);
    this.#mind = mind;
    this.models = models;
    this.template = template;
    this.quirks = new Set(odd);
  }

  has(quirk: string): boolean {
    return this.quirks.has(quirk);
  }

  find(id: unknown): Weights | undefined {
    return this.models.find((model) => model.id === id || model.id === `${id}:latest`);
  }

  /** Window that is really used. */
  window(model: Weights, asked?: number): number {
    const window = Math.min(asked ?? model.window, model.trained);
    return this.has("small window") ? Math.floor(window / 4) : window;
  }

  load({ id }: Weights, window: number): void {
    if (this.loaded?.id !== id || this.loaded.window !== window) this.#slot.forget();
    this.loaded = { id, window };
  }

  unload(): void {
    this.loaded = undefined;
    this.#slot.forget();
  }

  answer(asked: Seen, model: Weights, window: number): Reply | Refusal {
    const refusal = this.#refusal(asked, model) ?? this.#fit(asked, window);
    if ("why" in refusal) {
      this.refusals.push(refusal);
      return refusal;
    }
    this.load(model, window);
    const { seen } = refusal;
    this.seen.push(seen);
    let scene = this.#odd().reduce((said, { scene }) => scene?.(said) ?? said, this.#mind(seen));
    const most = Math.min(asked.maxOutput ?? window, window);
    if (tokensIn(scene.text ?? "") > most) scene = { text: (scene.text ?? "").slice(0, most * 4), stop: "length" };
    if (this.has("no cache")) this.#slot.forget();
    const counts = this.#slot.take(prompt(seen), answered(scene));
    this.counts.push(counts);
    return { scene, counts };
  }

  /** The pieces of an answer as they leave. */
  sent(frames: readonly object[]): object[] {
    return frames.flatMap((frame) => {
      let sent: Frame | undefined = frame as Frame;
      for (const { frame: change } of this.#odd()) if (sent && change) sent = change(sent);
      return sent ? [sent] : [];
    });
  }

  /** Prompt tokens as this server reports them. */
  told({ prompt, processed }: Counts): number {
    return this.has("fresh counts") ? processed : prompt;
  }

  #odd(): Quirk[] {
    return [...this.quirks].flatMap((name) => quirks[name] ?? []);
  }

  #refusal({ messages, tools, think }: Seen, { id, can }: Weights): Refusal | undefined {
    if (this.has("loading")) return { why: "loading", said: "Loading model" };
    if (tools.length > 0 && (this.has("no tools") || !can.includes("tools"))) return { why: "tools", said: id };
    if (think && !can.includes("thinking")) return { why: "thinking", said: id };
    if (messages.some(({ images }) => images > 0) && !can.includes("vision")) return { why: "images", said: id };
    const said = templates[this.template].refuses(messages);
    return said === undefined ? undefined : { why: "template", said };
  }

  #fit(asked: Seen, window: number): { seen: Seen } | Refusal {
    const whole = tokensIn(prompt(asked));
    if (whole < window) return { seen: asked };
    if (!this.has("silent cut")) return { why: "overflow", said: "", prompt: whole, window };
    return { seen: { ...asked, messages: cut(asked, window) } };
  }
}

/** The system message and the newest stay; the oldest of the others go until the rest fits, or only an end is left. */
function cut(asked: Seen, window: number): readonly Told[] {
  const head = asked.messages.filter(({ role }) => role === "system");
  let rest = asked.messages.filter(({ role }) => role !== "system");
  const over = () => tokensIn(prompt({ ...asked, messages: [...head, ...rest] })) - window + 1;
  while (rest.length > 1 && over() > 0) rest = rest.slice(1);
  const [last] = rest;
  return last && over() > 0 ? [...head, { ...last, text: last.text.slice(over() * 4) }] : [...head, ...rest];
}

import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { readPlain } from "@pith/kit";
import { type Model, modelName } from "../model/model.ts";

/** How a model's own count compares with ours, over the last that it has read. */
interface Learned {
  counted: number;
  told: number;
  /** Epoch milliseconds: the models of long ago make room. */
  at: number;
}

const most = { models: 200, bytes: 256 * 1024 };
/** Tokens that count: later ones outweigh earlier ones. */
const memory = 20_000;
/** Beyond these, what a server tells is no count of the same text. */
const sound = { least: 0.4, most: 3 };
/** Less than this says nothing: what stands around messages is counted only roughly. */
const least = 100;

/** What has been learned of the models that were asked; kept for all sessions, and no loss when it is lost. */
export class Calibrations {
  readonly #file: string | undefined;
  #models: Map<string, Learned> | undefined;
  #saved = new Map<string, number>();

  constructor(home: string | undefined) {
    this.#file = home === undefined ? undefined : join(home, "cache", "tokens.json");
  }

  /** How many of the model's tokens one of ours is. */
  factor(model: Pick<Model, "vendor" | "id">): number {
    const learned = this.#all().get(modelName(model));
    return learned ? learned.told / learned.counted : usually(model.id);
  }

  /** A text that we counted as so many and the model as so many. */
  learn(model: Pick<Model, "vendor" | "id">, counted: number, told: number, now: number): void {
    if (counted < least || !isSound(counted, told)) return;
    const name = modelName(model);
    const before = this.#all().get(name) ?? { counted: 0, told: 0 };
    const sum = { counted: before.counted + counted, told: before.told + told };
    const shrink = Math.min(1, memory / sum.counted);
    this.#all().set(name, { counted: sum.counted * shrink, told: sum.told * shrink, at: now });
  }

  /** Writes what is worth it; what cannot be written is learned again. */
  save(): void {
    const moved = [...this.#all()].filter(([name, { counted, told }]) => {
      const before = this.#saved.get(name);
      return before === undefined || Math.abs(told / counted / before - 1) > 0.01;
    });
    if (this.#file === undefined || moved.length === 0) return;
    // Others may have learned meanwhile.
    const all = new Map([...readFrom(this.#file), ...moved]);
    const kept = [...all].sort(([, a], [, b]) => b.at - a.at).slice(0, most.models);
    const temp = `${this.#file}.${crypto.randomUUID()}`;
    try {
      mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 });
      writeFileSync(temp, JSON.stringify(Object.fromEntries(kept)), { mode: 0o600 });
      renameSync(temp, this.#file);
    } catch {
      rmSync(temp, { force: true });
    }
    for (const [name, { counted, told }] of moved) this.#saved.set(name, told / counted);
  }

  #all(): Map<string, Learned> {
    if (this.#models) return this.#models;
    this.#models = this.#file === undefined ? new Map() : readFrom(this.#file);
    for (const [name, { counted, told }] of this.#models) this.#saved.set(name, told / counted);
    return this.#models;
  }
}

/** Whether a server's figure can be one of the text that we counted: some leave out what they had cached. */
export const isSound = (counted: number, told: number): boolean =>
  told >= counted * sound.least && told <= counted * sound.most;

/** Before anything was learned. */
const usually = (id: string): number => (/claude/i.test(id) ? 1.15 : 1);

function readFrom(file: string): Map<string, Learned> {
  const read = readPlain(file, { maxBytes: most.bytes });
  try {
    const rows = read.ok ? Object.entries(JSON.parse(read.value) as Record<string, Partial<Learned> | null>) : [];
    return new Map(
      rows.flatMap(([name, row]): [string, Learned][] => {
        const { counted, told, at } = row ?? {};
        const isNumber = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);
        return isNumber(counted) && isNumber(told) && isNumber(at) && counted > 0 && isSound(counted, told)
          ? [[name, { counted, told, at }]]
          : [];
      }),
    );
  } catch {
    return new Map();
  }
}

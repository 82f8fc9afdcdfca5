import { join } from "node:path";
import { parseJson, readPlain, recordOf, tryOr, writeWhole } from "@pith/kit";
import { type Model, modelName } from "../model/model.ts";

/** A model's token counts and ours for the same texts, decayed over time. */
interface Learned {
  counted: number;
  told: number;
  /** Epoch milliseconds; the models not used for longest are dropped first. */
  at: number;
}

const most = { models: 200, bytes: 256 * 1024 };
/** Tokens that are remembered; newer ones outweigh older ones. */
const memory = 20_000;
/** A ratio outside these bounds cannot be a count of the same text. */
const sound = { least: 0.4, most: 3 };
/** Fewer tokens are not learned from: the overhead of messages is counted only roughly. */
const least = 100;

/** Token ratios of the models used so far, shared by all sessions. Losing the file does no harm. */
export class Calibrations {
  readonly #file: string | undefined;
  #models: Map<string, Learned> | undefined;
  #saved = new Map<string, number>();

  constructor(home: string | undefined) {
    this.#file = home === undefined ? undefined : join(home, "cache", "tokens.json");
  }

  /** Tokens of the model per token that we count. */
  factor(model: Pick<Model, "vendor" | "id">): number {
    const learned = this.#all().get(modelName(model));
    return learned ? learned.told / learned.counted : usually(model.id);
  }

  /** Learns from one text: our count and the model's. */
  learn(model: Pick<Model, "vendor" | "id">, counted: number, told: number, now: number): void {
    if (counted < least || !isSound(counted, told)) return;
    const name = modelName(model);
    const before = this.#all().get(name) ?? { counted: 0, told: 0 };
    const sum = { counted: before.counted + counted, told: before.told + told };
    const shrink = Math.min(1, memory / sum.counted);
    this.#all().set(name, { counted: sum.counted * shrink, told: sum.told * shrink, at: now });
  }

  /** Saves ratios that have changed; a failed write is ignored. */
  save(): void {
    const moved = [...this.#all()].filter(([name, { counted, told }]) => {
      const before = this.#saved.get(name);
      return before === undefined || Math.abs(told / counted / before - 1) > 0.01;
    });
    const file = this.#file;
    if (file === undefined || moved.length === 0) return;
    // Another process may have written since.
    const all = new Map([...readFrom(file), ...moved]);
    const kept = [...all].sort(([, a], [, b]) => b.at - a.at).slice(0, most.models);
    tryOr(() => writeWhole(file, JSON.stringify(Object.fromEntries(kept))));
    for (const [name, { counted, told }] of moved) this.#saved.set(name, told / counted);
  }

  #all(): Map<string, Learned> {
    if (this.#models) return this.#models;
    this.#models = this.#file === undefined ? new Map() : readFrom(this.#file);
    for (const [name, { counted, told }] of this.#models) this.#saved.set(name, told / counted);
    return this.#models;
  }
}

/** True when a reported count can be of the text we counted; some servers leave out cached tokens. */
export const isSound = (counted: number, told: number): boolean =>
  told >= counted * sound.least && told <= counted * sound.most;

/** The ratio before anything is learned. */
const usually = (id: string): number => (/claude/i.test(id) ? 1.15 : 1);

function readFrom(file: string): Map<string, Learned> {
  const read = readPlain(file, { maxBytes: most.bytes });
  const rows = Object.entries(recordOf(read.ok && parseJson(read.value)));
  return new Map(
    rows.flatMap(([name, row]): [string, Learned][] => {
      const { counted, told, at } = recordOf(row);
      const isNumber = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);
      return isNumber(counted) && isNumber(told) && isNumber(at) && counted > 0 && isSound(counted, told)
        ? [[name, { counted, told, at }]]
        : [];
    }),
  );
}

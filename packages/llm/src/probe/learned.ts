import { join } from "node:path";
import { defined, fail, hasher, isRecord, messageOf, ok, type Result, readPlain, writeWhole } from "@pith/kit";
import type { Model } from "../model/model.ts";
import type { ServedModel } from "../vendor/local.ts";

/** Findings of a probe about one model on one server. */
export interface LearnedModel {
  /** Calls go through the server's tool support, stand in text, or are not made at all. */
  calls: "native" | "text" | "none";
  /** Dialect of its calls, if one came as text. */
  dialect?: string;
  /** Set for a model that needs the settings for small models, whatever its size. */
  profile?: "local";
  thinking?: true;
  images?: true;
  /** Tokens that arrived, if fewer than the server claims; and the claim. */
  window?: number;
  told?: number;
  /** Epoch milliseconds; the oldest findings are dropped first. */
  at: number;
}

const most = { models: 200, bytes: 256 * 1024 };
const fileIn = (home: string): string => join(home, "cache", "probes.json");

/** Key of a model: changes when its server describes it differently, except for the window. */
export function learnedKey(server: string, { digest, contextWindow: _, ...said }: ServedModel): string {
  const told = digest ?? hasher("sha256").update(JSON.stringify(said)).digest("hex");
  return `${server} ${said.id} ${told.slice(0, 16)}`;
}

/** All findings by key, and what is wrong with their file. */
export interface LearnedModels {
  known: ReadonlyMap<string, LearnedModel>;
  broken?: string;
}

export function readLearned(home: string): LearnedModels {
  const file = fileIn(home);
  const read = readPlain(file, { maxBytes: most.bytes });
  if (!read.ok) return read.kind === "missing" ? none : { ...none, broken: brokenWith(file, read.message) };
  try {
    const rows = JSON.parse(read.value) as unknown;
    if (!isRecord(rows)) return { ...none, broken: brokenWith(file, "no table of models stands in it") };
    const all = Object.entries(rows);
    const known = new Map(all.flatMap(([key, row]) => (isLearned(row) ? [[key, row]] : [])));
    const odd = all.length - known.size;
    return odd === 0
      ? { known }
      : { known, broken: brokenWith(file, `${odd} of its ${all.length} rows cannot be read`) };
  } catch {
    return { ...none, broken: brokenWith(file, "it is not JSON") };
  }
}

const none: LearnedModels = { known: new Map() };
const brokenWith = (file: string, why: string): string =>
  `${file}: ${why}; what a probe learned there is not used (pith models probe writes it anew)`;

/** Findings as facts of a model. A learned window holds only while the server's claim is the same. */
export function learnedFacts(learned: LearnedModel | undefined, contextWindow: number | undefined): Partial<Model> {
  if (!learned) return {};
  const { calls, dialect, profile, thinking, images, window, told } = learned;
  return defined({
    tools: calls === "native",
    dialect,
    profile,
    reasoning: thinking,
    input: images && (["text", "image"] as const),
    contextWindow: told === contextWindow ? window : undefined,
  });
}

export function saveLearned(home: string, key: string, learned: LearnedModel): Result<undefined, "unkept"> {
  const file = fileIn(home);
  const all = [...new Map(readLearned(home).known).set(key, learned)];
  const newest = all.sort(([, a], [, b]) => b.at - a.at).slice(0, most.models);
  try {
    writeWhole(file, JSON.stringify(Object.fromEntries(newest)));
    return ok(undefined);
  } catch (error) {
    return fail("unkept", `what was learned could not be kept: ${messageOf(error)}`);
  }
}

/** Checks a row, which may be written by hand; a window that no prompt fits would stop every conversation. */
function isLearned(row: unknown): row is LearnedModel {
  const { calls, dialect, profile, window, at } = (row ?? {}) as Partial<Record<keyof LearnedModel, unknown>>;
  const fits = window === undefined || (Number.isSafeInteger(window) && (window as number) >= 1024);
  const named = (dialect === undefined || typeof dialect === "string") && (profile ?? "local") === "local";
  return fits && named && typeof at === "number" && ["native", "text", "none"].includes(calls as string);
}

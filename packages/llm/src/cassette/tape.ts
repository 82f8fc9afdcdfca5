import { fail, isRecord, ok, type Result, readPlain } from "@pith/kit";
import type { Compat } from "../model/compat.ts";
import type { Model } from "../model/model.ts";

/** A request and its answer: enough to ask again without a server. */
export interface TapeExchange {
  model: Model;
  compat: Compat;
  byText: boolean;
  body: string;
  /** The HTTP status; absent when no answer came. */
  status?: number;
  headers: Readonly<Record<string, string>>;
  /** The body's chunks in base64, each with the milliseconds since the request. */
  chunks: readonly (readonly [ms: number, bytes: string])[];
  /** `broken`: the connection ended in the middle of the body. */
  end: "whole" | "broken";
}

export const headLine = JSON.stringify({ cassette: 1 });
const most = 512 * 1024 * 1024;

export function readTape(file: string): Result<TapeExchange[], "cassette"> {
  const read = readPlain(file, { maxBytes: most });
  if (!read.ok) return fail("cassette", `the cassette ${file} cannot be read: ${read.message}`);
  const [head, ...lines] = read.value.split("\n");
  if (head !== headLine) return fail("cassette", `${file} is no cassette: its first line is not ${headLine}`);
  const exchanges: TapeExchange[] = [];
  for (const [at, line] of lines.entries()) {
    if (line === "") continue;
    const exchange = exchangeIn(line);
    // The last line of a run that was killed may be half; what came before it is whole.
    if (!exchange && at === lines.length - 1) break;
    if (!exchange) return fail("cassette", `${file}, line ${at + 2}: not an exchange`);
    exchanges.push(exchange);
  }
  return exchanges.length > 0 ? ok(exchanges) : fail("cassette", `nothing was recorded in ${file}`);
}

/** Reads a line without trusting it; undefined if a field has the wrong type. */
function exchangeIn(line: string): TapeExchange | undefined {
  try {
    const value = JSON.parse(line) as Partial<TapeExchange> | null;
    const { model, compat = {}, body, chunks, headers, status = 0 } = value ?? {};
    const sound =
      isModel(model) &&
      isRecord(compat) &&
      typeof body === "string" &&
      isRecord(headers) &&
      Object.values(headers).every((header) => typeof header === "string") &&
      (status === 0 || (Number.isInteger(status) && status >= 200 && status < 600)) &&
      Array.isArray(chunks) &&
      chunks.every(([ms, bytes]) => Number.isFinite(ms) && typeof bytes === "string");
    return sound ? ({ ...value, compat } as TapeExchange) : undefined;
  } catch {
    return undefined;
  }
}

function isModel(value: Partial<Model> | undefined): value is Model {
  if (!isRecord(value)) return false;
  const { vendor, id, api, name, contextWindow, maxOutput, input, cost, compat = {}, thinkingLevelMap = {} } = value;
  const { input: said, output, cacheRead, cacheWrite, tiers = [] } = isRecord(cost) ? cost : {};
  return (
    [vendor, id, api, name].every((text) => typeof text === "string") &&
    [contextWindow, maxOutput, said, output, cacheRead, cacheWrite].every((count) => Number.isFinite(count)) &&
    Array.isArray(input) &&
    input.every((kind) => kind === "text" || kind === "image") &&
    [compat, thinkingLevelMap].every(isRecord) &&
    Array.isArray(tiers) &&
    tiers.every(isRecord)
  );
}

/** A body with ids numbered and dates replaced, since these differ in every run. */
export function comparable(body: string): string {
  const ids = new Map<string, number>();
  return body.replace(
    /\b(?:call_n?[0-9a-f]{31,32}|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})\b|\b20\d\d-\d\d-\d\d(?:T[\d:.]+Z?)?/gi,
    (found) => {
      if (/^20\d\d-/.test(found)) return "<day>";
      if (!ids.has(found)) ids.set(found, ids.size + 1);
      return `<id ${ids.get(found)}>`;
    },
  );
}

/** Describes the first difference between a body and the recorded body most like it. */
export function difference(body: string, recorded: readonly string[]): string {
  const asked = comparable(body);
  const others = recorded.map(comparable);
  const shared = others.map((other) => commonLength(asked, other));
  const at = Math.max(0, ...shared);
  const number = Math.max(0, shared.indexOf(at));
  const around = (text: string) => JSON.stringify(text.slice(Math.max(0, at - 30), at + 60));
  const there = `recorded ${around(others[number] ?? "")}`;
  return `It differs from request ${number + 1} at character ${at + 1}: ${around(asked)}, ${there}`;
}

function commonLength(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  for (let at = 0; at < most; at++) if (a[at] !== b[at]) return at;
  return most;
}

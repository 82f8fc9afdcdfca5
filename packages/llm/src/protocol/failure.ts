import { isRecord } from "@pith/kit";
import type { FailureKind } from "../message/stream.ts";

/** An error that a server reports, in a body or in a stream. */
export interface ErrorReport {
  message: string;
  status?: number;
  code?: string;
  type?: string;
  /** Wait time from the body. */
  retryAfterMs?: number;
}

/** Finds the error in a JSON value, in any of the usual shapes; undefined when there is none. */
export function readError(body: unknown): ErrorReport | undefined {
  const outer = record(Array.isArray(body) ? body[0] : body);
  if (!outer) return undefined;
  if (typeof outer.error === "string") return { message: outer.error };
  const inner = record(outer.error) ?? (outer.object === "error" || outer.type === "error" ? outer : undefined);
  if (!inner) {
    const message = text(outer.message) ?? text(outer.Message) ?? text(outer.detail);
    const type = text(outer.__type);
    return message === undefined ? undefined : { message, type };
  }
  const status = [inner.status, inner.code].map(Number).find((number) => number >= 400 && number < 600);
  // With a numeric code the status is a word: RESOURCE_EXHAUSTED.
  const type = text(inner.type) ?? text(inner.status);
  const message = text(inner.message) ?? JSON.stringify(inner);
  const wait = retryDelay(inner.details) ?? waitIn(message);
  return {
    message,
    status,
    code: text(inner.code),
    type,
    retryAfterMs: wait,
  };
}

/** Kind of a failure. A specific error code beats the status, and the status beats general words. */
export function failureKind({ message, status, code = "", type = "" }: ErrorReport): FailureKind {
  const words = `${code} ${type}`;
  if (status !== 401 && status !== 403 && overflows(words, message, status)) return "overflow";
  return match(exact, words) ?? statusKind(status) ?? match(vague, words) ?? "server";
}

export function statusKind(status: number | undefined): FailureKind | undefined {
  if (status === undefined || status < 300) return undefined;
  return statuses[status] ?? (status >= 500 ? "server" : status >= 400 ? "rejected" : "missing");
}

const statuses: Readonly<Record<number, FailureKind>> = {
  401: "auth",
  402: "auth",
  403: "auth",
  404: "missing",
  405: "missing",
  408: "timeout",
  409: "server",
  413: "overflow",
  429: "rate",
  503: "overload",
  529: "overload",
};

type Row = readonly [RegExp, FailureKind];
const exact: readonly Row[] = [
  // An empty account answers 429 like a busy one, but waiting does not help.
  [/insufficient_(quota|balance|credit)|billing|payment/i, "auth"],
  [/model_not_found|unknown_model/i, "missing"],
  [/content_(filter|policy)/i, "refused"],
];
const tooOften = /rate_?limit|too_?many_?requests|throttling|resource_exhausted/i;
const vague: readonly Row[] = [
  [/api_key|authenti|unauthorized|permission|access_?denied|unrecognized_?client|expired_?token/i, "auth"],
  [tooOften, "rate"],
  [/overload|unavailable|capacity|not_?ready/i, "overload"],
  [/timeout|timed_out|deadline_exceeded/i, "timeout"],
  [/not_?found/i, "missing"],
  [/invalid_request|invalid_argument|failed_precondition|bad_request|unsupported|validation/i, "rejected"],
];
const match = (rows: readonly Row[], words: string) => rows.find(([pattern]) => pattern.test(words))?.[1];

function overflows(words: string, message: string, status: number | undefined): boolean {
  if (/context_length_exceeded|exceed_context_size|context_window|request_too_large/i.test(words)) return true;
  // Rate limits mention tokens too; only a single request above the whole limit is too long.
  if (status === 429 || tooOften.test(words)) return /request too large/i.test(message);
  return tooLong.test(message);
}

const tooLong = new RegExp(
  [
    "(?:maximum|max|model'?s?) (?:context|prompt) length",
    "context (?:length|window|size|limit)[^.]{0,60}\\b(?:exceed|too (?:long|large|small)|not enough|overflow)",
    "\\b(?:exceed|greater|larger|longer)[^.]{0,60}\\b(?:context|token limit|max(?:imum)? (?:number of )?tokens)",
    "context (?:the )?overflow",
    "(?:prompt|input|request|conversation) (?:is |are )?too (?:long|large)",
    "too many (?:input |prompt )?tokens\\b(?! per)",
    "reduce the length of",
    "\\b(?:token count|number of tokens|input length|prompt)\\b[^.]{0,40}\\bexceeds?\\b[^.]{0,40}\\b(?:limit|max)",
    "range of input length",
    "tokens \\+ `?max_new_tokens`? must be",
  ].join("|"),
  "i",
);

/** Token limit that an overflow message mentions. */
export function tokenLimitIn(message: string): number | undefined {
  const figures = [...message.matchAll(most)].map((found) => Number((found[1] ?? found[2] ?? "").replace(/[,_]/g, "")));
  const limits = figures.filter((figure) => figure >= 256);
  return limits.length === 0 ? undefined : Math.min(...limits);
}
const figure = "(\\d[\\d,_]{2,9})(?!\\d|\\.\\d)";
const most = new RegExp(
  [
    `(?:\\b(?:maximum|limit|only|n_ctx)\\b|context (?:length|size|window)|<=)[^\\d.;]{0,40}${figure}`,
    `${figure}(?: tokens?)? (?:maximum|max\\b|limit)`,
  ].join("|"),
  "gi",
);

/** `{ "@type": "…RetryInfo", "retryDelay": "3.5s" }` among the details of a Google error. */
function retryDelay(details: unknown): number | undefined {
  for (const detail of Array.isArray(details) ? details : []) {
    const wait = durationIn(text(record(detail)?.retryDelay) ?? "");
    if (wait !== undefined) return wait;
  }
  return undefined;
}

/** Wait time in a message: "Please try again in 1m2.5s.", "Please retry after 26 seconds." */
const waitIn = (message: string): number | undefined => durationIn(inWords.exec(message)?.[1] ?? "");

/** Parses `1h2m3.5s`, or any part of it, to milliseconds. */
export function durationIn(text: string): number | undefined {
  const lengths = [...text.matchAll(new RegExp(oneLength, "g"))];
  if (lengths.length === 0 || lengths.map(([all]) => all).join("") !== text) return undefined;
  return Math.ceil(lengths.reduce((sum, [, value, unit]) => sum + Number(value) * (units[unit ?? ""] ?? 0), 0));
}
const oneLength = "(\\d+(?:\\.\\d+)?)\\s?(ms|s|m|h|d)(?:econds?|inutes?|ours?|ays?)?";
const inWords = new RegExp(`\\b(?:try again|retry) (?:in|after) ((?:${oneLength})+)`, "i");
const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

const record = (value: unknown): Record<string, unknown> | undefined => (isRecord(value) ? value : undefined);
const text = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);

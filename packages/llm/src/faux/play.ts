import { sleep, whenAborted } from "@pith/kit";
import type { Failure, Request, Stream, StreamEvent } from "../message/stream.ts";
import type { Model } from "../model/model.ts";
import { statusKind } from "../protocol/failure.ts";
import { type RequestView, unmet, viewRequest } from "./expect.ts";
import { Failures, findPosition, type ScriptPosition } from "./position.ts";
import type { Script, Turn } from "./script.ts";
import { SideAnswers } from "./side.ts";

/** The model of a script; `id` is the name it was asked for by. */
export const fauxModel = (id: string, script: Script): Model => ({
  vendor: "faux",
  id,
  api: "faux",
  name: script.name ?? id,
  contextWindow: 200_000,
  maxOutput: 32_000,
  input: ["text", "image"],
  reasoning: true,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  ...script.model,
  known: true,
});

export function fauxStream(script: Script): Stream {
  const failures = new Failures();
  const sides = new SideAnswers(script.side);
  return (request, signal) => {
    const seen = viewRequest(request);
    if (request.purpose === "main")
      return play(script, { request, seen, place: findPosition(script, request, seen, failures) }, signal, failures);
    return play(script, { request, seen, place: sides.next(request.purpose) }, signal);
  };
}

interface Scene {
  request: Request;
  seen: RequestView;
  place: ScriptPosition | undefined;
}

async function* play(
  script: Script,
  { request, seen, place }: Scene,
  signal: AbortSignal,
  failures?: Failures,
): AsyncGenerator<readonly StreamEvent[]> {
  const pace = { ...script, ...place?.turn };
  const { pieces, end } = perform(script, place, seen, script.name ?? request.model.name);
  // Counts as failed until it has ended well: a caller that stops listening does not report it.
  if (!place?.turn.when) failures?.add(request, 1);
  if (pace.delayMs) await sleep(pace.delayMs, signal);
  const size = pace.chunkDelayMs ? 1 : unpacedGroup;
  for (let at = 0; at < pieces.length && !signal.aborted; at += size) {
    if (at > 0 && pace.chunkDelayMs) await sleep(pace.chunkDelayMs, signal);
    if (!signal.aborted) yield pieces.slice(at, at + size);
  }
  if (end === "hang") await whenAborted(signal).promise;
  if (signal.aborted || end === "hang")
    return yield [{ type: "fail", failure: { kind: "aborted", message: "stopped" } }];
  if (!place?.turn.when && end.at(-1)?.type === "stop") failures?.add(request, -1);
  yield end;
}

/** Without a pace the reader is not woken for every piece. */
const unpacedGroup = 256;

interface Performance {
  pieces: StreamEvent[];
  end: StreamEvent[] | "hang";
}

function perform(script: Script, place: ScriptPosition | undefined, seen: RequestView, title: string): Performance {
  if (!place) {
    if (script.after === "stop") return say("The script has ended.");
    const turns = script.turns.length === 1 ? "only one turn" : `only ${script.turns.length} turns`;
    return reject(`${title} has ${turns}, and this request comes after the last one`);
  }
  const { turn, name, step } = place;
  const wrong = turn.expect && unmet(turn.expect, seen);
  if (wrong !== undefined)
    return turn.otherwise === undefined
      ? reject(`${title}, ${name}: ${wrong}`)
      : say(fillHoles(turn.otherwise, seen, step));
  const pieces = piecesOf({ ...script, ...turn }, seen, step);
  // A silent server sends not even the start.
  const begun = pieces.length > 1 ? pieces : [];
  const endWith = (event: StreamEvent) => [...usageOf(turn), event];
  if (turn.hang) return { pieces: begun, end: "hang" };
  if (turn.error) return { pieces: begun, end: endWith({ type: "fail", failure: failureOf(turn.error) }) };
  if (turn.cut !== undefined) {
    const failure: Failure = { kind: "cut", message: "the answer ended in the middle" };
    const sent = turn.cut === true ? Math.ceil(pieces.length / 2) : turn.cut;
    return { pieces: pieces.slice(0, sent), end: endWith({ type: "fail", failure }) };
  }
  const reason = turn.stop ?? (turn.calls?.length ? "toolUse" : "stop");
  return { pieces, end: endWith({ type: "stop", reason }) };
}

const say = (delta: string): Performance => ({
  pieces: [{ type: "start" }, { type: "text", index: 0, delta }],
  end: [{ type: "stop", reason: "stop" }],
});
const reject = (message: string): Performance => ({
  pieces: [],
  end: [{ type: "fail", failure: { kind: "rejected", message } }],
});

function piecesOf(turn: Turn, seen: RequestView, step: number): StreamEvent[] {
  const fill = (text: string) => fillHoles(text, seen, step);
  const cut = (text: string | readonly string[] | undefined) =>
    typeof text === "object" ? text.map(fill) : chunks(fill(text ?? ""), turn.chunkSize);
  const pieces: StreamEvent[] = [{ type: "start", responseId: `faux_${step}` }];
  let index = 0;
  for (const type of ["thinking", "text"] as const) {
    const deltas = cut(turn[type]).filter((delta) => delta !== "");
    for (const delta of deltas) pieces.push({ type, index, delta });
    if (deltas.length > 0) index++;
  }
  for (const [at, call] of (turn.calls ?? []).entries()) {
    const input =
      call.rawInput === undefined
        ? JSON.stringify(call.input ?? {}, (_, value) => (typeof value === "string" ? fill(value) : value))
        : fill(call.rawInput);
    pieces.push({ type: "call", index, id: call.id ?? `call_${step}_${at + 1}`, name: call.tool });
    for (const delta of chunks(input, turn.chunkSize)) pieces.push({ type: "args", index, delta });
    index++;
  }
  return pieces;
}

/** Chunks of whole characters. */
function chunks(text: string, size: number | undefined): string[] {
  if (text === "" || size === undefined) return text === "" ? [] : [text];
  const letters = [...text];
  return Array.from({ length: Math.ceil(letters.length / size) }, (_, at) =>
    letters.slice(at * size, (at + 1) * size).join(""),
  );
}

const fillHoles = (text: string, { user, result }: RequestView, step: number): string =>
  text.replace(/\{\{(step|user|result)\}\}/g, (_, name: string) =>
    name === "step" ? String(step) : name === "user" ? user : result,
  );

function failureOf({ kind, status, message, retryAfterMs }: NonNullable<Turn["error"]>): Failure {
  const failed = kind ?? statusKind(status) ?? "server";
  const how = status === undefined ? `(${failed})` : `with status ${status}`;
  return { kind: failed, message: message ?? `the script fails here ${how}`, status, retryAfterMs };
}

function usageOf({ usage: said }: Turn): StreamEvent[] {
  if (!said) return [];
  const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, ...said };
  const totalTokens = usage.input + usage.output + usage.cacheRead + usage.cacheWrite;
  return [{ type: "usage", usage: { ...usage, totalTokens } }];
}

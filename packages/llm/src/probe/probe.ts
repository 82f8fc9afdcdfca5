import { type Clock, fail, ok, type Result, shorten, systemClock } from "@pith/kit";
import { openRegistry } from "../catalog/registry.ts";

import { modelName } from "../model/model.ts";
import { openModels, type ResolveOptions } from "../resolve.ts";
import type { Endpoint } from "../route/endpoint.ts";
import { queryJson } from "../route/listing.ts";
import { describeModel, servedWindow } from "../vendor/local.ts";
import { serverOf } from "../vendor/server.ts";
import { vendorIn } from "../vendor/vendor.ts";
import { calling, filler, type ProbeAnswer, type ProbeFinding, type ProbeSubject, probeAnswer, red } from "./check.ts";
import { type LearnedModel, learnedKey, saveLearned } from "./learned.ts";

export interface Probe {
  model: string;
  findings: ProbeFinding[];
  learned: LearnedModel;
  /** Notes for the user: why findings were not saved. */
  notes: string[];
}

/** Tests what a model and its server can do, and saves the findings for local servers. */
export async function probe(
  name: string,
  from: ResolveOptions,
  signal: AbortSignal,
): Promise<Result<Probe, "unresolved" | "unreachable">> {
  const clock = from.clock ?? systemClock;
  using models = openModels({ ...from, raw: true });
  const resolved = await models.resolve(name);
  if (!resolved.ok) return fail("unresolved", resolved.message);
  const { model, stream } = resolved.value;
  const subject: ProbeSubject = { model, stream, signal, now: () => clock.now() };
  const plain = await probeAnswer(subject, "Say the word ready, and nothing else.");
  if (plain.failure) return fail("unreachable", plain.failure.message);
  const place = await placeFor(model.vendor, from);
  const said = place && (await describeModel(model.vendor, place, model.id, from.env, describeMs));
  const { findings, learned } = await tried(subject, plain, place, clock, said?.contextWindow);
  const notes = !said || from.home === undefined ? [notKept] : kept(from.home, learnedKey(place.shown, said), learned);
  return ok({ model: modelName(model), findings, learned, notes });
}

const describeMs = 5000;
const schemaMs = 120_000;
const notKept = "nothing is kept of models that are not on a server of this machine";

function kept(home: string, key: string, learned: LearnedModel): string[] {
  const done = saveLearned(home, key, learned);
  return done.ok ? [] : [done.message];
}

async function placeFor(id: string, { home, env }: ResolveOptions): Promise<Endpoint | undefined> {
  const book = await openRegistry(home, env);
  const vendor = book.ok ? vendorIn(book.value.vendors, id) : undefined;
  const place = vendor?.local ? serverOf(vendor, env) : undefined;
  return place?.ok ? place.value.endpoint : undefined;
}

async function tried(
  subject: ProbeSubject,
  plain: ProbeAnswer,
  place: Endpoint | undefined,
  clock: Clock,
  told: number | undefined,
): Promise<{ findings: ProbeFinding[]; learned: LearnedModel }> {
  const one = await calling(subject, "Call the tool note once, with the word red.");
  const two =
    one.calls === "none"
      ? one
      : await calling(subject, "Call the tool note twice in this one answer: with the word red, and with blue.");
  const thought = await probeAnswer(
    { ...subject, model: { ...subject.model, reasoning: true } },
    "How much is 17 times 23? Think first.",
    { model: { ...subject.model, reasoning: true }, effort: "low", maxOutput: 1024 },
  );
  const thinks = thought.thinking !== "" || /^\s*<think/.test(thought.text);
  const image = await seen(subject);
  const { findings, window: arrived } = await contextOf(subject);
  // A reserved window is more certain than the counted tokens of a prompt.
  const reserved =
    place && subject.model.api === "ollama-chat" && (await servedWindow(place, subject.model.id, describeMs));
  const window = reserved && reserved < subject.model.contextWindow ? reserved : arrived;
  const learned: LearnedModel = {
    calls: one.calls,
    at: clock.now(),
    ...(one.dialect === undefined ? {} : { dialect: one.dialect }),
    ...(one.calls !== "native" || one.dialect !== undefined || (window ?? smallest) < smallest
      ? { profile: "local" as const }
      : {}),
    ...(thinks ? { thinking: true } : {}),
    ...(image.verdict === "yes" ? { images: true } : {}),
    ...(window === undefined ? {} : { window, ...(told === undefined ? {} : { told }) }),
  };
  const yes = (is: boolean) => (is ? "yes" : "no") as ProbeFinding["verdict"];
  return {
    learned,
    findings: [
      { name: "plain text", verdict: yes(plain.text.trim() !== ""), says: short(plain.text) },
      { name: "one tool", verdict: yes(one.calls !== "none"), says: short(one.says) },
      { name: "parallel tools", verdict: yes(two.count > 1), says: `${two.count} of 2 calls in one answer` },
      one.pieces > 0
        ? { name: "streamed arguments", verdict: yes(one.pieces > 1), says: `in pieces: ${one.pieces}` }
        : {
            name: "streamed arguments",
            verdict: "unknown",
            says: one.calls === "none" ? "it did not call" : "calls are text",
          },
      { name: "thinking", verdict: yes(thinks), says: short(thought.failure?.message ?? thought.thinking) },
      place
        ? await schema(subject, place)
        : { name: "JSON schema", verdict: "unknown", says: "tried on servers of this machine only" },
      image,
      ...findings,
      { name: "stop behaviour", verdict: yes(plain.stop === "stop"), says: plain.stop ?? "its answer did not end" },
    ],
  };
}

/** Tests images by asking for a colour: some servers accept an image and drop it. */
async function seen(subject: ProbeSubject): Promise<ProbeFinding> {
  const model = { ...subject.model, input: ["text", "image"] as const };
  const image = { type: "image" as const, data: red, mimeType: "image/png" };
  const words = { type: "text" as const, text: "Which colour has this picture? One word." };
  const { failure, text } = await probeAnswer({ ...subject, model }, [words, image], { model });
  const verdict = failure ? "no" : /\bred\b/i.test(text) ? "yes" : "unknown";
  return { name: "image", verdict, says: short(failure?.message ?? text) };
}

/** Smallest window in which the usual prompt leaves enough room. */
const smallest = 16_384;

/** Prompt length in tokens, above what servers reserve by default. */
const long = 6000;

/** Tests whether a long prompt arrives whole, and whether its cached prefix is reused. */
async function contextOf(subject: ProbeSubject): Promise<{ findings: ProbeFinding[]; window?: number }> {
  const size = Math.min(long, Math.floor(subject.model.contextWindow * 0.7));
  const words = filler(size);
  const first = await probeAnswer(subject, `${words}\nWhich animal is it? One word.`, { maxOutput: 64 });
  const again = await probeAnswer(subject, `${words}\nWhere does it go? One word.`, { maxOutput: 64 });
  const context = { name: "served context" };
  const reuse: ProbeFinding = {
    name: "prefix reuse",
    verdict: again.cached > size / 2 || (first.ms > 1000 && again.ms < 0.4 * first.ms) ? "yes" : "unknown",
    says: again.cached > 0 ? `${again.cached} tokens were in memory` : `${first.ms} ms, then ${again.ms} ms`,
  };
  if (first.failure) return { findings: [{ ...context, verdict: "no", says: short(first.failure.message) }, reuse] };
  if (first.input === 0) return { findings: [{ ...context, verdict: "unknown", says: "nothing is counted" }, reuse] };
  const whole = first.input > size / 2;
  const says = `${first.input} of about ${size} tokens arrived`;
  return {
    findings: [{ ...context, verdict: whole ? "yes" : "no", says }, reuse],
    ...(whole || first.input < 1024 ? {} : { window: first.input }),
  };
}

/** Tests JSON schemas by a request of its own, without a key: the stream has no schemas for these servers. */
async function schema({ model }: ProbeSubject, endpoint: Endpoint): Promise<ProbeFinding> {
  const wanted = { type: "object", properties: { colour: { type: "string" } }, required: ["colour"] };
  const messages = [{ role: "user", content: "Name a colour as JSON." }];
  const ollama = model.api === "ollama-chat";
  const body = ollama
    ? { model: model.id, messages, stream: false, format: wanted }
    : {
        model: model.id,
        messages,
        response_format: { type: "json_schema", json_schema: { name: "colour", schema: wanted } },
      };
  const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  let why = "its answer does not fit";
  const failed = (said: string) => {
    why = said;
  };
  const path = ollama ? "/api/chat" : "/chat/completions";
  const answer = (await queryJson({ endpoint, path, init, timeoutMs: schemaMs, failed })) as Reply | undefined;
  const text = String(answer?.message?.content ?? answer?.choices?.[0]?.message?.content ?? "");
  const fits = hasColour(text);
  return { name: "JSON schema", verdict: fits ? "yes" : "no", says: fits ? short(text) : why };
}

interface Reply {
  message?: { content?: unknown };
  choices?: { message?: { content?: unknown } }[];
}

function hasColour(text: string): boolean {
  try {
    return typeof (JSON.parse(text) as { colour?: unknown } | null)?.colour === "string";
  } catch {
    return false;
  }
}

const short = (text: string): string => {
  const line = text.trim().replace(/\s+/g, " ");
  return shorten(line, 60);
};

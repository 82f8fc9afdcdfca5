import { defined, fail, ok, parseJson, type Result, recordOf, shorten, systemClock } from "@pith/kit";
import { openRegistry } from "../catalog/registry.ts";
import { modelName } from "../model/model.ts";
import { openModels, type ResolveOptions } from "../resolve.ts";
import type { Endpoint } from "../route/endpoint.ts";
import { queryJson } from "../route/listing.ts";
import { describeModel, type ModelServer, servedWindow } from "../vendor/local.ts";
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
  const endpoint = await endpointOf(model.vendor, from);
  const server = endpoint && { vendor: model.vendor, endpoint, env: from.env, timeoutMs: describeMs };
  const said = server && (await describeModel(server, model.id));
  const { findings, learned } = await test(subject, plain, server, said?.contextWindow);
  const saved = endpoint &&
    said &&
    from.home !== undefined && { home: from.home, key: learnedKey(endpoint.shown, said) };
  const notes = saved ? save(saved.home, saved.key, learned) : [notSaved];
  return ok({ model: modelName(model), findings, learned, notes });
}

const describeMs = 5000;
const schemaMs = 120_000;
const notSaved = "nothing is kept of models that are not on a server of this machine";

function save(home: string, key: string, learned: LearnedModel): string[] {
  const done = saveLearned(home, key, learned);
  return done.ok ? [] : [done.message];
}

async function endpointOf(id: string, { home, env }: ResolveOptions): Promise<Endpoint | undefined> {
  const registry = await openRegistry(home, env);
  const vendor = registry.ok ? vendorIn(registry.value.vendors, id) : undefined;
  const server = vendor?.local ? serverOf(vendor, env) : undefined;
  return server?.ok ? server.value.endpoint : undefined;
}

const finding = (name: string, verdict: boolean | "unknown", says: string): ProbeFinding => ({
  name,
  verdict: verdict === "unknown" ? verdict : verdict ? "yes" : "no",
  says: shorten(says.trim().replace(/\s+/g, " "), 60),
});

async function test(
  subject: ProbeSubject,
  plain: ProbeAnswer,
  server: ModelServer | undefined,
  told: number | undefined,
): Promise<{ findings: ProbeFinding[]; learned: LearnedModel }> {
  const { model } = subject;
  const one = await calling(subject, "Call the tool note once, with the word red.");
  const twice = "Call the tool note twice in this one answer: with the word red, and with blue.";
  const two = one.calls === "none" ? one : await calling(subject, twice);
  const thought = await probeAnswer(
    { ...subject, model: { ...model, reasoning: true } },
    "How much is 17 times 23? Think first.",
    { effort: "low", maxOutput: 1024 },
  );
  const thinks = thought.thinking !== "" || /^\s*<think/.test(thought.text);
  const image = await testImage(subject);
  const context = await testContext(subject);
  // A reserved window is more certain than the counted tokens of a prompt.
  const reserved = server && model.api === "ollama-chat" ? await servedWindow(server, model.id) : undefined;
  const window = reserved && reserved < model.contextWindow ? reserved : context.window;
  const isWeak = one.calls !== "native" || one.dialect !== undefined || (window ?? smallest) < smallest;
  const learned = defined({
    calls: one.calls,
    at: subject.now(),
    dialect: one.dialect,
    profile: isWeak ? ("local" as const) : undefined,
    thinking: thinks || undefined,
    images: image.verdict === "yes" || undefined,
    window,
    told: window === undefined ? undefined : told,
  });
  const pieces = one.calls === "none" ? "it did not call" : "calls are text";
  const findings = [
    finding("plain text", plain.text.trim() !== "", plain.text),
    finding("one tool", one.calls !== "none", one.says),
    finding("parallel tools", two.count > 1, `${two.count} of 2 calls in one answer`),
    one.pieces > 0
      ? finding("streamed arguments", one.pieces > 1, `in pieces: ${one.pieces}`)
      : finding("streamed arguments", "unknown", pieces),
    finding("thinking", thinks, thought.failure?.message ?? thought.thinking),
    server
      ? await testSchema(subject, server.endpoint)
      : finding("JSON schema", "unknown", "tried on servers of this machine only"),
    image,
    ...context.findings,
    finding("stop behaviour", plain.stop === "stop", plain.stop ?? "its answer did not end"),
  ];
  return { learned, findings };
}

/** Tests images by asking for a colour: some servers accept an image and drop it. */
async function testImage(subject: ProbeSubject): Promise<ProbeFinding> {
  const model = { ...subject.model, input: ["text", "image"] as const };
  const image = { type: "image" as const, data: red, mimeType: "image/png" };
  const words = { type: "text" as const, text: "Which colour has this picture? One word." };
  const { failure, text } = await probeAnswer({ ...subject, model }, [words, image]);
  return finding("image", failure ? false : /\bred\b/i.test(text) || "unknown", failure?.message ?? text);
}

/** Smallest window in which the usual prompt leaves enough room. */
const smallest = 16_384;

/** Prompt length in tokens, above what servers reserve by default. */
const long = 6000;

/** Tests whether a long prompt arrives whole, and whether its cached prefix is reused. */
async function testContext(subject: ProbeSubject): Promise<{ findings: ProbeFinding[]; window?: number }> {
  const size = Math.min(long, Math.floor(subject.model.contextWindow * 0.7));
  const words = filler(size);
  const first = await probeAnswer(subject, `${words}\nWhich animal is it? One word.`, { maxOutput: 64 });
  const again = await probeAnswer(subject, `${words}\nWhere does it go? One word.`, { maxOutput: 64 });
  const reuse = finding(
    "prefix reuse",
    again.cached > size / 2 || (first.ms > 1000 && again.ms < 0.4 * first.ms) || "unknown",
    again.cached > 0 ? `${again.cached} tokens were in memory` : `${first.ms} ms, then ${again.ms} ms`,
  );
  const context = (verdict: boolean | "unknown", says: string) => [finding("served context", verdict, says), reuse];
  if (first.failure) return { findings: context(false, first.failure.message) };
  if (first.input === 0) return { findings: context("unknown", "nothing is counted") };
  const whole = first.input > size / 2;
  const findings = context(whole, `${first.input} of about ${size} tokens arrived`);
  return { findings, window: whole || first.input < 1024 ? undefined : first.input };
}

/** Tests JSON schemas by a request of its own, without a key: the stream has no schemas for these servers. */
async function testSchema({ model }: ProbeSubject, endpoint: Endpoint): Promise<ProbeFinding> {
  const schema = { type: "object", properties: { colour: { type: "string" } }, required: ["colour"] };
  const messages = [{ role: "user", content: "Name a colour as JSON." }];
  const ollama = model.api === "ollama-chat";
  const format = { type: "json_schema", json_schema: { name: "colour", schema } };
  const more = ollama ? { stream: false, format: schema } : { response_format: format };
  const body = JSON.stringify({ model: model.id, messages, ...more });
  const init = { method: "POST", headers: { "content-type": "application/json" }, body };
  let why = "its answer does not fit";
  const failed = (said: string) => {
    why = said;
  };
  const path = ollama ? "/api/chat" : "/chat/completions";
  const answer = (await queryJson({ endpoint, path, init, timeoutMs: schemaMs, failed })) as Reply | undefined;
  const text = String(answer?.message?.content ?? answer?.choices?.[0]?.message?.content ?? "");
  const fits = typeof recordOf(parseJson(text)).colour === "string";
  return finding("JSON schema", fits, fits ? text : why);
}

interface Reply {
  message?: { content?: unknown };
  choices?: { message?: { content?: unknown } }[];
}

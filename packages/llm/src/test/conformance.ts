import { until } from "@pith/kit/test";
import { Healer } from "../heal/healing.ts";
import type { Message } from "../message/message.ts";
import type { Request, Stream, StreamEvent, ToolSpec } from "../message/stream.ts";
import { withTimeouts } from "../timeout.ts";
import type { Play } from "./fake.ts";
import { tokens } from "./fake.ts";
import { collect, failureIn, folded, joined, result, user } from "./fixture.ts";
import { type Bench, streamTo } from "./lab.ts";
import { type Served, serve } from "./serve.ts";

/** A requirement for every protocol. The check throws if it is not met, and may tell how it is. */
export interface Column {
  name: string;
  check(bench: Bench): Promise<string | undefined>;
}

const image = { type: "image" as const, data: "aGk=", mimeType: "image/png" };
const tools: ToolSpec[] = [
  { name: "read", description: "Reads.", parameters: { type: "object", properties: { path: { type: "string" } } } },
];
const calls = [
  { id: "call_1", name: "read", args: { path: "src/größe.ts" } },
  { id: "call_2", name: "read", args: { path: "b" } },
];
const words = "Grüße, 世界 😀 and a little more";

function must(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(what);
}

/** A server that gives these plays, and the way to it. */
async function open({ fake, auth }: Bench, ...plays: Play[]): Promise<{ served: Served; stream: Stream } & Disposable> {
  const served = serve(fake, ...plays);
  const stream = await streamTo({ fake, auth }, served.url);
  return { served, stream, [Symbol.dispose]: () => served[Symbol.dispose]() };
}

const requestOf = ({ model }: Bench, messages: Message[], more: Partial<Request> = {}): Request => ({
  model,
  purpose: "main",
  system: ["be brief"],
  messages,
  tools,
  effort: "high",
  maxOutput: 8000,
  ...more,
});

/** Plays a first scene, answers its calls, and asks again. */
async function twoSteps(
  bench: Bench,
  first: Play,
  content: Parameters<typeof result>[1],
): Promise<{ served: Served; events: StreamEvent[]; bodies: string[] }> {
  using lab = await open(bench, first, { text: "done" });
  const messages: Message[] = [user("x")];
  const request = requestOf(bench, messages);
  const events = await collect(lab.stream, request);
  const reply = folded(events, bench.model);
  messages.push(reply);
  for (const part of reply.content) if (part.type === "toolCall") messages.push(result(part.id, content));
  if (messages.length === 2) messages.push(user("go on"));
  const again = await collect(lab.stream, request);
  must(lab.served.refusals.length === 0, `refused: ${lab.served.refusals[0]?.message}`);
  must(joined(again, "text") === "done", `the second answer was not heard: ${JSON.stringify(again.at(-1))}`);
  return { served: lab.served, events, bodies: lab.served.asks.map(({ raw }) => raw) };
}

async function failureOf(bench: Bench, play: Play, stream: (stream: Stream) => Stream = (plain) => plain) {
  using lab = await open(bench, play);
  const events = await collect(stream(lab.stream), requestOf(bench, [user("x")]));
  must(!events.some(({ type }) => type === "stop"), "it looked like a whole answer");
  const failure = failureIn(events);
  must(failure !== undefined, "it did not fail");
  return { failure, events };
}

const fails =
  (play: Play, ...kinds: string[]) =>
  async (bench: Bench) => {
    const { failure } = await failureOf(bench, play);
    must(kinds.includes(failure.kind), `it was ${failure.kind}`);
    return undefined;
  };

export const columns: readonly Column[] = [
  {
    name: "text",
    async check(bench) {
      using lab = await open(bench, { text: words });
      const events = await collect(lab.stream, requestOf(bench, [user("x")]));
      must(joined(events, "text") === words, "the text is another");
      must(events.at(-1)?.type === "stop", "it did not stop");
      return undefined;
    },
  },
  {
    name: "thinking",
    async check(bench) {
      const { events } = await twoSteps(
        bench,
        { thinking: "let me see", text: "I look.", calls: calls.slice(0, 1) },
        [],
      );
      must(joined(events, "thinking") === "let me see", "the thinking is another");
      return events.some(({ type }) => type === "signature") ? undefined : "unsigned";
    },
  },
  {
    name: "parallel tools",
    async check(bench) {
      const { events } = await twoSteps(bench, { text: "I look.", calls }, [{ type: "text", text: "A" }]);
      const made = folded(events, bench.model).content.filter((part) => part.type === "toolCall");
      must(made.length === 2 && made[0]?.id !== made[1]?.id, "two calls with ids of their own are wanted");
      must(
        made.every((call, at) => JSON.stringify(call.arguments) === JSON.stringify(calls[at]?.args)),
        "the arguments are others",
      );
      return undefined;
    },
  },
  {
    name: "streamed arguments",
    async check(bench) {
      using lab = await open(bench, { calls: calls.slice(0, 1) });
      const parts = (await collect(lab.stream, requestOf(bench, [user("x")]))).filter(
        ({ type }) => type === "args",
      ).length;
      must(parts > 0, "no arguments came");
      return parts > 1 ? undefined : "whole";
    },
  },
  {
    name: "images in",
    async check(bench) {
      using lab = await open(bench, { text: "a cat" });
      const events = await collect(
        lab.stream,
        requestOf(bench, [user([{ type: "text", text: "what is this?" }, image])]),
      );
      must(joined(events, "text") === "a cat", "it was not accepted");
      must(lab.served.asks[0]?.raw.includes(image.data) === true, "the image was not sent");
      return undefined;
    },
  },
  {
    name: "images in results",
    async check(bench) {
      const { bodies } = await twoSteps(bench, { calls }, [{ type: "text", text: "A" }, image]);
      must(bodies[1]?.includes(image.data) === true, "the image was not sent");
      return undefined;
    },
  },
  {
    name: "usage",
    async check(bench) {
      using lab = await open(bench, { thinking: "hm", text: "ok" });
      const usage = (await collect(lab.stream, requestOf(bench, [user("x")]))).findLast(
        (event) => event.type === "usage",
      )?.usage;
      must(usage?.input === tokens.fresh && usage.output === tokens.output, `the figures are ${JSON.stringify(usage)}`);
      must(usage.totalTokens === usage.input + usage.output + usage.cacheRead + usage.cacheWrite, "the sum is wrong");
      return usage.cacheRead === tokens.cached ? undefined : "no cache";
    },
  },
  {
    name: "cache marks",
    async check(bench) {
      const { bodies } = await twoSteps(bench, { calls }, [{ type: "text", text: "A" }]);
      const marks = bodies.map((body) => body.split(/"cache_control"|"cachePoint"/).length - 1);
      if (marks.some((count) => count > 0)) {
        must(
          marks.every((count) => count >= 3 && count <= 4),
          `${marks.join(" and ")} marks`,
        );
        return undefined;
      }
      const [before = "", after = ""] = bodies;
      must(
        after.startsWith(before.slice(0, before.lastIndexOf("]"))),
        "the second request does not begin with the first",
      );
      return "by prefix";
    },
  },
  {
    name: "abort",
    async check(bench) {
      using lab = await open(bench, { fault: "stall" });
      const abort = new AbortController();
      const began = performance.now();
      let last: StreamEvent | undefined;
      for await (const events of lab.stream(requestOf(bench, [user("x")]), abort.signal)) {
        last = events.at(-1);
        abort.abort();
      }
      must(last?.type === "fail" && last.failure.kind === "aborted", "it was not aborted");
      must(performance.now() - began < 2000, "it took too long");
      await until(() => lab.served.cancelled() > 0, "the end of the request");
      must(lab.served.cancelled() === 1, "the server was not told");
      return undefined;
    },
  },
  {
    name: "first event",
    async check(bench) {
      const { failure } = await failureOf(bench, { fault: "silent" }, (stream) =>
        withTimeouts(stream, { firstEventMs: 60, idleMs: 5000 }),
      );
      must(failure.kind === "timeout", `it was ${failure.kind}`);
      return undefined;
    },
  },
  {
    name: "idle",
    async check(bench) {
      const { failure, events } = await failureOf(bench, { fault: "stall" }, (stream) =>
        withTimeouts(stream, { firstEventMs: 5000, idleMs: 60 }),
      );
      must(failure.kind === "timeout", `it was ${failure.kind}`);
      must(joined(events, "text") !== "", "what came was lost");
      return undefined;
    },
  },
  {
    name: "429",
    async check(bench) {
      const { failure } = await failureOf(bench, { fault: "rate", seconds: 7 });
      must(
        failure.kind === "rate" && failure.retryAfterMs === 7000,
        `it was ${failure.kind}, to wait ${failure.retryAfterMs}`,
      );
      return undefined;
    },
  },
  { name: "5xx", check: fails({ fault: "server" }, "server") },
  { name: "overload", check: fails({ fault: "overload" }, "overload", "server") },
  { name: "cut", check: fails({ fault: "cut" }, "cut") },
  { name: "overflow", check: fails({ fault: "overflow" }, "overflow") },
  {
    name: "healing",
    async check(bench) {
      using lab = await open(bench, { text: "healed" });
      const { model } = bench;
      const stale = { type: "thinking" as const, thinking: "hm", thinkingSignature: "b3RoZXI=" };
      const stamped = { ...folded([], model), content: [stale, { type: "text" as const, text: "y" }] };
      const messages = [
        user([
          { type: "text", text: "look" },
          { type: "image", data: "@@", mimeType: "image/tiff" },
        ]),
        stamped,
        user("and?"),
      ];
      const first = failureIn(await collect(lab.stream, requestOf(bench, messages)));
      must(first?.kind === "rejected", `the server took it, or failed otherwise: ${first?.message}`);
      const request = requestOf(bench, messages);
      const healer = new Healer();
      const healing = await healer.cure(
        request,
        { rules: false, blocks: [] },
        lab.stream,
        new AbortController().signal,
      );
      must(healing !== undefined, "no cure was found");
      const healed = await collect(lab.stream, { ...request, messages: await healer.apply(messages, healing) });
      must(joined(healed, "text") === "healed", "it was not healed");
      return healing.blocks.length > 0 ? "by search" : undefined;
    },
  },
];

// Plays a task against a strict server that knows a vendor's rules, and counts what the vendor would.
import { countText, resolveModel } from "../../packages/llm/src/index.ts";
import { benches, refusalOf, type Scene } from "../../packages/llm/src/test/index.ts";
import { type Body, type Counts, cacheOf, moneyOf, type Vendor } from "./cache.ts";
import type { Step } from "./play.ts";

/** Figures of one request. */
export interface Spent extends Counts {
  bytes: number;
  output: number;
  dollars: number;
}

export const vendors: Readonly<Record<Vendor, { api: string; id: string }>> = {
  anthropic: { api: "anthropic-messages", id: "claude-sonnet-4-5" },
  openai: { api: "openai-completions", id: "gpt-5.5" },
};

export interface Served extends Disposable {
  /** The address without the version path. */
  base: string;
  spent: Spent[];
  /** Reasons for which a request would not have been taken. */
  refused: string[];
}

/** Serves the steps of a play, one for each request. */
export async function serve(vendor: Vendor, steps: readonly Step[]): Promise<Served> {
  const { api, id } = vendors[vendor];
  const fake = benches[api]?.fake;
  const env = { ANTHROPIC_API_KEY: "key-for-tests", OPENAI_API_KEY: "key-for-tests" };
  const resolved = await resolveModel(`${vendor}/${id}`, { env });
  if (!fake || !resolved.ok) throw new Error(`no server or no price for ${vendor}/${id}`);
  const price = resolved.value.model.cost;
  const count = cacheOf(vendor);
  const spent: Spent[] = [];
  const refused: string[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const url = new URL(request.url);
      if (request.method !== "POST" || !fake.path.test(url.pathname)) return new Response("{}", { status: 404 });
      const raw = await request.text();
      const body = JSON.parse(raw) as Body;
      const ask = { body, headers: request.headers, url, raw };
      const refusal = refusalOf(fake.rules, ask);
      if (refusal) refused.push(`${refusal.rule}: ${refusal.message}`);
      const scene = sceneOf(steps[spent.length], raw, spent.length);
      const output = Math.ceil(countText([scene.text ?? "", ...(scene.calls ?? []).map(said)].join("\n")));
      const counts = count(body);
      spent.push(Object.assign({ bytes: raw.length, output, dollars: moneyOf(counts, output, price) }, counts));
      const frames = fake.frames(scene, ask).map((frame) => (typeof frame === "string" ? frame : ""));
      return new Response(frames.join(""), { headers: { "content-type": fake.contentType } });
    },
  });
  return {
    base: `http://127.0.0.1:${server.port}`,
    spent,
    refused,
    [Symbol.dispose]: () => void server.stop(true),
  };
}

const said = ({ name, args }: NonNullable<Scene["calls"]>[number]) => `${name} ${JSON.stringify(args)}`;

function sceneOf(step: Step | undefined, raw: string, at: number): Scene {
  if (step === undefined) return { text: "There is nothing left." };
  const reply = typeof step === "function" ? step(resultsIn(raw)) : step;
  if (typeof reply === "string") return { text: reply };
  return { calls: reply.map(({ tool, args }, index) => ({ id: `toolu_${at}_${index}`, name: tool, args })) };
}

interface Told {
  role?: string;
  type?: string;
  text?: string;
  content?: string | readonly Told[];
}

/** All texts of results, in either protocol. */
function resultsIn(raw: string): string {
  const textOf = (content: Told["content"]): string =>
    typeof content === "string"
      ? content
      : (content ?? []).map(({ text, content: inner }) => text ?? textOf(inner)).join("\n");
  const { messages = [] } = JSON.parse(raw) as { messages?: Told[] };
  return messages
    .filter(({ role }) => role !== "assistant")
    .map(({ content }) => textOf(content))
    .join("\n");
}

export interface Sums extends Spent {
  requests: number;
}

export const sumOf = (spent: readonly Spent[]): Sums => {
  const sum = (of: keyof Spent) => spent.reduce((all, one) => all + one[of], 0);
  return {
    requests: spent.length,
    bytes: sum("bytes"),
    input: sum("input"),
    cacheRead: sum("cacheRead"),
    cacheWrite: sum("cacheWrite"),
    output: sum("output"),
    dollars: sum("dollars"),
  };
};

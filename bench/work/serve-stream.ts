import type { Lab } from "../lab.ts";
import type { Work } from "../work.ts";
import { json, tokens } from "./rpc-stream.ts";

/** The floor is pith itself: the same answer as JSON events. Here somebody watches it over the server. */
async function serve(lab: Lab) {
  const talk = await lab.talk("pith", ["serve", "--web", "--model", "openai/bench"], { play: "words", count: tokens });
  const [, url = "", token = ""] = /(http:\S+)#(\S+)/.exec(await talk.line("open ")) ?? [];
  const headers = { authorization: `Bearer ${token}` };
  const ask = (path: string, body?: object) =>
    fetch(new URL(path, url), { headers, ...(body && { method: "POST", body: JSON.stringify(body) }) });
  const { sessionId } = await (await ask("/v1/sessions", { cwd: lab.project })).json();
  const events = await ask(`/v1/sessions/${sessionId}/events`);
  await ask(`/v1/sessions/${sessionId}/rpc`, { type: "prompt", message: "say it" });
  const decoder = new TextDecoder();
  for await (const chunk of events.body as unknown as AsyncIterable<Uint8Array>)
    if (decoder.decode(chunk, { stream: true }).includes("agent_settled")) break;
  void ask("/v1/stop", {});
  const { cpuMs, peakMb } = await talk.end();
  return { cpu: cpuMs, rss: peakMb };
}

export default {
  title: `Serve: an answer of ${tokens.toLocaleString("en-US")} pieces by SSE, against --mode json`,
  pith: serve,
  floor: json,
  measures: [
    { of: "cpu", title: "CPU", unit: "ms", goal: { timesFloor: 2 } },
    { of: "rss", title: "peak memory", unit: "MB" },
  ],
} satisfies Work;

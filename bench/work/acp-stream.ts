import type { Lab } from "../lab.ts";
import type { Work } from "../work.ts";
import { json, tokens } from "./rpc-stream.ts";

/** The floor is pith itself: the same answer as JSON events. */
async function acp(lab: Lab) {
  const talk = await lab.talk("pith", ["acp", "--model", "openai/bench"], { play: "words", count: tokens });
  const ask = async (id: number, method: string, params: object) => {
    talk.send({ jsonrpc: "2.0", id, method, params });
    return JSON.parse(await talk.line(`"id":${id}`)).result;
  };
  await ask(1, "initialize", { protocolVersion: 1, clientCapabilities: {} });
  const { sessionId } = await ask(2, "session/new", { cwd: lab.project, mcpServers: [] });
  await ask(3, "session/prompt", { sessionId, prompt: [{ type: "text", text: "say it" }] });
  const { cpuMs, peakMb } = await talk.end();
  return { cpu: cpuMs, rss: peakMb };
}

export default {
  title: `ACP: an answer of ${tokens.toLocaleString("en-US")} pieces, against --mode json`,
  pith: acp,
  floor: json,
  measures: [
    { of: "cpu", title: "CPU", unit: "ms", goal: { timesFloor: 2 } },
    { of: "rss", title: "peak memory", unit: "MB" },
  ],
} satisfies Work;

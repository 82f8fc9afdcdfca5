import type { Lab } from "../lab.ts";
import { now } from "../mock.ts";
import type { Work } from "../work.ts";

const hello = { jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: 1, clientCapabilities: {} } };

async function acp(lab: Lab) {
  const talk = await lab.talk("pith", ["acp", "--model", "openai/bench"]);
  talk.send(hello);
  await talk.line('"agentCapabilities"');
  const greeted = now() - talk.began;
  const { peakMb } = await talk.end();
  return { greeted, rss: peakMb };
}

async function echo(lab: Lab) {
  const talk = await lab.talk("floor", ["--echo"]);
  talk.send(hello);
  await talk.line('"initialize"');
  const greeted = now() - talk.began;
  const { peakMb } = await talk.end();
  return { greeted, rss: peakMb };
}

export default {
  title: "ACP: begun and greeted",
  pith: acp,
  floor: echo,
  measures: [
    { of: "greeted", title: "start to the answer to initialize", unit: "ms", goal: { timesFloor: 8 } },
    { of: "rss", title: "memory", unit: "MB" },
  ],
} satisfies Work;

import { connect } from "node:net";
import type { Lab } from "../lab.ts";
import type { Sample, Work } from "../work.ts";
import { tokens } from "./rpc-stream.ts";

const watchers = 100;

/** An answer that so many programs watch, and one more that never reads a byte of it. */
async function watched(lab: Lab, readers: number): Promise<Sample> {
  const talk = await lab.talk("pith", ["serve", "--web", "--model", "openai/bench"], { play: "words", count: tokens });
  const [, url = "", token = ""] = /(http:\S+)#(\S+)/.exec(await talk.line("open ")) ?? [];
  const headers = { authorization: `Bearer ${token}` };
  const ask = (path: string, body?: object) =>
    fetch(new URL(path, url), { headers, ...(body && { method: "POST", body: JSON.stringify(body) }) });
  const { sessionId } = await (await ask("/v1/sessions", { cwd: lab.project })).json();
  const path = `/v1/sessions/${sessionId}/events`;
  const deaf = connect(Number(new URL(url).port), "127.0.0.1").pause();
  deaf.on("error", () => {});
  deaf.write(`GET ${path} HTTP/1.1\r\nhost: ${new URL(url).host}\r\nauthorization: Bearer ${token}\r\n\r\n`);
  const streams = await Promise.all(Array.from({ length: readers }, () => ask(path)));
  const began = performance.now();
  await ask(`/v1/sessions/${sessionId}/rpc`, { type: "prompt", message: "say it" });
  const ends = await Promise.all(
    streams.map(async ({ body }) => {
      const decoder = new TextDecoder();
      let rest = "";
      for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
        rest = rest.slice(-20) + decoder.decode(chunk, { stream: true });
        if (rest.includes("agent_settled")) return "whole";
      }
      return "cut";
    }),
  );
  const wall = performance.now() - began;
  if (ends.includes("cut")) throw new Error(`${ends.filter((end) => end === "cut").length} watchers were cut off`);
  deaf.destroy();
  void ask("/v1/stop", {});
  const { cpuMs, peakMb } = await talk.end();
  return { cpu: cpuMs, wall, rss: peakMb };
}

export default {
  title: `Serve: an answer that ${watchers} watch and one never reads (floor: one watches)`,
  pith: (lab) => watched(lab, watchers),
  floor: (lab) => watched(lab, 1),
  measures: [
    { of: "rss", title: "peak memory", unit: "MB", goal: { timesFloor: 2 } },
    { of: "cpu", title: "CPU", unit: "ms", goal: { timesFloor: 5 } },
    { of: "wall", title: "to the end at the last watcher", unit: "ms" },
  ],
} satisfies Work;

import type { Entry } from "@pith/agent";
import type { Scratch } from "@pith/kit/test";
import type { Values } from "../setting/schema.ts";
import { houseIn, noticesOf, resultsOf, scriptIn, type Talk, talkIn } from "./open.ts";

// For tests: a conversation with a model that is worked with as small ones are.

export const call = (tool: string, input: object) => ({ calls: [{ tool, input }] });

interface SmallOptions {
  set?: Values;
  /** The model's classification of the task. */
  classify?: { intent: string; needsWrite: boolean };
  /** Fields of a script beside its turns. */
  script?: object;
}

export async function smallTalk(dir: Scratch, turns: readonly unknown[], options: SmallOptions = {}): Promise<Talk> {
  const { set, classify, script } = options;
  const house = await houseIn(dir, {
    profile: "local",
    "dispatch.enabled": classify !== undefined,
    "retry.baseDelayMs": 1,
    ...set,
  });
  const side = classify ? { classify: JSON.stringify({ ...classify, reasoning: "so it says" }) } : {};
  return talkIn(house, { model: scriptIn(dir, turns, "script.json", { side, ...script }) });
}

export interface Heard {
  packets: string[];
  results: string[];
  notices: string[];
  answers: number;
  end: unknown;
  path: readonly Entry[];
}

/** All that came of one prompt. */
export async function hear(dir: Scratch, turns: readonly unknown[], options: SmallOptions = {}): Promise<Heard> {
  const { coder, events } = await smallTalk(dir, turns, options);
  await coder.send({ text: "please do it" });
  const end = events.findLast((event) => event.type === "turn");
  const path = coder.path();
  const results = resultsOf(coder);
  await coder.close();
  const isReply = (entry: Entry) => entry.type === "message" && entry.message.role === "assistant";
  return {
    packets: packetsIn(path),
    results,
    notices: noticesOf(events),
    answers: path.filter(isReply).length,
    end: end?.type === "turn" && end.state.name === "idle" ? end.state.end : undefined,
    path,
  };
}

export const packetsIn = (path: readonly Entry[]): string[] =>
  path.flatMap((entry) =>
    entry.type === "custom_message" && entry.customType === "pith.packet" ? [String(entry.content)] : [],
  );

import type { Scene } from "../../packages/llm/src/test/fake.ts";
import type { Mind, Seen, Told } from "../../packages/llm/src/test/index.ts";
import { callOf, spoilt } from "./call.ts";
import type { Rates } from "./rate.ts";
import type { Step, Task } from "./task.ts";

/**
 * A weak model with one task in mind. It knows what it is sent, and of that only calls, results and whether the words
 * of its task are near: nothing of what pith says means anything to it. The same seed and the same conversation give
 * the same reply.
 */
export const weak =
  (task: Task, seed: number, rates: Rates): Mind =>
  (seen) => {
    if (seen.format !== undefined) return { text: JSON.stringify(filled(seen.format)) };
    if (seen.tools.length === 0) return { text: task.name };
    return reply(task, seen, rates, random(`${seed} ${task.name} ${replies(seen).length}`));
  };

type Chance = (rate: number) => boolean;

function reply(task: Task, seen: Seen, rates: Rates, next: () => number): Scene {
  const chance: Chance = (rate) => next() < rate;
  const left = leftOf(task, seen.messages);
  const [step] = left;
  if (!step) return { text: `Done: ${task.name}.` };
  const last = replies(seen).at(-1);
  const stopped = last !== undefined && last.calls.length === 0;
  if (stopped && !chance(rates.resume)) return { text: "As I said, I have nothing to add." };
  const again = stopped ? undefined : repetition(seen.messages, rates, chance);
  const astray = stopped || again ? undefined : aside(task, left, seen, rates, chance);
  if (astray !== undefined) return { text: astray };
  const call = again ?? callOf(step, seen.tools);
  if (!call) return { text: `I would ${words(step)}, but I do not know how.` };
  if (!again && chance(rates.malformed)) return spoilt(call, next, replies(seen).length);
  return { text: again ? "" : `I ${words(step)}.`, calls: [{ id: `call_${replies(seen).length}`, ...call }] };
}

const replies = ({ messages }: Seen): Told[] => messages.filter(({ role }) => role === "assistant");

/** Text with which the model stops instead of making its next call. */
function aside(task: Task, left: readonly Step[], seen: Seen, rates: Rates, chance: Chance): string | undefined {
  const far = distance(task, seen.messages);
  const calm = far < rates.span / 4 && seen.messages.length > 2 ? rates.reminded : 1;
  const [step] = left;
  if (far > rates.span && chance(calm * rates.forget)) return "What would you like me to do with these files?";
  if (step && chance(calm * rates.prose)) return `Next I will ${words(step)}.`;
  if (left.length < task.steps.length && chance(calm * rates.early)) return "I have looked at the files that matter.";
  if (left.length === 1 && chance(calm * rates.falseSuccess)) return "All of it is done, and everything works now.";
  return undefined;
}

/** The last call once more: by accident, or because it is caught in it. */
function repetition(messages: readonly Told[], { repeat, loop, unloop }: Rates, chance: Chance) {
  const turns = turnsOf(messages);
  const [before, last] = turns.slice(-2);
  if (!last) return undefined;
  const caught = before && JSON.stringify(before.call) === JSON.stringify(last.call);
  const rate = caught ? (before.result === last.result ? loop : unloop) : repeat;
  return chance(rate) ? { name: last.call.name, args: last.call.args as Record<string, unknown> } : undefined;
}

interface Turn {
  call: Told["calls"][number];
  result: string;
}

/** Calls with their results, in order. */
function turnsOf(messages: readonly Told[]): Turn[] {
  return messages.flatMap(({ calls }, at) =>
    calls.map((call, place) => {
      const answer = messages[at + 1 + place];
      return { call, result: answer?.role === "tool" ? answer.text : "" };
    }),
  );
}

/** The steps that it has not seen itself do, in order. */
function leftOf(task: Task, messages: readonly Told[]): Step[] {
  const left = [...task.steps];
  for (const { call, result } of turnsOf(messages)) {
    const [step] = left;
    if (step && isDone(step, Object.values((call.args ?? {}) as Record<string, unknown>), result)) left.shift();
  }
  return left;
}

function isDone(step: Step, given: readonly unknown[], result: string): boolean {
  switch (step.do) {
    case "read":
      return given.includes(step.path) && result.includes(step.sees);
    case "write":
      return given.includes(step.path) && given.includes(step.content);
    case "run":
      return given.includes(step.command);
  }
}

/** Tokens since most words of the task last appeared together. */
function distance({ prompt }: Task, messages: readonly Told[]): number {
  const asked = prompt.split(/\s+/);
  let far = 0;
  for (const { text, calls, role } of [...messages].reverse()) {
    if (role !== "assistant" && asked.filter((word) => text.includes(word)).length > 0.7 * asked.length) return far / 4;
    far += text.length + (calls.length > 0 ? JSON.stringify(calls).length : 0);
  }
  return far / 4;
}

function words(step: Step): string {
  return step.do === "run" ? `run \`${step.command}\`` : `${step.do} \`${step.path}\``;
}

/** Some value that fits a schema. */
function filled(schema: unknown): unknown {
  const {
    type,
    enum: allowed,
    properties = {},
  } = (schema ?? {}) as {
    type?: string;
    enum?: unknown[];
    properties?: Record<string, unknown>;
  };
  if (allowed) return allowed[0];
  if (type === "string") return "";
  if (type === "number" || type === "integer") return 0;
  if (type === "boolean") return false;
  if (type === "array") return [];
  return Object.fromEntries(Object.entries(properties).map(([key, inner]) => [key, filled(inner)]));
}

/** Numbers between 0 and 1, the same for the same words. */
function random(from: string): () => number {
  let state = 2166136261;
  for (const char of from) state = Math.imul(state ^ (char.codePointAt(0) ?? 0), 16777619);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

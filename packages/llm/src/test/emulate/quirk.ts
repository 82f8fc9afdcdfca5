import type { Scene } from "../fake.ts";
import { writers } from "../written.ts";

/** A deviation of servers or models from their documentation; each can be switched. */
export interface Quirk {
  about: string;
  /** Changes the reply. */
  scene?(scene: Scene): Scene;
  /** Changes a frame; undefined drops it. */
  frame?(frame: Frame): Frame | undefined;
}

export interface Frame {
  usage?: unknown;
  timings?: unknown;
  prompt_eval_count?: number;
  eval_count?: number;
  done_reason?: string;
  message?: { tool_calls?: { id?: string; function: { name: string; arguments: unknown } }[] };
  choices?: {
    index: number;
    finish_reason: string | null;
    delta: { tool_calls?: { index: number; id?: string; function: { name?: string; arguments?: string } }[] };
  }[];
}

const own = {
  "no usage": {
    about: "counts are missing from answers",
    frame: ({ usage, timings, prompt_eval_count, eval_count, ...frame }) =>
      frame.choices?.length === 0 ? undefined : frame,
  },
  "fresh counts": { about: "only the tokens that were worked through anew are counted as the prompt" },
  "silent cut": { about: "a prompt that is too long loses its oldest messages without a word" },
  "small window": { about: "a quarter of the window that was reported, or asked for, is served" },
  "no window": { about: "lists and details keep the window to themselves" },
  "no tools": { about: "requests with tools are refused" },
  "says no tools": { about: "details deny that the model can call tools" },
  "no cache": { about: "every prompt is worked through from its start" },
  loading: { about: "the model is being loaded: requests are refused for now" },
  "error in 200": { about: "a request that fails is answered with success, and the error in the body" },
  "error in stream": { about: "an answer breaks off with an error" },
  "think tags": {
    about: "thinking comes as text between tags",
    scene: ({ thinking, text = "", ...scene }) =>
      thinking ? { ...scene, text: `<think>\n${thinking}\n</think>\n\n${text}` } : { ...scene, text },
  },
  "think echo": {
    about: "thinking is said once more as text",
    scene: (scene) => (scene.thinking ? { ...scene, text: `${scene.thinking}\n\n${scene.text ?? ""}` } : scene),
  },
  "no ids": {
    about: "calls have no ids",
    frame: (frame) => withCalls(frame, ({ id: _, ...call }) => call),
  },
  "same index": {
    about: "calls side by side all have the index 0",
    frame: (frame) => withCalls(frame, (call) => ({ ...call, index: 0 })),
  },
  "arguments as text": {
    about: "arguments of Ollama's calls are JSON in a string",
    frame(frame) {
      for (const { function: called } of frame.message?.tool_calls ?? [])
        if (typeof called.arguments !== "string") called.arguments = JSON.stringify(called.arguments);
      return frame;
    },
  },
  "plain stop": {
    about: "an answer with calls ends as one without",
    frame(frame) {
      for (const choice of frame.choices ?? [])
        if (choice.finish_reason === "tool_calls") choice.finish_reason = "stop";
      return frame;
    },
  },
  "no parallel": {
    about: "of several calls only the first comes",
    scene: (scene) => ({ ...scene, calls: scene.calls?.slice(0, 1) ?? [] }),
  },
  "bare calls": {
    about: "calls come as text: JSON without any mark",
    scene: (scene) => spoken(scene, (name, args) => JSON.stringify({ name, arguments: args })),
  },
} satisfies Readonly<Record<string, Quirk>> as Readonly<Record<string, Quirk>>;

/** Calls that a server lets through as the text they were written in, one row for every dialect. */
const dialects: Readonly<Record<string, Quirk>> = Object.fromEntries(
  Object.entries(writers).map(([of, write]) => [
    `text calls: ${of}`,
    { about: `calls come as text, as ${of} writes them`, scene: (scene: Scene) => spoken(scene, write) },
  ]),
);

export const quirks: Readonly<Record<string, Quirk>> = { ...own, ...dialects };

function spoken(scene: Scene, write: (name: string, args: Record<string, unknown>) => string): Scene {
  const { calls = [], text, ...rest } = scene;
  const said = [...(text ? [text] : []), ...calls.map(({ name, args }) => write(name, args))];
  return { ...rest, text: said.join("\n") };
}

type Call = NonNullable<NonNullable<Frame["choices"]>[number]["delta"]["tool_calls"]>[number];
function withCalls(frame: Frame, change: (call: Call) => Call): Frame {
  for (const { delta } of frame.choices ?? []) if (delta.tool_calls) delta.tool_calls = delta.tool_calls.map(change);
  return frame;
}

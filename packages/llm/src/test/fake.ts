import type { Ask, Rule } from "./rule.ts";

/** Reply of a fake model. */
export interface Scene {
  thinking?: string;
  text?: string;
  calls?: readonly { id: string; name: string; args: Readonly<Record<string, unknown>> }[];
  stop?: "length";
}

/** Failure to play. */
export type Fault =
  | { fault: "rate"; seconds: number } // refused for now, with a time to come back
  | { fault: "server" } // 5xx
  | { fault: "overflow" } // the prompt is too long
  | { fault: "overload" } // an error in the middle of a stream
  | { fault: "cut" } // the body ends in the middle
  | { fault: "stall" } // nothing more comes
  | { fault: "silent" }; // keep-alives, but never an event

export type Play = Scene | Fault;

export type Frame = string | Uint8Array;

export interface ErrorAnswer {
  status: number;
  body: unknown;
  headers?: Readonly<Record<string, string>>;
}

/** A server that knows one protocol and is strict about it. */
export interface Fake<Body = unknown> {
  api: string;
  /** Before the path of the protocol. */
  base: string;
  /** Paths it answers; others do not exist. */
  path: RegExp;
  contentType: string;
  rules: readonly Rule<Body>[];
  /** A scene as it goes over the wire; tens of frames, so that a cut is in the middle. */
  frames(scene: Scene, ask: Ask<Body>): Frame[];
  /** Sent while nothing happens. */
  ping?: Frame;
  /** An error as the vendor words it. */
  error(kind: "rate" | "server" | "overflow" | "rejected" | "auth", message: string): ErrorAnswer;
  /** Set when the wait (seven seconds) stands in the error's body and in no header. */
  delayInBody?: true;
  /** Another endpoint that answers with one document. */
  beside?: { path: RegExp; rules: readonly Rule<Body>[]; answer(ask: Ask<Body>): unknown };
  /** An error inside a stream that has begun. */
  overload: Frame;
}

/** Short pieces of a text, cut inside words as tokens are. */
export const pieces = (text: string, size = 5): string[] =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, i) => text.slice(i * size, (i + 1) * size));

/** The figures of every scene. */
export const tokens = { fresh: 100, cached: 900, written: 50, output: 40, thinking: 10 };

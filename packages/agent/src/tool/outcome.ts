import type { Image } from "@pith/llm";
import type { Data, Kind } from "./kind.ts";
import type { Meta } from "./meta.ts";

/** Kinds of change that a call may make in the world; policy and the rules of people decide by them. */
export const effects = ["read", "write", "exec", "net"] as const;
export type Effect = (typeof effects)[number];

export interface Call {
  id: string;
  signal: AbortSignal;
  /** Shows a partial outcome; may be dropped, never recorded. */
  progress(part: Outcome): void;
}

/** A guard's no, nobody there to say yes, or a person's no. */
export type Refused = "guard" | "nobody" | "person";

export interface Outcome<K extends Kind = Kind> {
  kind: K;
  /** For views, JSON, RPC, ACP and export. */
  data: Data[K];
  /** For the model. */
  text: string;
  images?: Image[];
  failed?: true;
  /** It was not run; who did not let it. */
  refused?: Refused;
  meta?: Meta;
  /** What the model is reminded of beside it: blocks of their own, in front. */
  reminders?: readonly string[];
}

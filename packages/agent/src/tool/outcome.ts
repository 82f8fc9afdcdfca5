import type { Image } from "@pith/llm";
import type { CommandAccess } from "./access.ts";
import type { Data, Kind } from "./kind.ts";
import type { Meta } from "./meta.ts";

/** Effects of a call on the world; policy and the user's rules decide by them. */
export const effects = ["read", "write", "exec", "net"] as const;
export type Effect = (typeof effects)[number];

export interface Call {
  id: string;
  signal: AbortSignal;
  /** Rights that an answer to a question gave it. */
  access?: CommandAccess | undefined;
  /** Shows a partial outcome; may be dropped, never recorded. */
  progress(part: Outcome): void;
}

/** Refused by a guard, because nobody could be asked, or by a person. */
export type Refused = "guard" | "nobody" | "person";

export interface Outcome<K extends Kind = Kind> {
  kind: K;
  /** Data for views, JSON, RPC, ACP and export. */
  data: Data[K];
  /** Text for the model. */
  text: string;
  images?: Image[];
  failed?: true;
  /** Set if it was not run. */
  refused?: Refused;
  meta?: Meta;
  /** Reminders for the model, in blocks of their own before the text. */
  reminders?: readonly string[];
}

import type { Effect as CallEffect, Intent, Risk, Touch } from "@pith/agent";
import type { CommandEffect } from "../../judge/effect.ts";
import type { JudgedPart, Judgement, PartTouch } from "../../judge/judged.ts";

/** A single thing that is ruled on: a part of a command, a path, a host, or the call itself. */
export interface PolicyItem {
  text: string;
  effects: readonly CallEffect[];
  /** The words of a command, the program first. */
  words: readonly (string | undefined)[] | undefined;
  touches: readonly PartTouch[];
  hosts: readonly string[];
  part: JudgedPart | undefined;
  /** True for a part of a command that is literal as a whole. */
  literal: boolean;
  /** True for a part that would run unasked if it stood alone. */
  plain: boolean;
  touch: Touch | undefined;
  /** Why it is asked about in every mode. */
  guard: string | undefined;
  risk: Risk;
}

const classes: Record<CommandEffect, CallEffect> = {
  "read inside": "read",
  "read outside": "read",
  "write inside": "write",
  "write outside": "write",
  net: "net",
  exec: "exec",
  opaque: "exec",
};

export const partItem = (part: JudgedPart, { literal, plainParts }: Judgement): PolicyItem => ({
  text: part.text,
  effects: [...new Set(part.effects.map((effect) => classes[effect]))],
  words: part.program === undefined && part.args.length === 0 ? undefined : [part.program, ...part.args],
  touches: part.touches,
  hosts: part.hosts,
  part,
  literal,
  plain: plainParts.has(part.text),
  touch: undefined,
  guard: part.guard ?? (part.severity === "critical" ? (part.reason ?? "it is critical") : undefined),
  risk: part.severity,
});

export const touchItem = (touch: Touch, effect: CallEffect, guard: string | undefined): PolicyItem => ({
  text: `${effect} ${touch.path}`,
  effects: [effect],
  words: undefined,
  touches: touch.effect === "exec" ? [] : [{ effect: touch.effect, path: touch.real, named: touch.path }],
  hosts: [],
  part: undefined,
  literal: true,
  plain: false,
  touch,
  guard,
  risk: guard === undefined ? "none" : "high",
});

/** Makes the item of a call that touches nothing that can be named. */
export const callItem = ({ effect, hosts = [] }: Pick<Intent, "effect" | "hosts">): PolicyItem => ({
  text: hosts.length > 0 ? `${effect} ${hosts.join(", ")}` : effect,
  effects: [effect],
  words: undefined,
  touches: [],
  hosts,
  part: undefined,
  literal: true,
  plain: false,
  touch: undefined,
  guard: undefined,
  risk: "none",
});

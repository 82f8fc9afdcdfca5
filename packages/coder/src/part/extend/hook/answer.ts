import { isRecord, parseJson } from "@pith/kit";

/** The answer of a hook; one that says nothing has no objection. */
export interface HookAnswer {
  says: "nothing" | "ask" | "deny" | "allow";
  reason: string;
  /** The arguments of the call, changed, in the words of its product. */
  input?: Readonly<Record<string, unknown>> | undefined;
  /** Words for the model. */
  context: readonly string[];
  /** Set if the turn is to end, with the words for it. */
  stop?: string | undefined;
  /** A line for people. */
  message?: string | undefined;
}

/** A fault is no answer: a guard that has one refuses. */
export type Heard = { ok: true; answer: HookAnswer } | { ok: false; why: string };

/** The end of a program that was asked, or the answer of a server or model in its place. */
export interface Said {
  exitCode: number;
  output: string;
  complaints: string;
}

export type Reading = (event: string, said: Said) => Heard;

const faulty = (why: string): Heard => ({ ok: false, why });
const nothing: HookAnswer = { says: "nothing", reason: "", context: [] };

/** Reads an answer: 2 refuses, another code but 0 is a fault, and of 0 the output says the rest. */
const reading =
  (read: (event: string, fields: Readonly<Record<string, unknown>>) => Heard, words: Reading): Reading =>
  (event, said) => {
    const { exitCode, output, complaints } = said;
    if (exitCode === 2)
      return {
        ok: true,
        answer: { ...nothing, says: "deny", reason: complaints.trim() || output.trim() || "it gave no reason" },
      };
    if (exitCode !== 0) {
      const last = complaints.trim().split("\n").at(-1) ?? "";
      return faulty(`it ended with ${exitCode}${last === "" ? "" : `: ${last}`}`);
    }
    const text = output.trim();
    if (text === "") return { ok: true, answer: nothing };
    if (!text.startsWith("{")) return words(event, said);
    const fields = parseJson(text);
    return isRecord(fields) ? read(event, fields) : faulty("its output begins like JSON and is none");
  };

const told = new Set(["UserPromptSubmit", "SessionStart"]);

/** The answer in the words of Claude Code, which Codex shares. */
export const readClaude: Reading = reading(claudeFields, (event, { output }) => ({
  ok: true,
  answer: told.has(event) ? { ...nothing, context: [output.trim()] } : nothing,
}));

const topFields = new Set([
  ...["continue", "stopReason", "suppressOutput", "systemMessage", "decision", "reason", "hookSpecificOutput"],
  ...["additionalContext", "terminalSequence", "ok", "async", "asyncTimeout"],
]);
const ownFields = new Set([
  ...["hookEventName", "permissionDecision", "permissionDecisionReason", "updatedInput", "additionalContext"],
  ...["decision", "updatedToolOutput", "updatedMCPToolOutput", "sessionTitle", "initialUserMessage", "watchPaths"],
]);
/** Words of a decision, with what they mean here. */
const decisions: Readonly<Record<string, HookAnswer["says"]>> = {
  allow: "allow",
  approve: "allow",
  deny: "deny",
  block: "deny",
  ask: "ask",
  defer: "ask",
};

function claudeFields(event: string, fields: Readonly<Record<string, unknown>>): Heard {
  const inner = fields.hookSpecificOutput ?? {};
  if (!isRecord(inner)) return faulty("its hookSpecificOutput is no object");
  // A decision in a field that nobody reads would be lost.
  const wrong = problemIn(event, fields, inner);
  if (wrong !== undefined) return faulty(wrong);
  const behavior = isRecord(inner.decision) ? inner.decision : {};
  const word = inner.permissionDecision ?? behavior.behavior ?? fields.decision;
  const says = word === undefined || word === null ? "nothing" : decisionOf(word);
  if (says === undefined) return faulty(`its decision is not known: ${JSON.stringify(word)}`);
  const input = inner.updatedInput ?? behavior.updatedInput;
  if (input !== undefined && !isRecord(input)) return faulty("its updatedInput is no object");
  const reason = textOf(inner.permissionDecisionReason ?? behavior.message ?? fields.reason);
  return {
    ok: true,
    answer: {
      says: fields.ok === false ? "deny" : says,
      reason: reason || "it gave no reason",
      input,
      context: [inner.additionalContext, fields.additionalContext].flatMap((text) => textOf(text) || []),
      stop: fields.continue === false ? textOf(fields.stopReason) || "A hook ended the turn." : undefined,
      message: textOf(fields.systemMessage) || undefined,
    },
  };
}

type Fields = Readonly<Record<string, unknown>>;

function problemIn(event: string, fields: Fields, inner: Fields): string | undefined {
  // A decision in a field that nobody reads would be lost.
  const odd = [...unknown(fields, topFields), ...unknown(inner, ownFields)];
  if (odd.length > 0) return `its answer has a field that is not known: ${odd.join(", ")}`;
  if (inner.hookEventName !== undefined && inner.hookEventName !== event)
    return `its answer is for ${String(inner.hookEventName)}, not for ${event}`;
  const word = ["continue", "ok"].find((name) => typeof (fields[name] ?? true) !== "boolean");
  return word && `its ${word} is neither true nor false`;
}

const unknown = (fields: object, known: ReadonlySet<string>) =>
  Object.keys(fields)
    .filter((name) => !known.has(name))
    .slice(0, 5);
const decisionOf = (word: unknown): HookAnswer["says"] | undefined =>
  typeof word === "string" && Object.hasOwn(decisions, word) ? decisions[word] : undefined;
const textOf = (value: unknown): string => (typeof value === "string" ? value.trim() : "");

/** The answer in pith's own words: `do`, `reason`, `input`, `note`, `message`. */
export const readOwn: Reading = reading(ownAnswer, () =>
  faulty("its output is no JSON; words for people belong on standard error"),
);

const ownNames = new Set(["do", "reason", "input", "note", "message"]);
const ownWords: Readonly<Record<string, HookAnswer["says"]>> = {
  allow: "allow",
  nothing: "nothing",
  ask: "ask",
  deny: "deny",
  change: "nothing",
  stop: "nothing",
};

function ownAnswer(_: string, fields: Readonly<Record<string, unknown>>): Heard {
  const odd = unknown(fields, ownNames);
  if (odd.length > 0) return faulty(`its answer has a field that is not known: ${odd.join(", ")}`);
  const word = fields.do ?? (fields.note === undefined ? undefined : "nothing");
  const says = typeof word === "string" && Object.hasOwn(ownWords, word) ? ownWords[word] : undefined;
  if (says === undefined) return faulty(`its do is not known: ${JSON.stringify(fields.do)}`);
  if (word === "change" && !isRecord(fields.input)) return faulty("it changes the call and has no input");
  const reason = textOf(fields.reason) || "it gave no reason";
  return {
    ok: true,
    answer: {
      says,
      reason,
      input: word === "change" ? (fields.input as Record<string, unknown>) : undefined,
      context: textOf(fields.note) === "" ? [] : [textOf(fields.note)],
      stop: word === "stop" ? reason : undefined,
      message: textOf(fields.message) || undefined,
    },
  };
}

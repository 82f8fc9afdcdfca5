import { succeeds } from "@pith/kit";
import { purposes } from "../message/stream.ts";
import {
  amount,
  anything,
  type Check,
  type Checked,
  either,
  listOf,
  mapOf,
  oneOf,
  only,
  text,
  truth,
  where,
  whole,
  yes,
} from "./check.ts";

/** A scripted model's answers, turn by turn; `docs/faux.md` describes the format. */
export type Script = Checked<typeof script>;
export type Turn = Checked<typeof turn>;
export type Expectation = Checked<typeof expectation>;
export type Pattern = Checked<typeof pattern>;

const count = whole(0);
const oneOrMany = <T>(one: Check<T>, expected: string) => either(expected, one, listOf(one));

const regexp = where(text, (source) => succeeds(() => new RegExp(source)), "expected a regular expression");
const flags = where(text, (value) => /^[imsu]*$/.test(value), "expected flags out of i, m, s, u");
const pattern = either(
  'expected a text that must occur, or { matches: "regular expression" }',
  text,
  only({ flags }, { matches: regexp }),
);
const patterns = oneOrMany(
  pattern,
  'expected a text that must occur, { matches: "regular expression" }, or a list of these',
);
const expectation = only({ user: patterns, result: patterns, system: patterns, tools: listOf(text) });

const waiting = ["rate", "overload", "server", "network", "timeout", "cut"] as const;
const final = ["auth", "missing", "overflow", "rejected", "malformed", "flood", "refused"] as const;
const error = only({ kind: oneOf(...waiting, ...final), status: whole(300, 599), message: text, retryAfterMs: count });

const call = where(
  only({ input: mapOf(text, anything), rawInput: text, id: text }, { tool: text }),
  ({ input, rawInput }) => input === undefined || rawInput === undefined,
  "expected either input or rawInput",
);

const pace = { delayMs: count, chunkSize: whole(1), chunkDelayMs: count };
const chunks = oneOrMany(text, "expected a text or a list of chunks");

const turn = where(
  only({
    when: expectation,
    expect: expectation,
    otherwise: text,
    thinking: chunks,
    text: chunks,
    calls: listOf(call),
    ...pace,
    usage: only({ input: count, output: count, cacheRead: count, cacheWrite: count, reasoning: count }),
    stop: oneOf("stop", "length", "toolUse"),
    error,
    cut: either("expected true or a number of pieces", yes, count),
    hang: yes,
    repeat: whole(1),
  }),
  (turn) => [turn.error, turn.cut, turn.hang].filter((end) => end !== undefined).length < 2,
  "expected only one of error, cut and hang",
);

/** A side answer: a text, a turn, or several of these, one per request. */
const sideTurn: Check<string | Turn> = (value, path, mistakes) =>
  typeof value === "string" ? undefined : turn(value, path, mistakes);
const sideTurns = where(listOf(sideTurn), (turns) => turns.length > 0, "expected at least one answer");
const sideAnswer: Check<string | Turn | (string | Turn)[]> = (value, path, mistakes) =>
  (Array.isArray(value) ? sideTurns : sideTurn)(value, path, mistakes);
type SidePurpose = Exclude<(typeof purposes)[number], "main">;
const side = only(
  Object.fromEntries(
    purposes.filter((purpose) => purpose !== "main").map((purpose) => [purpose, sideAnswer]),
  ) as Record<SidePurpose, typeof sideAnswer>,
);

/** Project paths must stay inside the project: the script may come from anywhere. */
const stagePath = where(
  text,
  (path) =>
    path !== "" &&
    // biome-ignore lint/suspicious/noControlCharactersInRegex: a name with control characters is what is refused
    !/^[/~]|^[a-z]:|[\\\x00-\x1f]/i.test(path) &&
    !path.split("/").some((part) => part === "" || part === "." || part === ".."),
  "expected a relative path inside the project",
);

export const script = only(
  {
    name: text,
    model: only({
      contextWindow: whole(1),
      maxOutput: whole(1),
      reasoning: truth,
      input: listOf(oneOf("text", "image")),
      cost: only({}, { input: amount, output: amount, cacheRead: amount, cacheWrite: amount }),
    }),
    project: only({ executable: listOf(stagePath) }, { files: mapOf(stagePath, text) }),
    ...pace,
    side,
    after: oneOf("fail", "stop", "repeat-last"),
  },
  { turns: where(listOf(turn), (turns) => turns.length > 0, "expected at least one turn") },
);

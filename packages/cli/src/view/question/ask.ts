import type { Question } from "@pith/agent";
import { plural } from "@pith/kit";

/** Of a long value this many lines are shown at each end, unless somebody wants to see all of it. */
const shownAtEnds = 40;

/**
 * Everything a person is asked about, for the one who has to allow it. Nothing invisible stays invisible, no line is
 * cut, every value stands on lines of its own that cannot be taken for ours, and what is folded is counted.
 */
export function askRows(question: Question, fold: "folded" | "whole"): string[] {
  const { body, options = [], recommended, chosen = [] } = question;
  const rows = factsOf(question).flatMap(([name, value]) => {
    const lines = visibleLines(value);
    if (lines.length === 1) return [`${visible(name)}: ${lines[0]}`];
    return [`${visible(name)}:`, ...folded(lines, fold).map((line) => `  | ${line}`)];
  });
  const choices = options.map(({ id, label, about }, at) => {
    const words = about === undefined ? label : `${label}: ${about}`;
    const marks = [id === recommended ? "Recommended" : [], chosen.includes(id) ? "chosen" : []].flat();
    return `${at + 1}. ${visible(words)}${marks.length > 0 ? ` (${marks.join(", ")})` : ""}`;
  });
  const about = body === undefined ? [] : folded(visibleLines(body), fold).map((line) => `| ${line}`);
  return [...rows, ...about, ...choices];
}

/** What it is about, each by its name: what the model said, what that comes down to, and what was found out about it. */
export const factsOf = (question: Question): Fact[] => [
  ...(question.call ? values(question.call.arguments, question.intent) : []),
  ...facts(question.intent),
  ...judged(question),
];

/** What was found out about it: where it is several commands, what each is asked for; and for how long a yes may hold. */
function judged({ parts = [], risk, scope }: Question): Fact[] {
  const asked = parts.flatMap(({ text, reason }): Fact[] =>
    reason === undefined ? [] : [["because of", `${text}\n${reason}`]],
  );
  return [
    ...(parts.length > 1 ? asked : []),
    ...(risk === undefined || risk === "none" ? [] : [["risk", risk] as const]),
    ...(scope === undefined
      ? []
      : [["s (this session), p (this project)", `yes to ${quoted(scope)} from now on`] as const]),
  ];
}

/** Whether all of it was shown. */
export const isFolded = (question: Question): boolean =>
  askRows(question, "whole").length > askRows(question, "folded").length;

export type Fact = readonly [name: string, value: string];

/** What the model said, except what the intent says exactly. */
function values(input: Readonly<Record<string, unknown>>, intent: Question["intent"]): Fact[] {
  const exact = intent?.command === undefined ? [] : ["command", "cwd", "env"];
  return Object.entries(input).flatMap(([name, value]) =>
    exact.includes(name) ? [] : [[argument(name), typeof value === "string" ? value : JSON.stringify(value)] as const],
  );
}

/** No name of a model's is taken for one of ours. */
const argument = (name: string): string =>
  /^[a-z_]+$/i.test(name) && !/^(runs|in|with|reads|writes|execs|because|risk|s|p)$/i.test(name)
    ? name
    : `argument ${JSON.stringify(name)}`;

function facts(intent: Question["intent"]): Fact[] {
  if (!intent) return [];
  const { command, cwd, env = {}, hosts = [], paths } = intent;
  const touched = paths.flatMap(({ effect, real }): Fact[] =>
    effect === "exec" ? [] : [[`${effect}s`, quoted(real)]],
  );
  return [
    ...(command === undefined ? [] : [["runs", command] as const]),
    ...(cwd === undefined ? [] : [["in", quoted(cwd)] as const]),
    ...Object.entries(env).map(([name, value]): Fact => [`with ${name}`, quoted(value)]),
    ...hosts.map((host): Fact => ["talks to", quoted(host)]),
    ...touched,
  ];
}

/** A value of one line: a line break in it is shown and does not make another. */
const quoted = (value: string): string => value.replace(/[\r\n]/g, (sign) => (sign === "\n" ? "\\n" : "\\r"));

function folded(lines: readonly string[], fold: "folded" | "whole"): string[] {
  const left = lines.length - 2 * shownAtEnds;
  if (fold === "whole" || left <= 1) return [...lines];
  return [
    ...lines.slice(0, shownAtEnds),
    `(${plural(left, "line")} not shown here; answer "all" to see everything)`,
    ...lines.slice(-shownAtEnds),
  ];
}

export const visibleLines = (value: string): string[] => value.replace(/\n$/, "").split("\n").map(visible);

/**
 * A line as it is: what a terminal would obey, what reorders or hides text, and what looks like nothing appears as an
 * escape. A carriage return too: it would let the end of a line hide its beginning.
 */
export const visible = (line: string): string =>
  line.replace(hidden, (sign) => {
    const code = sign.codePointAt(0) ?? 0;
    if (code < 0x100) return named[sign] ?? `\\x${code.toString(16).padStart(2, "0")}`;
    return code < 0x10000 ? `\\u${code.toString(16).padStart(4, "0")}` : `\\u{${code.toString(16)}}`;
  });

// Blanks that are no space look like one; what is drawn over a letter makes it another.
const hidden =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u2800\u3164\uffa0]|[\u0334-\u0338]|[\u20d2-\u20e5]|(?! )\p{Zs}|\p{Variation_Selector}|\u034f/gu;

const named: Readonly<Record<string, string>> = { "\t": "\t", "\n": "\\n", "\r": "\\r", "\x1b": "\\e" };

import type { Question } from "@pith/agent";

/**
 * Everything a person is asked about, for the one who has to allow it. Nothing invisible stays invisible, no line is
 * cut, and every value stands on lines of its own that cannot be taken for ours.
 */
export function askRows(question: Question): string[] {
  const { body, options = [], recommended, chosen = [] } = question;
  const rows = factsOf(question).flatMap(([name, value]) => {
    const lines = visibleLines(value);
    if (lines.length === 1) return [`${visible(name)}: ${lines[0]}`];
    return [`${visible(name)}:`, ...lines.map((line) => `  | ${line}`)];
  });
  const choices = options.map(({ id, label, about }, at) => {
    const words = about === undefined ? label : `${label}: ${about}`;
    const marks = [id === recommended ? "Recommended" : [], chosen.includes(id) ? "chosen" : []].flat();
    return `${at + 1}. ${visible(words)}${marks.length > 0 ? ` (${marks.join(", ")})` : ""}`;
  });
  const about = body === undefined ? [] : visibleLines(body).map((line) => `| ${line}`);
  return [...rows, ...about, ...choices];
}

/** The facts of a question by name: the arguments of the call, its intent, and the judgement. */
export const factsOf = (question: Question): Fact[] => [
  ...(question.call ? values(question.call.arguments, question.intent) : []),
  ...facts(question),
  ...judged(question),
];

/** The judgement: the reason for each of several commands, the risk, and the scope of a yes. */
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

export type Fact = readonly [name: string, value: string];

/** The arguments of the call, without those that the intent has in exact form. */
function values(input: Readonly<Record<string, unknown>>, intent: Question["intent"]): Fact[] {
  const exact = intent?.command === undefined ? [] : ["command", "cwd", "env"];
  return Object.entries(input).flatMap(([name, value]) =>
    exact.includes(name) ? [] : [[argument(name), typeof value === "string" ? value : JSON.stringify(value)] as const],
  );
}

/** Marks names of arguments that could be taken for names of facts. */
const argument = (name: string): string =>
  /^[a-z_]+$/i.test(name) && !/^(runs|in|where|with|reads|writes|execs|because|risk|s|p)$/i.test(name)
    ? name
    : `argument ${JSON.stringify(name)}`;

function facts({ intent, access }: Question): Fact[] {
  if (!intent) return [];
  const { command, cwd, env = {}, place, hosts = [], paths } = intent;
  const touched = paths.flatMap(({ effect, real }): Fact[] =>
    effect === "exec" ? [] : [[`${effect}s`, quoted(real)]],
  );
  return [
    ...(command === undefined ? [] : [["runs", command] as const]),
    ...(cwd === undefined ? [] : [["in", quoted(cwd)] as const]),
    ...(place === undefined ? [] : [["where", placeText(place, access)] as const]),
    ...(access === undefined ? [] : granted(access)),
    ...Object.entries(env).map(([name, value]): Fact => [`with ${name}`, quoted(value)]),
    ...hosts.map((host): Fact => ["talks to", quoted(host)]),
    ...touched,
  ];
}

const placeText = (place: string, access: Question["access"]): string =>
  access?.leaves === "sandbox"
    ? "outside of the sandbox"
    : access?.leaves === "network"
      ? "in the sandbox, with the network of this machine"
      : place;

/** Everything that a yes lets a command do in the sandbox, beside what it may do there anyway. */
function granted({ writes, hosts, ports }: NonNullable<Question["access"]>): Fact[] {
  const rights = [
    ...writes.map((folder) => `write ${quoted(folder)}`),
    ...hosts.map((host) => `reach ${quoted(host)}`),
    ...ports.map((port) => `reach port ${port} of this machine`),
  ];
  return rights.length === 0 ? [] : [["a yes grants", rights.join(", ")]];
}

/** A value on one line, with its line breaks as escapes. */
const quoted = (value: string): string => value.replace(/[\r\n]/g, (sign) => (sign === "\n" ? "\\n" : "\\r"));

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

// Other blanks look like a space, and marks drawn over a letter make it another one.
const hidden =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u2800\u3164\uffa0]|[\u0334-\u0338]|[\u20d2-\u20e5]|(?! )\p{Zs}|\p{Variation_Selector}|\u034f/gu;

const named: Readonly<Record<string, string>> = { "\t": "\t", "\n": "\\n", "\r": "\\r", "\x1b": "\\e" };

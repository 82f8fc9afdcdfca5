import * as z from "zod";

/** A scripted model: what it answers, turn by turn. `docs/faux.md` tells the whole format. */
export type Script = z.infer<typeof scriptSchema>;
export type Turn = z.infer<typeof turnSchema>;
export type Expectation = z.infer<typeof expectSchema>;
export type Pattern = z.infer<typeof patternSchema>;

/** An object that says which keys it knows when it meets another. */
function exact<S extends z.ZodRawShape>(shape: S) {
  const known = Object.keys(shape).join(", ");
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === "unrecognized_keys" ? `unknown key ${issue.keys?.map((key) => `"${key}"`).join(", ")}; the keys here are ${known}` : undefined,
  });
}

const count = z.int().min(0);
const oneOrMany = <T extends z.ZodType>(one: T, error: string) => z.union([one, z.array(one)], { error });

const regexp = z.string().refine(isRegExp, "expected a regular expression");
const flags = z.string().regex(/^[imsu]*$/, "expected flags out of i, m, s, u");
const patternSchema = z.union([z.string(), exact({ matches: regexp, flags: flags.optional() })], {
  error: 'expected a text that must occur, or { matches: "regular expression" }',
});
const patterns = oneOrMany(patternSchema, 'expected a text that must occur, { matches: "regular expression" }, or a list of these').optional();
const expectSchema = exact({ user: patterns, result: patterns, system: patterns, tools: z.array(z.string()).optional() });

const kinds = ["auth", "missing", "rate", "overload", "server", "network", "timeout", "cut", "overflow", "rejected", "malformed", "refused"] as const;
const errorSchema = exact({
  kind: z.enum(kinds).optional(),
  status: z.int().min(300).max(599).optional(),
  message: z.string().optional(),
  retryAfterMs: count.optional(),
});

const callSchema = exact({
  tool: z.string(),
  input: z.record(z.string(), z.unknown()).optional(),
  rawInput: z.string().optional(),
  id: z.string().optional(),
}).refine((call) => call.input === undefined || call.rawInput === undefined, "expected either input or rawInput");

const pace = { delayMs: count.optional(), chunkSize: z.int().min(1).optional(), chunkDelayMs: count.optional() };

const turnSchema = exact({
  when: expectSchema.optional(),
  expect: expectSchema.optional(),
  otherwise: z.string().optional(),
  thinking: oneOrMany(z.string(), "expected a text or a list of chunks").optional(),
  text: oneOrMany(z.string(), "expected a text or a list of chunks").optional(),
  calls: z.array(callSchema).optional(),
  ...pace,
  usage: exact({
    input: count.optional(),
    output: count.optional(),
    cacheRead: count.optional(),
    cacheWrite: count.optional(),
    reasoning: count.optional(),
  }).optional(),
  stop: z.enum(["stop", "length", "toolUse"]).optional(),
  error: errorSchema.optional(),
  cut: z.union([z.literal(true), count], { error: "expected true or a number of pieces" }).optional(),
  hang: z.literal(true).optional(),
  repeat: z.int().min(1).optional(),
}).refine((turn) => [turn.error, turn.cut, turn.hang].filter((end) => end !== undefined).length < 2, "expected only one of error, cut and hang");

/** Paths of a stage stay inside it: the script may come from anywhere. */
const outside = "expected a relative path inside the project";
const stagePath = z.string().refine(
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a name with control characters is what is refused
  (path) => path !== "" && !/^[/~]|^[a-z]:|[\\\x00-\x1f]/i.test(path) && !path.split("/").some((part) => part === "" || part === "." || part === ".."),
  outside,
);

export const scriptSchema = exact({
  name: z.string().optional(),
  model: exact({
    contextWindow: z.int().min(1).optional(),
    maxOutput: z.int().min(1).optional(),
    reasoning: z.boolean().optional(),
    input: z.array(z.enum(["text", "image"])).optional(),
    cost: exact({ input: z.number(), output: z.number(), cacheRead: z.number(), cacheWrite: z.number() }).optional(),
  }).optional(),
  project: exact({
    files: z.record(stagePath, z.string(), { error: (issue) => (issue.code === "invalid_key" ? outside : undefined) }),
    executable: z.array(stagePath).optional(),
  }).optional(),
  ...pace,
  turns: z.array(turnSchema).min(1, "expected at least one turn"),
  after: z.enum(["fail", "stop", "repeat-last"]).optional(),
});

function isRegExp(source: string): boolean {
  try {
    return new RegExp(source) instanceof RegExp;
  } catch {
    return false;
  }
}

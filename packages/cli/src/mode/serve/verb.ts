import { type Answer, type Infer, type Schema, schema as s, type UserInput } from "@pith/agent";
import { approvals, type Coder, type Configuration, type Summary } from "@pith/coder";
import { efforts } from "@pith/llm";
import { picture } from "../../wire/message.ts";
import { list, of, text } from "../../wire/schema.ts";
import { toldJobs } from "./remote-jobs.ts";

const delivery = s.oneOf(["all", "one-at-a-time"]).optional();
const onOff = s.oneOf(["on", "off"]).optional();
const origin = s.object({ from: s.oneOf(["web", "server", "outside", "network"]), what: text }).optional();
const input = of<UserInput>({ text, images: list(picture).optional(), origin });
const answer = of<Answer>({
  say: s.oneOf(["yes", "no"]),
  by: s.oneOf(["timeout", "interrupt", "nobody", "policy"]).optional(),
  option: text.optional(),
  words: text.optional(),
  choices: list(text).optional(),
  go: s.oneOf(["back", "on"]).optional(),
  holds: s.oneOf(["once", "session", "project"]).optional(),
});
const configuration = of<Configuration>({
  approval: s.oneOf(approvals).optional(),
  thinking: s.oneOf(efforts).optional(),
  steeringMode: delivery,
  followUpMode: delivery,
  retry: onOff,
  compaction: onOff,
});
const summary: Schema<Summary> = s.union([s.oneOf(["none", "own"]), s.object({ instructions: text })]);

/** Commands that take their time, by the ids that faces gave them: who leaves ends none, who says so does. */
const performing = new Map<string, AbortController>();

/** What a face of ours may ask of a conversation that lives elsewhere. */
const verbs = {
  send: verb([input, s.oneOf(["now", "steer", "after"]).optional()], (coder, [said, when]) => coder.send(said, when)),
  withdraw: verb([text], (coder, [id]) => coder.withdraw(id)),
  answer: verb([text, answer], (coder, [id, said]) => coder.answer(id, said)),
  hold: verb([text], (coder, [id]) => coder.hold(id)),
  command: verb([text, s.oneOf(["in", "out"])], (coder, [typed, context]) => coder.command(typed, context)),
  interrupt: verb([text, s.oneOf(["commands", "turn", "both"]).optional()], (coder, [reason, what]) =>
    coder.interrupt(reason, what),
  ),
  use: verb([text], (coder, [name]) => coder.use(name)),
  configure: verb([configuration], (coder, [wanted]) => coder.configure(wanted)),
  context: verb([], (coder) => coder.context()),
  usage: verb([], (coder) => coder.usage()),
  prompt: verb([], (coder) => coder.prompt()),
  reads: verb([], (coder) => coder.reads()),
  jobs: verb([], (coder) => toldJobs(coder)),
  note: verb([text], (coder, [said]) => coder.note(said)),
  names: verb([], (coder) => coder.names(AbortSignal.timeout(5000))),
  attach: verb([text], (coder, [typed]) => coder.attach(typed)),
  complete: verb([text], (coder, [typed]) => coder.commands.complete(typed)),
  label: verb([text, text], (coder, [id, label]) => coder.walk.label(id, label)),
  rename: verb([text], (coder, [name]) => coder.walk.rename(name)),
  fork: verb([s.oneOf(["all", "path"]), text.optional()], (coder, [take, upTo]) =>
    coder.walk.fork(take === "all" ? undefined : (upTo ?? null)),
  ),
  go: verb([text, summary], (coder, [id, sum]) => coder.walk.go(id, sum)),
  perform: verb([text, text], async (coder, [typed, id]) => {
    const read = coder.commands.read(typed);
    if (read.is !== "command") return { do: "show", outcome: { kind: "prose", data: {}, text: "" } };
    const stop = new AbortController();
    performing.set(id, stop);
    try {
      return await coder.perform(read, stop.signal);
    } finally {
      performing.delete(id);
    }
  }),
  stop: verb([text], (_, [id]) => performing.get(id)?.abort("Interrupted.")),
};
export type Verb = keyof typeof verbs;

/** Carries a verb out; what it does not take is told before anything is done. */
export async function perform(
  coder: Coder,
  name: Verb,
  args: unknown,
): Promise<{ value: unknown } | { wrong: string }> {
  const { takes, run } = verbs[name] as Row;
  if (!Array.isArray(args) || args.length > takes.length) return { wrong: `${name} takes ${takes.length} arguments` };
  const read = takes.map((schema, at) => schema.safeParse(args[at]));
  const issue = read.flatMap((one, at) =>
    one.success ? [] : one.error.issues.map(({ path, message }) => `${[at, ...path].join(".")}: ${message}`),
  );
  if (issue.length > 0) return { wrong: issue.join("; ") };
  return { value: await run(coder, read.map((one) => (one.success ? one.data : undefined)) as never) };
}

export const isVerb = (name: string): name is Verb => Object.hasOwn(verbs, name);

interface Row {
  takes: readonly Schema<unknown>[];
  run(coder: Coder, args: never): unknown;
}

function verb<const S extends readonly Schema<unknown>[]>(
  takes: S,
  run: (coder: Coder, args: { [K in keyof S]: Infer<S[K]> }) => unknown,
) {
  return { takes, run };
}

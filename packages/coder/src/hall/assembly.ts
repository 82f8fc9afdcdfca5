import type { Hook, Points } from "@pith/agent";
import { messageOf, sleep } from "@pith/kit";
import { inOthersWords } from "../tools/foreign.ts";
import type { Hall } from "./hall.ts";
import type { Door, Part, Row } from "./part.ts";

/** What the list of parts gives for one conversation. */
export interface Assembly extends AsyncDisposable {
  door: Door;
  parts: readonly Part[];
  /** Tools that somebody wanted and nobody brought, nor can bring later. */
  missing(): string[];
  /** Names of tools that the list brings twice. */
  taken: readonly string[];
  /** Every tool that was brought, wanted or not. */
  known: readonly string[];
}

/** How long the end waits for what is still arriving. */
const patienceMs = 1000;

/** Makes the parts in the order of the list and puts in what each brings; they go in the opposite order. */
export function assemble(
  hall: Hall,
  { points, words }: { points: Points; words: (() => readonly string[])[] },
  rows: readonly Row[],
  scope: "main" | "child",
): Assembly {
  const only = hall.choice.wanted.tools;
  const known: string[] = [];
  const taken: string[] = [];
  const door: Door = {
    tools(source, tools) {
      known.push(...tools.map(({ name }) => name));
      // One that is named brings those without which it leads nowhere.
      const needed = tools.flatMap(({ name, companions = [] }) => (only?.includes(name) ? [name, ...companions] : []));
      const wanted = tools.filter(({ name, told }) => !only || needed.includes(name) || told === "always");
      return hall.tools.add(source, wanted);
    },
    gone: (source) => hall.tools.remove(source),
    hooks: (hooks) => points.add(hooks),
    commands: (commands) => void hall.commands.add(commands),
    urls: (urls) => hall.urls.add(urls),
  };
  const parts: Part[] = [];
  for (const [reach, make] of rows) {
    const part = reach === "every" || scope === "main" ? make(hall) : undefined;
    if (!part) continue;
    parts.push(part);
    door.hooks(part.hooks ?? []);
    taken.push(...(part.tools ?? []).flatMap(({ name }) => (known.includes(name) ? [name] : [])));
    door.tools("pith", (part.tools ?? []).map(inOthersWords));
    door.commands(part.commands ?? []);
    door.urls(part.urls ?? {});
    if (part.keeps) hall.keeping.add(part.keeps);
    if (part.prompt) words.push(() => part.prompt?.() ?? []);
  }
  const leaving = new AbortController();
  let arriving: Promise<unknown> | undefined;
  const tell = (text: string) => hall.channel.notify({ level: "warn", text });
  const arrive = async (part: Part) => {
    try {
      await part.arrive?.(door, leaving.signal);
    } catch (error) {
      tell(`${part.name} is not there: ${messageOf(error)}`);
    }
  };
  /** What one part fails at must not cost the others their end, nor the conversation its record. */
  const leave = async (part: Part) => {
    try {
      await part[Symbol.asyncDispose]?.();
    } catch (error) {
      tell(`${part.name} did not end in order: ${messageOf(error)}`);
    }
  };
  const unknown = () => (only ?? []).filter((name) => !known.includes(name));
  const later = parts.filter((part) => part.arrive);
  const arrival: Hook = {
    name: "arrival",
    // The input that began the turn is written by now, and nobody waits for what comes.
    step() {
      arriving ??= Promise.all(later.map(arrive)).then(() => {
        for (const name of leaving.signal.aborted ? [] : unknown())
          tell(`There is no tool "${name}"; nobody brought it.`);
      });
      return { do: "go" };
    },
  };
  if (later.length > 0) door.hooks([arrival]);
  return {
    door,
    parts,
    known,
    taken,
    missing: () => (later.length > 0 ? [] : unknown()),
    async [Symbol.asyncDispose]() {
      leaving.abort();
      // Who does not listen to the signal is not waited for.
      const enough = new AbortController();
      if (arriving) await Promise.race([arriving, sleep(patienceMs, enough.signal)]);
      enough.abort();
      for (const part of parts.toReversed()) await leave(part);
    },
  };
}

import { type Hook, hookPoints, type Tool } from "@pith/agent";
import { late, messageOf, sleep } from "@pith/kit";
import type { Hall } from "./hall.ts";
import type { Door, Part } from "./part.ts";

/** Puts what parts bring into the tables of one conversation. */
export interface Assembly extends AsyncDisposable {
  door: Door;
  parts: readonly Part[];
  add(part: Part): void;
  /** Requested tools that no part brought and none can bring later. */
  missing(): string[];
  /** Names of tools that the list brings twice. */
  taken: readonly string[];
  /** Names of all tools that were brought, requested or not. */
  known: readonly string[];
}

/** Time that the end of a conversation waits for parts that are still arriving. */
const arrivalTimeoutMs = 1000;

export function assemble(hall: Hall): Assembly {
  const parts: Part[] = [];
  const known: string[] = [];
  const taken: string[] = [];
  const door = doorOf(hall, known);
  const missing = () => (hall.choice.wanted.tools ?? []).filter((name) => !known.includes(name));
  const arrivals = new Arrivals(hall, door, missing);
  return {
    door,
    parts,
    known,
    taken,
    add(part) {
      parts.push(part);
      const { hooks, tools = [], commands, urls, keeps } = part;
      if (hookPoints.some((point) => part[point])) door.hooks([part]);
      if (hooks) door.hooks(hooks);
      taken.push(...tools.flatMap(({ name }) => (known.includes(name) ? [name] : [])));
      if (tools.length > 0) door.tools("pith", tools.map(inOthersWords));
      if (commands) door.commands(commands);
      if (urls) door.urls(urls);
      if (keeps) hall.keeping.add(keeps);
      if (part.prompt) hall.promptBlocks.push(() => part.prompt?.() ?? []);
      arrivals.expect(part);
    },
    missing: () => (arrivals.expected ? [] : missing()),
    [Symbol.asyncDispose]: () => arrivals[Symbol.asyncDispose](),
  };
}

const foreignWords = late(() => {
  const { foreignWords }: typeof import("../tools/foreign.ts") = require("../tools/foreign.ts");
  return foreignWords;
});

/** The tool, which understands other agents' words as well; these are loaded by the first call. */
function inOthersWords(tool: Tool): Tool {
  // What it tells may be worked out when it is asked for.
  const own = Object.defineProperties({} as Tool, Object.getOwnPropertyDescriptors(tool));
  return tool.foreign
    ? own
    : Object.defineProperty(own, "foreign", { get: () => foreignWords(tool), enumerable: true });
}

function doorOf(hall: Hall, known: string[]): Door {
  return {
    tools(source, tools) {
      const only = hall.choice.wanted.tools;
      known.push(...tools.map(({ name }) => name));
      // A requested tool brings the ones without which it is of no use.
      const needed = tools.flatMap(({ name, companions = [] }) => (only?.includes(name) ? [name, ...companions] : []));
      const wanted = tools.filter(({ name, told }) => !only || needed.includes(name) || told === "always");
      return hall.tools.add(source, wanted);
    },
    gone: (source) => hall.tools.remove(source),
    hooks: (hooks) => hall.points.add(hooks),
    commands: (commands) => void hall.commands.add(commands),
    urls: (urls) => hall.urls.add(urls),
  };
}

/** Calls `arrive` of parts once the first input is written; nobody waits for them. */
class Arrivals implements AsyncDisposable {
  readonly #hall: Hall;
  readonly #door: Door;
  readonly #missing: () => readonly string[];
  readonly #parts: Part[] = [];
  readonly #leaving = new AbortController();
  #arriving: Promise<unknown> | undefined;

  constructor(hall: Hall, door: Door, missing: () => readonly string[]) {
    this.#hall = hall;
    this.#door = door;
    this.#missing = missing;
  }

  get expected(): boolean {
    return this.#parts.length > 0;
  }

  expect(part: Part): void {
    if (!part.arrive) return;
    if (!this.expected) this.#door.hooks([this.#hook]);
    this.#parts.push(part);
  }

  readonly #hook: Hook = {
    name: "arrival",
    step: () => {
      this.#arriving ??= this.#arrive();
    },
  };

  async #arrive(): Promise<void> {
    const tell = (text: string) => this.#hall.channel.notify({ level: "warn", text });
    const one = async (part: Part) => {
      try {
        await part.arrive?.(this.#door, this.#leaving.signal);
      } catch (error) {
        tell(`${part.name} is not available: ${messageOf(error)}`);
      }
    };
    await Promise.all(this.#parts.map(one));
    if (this.#leaving.signal.aborted) return;
    for (const name of this.#missing()) tell(`There is no tool "${name}"; no part brought it.`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#leaving.abort();
    // A part that ignores the signal is not waited for.
    const enough = new AbortController();
    if (this.#arriving) await Promise.race([this.#arriving, sleep(arrivalTimeoutMs, enough.signal)]);
    enough.abort();
  }
}

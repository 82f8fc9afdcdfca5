import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fail, isInside, ok, type Result, readPlain, shellQuote, sleep } from "@pith/kit";
import type { Env } from "../env.ts";
import { blockedIn } from "./blocked.ts";
import { bubblewrapArgs } from "./bubblewrap.ts";
import { Guard, type Trespass } from "./guard/guard.ts";
import { Census } from "./guard/new-repositories.ts";
import { writeCheck } from "./mount-check.ts";
import { type Network, openNetwork } from "./network.ts";
import { type Rulings, Shutters } from "./plan/closed.ts";
import { elsewhere, foldersOf, type Ground, type Lay, layOf, type Plan, planOf, printOf } from "./plan/plan.ts";
import { type Tools, tryWalls } from "./probe.ts";
import type { Domain } from "./proxy/domain.ts";
import type { Gate } from "./proxy/gateway.ts";
import { seatbeltText } from "./seatbelt.ts";
import { filterBytes } from "./seccomp.ts";

export interface WallOptions extends Pick<Ground, "folders" | "home" | "closed"> {
  mode(): Ground["mode"];
  /** What may be read though it lies in a closed place. */
  shown(): readonly string[];
  env: Env;
  /** Where it is remembered whether walls can be built here. */
  file: string;
  /** Where that goes which commands must not leave. */
  aside: string;
  /** What rules close to every command. */
  shut?: Rulings | undefined;
  /** Hosts that may be reached. */
  domains: readonly Domain[];
  /** Somebody is asked about any other while the connection waits; without, they are refused. */
  ask?: ((host: string, port: number, signal: AbortSignal) => Promise<"yes" | "no">) | undefined;
  /** Something people should know. */
  tell(text: string): void;
}

/** One command's place behind the wall. */
export interface Cell {
  /** What its plan was; good for as long as a new one would be the same. */
  print: string;
  /** What a shell reads there before anything else: it ends it where the place is not as planned. */
  check?: string;
  /** The program of a shell, with all that puts it there. */
  wrap(argv: readonly string[], groups: readonly string[]): string[];
  /** The first process inside, by the number that it has outside. */
  first(): number | undefined;
  /** Whether the place was built; asked when all is over. */
  built(): boolean;
}

/** A command that runs behind the wall, as long as it does. */
export interface Watched {
  /** What came about since the last look. */
  look(): Trespass[];
  end(): Trespass[];
}

/**
 * Builds the namespaces that commands run in, one for each command, and looks after what no namespace can hold. Knows
 * nothing of who may run what.
 */
export class Wall implements Disposable {
  readonly #options: WallOptions;
  #tmp = "";
  /** The file of what no namespace keeps in, where there is such a thing. */
  #filter: string | undefined;
  #tools: Promise<Result<Tools, "walls">> | undefined;
  #up: Tools | undefined;
  #network: Network | undefined;
  #opening: Promise<void> | undefined;
  readonly #census: Census;
  readonly #shutters: Shutters | undefined;
  readonly #accepted = new Set<string>();
  #lay: { at: number; mode: Ground["mode"]; trees: readonly string[]; lay: Lay } | undefined;
  /** What the last place was made by, or looked at by. */
  #newest: Plan | undefined;
  readonly #guards = new Set<Guard>();
  #outside = 0;
  readonly #said = new Set<string>();
  readonly #over = new AbortController();
  #gate: Promise<Gate | undefined> | undefined;
  /** What became of connections, the newest last. */
  readonly #met = { reached: [] as Met[], refused: [] as Met[] };

  constructor(options: WallOptions) {
    this.#options = options;
    const { aside, mode, shut } = options;
    this.#shutters = shut && new Shutters(shut);
    this.#census = new Census({
      folders: () => (mode() === "read-only" ? [] : foldersOf({ ...options, mode: "workspace" })),
      aside,
      accepted: (path) => [...this.#accepted].some((one) => isInside(one, path) || isInside(path, one)),
      tell: (text) => this.#tell(text),
    });
  }

  /** The folder that `/tmp` is behind the wall; empty before the wall stands. */
  get tmp(): string {
    return this.#up ? this.#tmp : "";
  }

  /** Whether walls can be built here, tried when it is first asked. `tmp` is made there. */
  async stand(folder: () => string): Promise<Result<void, "walls">> {
    this.#tools ??= this.#try(folder);
    const tools = await this.#tools;
    if (!tools.ok) return tools;
    this.#opening ??= this.#open(tools.value);
    await this.#opening;
    return (await this.#shutters?.look(this.#over.signal)) ?? ok(undefined);
  }

  /** A place for a command whose small files are in `own`. Only where the wall stands. */
  cell(own: string, status: string, where: "alone" | "at a terminal" = "alone"): Cell | undefined {
    const tools = this.#up;
    if (!tools) return undefined;
    const plan = this.#plan();
    if (tools.kind === "seatbelt") {
      const text = seatbeltText(plan, own);
      return {
        print: printOf(plan),
        wrap: (argv) => [tools.program, "-p", text, ...argv],
        first: () => undefined,
        built: () => true,
      };
    }
    const network = this.#network;
    const filter = this.#filter === undefined ? undefined : filterFd;
    const args = bubblewrapArgs({ plan, own, network: network ? "session" : "own", status: statusFd, filter, where });
    const filtered = this.#filter === undefined ? "" : ` ${filterFd}<${shellQuote(this.#filter)}`;
    const enter = network?.enter ?? [];
    let first: number | undefined;
    return {
      print: printOf(plan),
      check: writeCheck(plan, own),
      first: () => (first ??= numberIn(status, "child-pid")),
      built: () => numberIn(status, "exit-code") !== undefined,
      wrap: (argv, groups) => [
        "/bin/sh",
        "-c",
        // It is in its control groups before anything of it exists that would not be.
        `${groups.map(joining).join("")}exec "$@" ${statusFd}>${shellQuote(status)}${filtered}`,
        "sh",
        ...enter,
        tools.program,
        ...args,
        ...argv,
      ],
    };
  }

  /** Begins to look after a command; not where its place is no longer what a new one would be. */
  watch(cell: Cell): Watched | undefined {
    const plan = this.#plan();
    if (printOf(plan) !== cell.print) return undefined;
    const guard = new Guard(plan, this.#options.aside);
    this.#guards.add(guard);
    const over = this.#census.begin("walled");
    const seen = () => guard.look(this.#outside > 0 ? "others too" : "command");
    const look = () => [...seen(), ...this.#census.now()];
    return {
      look,
      end: () => {
        this.#guards.delete(guard);
        over();
        return look();
      },
    };
  }

  /** A command outside of the walls has begun; tell when it is over. */
  beside(): () => void {
    this.#outside++;
    const over = this.#census.begin("beside");
    return () => {
      this.#outside--;
      over();
    };
  }

  /** What the commands that are over made of new repositories, once that is known. */
  settle(): Promise<Trespass[]> {
    return this.#census.settle();
  }

  /**
   * The way to hosts that may be reached, built when a command first could want it. Undefined where none may be, and
   * nobody can be asked.
   */
  async gate(folder: string): Promise<Gate | undefined> {
    const { domains, ask } = this.#options;
    const network = this.#network;
    if ((domains.length === 0 && !ask) || !network) return undefined;
    // Sockets and servers are loaded where they are first needed: a start can do without them.
    this.#gate ??= import("./proxy/gateway.ts")
      .then(({ openGate }) =>
        openGate({
          folder,
          enter: network.enter,
          domains,
          ask: async (host, port) => (await ask?.(host, port, this.#over.signal)) ?? "no",
          note: (host, what, why) => {
            const met = this.#met[what];
            met.push({ at: performance.now(), text: what === "refused" ? `${host}: ${why}` : host });
            if (met.length > mostMet) met.shift();
          },
        }),
      )
      .catch(() => undefined);
    return await this.#gate;
  }

  /** What a path behind the wall is called outside, where it is the same there too; undefined for what is not. */
  outside(path: string): string | undefined {
    if (this.#up?.kind !== "bubblewrap" || !elsewhere.some((folder) => isInside(folder, path))) return path;
    const { writable, shown, tmp } = this.#newest ?? this.#plan();
    if ([...writable, ...shown, tmp].some((folder) => isInside(folder, path))) return path;
    return isInside("/tmp", path) ? join(tmp, path.slice("/tmp".length)) : undefined;
  }

  /** What kept a command that began then from doing something, as far as the wall knows. */
  blocked(output: string, since: number): string[] {
    const hosts = textsSince(this.#met.refused, since);
    return [...new Set([...hosts, ...blockedIn(output, this.#plan(), hosts.length > 0)])];
  }

  /** The hosts that commands have spoken to since then. */
  reached(since: number): string[] {
    return [...new Set(textsSince(this.#met.reached, since))];
  }

  /** Somebody who may will write these. */
  accept(paths: readonly string[]): void {
    for (const guard of this.#guards) for (const path of paths) guard.accept(path);
    for (const path of paths) this.#accepted.add(path);
    for (const path of this.#accepted) if (this.#accepted.size > mostAccepted) this.#accepted.delete(path);
  }

  [Symbol.dispose](): void {
    this.#up = undefined;
    this.#over.abort();
    this.#census[Symbol.dispose]();
    void this.#gate?.then((gate) => gate?.[Symbol.dispose]());
    this.#network?.[Symbol.dispose]();
  }

  #plan(): Plan {
    const { mode, shown, shut: _, ...rest } = this.#options;
    const ground = {
      ...rest,
      mode: mode(),
      shown: shown(),
      tmp: this.#tmp,
      trees: this.#census.trees,
      shut: this.#shutters?.found ?? [],
      network: this.#network?.name,
    };
    const now = performance.now();
    const { mode: held, trees } = ground;
    if (!this.#lay || now - this.#lay.at > layMs || this.#lay.mode !== held || this.#lay.trees !== trees)
      this.#lay = { at: now, mode: held, trees, lay: layOf(ground) };
    const plan = planOf(ground, this.#lay.lay);
    for (const remark of plan.remarks) this.#tell(remark);
    this.#newest = plan;
    return plan;
  }

  async #try(folder: () => string): Promise<Result<Tools, "walls">> {
    try {
      this.#tmp = join(folder(), "tmp");
      mkdirSync(this.#tmp, { mode: 0o700, recursive: true });
      const bytes = filterBytes();
      if (bytes) {
        this.#filter = join(dirname(this.#tmp), "filter");
        writeFileSync(this.#filter, bytes, { mode: 0o600 });
      }
    } catch {
      return fail("walls", "there is no place for a folder of its own");
    }
    const { env, file } = this.#options;
    return await tryWalls({ env, file, plan: this.#plan(), filter: this.#filter });
  }

  async #open(tools: Tools): Promise<void> {
    // Every repository is known before the first command, or as many as can be told in a while.
    const known = Promise.race([this.#census.look(), sleep(patienceMs, this.#over.signal)]);
    this.#network = await openNetwork(tools);
    await known;
    if (!this.#network && tools.kind === "bubblewrap")
      this.#tell(
        "Commands behind the wall have a network each, for nsenter cannot be used here: one does not reach another's server.",
      );
    const network = this.#network;
    void network?.over.then(() => {
      // Without it nothing could be entered; the next command has another.
      if (this.#network !== network || !this.#up) return;
      this.#network = undefined;
      this.#opening = undefined;
      this.#gate = undefined;
    });
    this.#up = tools;
  }

  /** Once is enough. */
  #tell(text: string): void {
    if (!this.#said.has(text)) this.#options.tell(text);
    this.#said.add(text);
  }
}

/** What bubblewrap has told so far. */
function numberIn(status: string, name: "child-pid" | "exit-code"): number | undefined {
  const said = readPlain(status, { maxBytes: 4096 });
  const number = said.ok ? new RegExp(`"${name}": (\\d+)`).exec(said.value)?.[1] : undefined;
  return number === undefined ? undefined : Number(number);
}

interface Met {
  at: number;
  text: string;
}

const textsSince = (met: readonly Met[], since: number): string[] =>
  met.flatMap(({ at, text }) => (at >= since ? [text] : []));
const joining = (file: string): string => `echo 0 2>/dev/null >${shellQuote(file)}; `;
const statusFd = 9;
const filterFd = 8;
const mostMet = 100;
const patienceMs = 1500;
const mostAccepted = 200;
const layMs = 1000;

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fail, isInside, ok, type Result, readPlain, shellQuote, sleep } from "@pith/kit";
import type { Env } from "../env.ts";
import { blockedIn } from "./blocked.ts";
import { bubblewrapArgs } from "./bubblewrap.ts";
import { GivenFiles } from "./given.ts";
import { FileCopies } from "./guard/copies.ts";
import { SandboxGuard, type Violation } from "./guard/guard.ts";
import { RepositoryWatch } from "./guard/new-repositories.ts";
import { LayerGround, type Layers } from "./layer/ground.ts";
import { Met } from "./met.ts";
import { writeMountCheck } from "./mount-check.ts";
import { openNetwork, type SandboxNetwork } from "./network.ts";
import { ClosedPaths, type ClosingRules } from "./plan/closed.ts";
import {
  fingerprintOf,
  layerFolders,
  makePlan,
  type PlanFacts,
  type PlanOptions,
  planFacts,
  replacedFolders,
  type SandboxPlan,
  writableFolders,
} from "./plan/plan.ts";
import { probeSandbox } from "./probe.ts";
import type { AllowedHost } from "./proxy/domain.ts";
import type { PortForwards } from "./proxy/forward.ts";
import type { Gateway } from "./proxy/gateway.ts";
import { isListening } from "./proxy/listening.ts";
import { seatbeltText } from "./seatbelt.ts";
import { seccompFilter } from "./seccomp.ts";
import type { SandboxTools } from "./tools.ts";

export interface SandboxOptions extends Pick<PlanOptions, "folders" | "home" | "closed"> {
  mode(): PlanOptions["mode"];
  /** Paths that may be read though they lie in a closed place. */
  readable(): readonly string[];
  /** Paths below `/tmp` that a person named: the files there may be read. */
  named?(): ReadonlySet<string>;
  env: Env;
  /** File in which it is remembered that a sandbox can be built here. */
  probeFile: string;
  /** Directory for files that commands must not leave. */
  quarantine: string;
  /** Paths that rules close to every command. */
  closedBy?: ClosingRules | undefined;
  /** Hosts that may be reached. */
  domains: readonly AllowedHost[];
  /** The reason why a host is refused without asking anybody. */
  refuses?(host: string): Promise<string | undefined>;
  /** Ports of this machine that commands may reach. */
  ports?(): readonly number[];
  /** Somebody is asked about any other while the connection waits; without, they are refused. */
  ask?: ((host: string, port: number, signal: AbortSignal) => Promise<"yes" | "no">) | undefined;
  /** True for a repository whose configuration and hooks the user trusts. */
  isTrusted?(root: string): boolean;
  /** Something people should know. */
  notify(text: string): void;
}

/** Access that a command has in its sandbox. */
export interface SandboxKind {
  writes: "project" | "nothing" | "layers";
  /** The session's network, the machine's, or one in which nobody else is. */
  network: "own" | "host" | "none";
  /** Folders beside those of the project that it may write. */
  also?: readonly string[] | undefined;
}

/** Rights of one command: folders that it may write, hosts and ports of this machine that it may reach. */
export interface CommandGrants {
  writes: readonly string[];
  hosts: readonly string[];
  ports: readonly number[];
}

const noGrants: CommandGrants = { writes: [], hosts: [], ports: [] };
const usual: SandboxKind = { writes: "project", network: "own" };

/** The sandbox of one command. */
export interface SandboxedCommand {
  kind: SandboxKind;
  /** Identity of its plan; good for as long as a new one would be the same. */
  fingerprint: string;
  /** File that a shell reads there before anything else: it ends the shell where the mounts are not as planned. */
  checkFile?: string;
  /** The program of a shell, with all that puts it there. */
  wrap(argv: readonly string[], groups: readonly string[]): string[];
  /** The first process inside, by the number that it has outside. */
  firstPid(): number | undefined;
  /** True when the sandbox was built; asked when all is over. */
  wasBuilt(): boolean;
  /** The layers that are thrown away with it, where it has some. */
  layers?: Layers | undefined;
}

/** A command that runs in the sandbox, as long as it does. */
export interface SandboxWatch {
  /** Lists what came about since the last look. */
  check(): Violation[];
  end(): Violation[];
}

/**
 * Builds the namespaces that commands run in, one for each command, and looks after what no namespace can hold. Knows
 * nothing of who may run what.
 */
export class Sandbox implements Disposable {
  readonly #options: SandboxOptions;
  #tmp = "";
  /** The file of what no namespace keeps in, where there is such a thing. */
  #filter: string | undefined;
  #tools: Promise<Result<SandboxTools, "sandbox">> | undefined;
  #up: SandboxTools | undefined;
  #network: SandboxNetwork | undefined;
  #opening: Promise<void> | undefined;
  readonly #census: RepositoryWatch;
  readonly #copies = new FileCopies();
  readonly #shutters: ClosedPaths | undefined;
  readonly #accepted = new Set<string>();
  readonly #given: GivenFiles;
  #layers: LayerGround | undefined;
  #layering: Promise<void> | undefined;
  readonly #facts = new Map<PlanOptions["mode"], { at: number; trees: readonly string[]; facts: PlanFacts }>();
  /** The plan of the newest sandbox. */
  #newest: SandboxPlan | undefined;
  readonly #guards = new Set<SandboxGuard>();
  #outside = 0;
  readonly #said = new Set<string>();
  readonly #over = new AbortController();
  #gate: Promise<Gateway | undefined> | undefined;
  #forwards: PortForwards | undefined;
  /** Hosts that running commands may reach because somebody said yes to them. */
  #lent: readonly AllowedHost[] = [];
  /** Hosts that commands reached or were refused, the newest last. */
  readonly #met = { reached: new Met(), refused: new Met() };

  constructor(options: SandboxOptions) {
    this.#options = options;
    const { quarantine: aside, mode, closedBy: shut, named = () => new Set<string>() } = options;
    this.#given = new GivenFiles({ named, tmp: () => this.#tmp });
    this.#shutters = shut && new ClosedPaths(shut);
    this.#census = new RepositoryWatch({
      folders: () => (mode() === "read-only" ? [] : writableFolders({ ...options, mode: "workspace" })),
      quarantine: aside,
      isAccepted: (path) => [...this.#accepted].some((one) => isInside(one, path) || isInside(path, one)),
      notify: (text) => this.#tell(text),
      copies: this.#copies,
    });
  }

  /** The folder that `/tmp` is in the sandbox; empty before it works. */
  get tmp(): string {
    return this.#up ? this.#tmp : "";
  }

  /** True where a path below `/tmp` means that of the machine, because a person named it. */
  isGiven(path: string): boolean {
    return this.tmp !== "" && this.#given.has(path);
  }

  /** Says what a command can be let reach: hosts and ports one by one, the network of this machine, or nothing. */
  get reach(): "hosts" | "network" | "nothing" {
    return this.#network ? "hosts" : this.#up?.kind === "bubblewrap" ? "network" : "nothing";
  }

  /** Tries once if a sandbox can be built here, and makes the folder for `/tmp`. */
  async prepare(folder: () => string): Promise<Result<void, "sandbox">> {
    this.#tools ??= this.#try(folder);
    const tools = await this.#tools;
    if (!tools.ok) return tools;
    this.#opening ??= this.#open(tools.value);
    await this.#opening;
    return (await this.#shutters?.refresh(this.#over.signal)) ?? ok(undefined);
  }

  /** Tries once if commands can have layers over the folders of the project; only where they may write these at all. */
  async prepareLayers(folder: () => string): Promise<"layers" | "none"> {
    const tools = this.#up;
    if (!tools || this.#options.mode() === "read-only") return "none";
    this.#layering ??= LayerGround.open(tools, join(folder(), layersName), layerFolders(this.#ground())).then(
      (ground) => {
        if (this.#over.signal.aborted) return ground?.[Symbol.dispose]();
        this.#layers = ground;
        void ground?.over.then(() => {
          // The next command that wants one has another.
          this.#layers = this.#layering = undefined;
        });
      },
    );
    await this.#layering;
    await this.#layers?.room();
    return this.#layers ? "layers" : "none";
  }

  /** True where the place of a command may be built before the command is known. */
  canWait({ writes }: SandboxKind): boolean {
    return writes !== "layers" || this.#layers?.canWait === true;
  }

  /** A place for a command whose small files are in `own`. Undefined where it does not work. */
  command(
    own: string,
    status: string,
    { where = "alone", kind = usual }: { where?: "alone" | "at a terminal"; kind?: SandboxKind } = {},
  ): SandboxedCommand | undefined {
    const tools = this.#up;
    if (!tools) return undefined;
    const plan = this.#plan(kind);
    if (tools.kind === "seatbelt") {
      const text = seatbeltText(plan, own);
      return {
        kind,
        fingerprint: fingerprintOf(plan),
        wrap: (argv) => [tools.program, "-p", text, ...argv],
        firstPid: () => undefined,
        wasBuilt: () => true,
      };
    }
    const layers = kind.writes === "layers" ? this.#layers?.make(plan.layered) : undefined;
    if (kind.writes === "layers" && !layers) return undefined;
    const network = kind.network === "own" ? this.#network : undefined;
    const filter = this.#filter === undefined ? undefined : filterFd;
    const args = bubblewrapArgs({
      plan,
      own,
      layers: layers?.binds,
      network: network ? "session" : kind.network === "host" ? "host" : "own",
      status: statusFd,
      filter,
      where,
    });
    const filtered = this.#filter === undefined ? "" : ` ${filterFd}<${shellQuote(this.#filter)}`;
    const enter = layers?.enter ?? network?.enter ?? [];
    let first: number | undefined;
    return {
      kind,
      fingerprint: fingerprintOf(plan),
      checkFile: writeMountCheck(plan, own),
      layers,
      firstPid: () => (first ??= numberIn(status, "child-pid")),
      wasBuilt: () => numberIn(status, "exit-code") !== undefined,
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
  watch(cell: SandboxedCommand): SandboxWatch | undefined {
    const plan = this.#plan(cell.kind);
    if (fingerprintOf(plan) !== cell.fingerprint) return undefined;
    const guard = new SandboxGuard(plan, this.#options.quarantine, this.#copies);
    this.#guards.add(guard);
    // What can write nothing changes nothing.
    const over = plan.writable.length > 0 ? this.#census.begin(plan.readOnly) : () => {};
    const seen = () => guard.check(this.#outside > 0 ? "others too" : "command");
    const look = () => [...seen(), ...this.#census.violations()];
    return {
      check: look,
      end: () => {
        this.#guards.delete(guard);
        over();
        return look();
      },
    };
  }

  /** A command outside of the sandbox has begun; tell when it is over. */
  beginOutside(): () => void {
    this.#outside++;
    const over = this.#census.beginOutside();
    return () => {
      this.#outside--;
      over();
    };
  }

  /** Reports what the finished commands made of new repositories, once that is known. */
  settle(): Promise<Violation[]> {
    return this.#census.settle();
  }

  /**
   * The way to hosts that may be reached, built when a command first could want it. Undefined where none may be, and
   * nobody can be asked.
   */
  async gateway(folder: string): Promise<Gateway | undefined> {
    const { domains, ask, refuses } = this.#options;
    const network = this.#network;
    if ((domains.length === 0 && this.#lent.length === 0 && !ask) || !network) return undefined;
    // Sockets and servers are loaded where they are first needed: a start can do without them.
    this.#gate ??= import("./proxy/gateway.ts")
      .then(({ openGateway }) =>
        openGateway({
          folder,
          enter: network.enter,
          domains: () => [...domains, ...this.#lent],
          refuses,
          ask: async (host, port) => (await ask?.(host, port, this.#over.signal)) ?? "no",
          note: (host, what, why) => this.#met[what].add(what === "refused" ? `${host}: ${why}` : host),
        }),
      )
      .catch(() => undefined);
    return await this.#gate;
  }

  /** Translates a path in the sandbox to the one outside; undefined for what is only in the sandbox. */
  outsidePath(path: string): string | undefined {
    if (this.#up?.kind !== "bubblewrap" || !replacedFolders.some((folder) => isInside(folder, path))) return path;
    const { writable, layered, readable: shown, tmp } = this.#newest ?? this.#plan();
    if ([...writable, ...layered, ...shown, tmp].some((folder) => isInside(folder, path))) return path;
    return isInside("/tmp", path) ? join(tmp, path.slice("/tmp".length)) : undefined;
  }

  /** Lets commands reach hosts, on any port, and ports of this machine until the returned function is called. */
  async lend(folder: string, { hosts, ports }: CommandGrants = noGrants): Promise<() => void> {
    const lent = hosts.map((host): AllowedHost => ({ host, below: false, port: "any", methods: "all", near: false }));
    this.#lent = [...this.#lent, ...lent];
    const standing = this.#options.ports?.() ?? [];
    const forwards = ports.length + standing.length > 0 ? await this.#forwarding(folder) : undefined;
    const [closing] = await Promise.all(
      [ports, standing].map((some) => Promise.all(some.map((port) => forwards?.open(port)))),
    );
    return () => {
      this.#lent = this.#lent.filter((one) => !lent.includes(one));
      for (const close of closing ?? []) close?.();
    };
  }

  /** Finds those of these ports on which something listens on this machine and nothing in the session's network. */
  missingPorts(ports: readonly number[]): readonly number[] {
    const network = this.#network;
    return network
      ? ports.filter((port) => isListening(port, "/proc/self") && !isListening(port, network.process))
      : [];
  }

  /** The reason why a host is refused without asking anybody. */
  async refuses(host: string): Promise<string | undefined> {
    return this.#options.refuses?.(host);
  }

  async #forwarding(folder: string): Promise<PortForwards | undefined> {
    const network = this.#network;
    if (!network) return undefined;
    const { PortForwards } = await import("./proxy/forward.ts");
    const reached = (port: number) => this.#met.reached.add(`localhost:${port}`);
    this.#forwards ??= new PortForwards({ network, folder, reached });
    return this.#forwards;
  }

  /** Looks at the machine anew for the next command: something that was there a moment ago is not. */
  lookAgain(): void {
    this.#facts.clear();
  }

  /** Lists what kept a command that began then from doing something, as far as the sandbox knows. */
  blocked(output: string, since: number, kind: Partial<SandboxKind> = {}): string[] {
    const { writes = "project", network = "own", also } = kind;
    const hosts = this.#met.refused.since(since);
    // Where a command has the network of this machine, or the proxy has said no, its own words about hosts say no more.
    const net = network === "host" || hosts.length > 0 ? "known" : "unknown";
    return [...new Set([...hosts, ...blockedIn(output, this.#plan({ writes, network, also }), net)])];
  }

  /** The hosts that commands have spoken to since then. */
  reached(since: number): string[] {
    return [...new Set(this.#met.reached.since(since))];
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
    this.#forwards?.[Symbol.dispose]();
    this.#network?.[Symbol.dispose]();
    this.#layers?.[Symbol.dispose]();
  }

  #plan({ writes, also = [] }: SandboxKind = usual): SandboxPlan {
    const own = this.#ground();
    const ground: PlanOptions = {
      ...own,
      folders: [...own.folders, ...also],
      mode: writes === "project" ? this.#options.mode() : "read-only",
      layered: writes === "layers" ? this.#layers?.folders : undefined,
    };
    const now = performance.now();
    const { mode: extent, repositories: trees } = ground;
    let known = also.length === 0 ? this.#facts.get(extent) : undefined;
    if (!known || now - known.at > factsMs || known.trees !== trees) {
      known = { at: now, trees, facts: planFacts(ground) };
      if (also.length === 0) this.#facts.set(extent, known);
    }
    const plan = makePlan(ground, known.facts);
    for (const remark of plan.warnings) this.#tell(remark);
    this.#newest = plan;
    return plan;
  }

  #ground(): Omit<PlanOptions, "mode"> {
    const { mode: _, readable: shown, closedBy: __, named: ___, ...rest } = this.#options;
    return {
      ...rest,
      // In a layer, what is hidden in the project is not.
      closed: this.#layering ? [...rest.closed, join(dirname(this.#tmp), layersName)] : rest.closed,
      readable: shown(),
      tmp: this.#tmp,
      given: this.#up?.kind === "bubblewrap" ? this.#given.present() : [],
      repositories: this.#census.trees,
      autorun: this.#census.autorun,
      closedByRule: this.#shutters?.paths ?? [],
      network: this.#network?.name,
    };
  }

  async #try(folder: () => string): Promise<Result<SandboxTools, "sandbox">> {
    try {
      this.#tmp = join(folder(), "tmp");
      mkdirSync(this.#tmp, { mode: 0o700, recursive: true });
      const bytes = seccompFilter();
      if (bytes) {
        this.#filter = join(dirname(this.#tmp), "filter");
        writeFileSync(this.#filter, bytes, { mode: 0o600 });
      }
    } catch {
      return fail("sandbox", "there is no place for a folder of its own");
    }
    const { env, probeFile: file } = this.#options;
    const plan = () => {
      this.lookAgain();
      return this.#plan();
    };
    return await probeSandbox({ env, file, plan, filter: this.#filter });
  }

  async #open(tools: SandboxTools): Promise<void> {
    // Every repository is known before the first command, or as many as can be told in a while.
    const known = Promise.race([this.#census.scan(), sleep(patienceMs, this.#over.signal)]);
    this.#network = await openNetwork(tools);
    await known;
    if (!this.#network && tools.kind === "bubblewrap")
      this.#tell(
        "Commands in the sandbox have a network each, for nsenter cannot be used here: one does not reach another's server.",
      );
    const network = this.#network;
    void network?.over.then(() => {
      // Without it nothing could be entered; the next command has another.
      if (this.#network !== network || !this.#up) return;
      this.#network = undefined;
      this.#opening = undefined;
      this.#gate = undefined;
      this.#forwards?.[Symbol.dispose]();
      this.#forwards = undefined;
    });
    this.#up = tools;
  }

  /** Once is enough. */
  #tell(text: string): void {
    if (!this.#said.has(text)) this.#options.notify(text);
    this.#said.add(text);
  }
}

/** Reads a number from what bubblewrap has told so far. */
function numberIn(status: string, name: "child-pid" | "exit-code"): number | undefined {
  const said = readPlain(status, { maxBytes: 4096 });
  const number = said.ok ? new RegExp(`"${name}": (\\d+)`).exec(said.value)?.[1] : undefined;
  return number === undefined ? undefined : Number(number);
}

const joining = (file: string): string => `echo 0 2>/dev/null >${shellQuote(file)}; `;
const layersName = "layers";
const statusFd = 9;
const filterFd = 8;
const patienceMs = 1500;
const mostAccepted = 200;
const factsMs = 1000;

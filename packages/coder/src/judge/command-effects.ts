import { posix } from "node:path";
import { type Risk, worstRisk } from "@pith/agent";
import type { CommandEffect } from "./effect.ts";
import { guarded } from "./guarded.ts";
import type { PartTouch } from "./judged.ts";
import { type Directories, isBelow, type JudgedPath, judgedPaths } from "./path-kind.ts";
import type { JudgeState } from "./state.ts";
import { type Arg, exact } from "./word.ts";

/** The input of a command: a known text, or the output of other programs. */
export interface StandardInput {
  text?: string | undefined;
  programs: readonly string[];
}

/** Facts that are known while a command is judged, beside the command. */
export interface CommandContext {
  state: JudgeState;
  directories: Directories;
  input: StandardInput | undefined;
  /** Programs whose output gives words of the command their text. */
  feeders: readonly string[];
  /** Files that the same text writes: what they hold when they are run is not known. */
  written: Set<string>;
  /** Links that the same text makes: where they lead is known when they are there. */
  links: Set<string>;
  /** True when the same text fetched something before. */
  fetched: boolean;
  /** Judges another program that this one runs. */
  run(words: readonly Arg[], input?: StandardInput): undefined;
  /** Judges a text that a shell is handed. */
  script(text: string): undefined;
}

/** Collects everything one command does, as the tables of programs tell it. */
export class CommandEffects {
  readonly effects = new Set<CommandEffect>();
  readonly touches: PartTouch[] = [];
  readonly hosts: string[] = [];
  readonly context: CommandContext;
  severity: Risk = "none";
  /** The reason why it is asked about in every mode. */
  guard: string | undefined;
  #why: string | undefined;
  #hidden: string | undefined;

  constructor(context: CommandContext) {
    this.context = context;
  }

  /** Adds effects that name no file; writing inside is done in the present directory. */
  effect(...effects: readonly CommandEffect[]): undefined {
    for (const effect of effects) {
      if (effect === "write inside") this.write(exact("."));
      else this.effects.add(effect);
    }
  }

  level(severity: Risk, why: string): undefined {
    const most = worstRisk([this.severity, severity]);
    if (most !== this.severity) this.#why = why;
    this.severity = most;
  }

  /** Notes that something cannot be looked into before it runs. */
  opaque(why: string): undefined {
    this.effects.add("opaque");
    this.#hidden ??= why;
  }

  /** The reason that somebody who is asked has to know first. */
  get reason(): string | undefined {
    const grave = this.severity === "high" || this.severity === "critical";
    return grave ? this.#why : (this.#hidden ?? this.#why);
  }

  paths(arg: Arg): readonly JudgedPath[] {
    const { directories, state, links } = this.context;
    return judgedPaths(arg, directories, state).map((one) =>
      [...links].some((link) => link !== one.path && isBelow(link, one.path)) ? { ...one, kind: "unknown" } : one,
    );
  }

  read(arg: Arg, more?: Pick<PartTouch, "all">): undefined {
    for (const place of this.paths(arg)) {
      if (place.kind === "network") this.#network(place);
      else if (place.kind !== "stream") {
        this.effects.add(this.#isOpen(place) ? "read inside" : "read outside");
        if (place.kind === "unknown") this.opaque(`it reads a file whose name is known when it runs: ${place.path}`);
        this.touches.push({ effect: "read", path: place.path, named: this.#named(arg), ...more });
      }
      this.#guards(place, "read");
    }
  }

  /** Tells rules of files whose content may be told, though that comes from elsewhere: a history, an archive. */
  mention(arg: Arg, more?: Pick<PartTouch, "all">): undefined {
    for (const { kind, path } of this.paths(arg))
      if (kind !== "network" && kind !== "stream")
        this.touches.push({ effect: "read", path, named: this.#named(arg), kept: true, ...more });
  }

  /** Reads all below a folder: a rule or keys down there count. */
  readAll(arg: Arg): undefined {
    this.read(arg, { all: true });
    const { home } = this.context.state;
    const above = this.paths(arg).find(({ path }) => isBelow(path, home));
    if (!above) return;
    this.guard ??= `what lies below ${above.path} may hold keys`;
    this.level("high", this.guard);
  }

  write(arg: Arg): undefined {
    for (const place of this.paths(arg)) {
      const { kind, path } = place;
      if (kind === "stream") continue;
      if (kind === "network") {
        this.#network(place);
        continue;
      }
      this.effects.add(kind === "inside" || kind === "temporary" ? "write inside" : "write outside");
      this.touches.push({ effect: "write", path, named: this.#named(arg) });
      if (kind === "device") this.level("critical", `it writes to the device ${path}`);
      else if (kind === "unknown") this.opaque(`it writes to a file whose name is known when it runs: ${path}`);
      this.#guards(place, "write");
      if (kind === "outside") this.level("high", `it writes outside of the project: ${path}`);
      this.context.written.add(path);
    }
  }

  run(words: readonly Arg[], input?: StandardInput): undefined {
    if (words.length > 0) this.context.run(words, input);
  }

  /** Judges a text that a shell runs; one that is not known cannot be looked into. */
  script({ text }: Arg, what: string): undefined {
    if (text === undefined) this.opaque(`${what} is known when it runs`);
    else this.context.script(text);
  }

  #isOpen({ kind, path }: JudgedPath): boolean {
    const kept = kind === "outside" || kind === "temporary";
    return kind === "inside" || (kept && this.context.state.kept.some((folder) => isBelow(folder, path)));
  }

  /** The path as it was written, where only one place is meant. */
  #named({ text }: Arg): string | undefined {
    const [at, ...more] = this.context.directories ?? [];
    if (text === undefined || text.startsWith("/")) return text;
    return at === undefined || more.length > 0 ? undefined : posix.resolve(at, text);
  }

  /** Counts a way to a protected place as a change of it: a link. */
  leadTo(arg: Arg): undefined {
    for (const place of this.paths(arg)) this.#guards(place, "write");
  }

  #guards(place: JudgedPath, effect: "read" | "write"): undefined {
    const why = guarded(place, effect, this.context.state);
    if (why === undefined) return;
    this.guard ??= why;
    this.level("high", why);
  }

  #network({ path }: JudgedPath): undefined {
    this.effects.add("net");
    this.level("high", `it opens a connection: ${path}`);
  }
}

import { isAbsolute, join } from "node:path";
import type { Questions } from "@pith/agent";
import {
  type AllowedHost,
  type Env,
  findProgram,
  openSandbox,
  parseAllowedHost,
  runSandboxed,
  type Sandbox,
  type SandboxKind,
  type Shell,
} from "@pith/host";
import { isInside, parseJson, readPlain, realPath, recordOf } from "@pith/kit";
import { readRoots } from "../files/root.ts";
import { PolicyRules } from "../policy/rule/policy-rules.ts";
import { withoutKeys } from "../secret/secrets.ts";
import type { SettingView } from "../setting/setting.ts";

export interface SandboxSettings {
  cwd: string;
  roots: readonly string[];
  /** The directory of pith's own files. */
  home: string;
  userHome: string;
  /** The folder beside the record. */
  folder?(): string;
  /** Paths below `/tmp` that the person named. */
  named?(): ReadonlySet<string>;
  env: Env;
  settings: SettingView;
  rules: PolicyRules;
  /** True for a repository whose configuration and hooks the user trusts. */
  isTrusted?(root: string): boolean;
  /** Ports of this machine that commands may reach, beside those of the settings. */
  ports?(): Iterable<number>;
  /** Somebody is asked whether a host may be reached; absent where nobody can be. */
  ask?: ((host: string, port: number, signal: AbortSignal) => Promise<"yes" | "no">) | undefined;
  /** Something people should know. */
  tell(text: string): void;
}

/** The sandbox around the commands of a conversation, made by the first thing that needs it. */
export interface LateSandbox {
  readonly known: Sandbox | undefined;
  open(): Sandbox;
}

/** The sandbox as the settings want it. */
export function openWall({
  cwd,
  roots,
  home,
  userHome,
  folder,
  named,
  env,
  settings,
  rules,
  isTrusted,
  ports = () => [],
  ask,
  tell,
}: SandboxSettings): LateSandbox {
  const more = readRoots(settings.get("sandbox.paths"), cwd, userHome);
  const domains = readDomains(settings, tell);
  const open = readPorts(settings.get("sandbox.localhost"), tell);
  const make = () =>
    openSandbox({
      mode: () => (settings.get("sandbox.mode") === "read-only" ? "read-only" : "workspace"),
      folders: [cwd, ...roots, ...more],
      home: userHome,
      closed: [home],
      readable: () => (folder ? [folder()] : []),
      named,
      env,
      probeFile: join(home, "sandbox.json"),
      quarantine: join(home, "taken"),
      closedBy: rules.hidden(),
      domains,
      refuses: async (host) => (await import("./host-refusal.ts")).hostRefusal(host, domains, rules),
      ports: () => [...open, ...ports()],
      isTrusted,
      ask,
      notify: tell,
    });
  let known: Sandbox | undefined;
  return {
    get known() {
      return known;
    },
    open() {
      known ??= make();
      return known;
    },
  };
}

function readPorts(text: string | undefined, tell: (text: string) => void): number[] {
  return (text ?? "").split(/[,\s]+/).flatMap((word) => {
    if (word === "") return [];
    const port = /^\d{1,5}$/.test(word) ? Number(word) : 0;
    if (port >= 1 && port <= 65_535) return [port];
    tell(`sandbox.localhost: not a port, and left out: ${JSON.stringify(word.slice(0, 60))}`);
    return [];
  });
}

function readDomains(settings: SettingView, tell: (text: string) => void): AllowedHost[] {
  const by = settings.origin("sandbox.domains").layer === "project" ? "project" : "user";
  return (settings.get("sandbox.domains") ?? "").split("\n").flatMap((line) => {
    if (line.trim() === "") return [];
    const domain = parseAllowedHost(line, by);
    if (!domain) tell(`sandbox.domains: not a host, and left out: ${JSON.stringify(line.trim())}`);
    return domain ? [domain] : [];
  });
}

/** Runs one command for a person, in the sandbox that the model's commands have. */
export async function runInSandbox(
  argv: readonly string[],
  options: Pick<SandboxSettings, "cwd" | "home" | "userHome" | "env" | "settings" | "tell">,
  signal: AbortSignal,
): ReturnType<typeof runSandboxed> {
  const { cwd, userHome, env, settings } = options;
  const roots = readRoots(settings.get("project.roots"), cwd, userHome);
  const rules = new PolicyRules(settings, { roots: [cwd, ...roots].map(realPath), home: realPath(userHome) });
  using wall = openWall({ ...options, roots, rules }).open();
  const rest = withoutKeys(env, settings.get("env.pass")).env;
  return await runSandboxed({ sandbox: wall, argv, cwd, env: rest, signal });
}

/** The sandbox of a conversation's commands, tried when it is first needed. */
export interface CommandSandbox {
  /** Known after `ready`. */
  on(): boolean;
  /** The same as far as one can tell before it was tried: by what was remembered, or what is installed. */
  isExpected(): boolean;
  ready(): Promise<void>;
  /** The folder that `/tmp` is for commands; undefined where it is `/tmp`. */
  tmp(): string | undefined;
  /** True where a path below `/tmp` is the machine's all the same, because the person named it. */
  isGiven(path: string): boolean;
  /** Lists what kept a command from doing something since it began, as far as the sandbox itself knows. */
  blocked(output: string, since: number, kind: Partial<SandboxKind>): readonly string[];
  /** Finds those of these ports on which something of this machine listens that a command does not reach. */
  missingPorts(ports: readonly number[]): readonly number[];
  /** Lets commands reach ports of this machine from now on. */
  letPorts(ports: readonly number[]): void;
  /** Says what a command in it can be let reach. */
  reach(): Sandbox["reach"];
  /** Tells why a host is refused without asking anybody. */
  refuses(host: string): Promise<string | undefined>;
  /** Tells if commands can have layers over the folders of the project, in which what they write is thrown away. */
  layers(): Promise<"layers" | "none">;
  /** The hosts that commands in the sandbox have spoken to since then. */
  reached(since: number): readonly string[];
  /** Somebody who may will write these: they are not taken back. */
  accept(paths: readonly string[]): void;
}

export interface CommandSandboxOptions {
  wall: LateSandbox;
  /** Ports of this machine that commands may reach, beside those of the settings. */
  ports: Set<number>;
  shell: Pick<Shell, "canLayer" | "canSandbox">;
  settings: SettingView;
  approval(): string;
  /** Tells if it worked here before, or could. */
  before(): boolean;
  /** Called once, once the sandbox is known to work. */
  stood(): void;
  /** Called once, once the sandbox is known not to work. */
  fell(): void;
  tell(text: string): void;
}

export function commandSandbox({
  wall,
  ports,
  shell,
  settings,
  approval,
  before,
  stood,
  fell,
  tell,
}: CommandSandboxOptions): CommandSandbox {
  let state: "untried" | "up" | "down" = "untried";
  let trying: Promise<void> | undefined;
  const wanted = () => (settings.get("sandbox.mode") ?? (approval() === "yolo" ? "off" : "workspace")) !== "off";
  const on = () => state === "up" && wanted();
  const attempt = async () => {
    const tried = await shell.canSandbox();
    state = tried.ok ? "up" : "down";
    if (tried.ok) return stood();
    fell();
    if (settings.get("sandbox.mode") !== undefined || process.platform === "linux")
      tell(`Commands run without a sandbox: ${tried.message}.`);
  };
  return {
    on,
    isExpected: () => wanted() && (state === "untried" ? before() : state === "up"),
    async ready() {
      if (!wanted()) return;
      trying ??= attempt();
      await trying;
    },
    tmp: () => (on() && wall.open().tmp !== "" ? wall.open().tmp : undefined),
    isGiven: (path) => on() && wall.open().isGiven(path),
    blocked: (output, since, kind) => (on() ? wall.open().blocked(output, since, kind) : []),
    missingPorts: (ports) => (on() ? wall.open().missingPorts(ports) : []),
    letPorts: (wanted) => {
      for (const port of wanted) ports.add(port);
    },
    reach: () => wall.open().reach,
    refuses: (host) => wall.open().refuses(host),
    layers: async () => (on() ? shell.canLayer() : "none"),
    reached: (since) => wall.known?.reached(since) ?? [],
    accept: (paths) => wall.open().accept(paths),
  };
}

/**
 * Translates `/tmp/…` while commands run in a sandbox: to the folder that they see there, except for paths of the
 * project below the real one. pith's own files stay where they are.
 */
export function sandboxTmp(path: string, tmp: string | undefined, kept: readonly string[]): string {
  if (
    tmp === undefined ||
    !isInside("/tmp", path) ||
    kept.some((folder) => isAbsolute(folder) && isInside(folder, path))
  )
    return path;
  return path.startsWith("/tmp/pith-shell-") ? path : join(tmp, path.slice("/tmp".length));
}

/** Names a path of the session's own `/tmp` as commands see it. */
export const seenInSandbox = (path: string, tmp: string | undefined): string =>
  tmp !== undefined && isInside(tmp, path) ? `/tmp${path.slice(tmp.length)}` : path;

/** Tells if a sandbox worked here before; where none was tried, if there is a program for one. */
export function workedBefore(file: string, env: Env): boolean {
  const kept = readPlain(file, { maxBytes: 4096 });
  const { why } = recordOf(kept.ok && parseJson(kept.value));
  if (typeof why === "string") return why === "";
  return process.platform === "linux" && findProgram("bwrap", `${env.PATH ?? ""}:/usr/bin:/bin`) !== undefined;
}

/** Asks a person whether commands may reach a host, while one of them waits for it. */
export async function askForHost(
  questions: Questions,
  host: string,
  port: number,
  signal: AbortSignal,
): Promise<"yes" | "no"> {
  const where = port === 443 || port === 80 ? host : `${host}:${port}`;
  const text = `A command wants to reach ${where}. May commands of this session do so?`;
  const answer = await questions.ask({ about: `host ${where}`, form: "confirm", text }, signal);
  return answer?.say === "yes" ? "yes" : "no";
}

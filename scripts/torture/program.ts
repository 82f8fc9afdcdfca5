// Random programs: what a user does, and what breaks meanwhile. The same seed makes the same program.
import { randomOf } from "../mutants/mutant.ts";

/** A call of the model. Every text that is written has the token of its turn, so that it occurs once. */
export type Act =
  | { act: "write" | "edit" | "remove" | "flood" | "agent" | "read"; path: string }
  | { act: "run"; path: string; ms: number }
  /** An empty file, by a command that is the same each time. */
  | { act: "touch"; path: string };

/** A message to the model and what the model does about it: one list of calls for each of its replies. */
export interface Task {
  token: string;
  replies: Act[][];
}

/** Directories that get a disk of their own, and what pith keeps in each. */
export const disks = {
  record: "sessions",
  index: "sessions",
  inbox: "sessions",
  artifacts: "sessions",
  undo: "undo",
  drafts: "drafts",
  settings: "",
  credentials: "",
  grants: "",
  search: "",
  temporary: "tmp",
} as const;
export type Writer = keyof typeof disks;

export const weathers = ["drip", "reset", "doubled", "endless", "silent", "refused"] as const;
export type Weather = (typeof weathers)[number];

export type Fault =
  /** After so many lines of output and so many milliseconds more. */
  | { kind: "kill" | "kill child" | "stop" | "power cut"; lines: number; ms: number }
  /** With `gone`, the process is killed before there is room again. */
  | { kind: "full disk"; writer: Writer; gone: boolean }
  | { kind: "read-only home" }
  | { kind: "few handles"; most: number }
  | { kind: "clock"; days: number }
  | { kind: "network"; weather: Weather };

export type Step = { fault?: Fault } & (
  | { do: "turn"; task: Task; way: "rpc" | "print" | "serve"; queued: (Task & { how: "steer" | "follow_up" })[] }
  | { do: "slash"; name: "undo" | "redo" | "compact" | "handoff" | "name" }
  | { do: "branch"; how: "fork" | "clone" | "new_session" }
  | { do: "bash"; token: string }
  | { do: "command"; name: "undo" | "redo" | "gc" | "export" | "sessions" | "changes" | "search" }
  | { do: "set" | "key" | "grant"; token: string }
  | { do: "draft"; token: string }
  | { do: "crowd"; tasks: Task[] }
  | { do: "second" }
  | { do: "restart" }
);

export interface Program {
  seed: number;
  git: boolean;
  steps: Step[];
}

type Random = () => number;

/** Makes the program of a seed. */
export function programOf(seed: number): Program {
  const random = randomOf(seed);
  let count = 0;
  const token = () => `t${++count}`;
  const steps = Array.from({ length: 3 + below(random, 6) }, (): Step => {
    const step = makeStep(random, token);
    return random() < 0.55 ? { ...faulty(step, random) } : step;
  });
  return { seed, git: random() < 0.5, steps };
}

const below = (random: Random, end: number): number => Math.floor(random() * end);

function pick<T>(random: Random, list: readonly T[]): T {
  const item = list[below(random, list.length)];
  if (item === undefined) throw new Error("nothing to pick from");
  return item;
}

/** Picks by weight. */
function draw<T>(random: Random, weights: readonly (readonly [number, T])[]): T {
  let left = random() * weights.reduce((sum, [weight]) => sum + weight, 0);
  for (const [weight, item] of weights) {
    left -= weight;
    if (left < 0) return item;
  }
  return pick(random, weights)[1];
}

const paths = ["a.txt", "b.txt", "deep/c.txt", "deep/er/d.txt"] as const;

function taskOf(random: Random, token: string): Task {
  const act = (): Act => {
    const path = pick(random, paths);
    const kind = draw(random, [
      [5, "write"],
      [3, "edit"],
      [4, "run"],
      [1, "remove"],
      [1, "flood"],
      [1, "agent"],
      [1, "read"],
    ] as const);
    return kind === "run" ? { act: kind, path, ms: pick(random, [0, 0, 20, 200]) } : { act: kind, path };
  };
  const replies = Array.from({ length: below(random, 4) }, () => Array.from({ length: 1 + below(random, 2) }, act));
  return { token, replies };
}

/** A task that shares no file with another one. */
function ownTask(random: Random, token: string): Task {
  const { replies } = taskOf(random, token);
  return { token, replies: replies.map((acts) => acts.map((act) => ({ ...act, path: `${token}.txt` }))) };
}

function makeStep(random: Random, token: () => string): Step {
  const kind = draw(random, [
    [10, "turn"],
    [5, "slash"],
    [2, "branch"],
    [1, "bash"],
    [4, "command"],
    [2, "setting"],
    [1, "grant"],
    [1, "draft"],
    [0.5, "crowd"],
    [1, "second"],
    [1, "restart"],
  ] as const);
  switch (kind) {
    case "turn":
      return turnOf(random, token);
    case "slash":
      return { do: kind, name: pick(random, ["undo", "undo", "redo", "compact", "handoff", "name"] as const) };
    case "branch":
      return { do: kind, how: pick(random, ["fork", "clone", "new_session"] as const) };
    case "command": {
      const names = ["undo", "redo", "gc", "export", "sessions", "changes", "search"] as const;
      return { do: kind, name: pick(random, names) };
    }
    case "setting":
      return { do: pick(random, ["set", "key"] as const), token: token() };
    case "bash":
    case "grant":
    case "draft":
      return { do: kind, token: token() };
    case "crowd":
      return { do: kind, tasks: Array.from({ length: 8 }, () => ownTask(random, token())) };
    case "second":
    case "restart":
      return { do: kind };
  }
}

function turnOf(random: Random, token: () => string): Step {
  const way = draw(random, [
    [6, "rpc"],
    [2, "print"],
    [1, "serve"],
  ] as const);
  const task = taskOf(random, token());
  const waiting = way === "print" ? 0 : below(random, 3);
  const queued = Array.from({ length: waiting }, () => ({
    ...taskOf(random, token()),
    how: pick(random, ["steer", "follow_up"] as const),
  }));
  return { do: "turn", task, way, queued };
}

/** Adds a fault that can meet this step. */
function faulty(step: Step, random: Random): Step {
  const moment = { lines: below(random, 30), ms: pick(random, [0, 0, 1, 3, 10, 40]) };
  const kill: Fault = { kind: "kill", ...moment };
  const clock: Fault = { kind: "clock", days: pick(random, [-400, -1, 1, 400]) };
  switch (step.do) {
    case "turn":
      return { ...step, fault: faultOfTurn(step.way, random, kill, clock) };
    case "slash":
      return {
        ...step,
        fault: draw(random, [
          [3, kill],
          [1, clock],
          [1, fullDisk(random)],
        ] as const),
      };
    case "branch":
    case "bash":
      return {
        ...step,
        fault: draw(random, [
          [3, kill],
          [1, fullDisk(random)],
        ] as const),
      };
    case "command":
      return {
        ...step,
        fault: draw(random, [
          [3, kill],
          [1, clock],
          [2, fullDisk(random)],
        ] as const),
      };
    case "set":
    case "key":
    case "grant": {
      const writer = ({ set: "settings", key: "credentials", grant: "grants" } as const)[step.do];
      return {
        ...step,
        fault: draw(random, [
          [2, kill],
          [2, fullDisk(random, writer)],
        ] as const),
      };
    }
    case "draft":
      return {
        ...step,
        fault: draw(random, [
          [3, kill],
          [1, fullDisk(random, "drafts")],
        ] as const),
      };
    default:
      return step;
  }
}

function faultOfTurn(way: "rpc" | "print" | "serve", random: Random, kill: Fault, clock: Fault): Fault {
  const moment = { lines: below(random, 30), ms: pick(random, [0, 0, 5, 40]) };
  const rows: [number, Fault][] = [
    [5, kill],
    [2, { kind: "network", weather: pick(random, weathers) }],
    [2, fullDisk(random)],
    [1, clock],
    [1, { kind: "kill child", ...moment }],
    [1, { kind: "stop", ...moment }],
    [1, { kind: "few handles", most: pick(random, [16, 24, 40]) }],
  ];
  // Also at rest, when all of the turn must be on the disk.
  const whenCut = random() < 0.5 ? moment : { lines: 100_000, ms: 0 };
  if (way !== "serve") rows.push([3, { kind: "power cut", ...whenCut }]);
  if (way === "print") rows.push([2, { kind: "read-only home" }]);
  return draw(random, rows);
}

const fullDisk = (random: Random, writer?: Writer): Fault => ({
  kind: "full disk",
  writer: writer ?? pick(random, Object.keys(disks) as Writer[]),
  gone: random() < 0.3,
});

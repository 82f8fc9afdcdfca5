// Tables of walls between packages and rooms. Reads all sources of all packages and reports each import that crosses a
// wall. By hand: `node bin/bun scripts/gate/walls.ts`.
import { dirname, join, normalize } from "node:path";
import { findCycles } from "./cycle.ts";
import { finish } from "./ratchet.ts";
import { missedImports, type Reach, reachOf } from "./source.ts";
import { root } from "./tree.ts";

/** Packages, and those each may import. */
const packages: Record<string, readonly string[]> = {
  kit: [],
  llm: ["kit"],
  host: ["kit"],
  tui: ["kit"],
  agent: ["kit", "llm"],
  serve: ["kit", "llm", "agent"],
  coder: ["kit", "llm", "agent", "host"],
  cli: ["kit", "llm", "agent", "host", "coder", "tui", "serve"],
};

/** Entrances of a package besides `src/index.ts`, and their users. */
const sideDoors: Record<string, "anyone" | "tests"> = {
  "@pith/llm/faux": "anyone",
  "@pith/coder/kinds": "anyone",
  "@pith/tui/keys": "anyone",
  "@pith/tui/theme": "anyone",
  "@pith/tui/prose": "anyone",
  "@pith/kit/test": "tests",
  "@pith/llm/test": "tests",
  "@pith/tui/test": "tests",
};

/** Rooms, the lowest first: a lower room never imports a higher one. `rest` is the room of files outside any room. */
const floors: Record<string, { rooms: readonly (readonly string[])[]; rest: string }> = {
  coder: {
    rooms: [
      ["platform.ts"],
      ["setting"],
      ["files"],
      ["bash"],
      ["judge", "secret"],
      ["policy"],
      ["capability"],
      ["snapshot", "url", "usage", "shell", "command"],
      ["edit"],
      ["session"],
      ["context", "model"],
      ["tools"],
      ["hall"],
      ["base"],
      ["part"],
      ["extend"],
      ["order.ts", "coder.ts"],
      ["index.ts", "test"],
    ],
    rest: "coder.ts",
  },
  cli: {
    rooms: [
      ["wire", "argv", "io", "prompt"],
      ["client"],
      ["theme", "view"],
      ["report", "export", "open"],
      ["mode"],
      ["command"],
      ["main.ts", "index.ts", "sdk", "test"],
    ],
    rest: "main.ts",
  },
};

/** Folders whose subfolders do not import each other. Loose files are shared by all, or are strangers as well. */
const strangers: Record<string, "shared" | "strangers"> = {
  "cli/src/mode/": "shared",
  "cli/src/mode/full/pane/": "shared",
  "cli/src/mode/full/dialog/": "shared",
  // A part is a file or a folder; no part imports another.
  "coder/src/part/": "strangers",
};

/** Names and modules that only some files may use; tests may use all. */
const reserved: { name: string; what: RegExp; places: RegExp }[] = [
  {
    name: "processes are started in host/exec (by its platform.ts) and cli",
    what: /^(?:Bun\.(?:spawn|spawnSync|\$)(?:\.|$)|(?:node:)?child_process$|.*\/exec\/platform\.ts$)/,
    places: /^(?:host\/src\/exec\/platform\.ts$|cli\/src\/)/,
  },
  {
    name: "the environment is read in cli",
    what: /^(?:process|Bun|import\.meta)\.env\b/,
    places: /^(?:cli\/src\/|kit\/src\/timing\.ts$)/,
  },
  { name: "terminals are known to cli and tui", what: /^process\.std(?:in|out)\b/, places: /^(?:cli|tui)\/src\// },
  {
    name: "terminals are known to cli and tui",
    what: /^process\.stderr\b/,
    places: /^(?:(?:cli|tui)\/src\/|kit\/src\/timing\.ts$)/,
  },
  { name: "mode and view do not know host", what: /^@pith\/host$/, places: /^(?!cli\/src\/(?:mode|view)\/)/ },
  {
    name: "Bun-only calls stand in platform.ts",
    what: /^(?:Bun\.(?!spawn|\$)|bun:)/,
    // A `child.ts` holds the text of a program that only Bun runs.
    places: /^(?:(?:cli|tui|serve)\/src\/|\w+\/src\/(?:exec\/)?platform\.ts$|host\/src\/sqlite\/child\.ts$)/,
  },
  {
    name: "an ambient object keeps its own name",
    what: /^(?:process|Bun|globalThis|node:process|bun)$/,
    places: /^cli\/src\//,
  },
];

/**
 * Matches a command that starts git. Git runs programs that the configuration of a repository names, so pith never
 * starts it. Code that has to would get one entrance in host/git, with a configuration of its own.
 */
const startsGit = /^(?:\S*\/)?git(?:\.exe)?(?:\s|$)/;

export interface Finding {
  file: string;
  line: number;
  text: string;
}
export interface Report {
  files: number;
  edges: number;
  findings: Finding[];
}

/** Checks the packages below `root` (the folder that holds kit, llm, …). */
export async function checkWalls(root: string): Promise<Report> {
  const files = [...new Bun.Glob("*/src/**/*.ts").scanSync({ cwd: root })].sort();
  const findings: Finding[] = [];
  const graph = new Map<string, string[]>();
  let edges = 0;
  for (const file of files) {
    const source = await Bun.file(join(root, file)).text();
    const reach = reachOf(source);
    const add = (line: number, text: string) => findings.push({ file, line, text });
    for (const path of missedImports(source, reach)) add(1, `the wall check cannot read the import of ${path}`);
    for (const line of reach.computed)
      add(line, "an import names its file, so that it can be seen here and put into the binary");
    for (const { specifier, line } of reach.imports) for (const text of judgeImport(file, specifier)) add(line, text);
    for (const { line, text } of isTest(file) ? [] : judgeReach(file, reach)) add(line, text);
    graph.set(
      file,
      reach.imports.filter((it) => it.specifier.startsWith(".")).map((it) => target(file, it.specifier)),
    );
    edges += reach.imports.length;
  }
  for (const cycle of findCycles(graph))
    findings.push({ file: cycle[0] ?? "", line: 1, text: `cycle: ${[...cycle, cycle[0]].join(" → ")}` });
  return { files: files.length, edges, findings };
}

/** True for tests and for the folder `src/test`, which only tests use. */
const isTest = (file: string) => /\.test\.ts$|^\w+\/src\/test\//.test(file);
const target = (file: string, specifier: string) => normalize(join(dirname(file), specifier));

function judgeImport(file: string, specifier: string): string[] {
  const home = file.slice(0, file.indexOf("/"));
  if (specifier.startsWith("@pith/")) return judgeDoor(file, home, specifier);
  if (!specifier.startsWith(".")) return [];
  const to = target(file, specifier);
  if (!to.startsWith(`${home}/src/`))
    return mayLeave(file, to) ? [] : [`${specifier} leaves the package: a package is entered by its front door`];
  if (isTest(to) && !isTest(file)) return [`${specifier} is for tests`];
  return [...judgeFloor(home, file, to), ...judgeStranger(file, to)];
}

/** Imports out of the package that are fine: the version in package.json, and two helpers of `test` for tests. */
const mayLeave = (file: string, to: string) =>
  /^(?:\w+|\.\.)\/package\.json$/.test(to) || (isTest(file) && /^\.\.\/test\/(?:need|permission)\.ts$/.test(to));

function judgeDoor(file: string, home: string, specifier: string): string[] {
  const name = specifier.split("/")[1] ?? "";
  const allowed = packages[home];
  if (!allowed) return [`${home} is not in the table of packages`];
  if (!allowed.includes(name)) return [`${home} does not know ${name}`];
  if (specifier === `@pith/${name}`) return [];
  const door = sideDoors[specifier];
  if (door === "anyone" || (door === "tests" && isTest(file))) return [];
  return [door ? `${specifier} is for tests` : `${specifier} is not a door: a package is entered by its front door`];
}

function judgeFloor(home: string, file: string, to: string): string[] {
  const house = floors[home];
  if (!house || isTest(to)) return [];
  const [from, up] = [file, to].map((path) => floorOf(house, path)) as [number | undefined, number | undefined];
  if (from === undefined) return [`${file.split("/")[2]}/ has no floor in ${home}: put it into the table of floors`];
  return up !== undefined && from < up ? [`${roomOf(file)} is below ${roomOf(to)} and does not import it`] : [];
}

const roomOf = (path: string) => path.split("/")[2] ?? "";
function floorOf(house: { rooms: readonly (readonly string[])[]; rest: string }, path: string): number | undefined {
  const find = (room: string) => house.rooms.findIndex((rooms) => rooms.includes(room));
  const at = find(roomOf(path));
  if (at !== -1) return at;
  return roomOf(path).includes(".") ? find(house.rest) : undefined;
}

function judgeStranger(file: string, to: string): string[] {
  return Object.entries(strangers)
    .filter(([folder]) => file.startsWith(folder) && to.startsWith(folder))
    .filter(([folder, beside]) => {
      const [mine, other] = [file, to].map((path) => path.slice(folder.length).split("/")) as [string[], string[]];
      if (beside === "shared" && (mine.length === 1 || other.length === 1)) return false;
      return nameOf(mine[0]) !== nameOf(other[0]);
    })
    .map(([folder]) => `neighbours in ${folder} do not import each other`);
}

/** Name of a file or folder; a test has the name of the file it tests. */
const nameOf = (entry = ""): string => entry.replace(/(?:\.test)?\.ts$/, "");

function judgeReach(file: string, { names, imports, commands }: Reach): { line: number; text: string }[] {
  const reached = [...names, ...imports.map(({ specifier, line }) => ({ name: specifier, line }))];
  return [
    ...reached.flatMap(({ name, line }) => judgeName(file, name).map((text) => ({ line, text }))),
    ...commands
      .filter(({ text }) => startsGit.test(text))
      .map(({ text, line }) => ({ line, text: `${text}: git is not started, it runs what a repository tells it to` })),
  ];
}

const judgeName = (file: string, name: string): string[] =>
  reserved.filter((rule) => rule.what.test(name) && !rule.places.test(file)).map((rule) => `${name}: ${rule.name}`);

if (import.meta.main) {
  const { files, edges, findings } = await checkWalls(join(root, "packages"));
  const lines = findings.map(({ file, line, text }) => `packages/${file}:${line}  ${text}`);
  finish({ findings: lines }, `${files} files, ${edges} edges`);
}

// Swaps a folder for a link to a place outside while files in it are changed and read, and counts what landed outside.
// Started by race-ways.test.ts: `race-count.ts <way> <calls>`; with `none`,
// names are used as they are, which shows that the race is one.
import { linkSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import {
  type AnyTarget,
  applySteps,
  chooseWay,
  findAny,
  readTree,
  readWhole,
  restoreAll,
  wayHere,
  writeTo,
} from "../../packages/host/src/index.ts";
import { isInside, realPath, succeeds } from "../../packages/kit/src/index.ts";
import { scratch } from "../scratch.ts";
import { flip } from "./flip.ts";

const [name = "", wanted = ""] = process.argv.slice(2);
if (name !== "none") chooseWay(name);
using dir = scratch();
const secret = "secret\n";

function fill(place: string, text: string): void {
  rmSync(dir.at(place), { recursive: true, force: true });
  mkdirSync(dir.at(place, "sub"), { recursive: true });
  for (const file of ["edit.txt", "remove.txt", "hard.txt"]) writeFileSync(dir.at(place, "sub", file), text);
  linkSync(dir.at(place, "sub", "hard.txt"), dir.at(place, "sub", place === "out" ? "only-outside.txt" : "other.txt"));
}
/** True if all outside is as it was; else it is made so again. */
function isWhole(): boolean {
  const names = readdirSync(dir.at("out"), { recursive: true }).sort().join();
  const whole =
    names === "sub,sub/edit.txt,sub/hard.txt,sub/only-outside.txt,sub/remove.txt" &&
    ["edit.txt", "remove.txt", "hard.txt"].every((file) => readFileSync(dir.at("out/sub", file), "utf8") === secret);
  if (!whole) fill("out", secret);
  return whole;
}

type Said = { ok: boolean; said?: string };
const bytes = Buffer.from("written\n");
const written = async (
  path: string,
  run: (target: AnyTarget) => Promise<{ ok: boolean }>,
): Promise<Said | undefined> => {
  const target = findAny(dir.at("work", "d", path));
  return target.ok && isInside(dir.at("work"), target.value.real) ? { ok: (await run(target.value)).ok } : undefined;
};
const read = async (path: string, run: (real: string) => Promise<Said>): Promise<Said | undefined> => {
  const real = realPath(dir.at("work", "d", path));
  return isInside(dir.at("work"), real) ? await run(real) : undefined;
};
const file = { is: "file", mode: 0o644, id: "x" } as const;
const undo = (path: string, to: Parameters<typeof restoreAll>[2][number]["to"]): Said => ({
  ok: restoreAll(dir.at("work"), { get: () => bytes }, [{ path, to }]).length === 0,
});
const { signal } = new AbortController();
const calls: readonly ((n: number) => Promise<Said | undefined>)[] = [
  (n) => written(`sub/new-${n}.txt`, (target) => writeTo(target, bytes)),
  (n) => written(`sub/f${n}/g/new.txt`, (target) => writeTo(target, bytes)),
  () => written("sub/edit.txt", (target) => writeTo(target, bytes)),
  () => written("sub/hard.txt", (target) => writeTo(target, bytes)),
  () => written("sub/remove.txt", (target) => applySteps([{ do: "remove", target }])),
  async () => undo("d/sub/edit.txt", file),
  async () => undo("d/sub/link", { is: "link", id: "x" }),
  async () => undo("d/sub/made", { is: "dir", mode: 0o700 }),
  async () => undo("d/sub/remove.txt", undefined),
  async () => undo("d/sub/remove.txt", file),
  () =>
    read("sub/edit.txt", async (real) => {
      const whole = readWhole(real);
      return { ok: whole.ok, said: whole.ok ? whole.value.bytes.toString() : "" };
    }),
  () =>
    read("sub", async (real) => {
      const tree = await readTree(real, { depth: 1, perDirectory: 9, max: 99, signal });
      return {
        ok: tree.ok,
        said: tree.ok && tree.value.entries.some(({ name: at }) => at === "only-outside.txt") ? secret : "",
      };
    }),
];

mkdirSync(dir.at("work"));
for (const [place, text] of [
  ["work/d", "inside\n"],
  ["out", secret],
] as const)
  fill(place, text);
symlinkSync(dir.at("out"), dir.at("work/l"));
/** The folder itself, which is now at one name and now at the other. */
const folder = openSync(dir.at("work/d"), "r");
const plain: typeof calls = [
  async (n) => {
    const path = realPath(dir.at("work", "d", `sub/new-${n}.txt`));
    if (!isInside(dir.at("work"), path)) return undefined;
    return { ok: succeeds(() => writeFileSync(path, bytes)) };
  },
];
const tried = name === "none" ? plain : calls;
const counts = { way: name === "none" ? name : wayHere().way.name, calls: 0, raced: 0, out: 0 };

async function call(n: number): Promise<void> {
  writeFileSync(`/proc/self/fd/${folder}/sub/remove.txt`, "inside\n");
  const done = await tried[n % tried.length]?.(n);
  if (!done) return;
  counts.calls++;
  const escaped = !isWhole() || done.said?.includes(secret);
  // A call that fails met the swap: nothing else is in its way.
  if (escaped || !done.ok) counts.raced++;
  if (escaped) counts.out++;
}

for (let n = 0; n < 2 * tried.length; n++) await call(n);
if (counts.calls < 2 * tried.length || counts.raced > 0)
  throw new Error(`calls fail without a race: ${JSON.stringify(counts)}`);
const flipper = await flip(dir);
for (let n = 2 * tried.length; counts.raced < Number(wanted); n++) await call(n);
await flipper.stop();
process.stdout.write(JSON.stringify({ flips: flipper.flips, ...counts }));

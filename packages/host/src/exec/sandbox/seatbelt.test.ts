import { afterAll, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { scratch } from "@pith/kit/test";
import { need } from "../../../../../test/need.ts";
import { readSeatbelt } from "../../test/seatbelt.ts";
import { bubblewrapArgs } from "./bubblewrap.ts";
import type { SandboxPlan } from "./plan/plan.ts";
import { seatbeltText } from "./seatbelt.ts";

const dir = scratch(afterAll);

/** A plan in which folders of every kind lie in one another, three deep. */
function nested(): { plan: SandboxPlan; own: string; paths: string[] } {
  const kinds = ["written", "hidden", "read", "pinned", "readable", "other"] as const;
  const folders = kinds.flatMap((a) => kinds.flatMap((b) => kinds.map((c) => [a, b, c] as const)));
  const of = (kind: string) => [
    ...new Set(
      folders.flatMap(([a, b, c]) => [
        ...(a === kind ? [dir.at(a)] : []),
        ...(b === kind ? [dir.at(a, b)] : []),
        ...(c === kind ? [dir.at(a, b, c)] : []),
      ]),
    ),
  ];
  for (const names of folders) dir.write({ [`${names.join("/")}/file`]: "x" });
  const paths = [...new Set(folders.flatMap(([a, b, c]) => [[a], [a, b], [a, b, c]].map((names) => names.join("/"))))];
  for (const path of paths) dir.write({ [`${path}/file`]: "x", [`${path}/second "one" \\.txt`]: "x" });
  for (const name of ["tmp", "own"]) mkdirSync(dir.at(name), { recursive: true });
  const plan: SandboxPlan = {
    writable: of("written"),
    layered: [],
    readOnly: of("read"),
    pinned: of("pinned"),
    replaced: [],
    hidden: of("hidden").map((path) => ({ path, kind: "folder" })),
    scratch: [],
    // On Linux `/tmp`, where this lies, is another one.
    readable: [dir.path, ...of("readable")],
    tmp: dir.at("tmp"),
    given: [],
    machineFiles: [],
    watched: [],
    warnings: [],
  };
  const files = paths.flatMap((path) => [dir.at(path, "file"), dir.at(path, 'second "one" \\.txt')]);
  return { plan, own: dir.at("own"), paths: files };
}

const look = `while IFS= read -r path; do
  { read -r _ <"$path"; } 2>/dev/null && r=yes || r=no
  { : >>"$path"; } 2>/dev/null && w=yes || w=no
  printf '%s %s\\n' "$r" "$w"
done`;

test.skipIf(process.platform !== "linux" || need("bwrap") !== undefined)(
  "for 500 paths the sandbox of macOS says what that of Linux does",
  () => {
    const { plan, own, paths } = nested();
    for (const path of paths) dir.write({ [path.slice(dir.path.length + 1)]: "x\n" });
    const machine = ["/etc/passwd", "/usr/bin/env", "/etc/hostname"];
    const asked = [...paths, ...machine];
    const { stdout, exitCode } = Bun.spawnSync(
      ["bwrap", ...bubblewrapArgs({ plan, own, network: "own" }), "bash", "-c", look],
      { stdin: Buffer.from(asked.map((path) => `${path}\n`).join("")) },
    );
    expect(exitCode).toBe(0);
    const rows = stdout.toString().trim().split("\n");
    const says = readSeatbelt(seatbeltText(plan, own));
    const answer = (is: boolean) => (is ? "yes" : "no");
    const other = asked.map(
      (path) => `${answer(says("file-read-data", { path }))} ${answer(says("file-write-data", { path }))}`,
    );
    expect(asked.length).toBeGreaterThan(500);
    expect(asked.map((path, n) => `${other[n]} ${path}`)).toEqual(asked.map((path, n) => `${rows[n]} ${path}`));
    // All three answers are among them.
    expect(new Set(rows)).toEqual(new Set(["yes yes", "yes no", "no no"]));
  },
  60_000,
);

test("no socket and no host is reached from the sandbox of macOS, and what listens there is", () => {
  const { plan, own } = nested();
  const says = readSeatbelt(seatbeltText(plan, own));
  for (const path of ["/var/run/docker.sock", "/private/tmp/ssh-1/agent.1", plan.tmp, `${plan.tmp}/a.sock`])
    expect(says("network-outbound", { path })).toBe(false);
  for (const address of ["127.0.0.1:5432", "::1:80", "10.0.0.1:22", "169.254.169.254:80", "93.184.216.34:443"])
    expect([address, says("network-outbound", { address })]).toEqual([address, false]);
  expect([
    says("network-inbound", { address: "127.0.0.1:80" }),
    says("network-bind", { address: "0.0.0.0:80" }),
  ]).toEqual([true, false]);
});

test("a pinned folder is not moved away, what is watched is not made, and other operations are refused", () => {
  const { plan, own } = nested();
  const watched = dir.at("written/.zshrc");
  const says = readSeatbelt(seatbeltText(Object.assign({}, plan, { watched: [watched] }), own));
  const pinned = dir.at("written/pinned");
  expect(says("file-write-unlink", { path: pinned })).toBe(false);
  expect(says("file-write-create", { path: `${pinned}/new` })).toBe(true);
  expect(says("file-write-create", { path: watched })).toBe(false);
  for (const operation of ["mach-register", "system-socket", "process-exec-interpreter", "iokit-open", "nvram-set"])
    expect([operation, says(operation)]).toEqual([operation, false]);
});

test("the reader fails at what it does not know", () => {
  expect(() => readSeatbelt("(permit file-read*)")("file-read-data")).toThrow();
  expect(() => readSeatbelt('(allow file-read* (regex "x"))')("file-read-data", { path: "/x" })).toThrow();
  expect(() => readSeatbelt("(allow file-read*")).toThrow();
});

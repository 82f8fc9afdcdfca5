// Plays a machine that has Node, npm and coreutils and nothing else: a fresh clone, a user without rights, an empty
// home, and no other program in reach. `npm test -- --bare` runs the whole gate there; `node scripts/gate/bare.mjs
// --quick` starts pith and runs only the tests that would use what is missing.
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Programs of coreutils, and the shells and tools that every Linux and macOS has. */
const everywhere =
  "[ base64 basename cat chgrp chmod chown cksum comm cp cut date dd df dirname du echo env expand expr false " +
  "fmt fold head hostname id install join link ln ls md5sum mkdir mkfifo mknod mktemp mv nice nl nohup nproc od " +
  "paste printenv printf pwd readlink realpath rm rmdir seq sha1sum sha256sum shuf sleep sort split stat stty " +
  "sum sync tac tail tee test timeout touch tr true truncate tsort tty uname unexpand uniq unlink users wc who " +
  "whoami yes bash sh grep sed tar gzip";

/** Programs that the tests ask for, with some that nobody has to have. */
const hidden = () => {
  const rows = readFileSync(join(root, ".ci", "packages"), "utf8").split("\n");
  const listed = rows.map((row) => row.trim().split(/\s+/)[0]).filter((name) => name && !name.startsWith("#"));
  return [...listed, "rg", "ps", "fusermount3", "fuse-overlayfs", "systemd-run", "perl", "gdb", "tcc", "gcc", "make"];
};

/** Nobody, on every system that has such a user. */
const uid = 65534;

/** Runs the quick or the whole form; returns the exit code. */
export function runBare({ quick }) {
  const place = mkdtempSync(join(tmpdir(), "pith-bare-"));
  try {
    chmodSync(place, 0o755);
    const bare = prepare(place);
    return quick ? runQuick(bare) : bare("npm", ["test"]);
  } finally {
    rmSync(place, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Makes the clone, the directory of programs and the home; returns how a command is run there. */
function prepare(place) {
  const clone = join(place, "pith");
  must("git", ["clone", "--quiet", "--no-hardlinks", root, clone]);
  const bin = join(place, "bin");
  const own = [join(place, "home"), join(place, "tmp")];
  for (const dir of [bin, ...own]) mkdirSync(dir);
  for (const name of ["node", "npm", "npx", ...everywhere.split(" ")]) {
    const found = which(name);
    if (found) symlinkSync(found, join(bin, name));
  }
  const isRoot = process.getuid?.() === 0;
  if (isRoot) must("chown", ["-R", `${uid}:${uid}`, clone, ...own]);
  const covered = isRoot ? cover(bin) : undefined;
  // A directory below /tmp is not believed: anybody could have put programs there.
  const path = covered ? usual : bin;
  const env = { PATH: path, HOME: own[0], TMPDIR: own[1], LANG: "C.UTF-8", TERM: "dumb" };
  return (program, args) => {
    const line = [join(path, program), ...args];
    const argv = covered ? covered(line) : line;
    const { status } = spawnSync(argv[0], argv.slice(1), { cwd: clone, env, stdio: ["ignore", "inherit", "inherit"] });
    return status ?? 1;
  };
}

/** Stands for the directory of programs inside the namespace. */
const usual = "/usr/local/sbin";

/**
 * Returns how a command line is changed so that the hidden programs are gone by their full path too: in a mount
 * namespace of its own each is covered by /dev/null. Undefined where that is not possible.
 */
function cover(bin) {
  const unshare = which("unshare");
  const mount = which("mount");
  const chroot = which("chroot");
  if (!unshare || !mount || !chroot || spawnSync(unshare, ["--mount", "true"]).status !== 0) return undefined;
  const paths = hidden().flatMap(places);
  // `chroot /` changes nothing but the user; the programs that would do that elsewhere are covered.
  const script = `for path in ${paths.map((path) => `'${path}'`).join(" ")}; do ${mount} --bind /dev/null "$path"; done
${mount} --bind '${bin}' ${usual}
exec ${chroot} --skip-chdir --groups= --userspec=${uid}:${uid} / "$@"`;
  return (argv) => [unshare, "--mount", "--propagation", "private", "/bin/sh", "-c", script, "sh", ...argv];
}

/** Starts pith as a stranger would, then runs the tests that ask for a program or have one missing. */
function runQuick(bare) {
  const steps = [
    ["npm start says its version", "npm", ["start", "--silent", "--", "--version"]],
    [
      "npm start plays the tour",
      "npm",
      ["start", "--silent", "--", "-p", "fix the failing test", "--model", "faux/tour"],
    ],
    [
      "tests that need a program",
      "node",
      ["bin/bun", "test", "--parallel=2", "--timeout=60000", "--no-orphans", ...askingTests()],
    ],
  ];
  for (const [what, program, args] of steps) {
    const began = Date.now();
    const code = bare(program, args);
    process.stdout.write(
      `bare: ${code === 0 ? "ok" : "FAIL"}  ${what}  ${((Date.now() - began) / 1000).toFixed(1)} s\n`,
    );
    if (code !== 0) return code;
  }
  return 0;
}

/** Test files that skip where a program is missing. */
function askingTests() {
  const names = ["packages", "test"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((name) => join(root, folder, name)),
  );
  return names
    .filter((name) => name.endsWith(".test.ts") && !name.includes("node_modules"))
    .filter((name) => /\bneed(?:Peer)?\("/.test(readFileSync(name, "utf8")))
    .map((name) => `./${relative(root, name)}`);
}

const which = (name) => places(name)[0];

function places(name) {
  const folders = [
    ...(process.env.PATH ?? "").split(delimiter),
    "/usr/local/bin",
    "/usr/bin",
    "/bin",
    "/usr/sbin",
    "/sbin",
  ];
  return [...new Set(folders.filter((folder) => folder.startsWith("/")).map((folder) => join(folder, name)))].filter(
    existsSync,
  );
}

function must(program, args) {
  const { status, error } = spawnSync(program, args, { stdio: ["ignore", "inherit", "inherit"] });
  if (status !== 0) throw new Error(`${program} ${args.join(" ")}: ${error?.message ?? `exit ${status}`}`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href)
  process.exit(runBare({ quick: process.argv.includes("--quick") }));

// Checks of the machine itself: what containers, odd hosts and old volumes lack.
import { accessSync, constants, readdirSync, readFileSync, statfsSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { runInSandbox } from "@pith/coder";
import { isInside, succeeds, tryOr, unescapeMount } from "@pith/kit";
import type { Io } from "../../io/io.ts";
import { settingsIn } from "../../open/setting.ts";
import { homeToTry, note, ok, wrong } from "./finding.ts";

/** Tries the sandbox that commands would have here. */
export async function sandboxCheck(io: Io) {
  const { cwd, userHome, env, home } = io;
  const settings = await settingsIn(io, { cwd, wrong: "is ignored" });
  if (!settings.ok) return note(settings.message);
  if (temporaryCheck().state === "wrong") return note("not tried, for want of a directory for temporary files");
  using tried = homeToTry(home);
  const options = { cwd, home: tried.path, userHome, env, settings: settings.value, tell: () => {} };
  const ran = await runInSandbox(["true"], options, AbortSignal.timeout(10_000));
  if (ran.ok && ran.value.code === 0) return ok("commands of the model can be confined");
  const why = ran.ok ? `the trial ended with ${ran.value.code}` : ran.message;
  return note(`none here (${why}): commands follow the rules for machines without one; pith help approval`);
}

/** Tells of a directory for temporary files that is missing or full. */
export function temporaryCheck() {
  const folder = tmpdir();
  if (!succeeds(() => accessSync(folder, constants.W_OK | constants.X_OK)))
    return wrong(`${folder} cannot be written; TMPDIR names another place`);
  const free = tryOr(() => statfsSync(folder), undefined);
  if (free && free.bavail * free.bsize < 50_000_000) return wrong(`${folder} has less than 50 MB left`);
  return ok(folder);
}

/** Names what is unusual: each is something that a program would otherwise stumble over later. */
export function machineCheck({ home }: Pick<Io, "home">) {
  const odd = [
    nameless(),
    fewHandles(),
    wrongClock(),
    closedProc(),
    smallShared(),
    remoteVolume(home),
    withoutPrograms([tmpdir(), home]),
  ];
  const found = odd.filter((text) => text !== undefined);
  return found.length > 0 ? note(found.join("; ")) : ok("nothing unusual");
}

function nameless(): string | undefined {
  const name = tryOr(() => userInfo().username, "unknown");
  if (name !== "unknown") return undefined;
  const user = `the user ${process.getuid?.() ?? ""} has no name`;
  return `${user}: git and ssh ask for one (git config user.name, or a row of /etc/passwd)`;
}

function fewHandles(): string | undefined {
  const limits = tryOr(() => readFileSync("/proc/self/limits", "latin1"), "");
  const most = Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY);
  return most < 256 ? `only ${most} files may be open at once: ulimit -n 1024` : undefined;
}

function wrongClock(): string | undefined {
  const year = new Date().getFullYear();
  return year < 2025 ? `the clock says ${year}: servers will be refused, because no certificate is valid` : undefined;
}

function closedProc(): string | undefined {
  if (process.platform !== "linux") return undefined;
  const missing = ["/proc/self/fd", "/proc/sys/kernel"].filter((path) => !succeeds(() => readdirSync(path)));
  return missing.length > 0 ? `${missing.join(" and ")} cannot be read: there is no sandbox without` : undefined;
}

/** Tells of folders on file systems that run no programs. */
function withoutPrograms(folders: readonly string[]): string | undefined {
  const mounts = tryOr(() => readFileSync("/proc/self/mountinfo", "utf8"), "")
    .split("\n")
    .map((line) => line.split(" "))
    .map(([, , , , at = "", options = ""]) => ({ at: unescapeMount(at), options: options.split(",") }));
  const found = folders.filter((folder) => {
    const above = mounts.filter(({ at }) => at !== "" && isInside(at, folder));
    return above
      .sort((one, other) => one.at.length - other.at.length)
      .at(-1)
      ?.options.includes("noexec");
  });
  return found.length > 0
    ? `${found.join(" and ")} can hold no programs (noexec): pith runs, but what is unpacked or built there does not`
    : undefined;
}

function smallShared(): string | undefined {
  const shared = tryOr(() => statfsSync("/dev/shm"), undefined);
  const size = shared ? shared.blocks * shared.bsize : Number.POSITIVE_INFINITY;
  return size < 64_000_000
    ? `/dev/shm has ${Math.round(size / 1e6)} MB: browsers that tests start need more`
    : undefined;
}

/** File systems of other machines, by the numbers of statfs(2). */
const remote: Readonly<Record<number, string>> = {
  26985: "NFS",
  4283649346: "SMB",
  4266872130: "SMB",
  16914839: "9P",
  1702057286: "FUSE",
};

function remoteVolume(home: string): string | undefined {
  const type = tryOr(() => statfsSync(home).type, 0);
  const name = remote[type];
  return (
    name && `${home} lies on ${name}: use a directory of one's own for each machine (PITH_HOME), as locks may not hold`
  );
}

import { dirname } from "node:path";
import { type CommandAccess, joinAccess } from "@pith/agent";
import { hostName } from "@pith/host";
import { fail, ok, type Result } from "@pith/kit";
import type { JudgedPart } from "../judge/judged.ts";
import { isBelow } from "../judge/path-kind.ts";
import type { JudgeState } from "../judge/state.ts";

/** Facts about the sandbox that a command is about to run in. */
export interface AroundCommand extends Pick<JudgeState, "roots" | "temporary" | "given" | "kept" | "isDirectory"> {
  /** Says what commands may write: with `read-only` nothing can be granted. */
  mode: "workspace" | "read-only";
  /** Tells why a host is refused without asking anybody. */
  refuses(host: string): Promise<string | undefined>;
  /** Finds those of these ports on which something of this machine listens that a command does not reach. */
  missingPorts(ports: readonly number[]): readonly number[];
  /** Says what a command can be let reach: hosts and ports one by one, the network of this machine, or nothing. */
  reach: "hosts" | "network" | "nothing";
  /** True for a folder of another user, in which root has no special rights inside of the sandbox. */
  isForeign(folder: string): boolean;
}

/** Works out what a yes to parts of a command must let it do in the sandbox, or why no yes could. */
export async function accessFor(
  parts: readonly JudgedPart[],
  around: AroundCommand,
): Promise<Result<CommandAccess | undefined, "access">> {
  const all: CommandAccess[] = [];
  for (const part of parts) {
    const access = await partAccess(part, around);
    if (!access.ok) return access;
    all.push(access.value);
  }
  return ok(joinAccess(all));
}

async function partAccess(part: JudgedPart, around: AroundCommand): Promise<Result<CommandAccess, "access">> {
  if (around.mode === "read-only" && part.effects.some((effect) => effect.startsWith("write")))
    return fail("access", readOnly(part.text));
  if (part.guard !== undefined || part.severity === "critical" || ofMachine.has(part.program ?? "")) return ok(leaving);
  const outside = part.touches.filter(({ effect, path }) => effect === "write" && isOutside(path, around));
  const writes = outside.map(({ path }) => folderFor(path, part.program, around));
  if (writes.some((folder) => folder === undefined || around.isForeign(folder))) return ok(leaving);
  const wants = part.effects.includes("net") ? networkFor(part) : { hosts: [], ports: [] };
  for (const host of wants.hosts) {
    const why = await around.refuses(host);
    if (why !== undefined) return fail("access", `${host} cannot be reached: ${why}`);
  }
  const leaves = wants.leaves ?? (part.effects.includes("net") && around.reach !== "hosts" ? "network" : undefined);
  if (leaves === "sandbox" || (leaves && around.reach === "nothing")) return ok(leaving);
  const ports = around.missingPorts(wants.ports);
  return ok({ leaves, writes: writes as string[], hosts: leaves ? [] : wants.hosts, ports });
}

const leaving: CommandAccess = { leaves: "sandbox", writes: [], hosts: [], ports: [] };

const readOnly = (text: string): string =>
  `${text} writes, and sandbox.mode is read-only: nothing is written there, whatever is answered`;

const isOutside = (path: string, { roots, temporary, kept, given }: AroundCommand): boolean =>
  given?.(path) || (path.startsWith("/") && ![...roots, ...temporary, ...kept].some((folder) => isBelow(folder, path)));

/**
 * The folder that must be writable for a file to be written, made, replaced or removed. Undefined for what no folder
 * can be granted for.
 */
function folderFor(
  path: string,
  program: string | undefined,
  { isDirectory, given }: AroundCommand,
): string | undefined {
  // Beside a file of `/tmp` lies what is nobody's business.
  if (given?.(path)) return moves.has(program ?? "") ? undefined : path;
  const fixed = /^[^*…]*/.exec(path)?.[0] ?? "";
  const isWhole = fixed === path;
  let folder = isWhole ? path : fixed.slice(0, fixed.lastIndexOf("/")) || "/";
  if (isWhole && (moves.has(program ?? "") || !isDirectory(folder))) folder = dirname(folder);
  while (!isDirectory(folder) && folder !== dirname(folder)) folder = dirname(folder);
  return notGranted.test(folder) ? undefined : folder;
}

/** Programs that make, move or remove the very folder that they are given. */
const moves = new Set("rm rmdir mv ln shred".split(" "));
const notGranted = /^\/(?:$|(?:dev|proc|sys|run)(?:\/|$))/;

/** The hosts and ports that a part talks to; one that talks in its own way, or with keys, must leave. */
function networkFor({
  program = "",
  args,
  hosts,
  severity,
}: JudgedPart): Pick<CommandAccess, "leaves" | "hosts" | "ports"> {
  const words = args.map((word) => word ?? "").join(" ");
  const addresses = words.matchAll(/\bhttps?:\/\/(?:[^/@\s]*@)?([^/:\s]+)/g);
  const urls = program === "git" ? [...addresses].map(([, host = ""]) => host) : hosts;
  const own = urls.filter((host) => local.test(host));
  const far = urls.filter((host) => !local.test(host));
  const ports = own.length > 0 ? portsIn(words) : [];
  const registry = severity === "high" ? undefined : registries[program];
  if (registry) return { hosts: registry, ports };
  // What publishes or fetches with an account has its keys outside.
  if (registries[program] || (program === "git" && (urls.length === 0 || args.includes("push"))))
    return { leaves: "sandbox", hosts: [], ports };
  if (urls.length === 0) return { leaves: "network", hosts: [], ports };
  // A proxy knows names and HTTP; whatever else a part is told to speak to is the machine's to reach.
  const isProxied = program === "git" || proxied.has(program);
  if (!isProxied || far.some((host) => hostName(host) === undefined)) return { leaves: "network", hosts: far, ports };
  return { hosts: far.map((host) => hostName(host) ?? host), ports };
}

const local = /^(?:localhost|127(?:\.\d+){3}|\[::1\]|0\.0\.0\.0|[\w-]+\.localhost)$/i;
const proxied = new Set("curl wget http https xh aria2c".split(" "));

/** Ports of this machine that a text names. */
export function portsIn(text: string): number[] {
  const ports = [...text.matchAll(named)].map(([, scheme, port]) =>
    port !== undefined ? Number(port) : scheme === undefined ? 0 : scheme === "https://" ? 443 : 80,
  );
  return [...new Set(ports)].filter((port) => port >= 1 && port <= 65_535);
}

const named =
  /(?<![\w.-])(https?:\/\/)?(?:localhost|127\.0\.0\.1|\[?::1\]?|0\.0\.0\.0)(?:(?::|\)?,? port )(\d{1,5})|(?![\w.:]))/gi;

/** Programs that work on the machine as a whole, or with keys: in the sandbox they could do nothing that they are for. */
const ofMachine = new Set(
  `sudo doas su runuser pkexec docker podman nerdctl docker-compose podman-compose kubectl helm oc kill pkill killall
  killall5 skill systemctl service launchctl initctl rc-service update-rc.d loginctl crontab at batch atrm mount umount
  swapon swapoff losetup modprobe insmod rmmod sysctl iptables ip6tables nft ufw firewall-cmd setenforce setcap
  systemd-run useradd userdel usermod adduser deluser groupadd groupdel passwd chpasswd visudo vipw chsh shutdown
  reboot halt poweroff init telinit apt apt-get aptitude dpkg dnf yum rpm pacman zypper apk brew port snap flatpak ssh
  sftp scp rsync mosh autossh sshpass ssh-add ssh-copy-id ssh-agent ssh-keygen gpg gpg2 pass security secret-tool
  keyring vault op gh glab tea hub mail mailx sendmail mutt msmtp aws gcloud az doctl flyctl fly heroku vercel netlify
  wrangler firebase serverless pulumi ansible ansible-playbook terraform tofu twine vsce ovsx xdg-open open`.split(
    /\s+/,
  ),
);

/** The hosts at which package managers find packages, where nothing else is configured. */
const registries: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  [
    ["npm npx pnpm pnpx bun bunx", "registry.npmjs.org"],
    ["yarn", "registry.yarnpkg.com registry.npmjs.org"],
    ["pip pip3 uv uvx poetry pdm pipenv rye hatch pipx", "pypi.org files.pythonhosted.org"],
    ["cargo", "index.crates.io static.crates.io crates.io"],
    ["go", "proxy.golang.org sum.golang.org"],
    ["gem bundle", "rubygems.org index.rubygems.org"],
    ["composer", "repo.packagist.org"],
  ].flatMap(([programs = "", hosts = ""]) => programs.split(" ").map((name) => [name, hosts.split(" ")])),
);

import { readdirSync, readFileSync, readlinkSync, realpathSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";
import { linkStat } from "@pith/kit";
import type { Env } from "../../env.ts";

export interface HiddenPaths {
  present: { path: string; kind: "folder" | "file" }[];
  /** Paths of the home where such a thing would stand. */
  absent: string[];
}

/** Finds files with keys, and sockets by which a command would speak to somebody outside. */
export function findHidden({
  home,
  closed,
  env,
  network,
}: {
  home: string;
  closed: readonly string[];
  env: Env;
  /** The network that commands share: what they bind in it is their own. */
  network?: string | undefined;
}): HiddenPaths {
  const own = [...secretsInHome, ...privateInHome].map((name) => join(home, name));
  const there = new Map<string, "folder" | "file">();
  const absent: string[] = [];
  for (const path of [...closed, ...own, ...system, ...hostKeys(), ...sockets(network), ...named(env)]) {
    const [stat, real] = look(path);
    if (!stat || real === undefined) {
      if (own.includes(path)) absent.push(path);
      continue;
    }
    there.set(real, stat.isDirectory() ? "folder" : "file");
  }
  return { present: [...there].map(([path, kind]) => ({ path, kind })), absent };
}

/** Below a home: keys of machines, clouds, registries and wallets, and the browsers that keep them. */
export const secretsInHome = `.ssh .gnupg .password-store .aws .azure .kube .docker .terraform.d .vault-token .oci
  .config/gcloud .config/doctl .config/hcloud .config/rclone .config/heroku .config/fly .fly .config/netlify .config/op
  .config/gh .config/glab-cli .config/hub .config/git/credentials .git-credentials .netrc .npmrc .yarnrc.yml .pypirc
  .pgpass .my.cnf .cargo/credentials .cargo/credentials.toml .gem/credentials .m2/settings.xml .gradle/gradle.properties
  .local/share/keyrings .local/share/kwalletd .local/share/password-store .config/sops .config/age .config/Bitwarden
  .config/1Password .config/keepassxc .config/github-copilot .claude/.credentials.json .codex/auth.json
  .gemini/oauth_creds.json .local/share/opencode/auth.json .pi/agent/auth.json .mozilla .config/google-chrome
  .config/chromium .config/BraveSoftware .config/microsoft-edge .config/vivaldi .config/opera snap/firefox snap/chromium
  .config/pip .pip .composer/auth.json .config/composer/auth.json .cache/huggingface/token
  .cache/huggingface/stored_tokens .huggingface .config/containers/auth.json .kaggle .s3cfg .boto .claude.json
  .config/pypoetry/auth.toml .bundle/config .local/share/gem/credentials .nuget/NuGet/NuGet.Config
  .config/NuGet/NuGet.Config .sbt/.credentials .ivy2/.credentials .terraformrc .pulumi/credentials.json
  .config/configstore
  .config/firebase .config/stripe .config/ngrok .ngrok2 .local/share/com.vercel.cli .railway .wrangler .config/.wrangler
  .sentryclirc .databrickscfg .snowflake .snowsql .dbt/profiles.yml .openai .anthropic .mc/config.json .rclone.conf
  .config/filezilla .config/remmina .vnc/passwd .smbcredentials .msmtprc .config/msmtp .fetchmailrc .offlineimaprc
  .mbsyncrc .subversion/auth .config/cachix .config/helm/registry .mylogin.cnf .config/solana .ethereum .pki
  .config/Signal
  .config/Slack .config/discord .local/share/TelegramDesktop .config/Code/User/globalStorage
  .Xauthority .ICEauthority .electrum .bitcoin Library/Keychains Library/Cookies Library/Safari
  Library/Application\\040Support/Google Library/Application\\040Support/Firefox
  Library/Application\\040Support/BraveSoftware`
  .split(/\s+/)
  .map((name) => name.replaceAll("\\040", " "));

/** Below a home: what a command has no need of either: mail, programs with their data, what was typed at prompts. */
const privateInHome = `.omp/agent .thunderbird .var/app .bash_history .zsh_history .local/share/fish/fish_history
  .python_history .psql_history .mysql_history .node_repl_history .sqlite_history .lesshst Library/Mail
  Library/Messages`.split(/\s+/);

const system = `/etc/shadow /etc/shadow- /etc/gshadow /etc/gshadow- /etc/sudoers /etc/sudoers.d /etc/ssl/private
  /etc/krb5.keytab /etc/wireguard /etc/NetworkManager/system-connections /etc/docker/key.json /var/lib/docker
  /var/lib/containerd /var/lib/kubelet /var/run /var/spool/cron /var/mail /var/spool/mail /boot/efi`.split(/\s+/);

const hostKeys = (): string[] => entries("/etc/ssh").filter((path) => /\/ssh_host_\w+_key$/.test(path));

/** Finds sockets: whoever can read a socket's name can connect to it, however it is mounted. */
function sockets(network: string | undefined): string[] {
  const named = tables(network).flatMap(namesIn);
  const [absolute, relative] = [named.filter((name) => name.startsWith("/")), named.filter((name) => name[0] !== "/")];
  return relative.length === 0 ? absolute : [...absolute, ...somewhere(new Set(relative))];
}

/** A name stands in the table of the network that it was given in, and leads there from every other: ours too. */
function tables(except: string | undefined): string[] {
  const now = performance.now();
  if (!found || now - found.at > networksMs) found = { at: now, networks: networks() };
  return [...found.networks].flatMap(([name, process]) => (name === except ? [] : [`${process}/net/unix`]));
}

let found: { at: number; networks: ReadonlyMap<string, string> } | undefined;
/** Every process is looked at for it, and new ones are rare. */
const networksMs = 5000;

/** All that may be known, each with a process in it. */
function networks(): Map<string, string> {
  const all = new Map<string, string>();
  for (const process of ["/proc/self", ...entries("/proc").filter((path) => /\/\d+$/.test(path))]) {
    const name = networkOf(process);
    if (name !== undefined && !all.has(name)) all.set(name, process);
  }
  return all;
}

/** The network that a process is in, if it may be known. */
export function networkOf(process: string): string | undefined {
  try {
    return readlinkSync(`${process}/ns/net`);
  } catch {
    return undefined;
  }
}

function namesIn(table: string): string[] {
  try {
    // … path; what begins with @ has no name in the file system and is out of reach behind a network of its own.
    return readFileSync(table, "latin1")
      .split("\n")
      .flatMap((line) => /^(?:\S+ +){7}([^@].*)$/.exec(line)?.[1] ?? []);
  } catch {
    return [];
  }
}

/** A name that does not begin at the root begins where the one who gave it stood, and mostly stands. */
function somewhere(names: ReadonlySet<string>): string[] {
  const folders = new Set<string>();
  for (const process of entries("/proc"))
    try {
      if (/\/\d+$/.test(process)) folders.add(readlinkSync(`${process}/cwd`));
    } catch {
      // It is somebody else's, or gone.
    }
  const isSocket = (path: string) => linkStat(path)?.isSocket() === true;
  return [...folders].flatMap((folder) => [...names].map((name) => join(folder, name)).filter(isSocket));
}

/** Sockets that variables name may have been made in another network than ours. */
const named = (env: Env): string[] =>
  [env.SSH_AUTH_SOCK, env.DOCKER_HOST, env.CONTAINER_HOST, env.DBUS_SESSION_BUS_ADDRESS, env.XAUTHORITY].flatMap(
    (value) => /^(?:unix:(?:\/\/|path=))?(\/[^,;]+)/.exec(value ?? "")?.[1] ?? [],
  );

function look(path: string): [Stats | undefined, string | undefined] {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    return stat ? [stat, realpathSync(path)] : [undefined, undefined];
  } catch {
    return [undefined, undefined];
  }
}

function entries(folder: string): string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch {
    return [];
  }
}

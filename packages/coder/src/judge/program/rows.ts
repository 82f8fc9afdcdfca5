import type { CommandEffects } from "../command-effects.ts";
import { type Arg, exact } from "../word.ts";
import { each, lineOf, type Program, type ProgramTable, program, type Row } from "./spec.ts";

const publishes: Row = [
  /^(?:-\S+ )*(?:publish|unpublish|deprecate|dist-tag|owner|access|adduser|login|logout|token|release|yank|push|star|hook|team|profile|org)\b/,
  "high",
  "it changes what others get",
];
const installs = (words: string): Row => [
  new RegExp(`^(?:-\\S+ )*(?:${words})(?![\\w-])`),
  "medium",
  "it installs programs of others",
];
const settings: Row = [/^(?:-\S+ )*(?:config (?:set|edit)|set|env -w)\b/, "high", "it changes settings of its own"];

/** The program behind `exec`, `x`, `run` or `dlx`, and a text behind `-c`. */
const behind =
  (word: RegExp) =>
  (args: readonly Arg[], does: CommandEffects): undefined => {
    const at = args.findIndex(({ shape }) => !/^[-+]/.test(shape));
    if (at === -1 || !word.test(args[at]?.shape ?? "")) return;
    const rest = args.slice(at + 1);
    const text = rest[rest.findIndex(({ shape }) => shape === "-c" || shape === "--call") + 1];
    if (text && rest.includes(text) && rest.some(({ shape }) => shape === "-c" || shape === "--call"))
      return does.script(text, "what it runs");
    const first = rest.findIndex(({ shape }) => !shape.startsWith("-"));
    if (first !== -1) does.run(rest.slice(first));
  };

/** A program that runs what the project says; rows with a severity also use the network. */
const manager =
  (rows: readonly Row[], also?: (args: readonly Arg[], does: CommandEffects) => undefined): Program =>
  (args, does, name) => {
    const line = lineOf(args);
    const row = rows.find(([words]) => words.test(line));
    if (row) does.effect("net");
    program({ operands: "none", does: ["exec"], rows: row ? [row] : [] })(args, does, name);
    also?.(args, does);
  };

const runner: Program = (args, does) => {
  const at = args.findIndex(({ shape }) => !shape.startsWith("-"));
  const call = args.findIndex(({ shape }) => shape === "-c" || shape === "--call");
  does.effect("exec");
  const text = call === -1 ? undefined : args[call + 1];
  if (text) return does.script(text, "what it runs");
  if (args.slice(0, Math.max(at, 0)).some(({ shape }) => shape === "-p" || shape === "--package"))
    return does.level("medium", "it installs programs of others");
  if (at !== -1) does.run(args.slice(at));
};

const handsOver = /--privileged|--pid[= ]host|docker\.sock|(?:-v|--volume)[= ]?(?:\/|~)[^ ]*:|--mount\S* \S*source=\//;
const shown = new RegExp(
  `^(?:${[
    "ps|images?(?: ls| list| inspect)?|logs|inspect|version|info|top|stats|port|diff|history|search|config|ls",
    "(?:container|volume|network|context|builder|system) (?:ls|list|inspect|df)",
  ].join("|")})(?![\\w-])`,
);
const docker = program({
  operands: "any",
  also(args, does) {
    const line = lineOf(args.filter(({ shape }) => !shape.startsWith("-"))).replace(/^compose /, "");
    const whole = lineOf(args);
    if (shown.test(line)) return does.effect("read outside");
    does.effect("exec");
    if (whole.includes("…")) does.opaque("a word of docker is known when it runs");
    if (/^(?:push|login|logout|trust)\b/.test(line)) does.level("high", "docker: it changes what others get");
    else if (/^(?:run|create|exec|up)\b/.test(line) && handsOver.test(whole))
      does.level("high", "docker: it gives a container the files or rights of this machine");
    else if (/\bprune\b|^volume rm|^swarm/.test(line) || /^(?:compose )?down\b.*(?:-v\b|--volumes)/.test(whole))
      does.level("high", "docker: it removes what containers keep");
    else does.level("medium", "docker: it runs or removes containers");
  },
});

const cluster = manager([
  [
    /^(?!(?:-\S+ )*(?:get|describe|logs|top|version|explain|cluster-info|api-resources|diff|list|status|history|template|lint|show|search)\b)/,
    "high",
    "it changes machines elsewhere",
  ],
  [/^/, "none", ""],
]);

const make: Program = (args, does, name) => {
  const line = lineOf(args);
  does.effect("exec");
  if (/(?:^| )(?:--eval|-E|-f -|-f-)/.test(line) || line.includes("…")) does.opaque(`${name} is handed rules`);
  for (const { shape } of args) {
    const value = /^(?:SHELL|MAKE|CC|CXX|LD)=([\s\S]*)$/.exec(shape)?.[1];
    if (value !== undefined) does.script(exact(value), `what ${name} runs`);
  }
};

/** `kill -9 1`, `kill -s KILL`, `kill -9 -1`. */
const kill: Program = (args, does, name) => {
  const texts = args.map(({ shape }) => shape);
  if (texts.some((text) => /^-[lL]$/.test(text))) return;
  does.effect("exec");
  const line = lineOf(args);
  const hard = /(?:^| )(?:-9|-(?:SIG)?KILL|--signal=(?:9|(?:SIG)?KILL)|(?:-s|-n|--signal) (?:9|(?:SIG)?KILL))(?: |$)/i;
  // A first word with a dash is a signal; a later one, or one behind `--`, is a group, and -1 is everybody.
  const everybody = texts.some((text, index) => text === "-1" && (index > 0 || texts.length === 1));
  if (name === "kill" && (everybody || texts.slice(1).includes("1") || texts[0] === "1"))
    does.level("critical", "it ends every process, or the first of all");
  else if (hard.test(line)) does.level("high", "it ends a process at once");
  else does.level("medium", "it ends a process");
};

const crontab: Program = (args, does) => {
  if (lineOf(args) === "-l") return does.effect("read outside");
  does.effect("exec");
  does.guard ??= "what crontab is given runs later, by itself";
  does.level("high", "what crontab is given runs later, by itself");
};

const drops: Row = [
  /(?<![a-z])(?:drop|truncate|flushall|flushdb|dropdatabase|delete_from)(?![a-z])/i,
  "high",
  "it removes data",
];
const client = program({
  operands: "any",
  does: ["exec", "net"],
  rows: [drops],
  also: (args, does) =>
    /\\!|\\copy|\bto_program\b|\bsystem_|…/i.test(lineOf(args))
      ? does.opaque("the client may run programs or write files")
      : undefined,
});
const sqlite = program({
  operands: "any",
  does: ["exec"],
  rows: [drops],
  also: (args, does) =>
    /\.(?:shell|system|load|read|import|output|once|excel|edit|archive)|load_extension|writefile|edit\(|…/i.test(
      lineOf(args),
    ) || args.length < 2
      ? does.opaque("sqlite3 may run programs or write files")
      : undefined,
});
const openssl = program({
  operands: "any",
  writes: "out",
  rows: [[/^s_(?:client|server)/, "high", "it opens a connection for whatever is said"]],
  also(args, does) {
    const line = lineOf(args);
    does.effect(/^(?:rand|version|dgst|list|sha\d*|md5)\b/.test(line) ? "read inside" : "exec");
    if (/^s_/.test(line)) does.effect("net");
    const out = args.findIndex(({ shape }) => shape === "-out");
    if (out !== -1 && args[out + 1]) does.write(args[out + 1] as Arg);
  },
});

const always = (severity: Row[1], why: string) =>
  program({ operands: "any", does: ["exec"], rows: [[/^/, severity, why]] });

/** Programs that build, install or change the machine: how bad they are by their words. */
export const machine: ProgramTable = {
  ...each(
    "npm pnpm yarn bun",
    manager(
      [
        publishes,
        [/^$/, "medium", "it installs programs of others"],
        installs(
          "i|in|ins|install|add|ci|clean-install|install-test|it|update|up|upgrade|link|rebuild|dlx|create|init|audit fix|import|global",
        ),
        settings,
      ],
      (args, does) => {
        behind(/^(?:exec|x)$/)(args, does);
        if (args.some(({ shape }) => /^(?:-[ep]|--eval|--print)/.test(shape))) does.opaque("it is handed code");
      },
    ),
  ),
  ...each("npx bunx uvx pnpx", runner),
  deno: manager([installs("install|add|upgrade|publish")], (args, does) =>
    args[0]?.shape === "eval" ? does.opaque("deno is handed code") : undefined,
  ),
  ...each(
    "pip pip3 uv poetry pdm pipenv conda mamba rye hatch pipx",
    manager(
      [
        publishes,
        installs(
          "install|add|sync|download|wheel|update|upgrade|lock|tool|python install|pip install|pip sync|uninstall|remove|self",
        ),
        settings,
      ],
      behind(/^run$/),
    ),
  ),
  twine: manager([[/^upload/, "high", "it changes what others get"]]),
  cargo: manager([publishes, installs("install|add|update|remove|fetch|binstall")]),
  go: manager([installs("get|install|mod (?:download|tidy)"), settings]),
  ...each(
    "gem bundle composer mix dart flutter nuget dotnet swift stack cabal opam luarocks cpan cpanm",
    manager(
      [publishes, installs("install|add|update|require|get|deps\\.get|restore|tool|pub get|nuget push|package add")],
      behind(/^exec$/),
    ),
  ),
  ...each(
    "mvn mvnw gradle gradlew sbt ant bazel buck pants",
    manager([[/\b(?:deploy|publish\w*|upload\w*|release:\w+)\b/, "high", "it changes what others get"]]),
  ),
  ...each(
    "apt apt-get aptitude dpkg dnf yum rpm pacman zypper apk brew port snap flatpak nix nix-env choco winget",
    manager([
      [/^(?:list|search|show|info|policy|depends|--version|-l|-L|-s|-q\w*|-Q\w*|outdated|leaves)\b/, "none", ""],
      [/^(?:remove|purge|autoremove|uninstall|-R\w*|erase)\b/, "high", "it removes programs of this machine"],
      [/./, "medium", "it installs programs of others"],
    ]),
  ),
  ...each("make gmake", make),
  ...each(
    "gcc g++ cc c++ clang clang++ rustc tcc",
    program({ takes: "I L l D std x include arch", writes: "o", does: ["exec"] }),
  ),
  ...each(
    "terraform tofu",
    manager([
      [
        /^(?:apply|destroy|import|state|taint|force-unlock|login|workspace delete)\b/,
        "high",
        "it changes machines elsewhere",
      ],
      installs("init"),
    ]),
  ),
  ...each("docker podman nerdctl docker-compose podman-compose", docker),
  ...each("kubectl helm oc kustomize", cluster),
  ...each(
    "vsce ovsx changeset semantic-release lerna release-it np goreleaser",
    manager([[/publish|release|^$/, "high", "it changes what others get"]]),
  ),
  ...each("kill pkill killall killall5 skill", kill),
  ...each(
    "mkfs mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.xfs mkfs.btrfs mkfs.vfat mkfs.fat mkfs.ntfs mke2fs mkswap wipefs fdisk sfdisk gdisk sgdisk cfdisk parted blkdiscard hdparm cryptsetup lvremove vgremove pvremove zpool diskutil format newfs",
    always("critical", "it writes over disks"),
  ),
  ...each("shutdown reboot halt poweroff init telinit", always("high", "it stops this machine")),
  ...each(
    "useradd userdel usermod adduser deluser groupadd groupdel passwd chpasswd visudo vipw chsh",
    always("high", "it changes who may use this machine"),
  ),
  ...each(
    "mount umount swapon swapoff losetup modprobe insmod rmmod sysctl iptables ip6tables nft ufw firewall-cmd setenforce setcap chroot unshare nsenter systemd-run bwrap",
    always("high", "it changes how this machine works"),
  ),
  ...each(
    "systemctl service launchctl initctl rc-service update-rc.d loginctl",
    program({
      operands: "any",
      rows: [
        [/^(?:-\S+ )*(?:status|list-\w+|show|cat|is-\w+|list|print)\b|^\S+ status\b/, "none", ""],
        [/^/, "high", "it changes what runs on this machine"],
      ],
      does: ["read outside"],
    }),
  ),
  crontab,
  ...each("at batch atrm", always("high", "what it is given runs later, by itself")),
  sqlite3: sqlite,
  ...each("psql mysql mariadb mongo mongosh redis-cli clickhouse-client duckdb", client),
  openssl,
  ...each("dropdb dropuser mysqladmin pg_dropcluster", always("high", "it removes data")),
  ...each("xdg-open open start", program({ operands: "none", does: ["exec"] })),
};

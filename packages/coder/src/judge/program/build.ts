import type { Risk } from "@pith/agent";
import type { CommandEffects } from "../command-effects.ts";
import { type Arg, exact } from "../value/argument.ts";
import { each, type Program, type ProgramTable, specProgram } from "./plain.ts";

/** A word, or several, that change how bad a program is: the first that fits counts. */
type Rows = readonly (readonly [words: RegExp, Risk, why: string])[];

const publishes: Rows[number] = [
  /^(?:publish|unpublish|deprecate|dist-tag|owner|access|adduser|login|logout|token|release|yank|push|star|hook|team|profile|org)\b/,
  "high",
  "it changes what others get",
];
const tells = /^(?:--version|-v|-V|version|--help|-h|help)$/;

/** A program that runs what the project says. */
const manager =
  (rows: Rows, more?: (args: readonly Arg[], does: CommandEffects) => undefined): Program =>
  (args, does, name) => {
    does.effect("exec");
    if (args.length === 1 && tells.test(args[0]?.text ?? "")) return;
    const words = args.filter(({ shape }) => !/^[-+]/.test(shape));
    const line = words.map(({ shape }) => shape).join(" ");
    const whole = args.map(({ shape }) => shape).join(" ");
    const row = rows.find(([pattern]) => pattern.test(line) || pattern.test(whole));
    if (row) does.level(row[1], `${name}: ${row[2]}`);
    if (row) does.effect("net");
    more?.(args, does);
  };

const installs = "it installs programs of others";

/** `npm exec x`, `pnpm dlx x`, `poetry run x`: the program behind a word. */
const behind =
  (word: RegExp) =>
  (args: readonly Arg[], does: CommandEffects): undefined => {
    const at = args.findIndex(({ shape }) => !/^[-+]/.test(shape));
    if (at === -1 || !word.test(args[at]?.text ?? "")) return;
    const rest = args.slice(at + 1);
    const call = rest.findIndex(({ text }) => text === "-c" || text === "--call");
    const text = rest[call + 1];
    if (call !== -1 && text) return does.script(text, "what it runs");
    const first = rest.findIndex(({ shape }) => !shape.startsWith("-"));
    if (first !== -1) does.run(rest.slice(first));
  };

const node = manager(
  [
    publishes,
    [
      /^(?:i|in|ins|install|add|ci|clean-install|install-test|it|update|up|upgrade|link|rebuild|dlx|create|init|audit fix|import|global)\b|^$/,
      "medium",
      installs,
    ],
    [/^config set|^set\b/, "high", "it changes settings of its own"],
  ],
  behind(/^(?:exec|x)$/),
);

/** A package runner: it may fetch what it runs. */
const runner: Program = (args, does) => {
  const at = args.findIndex(({ shape }) => !shape.startsWith("-"));
  const call = args.findIndex(({ text }) => text === "-c" || text === "--call");
  does.effect("exec");
  if (call !== -1 && args[call + 1]) return does.script(args[call + 1] as Arg, "what it runs");
  if (args.slice(0, Math.max(at, 0)).some(({ text }) => text === "-p" || text === "--package"))
    return does.level("medium", installs);
  if (at !== -1) does.run(args.slice(at));
};

const python = manager(
  [
    publishes,
    [
      /^(?:install|add|sync|download|wheel|update|upgrade|lock|tool|python install|pip install|pip sync|uninstall|remove|self)\b/,
      "medium",
      installs,
    ],
    [/^config (?:set|edit)/, "high", "it changes settings of its own"],
  ],
  behind(/^run$/),
);

const containersShown =
  /^(?:ps|images?(?: ls| list| inspect)?|logs|inspect|version|info|top|stats|port|diff|history|search|(?:container|volume|network|context|builder|system) (?:ls|list|inspect|df)|config|ls)\b/;
const handsOver = /--privileged|--pid[= ]host|docker\.sock|(?:-v|--volume)[= ]?(?:\/|~)[^ ]*:|--mount\S* \S*source=\//;

const docker: Program = (args, does, name) => {
  const words = args.filter(({ shape }) => !shape.startsWith("-")).map(({ shape }) => shape);
  const line = words.join(" ").replace(/^compose /, "");
  const whole = args.map(({ shape }) => shape).join(" ");
  // It asks a server of this machine.
  if (containersShown.test(line)) return does.effect("read outside");
  does.effect("exec");
  if (/^(?:push|login|logout|trust)\b/.test(line)) does.level("high", `${name} changes what others get`);
  else if (/^(?:run|create|exec|up)\b/.test(line) && handsOver.test(whole))
    does.level("high", `${name} gives a container the files or rights of this machine`);
  else if (/\bprune\b|^volume rm|^swarm/.test(line) || /^(?:compose )?down\b.*(?:-v\b|--volumes)/.test(whole))
    does.level("high", `${name} removes what containers keep`);
  else does.level("medium", `${name} runs or removes containers`);
};

const clusterShown =
  /^(?:get|describe|logs|top|version|explain|cluster-info|api-resources|diff|list|status|history|template|lint|show|search)$/;

const cluster: Program = (args, does, name) => {
  const first = args.find(({ shape }) => !shape.startsWith("-"))?.text ?? "";
  does.effect("net");
  does.effect("exec");
  if (!clusterShown.test(first)) does.level("high", `${name} changes machines elsewhere`);
};

const make: Program = (args, does, name) => {
  does.effect("exec");
  for (const [index, { text = "", shape }] of args.entries()) {
    if (/^--eval|^-E/.test(text)) does.opaque(`${name} is handed rules`);
    if ((text === "-f" && args[index + 1]?.text === "-") || text === "-f-")
      does.opaque(`${name} runs the rules on its input`);
    const [, variable, value = ""] = /^(SHELL|MAKE|CC|CXX|LD)=([\s\S]*)$/.exec(shape) ?? [];
    if (variable) does.script(exact(value), `what ${name} runs`);
  }
};

const compile = specProgram({
  takes: "I L l D std x include arch target",
  writes: "o",
  does: ["exec"],
  operands: "read",
});

const runs = (rows: Rows = []) => manager(rows);

/** Builds, tests and what fetches packages: they run what the project holds. */
export const building: ProgramTable = {
  ...each("npm pnpm yarn", node),
  bun: (args, does, name) => {
    if (args.some(({ shape }) => /^(?:-[ep]|--eval|--print)/.test(shape))) does.opaque("bun is handed code");
    node(args, does, name);
  },
  ...each("npx bunx uvx pnpx", runner),
  deno: manager([[/^(?:install|add|upgrade|publish)\b/, "medium", installs]], (words, does) => {
    if (words[0]?.text === "eval") does.opaque("deno is handed code");
  }),
  ...each("pip pip3 uv poetry pdm pipenv conda mamba rye hatch pipx", python),
  twine: manager([[/^upload/, "high", "it changes what others get"]]),
  cargo: manager([publishes, [/^(?:install|add|update|remove|fetch|binstall)\b/, "medium", installs]]),
  go: manager([
    [/^(?:get|install|mod (?:download|tidy))\b/, "medium", installs],
    [/^env -w/, "high", "it changes settings of its own"],
  ]),
  ...each(
    "gem bundle composer mix dart flutter nuget dotnet swift stack cabal opam luarocks cpan cpanm",
    manager(
      [
        publishes,
        [
          /^(?:install|add|update|require|get|deps\.get|restore|tool|pub get|nuget push|package add)\b/,
          "medium",
          installs,
        ],
      ],
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
      [/./, "medium", installs],
    ]),
  ),
  ...each("make gmake", make),
  ...each("gcc g++ cc c++ clang clang++ rustc tcc", compile),
  terraform: manager([
    [
      /^(?:apply|destroy|import|state|taint|force-unlock|login|workspace delete)\b/,
      "high",
      "it changes machines elsewhere",
    ],
    [/^init\b/, "medium", installs],
  ]),
  tofu: runs([[/^(?:apply|destroy|import|state)\b/, "high", "it changes machines elsewhere"]]),
  ...each("docker podman nerdctl docker-compose podman-compose", docker),
  ...each("kubectl helm oc kustomize", cluster),
  ...each(
    "vsce ovsx changeset semantic-release lerna release-it np goreleaser",
    manager([[/publish|release|^$/, "high", "it changes what others get"]]),
  ),
};

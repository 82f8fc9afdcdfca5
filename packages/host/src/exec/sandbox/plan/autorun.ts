import { basename, join } from "node:path";

/** Files and folders of a project that somebody's program runs later, or is ruled by. */
export interface AutorunRow {
  /** Words for such a file, by the program that runs it. */
  is: string;
  /** Paths as they end, in whatever folder they lie; `*` stands for a part of a name. A folder counts with all in it. */
  names: readonly string[];
}

const row = (is: string, names: string): AutorunRow => ({ is, names: names.trim().split(/\s+/) });

export const autorunInProject: readonly AutorunRow[] = [
  row(
    "a git hook",
    `.husky .huskyrc .huskyrc.* .githooks .git-hooks .pre-commit-config.yaml lefthook*.yml lefthook*.yaml lefthook*.toml
    lefthook*.json .lefthook*.yml .lefthook*.yaml .lefthook*.toml .lefthook*.json .lefthook .lefthook-local
    .overcommit.yml .simple-git-hooks.*`,
  ),
  row(
    "a file that a build server runs",
    `.github/workflows .github/actions .gitlab-ci.yml .gitlab/ci .circleci .travis.yml .drone.yml .woodpecker
    .woodpecker.yml .buildkite .gitea .forgejo Jenkinsfile azure-pipelines.yml .azure-pipelines bitbucket-pipelines.yml
    appveyor.yml .appveyor.yml cloudbuild.yaml .cirrus.yml .cirrus.star .builds .build.yml .teamcity .semaphore
    .tekton`,
  ),
  row("a file that pith is ruled by", ".pith"),
  row(
    "a file that an editor runs by itself",
    `.vscode/tasks.json .vscode/settings.json .vscode/launch.json .vscode/mcp.json *.code-workspace .idea .devcontainer
    .devcontainer.json .zed .nvim.lua .nvimrc .exrc .dir-locals.el .dir-locals-2.el`,
  ),
  row(
    "a file that a shell runs on entering the folder",
    ".envrc mise.toml .mise.toml mise.local.toml .mise .config/mise",
  ),
  row(
    "a file that says what a package manager or compiler runs",
    ".npmrc .yarnrc .yarnrc.yml .pnpmfile.cjs .cargo/config .cargo/config.toml",
  ),
  row(
    "a file that an agent is ruled by",
    `.claude .mcp.json .cursor .omp .pi .codex .gemini .opencode opencode.json opencode.jsonc .kiro .windsurf .roo
    .amazonq .continue .qwen .trae .junie`,
  ),
];

/** Names in a git directory of what git runs, and of what says what it runs. */
export const autorunInGit = `config config.worktree hooks info/attributes commondir gitdir
  rebase-merge/git-rebase-todo rebase-apply/git-rebase-todo sequencer/todo`.split(/\s+/);

/** Names of those that git itself writes as it works: they are looked at afterwards. */
export const writtenByGit: ReadonlySet<string> = new Set(autorunInGit.filter((name) => name.endsWith("todo")));

/** Folders that package managers own: they hold thousands of such names, and nobody works in them. */
export const ownedByPackages = `node_modules bower_components jspm_packages .pnpm-store .yarn .venv venv virtualenv .tox
  .nox site-packages dist-packages __pypackages__ .pixi .conda vendor Pods Carthage .gradle .m2 .nuget .stack-work
  .dart_tool .pub-cache elm-stuff .terraform .direnv`.split(/\s+/);

const escaped = (text: string): string => text.replace(/[\\^$.|?+()[\]{}]/g, "\\$&");

/** The form of a name with `*`. */
export const autorunForm = (name: string): string => escaped(name).replaceAll("*", "[^/]*");

interface Pattern {
  first: RegExp;
  rest: string;
}

const exact = new Map<string, string[]>();
const patterns: Pattern[] = [];
for (const name of autorunInProject.flatMap(({ names }) => names)) {
  const [first = "", ...below] = name.split("/");
  const rest = below.join("/");
  if (first.includes("*")) patterns.push({ first: new RegExp(`^${autorunForm(first)}$`), rest });
  else exact.set(first, [...(exact.get(first) ?? []), rest]);
}

/** The first names of all that do not begin with a dot, as `find` takes them. */
export const plainFirst: readonly string[] = autorunInProject.flatMap(({ names }) =>
  names.flatMap((name) => (name.startsWith(".") ? [] : [name.split("/")[0] ?? ""])),
);

/** The paths of the table that a file or folder is, or may hold. */
export function autorunAt(path: string): string[] {
  const name = basename(path);
  const more = patterns.flatMap(({ first, rest }) => (first.test(name) ? [rest] : []));
  return [...(exact.get(name) ?? []), ...more].map((rest) => join(path, rest));
}

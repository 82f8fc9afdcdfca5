import { autorunForm, autorunInHome, autorunInProject, secretsInHome } from "@pith/host";
import { isBelow, type JudgedPath, type PathKind } from "./path-kind.ts";
import type { JudgeState } from "./state.ts";

/** The homes of the files. */
export type Homes = Pick<JudgeState, "home" | "pithHome" | "kept" | "scratch">;

/** Files that hold keys: nobody reads them by the way. */
const keyStores = secretsInHome.map((name) => name.toLowerCase());

const keys =
  /^\/etc\/(?:shadow|gshadow|sudoers|master\.passwd|ssh\/.*key)|^\/proc\/[^/]+\/(?:environ|mem)$|\/id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?$/;

/** Below a home: what a shell, a desktop or a tool of the user runs by itself, and where programs are found first. */
const startUp = autorunInHome.map((name) => name.toLowerCase());
const isFound = (name: string): boolean => /(?:^|\/)bin$/.test(name);

const system = /^\/(?:etc\/(?:profile|bash|zsh|cron|environment|rc|init|systemd|ld\.so)|var\/spool\/cron)/;

const escaped = (text: string): string => text.replace(/[\\^$.|?+()[\]{}]/g, "\\$&");
const oneOf = (names: readonly string[]): RegExp =>
  new RegExp(`(?:^|/)(?:${names.map((name) => autorunForm(name.toLowerCase())).join("|")})(?:/|$)`);

/** Files of any folder that run on the machine of whoever works there. */
const written: readonly (readonly [RegExp, string])[] = [
  [/(?:^|\/)(?:\.git|git~1)(?:\/|$)/, "what its directory names is run by git"],
  ...autorunInProject.map(({ is, names }) => [oneOf(names), is] as const),
  [/(?:^|\/)\.github$/, "a file that a build server runs"],
];

/** Signs that one of them has in its path, so that most paths are looked at once. */
const plain = autorunInProject.flatMap(({ names }) => names.filter((name) => name[0] !== "."));
const hinted = new RegExp(`/\\.|git~1|${plain.map((name) => autorunForm(name.toLowerCase())).join("|")}`);

/** Names that a pattern must not hide. */
const names =
  `.ssh .aws .gnupg .azure .kube .netrc .docker .config .git .github .husky .githooks .pith .circleci .vscode
  .bashrc .bash_profile .profile .zshrc .zshenv .gitconfig .gitlab-ci.yml workflows actions id_rsa id_ed25519`.split(
    /\s+/,
  );

/** Why a path is asked about in every mode; undefined where it is not. It is compared without regard to case. */
export function guarded({ path, kind }: JudgedPath, effect: "read" | "write", state: Homes): string | undefined {
  const why = path.includes("*")
    ? meant(path)
        .map((one) => reasonFor(one, kind, effect, state))
        .find((reason) => reason !== undefined)
    : reasonFor(path, kind, effect, state);
  return why === undefined ? undefined : `${path} ${why}`;
}

function reasonFor(path: string, place: PathKind, effect: "read" | "write", state: Homes): string | undefined {
  // Where a model keeps something itself nothing is run, and it holds no keys.
  if (state.scratch.some((folder) => isBelow(folder, path))) return undefined;
  const low = path.toLowerCase();
  // Whose home it is does not matter, nor that it is not known.
  const home = isBelow(state.home, path) ? state.home : homes.exec(path)?.[0];
  const below = home === undefined ? undefined : low.slice(home.length + 1);
  const isIn = (name: string) => below === name || below?.startsWith(`${name}/`) === true;
  const store = keyStores.some(isIn);
  if (store || keys.test(low)) return "may hold keys";
  const pith = isBelow(state.pithHome, path) && !state.kept.some((folder) => isBelow(folder, path));
  if (effect === "read") return pith ? "is pith's own, with keys and other conversations" : undefined;
  const starts = startUp.some((name) => isIn(name) && !(place === "inside" && isFound(name)));
  if (starts || system.test(low)) return "runs when a session starts";
  if (isBelow(state.pithHome, path)) return "is a file that pith is ruled by";
  const why = hinted.test(low) ? written.find(([pattern]) => pattern.test(low))?.[1] : undefined;
  return why === undefined ? undefined : `is written: ${why}`;
}

const homes = /^(?:\/root|\/home\/[^/]+|\/Users\/[^/]+|\/?…)(?=\/)/;

/** Lists the paths that one with patterns may mean, as far as that is of interest. */
function meant(path: string): readonly string[] {
  let all: readonly string[] = [""];
  for (const part of path.split("/").slice(1)) {
    const fits = part.includes("*") ? new RegExp(`^${part.split("*").map(escaped).join(".*")}$`, "i") : undefined;
    // What begins with a dot is matched by what begins with one.
    const hides = (name: string) =>
      (name[0] !== "." || part[0] === ".") && (!/^\*+$/.test(part) || !name.startsWith("id_"));
    const found = fits ? names.filter((name) => hides(name) && fits.test(name)) : [];
    all = all.flatMap((before) => [part, ...found].map((name) => `${before}/${name}`)).slice(0, most);
  }
  return all;
}

const most = 100;
